/**
 * What the taps can't see is told as a gap, in each engine, with the package as it is shipped: requests whose `fetch` the
 * application had before, bodies that are read out of sight.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";

for (const engine of engines) {
  describe(`coverage: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    const inPage = async (body) => {
      const page = await browser.page("/blank?script=/noted.js");
      await page.evaluate((source) => {
        const script = document.createElement("script");
        script.textContent = source;
        document.head.append(script);
      }, `globalThis.start = ${start}`);
      const result = await page.evaluate(body);
      const noted = await page.evaluate(() => globalThis.noted);
      await page.close();
      assert.deepEqual(noted, [], "the page hears nothing");
      return result;
    };

    test("a fetch that was captured before the taps is a gap that is told, once", async () => {
      const turns = await inPage(async () => {
        const saved = fetch;
        await start({ match: "/sse" });
        const { until, turns } = started;
        await (await saved("/sse?key=captured&gap=20")).text();
        await (await saved("/json")).text();
        await (await fetch("/sse?key=seen")).text();
        await until((all) => all.length >= 2 && all.some(({ final }) => final));
        // A turn waits two seconds for text that nobody draws; nothing more is to come.
        return turns();
      });
      const [gap] = turns.filter(({ flags }) => flags.includes("lateInstall"));
      assert.equal(turns.length, 2);
      const [request] = gap.requests;
      assert.deepEqual([gap.outcome, gap.final, request.end, request.route], ["open", false, "open", "/sse"]);
      assert.ok(request.sent <= request.responseStart || request.responseStart === undefined);
      assert.ok(request.lastChunk >= 60, "three events, twenty milliseconds apart");
      assert.equal(gap.timings.firstVisibleToken, undefined);
    });

    test("a response that is handed to observe is measured, and no gap", async () => {
      const turns = await inPage(async () => {
        const saved = fetch;
        await start();
        const { vitals, until } = started;
        await vitals.observe(await saved("/sse?key=observed&gap=20")).text();
        return until((all) => all.some(({ final }) => final));
      });
      assert.equal(turns.length, 1);
      const [{ flags, outcome, requests }] = turns;
      assert.deepEqual([flags.includes("lateInstall"), outcome, requests[0].end], [false, "completed", "done"]);
      assert.equal(requests[0].bytes, 27);
    });

    test("a body that a worker reads ends with the network's part of it", async (t) => {
      const turns = await inPage(async () => {
        await start({ match: "/sse" });
        const { until } = started;
        const reading = `onmessage = async ({ data }) => {
          const reader = data.getReader();
          while (!(await reader.read()).done);
          postMessage("read");
        };`;
        const worker = new Worker(URL.createObjectURL(new Blob([reading], { type: "text/javascript" })));
        const { body } = await fetch("/sse?key=moved&gap=20");
        const read = new Promise((resolve) => {
          worker.onmessage = resolve;
        });
        try {
          worker.postMessage(body, [body]);
        } catch {
          return null;
        }
        await read;
        worker.terminate();
        return until((all) => all.some(({ final }) => final));
      });
      if (!turns) return t.skip(`${engine} can't transfer a stream`);
      const [{ outcome, flags, requests }] = turns;
      assert.deepEqual([turns.length, outcome, requests[0].end], [1, "completed", "done"]);
      assert.ok(flags.includes("bodyOutOfReach"));
      assert.ok(requests[0].lastChunk >= 60);
    });

    test("many requests of one address at once are told each, and none twice", async () => {
      const [turn, ...others] = await inPage(async () => {
        await start({ match: "/json" });
        const { until } = started;
        const ask = async () => (await fetch("/json", { method: "POST", body: "{}" })).json();
        await Promise.all(Array.from({ length: 50 }, ask));
        return until((all) => all.some(({ final }) => final));
      });
      assert.deepEqual(others, []);
      assert.ok(!turn.flags.includes("lateInstall"), `${turn.flags}`);
      assert.ok(turn.requests.length >= 16);
      for (const { end, status, bytes, sent, responseStart, lastChunk } of turn.requests) {
        assert.deepEqual([end, status, bytes], ["done", 200, 14]);
        assert.ok(sent <= responseStart && responseStart <= lastChunk);
      }
    });
  });
}
