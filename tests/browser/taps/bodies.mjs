/** What a page can do with the stream of a body. See scenarios.mjs. */
import {
  closed,
  closedByCancel,
  drain,
  inTime,
  lacks,
  outcome,
  state,
  text,
  tick,
  unhandled,
  url,
} from "./in-page.mjs";

const byobReader = (body) => {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return lacks("bodies that are byte streams");
  }
};
const needsIteration = () => ReadableStream.prototype.values ?? lacks("iteration of streams");
const RESET = "end to a stream that the server resets";
// More than any engine buffers by itself, where it buffers within bounds at all.
const MUCH = 48 * 1024 * 1024;
/** Waits until no more is sent; answers with how much was. */
const atRest = async (key) => {
  let before;
  let { sent } = await state(key);
  while (sent !== before && sent < MUCH) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    before = sent;
    ({ sent } = await state(key));
  }
  return sent;
};

export const bodies = {
  async byob(key) {
    const reader = byobReader((await fetch(url(key))).body);
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
    return [open.sent > 0, await closedByCancel(key)];
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
    const reader = decoded.getReader();
    let all = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) all += read.value;
    await tick();
    locked.push(response.body.locked);
    return [all, locked];
  },
  async pipeThroughCancelled(key) {
    const response = await fetch(url(key, "&open"));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    await reader.cancel("enough");
    return closedByCancel(key);
  },
  /** Firefox tells of `rejectionhandled` for each promise in between: as often, and in the same order. */
  async pipesAborted(key) {
    const controller = new AbortController();
    const { body } = await fetch(url(key, "&open&n=1"), { signal: controller.signal });
    const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream()).getReader();
    await reader.read();
    const next = outcome(reader.read());
    controller.abort();
    return [await next, await closed(key)];
  },
  /**
   * What comes of an abort and a cancel at once is the same, but for Firefox' `rejectionhandled`: the cancel overtakes the
   * body's error, of which a pipe of ours hears one step later (ARCHITECTURE.md, "How the taps hide").
   */
  async pipeAbortedAndCancelled(key) {
    const controller = new AbortController();
    const { body } = await fetch(url(key, "&open&n=1"), { signal: controller.signal });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();
    const next = outcome(reader.read());
    controller.signal.addEventListener("abort", () => reader.cancel().catch(() => {}));
    controller.abort();
    const seen = [await next, await outcome(reader.closed), await closed(key)];
    globalThis.noted.splice(
      0,
      globalThis.noted.length,
      ...globalThis.noted.filter(([kind]) => kind !== "rejectionhandled"),
    );
    return seen;
  },
  async pipeThroughReset(key) {
    const response = await fetch(url(key, "&n=1&reset"));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    return [await reader.read(), await inTime(outcome(reader.read()), RESET)];
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
    return [same, abortedWith === reason, await closedByCancel(key), body.locked];
  },
  async pipeToFailingSink(key) {
    const broken = new Error("disk full");
    const { body } = await fetch(url(key, "&open"));
    const sink = new WritableStream({
      write() {
        throw broken;
      },
    });
    return [await body.pipeTo(sink).catch((error) => error === broken), await closedByCancel(key), body.locked];
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
  /** Options are asked as often and in the same order as natively. */
  async asksOptionsOnce(key) {
    const asked = [];
    const options = (values) =>
      new Proxy(values, {
        get(target, name) {
          asked.push(String(name));
          return target[name];
        },
        has: () => true,
      });
    const get = async (n) => (await fetch(url(`${key}${n}`))).body;
    await (await get(1)).pipeTo(new WritableStream(), options({ preventClose: true }));
    const pair = options({ writable: new WritableStream(), readable: new ReadableStream() });
    (await get(2)).pipeThrough(pair, options({}));
    (await get(3)).getReader(options({}));
    const body = await get(4);
    if (body.values) await body.values(options({ preventCancel: false })).return();
    let unlikely = 0;
    const getters = (values) => {
      const made = {};
      for (const [name, value] of Object.entries(values)) {
        const get = () => {
          asked.push(`get ${name}`);
          return value;
        };
        Object.defineProperty(made, name, { get });
      }
      return made;
    };
    await (await get(6)).pipeTo(new WritableStream(), getters({ signal: undefined, preventCancel: false }));
    (await get(7)).pipeThrough(getters({ writable: new WritableStream(), readable: new ReadableStream() }));
    const throwing = {
      get signal() {
        unlikely++;
        throw new Error("page");
      },
    };
    asked.push(await outcome((await get(8)).pipeTo(new WritableStream(), throwing)), unlikely);
    const sent = new Map([["x-k", "v"]]);
    const headers = Object.assign(Object.create(sent), {
      [Symbol.iterator]() {
        asked.push("iterated");
        return sent[Symbol.iterator]();
      },
    });
    await fetch("/echo", options({ method: "POST", body: "x", headers }));
    const refused = await outcome((await get(5)).pipeTo(new WritableStream(), options({ signal: 1 })));
    return [asked, refused];
  },
  /** A pipe reads by itself, whatever the page has put in place of the ways to read. */
  async pipesPastPatches(key) {
    const called = [];
    const owners = [
      [ReadableStream.prototype, ["getReader", "cancel", "tee", "values"]],
      [ReadableStreamDefaultReader.prototype, ["read", "cancel", "releaseLock"]],
    ];
    const bodies = [(await fetch(url(key))).body, (await fetch(url(`${key}b`))).body];
    const restores = [];
    for (const [owner, names] of owners) {
      for (const name of names) {
        const below = owner[name];
        owner[name] = function (...args) {
          called.push(name);
          return below.apply(this, args);
        };
        restores.push(() => {
          owner[name] = below;
        });
      }
    }
    await bodies[0].pipeTo(new WritableStream());
    await bodies[1].pipeThrough(new TransformStream()).pipeTo(new WritableStream());
    for (const restore of restores) restore();
    return called;
  },
  async pipeToPreventing(key) {
    const { body } = await fetch(url(key, "&gap=5"));
    const parts = [];
    const sink = new WritableStream({ write: (chunk) => void parts.push(text(chunk)) });
    const end = await outcome(body.pipeTo(sink, { preventClose: true, preventAbort: true }));
    const writer = sink.getWriter();
    await writer.write(new Uint8Array([33]));
    return [end, parts.join(""), body.locked];
  },
  async pipeToPreventingReset(key) {
    const { body } = await fetch(url(key, "&n=1&reset"));
    const sink = new WritableStream();
    const end = await inTime(outcome(body.pipeTo(sink, { preventAbort: true })), RESET);
    const writer = sink.getWriter();
    return [end, await outcome(writer.write(1)), body.locked];
  },
  async pipeThroughPreventCancel(key) {
    const { body } = await fetch(url(key, "&gap=20"));
    const reader = body.pipeThrough(new TransformStream(), { preventCancel: true }).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return [value.length > 0, body.locked];
  },
  async cloneAfterRead(key) {
    const response = await fetch(url(key, "&gap=20"));
    const reader = response.body.getReader();
    await reader.read();
    const refused = [];
    try {
      response.clone();
    } catch (error) {
      refused.push(error.name, error.message);
    }
    reader.releaseLock();
    try {
      response.clone();
    } catch (error) {
      refused.push(error.name, error.message);
    }
    return [refused, (await drain(response.body.getReader())).length > 0, response.bodyUsed];
  },
  async branchAsResponse(key) {
    const [a, b] = (await fetch(url(key))).body.tee();
    const made = new Response(a);
    return [await made.text(), made.bodyUsed, a.locked, await drain(b.getReader())];
  },
  async iterate(key) {
    needsIteration();
    const { body } = await fetch(url(key, "&gap=5"));
    let all = "";
    for await (const chunk of body) all += text(chunk);
    return [all, body.locked, body.values === body[Symbol.asyncIterator], body.values.name];
  },
  async iterateAndLeave(key) {
    needsIteration();
    const { body } = await fetch(url(key, "&open"));
    for await (const _ of body) break;
    return [body.locked, await closedByCancel(key)];
  },
  async iterateAndThrow(key) {
    needsIteration();
    const { body } = await fetch(url(key, "&open"));
    try {
      for await (const _ of body) throw new Error("page");
    } catch (error) {
      return [error.message, await closedByCancel(key)];
    }
  },
  async iterateAndKeep(key) {
    needsIteration();
    const { body } = await fetch(url(key, "&gap=20"));
    for await (const _ of body.values({ preventCancel: true })) break;
    return (await drain(body.getReader())).length > 0;
  },
  /** Bytes pulled are bytes that the page asked for, and what the browser buffers by itself. */
  async backpressure(key) {
    const reader = (await fetch(`/flood?key=${key}`)).body.getReader();
    await reader.read();
    const sent = await atRest(key);
    await reader.cancel();
    return [sent < MUCH, await closed(key)];
  },
  async backpressureOfPipe(key) {
    const { body } = await fetch(`/flood?key=${key}`);
    let took = 0;
    const reader = body.pipeThrough(new TransformStream()).getReader();
    took += (await reader.read()).value.length;
    const sent = await atRest(key);
    await reader.cancel();
    return [took > 0, sent < MUCH, await closed(key)];
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
  async readerByConstructor(key) {
    return drain(new ReadableStreamDefaultReader((await fetch(url(key, "&gap=5"))).body));
  },
  async responseOfBody(key) {
    return new Response((await fetch(url(key))).body).text();
  },
};
