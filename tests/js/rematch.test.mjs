/** The option `match` counts for requests from before it was known, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { rematch } = await load('export * from "./rematch.js";');
const POST = 4;

class Engine {
  opened = [];
  open(id, _t, _transport, _method, _url, hint) {
    this.opened.push([id, hint]);
  }
}
const opened = (matches, hint) => {
  const engine = new Engine();
  rematch(engine, { matches });
  engine.open(1, 0, 0, "POST", "https://x/", hint);
  return engine.opened;
};

test("named by match: the hint says so", () =>
  assert.deepEqual(
    opened(() => 1, POST),
    [[1, POST | 1]],
  ));
test("not named, though there is a match: never opened", () =>
  assert.deepEqual(
    opened(() => -1, POST),
    [],
  ));
test("no match option: as the taps saw it", () =>
  assert.deepEqual(
    opened(() => 0, POST),
    [[1, POST]],
  ));
test("brought by the application: opened whatever match says", () =>
  assert.deepEqual(
    opened(() => -1, 1),
    [[1, 1]],
  ));
