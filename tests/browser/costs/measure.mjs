/**
 * What the package costs a page, always beside the same page without it in the same run: how soon the server sees that a
 * stream is given up, how much is pulled for a slow reader, how much memory is left behind, how soon `fetch` resolves.
 * May touch: a browser and the streaming server.
 */
import { setTimeout as pause } from "node:timers/promises";
import { leftBehind } from "./heap.mjs";
import { residentGrowth } from "./resident.mjs";

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

const cancel = () => void globalThis.reader.cancel();
/** A stream that has said one thing and stays open, and one that goes on and on. */
const QUIET = "/sse?open&n=1";
const BUSY = "/sse?n=1e6&gap=2&more=2000";

/** What a page does to be rid of a stream, and of which; each is handed to the page as a whole. */
const ACTS = {
  "cancel()": { of: QUIET, act: cancel },
  "cancel() of a busy stream": { of: BUSY, act: cancel },
  "abort()": { of: QUIET, act: () => globalThis.controller.abort() },
  // A page that the browser may bring back keeps its streams: one that listens to unload is let go.
  navigation: {
    of: QUIET,
    act: () => {
      addEventListener("unload", () => {});
      setTimeout(() => {
        location.href = "/blank?next";
      }, 50);
    },
  },
};

/** Longer than anybody waits: Firefox keeps a quiet stream open that was cancelled, Chromium some for five seconds. */
export const NEVER = 1500;

/** Milliseconds from the act to the server's notice of it, `NEVER` at most. */
const closing = async (browser, page, { of, act }) => {
  const key = fresh();
  await page.evaluate(async (url) => {
    globalThis.controller = new AbortController();
    const { signal } = globalThis.controller;
    globalThis.reader = (await fetch(url, { signal })).body.getReader();
    await globalThis.reader.read();
  }, `${of}&key=${key}`);
  const { closed } = browser.stream(key);
  const began = now();
  await page.evaluate(act);
  await Promise.race([closed, pause(NEVER)]);
  return Math.min(NEVER, (browser.stream(key).closedAt ?? Number.POSITIVE_INFINITY) - began);
};

/** act → kind → times. The kinds take turns, so that a busy moment of the machine meets both. */
export const closeTimes = async (browser, runs) => {
  const times = {};
  for (const [name, act] of Object.entries(ACTS)) {
    times[name] = { native: [], measured: [] };
    for (let run = 0; run < runs; run++) {
      for (const kind of KINDS) {
        const page = await open(browser, kind);
        times[name][kind].push(await closing(browser, page, act));
        // Chromium does not tell of the end of a page that went on past an unload listener; the browser ends it.
        await Promise.race([page.close(), pause(500)]);
      }
    }
  }
  return times;
};

/** More than fits anywhere between a server and a page, or could be kept without being seen. */
export const FLOOD = 200 * 2 ** 20;

/** Bytes that the server could send to a page that reads one chunk and then waits. */
export const pulled = async (browser, kind) => {
  const page = await open(browser, kind);
  const key = fresh();
  await page.evaluate(async (url) => {
    globalThis.reader = (await fetch(url)).body.getReader();
    await globalThis.reader.read();
  }, `/flood?size=${FLOOD}&key=${key}`);
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

/** Reads them to the end and drops them. */
export const flood = (page) =>
  page.evaluate(async (url) => {
    const reader = (await fetch(url)).body.getReader();
    while (!(await reader.read()).done);
  }, `/flood?size=${FLOOD}&key=${fresh()}`);

/** Calls of a page are short, whatever the machine is busy with. */
const AT_ONCE = 500;

/**
 * Reads `count` small streams, in turn in all the ways there are, a few side by side; with one signal for all of them, as
 * a page has that aborts whatever runs when it is left.
 */
export const streams = async (page, count) => {
  for (let done = 0; done < count; done += AT_ONCE) {
    await page.evaluate(
      async (count, key) => {
        globalThis.leaving ??= new AbortController();
        const { signal } = globalThis.leaving;
        const get = (path, options) => fetch(`${path}?n=1&key=${key}`, { signal, ...options });
        const read = async (body) => {
          const reader = body.getReader();
          while (!(await reader.read()).done);
        };
        const ways = [
          async () => (await get("/sse")).text(),
          async () => read((await get("/sse", { method: "POST", body: '{"stream":true}' })).body),
          async () => read((await get("/sse")).body.pipeThrough(new TextDecoderStream())),
          async () => (await get("/sse")).body.cancel(),
          async () => {
            const response = await get("/sse");
            await Promise.all([response.clone().text(), response.text()]);
          },
          // Only looked at for their headers.
          () => get("/json"),
          () =>
            new Promise((resolve) => {
              const request = new XMLHttpRequest();
              request.open("GET", `/sse?n=1&key=${key}`);
              request.onload = resolve;
              request.send();
            }),
          () =>
            new Promise((resolve) => {
              const source = new EventSource(`/sse?n=1&key=${key}`);
              source.onmessage = () => resolve(source.close());
            }),
        ];
        let next = 0;
        const go = async () => {
          while (next < count) await ways[next++ % ways.length]();
        };
        await Promise.all([go(), go(), go(), go()]);
      },
      Math.min(AT_ONCE, count - done),
      fresh(),
    );
  }
};

/** What `work(page)` leaves behind in a page of this kind when it is done once more: as `leftBehind` tells it. */
export const growth = async (browser, kind, work) => {
  const page = await open(browser, kind);
  const left = await leftBehind(page, () => work(page));
  await page.close();
  return left;
};

/** The same for engines that do not tell, in bytes of the whole browser. */
export const resident = async (browser, kind, work) => {
  const page = await open(browser, kind);
  const grown = await residentGrowth(page, browser.pid, () => work(page));
  await page.close();
  return grown;
};
