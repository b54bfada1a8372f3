/**
 * What Resource Timing is taken for, with the package as it is shipped, in each engine; and what is told where a page's
 * policy leaves nothing but the network.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";

for (const engine of engines) {
  describe(`resources: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    test("a wrapper below the taps that waits before it asks makes no second turn", async () => {
      const page = await browser.page("/blank");
      await page.evaluate(() => {
        const native = fetch;
        globalThis.saved = native.bind(globalThis);
        globalThis.fetch = async (...args) => {
          await new Promise((resolve) => setTimeout(resolve, 600));
          return native(...args);
        };
      });
      await page.evaluate(start, { match: "/sse" });
      const turns = await page.evaluate(async () => {
        await (await fetch("/sse?key=slow", { method: "POST" })).text();
        // Its entry comes after the one in question.
        await (await saved("/sse?key=marker")).text();
        return started.until(
          (all) => all.some(({ flags }) => flags.includes("lateInstall")) && all.some(({ final }) => final),
        );
      });
      await page.close();
      assert.deepEqual(turns.map(({ outcome }) => outcome).toSorted(), ["completed", "open"]);
    });

    test("without match: a captured stream is a chat's after a gesture, and a feed without one", async (t) => {
      const page = await browser.page("/blank");
      if (!(await page.evaluate(() => "contentType" in PerformanceResourceTiming.prototype))) {
        await page.close();
        return t.skip(`${engine} tells no content type of resources`);
      }
      await page.evaluate(() => {
        document.body.innerHTML = "<button>Send</button>";
        globalThis.saved = fetch.bind(globalThis);
        const ask = async (key, gap) => (await saved(`/sse?key=${key}&gap=${gap}`)).text();
        globalThis.feed = () => ask("feed", 10);
        // Longer than the gesture is remembered as one that may begin a turn.
        document.querySelector("button").onclick = () => ask("chat", 500);
      });
      await page.evaluate(start, {});
      await page.evaluate(() => feed());
      await page.click("button");
      const turns = await page.evaluate(() => started.until((all) => all.length > 0));
      await page.close();
      assert.deepEqual(
        turns.map(({ trigger, outcome, final, flags }) => [trigger, outcome, final, flags]),
        [["submit", "open", false, ["lateInstall"]]],
      );
      const [{ waits, phase, timings }] = turns;
      assert.deepEqual([waits, phase, timings.firstVisibleToken], [undefined, undefined, undefined]);
      assert.ok(timings.lastChunk > 1400, `three events, half a second apart: ${timings.lastChunk}`);
    });

    test("a policy that forbids wasm leaves network timings, in the same shape", async (t) => {
      const page = await browser.page("/blank");
      await page.evaluate(() => {
        const policy = document.createElement("meta");
        policy.httpEquiv = "Content-Security-Policy";
        policy.content = "script-src 'self'";
        document.head.append(policy);
      });
      const ready = await page.evaluate(start, {});
      if (ready === "full") {
        await page.close();
        return t.skip(`${engine} lets wasm run under script-src 'self'`);
      }
      const { text, turns, modes } = await page.evaluate(async () => {
        const response = await fetch("/sse?key=guarded&gap=20", { method: "POST", body: '{"stream":true}' });
        const text = await response.text();
        const turns = await started.until((all) => all.length > 0);
        return { text, turns, modes: started.batches.map(({ sdk }) => sdk.mode) };
      });
      await page.close();
      assert.equal(text, "data: 0\n\ndata: 1\n\ndata: 2\n\n");
      assert.deepEqual([ready, modes], ["degraded", ["degraded"]]);
      const [{ outcome, timings, requests }] = turns;
      assert.deepEqual([outcome, requests[0].end, requests[0].bytes], ["completed", "done", 27]);
      assert.ok(timings.responseStart <= timings.firstChunk && timings.firstChunk <= timings.lastChunk);
    });
  });
}
