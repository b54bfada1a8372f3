/**
 * Clients without a user interface of their own, each in a small chat, in every engine: the application works as
 * without the SDK, and the turns are right.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, hanging, recorded, refusal } from "./harness/recording.mjs";
import { inEachEngine, until } from "./harness/run.mjs";

const greeting = {
  stream: "openai-chat/text-basic.sse",
  text: "Not much, just here to chat and assist you with anything you need. How are you?",
  half: "Not much, just here to chat and assist you with",
};
const tides = {
  text: "The moon pulls at the sea, and the sea follows it around the Earth: high water twice a day.",
  half: "The moon pulls at the sea, and the sea follows it",
};

/**
 * `stream` is what the server plays, `text` what it says, `half` all that its first half says. `silent`: the request does
 * not say that it wants a stream, so that a refusal alone would not be known as a chat's. `pause`: how long the client may hold text back.
 */
const CLIENTS = {
  "openai-chat": { format: "openai-chat", ...greeting },
  "openai-responses": {
    format: "openai-responses",
    stream: "openai-responses/azure-reasoning-encrypted-answer.sse",
    text: "The final result is **570**.",
    half: "The final result is",
  },
  anthropic: {
    format: "anthropic-messages",
    stream: "anthropic-messages/sdk-fallback-continuation.sse",
    text: "there! Happy to explain.",
    half: "for looking at the Sun directly. Ordinary",
  },
  "google-genai": { format: "gemini-sse", stream: "gemini.sse", ...tides },
  ollama: {
    format: "ollama",
    stream: "ollama/chat.ndjson",
    text: "I hope it brought a smile to your face!",
    half: "and needed some instrumentation in its life!",
  },
  langgraph: { format: "langgraph", stream: "langgraph.sse", ...tides },
  "ag-ui": { format: "ag-ui", stream: "ag-ui.sse", ...tides, half: `${tides.half} around the` },
  "fetch-event-source": { format: "openai-chat", ...greeting },
  "eventsource-parser": { format: "openai-chat", ...greeting },
  ky: {
    format: "plain-text",
    stream: "plain-text/ai-sdk-text-stream.txt",
    text: greeting.text,
    half: "Not much, just here to chat and assist",
    silent: true,
  },
  "axios-xhr": { format: "openai-chat", transport: "xhr", pause: 600, ...greeting },
  "axios-fetch": { format: "openai-chat", silent: true, ...greeting },
  "event-source": { format: "openai-chat", transport: "eventSource", silent: true, ...greeting },
};

/** What failed is told of before it is asked for again, and has not ended then. */
const retried = async (chat) => {
  await chat.ask();
  await chat.ends(1);
  const ended = async () => {
    const turns = await chat.turns(1);
    return turns.every(({ final }) => final) && turns;
  };
  return until(ended, "turns that ended");
};

/** Answered, then asked anew, then asked again and stopped in the middle. */
const fine = async (chat, { text, half }) => {
  await chat.ask();
  await chat.ends(1);
  if (!(await chat.text()).includes(text)) return [];
  await chat.regenerate();
  await chat.ends(2);
  await chat.turns(2);
  await chat.ask("And why twice a day?");
  await chat.sees(half, 2);
  await chat.stop();
  await chat.ends(3);
  return chat.turns(3);
};

/** Refused, then asked anew and cut off in the middle; a silent client is answered once before. */
const troubled = async (chat, { silent }) => {
  const before = silent ? 1 : 0;
  if (silent) await chat.ask();
  await chat.ends(before);
  await chat.ask();
  await chat.ends(before + 1);
  await chat.regenerate();
  await chat.ends(before + 2);
  return (await chat.turns(before + 2)).slice(before);
};

/** What the application and its server can tell. */
const same = ({ plain, measured }) => {
  // Who is first to close an answer that is over, the client or the server, is a matter of luck.
  for (const what of ["text", "requests", "errors", "problems"]) assert.deepEqual(measured[what], plain[what], what);
};

const SLOW = { message: "Slow down.", type: "rate_limit" };
/** Clients that ask again by themselves. */
const RETRYING = ["openai-chat", "openai-responses", "anthropic"];

const METHODS = ["elementTiming", "raf2"];

/** The answer was seen, over one request that was read as what it is. */
const seen = (turn, { format, transport = "fetch" }) => {
  assert.ok(turn.timings.firstVisibleToken > 0, "first visible token");
  assert.ok(METHODS.includes(turn.methods.firstVisibleToken), "its method");
  assert.deepEqual(turn.flags, []);
  const method = transport === "eventSource" ? "GET" : "POST";
  assert.deepEqual(
    turn.requests.map(({ format, transport, method }) => ({ format, transport, method })),
    [{ format, transport, method }],
  );
};

const completed = (turn, client) => {
  assert.equal(turn.outcome, "completed");
  seen(turn, client);
  assert.ok(turn.timings.finalRender >= turn.timings.firstVisibleToken, "final render");
  assert.ok(METHODS.includes(turn.methods.finalRender), "its method");
  assert.equal(turn.requests[0].end, "done");
};

inEachEngine((twice, engine) => {
  const visits = (name, answers, script) => twice({ name, answers }, (chat) => script(chat, CLIENTS[name]));

  for (const [name, client] of Object.entries(CLIENTS)) {
    const full = recorded(client.stream);

    // Protects: an answer, one asked for anew, and a stopped one, with the text, requests and errors that the client has without us.
    test(`${name}: answered, regenerated, stopped`, async (t) => {
      const { plain, measured } = await visits(name, [full, full, hanging(full)], fine);
      same({ plain, measured });
      // Each of them works where it was written for; elsewhere an engine may lack what a client needs.
      if (engine === "chromium") assert.ok(plain.text.includes(client.text), plain.text);
      if (!plain.text.includes(client.text))
        return t.skip(`does not work in ${engine}: ${JSON.stringify(plain.errors)}`);
      // How soon is measured over many of them, in costs.test.mjs.
      assert.deepEqual([plain.closed.at(-1), measured.closed.at(-1)], ["client", "client"]);
      const [first, again, stopped] = measured.turns;
      completed(first, client);
      completed(again, client);
      assert.deepEqual([first.trigger, again.trigger, again.regenerates], ["submit", "regenerate", first.id]);
      assert.deepEqual(
        [stopped.outcome, stopped.trigger, stopped.timings.finalRender],
        ["stopped", "submit", undefined],
      );
      assert.deepEqual(
        stopped.actions.map(({ type }) => type),
        ["stop"],
      );
      assert.equal(stopped.requests[0].end, client.transport === "eventSource" ? "cancelled" : "aborted");
      seen(stopped, client);
      assert.equal(measured.turns.length, 3);
    });

    // Protects: a client's own second and third try, after its own waits, are requests of the same turn.
    const asksAgain = async () => {
      const answers = [refusal(429, SLOW, { "retry-after": "1" }), refusal(500, SLOW), full];
      const { plain, measured } = await visits(name, answers, retried);
      same({ plain, measured });
      assert.deepEqual([plain.errors, plain.text.includes(client.text)], [[], true]);
      const [turn, ...more] = measured.turns;
      assert.deepEqual([turn.outcome, turn.requests.map(({ status }) => status)], ["completed", [429, 500, 200]]);
      assert.deepEqual(more, []);
    };
    if (RETRYING.includes(name)) test(`${name}: asks again by itself`, asksAgain);

    if (engine !== "chromium") continue;
    // Protects: errors that the client raises are its own, and such turns are told of as failed.
    test(`${name}: refused, cut in the middle`, async () => {
      const before = client.silent ? [full] : [];
      const answers = [...before, refusal(429, SLOW, { "x-should-retry": "false" }), cut(full, client.pause)];
      const { plain, measured } = await visits(name, answers, troubled);
      same({ plain, measured });
      assert.equal(plain.errors.length, 2);
      assert.equal(plain.closed.at(-1), "cut");
      assert.ok(plain.text.includes(client.half));
      const [refused, broken] = measured.turns;
      assert.deepEqual([refused.outcome, broken.outcome], ["failed", "failed"]);
      assert.equal(broken.regenerates, refused.id);
      if (client.transport !== "eventSource") assert.equal(refused.requests[0].status, 429);
      seen(broken, client);
    });
  }
});
