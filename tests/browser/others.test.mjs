/** A page that asks for everything but a chat, with the package as it is shipped, in each engine. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { others } from "./others.mjs";
import { openPackaged, start } from "./packaged.mjs";

/** Runs in the page: a button that asks for all of it, in every way there is, and keeps what the page got in `got`. */
const prepare = (entries) => {
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const url = (n) => `/other?n=${n}`;
  const piecewise = async ({ body }) => {
    const pieces = [];
    const reader = body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader.read()) pieces.push(read.value);
    return new Blob(pieces).arrayBuffer();
  };
  const byFetch = async (n, { method, accept, send, ranges }) => {
    const headers = accept ? { accept } : {};
    if (!ranges) return hex(await piecewise(await fetch(url(n), { method, headers, body: send })));
    const range = async (bytes) =>
      hex(await (await fetch(url(n), { headers: { range: `bytes=${bytes}` } })).arrayBuffer());
    return (await range("0-99")) + (await range("100-"));
  };
  const byXhr = (n, { method, send }) =>
    new Promise((resolve) => {
      const xhr = new XMLHttpRequest();
      xhr.open(method, url(n));
      xhr.responseType = "arraybuffer";
      xhr.onloadend = () => resolve(hex(xhr.response));
      xhr.send(send);
    });
  const byEventSource = (n, { names }) =>
    new Promise((resolve) => {
      const source = new EventSource(url(n));
      const events = [];
      for (const name of names) source.addEventListener(name, ({ data }) => events.push([name, data]));
      source.onerror = () => {
        source.close();
        resolve(events);
      };
    });
  const byElement = (n) =>
    new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(image.naturalWidth);
      image.src = url(n);
    });
  const all = async () => ({
    fetched: await Promise.all(entries.map((entry, n) => byFetch(n, entry))),
    requested: await Promise.all(entries.map((entry, n) => byXhr(n, entry))),
    dispatched: await Promise.all(entries.map((entry, n) => entry.names && byEventSource(n, entry))),
    drawn: await Promise.all(entries.map(({ type }, n) => type.startsWith("image/") && byElement(n))),
    sent: entries.every(({ what, send }, n) => what !== "a beacon" || navigator.sendBeacon(url(n), send)),
  });
  document.body.innerHTML = "<button>Export</button>";
  document.querySelector("button").onclick = () => {
    globalThis.got = all();
  };
};

/** What is an event source to the browser: its events, by the plainest reading. */
const eventsOf = ({ type, method, body }) => {
  if (type !== "text/event-stream" || method !== "GET") return null;
  const field = (block, name) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const blocks = body
    .toString()
    .split("\n\n")
    .filter((block) => field(block, "data") !== undefined);
  return blocks.map((block) => [field(block, "event") ?? "message", field(block, "data")]);
};

const entries = others.map((entry) => {
  const events = eventsOf(entry);
  const { body, ...rest } = entry;
  return { ...rest, names: events && [...new Set(events.map(([name]) => name))] };
});

for (const engine of engines) {
  describe(`other requests: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    // Protects: seventy kinds of requests, by themselves and by a press, are no turn, and the page gets every byte of them;
    // the answer that is asked for after them is the one turn there is.
    test("what is no chat is left alone", async () => {
      const page = await browser.page("/blank");
      assert.equal(await page.evaluate(start, {}), "full");
      await page.evaluate(() => {
        globalThis.told = 0;
        started.vitals.onTurn(() => told++, { updates: true });
      });
      await page.evaluate(prepare, entries);
      const press = async (how) => {
        await how();
        return page.evaluate(() => got);
      };
      const bySelf = await press(() => page.evaluate(() => document.querySelector("button").click()));
      const byHand = await press(() => page.click("button"));
      for (const { fetched, requested, dispatched, drawn, sent } of [bySelf, byHand]) {
        for (const [n, { what, body }] of others.entries()) {
          assert.equal(fetched[n], body.toString("hex"), what);
          assert.equal(requested[n], body.toString("hex"), what);
          assert.deepEqual(dispatched[n], eventsOf(others[n]), what);
        }
        assert.deepEqual(drawn.filter(Boolean), [1]);
        assert.ok(sent);
      }
      assert.deepEqual(await page.evaluate(() => [told, started.turns(), started.batches]), [0, [], []]);
      const turns = await page.evaluate(async () => {
        const body = JSON.stringify({ stream: true, steps: [[0, { content: "Because of the moon." }]] });
        await (await fetch("/chat", { method: "POST", body })).text();
        return started.until((all) => all.some(({ final }) => final));
      });
      const requests = turns.map(({ requests }) => requests.map(({ route, format }) => [route, format]));
      assert.deepEqual(requests, [[["/chat", "openai-chat"]]]);
      await page.close();
    });
  });
}
