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

test("puts back what was there while it is on top", async () => {
  const { replace } = await fresh();
  const restore = replace("fetch", wrap);
  assert.notEqual(globalThis.fetch, native);
  assert.equal(restore(), true);
  assert.equal(globalThis.fetch, native);
});

test("leaves alone whoever wrapped it since", async () => {
  const { replace } = await fresh();
  const restore = replace("fetch", wrap);
  const other = wrap(globalThis.fetch);
  globalThis.fetch = other;
  assert.equal(restore(), false);
  assert.equal(globalThis.fetch, other);
});

test("gives up quietly where the page has made it read-only", async () => {
  const { replace } = await fresh();
  Object.defineProperty(globalThis, "fetch", { value: native, writable: false, configurable: true });
  assert.equal(replace("fetch", wrap), undefined);
  assert.equal(globalThis.fetch, native);
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
