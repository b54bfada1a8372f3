/** How a global is replaced and put back. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { load } from "./load.mjs";

const native = globalThis.fetch;
afterEach(() => Object.defineProperty(globalThis, "fetch", { value: native, writable: true, configurable: true }));
const fresh = () => load('export * from "./tap/patch.js";');
const wrap =
  (below) =>
  (...args) =>
    below(...args);

const slotOf = async () => (await fresh()).slot(globalThis, () => {}, ["fetch"]);

test("puts back what was there while it is on top", async () => {
  const { put, back } = await slotOf();
  put();
  assert.notEqual(globalThis.fetch, native);
  back();
  assert.equal(globalThis.fetch, native);
});

test("leaves alone whoever wrapped it since, and is not put over them once more", async () => {
  const { put, back } = await slotOf();
  put();
  const other = wrap(globalThis.fetch);
  globalThis.fetch = other;
  back();
  put();
  assert.equal(globalThis.fetch, other);
});

test("is put back in when somebody has restored the native function over it", async () => {
  const { put } = await slotOf();
  put();
  const ours = globalThis.fetch;
  globalThis.fetch = native;
  put();
  assert.equal(globalThis.fetch, ours);
});

test("gives up quietly where the page has made it read-only", async () => {
  const { put, back } = await slotOf();
  Object.defineProperty(globalThis, "fetch", { value: native, writable: false, configurable: true });
  put();
  back();
  assert.equal(globalThis.fetch, native);
});

test("one function under two names stays one", async () => {
  const { slot } = await fresh();
  const shared = () => {};
  const owner = { one: shared, two: shared };
  const { put, back } = slot(owner, () => {}, ["one", "two"]);
  put();
  assert.notEqual(owner.one, shared);
  assert.equal(owner.one, owner.two);
  back();
  assert.deepEqual([owner.one, owner.two], [shared, shared]);
});

test("a function of ours has the native one's text, and so has the one that gives it", async () => {
  const { slot, hookText } = await fresh();
  const text = slot(Function.prototype, hookText, ["toString"]);
  const { put, back } = slot(globalThis, () => {}, ["fetch"]);
  const before = [String(fetch), String(Function.prototype.toString)];
  text.put();
  put();
  try {
    assert.deepEqual([String(fetch), String(Function.prototype.toString)], before);
    assert.throws(() => Function.prototype.toString.call({}), TypeError);
  } finally {
    back();
    text.back();
  }
});

test("a hook that fails leaves the call and its result as they are", async (t) => {
  t.mock.method(console, "warn", () => {});
  const { hooked } = await fresh();
  const add = hooked(
    (a, b) => a + b,
    () => {
      throw new Error("ours");
    },
  );
  assert.equal(add(1, 2), 3);
  assert.equal(add(2, 2), 4);
});

test("what the native function throws is the page's", async () => {
  const { hooked } = await fresh();
  const error = new Error("native");
  const fails = hooked(
    () => {
      throw error;
    },
    () => () => {},
  );
  assert.throws(fails, (thrown) => thrown === error);
});
