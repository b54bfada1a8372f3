/** Milestones come in order, from the source that they name, and near the truth: the bench in three runs. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { errorsOf, measure, table, variants, VISIBLE } from "./turns/accuracy.mjs";
import { launch } from "./turns/browser.mjs";
import { startDemo } from "./turns/demo.mjs";

const RUNS = 3;

let demo;
let chromium;
before(async () => {
  demo = await startDemo();
  chromium = await launch();
});
after(async () => {
  await chromium?.close();
  await demo?.stop();
});

for (const [name, { method }] of Object.entries(variants)) {
  test(`against the truth by ${name}`, async (context) => {
    const results = await measure(chromium.browser, demo, name, RUNS);
    for (const { turn, truth } of results) {
      const { firstReasoning, firstVisibleToken, firstUsefulContent, lastChunk, finalRender } = turn.timings;
      // The page holds text back, so the last text is drawn after the last chunk was read.
      const order = [firstReasoning, firstVisibleToken, firstUsefulContent, lastChunk, finalRender];
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
      );
      for (const milestone of VISIBLE) {
        assert.equal(turn.methods[milestone], method, milestone);
        assert.ok(truth[milestone] > 0, milestone);
      }
      assert.equal(turn.outcome, "completed");
      assert.deepEqual(turn.flags, []);
    }
    const rows = errorsOf(results);
    context.diagnostic(`\n${table(name, rows, RUNS)}`);
    for (const { milestone, median, bound } of rows) assert.ok(median <= bound, `${milestone}: ${median} ms off`);
  });
}
