/**
 * The accuracy bench: node tests/browser/accuracy.mjs [--runs 20] [--variant elementTiming|trace|raf2]
 *
 * Reasoning at 0.5 s, filler at 1 s, useful text at 2 s, end at 4 s, text held back for 300 ms by the page.
 * Fails when a median error is more than a frame and the clock's resolution.
 */
import { parseArgs } from "node:util";
import { errorsOf, measure, table, variants } from "./turns/accuracy.mjs";
import { launch } from "./turns/browser.mjs";
import { startDemo } from "./turns/demo.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "20" }, variant: { type: "string" } } });
const names = values.variant ? [values.variant] : Object.keys(variants);
const runs = Number(values.runs);

const demo = await startDemo();
const chromium = await launch();
const show = (text) => process.stderr.isTTY && process.stderr.write(`\r${text}\x1b[K`);
let within = true;
try {
  for (const name of names) {
    const results = await measure(chromium.browser, demo, name, runs, (done) => show(`${name} ${done}/${runs}`));
    show("");
    const rows = errorsOf(results);
    within &&= rows.every(({ median, bound }) => median <= bound);
    console.log(`${table(name, rows, runs)}\n`);
  }
} finally {
  await chromium.close();
  await demo.stop();
}
console.log(within ? "Every median is within a frame." : "A median is more than a frame off.");
process.exitCode = within ? 0 : 1;
