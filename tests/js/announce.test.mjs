/** Who hears of a turn, and how often. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { announcer } = await load('export * from "./announce.js";');

test("a turn that is revised after its end is told once; again only to who wants updates", () => {
  const heard = [];
  const announce = announcer(
    new Map([
      [({ id, revision }) => heard.push(`end ${id}.${revision}`), false],
      [({ id, revision }) => heard.push(`all ${id}.${revision}`), true],
    ]),
  );
  announce({ id: "a", revision: 0 }, false);
  announce({ id: "a", revision: 1 }, true);
  announce({ id: "b", revision: 1 }, true);
  announce({ id: "a", revision: 2 }, true);
  assert.deepEqual(heard, ["all a.0", "end a.1", "all a.1", "end b.1", "all b.1", "all a.2"]);
});

test("a callback that throws keeps no other from hearing, and its error is the page's", (t) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error);
  t.after(() => delete globalThis.reportError);
  let heard = 0;
  const broken = new Error("page");
  const fail = () => {
    throw broken;
  };
  announcer(
    new Map([
      [fail, false],
      [() => heard++, false],
    ]),
  )({ id: "a" }, true);
  assert.deepEqual([heard, reported], [1, [broken]]);
});
