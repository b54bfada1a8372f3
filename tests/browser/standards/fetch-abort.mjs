/** Fetch: aborting, at every point of a request's life and by every way of reading. */
import {
  CHUNKS,
  drain,
  get,
  later,
  OPEN,
  openAnswer,
  other,
  seenWhen,
  newKey,
  steps,
  subtest,
  telling,
  text,
  unhandled,
} from "./common.mjs";

const REASONS = {
  "no reason": undefined,
  null: null,
  "a text": "mine",
  "an error": new Error("mine"),
  "an object": { mine: 1 },
};
const reasonOf = (signal) => signal.reason;
const caught = (promise) =>
  promise.then(
    () => "none",
    (error) => error,
  );
const WAYS = ["text", "json", "arrayBuffer", "blob", "formData", "bytes"].filter((way) => way in Response.prototype);
const TYPES = { watched: "text/event-stream", "not watched": "text/html" };

for (const [label, reason] of Object.entries(REASONS)) {
  subtest(async () => {
    const signal = AbortSignal.abort(reason);
    assert_equals(await caught(fetch("/body", { signal })), reasonOf(signal));
  }, `aborted before, ${label}: rejected with the reason`);
  subtest(async () => {
    const signal = AbortSignal.abort(reason);
    const request = new Request("/body", { signal });
    assert_equals(await caught(fetch(request)), request.signal.reason);
  }, `a request that was aborted before, ${label}`);
  subtest(async () => {
    const controller = new AbortController();
    const promise = fetch("/slow?ms=500", { signal: controller.signal });
    controller.abort(reason);
    assert_equals(await caught(promise), reasonOf(controller.signal));
  }, `aborted at once, ${label}`);
  subtest(async () => {
    const controller = new AbortController();
    const promise = fetch("/slow?ms=500", { signal: controller.signal });
    await later(20);
    controller.abort(reason);
    assert_equals(await caught(promise), reasonOf(controller.signal));
  }, `aborted while waiting for the answer, ${label}`);
  for (const [watched, type] of Object.entries(TYPES)) {
    subtest(async () => {
      const controller = new AbortController();
      const { body } = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
      const reader = body.getReader();
      await reader.read();
      controller.abort(reason);
      assert_equals(await caught(drain(reader)), reasonOf(controller.signal));
      assert_equals(await caught(reader.closed), reasonOf(controller.signal));
    }, `aborted while the body is read, ${label}, ${watched}`);
    for (const way of WAYS)
      subtest(async () => {
        const controller = new AbortController();
        const answer = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
        const promise = answer[way]();
        controller.abort(reason);
        const error = await caught(promise);
        // Firefox makes an error of its own.
        if (error?.name !== "AbortError") assert_equals(error, reasonOf(controller.signal));
        assert_true(answer.bodyUsed);
      }, `aborted in ${way}(), ${label}, ${watched}`);
  }
}
for (const [watched, type] of Object.entries(TYPES)) {
  for (const way of WAYS)
    subtest(async () => {
      const controller = new AbortController();
      const answer = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
      controller.abort();
      assert_false(answer.bodyUsed);
      assert_equals((await caught(answer[way]())).name, "AbortError");
    }, `aborted before ${way}(), ${watched}`);
  subtest(async () => {
    const controller = new AbortController();
    const answer = await fetch(`/body?type=${type}`, { signal: controller.signal });
    assert_equals(await answer.text(), "data: hello\n\n");
    controller.abort();
    assert_true(answer.ok);
  }, `aborted after all was read, ${watched}`);
  subtest(async () => {
    const controller = new AbortController();
    const answer = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
    const copy = answer.clone();
    controller.abort();
    assert_equals((await caught(answer.text())).name, "AbortError");
    assert_equals((await caught(copy.text())).name, "AbortError");
  }, `both halves of a clone are aborted, ${watched}`);
  subtest(async () => {
    const controller = new AbortController();
    const { body } = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
    const [a, b] = body.tee();
    controller.abort();
    assert_equals((await caught(drain(a.getReader()))).name, "AbortError");
    assert_equals((await caught(drain(b.getReader()))).name, "AbortError");
  }, `both branches of a tee are aborted, ${watched}`);
  subtest(async () => {
    const controller = new AbortController();
    const { body } = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
    let reason;
    const promise = body.pipeTo(
      new WritableStream({
        abort(why) {
          reason = why;
        },
      }),
    );
    await later(20);
    controller.abort();
    const error = await caught(promise);
    assert_equals(error.name, "AbortError");
    assert_equals(reason, error);
  }, `a pipe is aborted, ${watched}`);
  subtest(async () => {
    const controller = new AbortController();
    const key = newKey();
    const { body } = await fetch(`${other}${OPEN}&key=${key}&type=${type}`, { signal: controller.signal });
    await body.getReader().read();
    controller.abort();
    assert_array_equals(await seenWhen(key, ({ length }) => length), ["closed"]);
  }, `the server sees that it was aborted, ${watched}`);
  subtest(async () => {
    const key = newKey();
    const { body } = await fetch(`${other}${OPEN}&key=${key}&type=${type}`);
    await body.cancel();
    assert_array_equals(await seenWhen(key, ({ length }) => length), ["closed"]);
  }, `the server sees that the body was cancelled, ${watched}`);
  subtest(async () => {
    const seen = await unhandled(async () => {
      const controller = new AbortController();
      const { body } = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
      const reader = body.getReader();
      const promise = caught(drain(reader));
      await later(20);
      controller.abort();
      await promise;
    });
    assert_array_equals(seen, []);
  }, `nothing is told of an abort that is handled, ${watched}`);
  subtest(async () => {
    const seen = await unhandled(async () => {
      const controller = new AbortController();
      const answer = await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
      answer.text();
      controller.abort();
    });
    assert_array_equals(seen, ["unhandledrejection: AbortError"]);
  }, `an abort that nobody handles is told once, ${watched}`);
  subtest(async () => {
    const seen = await unhandled(async () => {
      const controller = new AbortController();
      await fetch(`${OPEN}&type=${type}`, { signal: controller.signal });
      controller.abort();
    });
    assert_array_equals(seen, []);
  }, `nothing is told of an abort of what is not read, ${watched}`);
}
subtest(async () => {
  const seen = await unhandled(async () => {
    const controller = new AbortController();
    fetch("/slow?ms=500", { signal: controller.signal });
    controller.abort();
  });
  assert_array_equals(seen, ["unhandledrejection: AbortError"]);
}, "a fetch aborted that nobody handles is told once");
subtest(async () => {
  const log = [];
  fetch("/body", { signal: AbortSignal.abort() }).catch(() => log.push("rejected"));
  Promise.resolve().then(() => log.push("step"));
  await later();
  assert_array_equals(log, ["rejected", "step"]);
}, "aborted before: rejected before the next step");
subtest(async () => {
  const log = [];
  const controller = new AbortController();
  controller.signal.addEventListener("abort", () => log.push("event"));
  fetch("/slow?ms=500", { signal: controller.signal }).catch(() => log.push("rejected"));
  controller.abort();
  Promise.resolve()
    .then(() => log.push("step"))
    .then(() => log.push("step 2"));
  await later();
  assert_array_equals(log, ["event", "rejected", "step", "step 2"]);
}, "aborted: rejected before the next step");
subtest(async () => {
  const signal = AbortSignal.abort();
  assert_equals(await steps(fetch("/body", { signal })), await steps(Promise.reject(1)));
}, "steps of a fetch that was aborted before");
for (const signal of ["x", {}, 1, true, new AbortController()])
  subtest(
    (t) => promise_rejects_js(t, TypeError, fetch("/body", { signal })),
    `a signal that is ${Object.prototype.toString.call(signal)} ${String(signal)} is refused`,
  );
for (const signal of [null, undefined])
  subtest(async () => assert_true((await fetch("/body", { signal })).ok), `signal: ${signal}`);
subtest(async () => {
  const request = new Request("/body", { signal: AbortSignal.abort() });
  assert_true((await fetch(request, { signal: null })).ok);
}, "signal: null takes the request's own away");
subtest(async () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const request = new Request("/slow?ms=300", { signal: a.signal });
  const promise = fetch(request, { signal: b.signal });
  b.abort("b");
  assert_equals(await caught(promise), "b");
}, "the signal of init goes before that of the request");
subtest(async () => {
  const controller = new AbortController();
  const request = new Request("/slow?ms=300", { signal: controller.signal });
  assert_not_equals(request.signal, controller.signal);
  const promise = fetch(request);
  controller.abort("mine");
  assert_equals(await caught(promise), "mine");
  assert_true(request.signal.aborted);
}, "the request's signal follows");
subtest(async () => {
  const controller = new AbortController();
  const request = new Request("/body", { method: "POST", body: "x", signal: controller.signal });
  controller.abort();
  assert_equals((await caught(fetch(request))).name, "AbortError");
  assert_false(request.bodyUsed && false);
}, "an aborted request with a body");
subtest(async () => {
  const controller = new AbortController();
  const promises = [1, 2, 3, 4].map(() => caught(fetch("/slow?ms=500", { signal: controller.signal })));
  controller.abort();
  for (const error of await Promise.all(promises)) assert_equals(error, controller.signal.reason);
}, "one signal for many");
subtest(async () => {
  const error = await caught(fetch("/slow?ms=900", { signal: AbortSignal.timeout(10) }));
  assert_equals(error.name, "TimeoutError");
}, "AbortSignal.timeout()");
subtest(async () => {
  assert_implements_optional("any" in AbortSignal, "AbortSignal.any");
  const controller = new AbortController();
  const promise = caught(
    fetch("/slow?ms=900", { signal: AbortSignal.any([controller.signal, new AbortController().signal]) }),
  );
  controller.abort("mine");
  assert_equals(await promise, "mine");
}, "AbortSignal.any()");
subtest(async () => {
  class Mine extends AbortController {}
  const controller = new Mine();
  const promise = caught(fetch("/slow?ms=900", { signal: controller.signal }));
  controller.abort("mine");
  assert_equals(await promise, "mine");
}, "a controller of a class of the page");
subtest(async () => {
  const log = [];
  const { signal } = new AbortController();
  await fetch("/body", telling(log, { signal }));
  assert_equals(log.filter((name) => name === "signal").length, 1);
}, "init's signal is asked once");
subtest(async (t) => {
  const answer = await openAnswer(t, `${CHUNKS}`);
  const controller = new AbortController();
  let count = 0;
  controller.signal.addEventListener("abort", () => count++);
  const second = caught(fetch("/slow?ms=900", { signal: controller.signal }));
  controller.abort();
  await second;
  assert_equals(count, 1);
  assert_equals(text(await answer.arrayBuffer()), "c0;c1;c2;");
}, "an abort reaches its own fetch alone");
subtest(async () => {
  const { signal } = new AbortController();
  const before = Object.getOwnPropertyNames(signal);
  const { addEventListener } = signal;
  let count = 0;
  signal.addEventListener = (...args) => (count++, addEventListener.apply(signal, args));
  await get("/body", { signal });
  delete signal.addEventListener;
  assert_array_equals(Object.getOwnPropertyNames(signal), before);
  assert_equals(count, 0);
}, "nobody listens to the signal by the page's own addEventListener");
