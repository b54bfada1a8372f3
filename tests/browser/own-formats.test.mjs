/** Formats that the application describes itself, with the package as it is shipped, in each engine. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";

const ACME = { name: "acme", detect: "acme:number", text: "say", reasoning: "think", finish: "done", model: "by" };
const RECORDS = [{ acme: 1, by: "m-1" }, { think: "Well." }, { say: "It is " }, { say: "the moon." }, { done: "said" }];

for (const engine of engines) {
  describe(`own formats: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    /** One answer of these records in a page with these formats: the turn, and what the console was told. */
    const answered = async (formats) => {
      const page = await browser.page("/blank");
      await page.evaluate(() => {
        globalThis.warnings = [];
        console.warn = (...words) => warnings.push(words.join(" "));
      });
      await page.evaluate(start, { formats });
      const seen = await page.evaluate(async (records) => {
        const body = JSON.stringify({ stream: true, records: records.map((record) => [0, record]) });
        await (await fetch("/chat", { method: "POST", body })).text();
        const [turn] = await started.until((all) => all.some(({ final }) => final));
        return { turn, warnings };
      }, RECORDS);
      await page.close();
      return seen;
    };

    // Protects: paths in the options are all that it takes, and batches call the format by its name.
    test("a format is read by its paths", async () => {
      const { turn, warnings } = await answered([ACME]);
      const [{ format, characters, model, finishReason, events }] = turn.requests;
      assert.deepEqual(
        { format, characters, model, finishReason, events },
        { format: "acme", characters: "It is the moon.".length, model: "m-1", finishReason: "said", events: 6 },
      );
      assert.deepEqual(warnings, []);
    });

    // Protects: what is wrong is told once and left out, and the rest goes on.
    test("a definition that is wrong is told of and left out", async () => {
      const { turn, warnings } = await answered([{ ...ACME, text: "say[" }, { name: "none" }]);
      assert.equal(turn.requests[0].format, undefined);
      assert.deepEqual(warnings, [
        'chat-vitals: options.formats: text of "acme", detect of "none" is missing or wrong; such a format is not read',
      ]);
    });
  });
}
