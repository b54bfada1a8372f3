/**
 * What the package costs a page, always beside the same page without it in the same run: how soon the server sees that a
 * stream is given up, how much is pulled for a slow reader, how much memory is left behind, how soon `fetch` resolves.
 * May touch: a browser and the streaming server.
 */
import { setTimeout as pause } from "node:timers/promises";

export const KINDS = ["native", "measured"];

/** A page that is measured (everything is taken for a chat, nothing is sent anywhere) or not. */
export const open = async (browser, kind) => {
  const page = await browser.page("/blank?script=/noted.js");
  if (kind === "measured") {
    await page.evaluate(async () => {
      const { init } = await import("/dist/index.js");
      const vitals = init({ match: "/", send: () => {} });
      if ((await vitals.ready) !== "full") throw new Error("the engine did not start");
    });
  }
  return page;
};

const sorted = (values) => [...values].sort((a, b) => a - b);
export const quantile = (values, share) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))];
export const median = (values) => quantile(values, 0.5);

let keys = 0;
const fresh = () => `cost${++keys}`;
const now = () => performance.timeOrigin + performance.now();

/** What a page does to be rid of a stream; each is handed to the page as a whole. */
const ACTS = {
  cancel: () => void globalThis.reader.cancel(),
  abort: () => globalThis.controller.abort(),
  // A page that the browser may bring back keeps its streams: one that listens to unload is let go.
  navigation: () => {
    addEventListener("unload", () => {});
    setTimeout(() => {
      location.href = "/blank?next";
    }, 50);
  },
};

/** Longer than anybody waits: Firefox keeps a quiet stream open that was cancelled, Chromium some for five seconds. */
export const NEVER = 1500;

/** Milliseconds from the act to the server's notice of it, `NEVER` at most. */
const closing = async (browser, page, act) => {
  const key = fresh();
  await page.evaluate(async (key) => {
    globalThis.controller = new AbortController();
    const { signal } = globalThis.controller;
    globalThis.reader = (await fetch(`/sse?open&n=1&key=${key}`, { signal })).body.getReader();
    await globalThis.reader.read();
  }, key);
  const { closed } = browser.stream(key);
  const began = now();
  await page.evaluate(ACTS[act]);
  await Promise.race([closed, pause(NEVER)]);
  return Math.min(NEVER, (browser.stream(key).closedAt ?? Number.POSITIVE_INFINITY) - began);
};

/** act → kind → times. The kinds take turns, so that a busy moment of the machine meets both. */
export const closeTimes = async (browser, runs) => {
  const times = {};
  for (const act of Object.keys(ACTS)) {
    times[act] = { native: [], measured: [] };
    for (let run = 0; run < runs; run++) {
      for (const kind of KINDS) {
        const page = await open(browser, kind);
        times[act][kind].push(await closing(browser, page, act));
        // Chromium does not tell of the end of a page that went on past an unload listener; the browser ends it.
        await Promise.race([page.close(), pause(500)]);
      }
    }
  }
  return times;
};

/** Bytes that the server could send to a page that reads one chunk and then waits. */
export const pulled = async (browser, kind) => {
  const page = await open(browser, kind);
  const key = fresh();
  await page.evaluate(async (key) => {
    globalThis.reader = (await fetch(`/flood?key=${key}`)).body.getReader();
    await globalThis.reader.read();
  }, key);
  let before = -1;
  while (browser.stream(key).sent !== before) {
    before = browser.stream(key).sent;
    await pause(400);
  }
  await page.close();
  return before;
};

/** Milliseconds until `fetch` of a stream resolves, measured in the page. */
export const resolving = async (browser, kind, runs) => {
  const page = await open(browser, kind);
  const times = await page.evaluate(
    async (runs, key) => {
      const times = [];
      for (let run = 0; run < runs; run++) {
        const began = performance.now();
        const { body } = await fetch(`/sse?open&n=1&key=${key}-${run}`);
        times.push(performance.now() - began);
        await body.cancel();
      }
      return times;
    },
    runs,
    fresh(),
  );
  await page.close();
  return times;
};

/** Reads a flood to its end and drops it. */
export const flood = async (page, key) =>
  page.evaluate(async (key) => {
    const reader = (await fetch(`/flood?key=${key}`)).body.getReader();
    while (!(await reader.read()).done);
  }, key);

/** Reads `count` small streams, one after the other. */
export const streams = async (page, key, count) =>
  page.evaluate(
    async (key, count) => {
      for (let i = 0; i < count; i++) await (await fetch(`/sse?n=1&key=${key}${i}`)).text();
    },
    key,
    count,
  );

/** Bytes that Chromium holds for a page after a collection: objects, what they own in the engine, buffers and wasm. */
const held = async (client) => {
  for (let i = 0; i < 3; i++) await client.send("HeapProfiler.collectGarbage");
  const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await client.send("Runtime.getHeapUsage");
  return usedSize + embedderHeapUsedSize + backingStorageSize;
};

/** Growth in bytes over `work(page, key)`, after a first round that warms everything up. Chromium only. */
export const growth = async (browser, kind, work) => {
  const page = await open(browser, kind);
  const client = await page.puppeteer.createCDPSession();
  await client.send("HeapProfiler.enable");
  await work(page, fresh());
  const before = await held(client);
  await work(page, fresh());
  const after = await held(client);
  await page.close();
  return after - before;
};
