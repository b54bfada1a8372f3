/** Where the answer is drawn is found without configuration, in each engine, and nothing else is taken for it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";
import { misleading } from "./pages/misleading.mjs";
import { ways } from "./pages/ways.mjs";

const QUESTION = "Why are there tides at the coast?";
/** Clocks and stamps are rounded: to a millisecond in Firefox and WebKit, to four of a frame in Chromium. */
const ROUNDED = 5;

for (const engine of engines) {
  describe(`pages: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine, { files: { "/chat.js": "../pages/chat.mjs" } });
    });
    after(() => browser?.close());

    const hold = async (name) => {
      const page = await browser.page("/blank?script=/chat.js");
      assert.equal(await page.evaluate(start, {}), "full");
      await page.evaluate((name) => void build(name, started.vitals), name);
      await page.type("textarea", QUESTION);
      await page.press("Enter");
      const outcome = await page.evaluate(async () => {
        const turns = await started.until((all) => all.some(({ final }) => final));
        return { turn: turns.find(({ final }) => final), drawn: await record() };
      });
      await page.close();
      return outcome;
    };

    const isShown = (turn, milestone, { at, shown }) => {
      const time = turn.timings[milestone];
      assert.ok(time > at - ROUNDED && time < shown + ROUNDED, `${milestone}: ${time}, drawn ${at}, shown ${shown}`);
    };

    /** Protects: first and last change of the answer are told as of the frames that showed them. */
    for (const name of Object.keys(ways))
      test(`found: ${name}`, async () => {
        const { turn, drawn } = await hold(name);
        assert.deepEqual([turn.outcome, turn.flags], ["completed", []]);
        isShown(turn, "firstVisibleToken", drawn[0]);
        isShown(turn, "finalRender", drawn.at(-1));
      });

    /** Protects: what only looks like the answer, or is where nobody sees it, is no first token. */
    for (const name of Object.keys(misleading))
      test(`not taken for it: ${name}`, async () => {
        const { turn, drawn } = await hold(name);
        assert.deepEqual([turn.outcome, turn.flags], ["completed", []]);
        isShown(turn, "firstVisibleToken", drawn[0]);
        isShown(turn, "finalRender", drawn.at(-1));
      });
  });
}
