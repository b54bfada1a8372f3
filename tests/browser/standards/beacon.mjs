/** Beacon: what is sent, and what is refused. */
import { frame, newKey, other, seenWhen, subtest } from "./common.mjs";

const BODIES = {
  nothing: [undefined, null, 0],
  null: [null, null, 0],
  text: ["x", "text/plain;charset=UTF-8", 1],
  empty: ["", "text/plain;charset=UTF-8", 0],
  number: [12, "text/plain;charset=UTF-8", 2],
  object: [{}, "text/plain;charset=UTF-8", 15],
  params: [new URLSearchParams("a=1"), "application/x-www-form-urlencoded;charset=UTF-8", 3],
  blob: [new Blob(["xy"], { type: "text/plain" }), "text/plain", 2],
  "a blob without type": [new Blob(["xy"]), null, 2],
  bytes: [new Uint8Array(3), null, 3],
  buffer: [new ArrayBuffer(4), null, 4],
  view: [new DataView(new ArrayBuffer(5)), null, 5],
  long: ["x".repeat(10000), "text/plain;charset=UTF-8", 10000],
};
const came = async (key) =>
  (await seenWhen(key, (notes) => notes.some(([method]) => method === "POST"))).find(([method]) => method === "POST");
for (const [where, origin] of Object.entries({ "the same origin": "", "another origin": other }))
  for (const [label, [body, type, length]] of Object.entries(BODIES))
    subtest(async () => {
      const key = newKey();
      assert_true(navigator.sendBeacon(`${origin}/inspect?key=${key}`, body));
      assert_array_equals(await came(key), ["POST", type, length]);
    }, `${label} to ${where}`);
subtest(async () => {
  const key = newKey();
  const form = new FormData();
  form.append("a", "1");
  assert_true(navigator.sendBeacon(`/inspect?key=${key}`, form));
  assert_regexp_match((await came(key))[1], /^multipart\/form-data/);
}, "a form");
for (const url of ["http://[", "ftp://x/", "data:,x", "about:blank"])
  test(() => assert_throws_js(TypeError, () => navigator.sendBeacon(url)), `${url} is refused`);
test(() => assert_throws_js(TypeError, () => navigator.sendBeacon()), "no address is refused");
test(() => assert_throws_js(TypeError, () => navigator.sendBeacon.call({}, "/")), "another receiver is refused");
test(() => assert_throws_js(TypeError, () => navigator.sendBeacon("/inspect", Symbol("x"))), "a symbol is refused");
test(
  () => assert_throws_js(TypeError, () => navigator.sendBeacon("/inspect", new ReadableStream())),
  "a stream is refused",
);
test(() => {
  let count = 0;
  navigator.sendBeacon({ toString: () => (count++, "/inspect") }, { toString: () => (count++, "x") });
  assert_equals(count, 2);
}, "address and body are turned to text once each");
test(() => assert_false(navigator.sendBeacon("/inspect", new Uint8Array(100000))), "more than 64 KiB is refused");
subtest(async () => {
  const key = newKey();
  const response = fetch(`/inspect?key=${key}`, { method: "POST", body: "x".repeat(1000), keepalive: true });
  assert_true((await response).ok);
}, "fetch with keepalive");
subtest(
  (t) =>
    promise_rejects_js(t, TypeError, fetch("/inspect", { method: "POST", body: "x".repeat(70000), keepalive: true })),
  "fetch with keepalive and more than 64 KiB is rejected",
);
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const key = newKey();
  assert_true(contentWindow.navigator.sendBeacon(`/inspect?key=${key}`, "x"));
  assert_equals((await came(key))[2], 1);
}, "a frame's");
