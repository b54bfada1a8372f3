/** Every format, transport and progress indicator through the demo's page; and no text of it in any beacon. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./turns/browser.mjs";
import { Chat, question } from "./turns/chat.mjs";
import { startDemo, until } from "./turns/demo.mjs";
import { answer, filler, last, reasoning, second, useful } from "./turns/scenario.mjs";

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

const hold = async (settings, scenario = answer()) => {
  const chat = await Chat.open(chromium.browser, demo, { scenario, ...settings });
  assert.equal(await chat.ready(), "full");
  await chat.ask();
  const turn = await chat.turn();
  await until(
    () => chat.statuses.length === chat.beacons.length,
    () => "an answer to each beacon",
  );
  await chat.close();
  assert.ok(
    chat.statuses.every((status) => status === 204),
    `the collector takes every batch: ${chat.statuses}`,
  );
  return { turn, chat };
};

const all = ["openai-chat", "openai-responses", "anthropic-messages", "ai-sdk-ui", "ollama", "plain-text"];
const eventStreams = all.slice(0, 4);
const drives = [...all.map((format) => [format, "fetch"]), ...eventStreams.map((format) => [format, "eventsource"])];

for (const [format, transport] of drives) {
  test(`${format} by ${transport}: completed, found, and joined to the server's own record`, async () => {
    const { turn } = await hold({ format, transport });
    assert.equal(turn.outcome, "completed");
    assert.deepEqual(turn.flags, []);
    assert.equal(turn.methods.firstVisibleToken, "elementTiming");
    assert.equal(turn.usefulMethod, "text");
    assert.equal(turn.requests.length, 1);
    const [request] = turn.requests;
    assert.equal(request.format, format);
    assert.equal(request.characters, [...(filler + useful + second)].length);
    assert.deepEqual([request.errors, request.malformed], [undefined, undefined], "what is 0 is not said");
    if (transport === "eventsource") {
      // An EventSource shows no headers; that it opened says 200.
      assert.deepEqual([request.transport, request.method, request.status], ["eventSource", "GET", 200]);
      assert.deepEqual([request.requestId, request.traceId], [undefined, undefined]);
      assert.equal(request.route, "/api/chat/stream");
      return;
    }
    assert.deepEqual([request.transport, request.method, request.status], ["fetch", "POST", 200]);
    assert.equal(request.end, "done");
    assert.equal(request.route, "/api/chat");
    assert.match(request.traceId, /^[0-9a-f]{32}$/);
    const id = request.requestId["x-request-id"];
    const { turns } = await (await fetch(`${demo.origin}/api/dashboard/turns`)).json();
    assert.equal(turns.find((shown) => shown.id === turn.id).server[0].requestId, id);
  });
}

test("the server's phases come along by Server-Timing", async () => {
  const { turn } = await hold({}, { ...answer(), phases: { queue: 20, retrieval: 35 } });
  assert.deepEqual(turn.requests[0].serverTiming, [
    { name: "queue", duration: 20 },
    { name: "retrieval", duration: 35 },
  ]);
});

test("reasoning is told from the answer", async () => {
  const steps = [
    { at: 100, reasoning },
    { at: 300, text: useful },
    { at: 500, text: second },
  ];
  const { turn } = await hold({}, { steps });
  assert.ok(turn.timings.firstReasoning < turn.timings.firstVisibleToken);
});

const indicators = { none: "content", spinner: "indicator", steps: "status", skeleton: "skeleton" };
for (const roles of [undefined, 1]) {
  for (const [progress, kind] of Object.entries(indicators)) {
    test(`the first feedback of progress=${progress}${roles ? " with named roles" : ""} is of kind ${kind}`, async () => {
      const settings = { progress, ...(roles && { roles }) };
      const { turn } = await hold(settings, {
        steps: [
          { at: 300, text: useful },
          { at: 400, text: second },
        ],
      });
      assert.equal(turn.feedbackKind, kind);
      const { firstFeedback, firstVisibleToken } = turn.timings;
      if (kind === "content") assert.equal(firstFeedback, firstVisibleToken);
      else assert.ok(firstFeedback < firstVisibleToken);
      assert.deepEqual(turn.flags, []);
    });
  }
}

test("a step that is named ends a silent wait; a spinner that turns does not", async () => {
  const named = ["Searching", "Reading 3 sources", "Comparing", "Writing"];
  const steps = [...named.map((progress, index) => ({ at: 500 * index, progress })), { at: 2000, text: useful }];
  const told = await hold({ progress: "steps" }, { steps });
  assert.equal(told.turn.waits.silent.count, 0);
  const turning = await hold({ progress: "spinner" }, { steps });
  assert.equal(turning.turn.waits.silent.count, 1);
  assert.ok(turning.turn.waits.silent.max > 1000);
  assert.equal(turning.turn.waits.static.count, 0, "it is not motionless");
});

/** Words that stand for themselves: long enough to occur nowhere by chance. */
const words = (text) => text.toLowerCase().match(/\p{L}{6,}/gu);

test("no word of the question, the reasoning or the answer is in a beacon", async () => {
  const steps = [
    { at: 50, progress: "Consulting the almanac" },
    { at: 100, reasoning },
    { at: 200, text: useful },
    { at: 300, text: second + last },
  ];
  const secret = words(`${question} ${reasoning} ${useful} ${second} ${last} Consulting the almanac`)
    // These two are also words of the protocol.
    .filter((word) => !["reasoning", "content"].includes(word));
  assert.ok(secret.length >= 10);
  const { chat } = await hold({ progress: "steps" }, { steps });
  const sent = chat.beacons.join("\n").toLowerCase();
  assert.deepEqual(
    secret.filter((word) => sent.includes(word)),
    [],
  );
});
