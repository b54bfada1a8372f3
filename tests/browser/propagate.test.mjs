/** The headers of `propagate`, in each engine: the server gets them and is told nothing else than natively. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";

const TRACEPARENT = /^00-[0-9a-f]{32}-([0-9a-f]{16})-03$/;

/** In the page: what the server got of each way to ask, the headers in question apart. */
const ask = async () => {
  const form = new FormData();
  form.append("a", "ü");
  const own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  class Init {
    method = "PUT";
    get headers() {
      return { "x-k": "getter" };
    }
  }
  const ways = {
    text: ["/echo?ids"],
    url: [new URL("/echo?ids&u", location.href)],
    record: ["/echo?ids", { method: "POST", headers: { "X-K": "record", "content-type": "a/b" }, body: "ü" }],
    pairs: ["/echo?ids", { method: "POST", headers: [["x-k", "pairs"]], body: new URLSearchParams("a=b") }],
    list: ["/echo?ids", { headers: new Headers({ "x-k": "list" }) }],
    form: ["/echo?ids", { method: "POST", body: form }],
    request: [new Request("/echo?ids&r", { method: "POST", body: "hi", headers: { "x-k": "request" } })],
    quiet: [new Request("/echo?ids&q", { referrerPolicy: "no-referrer", headers: { accept: "text/event-stream" } })],
    referred: [new Request("/echo?ids&f", { referrer: "/other" }), {}],
    both: [new Request("/echo?ids&b", { method: "POST", body: "hi" }), { headers: [["x-k", "both"]] }],
    frozen: ["/echo?ids", Object.freeze({ method: "DELETE" })],
    own: ["/echo?ids", { headers: { traceparent: own } }],
    getter: ["/echo?ids", new Init()],
    map: ["/echo?ids", { headers: new Map([["x-k", "map"]]) }],
  };
  const got = {};
  for (const [name, args] of Object.entries(ways)) {
    const { headers, ...rest } = await (await fetch(...args)).json();
    const { traceparent, "x-request-id": id, ...others } = headers;
    got[name] = { said: { ...rest, headers: others }, traceparent, id };
  }
  return got;
};

for (const engine of engines) {
  describe(`propagate: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    // Protects: the request is the page's own but for the headers, whichever way it is made.
    test("headers are added to the origins that are named, and nothing else changes", async () => {
      const page = await browser.page("/blank");
      const natively = await page.evaluate(ask);
      const propagate = { to: [browser.origin], headers: ["traceparent", "X-Request-Id"] };
      await page.evaluate(start, { match: "/echo", propagate });
      const got = await page.evaluate(ask);
      await page.close();
      for (const [way, { said, traceparent, id }] of Object.entries(got)) {
        assert.deepEqual(said, natively[way].said, way);
        if (/getter|map/.test(way)) assert.deepEqual([traceparent, id], [null, null], `${way} can't be read unasked`);
        else if (way === "own") assert.equal(traceparent, natively.own.traceparent, "the application's stays");
        else assert.match(traceparent, TRACEPARENT, way);
        if (!/getter|map/.test(way)) assert.match(id, /^[0-9a-f-]{32,36}$/, way);
      }
      const spans = Object.values(got).map(({ traceparent }) => traceparent);
      assert.equal(new Set(spans.filter(Boolean)).size, 12, "a span of its own for each");
    });

    // Protects: no unasked preflight, no id for whom it is not meant, none without consent, none after the end.
    test("nothing is added for other origins, other requests, without consent, or after the end", async () => {
      const page = await browser.page("/blank");
      const other = browser.origin.replace("127.0.0.1", "localhost");
      const propagate = { to: [browser.origin], headers: ["traceparent", "x-request-id"] };
      await page.evaluate(start, { propagate });
      const [stranger, reading, denied, over] = await page.evaluate(async (other) => {
        const post = { method: "POST", body: '{"stream":true}' };
        const sent = async (path, how) => (await (await fetch(path, how)).json()).headers.traceparent;
        const log = await (await fetch(`${other}/stranger?key=propagate`, post)).json();
        const reading = await sent("/echo?ids");
        started.vitals.setConsent("measure");
        const denied = await sent("/echo?ids", post);
        started.vitals.setConsent("correlate");
        started.vitals.shutdown();
        return [log, reading, denied, await sent("/echo?ids", post)];
      }, other);
      await page.close();
      assert.deepEqual(stranger, [["POST", null, null, null, "text/plain;charset=UTF-8"]]);
      assert.deepEqual([reading, denied, over], [null, null, null]);
    });

    // Protects: the id that went out is the one that the turn tells.
    test("the span of the header is the request's", async () => {
      const page = await browser.page("/blank");
      const propagate = { to: [browser.origin], headers: ["traceparent"] };
      await page.evaluate(start, { match: "/sse", propagate });
      const [turns, header] = await page.evaluate(async () => {
        const response = await fetch("/sse?key=span", { method: "POST" });
        await response.text();
        const header = (await (await fetch("/state?key=span")).json()).traceparent;
        return [await started.until((all) => all.some(({ final }) => final)), header];
      });
      await page.close();
      const { traceId, spanId, traceSource } = turns[0].requests[0];
      assert.deepEqual([`00-${traceId}-${spanId}-03`, traceSource], [header, "propagated"]);
    });
  });
}
