/** What a page can do with a request and its answer as a whole. See scenarios.mjs. */
import {
  aborted,
  closed,
  closedByCancel,
  drain,
  engine,
  inTime,
  lacks,
  order,
  outcome,
  text,
  tick,
  unhandled,
  url,
} from "./in-page.mjs";

export const requests = {
  async readToTheEnd(key) {
    const response = await fetch(url(key, "&gap=5"));
    return [await drain(response.body.getReader()), response.bodyUsed];
  },
  async looksNative(key) {
    const promise = fetch(url(key));
    const response = await promise;
    const again = await promise;
    const reader = response.body.getReader();
    const { closed: ends } = reader;
    const looks = [
      fetch.name,
      fetch.length,
      /\[native code\]/.test(String(fetch)),
      promise instanceof Promise,
      Object.prototype.toString.call(promise),
      response === again,
      response.body === again.body,
      Object.keys(response),
      Object.keys(response.body),
      Object.keys(reader),
      reader.read.name,
      reader.read.length,
      /\[native code\]/.test(String(reader.read)),
      reader instanceof ReadableStreamDefaultReader,
      reader.closed === ends,
      Object.getOwnPropertyDescriptor(Response.prototype, "status").get.call(response),
      Object.getOwnPropertyDescriptor(globalThis, "fetch").enumerable,
    ];
    await reader.cancel();
    return looks;
  },
  async urlAndType() {
    const response = await fetch("/redirect");
    await response.text();
    return [new URL(response.url).pathname, response.redirected, response.type, response.status, response.ok];
  },
  async wholeText(key) {
    const response = await fetch(url(key));
    return [await response.text(), await outcome(response.text()), await order(() => response.text())];
  },
  async wholeJson() {
    const response = await fetch("/json", { method: "POST", body: '{"stream": true}' });
    return response.json();
  },
  async brokenJson() {
    return outcome((await fetch("/broken", { method: "POST", body: '{"stream":true}' })).json());
  },
  async wholeOthers(key) {
    const get = () => fetch(url(key));
    return [
      (await (await get()).arrayBuffer()).byteLength,
      await (await (await get()).blob()).text(),
      (await get()).bytes ? (await (await get()).bytes()).length : null,
      await outcome((await get()).formData()),
    ];
  },
  async emptyBody() {
    const response = await fetch("/empty");
    return [response.status, response.body, await response.text()];
  },
  async cancelByReader(key) {
    const reader = (await fetch(url(key, "&open"))).body.getReader();
    await reader.read();
    const result = [await reader.cancel("enough"), await closedByCancel(key), await reader.read(), await reader.closed];
    return result;
  },
  async cancelByBody(key) {
    const { body } = await fetch(url(key, "&open"));
    const reader = body.getReader();
    const locked = await outcome(body.cancel());
    await reader.read();
    reader.releaseLock();
    return [locked, await outcome(body.cancel()), await closedByCancel(key), await outcome(reader.read())];
  },
  async sixCancelledThenGet(key) {
    if (!engine.cancelCloses) lacks("connection that a cancel sets free");
    for (let i = 0; i < 6; i++) {
      const reader = (await fetch(url(`${key}${i}`, "&open"))).body.getReader();
      await reader.read();
      await reader.cancel();
    }
    return (await fetch("/json")).json();
  },
  async abortMidStream(key) {
    const controller = new AbortController();
    const reason = new Error("user stop");
    const response = await fetch(url(key, "&open&n=1"), { signal: controller.signal });
    const reader = response.body.getReader();
    await reader.read();
    const next = reader.read();
    controller.abort(reason);
    const same = await next.catch((error) => error === reason);
    return [same, await outcome(next), await outcome(reader.closed), await outcome(reader.read()), await closed(key)];
  },
  async abortByRequestSignal(key) {
    const controller = new AbortController();
    const reader = (await fetch(new Request(url(key, "&open&n=1"), { signal: controller.signal }))).body.getReader();
    await reader.read();
    controller.abort();
    return [await outcome(reader.read()), await closed(key)];
  },
  async abortWhileNobodyReads(key) {
    const controller = new AbortController();
    const reader = (await fetch(url(key, "&open"), { signal: controller.signal })).body.getReader();
    await reader.read();
    controller.abort();
    await closed(key);
    return true;
  },
  async abortBeforeHeaders() {
    const controller = new AbortController();
    const promise = fetch("/wait-closed?key=never", { signal: controller.signal });
    await tick();
    controller.abort();
    return outcome(promise);
  },
  async serverReset(key) {
    const reader = (await fetch(url(key, "&n=1&reset"))).body.getReader();
    const first = text((await reader.read()).value);
    const end = await inTime(outcome(reader.read()), "end to a stream that the server resets");
    return [first, end, await outcome(reader.closed)];
  },
  async rejectsAtOnce() {
    const used = new Request("/echo", { method: "POST", body: "x" });
    await used.text();
    const calls = {
      noArguments: () => fetch(),
      aborted: () => fetch("/json", { signal: aborted() }),
      abortedRequest: () => fetch(new Request("/json", { signal: aborted(new Error("r")) })),
      badUrl: () => fetch("http://["),
      credentials: () => fetch("http://user:pass@127.0.0.1/"),
      symbol: () => fetch(Symbol("s")),
      badMethod: () => fetch("/json", { method: "CONNECT" }),
      bodyOfGet: () => fetch("/json", { body: "x" }),
      badHeader: () => fetch("/json", { headers: { "a b": "c" } }),
      badMode: () => fetch("/json", { mode: "nope" }),
      usedRequest: () => fetch(used),
      initNumber: () => fetch("/json", 5),
      notASignal: () => fetch("/json", { signal: {} }),
      wrongThis: () => fetch.call({}, "/json"),
      streamWithoutDuplex: () => fetch("/echo", { method: "POST", body: new ReadableStream() }),
      scheme: () => fetch("nope://x"),
    };
    const seen = {};
    for (const [name, call] of Object.entries(calls)) {
      let thrown = false;
      try {
        seen[name] = [await outcome(call()), await order(call), await unhandled(() => void call())];
      } catch (error) {
        thrown = String(error);
      }
      if (thrown) seen[name] = thrown;
    }
    return seen;
  },
  async resolvesAnyway() {
    return [
      (await fetch("/json", null)).status,
      (await fetch("/json", undefined)).status,
      (await fetch({ toString: () => "/json" })).status,
    ];
  },
  /** The ways in which a request says that it wants a stream; and two that don't. */
  async asksForStream() {
    const post = (path, body, accept = "*/*") => fetch(path, { method: "POST", body, headers: { accept } });
    await post("/json", '{"stream": true}');
    await post("/json", '{"stream_mode":["messages"]}');
    await post("/json", "{}", "text/event-stream");
    await post("/echo/models/m:streamGenerateContent?alt=sse", "{}");
    await post("/echo/runs/stream", "{}");
    await post("/json", '{"stream":false}');
    await post("/echo/livestream", "{}");
    return true;
  },
  /** Whoever wraps us forwards what it was given, as bytes or as a request of its own. */
  async stackedWrappers() {
    const below = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init);
      return below(request.url, { method: request.method, headers: request.headers, body: request.body && init.body });
    };
    const outer = globalThis.fetch;
    globalThis.fetch = (input, init) => outer(input, init);
    const echo = await (await fetch("/echo", { method: "POST", body: "plain", headers: { "x-k": "v" } })).json();
    globalThis.fetch = below;
    return [echo, (await fetch("/echo", { method: "POST", body: "again" }).then((response) => response.json())).body];
  },
  /** A stranger's server allows what the page itself sends, and nothing of ours. */
  async crossOrigin(key) {
    const stranger = `${location.protocol}//localhost:${location.port}/stranger?key=${key}`;
    const send = (init) => fetch(stranger, init).then((response) => response.json());
    const headers = { "content-type": "application/json" };
    const xhr = new XMLHttpRequest();
    await new Promise((resolve) => {
      xhr.onloadend = resolve;
      xhr.open("POST", stranger);
      xhr.setRequestHeader("content-type", "text/plain");
      xhr.send("simple");
    });
    return [
      await send(),
      await send({ method: "POST", body: "simple" }),
      await send({ method: "POST", body: '{"stream":true}', headers }),
      xhr.responseText,
    ];
  },
  async networkError() {
    return outcome(fetch("http://127.0.0.1:9/"));
  },
  async unhandledRejections(key) {
    const later = (run) => unhandled(run);
    return {
      network: await later(async () => {
        fetch("http://127.0.0.1:9/");
        await new Promise((resolve) => setTimeout(resolve, 200));
      }),
      handledLate: await later(async () => {
        const promise = fetch("http://127.0.0.1:9/");
        await new Promise((resolve) => setTimeout(resolve, 200));
        return { promise };
      }),
      abortBeforeHeaders: await later(async () => {
        const controller = new AbortController();
        fetch("/wait-closed?key=never2", { signal: controller.signal });
        await tick();
        controller.abort();
      }),
      danglingRead: await later(async () => {
        const controller = new AbortController();
        const reader = (await fetch(url(`${key}a`, "&open&n=1"), { signal: controller.signal })).body.getReader();
        await reader.read();
        reader.read();
        controller.abort();
      }),
      serverReset: await later(async () => {
        const response = await fetch(url(`${key}b`, "&n=1&reset"));
        response.text();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }),
      cancelled: await later(async () => {
        const reader = (await fetch(url(`${key}c`, "&open"))).body.getReader();
        reader.read();
        reader.cancel();
      }),
      released: await later(async () => {
        // One event, as some engines tell of an answer only when the first of it is there.
        const reader = (await fetch(url(`${key}d`, "&open&n=1"))).body.getReader();
        await reader.read();
        reader.read();
        reader.releaseLock();
      }),
    };
  },
};
