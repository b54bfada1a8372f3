/**
 * Kits that draw a chat by themselves, in every engine: the application works as without the SDK, and the turns are right.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hanging, recorded, refusal } from "../harness/recording.mjs";
import { inEachEngine, until } from "../harness/run.mjs";

const TEXT = "Not much, just here to chat and assist you with anything you need. How are you?";
const HALF = "Not much, just here to chat and assist you with anything";

const AI_SDK = { format: "ai-sdk-ui", stream: "ai-sdk-ui/v7-openai-chat-text.sse" };

const regenerated = async (chat) => {
  await chat.ask();
  await chat.ends(1);
  await chat.sees(TEXT);
  await chat.turns(1);
  await chat.regenerate();
  await chat.ends(2);
  await chat.sees(TEXT);
  return chat.turns(2);
};

/** For a kit that can't ask for another answer. */
const answered = async (chat) => {
  await chat.ask();
  await chat.sees(TEXT);
  await chat.ends(1);
  await until(() => chat.server.requests.at(-1).closedAt, "the connection closed");
  return chat.turns(1);
};

/** In an open shadow tree. */
const HOST = "deep-chat";

/** `only`: the script of a kit without a way to ask for another answer. */
const KITS = {
  "ai-sdk": AI_SDK,
  "assistant-ui": { ...AI_SDK, controls: { regenerate: ".reload" } },
  "deep-chat": {
    format: "openai-chat",
    stream: "openai-chat/text-basic.sse",
    half: "Not much, just here to chat and assist you with",
    controls: {
      question: `${HOST} >>> #text-input`,
      send: `${HOST} >>> .input-button`,
      stop: `${HOST} >>> .input-button`,
    },
    // biome-ignore lint/performance/useDomNodeTextContent: what is shown, not what is there
    read: () => document.querySelector("deep-chat").shadowRoot.querySelector("#messages").innerText,
    only: answered,
  },
};

const stopped = (half) => async (chat) => {
  await chat.ask();
  await chat.sees(half);
  await chat.stop();
  return chat.turns(1);
};

/** A request that does not say that it wants a stream is known as a chat's once one like it was answered. */
const refused = async (chat) => {
  await chat.ask();
  await chat.ends(1);
  await chat.sees(TEXT);
  await chat.turns(1);
  await chat.ask("And why twice a day?");
  await chat.ends(2);
  return (await chat.turns(2)).slice(1);
};

const withoutLength = (headers) =>
  headers.filter((_, index) => !/^content-length$/i.test(headers[index - (index % 2)]));

/** Ids that a kit draws anew, some of them longer than others, are no difference between two runs. */
const withoutIds = (request) => ({
  ...request,
  headers: withoutLength(request.headers),
  body: request.body.replace(/"(id|messageId|parentId)":"[^"]*"/g, '"$1":"drawn"'),
});

/**
 * Firefox fires `rejectionhandled` also for rejections that it never told of as unhandled. Of a stream that a stop aborts and
 * at the same time cancels at the far end of its pipe it does so in another number and order (ARCHITECTURE.md, "How the taps
 * hide"). Where it does natively and says nothing else, as much is the same: nothing else is said.
 */
const isHandled = (problem) => problem.startsWith("rejectionhandled");
const complaints = ({ plain, measured }, isStopped) => {
  const isCounted = !(isStopped && plain.problems.length && plain.problems.every(isHandled));
  return [plain, measured].map(({ problems }) => problems.filter((problem) => isCounted || !isHandled(problem)));
};

/** What the application and its server can tell. */
const same = ({ plain, measured }, isStopped) => {
  for (const what of ["text", "closed", "errors"]) assert.deepEqual(measured[what], plain[what], what);
  const [wanted, told] = complaints({ plain, measured }, isStopped);
  assert.deepEqual(told, wanted, "problems");
  assert.deepEqual(measured.requests.map(withoutIds), plain.requests.map(withoutIds));
};

const seen = (turn, { format }) => {
  assert.ok(turn.timings.firstVisibleToken > 0, "first visible token");
  assert.ok(!turn.flags.includes("answerNotFound"), "the answer was found");
  assert.deepEqual(
    turn.requests.map(({ format }) => format),
    [format],
  );
};

const completed = (turn, kit) => {
  assert.equal(turn.outcome, "completed");
  seen(turn, kit);
  assert.ok(turn.timings.finalRender >= turn.timings.firstVisibleToken, "final render");
};

inEachEngine((twice) => {
  for (const [name, kit] of Object.entries(KITS)) {
    const full = recorded(kit.stream);
    const visits = async (answers, script, isStopped = false) => {
      const { controls, read } = kit;
      const outcome = await twice({ name: `ui/${name}`, answers, controls, read }, script);
      same(outcome, isStopped);
      return outcome.measured;
    };

    // Protects: an answer and the same one asked for anew, in the kit's own controls, are two turns that belong together.
    test(`${name}: answered, regenerated`, async () => {
      const { turns, text } = await visits([full], kit.only ?? regenerated);
      assert.ok(text.includes(TEXT));
      const [first, again, ...more] = turns;
      completed(first, kit);
      if (kit.only) return assert.equal(turns.length, 1);
      completed(again, kit);
      assert.deepEqual([again.trigger, again.regenerates, more], ["regenerate", first.id, []]);
    });

    // Protects: the kit's own stop button closes the connection as it does without us, and the turn is a stopped one.
    test(`${name}: stopped`, async () => {
      const { turns, closed, text } = await visits([hanging(full)], stopped(kit.half ?? HALF), true);
      assert.ok(text.includes(kit.half ?? HALF));
      assert.deepEqual(closed, ["client"]);
      assert.deepEqual(
        turns.map(({ outcome }) => outcome),
        ["stopped"],
      );
      seen(turns[0], kit);
    });

    // Protects: the kit tells of a refusal as it does without us, and the turn failed.
    test(`${name}: refused`, async () => {
      const { turns } = await visits([full, refusal(429, { message: "Slow down." })], refused);
      assert.deepEqual(
        turns.map(({ outcome, requests }) => [outcome, requests[0].status]),
        [["failed", 429]],
      );
    });
  }
});
