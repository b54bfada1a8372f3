/** What becomes of batches that a collector does not take at once, in each engine; the collector is the `fetch` below the taps. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

/** In the page: a collector that answers with `answers`, then 204; `got` are the batches, with the status and the time. */
const collect = (answers) => {
  const native = fetch;
  globalThis.got = [];
  globalThis.fetch = (url, init) => {
    if (url !== "/collector") return native(url, init);
    const [status, headers] = answers.shift() ?? [204];
    const { seq, lost, turns } = JSON.parse(init.body);
    got.push({ seq, lost, turns: turns.length, status, at: performance.now() });
    return status ? Promise.resolve(new Response(null, { status, headers })) : Promise.reject(new TypeError("down"));
  };
};

/** In the page: `count` turns, held back until they go in one batch; then what the collector got, once it has `batches`. */
const talk = async ([count, batches]) => {
  const { init } = await import("/dist/index.js");
  const vitals = init({ endpoint: "/collector", match: "/sse", consent: "pending" });
  const ready = await vitals.ready;
  for (let i = 0; i < count; i++) {
    const ended = new Promise((resolve) => vitals.onTurn(resolve));
    await (await fetch(`/sse?key=delivery${i}`, { method: "POST" })).text();
    await ended;
  }
  vitals.setConsent("correlate");
  for (let tries = 0; got.length < batches; tries++) {
    if (tries > 400) throw new Error(`in vain: ${ready} ${JSON.stringify(got)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return got;
};

for (const engine of engines) {
  describe(`delivery: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    const run = async (answers, turns, batches) => {
      const page = await browser.page("/blank");
      await page.evaluate(collect, answers);
      const got = await page.evaluate(talk, [turns, batches]);
      await page.close();
      return got;
    };

    // Protects: a collector that takes less than a batch gets all the same, and no number is missing.
    test("413: in parts, under numbers without a gap", async () => {
      const got = await run([[413]], 4, 3);
      assert.deepEqual(
        got.map(({ seq, turns, lost }) => [seq, turns, lost]),
        [
          [1, 4, undefined],
          [1, 2, undefined],
          [2, 2, undefined],
        ],
      );
    });

    // Protects: what is refused for good is counted, and not tried again.
    test("400: lost, and told with the next batch", async () => {
      const got = await run([[413], [400]], 2, 3);
      assert.deepEqual(
        got.map(({ seq, turns, lost, status }) => [seq, turns, lost, status]),
        [
          [1, 2, undefined, 413],
          [1, 1, undefined, 400],
          [2, 1, 1, 204],
        ],
      );
    });

    // Protects: a pause that is asked for is kept; a failed try leaves no gap behind.
    test("503 with Retry-After, and no answer at all: the same number again, not before", async () => {
      const got = await run([[503, { "retry-after": "2" }], [0]], 1, 3);
      assert.deepEqual(
        got.map(({ seq, turns }) => [seq, turns]),
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      );
      assert.ok(got[1].at - got[0].at >= 2000, `${got[1].at - got[0].at}`);
    });
  });
}
