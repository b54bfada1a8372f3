/** Assignment is the same for ever, follows the weights, and knows FNV-1a. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { assign, hash } = await load('export * from "./variant.js";');
const share = (variants, weights) => {
  const units = Array.from({ length: 20_000 }, (_, i) => `unit-${i}`);
  return units.filter((unit) => assign("test", unit, { variants, weights }) === variants[0]).length / units.length;
};

test("the hash gives the published values of FNV-1a", () => {
  assert.deepEqual([hash(""), hash("a"), hash("foobar")], [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

test("the published vectors hold, in every version", () => {
  for (const [name, unit, weights, index] of [
    ["progress", "1", [1, 1], 0],
    ["progress", "3", [1, 1], 1],
    ["progress", "6f9619ff-8b86-d011-b42d-00c04fc96401", [1, 1, 1, 1], 3],
    ["indicator", "user-17", [90, 10], 1],
    ["tone", "größe", [50, 30, 20], 2],
    ["", "", [1, 2, 3], 2],
  ]) {
    const variants = weights.map((_, i) => i);
    assert.equal(assign(name, unit, { variants, weights }), index, `${name}:${unit}`);
  }
});

test("shares follow the weights", () => {
  assert.ok(Math.abs(share(["a", "b"]) - 0.5) < 0.02);
  assert.ok(Math.abs(share(["a", "b", "c"], [8, 1, 1]) - 0.8) < 0.02);
  assert.equal(share(["a", "b"], [0, 1]), 0);
});

test("a unit keeps its variant, and experiments do not follow each other", () => {
  const two = { variants: ["a", "b"] };
  assert.equal(assign("one", "u", two), assign("one", "u", two));
  const units = Array.from({ length: 1000 }, (_, i) => `u${i}`);
  const same = units.filter((unit) => assign("one", unit, two) === assign("two", unit, two)).length;
  assert.ok(same > 400 && same < 600, `${same} of 1000 the same`);
});
