/**
 * CopilotKit's chat, in every engine: it works as without the SDK, and the turns are right. Apart from the other kits,
 * as its stop button leaves the connection alone: it asks the runtime to end the run.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hanging, recorded, refusal } from "../harness/recording.mjs";
import { inEachEngine, until } from "../harness/run.mjs";
import { runtime } from "./copilotkit/runtime.mjs";

const TEXT = "The moon pulls at the sea, and the sea follows it around the Earth: high water twice a day.";
const HALF = "The moon pulls at the sea, and the sea follows it";
const READY = "[aria-label=Send]";
const controls = {
  question: ".copilotKitInput textarea",
  send: `${READY}:enabled`,
  stop: "[aria-label=Stop]:enabled",
  regenerate: "[aria-label='Regenerate response']",
};

const answer = recorded("ag-ui.sse");

const appears = (chat, selector) =>
  until(() => chat.page.evaluate((selector) => document.querySelector(selector) !== null, selector), selector);

/** One button is that of loading, sending and stopping. */
const ask = async (chat, question) => {
  await appears(chat, READY);
  await chat.ask(question);
};

const isRun = ({ url }) => url.endsWith("/run");

/** Waits until so many runs are over for the server, for the kit, and for the SDK. */
const over = async (chat, count) => {
  const { requests } = chat.server;
  const closed = () => requests.every((request) => request?.closedAt) && requests.filter(isRun).length >= count;
  await until(closed, `${count} runs over`);
  await appears(chat, READY);
  return chat.turns(count);
};

const fine = async (chat) => {
  await ask(chat, "Why are there tides?");
  await chat.sees(TEXT);
  await over(chat, 1);
  await chat.regenerate();
  await over(chat, 2);
  await chat.sees(TEXT);
  await ask(chat, "And why twice a day?");
  await chat.sees(HALF, 2);
  await chat.stop();
  return over(chat, 3);
};

/** The request does not say that it wants a stream: a refusal is known as a chat's once a run was answered. */
const refused = async (chat) => {
  await ask(chat, "Why are there tides?");
  await chat.sees(TEXT);
  await over(chat, 1);
  await ask(chat, "And why twice a day?");
  return over(chat, 2);
};

/** The client asks for the runtime and for the thread's past until it is content, and so more often where it is slow. */
const isTimed = ({ url }) => /\/(info|connect)$/.test(url);

const same = ({ plain, measured }) => {
  for (const what of ["text", "errors", "problems"]) assert.deepEqual(measured[what], plain[what], what);
  const asked = ({ requests }) => requests.filter((request) => !isTimed(request));
  assert.deepEqual(asked(measured), asked(plain));
  for (const { closed } of [plain, measured]) assert.deepEqual([...new Set(closed)], ["server"]);
};

const seen = ({ timings, flags, requests }) => {
  assert.ok(timings.firstVisibleToken > 0, "first visible token");
  assert.deepEqual(flags, []);
  assert.deepEqual(
    requests.map(({ format, status, end }) => ({ format, status, end })),
    [{ format: "ag-ui", status: 200, end: "done" }],
  );
};

const completed = (turn) => {
  assert.equal(turn.outcome, "completed");
  seen(turn);
  assert.ok(turn.timings.finalRender >= turn.timings.firstVisibleToken, "final render");
};

inEachEngine((twice) => {
  const visits = (runs, script) => twice({ name: "ui/copilotkit", answers: runtime(runs), controls }, script);

  // Protects: an answer, one asked for anew, and one that the runtime was asked to stop, as without us and told of as what they are.
  test("answered, regenerated, stopped", async () => {
    const { plain, measured } = await visits([answer, answer, hanging(answer)], fine);
    same({ plain, measured });
    assert.ok(plain.text.includes(TEXT) && plain.text.includes(HALF));
    const [first, again, stopped, ...more] = measured.turns;
    completed(first);
    completed(again);
    assert.deepEqual([first.trigger, again.trigger, again.regenerates], ["submit", "regenerate", first.id]);
    seen(stopped);
    assert.deepEqual(
      stopped.actions.map(({ type }) => type),
      ["stop"],
    );
    assert.deepEqual(more, []);
    assert.equal(stopped.outcome, "stopped");
  });

  // Protects: the kit complains of a refusal as it does without us, and the turn failed.
  test("refused", async () => {
    const { plain, measured } = await visits([answer, refusal(429, { message: "Slow down." })], refused);
    same({ plain, measured });
    assert.ok(plain.problems.some((problem) => problem.includes("HTTP 429")));
    const [, turn, ...more] = measured.turns;
    assert.deepEqual([turn.outcome, turn.requests[0].status, more], ["failed", 429, []]);
  });
});
