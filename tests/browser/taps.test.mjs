/**
 * The page can't tell that the taps are there, and the taps see what the page sees.
 * Each scenario runs in an untouched and in a tapped page of the same browser; both must give the same.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "./taps/browser.mjs";
import { scenarios } from "./taps/scenarios.mjs";
import { sightings } from "./taps/sightings.mjs";

const names = ["scenarios", "in-page", "requests", "bodies", "platform", "xhr", "looks"];
const modules = Object.fromEntries(names.map((name) => [`/${name}.mjs`, `${name}.mjs`]));

let browser;
before(async () => {
  browser = await openBrowser({ "/recorder.js": "recorder.ts", ...modules });
});
after(() => browser?.close());

/** Runs one scenario in a fresh page; answers with its result, errors of the page, and what the taps said. */
const run = async (name, path) => {
  const page = await browser.page(path);
  const result = await page.evaluate(
    async (name, key) => {
      const { scenarios } = await import("/scenarios.mjs");
      return scenarios[name](key);
    },
    name,
    `${name}${path.length}`,
  );
  // Streams that the page left behind report their end in a task of their own.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const calls = await page.evaluate(() => globalThis.calls);
  await page.close();
  return { result, errors: page.errors, calls };
};

for (const name of Object.keys(scenarios)) {
  test(`same as native: ${name}`, async () => {
    const native = await run(name, "/blank");
    const tapped = await run(name, "/blank?script=/recorder.js");
    assert.deepEqual(tapped.result, native.result);
    assert.deepEqual(tapped.errors, native.errors);
    assert.equal(native.calls, undefined);
    sightings[name]?.(tapped.calls, assert);
  });
}
