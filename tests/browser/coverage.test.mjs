/** What the taps alone cannot see, with the real engine in each browser: captured requests, bodies that leave the page. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engines, launch } from "./engines/index.mjs";

const dist = new URL("../../dist/", import.meta.url);
const SSE = { "content-type": "text/event-stream" };

/** An empty page and a chat whose answer's length is asked for; with `guarded`, no wasm may run. */
const routes = {
  "/": (query, response) => {
    const policy = { "content-security-policy": "script-src 'self'" };
    response.writeHead(200, { "content-type": "text/html", ...(query.has("guarded") && policy) });
    response.end('<!doctype html><title>t</title><script src="/captured.js"></script><body><button>Send</button>');
  },
  /** Before any script of the SDK. */
  "/captured.js": (_, response) => {
    response.writeHead(200, { "content-type": "text/javascript" });
    response.end("globalThis.captured = { fetch: fetch.bind(globalThis) };");
  },
  async "/api/chat"(query, response) {
    response.writeHead(200, SSE);
    const count = Number(query.get("n") ?? 3);
    for (let place = 0; place < count; place++) {
      await sleep(Number(query.get("gap") ?? 10));
      const delta = { content: `word ${place} ` };
      const chunk = { object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  },
};

const server = createServer(async ({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (routes[pathname]) return routes[pathname](searchParams, response);
  const file = await readFile(new URL(`.${pathname}`, dist)).catch(() => undefined);
  const type = pathname.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  response.writeHead(file ? 200 : 404, { "content-type": type }).end(file);
});
let origin;
before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

/** Starts the SDK in the page; `turns` and `batches` are what it tells, `told` waits until a turn is as asked. */
const begin = async (options) => {
  const { init } = await import("/index.js");
  const batches = [];
  const waiting = new Set();
  const vitals = init({
    ...options,
    send(batch) {
      batches.push(batch);
      for (const look of waiting) look();
    },
  });
  const turns = () => {
    const last = new Map();
    for (const turn of batches.flatMap(({ turns }) => turns)) last.set(turn.id, turn);
    return [...last.values()];
  };
  const told = (fits) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`not told: ${JSON.stringify(turns())}`)), 15000);
      const look = () => {
        if (!fits(turns())) return;
        clearTimeout(late);
        waiting.delete(look);
        resolve(turns());
      };
      waiting.add(look);
      look();
    });
  globalThis.vitals = vitals;
  globalThis.told = told;
  globalThis.batches = batches;
  return vitals.ready;
};

for (const engine of engines) {
  let browser;
  before(async () => {
    browser = await launch(engine);
  });
  after(() => browser?.close());

  /** A page of its own with the SDK on. */
  const open = async (options = {}, query = "") => {
    const page = await browser.page(`${origin}/${query}`);
    const ready = await page.evaluate(begin, options);
    return { page, ready };
  };

  test(`${engine}: requests by a fetch that was captured before the taps are told by the network, as what they are`, async () => {
    const { page, ready } = await open({ match: "/api/chat" });
    assert.equal(ready, "full");
    const [turn, ...others] = await page.evaluate(async () => {
      await (await captured.fetch("/api/chat?n=4", { method: "POST" })).text();
      return told((turns) => turns.length > 0);
    });
    await page.close();
    assert.deepEqual(others, []);
    assert.deepEqual([turn.outcome, turn.final, turn.trigger], ["open", false, "auto"]);
    assert.ok(turn.flags.includes("lateInstall"), turn.flags.join());
    const [request] = turn.requests;
    assert.deepEqual([request.transport, request.end, request.route], ["fetch", "open", "/api/chat"]);
    assert.ok(turn.timings.responseStart < turn.timings.lastChunk, JSON.stringify(turn.timings));
    assert.deepEqual([turn.timings.firstVisibleToken, turn.waits, turn.phase], [undefined, undefined, undefined]);
    assert.ok(request.bytes > 100, `${request.bytes} bytes`);
  });

  test(`${engine}: of a watched and a captured request of one address each is told once`, async () => {
    const { page } = await open({ match: "/api/chat" });
    const turns = await page.evaluate(async () => {
      const ask = (by) => by.call(globalThis, "/api/chat?n=4", { method: "POST" }).then((response) => response.text());
      await ask(fetch);
      await ask(captured.fetch);
      await told((turns) => turns.some(({ flags }) => flags.includes("lateInstall")));
      return told((turns) => turns.some(({ outcome }) => outcome === "completed"));
    });
    await page.close();
    const facts = turns.map(({ outcome, flags }) => [outcome, flags.includes("lateInstall")]);
    assert.deepEqual(facts.toSorted(), [
      ["completed", false],
      ["open", true],
    ]);
  });

  test(`${engine}: a wrapper below the taps that waits before it asks makes no second turn`, async () => {
    const page = await browser.page(`${origin}/`);
    await page.evaluate(() => {
      globalThis.fetch = async (...args) => {
        await new Promise((resolve) => setTimeout(resolve, 600));
        return captured.fetch.apply(globalThis, args);
      };
    });
    await page.evaluate(begin, { match: "/api/chat" });
    const turns = await page.evaluate(async () => {
      // The marker is captured after it, so that its entry comes after the one in question.
      await (await fetch("/api/chat?n=2", { method: "POST" })).text();
      await (await captured.fetch("/api/chat?marker", { method: "POST" })).text();
      await told((turns) => turns.some(({ flags }) => flags.includes("lateInstall")));
      return told((turns) => turns.some(({ outcome }) => outcome === "completed"));
    });
    await page.close();
    assert.deepEqual(turns.map(({ outcome }) => outcome).toSorted(), ["completed", "open"]);
  });

  test(`${engine}: a body that is handed to a worker ends with the network, and says so`, async (t) => {
    const { page } = await open({ match: "/api/chat" });
    const told = await page.evaluate(async () => {
      const { body } = await fetch("/api/chat?n=8&gap=40", { method: "POST" });
      const code =
        "onmessage = async ({ data }) => { for await (const _ of { [Symbol.asyncIterator]: () => { const r = data.getReader(); return { next: () => r.read() }; } }); postMessage('read'); }";
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      try {
        worker.postMessage(body, [body]);
      } catch (error) {
        return `${error.name}`;
      }
      await new Promise((resolve) => {
        worker.onmessage = resolve;
      });
      return globalThis.told((turns) => turns.some(({ outcome }) => outcome !== "open"));
    });
    await page.close();
    if (told === "DataCloneError") return t.skip("this engine transfers no streams");
    const [turn] = told;
    assert.deepEqual([turn.outcome, turn.requests[0].end], ["completed", "done"]);
    assert.ok(turn.flags.includes("bodyOutOfReach"), turn.flags.join());
    assert.ok(turn.timings.lastChunk >= 250, `the network's end, not the headers': ${turn.timings.lastChunk}`);
  });

  test(`${engine}: fifty requests of one address at a time all end as they were read`, async () => {
    const { page } = await open({ match: "/api/chat" });
    const ends = await page.evaluate(async () => {
      const one = async (_, place) =>
        (await fetch(`/api/chat?n=${1 + (place % 3)}`, { method: "POST" })).text().then((text) => text.length);
      await Promise.all(Array.from({ length: 50 }, one));
      const turns = await globalThis.told((turns) => turns.some(({ final }) => final));
      return turns.flatMap(({ requests, flags }) => [flags, ...requests.map(({ end }) => end)]);
    });
    await page.close();
    assert.ok(!ends.flat().includes("lateInstall") && !ends.flat().includes("bodyOutOfReach"), JSON.stringify(ends));
    const requests = ends.filter((end) => typeof end === "string");
    assert.ok(requests.length > 1 && requests.every((end) => end === "done"), JSON.stringify(ends));
  });

  test(`${engine}: a policy that forbids wasm leaves network timings, in the same shape`, async (t) => {
    const { page, ready } = await open({}, "?guarded");
    if (ready === "full") {
      await page.close();
      return t.skip("this engine lets wasm run under script-src 'self'");
    }
    const batch = await page.evaluate(async () => {
      const text = await (await fetch("/api/chat?n=4", { method: "POST", body: '{"stream":true}' })).text();
      await told((turns) => turns.length > 0);
      return { text, ...batches[0] };
    });
    await page.close();
    assert.ok(batch.text.endsWith("data: [DONE]\n\n"));
    assert.deepEqual([ready, batch.sdk.mode, batch.schema], ["degraded", "degraded", "chat-vitals/1"]);
    const [{ outcome, timings, requests }] = batch.turns;
    assert.deepEqual([outcome, requests[0].end, requests[0].bytes], ["completed", "done", batch.text.length]);
    assert.ok(timings.responseStart <= timings.firstChunk && timings.firstChunk <= timings.lastChunk);
  });
}
