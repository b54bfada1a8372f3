/** The fuse: our failures stay ours, and the first is the last. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const fresh = () => load('export * as fuse from "./guard.js"; export * from "./tap/sink.js";');
const boom = () => {
  throw new Error("boom");
};

test("one failure: one warning, everything is released, nothing runs again", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const { fuse } = await fresh();
  const released = [];
  fuse.onTrip(boom);
  fuse.onTrip(() => released.push("taps"));
  assert.equal(fuse.run(boom), undefined);
  fuse.guard(boom)();
  assert.equal(
    fuse.run(() => 1),
    undefined,
  );
  assert.deepEqual([fuse.blown, released, warn.mock.callCount()], [true, ["taps"], 1]);
  assert.match(warn.mock.calls[0].arguments[0], /chat-vitals.*boom/);
});

test("a guarded function keeps arguments and result", async () => {
  const { fuse } = await fresh();
  assert.deepEqual(fuse.guard((a, b) => [a, b])(1, 2), [1, 2]);
});

test("an engine that panics is never called again", async (t) => {
  t.mock.method(console, "warn", () => {});
  const { sink, enable, attach } = await fresh();
  let calls = 0;
  enable(true);
  attach({
    chunk() {
      calls++;
      boom();
    },
  });
  sink.chunk(1, 0, new Uint8Array(1));
  sink.chunk(1, 1, new Uint8Array(1));
  assert.equal(calls, 1);
});
