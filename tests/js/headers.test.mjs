/** Which response headers the engine is told of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { narrow } = await load('export * from "./headers.js";');

const told = (headers, options = {}) => {
  let seen;
  const engine = { head: (...args) => (seen = args) };
  narrow(engine, { options });
  engine.head(1, 2, 200, "text/plain", headers);
  return seen;
};

test("ids, traces and phases pass with their values, all else stays in the page", () =>
  assert.deepEqual(
    told(["set-cookie", "x-request-id", "x-request-id", "r-1", "server-timing", "a;dur=1", "etag", "e"]),
    [1, 2, 200, "text/plain", ["x-request-id", "r-1", "server-timing", "a;dur=1"]],
  ));

test("headers that the application names pass, however it spells them", () =>
  assert.deepEqual(told(["x-own", "1", "x-other", "2"], { requestIdHeaders: ["X-Own"] })[4], ["x-own", "1"]));
