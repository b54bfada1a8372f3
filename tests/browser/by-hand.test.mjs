/** Turns that the application tells of itself: `vitals.startTurn()`, with the package as it is shipped, in each engine. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { engines } from "./engines/index.mjs";
import { openPackaged, start } from "./packaged.mjs";

for (const engine of engines) {
  describe(`by hand: ${engine}`, () => {
    let browser;
    before(async () => {
      browser = await openPackaged(engine);
    });
    after(() => browser?.close());

    // Protects: an answer by hand is found on the page and timed there like one of the network, and its text stays there.
    test("what is told by hand is seen on screen, and none of its text is sent", async () => {
      const page = await browser.page("/blank");
      await page.evaluate(start, {});
      const { turn, sent } = await page.evaluate(async () => {
        const frame = () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        const place = () => document.body.appendChild(document.createElement("p"));
        const told = started.vitals.startTurn({ url: "https://x.test/native/42?key=secret" });
        const thought = place();
        thought.textContent = "The user asks about the tides, so the moon comes first.";
        told.reasoning(thought.textContent);
        await frame();
        told.toolCall("c-1");
        told.toolCall("c-1");
        told.toolCall();
        told.source("https://a.example/moon");
        told.source();
        const answer = place();
        for (const word of "The moon pulls the water of the oceans into two bulges.".split(/(?<= )/)) {
          told.text(word);
          answer.append(word);
          await frame();
        }
        told.text();
        told.end();
        const [turn] = await started.until((all) => all.some(({ final }) => final));
        return { turn, sent: JSON.stringify(started.batches) };
      });
      await page.close();
      const [{ transport, route, characters, toolCalls, sources, end }] = turn.requests;
      assert.deepEqual(
        { transport, route, characters, toolCalls, sources, end },
        { transport: "manual", route: "/native/:id", characters: 55, toolCalls: 2, sources: 2, end: "done" },
      );
      assert.deepEqual([turn.outcome, turn.trigger, turn.flags], ["completed", "api", []]);
      const { requestSent, firstReasoning, firstVisibleToken, finalRender } = turn.timings;
      const order = [requestSent, firstReasoning, firstVisibleToken, finalRender];
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
      );
      assert.doesNotMatch(sent, /moon|bulges|tides|secret|c-1/);
    });

    // Protects: the application's word that it failed is a failure, by the error's name.
    test("a turn by hand that broke has failed", async () => {
      const page = await browser.page("/blank");
      await page.evaluate(start, {});
      const turn = await page.evaluate(async () => {
        const told = started.vitals.startTurn();
        told.text("The moon");
        told.end("NativeError");
        const [turn] = await started.until((all) => all.length);
        return turn;
      });
      await page.close();
      assert.deepEqual(
        [turn.outcome, turn.requests[0].end, turn.requests[0].errorType],
        ["failed", "error", "NativeError"],
      );
    });
  });
}
