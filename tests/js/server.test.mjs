/** Where there is no page, every door can be imported and used, and does nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

for (const door of ["index", "url", "slim", "auto", "tap/index", "overlay/index"]) {
  test(`importing ${door} touches nothing`, async () => {
    const before = Reflect.ownKeys(globalThis).map((key) => [
      key,
      Object.getOwnPropertyDescriptor(globalThis, key).value,
    ]);
    await load(`export * from "./${door}.js";`);
    const after = Reflect.ownKeys(globalThis).map((key) => [
      key,
      Object.getOwnPropertyDescriptor(globalThis, key).value,
    ]);
    assert.deepEqual(
      after.filter(([key, value], i) => before[i]?.[0] !== key || !Object.is(before[i]?.[1], value)),
      [],
    );
  });
}

test("init on a server answers with the whole API and measures nothing", async () => {
  const { init } = await load('export * from "./index.js";');
  const { fetch } = globalThis;
  const vitals = init({ experiments: { progress: ["none", "steps"] } });
  const manual = vitals.startTurn({ url: "/x" });
  manual.text("hello");
  manual.end();
  vitals.onTurn(() => assert.fail("no turn can end here"))();
  vitals.flush();
  vitals.setConsent("denied");
  assert.deepEqual(
    [await vitals.ready, vitals.turn, vitals.summary(), vitals.variant("progress"), globalThis.fetch === fetch],
    ["degraded", null, {}, "none", true],
  );
  vitals.shutdown();
});

test("the tap installs nothing on a server", async () => {
  const { install } = await load('export * from "./tap/index.js";');
  const { fetch } = globalThis;
  install();
  assert.equal(globalThis.fetch, fetch);
});
