/**
 * What a page can do with `fetch` and `EventSource`. Each runs in an untouched page and in a tapped one, and what it
 * answers with must be the same. They run in the browser; `key` names the stream at the server.
 */
const url = (key, rest = "") => `/sse?key=${key}${rest}`;
const text = (bytes) => new TextDecoder().decode(bytes);
const state = async (key) => (await fetch(`/state?key=${key}`)).json();
const closed = async (key) => (await fetch(`/wait-closed?key=${key}`)).json();
const tick = () => new Promise((resolve) => setTimeout(resolve));
/** The error as the page sees it. */
const outcome = (promise) =>
  promise.then(
    (value) => ["value", typeof value === "object" ? Object.prototype.toString.call(value) : value],
    (error) => ["error", error?.name, error?.message, Object.keys(error ?? {}), Object.prototype.toString.call(error)],
  );
const drain = async (reader) => {
  let all = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all += text(value);
  }
};
/** Which came first: the promise, or so many microtasks? */
const order = async (make) => {
  const log = [];
  let micro = Promise.resolve();
  const promise = make();
  for (let i = 0; i < 4; i++) micro = micro.then(() => log.push(i));
  promise.then(
    () => log.push("resolved"),
    () => log.push("rejected"),
  );
  await micro;
  await promise.catch(() => {});
  await tick();
  return log;
};
/** Rejections that nobody handles, while `run` runs. */
const unhandled = async (run) => {
  const seen = [];
  const note = (event) => {
    event.preventDefault();
    seen.push([event.type, event.reason?.name]);
  };
  addEventListener("unhandledrejection", note);
  addEventListener("rejectionhandled", note);
  const late = await run();
  await tick();
  await tick();
  if (late) {
    late.promise.catch(() => {});
    await tick();
    await tick();
  }
  removeEventListener("unhandledrejection", note);
  removeEventListener("rejectionhandled", note);
  return seen;
};
const aborted = (reason) => {
  const controller = new AbortController();
  controller.abort(reason);
  return controller.signal;
};

export const scenarios = {
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
    const result = [await reader.cancel("enough"), await closed(key), await reader.read(), await reader.closed];
    return result;
  },
  async cancelByBody(key) {
    const { body } = await fetch(url(key, "&open"));
    const reader = body.getReader();
    const locked = await outcome(body.cancel());
    await reader.read();
    reader.releaseLock();
    return [locked, await outcome(body.cancel()), await closed(key), await outcome(reader.read())];
  },
  async sixCancelledThenGet(key) {
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
    const response = await fetch(url(key, "&open"), { signal: controller.signal });
    const reader = response.body.getReader();
    await reader.read();
    const next = reader.read();
    controller.abort(reason);
    const same = await next.catch((error) => error === reason);
    return [same, await outcome(next), await outcome(reader.closed), await outcome(reader.read()), await closed(key)];
  },
  async abortByRequestSignal(key) {
    const controller = new AbortController();
    const reader = (await fetch(new Request(url(key, "&open"), { signal: controller.signal }))).body.getReader();
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
    return [text((await reader.read()).value), await outcome(reader.read()), await outcome(reader.closed)];
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
        const reader = (await fetch(url(`${key}d`, "&open&n=0"))).body.getReader();
        reader.read();
        reader.releaseLock();
      }),
    };
  },
  async byob(key) {
    const reader = (await fetch(url(key))).body.getReader({ mode: "byob" });
    let all = "";
    let view = new Uint8Array(7);
    for (;;) {
      const { done, value } = await reader.read(view);
      if (done) return [all, value?.byteLength, reader instanceof ReadableStreamBYOBReader];
      all += text(value);
      view = new Uint8Array(value.buffer);
    }
  },
  async tee(key) {
    const [a, b] = (await fetch(url(key, "&gap=5"))).body.tee();
    return Promise.all([drain(a.getReader()), drain(b.getReader())]);
  },
  async teeOneCancelled(key) {
    const [a, b] = (await fetch(url(key, "&open"))).body.tee();
    const reader = b.getReader();
    await reader.read();
    const cancelled = a.cancel();
    await tick();
    const open = await state(key);
    await reader.cancel();
    await cancelled;
    return [open.sent > 0, await closed(key)];
  },
  async cloneTwice(key) {
    const response = await fetch(url(key));
    const one = response.clone();
    const two = response.clone();
    const same = [one.url === response.url, one.type, one instanceof Response];
    return [same, await two.text(), await drain(response.body.getReader()), one.bodyUsed];
  },
  async pipeThroughDecoder(key) {
    const response = await fetch(url(key, "&gap=5"));
    const decoded = response.body.pipeThrough(new TextDecoderStream());
    const locked = [response.body.locked];
    const parts = [];
    for await (const part of decoded) parts.push(part);
    await tick();
    locked.push(response.body.locked);
    return [parts.join(""), locked];
  },
  async pipeThroughCancelled(key) {
    const response = await fetch(url(key, "&open"));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    await reader.cancel("enough");
    return closed(key);
  },
  async pipeThroughReset(key) {
    const response = await fetch(url(key, "&n=1&reset"));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    return [await reader.read(), await outcome(reader.read())];
  },
  async pipeThroughRefused(key) {
    const { body } = await fetch(url(key));
    const seen = [];
    for (const pair of [undefined, {}, { writable: new WritableStream(), readable: 1 }]) {
      try {
        body.pipeThrough(pair);
        seen.push("accepted");
      } catch (error) {
        seen.push([error.name, error.message, body.locked]);
      }
    }
    await body.cancel();
    return seen;
  },
  async pipeTo(key) {
    const { body } = await fetch(url(key));
    let all = "";
    const end = await outcome(
      body.pipeTo(
        new WritableStream({
          write(chunk) {
            all += text(chunk);
          },
        }),
      ),
    );
    return [all, end, body.locked];
  },
  async pipeToAborted(key) {
    const controller = new AbortController();
    const reason = new Error("user stop");
    const { body } = await fetch(url(key, "&open"));
    let abortedWith;
    const sink = new WritableStream({
      write: () => controller.abort(reason),
      abort(why) {
        abortedWith = why;
      },
    });
    const same = await body.pipeTo(sink, { signal: controller.signal }).catch((error) => error === reason);
    return [same, abortedWith === reason, await closed(key), body.locked];
  },
  async pipeToFailingSink(key) {
    const broken = new Error("disk full");
    const { body } = await fetch(url(key, "&open"));
    const sink = new WritableStream({
      write() {
        throw broken;
      },
    });
    return [await body.pipeTo(sink).catch((error) => error === broken), await closed(key), body.locked];
  },
  async pipeToPreventCancel(key) {
    const { body } = await fetch(url(key, "&gap=20"));
    const sink = new WritableStream({
      write() {
        throw new Error("full");
      },
    });
    await body.pipeTo(sink, { preventCancel: true }).catch(() => {});
    return [body.locked, (await drain(body.getReader())).length > 0];
  },
  async iterate(key) {
    const { body } = await fetch(url(key, "&gap=5"));
    let all = "";
    for await (const chunk of body) all += text(chunk);
    return [all, body.locked, body.values === body[Symbol.asyncIterator], body.values.name];
  },
  async iterateAndLeave(key) {
    const { body } = await fetch(url(key, "&open"));
    for await (const _ of body) break;
    return [body.locked, await closed(key)];
  },
  async iterateAndThrow(key) {
    const { body } = await fetch(url(key, "&open"));
    try {
      for await (const _ of body) throw new Error("page");
    } catch (error) {
      return [error.message, await closed(key)];
    }
  },
  async iterateAndKeep(key) {
    const { body } = await fetch(url(key, "&gap=20"));
    for await (const _ of body.values({ preventCancel: true })) break;
    return (await drain(body.getReader())).length > 0;
  },
  /** Bytes pulled are bytes that the page asked for, and what the browser buffers by itself. */
  async backpressure(key) {
    const reader = (await fetch(`/flood?key=${key}`)).body.getReader();
    await reader.read();
    let before;
    let { sent } = await state(key);
    while (sent !== before) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      before = sent;
      ({ sent } = await state(key));
    }
    await reader.cancel();
    return [sent < 150 * 1024 * 1024, await closed(key)];
  },
  async backpressureOfPipe(key) {
    const { body } = await fetch(`/flood?key=${key}`);
    let took = 0;
    const reader = body.pipeThrough(new TransformStream()).getReader();
    took += (await reader.read()).value.length;
    let before;
    let { sent } = await state(key);
    while (sent !== before) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      before = sent;
      ({ sent } = await state(key));
    }
    await reader.cancel();
    return [took > 0, sent < 150 * 1024 * 1024, await closed(key)];
  },
  async refusedByPolicy() {
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = "connect-src 'self'";
    document.head.append(meta);
    const call = () => fetch("http://localhost:1/");
    return [await outcome(call()), await unhandled(() => void call())];
  },
  async twoReaders(key) {
    const { body } = await fetch(url(key, "&gap=20"));
    const first = body.getReader();
    const { value } = await first.read();
    first.releaseLock();
    return text(value) + (await drain(body.getReader()));
  },
  async responseOfBody(key) {
    return new Response((await fetch(url(key))).body).text();
  },
  async compileStreaming() {
    return Object.prototype.toString.call(await WebAssembly.compileStreaming(fetch("/x.wasm")));
  },
  async cachePut(key) {
    const cache = await caches.open("t");
    await cache.put("/kept", await fetch(url(key)));
    return (await cache.match("/kept")).text();
  },
  async echoes() {
    const form = new FormData();
    form.set("file", new Blob(["bytes"]), "a.txt");
    const inputs = {
      string: () => `${location.origin}/echo`,
      relative: () => "/echo",
      url: () => new URL("/echo", location.href),
      request: () => new Request("/echo", { method: "POST", body: "hi", headers: { "x-k": "r" } }),
      object: () => ({ toString: () => "/echo" }),
    };
    const inits = {
      none: () => undefined,
      method: () => ({ method: "PUT", body: "b" }),
      object: () => ({ headers: { "x-k": "v" } }),
      headers: () => ({ headers: new Headers({ "x-k": "v" }) }),
      tuples: () => ({ headers: [["x-k", "v"]] }),
      map: () => ({ headers: new Map([["x-k", "v"]]) }),
      generator: () => ({ headers: new Map([["x-k", "v"]]).entries() }),
      form: () => ({ method: "POST", body: form }),
    };
    const seen = {};
    for (const [i, input] of Object.entries(inputs)) {
      for (const [j, init] of Object.entries(inits)) {
        seen[`${i} ${j}`] = await fetch(input(), init()).then(
          (response) => response.json(),
          (error) => error.message,
        );
      }
    }
    return seen;
  },
  /** Getters are asked as often as natively, and the page's objects stay as they were. */
  async asksOnce() {
    let asked = 0;
    const init = {
      get method() {
        asked++;
        return "POST";
      },
      body: "x",
    };
    const input = {
      toString() {
        asked++;
        return "/echo";
      },
    };
    await fetch(input, init);
    const frozen = Object.freeze({ method: "POST", headers: Object.freeze({ "x-k": "v" }), body: "b" });
    const echo = await (await fetch("/echo", frozen)).json();
    return [asked, echo];
  },
  async eventSource(key) {
    const source = new EventSource(`/events?key=${key}`);
    const log = [];
    source.addEventListener("odd", { handleEvent: (event) => log.push([event.type, event.data, event.lastEventId]) });
    await new Promise((resolve) => {
      source.onopen = () => log.push("open");
      source.onmessage = (event) => {
        log.push([event.type, event.data, event.lastEventId]);
        if (event.lastEventId >= 6) resolve();
      };
    });
    source.onmessage = null;
    const before = source.readyState;
    source.close();
    return [log, before, source.readyState, source.onmessage];
  },
  async eventSourceLooksNative() {
    class Sub extends EventSource {
      own() {
        return 1;
      }
    }
    const source = new Sub("/events?key=sub", { withCredentials: true });
    source.close();
    const looks = [
      EventSource.name,
      EventSource.length,
      /\[native code\]/.test(String(EventSource)),
      EventSource.CLOSED,
      source instanceof EventSource,
      source instanceof Sub,
      source.constructor === Sub,
      source.own(),
      source.withCredentials,
      Object.keys(source),
      new EventSource("/events?key=c").constructor === EventSource,
    ];
    const refused = [];
    for (const make of [() => EventSource("/x"), () => new EventSource(), () => new EventSource("http://[")]) {
      try {
        make();
      } catch (error) {
        refused.push([error.name, error.message]);
      }
    }
    return [looks, refused];
  },
  async eventSourceRefused() {
    const source = new EventSource("/json");
    await new Promise((resolve) => {
      source.onerror = resolve;
    });
    return source.readyState;
  },
};
