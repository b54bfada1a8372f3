/** How turns end, as the collector hears of it: the demo's page, server and SDK as they are, one tab a test. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./turns/browser.mjs";
import { Chat } from "./turns/chat.mjs";
import { startDemo } from "./turns/demo.mjs";
import { answer, filler, hanging, limited, second, useful } from "./turns/scenario.mjs";

let demo;
let chromium;
before(async () => {
  demo = await startDemo();
  chromium = await launch();
});
after(async () => {
  await chromium?.close();
  await demo?.stop();
});

/** A tab that has asked its first question. */
const asking = async (scenario, settings) => {
  const chat = await Chat.open(chromium.browser, demo, { scenario, ...settings });
  assert.equal(await chat.ready(), "full");
  await chat.ask();
  return chat;
};

const types = (turn) => turn.actions.map(({ type }) => type);
const ended = ({ outcome }) => outcome !== "open";

test("an answer that came to its end is completed, with all its milestones in order", async () => {
  const chat = await asking(answer());
  const turn = await chat.turn();
  assert.equal(turn.outcome, "completed");
  assert.equal(turn.phase, undefined);
  assert.equal(turn.trigger, "submit");
  assert.deepEqual(turn.flags, []);
  const { requestSent, responseStart, firstChunk, firstVisibleToken, firstUsefulContent, finalRender } = turn.timings;
  const order = [0, requestSent, responseStart, firstChunk, firstVisibleToken, firstUsefulContent, finalRender];
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.ok(turn.timings.firstFeedback < firstVisibleToken);
  await chat.close();
});

test("a stop click while the answer streams", async () => {
  const chat = await asking(hanging.streaming);
  await chat.sees(useful.trim());
  await chat.press("Stop");
  const turn = await chat.turn();
  assert.equal(turn.outcome, "stopped");
  assert.equal(turn.phase, "streaming");
  assert.deepEqual(types(turn), ["stop"]);
  assert.equal(turn.requests[0].end, "aborted");
  assert.equal(turn.timings.finalRender, undefined);
  await chat.close();
});

test("a stop click before the first token", async () => {
  const chat = await asking(hanging.beforeToken);
  await chat.sits(".spinner");
  await chat.press("Stop");
  const turn = await chat.turn();
  assert.deepEqual([turn.outcome, turn.phase], ["stopped", "beforeToken"]);
  await chat.close();
});

test("a rate limit fails the turn; its retry is a turn of its own that replaces it", async () => {
  const chat = await asking(limited);
  const failed = await chat.turn(ended);
  assert.deepEqual([failed.outcome, failed.phase, failed.requests[0].status], ["failed", "beforeToken", 429]);
  await chat.play(answer());
  await chat.press("Retry");
  const [, again] = await chat.turns(2);
  assert.deepEqual([again.outcome, again.trigger, again.regenerates], ["completed", "retry", failed.id]);
  await chat.close();
});

test("a rate limit without any sign of progress fails before feedback", async () => {
  const chat = await asking(limited, { progress: "none" });
  const turn = await chat.turn(ended);
  assert.deepEqual([turn.outcome, turn.phase], ["failed", "beforeFeedback"]);
  await chat.close();
});

test("an error in the stream after text", async () => {
  const chat = await asking(answer({ end: "error" }));
  const turn = await chat.turn();
  assert.deepEqual([turn.outcome, turn.phase], ["failed", "streaming"]);
  assert.equal(turn.requests[0].status, 200);
  assert.equal(turn.requests[0].errors, 1);
  await chat.close();
});

test("a connection that is cut after text", async () => {
  const chat = await asking(answer({ end: "cut" }));
  const turn = await chat.turn(ended);
  assert.deepEqual([turn.outcome, turn.phase, turn.requests[0].end], ["failed", "streaming", "error"]);
  assert.equal(turn.requests[0].errorType, "TypeError");
  await chat.close();
});

for (const [phase, words] of [
  ["beforeToken", null],
  ["beforeUseful", filler.trim()],
  ["streaming", useful.trim()],
]) {
  test(`a tab closed in the middle is abandoned: ${phase}`, async () => {
    const chat = await asking(hanging[phase]);
    await (words ? chat.sees(words) : chat.sits(".spinner"));
    await chat.presented();
    await chat.close();
    const turn = await chat.turn();
    assert.deepEqual([turn.outcome, turn.phase], ["abandoned", phase]);
    assert.ok(types(turn).includes("leave"));
    assert.equal(turn.timings.finalRender, undefined);
  });
}

test("a link to another page in the middle abandons the turn", async () => {
  const chat = await asking(hanging.streaming);
  await chat.sees(useful.trim());
  await chat.presented();
  await chat.page.goto(`${demo.origin}/dashboard`);
  const turn = await chat.turn(ended);
  assert.deepEqual([turn.outcome, turn.phase], ["abandoned", "streaming"]);
  assert.ok(types(turn).includes("leave"));
  await chat.close();
});

test("a new conversation in the middle abandons the turn", async () => {
  const chat = await asking(hanging.streaming);
  await chat.sees(useful.trim());
  await chat.presented();
  await chat.press("New conversation");
  const turn = await chat.turn();
  assert.deepEqual([turn.outcome, turn.phase], ["abandoned", "streaming"]);
  await chat.close();
});

test("a hidden tab is told of as it stands, and coming back takes nothing away", async () => {
  const chat = await asking(answer({ gap: 500 }));
  await chat.sees(filler.trim());
  const other = await chat.cover();
  const open = await chat.turn(({ flags }) => flags.includes("hidden"));
  assert.deepEqual([open.final, open.outcome], [false, "open"]);
  await other.close();
  await chat.page.bringToFront();
  await chat.sees(second.trim());
  const turn = await chat.turn();
  assert.equal(turn.outcome, "completed");
  assert.ok(turn.flags.includes("hidden"));
  assert.ok(turn.hidden.total > 0);
  assert.deepEqual(types(turn), ["hide", "return"]);
  assert.ok(turn.revision > open.revision);
  const { groups } = await (await fetch(`${demo.origin}/api/dashboard/summary?from=${chat.since}`)).json();
  assert.equal(groups[0].excluded.hidden, 1, "the dashboard's visible measures leave it out");
  await chat.close();
});

test("a tab hidden and then closed is abandoned", async () => {
  const chat = await asking(hanging.streaming);
  await chat.sees(useful.trim());
  const other = await chat.cover();
  await chat.turn(({ flags }) => flags.includes("hidden"));
  await chat.close();
  await other.close();
  const turn = await chat.turn();
  assert.equal(turn.outcome, "abandoned");
  assert.deepEqual(turn.flags, ["hidden"]);
});

test("a question asked while the answer streams supersedes it", async () => {
  const chat = await asking(hanging.streaming);
  await chat.sees(useful.trim());
  await chat.play(answer());
  await chat.ask("And at the poles, what happens there?");
  const [before, next] = await chat.turns(2);
  assert.deepEqual([before.outcome, before.phase], ["superseded", "streaming"]);
  assert.deepEqual([next.outcome, next.trigger], ["completed", "submit"]);
  assert.equal(next.regenerates, undefined);
  await chat.close();
});

test("regenerating asks for the same once more", async () => {
  const chat = await asking(answer());
  const first = await chat.turn();
  await chat.press("Regenerate");
  const [before, again] = await chat.turns(2, ended);
  assert.deepEqual([again.outcome, again.trigger, again.regenerates], ["completed", "regenerate", first.id]);
  assert.ok(types(before).includes("regenerate"));
  assert.ok(before.timings.nextAction > before.timings.finalRender);
  await chat.close();
});

test("an edited question replaces the turn before", async () => {
  const chat = await asking(answer());
  const first = await chat.turn();
  await chat.press("Edit");
  await chat.ask(" And on lakes?");
  const [, again] = await chat.turns(2, ended);
  assert.deepEqual([again.outcome, again.trigger, again.regenerates], ["completed", "edit", first.id]);
  await chat.close();
});

test("three questions in a row are three turns", async () => {
  const chat = await asking(answer());
  await chat.turns(1);
  await chat.ask("And at the poles, what happens there?");
  await chat.turns(2);
  await chat.ask("What about the lakes inland?");
  const turns = await chat.turns(3);
  assert.deepEqual(
    turns.map(({ outcome, trigger }) => [outcome, trigger]),
    Array(3).fill(["completed", "submit"]),
  );
  assert.equal(new Set(turns.map(({ id }) => id)).size, 3);
  await chat.close();
});
