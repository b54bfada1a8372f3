/** The package costs a page next to nothing; each figure against the same page without it, in the same run. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { closeTimes, flood, growth, median, pulled, streams } from "./costs/measure.mjs";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

const MIB = 2 ** 20;

for (const engine of engines) {
  describe(`costs: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    test("a stream that is given up is closed as soon as natively, by whatever way", async () => {
      for (const [act, { native, measured }] of Object.entries(await closeTimes(browser, 3))) {
        const later = median(measured) - median(native);
        assert.ok(later < 100, `${act}: ${later} ms later`);
      }
    });

    test("nothing is pulled for a page that does not read", async () => {
      const [native, measured] = [await pulled(browser, "native"), await pulled(browser, "measured")];
      // What fits into sockets varies a little by itself.
      assert.ok(measured < native * 1.25 + MIB, `${measured / MIB} MiB against ${native / MIB}`);
    });

    test("what was read and dropped is not kept", async (t) => {
      if (engine !== "chromium") return t.skip(`${engine} does not tell what it holds`);
      for (const [name, work] of [
        ["200 MiB", flood],
        ["500 small streams", (page, key) => streams(page, key, 500)],
      ]) {
        const [native, measured] = [await growth(browser, "native", work), await growth(browser, "measured", work)];
        assert.ok(measured - native < 2 * MIB, `${name}: ${(measured - native) / MIB} MiB more`);
      }
    });
  });
}
