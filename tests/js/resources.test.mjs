/** Which entry of Resource Timing belongs to which request, and which to none that the taps saw. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { watchResources } = await load('export * from "./resources.js";');
const URL = "https://app.example/api/chat";
const FETCH = 0;
const EVENT_SOURCE = 1;
const XHR = 2;

/** An engine that writes down what it is told of the network, and the means to tell it. */
const page = (own = () => false) => {
  const told = [];
  const tap = { on: true, run: (fn) => fn(), matches: () => 0 };
  const engine = {
    open() {},
    head() {},
    close() {},
    transferred: (id, _, end) => told.push(["transferred", id, end]),
    captured: (_, transport, url, __, times, status) => told.push(["captured", transport, url, [...times], status]),
  };
  let hear;
  let isObserved = true;
  globalThis.PerformanceObserver = class {
    static supportedEntryTypes = ["resource"];
    constructor(callback) {
      hear = (...entries) => callback({ getEntries: () => entries });
    }
    observe() {}
    disconnect() {
      isObserved = false;
    }
  };
  const release = watchResources(engine, tap, own);
  const open = (id, t, transport = FETCH, url = URL, method = "POST") => engine.open(id, t, transport, method, url, 0);
  return { engine, tap, told, open, release, hear: (...entries) => hear(...entries), isObserved: () => isObserved };
};
const entry = (startTime, responseEnd, more = {}) => ({
  name: URL,
  initiatorType: "fetch",
  startTime,
  responseStart: startTime + 5,
  responseEnd,
  responseStatus: 200,
  ...more,
});

test("entries come in the order of their ends: the short request's is not given to the long one before it", () => {
  const { told, open, hear } = page();
  open(1, 1000);
  open(2, 1030);
  hear(entry(1030.3, 1100));
  hear(entry(1000.3, 5000));
  assert.deepEqual(told, [
    ["transferred", 2, 1100],
    ["transferred", 1, 5000],
  ]);
});

test("fifty requests of one address, ended in any order, are each given an entry, and none is taken for captured", () => {
  const { told, open, hear } = page();
  const ids = Array.from({ length: 50 }, (_, place) => place + 1);
  for (const id of ids) open(id, 1000 + id * 0.1);
  for (const id of ids.toReversed()) hear(entry(1000 + id * 0.1 + 3, 2000 + id));
  assert.deepEqual(
    told.map(([kind]) => kind),
    Array(50).fill("transferred"),
  );
  assert.deepEqual(
    told.map(([, id]) => id).toSorted((a, b) => a - b),
    ids,
  );
});

test("a wrapper below the tap that waits before it asks makes no second request of the first", () => {
  const { engine, told, open, hear } = page();
  open(1, 1000);
  engine.head(1, 3200, 200, "text/event-stream", []);
  hear(entry(3000, 4000));
  assert.deepEqual(told, [["transferred", 1, 4000]]);
});

test("what goes out after another's answer began is not that other: captured", () => {
  const { engine, told, open, hear } = page();
  open(1, 1000);
  engine.head(1, 1050, 200, "text/event-stream", []);
  hear(entry(1100, 1900));
  assert.deepEqual(told, [["captured", FETCH, URL, [1100, 1105, 1900], 200]]);
});

test("a request that failed before any entry came takes none of a later one", () => {
  const { engine, told, open, hear } = page();
  open(1, 1000);
  engine.close(1, 1020, 2, "TypeError");
  hear(entry(1100, 1900));
  assert.equal(told[0][0], "captured");
});

test("a response that the application brings is the request that went out before", () => {
  const { told, open, hear } = page();
  open(1, 1500, FETCH, URL, "");
  hear(entry(1000, 1900));
  assert.deepEqual(told, [["transferred", 1, 1900]]);
});

test("each engine's word for an event source is understood; its connections are one stream, watched or not", () => {
  const chromium = { initiatorType: "other", contentType: "text/event-stream" };
  const { told, open, hear } = page();
  open(1, 1000, EVENT_SOURCE, URL, "GET");
  hear(entry(1000.3, 1500, chromium), entry(4500, 4900, chromium), entry(9000, 9500, { initiatorType: "eventsource" }));
  assert.deepEqual(told, []);
  hear(entry(1000, 1500, { ...chromium, name: "https://app.example/other" }));
  hear(entry(1000, 1500, { initiatorType: "eventsource", name: "https://app.example/another" }));
  assert.deepEqual(
    told.map(([kind, transport]) => [kind, transport]),
    Array(2).fill(["captured", EVENT_SOURCE]),
  );
});

test("icons, scripts, the SDK's own requests and files are nobody's", () => {
  const { told, hear } = page((url) => url === "https://collector.example/");
  hear(
    entry(1, 2, { initiatorType: "other", contentType: "image/png" }),
    entry(1, 2, { initiatorType: "script" }),
    entry(1, 2, { initiatorType: "beacon" }),
    entry(1, 2, { name: "https://collector.example/" }),
    entry(1, 2, { name: "https://app.example/assets/chat-vitals-1a2b.wasm?v=1" }),
  );
  assert.deepEqual(told, []);
});

test("an XMLHttpRequest that nobody saw is told as one; nothing is told after the end", () => {
  const { tap, told, hear, isObserved } = page();
  hear(entry(1, 2, { initiatorType: "xmlhttprequest" }));
  assert.equal(told[0][1], XHR);
  tap.on = false;
  hear(entry(3, 4));
  assert.deepEqual([told.length, isObserved()], [1, false]);
});
