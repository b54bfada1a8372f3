// What the package costs a page in each engine, beside the same page without it. Prints tables; judges nothing.
// Usage: node tests/browser/costs.mjs [runs]   (ENGINES names the engines; the package is the one in dist/)
import * as costs from "./costs/measure.mjs";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

const { KINDS, median, quantile } = costs;
const runs = Number(process.argv[2] ?? 20);
const STREAMS = 5000;
const MIB = 2 ** 20;

/** One line of a table: `values` by kind of page. */
const row = (name, values, digits = 1) => {
  const cells = KINDS.map((kind) => values[kind].toFixed(digits).padStart(8));
  console.log(`  ${name.padEnd(50)}${cells.join("  ")}`);
};
const mapped = (values, by) => Object.fromEntries(KINDS.map((kind) => [kind, by(values[kind])]));

/** The kinds one after the other. */
const each = async (measure) => {
  const values = {};
  for (const kind of KINDS) values[kind] = await measure(kind);
  return values;
};

/** How soon `fetch` resolves. */
const resolving = async (browser) => {
  const page = await browser.page("/blank");
  const protocol = await page.evaluate(async () => (await fetch("/protocol")).text());
  await page.close();
  const times = await each((kind) => costs.resolving(browser, kind, runs));
  row(`fetch of a stream resolves (${protocol}), median ms`, mapped(times, median));
  row(
    "  least",
    mapped(times, (some) => Math.min(...some)),
  );
};

const memory = async (browser, engine) => {
  const read = (page) => costs.streams(page, STREAMS);
  if (engine === "chromium") {
    const flooded = await each((kind) => costs.growth(browser, kind, costs.flood));
    row(
      "held after 200 MiB were read and dropped, MiB",
      mapped(flooded, ({ total }) => total / MIB),
      2,
    );
    const grown = await each((kind) => costs.growth(browser, kind, read));
    for (const what of ["objects", "bytes", "wasm"]) {
      row(
        `held after 5,000 more small streams, ${what}`,
        mapped(grown, (left) => left[what]),
        0,
      );
    }
  }
  for (const [name, work] of [
    ["200 MiB were read and dropped", costs.flood],
    ["5,000 more small streams", read],
  ]) {
    const grown = await each((kind) => costs.resident(browser, kind, work));
    row(
      `resident after ${name}, MiB`,
      mapped(grown, (bytes) => bytes / MIB),
    );
  }
};

for (const engine of engines) {
  const browser = await openPackaged(engine, { isOverheard: false });
  console.log(`\n${engine}${" ".repeat(44)}  native  measured`);
  for (const [act, times] of Object.entries(await costs.closeTimes(browser, runs))) {
    row(`server sees the close after ${act}, median ms`, mapped(times, median));
    row(
      "  95th percentile",
      mapped(times, (some) => quantile(some, 0.95)),
    );
  }
  await resolving(browser);
  const bytes = await each((kind) => costs.pulled(browser, kind));
  row(
    "pulled for a page that reads one chunk, MiB",
    mapped(bytes, (some) => some / MIB),
  );
  await memory(browser, engine);
  await browser.close();

  const overHttp2 = await openPackaged(engine, { isOverheard: false, http2: true });
  await resolving(overHttp2);
  await overHttp2.close();
}
