/**
 * The page can't tell that the taps are there, and the taps see what the page sees.
 * Each scenario runs in an untouched and in a tapped page of the same browser; both must give the same.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openBrowser } from "./taps/browser.mjs";
import { scenarios } from "./taps/scenarios.mjs";
import { sightings } from "./taps/sightings.mjs";

const FILES = { "/noted.js": "noted.js", "/recorder.js": "recorder.ts", "/run.js": "run.mjs" };
const NATIVE = "/blank?script=/noted.js&script=/run.js";
const TAPPED = "/blank?script=/noted.js&script=/recorder.js&script=/run.js";

for (const engine of engines) {
  for (const protocol of ["http/1.1", "h2"]) {
    describe(`same as native: ${engine}, ${protocol}`, () => {
      let browser;
      let page;
      let spoken;
      let traits;
      before(async () => {
        browser = await openBrowser(FILES, { engine, http2: protocol === "h2" });
        page = await browser.page(NATIVE);
        spoken = await page.evaluate(async () => (await fetch("/protocol")).text());
        traits = await page.evaluate(() => globalThis.traits());
      });
      after(() => browser?.close());

      const run = async (path, name) => {
        await page.goto(browser.origin + path);
        return page.evaluate((...all) => globalThis.run(...all), name, `${name}${path.length}`, traits);
      };

      for (const name of Object.keys(scenarios)) {
        test(name, async (t) => {
          if (spoken !== protocol) return t.skip(`${engine} speaks ${spoken} with the test server`);
          const native = await run(NATIVE, name);
          if (native.result?.lacks) return t.skip(`${engine} has no ${native.result.lacks}`);
          const tapped = await run(TAPPED, name);
          assert.deepEqual(tapped.result, native.result);
          assert.deepEqual(tapped.noted, native.noted);
          assert.equal(native.calls, undefined);
          sightings[name]?.(tapped.calls, assert, tapped.result);
        });
      }
    });
  }
}
