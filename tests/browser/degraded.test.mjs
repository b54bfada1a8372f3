/** Where the engine cannot start: what is told all the same, in each engine, and what the page notices of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openBrowser } from "./taps/browser.mjs";

/** Runs `body` in a page that has the API as `init`; `errors` are its warnings. */
const inPage = async (engine, body) => {
  const browser = await openBrowser({ "/noted.js": "noted.js", "/api.js": "api.ts" }, { engine });
  try {
    const page = await browser.page("/blank?script=/noted.js&script=/api.js");
    const result = await page.evaluate(body);
    const errors = await page.evaluate(() => globalThis.noted);
    return { result, errors };
  } finally {
    await browser.close();
  }
};

for (const engine of engines) {
  test(`${engine}: an engine that cannot start: one warning, network timings alone, the page untouched`, async () => {
    const { result, errors } = await inPage(engine, async () => {
      const native = fetch;
      const batches = [];
      const ask = (path) => fetch(path, { method: "POST", body: '{"stream":true}' });
      const vitals = init({ send: (batch) => void batches.push(batch), attributes: { plan: "pro", text: "größer" } });
      const heard = [];
      vitals.onTurn(({ outcome }) => heard.push(outcome));
      const reading = (await ask("/sse?key=late&gap=20")).text();
      arrive(new WebAssembly.CompileError("refused by policy"));
      const ready = await vitals.ready;
      const text = await reading;
      const reader = (await ask("/sse?key=left&open")).body.getReader();
      await reader.read();
      await reader.cancel();
      const { status } = await ask("/limited");
      await (await fetch("/json")).text();
      vitals.flush();
      const seen = [ready, text, status, vitals.turn, vitals.summary(), heard, batches];
      vitals.shutdown();
      return [...seen, fetch === native];
    });
    const [ready, text, status, turn, summary, heard, batches, isBack] = result;
    assert.deepEqual(
      [ready, text, status, turn, summary],
      ["degraded", "data: 0\n\ndata: 1\n\ndata: 2\n\n", 429, null, {}],
    );
    assert.deepEqual([heard, batches.length, isBack], [["completed", "failed"], 1, true]);
    const [batch] = batches;
    assert.deepEqual([batch.sdk.mode, batch.attributes], ["degraded", { plan: "pro" }]);
    const facts = batch.turns.map(({ outcome, final, requests: [request] }) => [
      outcome,
      final,
      request.end,
      request.status,
    ]);
    assert.deepEqual(facts, [
      ["completed", true, "done", 200],
      ["open", false, "cancelled", 200],
      ["failed", true, "done", 429],
    ]);
    const [{ timings, methods, requests }] = batch.turns;
    assert.deepEqual(requests[0].requestId, { "x-request-id": "r-1" });
    assert.equal(requests[0].bytes, 27);
    assert.ok(timings.responseStart <= timings.firstChunk && timings.firstChunk <= timings.lastChunk);
    assert.deepEqual(Object.keys(methods), Object.keys(timings));
    assert.deepEqual(errors, [
      ["console.warn", "chat-vitals measures the network alone: CompileError: refused by policy"],
    ]);
  });
}
