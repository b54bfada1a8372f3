/** A page that looks on purpose: everything it can ask of what the taps touch. See scenarios.mjs. */
import { order, outcome, tick, url } from "./in-page.mjs";

/** What a property is, without what it holds: a native function's text says that. */
const described = (object) => {
  const own = Object.getOwnPropertyDescriptors(object);
  return Reflect.ownKeys(own).map((key) => {
    const { value, get, set, ...flags } = own[key];
    return [
      String(key),
      flags,
      ...[value, get, set].map((one) => (typeof one === "function" ? shown(one) : typeof one)),
    ];
  });
};

const shown = (fn) => [
  fn.name,
  fn.length,
  String(fn),
  fn.toString(),
  `${fn}`,
  Function.prototype.toString.call(fn),
  Object.getPrototypeOf(fn).constructor.name,
  // Firefox makes the properties of a function when they are first asked for: their order tells what the test asked.
  Reflect.ownKeys(fn).map(String).sort(),
  Object.isExtensible(fn),
];

/** All that a hook may be put on; those that an engine lacks are left out by themselves. */
const functions = {
  fetch: [globalThis, "fetch"],
  toString: [Function.prototype, "toString"],
  addEventListener: [EventTarget.prototype, "addEventListener"],
};
const classes = [
  "Response",
  "ReadableStream",
  "ReadableStreamDefaultReader",
  "ReadableStreamBYOBReader",
  "EventSource",
  "XMLHttpRequest",
  "Request",
  "Headers",
  "Promise",
  "EventTarget",
];

export const looks = {
  globals() {
    const seen = {};
    for (const [name, [owner, key]] of Object.entries(functions))
      seen[name] = [shown(owner[key]), described(owner).filter(([own]) => own === key)];
    for (const name of classes) {
      const one = globalThis[name];
      if (!one) continue;
      const { prototype } = one;
      seen[name] = [shown(one), described(one), described(prototype), prototype.constructor === one];
      seen[`${name} as a property`] = described(globalThis).filter(([own]) => own === name);
    }
    return seen;
  },
  /** The same against a realm that nobody has touched: true throughout. */
  async untouchedFrame() {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const other = frame.contentWindow;
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    const seen = { fetch: same(shown(fetch), shown(other.fetch)) };
    for (const name of classes) {
      if (!globalThis[name]) continue;
      const [ours, theirs] = [globalThis[name], other[name]];
      seen[name] = same(described(ours.prototype), described(theirs.prototype));
    }
    frame.remove();
    return seen;
  },
  /** Nothing of ours has a name on the window. */
  names() {
    // The recorder of these tests and what it is loaded by.
    const ofTheTests = ["calls", "tap", "noted"];
    const inLoops = [];
    for (const name in globalThis) inLoops.push(name);
    return [Object.getOwnPropertyNames(globalThis), Object.keys(globalThis), inLoops].map((names) =>
      names.filter((name) => !ofTheTests.includes(name)).sort(),
    );
  },
  async ownProperties(key) {
    const promise = fetch(url(key, "&n=1"));
    const response = await promise;
    const { body, headers } = response;
    const copy = response.clone();
    const reader = response.body.getReader();
    const reading = reader.read();
    await reading;
    const iterated = copy.body.values?.();
    const next = iterated?.next();
    await next;
    const things = { promise, response, headers, body, copy, reader, reading, iterated, next, closed: reader.closed };
    const seen = {};
    for (const [name, thing] of Object.entries(things)) {
      if (!thing) continue;
      const prototype = Object.getPrototypeOf(thing);
      seen[name] = [
        Reflect.ownKeys(thing).map(String),
        Object.prototype.toString.call(thing),
        prototype === globalThis[prototype.constructor?.name]?.prototype,
        described(prototype),
      ];
    }
    return [seen, body === (await promise).body, response.constructor === Response];
  },
  /** The same object each time, so that a page can compare. */
  identities() {
    const { prototype } = ReadableStream;
    return [
      fetch === globalThis.fetch,
      prototype.values === prototype[Symbol.asyncIterator],
      Response.prototype.constructor === Response,
      new Response("x") instanceof Response,
      Object.getPrototypeOf(new Response("x")) === Response.prototype,
      class extends Response {}.prototype instanceof Response,
      Response.json?.({ a: 1 }) instanceof Response,
      typeof Response.error(),
    ];
  },
  /** What a method is called on that it isn't for is refused in the browser's own words. */
  async wrongReceivers() {
    const seen = [];
    const targets = [
      [Response.prototype, ["text", "json", "clone"]],
      [ReadableStream.prototype, ["getReader", "cancel", "pipeTo", "pipeThrough", "tee", "values"]],
      [ReadableStreamDefaultReader.prototype, ["read", "cancel", "releaseLock"]],
      [EventSource.prototype, ["close"]],
      [XMLHttpRequest.prototype, ["open", "send", "abort"]],
      [Function.prototype, ["toString"]],
    ];
    for (const [prototype, names] of targets) {
      for (const name of names) {
        if (!prototype[name]) continue;
        for (const receiver of [undefined, null, 1, "s", {}, Object.create(prototype), prototype]) {
          try {
            const result = prototype[name].call(receiver, "GET", "/json");
            seen.push([name, await outcome(Promise.resolve(result))]);
          } catch (error) {
            seen.push([name, error.name, error.message, error instanceof TypeError]);
          }
        }
      }
    }
    for (const make of [
      () => Response(),
      () => EventSource("/x"),
      () => ReadableStreamDefaultReader(1),
      () => new fetch(),
    ]) {
      try {
        make();
      } catch (error) {
        seen.push([error.name, error.message]);
      }
    }
    return seen;
  },
  /** A page that stops before it starts hears of it before anything else. */
  async orders(key) {
    const controller = new AbortController();
    controller.abort();
    const { signal } = controller;
    const body = (await fetch(url(key, "&open"))).body;
    const reader = body.getReader();
    const seen = [await order(() => fetch("/json", { signal })), await order(() => body.cancel())];
    await reader.read();
    seen.push(await order(() => reader.cancel()), await order(() => reader.read()), await order(() => reader.closed));
    reader.releaseLock();
    seen.push(await order(() => reader.read()), await order(() => body.getReader().read()));
    const stopped = new AbortController();
    const reading = (await fetch(url(`${key}b`, "&open"), { signal: stopped.signal })).body.getReader();
    await reading.read();
    stopped.abort();
    seen.push(await order(() => reading.read()));
    await tick();
    return seen;
  },
  /** As an app does that passes streams and responses of its own around. */
  async ownStreams() {
    const stream = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue("a");
          controller.enqueue({ b: 1 });
          controller.close();
        },
      });
    const reader = stream().getReader();
    const read = await reader.read();
    const parts = [];
    if (ReadableStream.prototype.values) for await (const part of stream()) parts.push(part);
    const piped = [];
    await stream().pipeTo(new WritableStream({ write: (chunk) => void piped.push(chunk) }));
    return [read, parts, piped, await new Response("own").text(), await order(() => stream().getReader().read())];
  },
};
