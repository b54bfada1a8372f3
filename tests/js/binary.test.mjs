/** What becomes of a wasm file that is not what it should be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { streamable, explain } = await load('export * from "./binary.js";');
const answer = (type, init) => new Response("<!doctype html>", { headers: { "content-type": type }, ...init });

test("an answer of another type is read here, so that the glue warns of nothing; all else stays as it is", async () => {
  const [wasm, missing, bytes] = [answer("application/wasm"), answer("text/html", { status: 404 }), new Uint8Array(4)];
  assert.deepEqual(await Promise.all([wasm, Promise.resolve(missing), bytes].map(streamable)), [wasm, missing, bytes]);
  assert.equal(new TextDecoder().decode(await streamable(answer("text/html"))), "<!doctype html>");
});

test("a policy is named for what a policy refused, not for a file that is no wasm", async () => {
  const broken = await WebAssembly.compile(await streamable(answer("text/html"))).catch((error) => error);
  assert.equal(explain(broken), String(broken));
  assert.ok(broken instanceof WebAssembly.CompileError);
  for (const refused of [
    new WebAssembly.CompileError("call to WebAssembly.instantiate() blocked by CSP"),
    new EvalError("not an allowed source of script in the following Content Security Policy directive"),
  ]) {
    assert.match(explain(refused), /script-src allow 'wasm-unsafe-eval'/);
  }
  assert.doesNotMatch(explain(new TypeError("violates the document's Content Security Policy")), /script-src/);
});
