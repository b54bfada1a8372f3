/** What may leave the page where the engine could not start: the same rules as with it. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { load } from "./load.mjs";

const { boot } = await load('export * from "./engine-degraded.js";');
const MATCHED = 1;
const ASKED = 2 | 4;
const DONE = 0;
const SSE = "text/event-stream";

let engine;
afterEach(() => engine?.shutdown());

/** The engine of a page that can be hidden and left; `sent` are its batches. */
const start = async (options = {}) => {
  const sent = [];
  const failures = [];
  const target = new EventTarget();
  const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  globalThis.document = document;
  globalThis.addEventListener = target.addEventListener.bind(target);
  globalThis.removeEventListener = target.removeEventListener.bind(target);
  const run = (fn) => {
    try {
      return fn();
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  };
  const tap = {
    run,
    guard:
      (fn) =>
      (...args) =>
        run(() => fn(...args)),
    matches: () => 0,
    options,
    attach() {},
  };
  options.send ??= (batch) => void sent.push(structuredClone(batch));
  const host = { tap, listeners: new Map(), page: "p-1", session: "s-1", isWanted: () => true };
  engine = await boot(options, host);
  const answer = (id, headers = [], hint = ASKED) => {
    run(() => engine.open(id, 100, 0, "POST", "https://app.example/api/chat", hint));
    run(() => engine.head(id, 150, 200, SSE, headers));
    run(() => engine.skip(id, 200, 10));
    run(() => engine.close(id, 300, DONE, ""));
  };
  return {
    sent,
    failures,
    answer,
    options,
    engine,
    document,
    leave: () => target.dispatchEvent(new Event("pagehide")),
  };
};

test("attributes are flat words and numbers; nothing nested, in which text could hide, leaves", async () => {
  const attributes = { plan: "pro", n: 1, yes: true, nan: NaN, deep: { prompt: "Why?" }, list: ["Why?"], none: null };
  const { sent, answer, engine } = await start({ attributes });
  answer(1);
  engine.flush();
  assert.deepEqual(sent[0].attributes, { plan: "pro", n: 1, yes: true });
});

test("a word that is no consent is none", async () => {
  const { sent, answer, engine } = await start({ consent: "yes please" });
  answer(1);
  engine.flush();
  assert.deepEqual(sent, []);
});

test("denied: nothing; pending: held until it is decided", async () => {
  const { sent, answer, engine, options } = await start({ consent: "pending" });
  answer(1);
  engine.flush();
  assert.deepEqual(sent, []);
  options.consent = "correlate";
  engine.setConsent("correlate");
  assert.equal(sent[0].turns.length, 1);
  options.consent = "denied";
  answer(2);
  engine.flush();
  options.consent = "correlate";
  engine.flush();
  assert.equal(sent.length, 1);
});

test("measure: no ids, of page, session or request", async () => {
  const { sent, answer, engine } = await start({ consent: "measure" });
  answer(1, ["x-request-id", "r-1"]);
  engine.flush();
  assert.ok(!/r-1|p-1|s-1/.test(JSON.stringify(sent)), JSON.stringify(sent));
  assert.equal(sent[0].turns[0].requests[0].bytes, 10);
});

test("headers that the application names as ids count, like the known ones", async () => {
  const { sent, answer, engine } = await start({ requestIdHeaders: ["X-Own"] });
  answer(1, ["x-own", "o-1", "x-request-id", "r-1", "server-timing", "secret;dur=1"]);
  engine.flush();
  assert.deepEqual(sent[0].turns[0].requests[0].requestId, { "x-own": "o-1", "x-request-id": "r-1" });
});

test("a beforeSend that throws costs its turn, not the measuring", async () => {
  let isBroken = true;
  const beforeSend = (turn) => {
    if (isBroken) throw new Error("the page's own");
    return turn;
  };
  const { sent, failures, answer, engine } = await start({ beforeSend });
  answer(1);
  isBroken = false;
  answer(2);
  engine.flush();
  assert.deepEqual([failures, sent[0].turns.length], [[], 1]);
});

test("a page that is left while a stream runs tells it once, as open", async () => {
  const { sent, engine, leave, document } = await start();
  engine.open(1, 100, 0, "POST", "https://app.example/api/chat", MATCHED);
  engine.head(1, 150, 200, SSE, []);
  // A page may be visible when it is left, and hidden after.
  leave();
  assert.equal(sent.length, 1);
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  const turns = sent.flatMap(({ turns }) => turns);
  assert.deepEqual(
    turns.map(({ outcome, final, revision }) => [outcome, final, revision]),
    [["open", false, 1]],
  );
});

test("a beforeSend may hide a turn; the sample takes nobody at 0", async () => {
  const hidden = await start({ beforeSend: () => null });
  hidden.answer(1);
  hidden.engine.flush();
  const unsampled = await start({ sampleRate: 0 });
  unsampled.answer(1);
  unsampled.engine.flush();
  assert.deepEqual([hidden.sent, unsampled.sent], [[], []]);
});
