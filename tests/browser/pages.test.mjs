/** Where the answer is drawn is found without configuration, in each engine, and nothing else is taken for it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged } from "./packaged.mjs";
import { misleading } from "./pages/misleading.mjs";
import { ways } from "./pages/ways.mjs";

const QUESTION = "Why are there tides at the coast?";
/** Clocks and stamps are rounded: to a millisecond in Firefox and WebKit, to four of a frame in Chromium. */
const ROUNDED = 5;

/** Runs in the page: starts the package with `build`'s page; `told` waits for the turn. */
const begin = async (name) => {
  const turns = [];
  const { init } = await import("/dist/index.js");
  const vitals = init({ send: (batch) => void turns.push(...batch.turns) });
  build(name, vitals);
  globalThis.told = async () => {
    for (let tries = 0; tries < 200; tries++) {
      vitals.flush();
      const turn = turns.find(({ final }) => final);
      if (turn) return { turn, drawn: await record() };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`in vain: ${JSON.stringify(turns)}`);
  };
  return vitals.ready;
};

for (const engine of engines) {
  describe(`pages: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine, { files: { "/chat.js": "../pages/chat.mjs" } });
    });
    after(() => browser?.close());

    const hold = async (name) => {
      const page = await browser.page("/blank?script=/chat.js");
      assert.equal(await page.evaluate(begin, name), "full");
      await page.type("textarea", QUESTION);
      await page.press("Enter");
      const outcome = await page.evaluate(() => told());
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
