/** What is kept before the engine is there, and how it is handed on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const fresh = () => load('export * from "./tap/sink.js"; export * from "./guard.js"; export * from "./engine.js";');
const recorder = () => {
  const calls = [];
  const engine = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args) =>
          calls.push([name, ...args]),
    },
  );
  return { calls, engine };
};

test("calls come to the engine in order and with their own times", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  enable(true);
  sink.open(1, 10, 0, "POST", "https://x/", 4);
  sink.chunk(1, 20, new Uint8Array([1]));
  attach(engine);
  sink.close(1, 30, 0, "");
  assert.deepEqual(
    calls.map(([name, , t]) => [name, t]),
    [
      ["open", 10],
      ["chunk", 20],
      ["close", 30],
    ],
  );
});

test("kept bytes are a copy: the page may overwrite its buffer", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  const bytes = new Uint8Array([1, 2]);
  enable(true);
  sink.chunk(1, 0, bytes);
  bytes.fill(9);
  attach(engine);
  assert.deepEqual([...calls[0][3]], [1, 2]);
});

test("once the engine is there, bytes are handed on as they are: one copy, into the engine", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  const bytes = new Uint8Array([1]);
  enable(true);
  attach(engine);
  sink.chunk(1, 0, bytes);
  assert.equal(calls[0][3], bytes);
});

test("over 256 KiB only time and length are kept, and that is counted", async () => {
  const { sink, enable, attach, OVERFLOW } = await fresh();
  const { calls, engine } = recorder();
  enable(true);
  for (let i = 0; i < 5; i++) sink.chunk(1, i, new Uint8Array(100_000));
  sink.message(2, 9, "message", "x".repeat(100_000));
  attach(engine);
  assert.deepEqual(
    calls.map(([name, id, t, length]) => (name === "skip" ? [name, id, t, length] : name)),
    [
      "chunk",
      "chunk",
      ["skip", 1, 2, 100_000],
      ["skip", 1, 3, 100_000],
      ["skip", 1, 4, 100_000],
      ["skip", 2, 9, 100_000],
      "command",
    ],
  );
  assert.deepEqual([calls.at(-1)[1], calls.at(-1)[3]], [OVERFLOW, 4]);
});

test("2,000 calls are the most, and ends of streams still find room among chunks", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  enable(true);
  for (let i = 0; i < 3000; i++) sink.chunk(1, i, new Uint8Array(1));
  for (let i = 0; i < 3000; i++) sink.close(i, i, 0, "");
  attach(engine);
  const count = (wanted) => calls.filter(([name]) => name === wanted).length;
  assert.deepEqual([count("chunk"), count("close"), calls.at(-1)[3]], [1500, 500, 4000]);
});

test("nothing is kept while measuring is off", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  sink.open(1, 0, 0, "GET", "https://x/", 0);
  enable(true);
  sink.open(2, 0, 0, "GET", "https://x/", 0);
  enable(false);
  attach(engine);
  assert.deepEqual(calls, []);
});

test("calls that the engine causes while it takes what was kept come after", async () => {
  const { sink, enable, attach } = await fresh();
  const { calls, engine } = recorder();
  enable(true);
  sink.open(1, 0, 0, "GET", "https://x/", 0);
  sink.close(1, 1, 0, "");
  attach({ ...engine, open: (id) => sink.command(0, 2, `during ${id}`), close: engine.close, command: engine.command });
  assert.deepEqual(
    calls.map(([name]) => name),
    ["close", "command"],
  );
});
