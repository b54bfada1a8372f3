// What the package costs a page in each engine, beside the same page without it. Prints tables; judges nothing.
// Usage: node tests/browser/costs.mjs [runs]   (ENGINES names the engines; the package is the one in dist/)
import { closeTimes, flood, growth, KINDS, median, pulled, quantile, resolving, streams } from "./costs/measure.mjs";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

const runs = Number(process.argv[2] ?? 20);
const MIB = 2 ** 20;
const ms = (value) => value.toFixed(1).padStart(8);
const row = (name, cells) => console.log(`  ${name.padEnd(46)}${cells.join("  ")}`);

for (const engine of engines) {
  const browser = await openPackaged(engine);
  console.log(`\n${engine}${" ".repeat(40)}  native  measured`);
  const times = await closeTimes(browser, runs);
  for (const [act, kinds] of Object.entries(times)) {
    row(
      `server sees the close after ${act}, median ms`,
      KINDS.map((kind) => ms(median(kinds[kind]))),
    );
    row(
      "  95th percentile",
      KINDS.map((kind) => ms(quantile(kinds[kind], 0.95))),
    );
  }
  const resolved = {};
  for (const kind of KINDS) resolved[kind] = await resolving(browser, kind, runs);
  row(
    "fetch of a stream resolves, least ms",
    KINDS.map((kind) => ms(Math.min(...resolved[kind]))),
  );
  row(
    "  median",
    KINDS.map((kind) => ms(median(resolved[kind]))),
  );
  const bytes = [];
  for (const kind of KINDS) bytes.push(ms((await pulled(browser, kind)) / MIB));
  row("pulled for a page that reads one chunk, MiB", bytes);
  if (engine === "chromium") {
    for (const [name, work] of [
      ["held after 200 MiB were read and dropped, MiB", flood],
      ["held after 5,000 small streams, MiB", (page, key) => streams(page, key, 5000)],
    ]) {
      const grown = [];
      for (const kind of KINDS) grown.push(((await growth(browser, kind, work)) / MIB).toFixed(2).padStart(8));
      row(name, grown);
    }
  }
  await browser.close();
}
