/** The package costs a page next to nothing; each figure against the same page without it, in the same run. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { closeTimes, FLOOD, flood, growth, median, NEVER, pulled, resident, streams } from "./costs/measure.mjs";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";

const MIB = 2 ** 20;
const WASM_PAGE = 2 ** 16;
const STREAMS = 5000;

for (const engine of engines) {
  describe(`costs: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine, { isOverheard: false });
    });
    after(() => browser?.close());

    test("a stream that is given up is closed as soon as natively, by whatever way", async () => {
      for (const [act, { native, measured }] of Object.entries(await closeTimes(browser, 3))) {
        // Firefox keeps a quiet stream open that was cancelled; of everything else the server hears in every engine.
        if (act !== "cancel()") assert.ok(median(native) < NEVER, `${act}: not seen without the SDK either`);
        const later = median(measured) - median(native);
        assert.ok(later < 100, `${act}: ${later} ms later`);
      }
    });

    test("nothing is pulled for a page that does not read", async () => {
      const [native, measured] = [await pulled(browser, "native"), await pulled(browser, "measured")];
      // What fits into sockets varies a little by itself.
      assert.ok(measured < native * 1.25 + MIB, `${measured / MIB} MiB against ${native / MIB}`);
    });

    test("what was read and dropped is not kept", async () => {
      if (engine === "chromium") {
        const [native, measured] = [await growth(browser, "native", flood), await growth(browser, "measured", flood)];
        const more = measured.total - native.total;
        assert.ok(more < 2 * MIB, `${more / MIB} MiB more`);
      } else {
        const [native, measured] = [
          await resident(browser, "native", flood),
          await resident(browser, "measured", flood),
        ];
        // Others let go of memory when it suits them.
        assert.ok(measured - native < FLOOD / 2, `${measured / MIB} MiB against ${native / MIB}`);
      }
    });

    test("a stream that is over leaves nothing behind", async (t) => {
      if (engine !== "chromium") return t.skip(`${engine} does not tell what it holds`);
      const work = (page) => streams(page, STREAMS);
      const [native, measured] = [await growth(browser, "native", work), await growth(browser, "measured", work)];
      const most = JSON.stringify(measured.kinds);
      const objects = measured.objects - native.objects;
      const bytes = measured.bytes - native.bytes;
      assert.ok(objects < STREAMS / 20, `${objects} objects more, most of them ${most}`);
      assert.ok(bytes < STREAMS * 4, `${bytes} bytes more; objects: ${most}`);
      // Memory of wasm is taken by the page, and a page may be due at any time; fourteen bytes a stream would take two.
      assert.ok(measured.wasm <= WASM_PAGE, `${measured.wasm} bytes more of wasm`);
    });
  });
}
