/** Streams: pipeTo() and pipeThrough(), of page's own streams and of bodies. */
import {
  brokenKinds,
  CHUNKS,
  collector,
  drain,
  each,
  frame,
  get,
  later,
  replaced,
  steps,
  subtest,
  telling,
  text,
  twoKinds,
  unhandled,
  WHOLE,
} from "./common.mjs";

const TERMS = ["preventAbort", "preventCancel", "preventClose", "signal"];
const aborted = (reason) => AbortSignal.abort(reason);
/** Eventually, for what happens in no given number of steps. */
const until = async (condition) => {
  for (let i = 0; i < 100 && !condition(); i++) await later(5);
  return condition();
};

/** WebKit's pipes that wait for a second chunk do not hear of aborts. */
const canAbort = await (async () => {
  const controller = new AbortController();
  const stream = new ReadableStream({ start: (own) => own.enqueue("x") });
  const promise = stream.pipeTo(new WritableStream(), { signal: controller.signal }).catch(() => true);
  await later(20);
  controller.abort();
  return Promise.race([promise, later(300)]);
})();

each("pipeTo() is fulfilled with undefined, everything written, closed", async (stream) => {
  const to = collector();
  assert_equals(await stream.pipeTo(to.writable), undefined);
  assert_equals(to.text, WHOLE);
  assert_true(to.closed);
  assert_false(stream.locked);
  assert_false(to.writable.locked);
});
each("pipeTo() locks both at once", async (stream) => {
  const to = collector();
  const promise = stream.pipeTo(to.writable);
  assert_true(stream.locked);
  assert_true(to.writable.locked);
  assert_true(promise instanceof Promise);
  await promise;
});
each("pipeTo() returns another promise each time", async (stream, t) => {
  const to = collector();
  const [a, b] = [stream.pipeTo(to.writable), stream.pipeTo(collector().writable)];
  assert_not_equals(a, b);
  await promise_rejects_js(t, TypeError, b);
  await a;
});
for (const preventClose of [true, false, "yes", 0, {}])
  each(`preventClose: ${JSON.stringify(preventClose)}`, async (stream) => {
    const to = collector();
    await stream.pipeTo(to.writable, { preventClose });
    assert_equals(!to.closed, !!preventClose);
    assert_equals(to.text, WHOLE);
  });
each("pipeTo() of a locked stream is rejected", async (stream, t) => {
  stream.getReader();
  const to = collector();
  await promise_rejects_js(t, TypeError, stream.pipeTo(to.writable));
  assert_false(to.writable.locked);
  assert_equals(to.aborted, undefined);
});
each("pipeTo() to a locked one is rejected", async (stream, t) => {
  const to = collector();
  to.writable.getWriter();
  await promise_rejects_js(t, TypeError, stream.pipeTo(to.writable));
  assert_false(stream.locked);
});
for (const [label, to] of Object.entries({
  nothing: undefined,
  null: null,
  "an object": {},
  text: "x",
  "a readable": new ReadableStream(),
}))
  each(
    `pipeTo() to ${label} is rejected`,
    async (stream, t) => {
      await promise_rejects_js(t, TypeError, stream.pipeTo(to));
      assert_false(stream.locked);
    },
    twoKinds,
  );
each("pipeTo() asks its terms in order, once", async (stream) => {
  const log = [];
  await stream.pipeTo(
    collector().writable,
    telling(log, { signal: undefined, preventClose: false, preventCancel: false, preventAbort: false }),
  );
  assert_array_equals(log, TERMS);
});
each("pipeTo() asks inherited terms in order, once", async (stream) => {
  const log = [];
  await stream.pipeTo(
    collector().writable,
    Object.create(telling(log, { signal: undefined, preventClose: false, preventCancel: false, preventAbort: false })),
  );
  assert_array_equals(log, TERMS);
});
each("pipeTo() asks a proxy of terms for no more than they are", async (stream) => {
  const log = [];
  const note =
    (trap) =>
    (target, name, ...rest) => (log.push(`${trap} ${String(name)}`), Reflect[trap](target, name, ...rest));
  await stream.pipeTo(
    collector().writable,
    new Proxy(
      {},
      {
        get: note("get"),
        has: note("has"),
        getOwnPropertyDescriptor: note("getOwnPropertyDescriptor"),
        ownKeys: note("ownKeys"),
      },
    ),
  );
  assert_array_equals(
    log,
    TERMS.map((name) => `get ${name}`),
  );
});
for (const term of TERMS) {
  each(`pipeTo(): what the getter of ${term} throws is what it is rejected with`, async (stream, t) => {
    const error = new Error("mine");
    const to = collector();
    await promise_rejects_exactly(
      t,
      error,
      stream.pipeTo(
        to.writable,
        Object.defineProperty({}, term, {
          get() {
            throw error;
          },
        }),
      ),
    );
    assert_false(stream.locked);
    assert_false(to.writable.locked);
  });
  each(`pipeThrough(): what the getter of ${term} throws is thrown`, async (stream) => {
    const error = new Error("mine");
    const pair = new TransformStream();
    assert_throws_exactly(error, () =>
      stream.pipeThrough(
        pair,
        Object.defineProperty({}, term, {
          get() {
            throw error;
          },
        }),
      ),
    );
    assert_false(stream.locked);
    assert_false(pair.writable.locked);
  });
}
for (const signal of [null, "AbortSignal", {}, true, -1, new AbortController()])
  each(
    `a signal that is ${Object.prototype.toString.call(signal)} is refused`,
    async (stream, t) => {
      await promise_rejects_js(t, TypeError, stream.pipeTo(collector().writable, { signal }));
      assert_throws_js(TypeError, () => stream.pipeThrough(new TransformStream(), { signal }));
      assert_false(stream.locked);
    },
    twoKinds,
  );
for (const options of [1, "x", true, Symbol.iterator])
  each(
    `terms that are ${String(options)} are refused`,
    async (stream, t) => {
      await promise_rejects_js(t, TypeError, stream.pipeTo(collector().writable, options));
      assert_false(stream.locked);
    },
    twoKinds,
  );

for (const reason of [undefined, null, "mine", new Error("mine")]) {
  each(
    `a signal aborted before, with ${String(reason)}`,
    async (stream) => {
      const to = collector();
      const signal = aborted(reason);
      const error = await stream.pipeTo(to.writable, { signal }).catch((error) => error);
      assert_equals(error, signal.reason);
      assert_equals(to.text, "");
      assert_equals(to.aborted?.[0], error);
      assert_false(stream.locked);
      assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
    },
    twoKinds,
  );
  each(
    `a signal aborted while piping, with ${String(reason)}`,
    async (stream) => {
      assert_implements_optional(canAbort, "aborted pipes");
      const to = collector();
      const controller = new AbortController();
      const promise = stream.pipeTo(to.writable, { signal: controller.signal });
      await until(() => to.text);
      controller.abort(reason);
      const error = await promise.catch((error) => error);
      assert_equals(error, controller.signal.reason);
      assert_equals(to.aborted?.[0], error);
      assert_false(stream.locked);
      assert_false(to.writable.locked);
      assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
    },
    twoKinds,
  );
}
for (const [preventAbort, preventCancel] of [
  [true, false],
  [false, true],
  [true, true],
])
  each(
    `aborted while piping, preventAbort: ${preventAbort}, preventCancel: ${preventCancel}`,
    async (stream) => {
      assert_implements_optional(canAbort, "aborted pipes");
      const to = collector();
      const controller = new AbortController();
      const promise = stream.pipeTo(to.writable, { signal: controller.signal, preventAbort, preventCancel });
      await until(() => to.text);
      controller.abort();
      assert_equals((await promise.catch((error) => error)).name, "AbortError");
      assert_equals(!to.aborted, preventAbort);
      assert_false(stream.locked);
      const reader = stream.getReader();
      assert_equals(
        await Promise.race([reader.closed.then(() => "closed"), later(30).then(() => "open")]),
        preventCancel ? "open" : "closed",
      );
    },
    twoKinds,
  );
each(
  "the order of what an abort does",
  async (stream) => {
    assert_implements_optional(canAbort, "aborted pipes");
    const log = [];
    const controller = new AbortController();
    const writable = new WritableStream({ write: () => void log.push("write"), abort: () => void log.push("abort") });
    const promise = stream.pipeTo(writable, { signal: controller.signal });
    await until(() => log.length);
    controller.signal.addEventListener("abort", () => log.push("event"));
    controller.abort();
    log.push("after");
    await promise.catch(() => log.push("rejected"));
    assert_equals(log.join(), "write,event,after,abort,rejected");
  },
  twoKinds,
);

each(
  "a destination that fails cancels the source",
  async (stream) => {
    const error = new Error("mine");
    const writable = new WritableStream({ write: () => Promise.reject(error) });
    assert_equals(await stream.pipeTo(writable).catch((error) => error), error);
    assert_false(stream.locked);
    assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
  },
  twoKinds,
);
each(
  "a destination that fails, preventCancel",
  async (stream) => {
    const error = new Error("mine");
    const writable = new WritableStream({ write: () => Promise.reject(error) });
    assert_equals(await stream.pipeTo(writable, { preventCancel: true }).catch((error) => error), error);
    assert_false(stream.locked);
    const reader = stream.getReader();
    assert_equals(await Promise.race([reader.closed.then(() => "closed"), later(30).then(() => "open")]), "open");
  },
  twoKinds,
);
each("a destination that fails in the middle leaves the rest with preventCancel", async (stream) => {
  const error = new Error("mine");
  let got = "";
  const writable = new WritableStream(
    {
      write: (chunk) => {
        got += text(chunk);
        throw error;
      },
    },
    { highWaterMark: 1 },
  );
  assert_equals(await stream.pipeTo(writable, { preventCancel: true }).catch((error) => error), error);
  got += await drain(stream.getReader());
  assert_equals(got, WHOLE);
});
each(
  "a destination that was errored before",
  async (stream) => {
    const error = new Error("mine");
    const writable = new WritableStream({ start: (controller) => controller.error(error) });
    await later();
    assert_equals(await stream.pipeTo(writable).catch((error) => error), error);
    assert_false(stream.locked);
  },
  twoKinds,
);
each(
  "a destination that was closed before",
  async (stream, t) => {
    const { writable } = collector();
    await writable
      .getWriter()
      .close()
      .catch(() => {});
    const closed = new WritableStream();
    const writer = closed.getWriter();
    writer.close();
    writer.releaseLock();
    await promise_rejects_js(t, TypeError, stream.pipeTo(closed));
    assert_false(stream.locked);
  },
  twoKinds,
);
each(
  "a source that breaks aborts the destination",
  async (stream) => {
    const to = collector();
    const error = await stream.pipeTo(to.writable).catch((error) => error);
    assert_equals(error.constructor, TypeError);
    assert_equals(to.aborted?.[0], error);
    assert_equals(to.text, "c0;");
    assert_false(stream.locked);
    assert_equals(await stream.getReader().closed.catch((error) => error), error);
  },
  brokenKinds,
);
each(
  "a source that breaks, preventAbort",
  async (stream) => {
    const to = collector();
    const error = await stream.pipeTo(to.writable, { preventAbort: true }).catch((error) => error);
    assert_equals(error.constructor, TypeError);
    assert_equals(to.aborted, undefined);
    assert_false(to.writable.locked);
    assert_equals(await to.writable.getWriter().write("more"), undefined);
  },
  brokenKinds,
);
each(
  "a pipe that nobody handles tells once",
  async (stream) => {
    const seen = await unhandled(async () => {
      stream.pipeTo(collector().writable);
      await later(80);
    });
    assert_array_equals(seen, ["unhandledrejection: TypeError"]);
  },
  brokenKinds,
);
each(
  "a pipe that is handled tells nothing",
  async (stream) => {
    const seen = await unhandled(() => stream.pipeTo(collector().writable).catch(() => {}));
    assert_array_equals(seen, []);
  },
  brokenKinds,
);
each(
  "pipeThrough(): nothing is told of its own pipe",
  async (stream) => {
    const seen = await unhandled(async () => {
      const reader = stream.pipeThrough(new TransformStream()).getReader();
      await drain(reader).catch(() => {});
      await later(20);
    });
    assert_array_equals(seen, []);
  },
  brokenKinds,
);
each("a source that is over closes the destination", async (stream) => {
  await drain(stream.getReader());
  const over = (await get(CHUNKS)).body;
  const reader = over.getReader();
  await drain(reader);
  reader.releaseLock();
  const to = collector();
  await over.pipeTo(to.writable);
  assert_true(to.closed);
});
each(
  "a cancelled source closes the destination",
  async (stream) => {
    await stream.cancel();
    const to = collector();
    await stream.pipeTo(to.writable);
    assert_true(to.closed);
    assert_equals(to.text, "");
  },
  twoKinds,
);

each("pipeThrough() returns the readable of the pair", async (stream) => {
  const pair = new TransformStream();
  assert_equals(stream.pipeThrough(pair), pair.readable);
  assert_true(stream.locked);
  assert_true(pair.writable.locked);
  assert_false(pair.readable.locked);
  assert_equals(await drain(pair.readable.getReader()), WHOLE);
  assert_true(await until(() => !stream.locked));
});
each("pipeThrough() of a pair that is no transform stream", async (stream) => {
  const to = collector();
  const readable = new ReadableStream();
  assert_equals(stream.pipeThrough({ readable, writable: to.writable }), readable);
  assert_true(await until(() => to.closed));
  assert_equals(to.text, WHOLE);
});
each(
  "pipeThrough(): unlocked when the source breaks",
  async (stream) => {
    await drain(stream.pipeThrough(new TransformStream()).getReader()).catch(() => {});
    await later();
    assert_false(stream.locked);
  },
  brokenKinds,
);
each(
  "pipeThrough(): unlocked when the result is cancelled",
  async (stream) => {
    const reader = stream.pipeThrough(new TransformStream()).getReader();
    await reader.read();
    await reader.cancel();
    await until(() => !stream.locked);
    assert_false(stream.locked);
  },
  twoKinds,
);
each(
  "pipeThrough(): unlocked when aborted",
  async (stream) => {
    const controller = new AbortController();
    const reader = stream.pipeThrough(new TransformStream(), { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await reader.closed.catch(() => {});
    await later();
    assert_false(stream.locked);
  },
  twoKinds,
);
for (const [label, transform] of Object.entries({
  TextDecoderStream: () => new TextDecoderStream(),
  TransformStream: () => new TransformStream(),
}))
  each(`pipeThrough(${label}) and on to pipeTo()`, async (stream) => {
    const to = collector();
    await stream.pipeThrough(transform()).pipeTo(to.writable);
    assert_equals(to.text, WHOLE);
  });
each("pipeThrough() twice", async (stream) => {
  const result = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new TextEncoderStream());
  assert_equals(await new Response(result).text(), WHOLE);
});
each("pipeThrough() of a locked stream throws", async (stream) => {
  stream.getReader();
  const pair = new TransformStream();
  assert_throws_js(TypeError, () => stream.pipeThrough(pair));
  assert_false(pair.writable.locked);
});
each("pipeThrough() to a locked one throws", async (stream) => {
  const pair = new TransformStream();
  pair.writable.getWriter();
  assert_throws_js(TypeError, () => stream.pipeThrough(pair));
  assert_false(stream.locked);
});
for (const [label, pair] of Object.entries({
  nothing: undefined,
  null: null,
  text: "x",
  "an empty object": {},
  "only a readable": { readable: new ReadableStream() },
  "only a writable": { writable: new WritableStream() },
  "false ones": { readable: {}, writable: {} },
}))
  each(
    `pipeThrough(${label}) throws`,
    async (stream) => {
      assert_throws_js(TypeError, () => stream.pipeThrough(pair));
      assert_false(stream.locked);
    },
    twoKinds,
  );
each("pipeThrough() asks the pair, then its terms, each once", async (stream) => {
  const log = [];
  const { readable, writable } = new TransformStream();
  stream.pipeThrough(
    telling(log, { writable, readable }),
    telling(log, { signal: undefined, preventClose: true, preventCancel: false, preventAbort: false }),
  );
  assert_array_equals(log, ["readable", "writable", ...TERMS]);
});
for (const which of ["readable", "writable"])
  each(`pipeThrough(): what the getter of ${which} throws is thrown`, async (stream) => {
    const error = new Error("mine");
    const pair = Object.defineProperty({ readable: new ReadableStream(), writable: new WritableStream() }, which, {
      get() {
        throw error;
      },
    });
    assert_throws_exactly(error, () => stream.pipeThrough(pair));
    assert_false(stream.locked);
  });

each(
  "nothing is read before the destination wants it",
  async (stream) => {
    let start;
    const to = { text: "" };
    const writable = new WritableStream(
      {
        start: () => new Promise((resolve) => (start = resolve)),
        write(chunk) {
          to.text += text(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const promise = stream.pipeTo(writable);
    await later(20);
    assert_equals(to.text, "");
    start();
    await later(20);
    assert_equals(to.text, "", "no room, nothing is written");
    promise.catch(() => {});
  },
  twoKinds,
);
each("chunks are written one after the other", async (stream) => {
  let now = 0;
  let most = 0;
  const writable = new WritableStream({
    async write() {
      most = Math.max(most, ++now);
      await later(2);
      now--;
    },
  });
  await stream.pipeTo(writable);
  assert_equals(most, 1);
});
each("a frame's pipeTo() on this stream", async (stream, t) => {
  const { contentWindow } = await frame(t);
  const to = collector();
  const promise = contentWindow.ReadableStream.prototype.pipeTo.call(stream, to.writable);
  await promise;
  assert_equals(to.text, WHOLE);
  assert_false(stream.locked);
});
each("pipeTo() to a frame's stream", async (stream, t) => {
  const { contentWindow } = await frame(t);
  let got = "";
  await stream.pipeTo(
    new contentWindow.WritableStream({
      write(chunk) {
        got += text(chunk);
      },
    }),
  );
  assert_equals(got, WHOLE);
  assert_false(stream.locked);
});

// What the page puts in the browser's place is not to be seen by pipes.
const GLOBALS = [
  "ReadableStream",
  "WritableStream",
  "ReadableStreamDefaultReader",
  "AbortSignal",
  "WeakMap",
  "Reflect",
];
for (const name of GLOBALS)
  each(`pipeTo() does not use the global ${name}`, async (stream, t) => {
    let count = 0;
    const to = collector();
    const native = globalThis[name];
    const back = replaced(t, globalThis, name, { get: () => (count++, native) });
    const promise = pipeTo.call(stream, to.writable);
    await until(() => to.closed);
    back();
    await promise;
    assert_equals(count, 0);
    assert_equals(to.text, WHOLE);
  });
const { pipeTo } = ReadableStream.prototype;
const METHODS = [
  ["ReadableStream", "getReader"],
  ["ReadableStream", "cancel"],
  ["ReadableStream", "locked"],
  ["ReadableStreamDefaultReader", "read"],
  ["ReadableStreamDefaultReader", "closed"],
  ["ReadableStreamDefaultReader", "cancel"],
  ["ReadableStreamDefaultReader", "releaseLock"],
  ["WritableStream", "getWriter"],
  ["WritableStream", "locked"],
  ["WritableStreamDefaultWriter", "write"],
  ["AbortSignal", "aborted"],
];
for (const [owner, name] of METHODS)
  each(`pipeTo() does not use ${owner}.prototype.${name}`, async (stream, t) => {
    let count = 0;
    const to = collector();
    const { prototype } = globalThis[owner];
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    const back = replaced(t, prototype, name, {
      get() {
        count++;
        return before.get ? before.get.call(this) : before.value;
      },
    });
    await stream.pipeTo(to.writable, { signal: new AbortController().signal });
    back();
    assert_equals(count, 0);
  });
for (const [label, use] of Object.entries({
  "pipeTo()": (stream, to) => stream.pipeTo(to.writable),
  "pipeThrough()": (stream, to) => void stream.pipeThrough({ readable: new ReadableStream(), writable: to.writable }),
})) {
  each(`${label} can't be seen by way of Object.prototype.then`, async (stream, t) => {
    let count = 0;
    const to = collector();
    const back = replaced(t, Object.prototype, "then", { get: () => void count++ });
    use(stream, to);
    for (let i = 0; i < 60 && !to.closed; i++) await later(5);
    back();
    assert_equals(to.text, WHOLE);
    assert_equals(count, 0);
  });
  each(`${label} does not call Promise.prototype.then or catch`, async (stream, t) => {
    let count = 0;
    const to = collector();
    const { then, catch: caught } = Promise.prototype;
    const backs = [
      replaced(t, Promise.prototype, "then", {
        value(...args) {
          count++;
          return then.apply(this, args);
        },
      }),
      replaced(t, Promise.prototype, "catch", {
        value(...args) {
          count++;
          return caught.apply(this, args);
        },
      }),
    ];
    use(stream, to);
    for (const back of backs) back();
    await until(() => to.closed);
    assert_equals(count, 0);
  });
}
const NAMES = [
  "type",
  "pull",
  "start",
  "cancel",
  "size",
  "highWaterMark",
  "autoAllocateChunkSize",
  "signal",
  "preventCancel",
  "mode",
  "get",
  "has",
  "apply",
  "construct",
  "getPrototypeOf",
];
each("a pipe does not touch Object.prototype", async (stream, t) => {
  const log = [];
  const to = collector();
  const backs = NAMES.map((name) => replaced(t, Object.prototype, name, { get: () => void log.push(name) }));
  const promise = stream.pipeTo(to.writable);
  for (const back of backs) back();
  await promise;
  assert_array_equals(log, []);
});
each("steps of pipeTo() that is refused", async (stream) => {
  stream.getReader();
  assert_equals(await steps(stream.pipeTo(collector().writable)), await steps(Promise.reject(1)));
});
subtest(async () => {
  const { body: stream } = await get(CHUNKS);
  const other = new ReadableStream();
  const [a] = [stream.pipeTo(collector().writable)];
  assert_throws_js(TypeError, () => stream.pipeThrough(new TransformStream()));
  assert_throws_js(TypeError, () => stream.tee());
  assert_throws_js(TypeError, () => stream.getReader());
  await a;
  assert_false(other.locked);
}, "a stream that is piped is locked for all else");
subtest(async () => {
  const answer = await get(CHUNKS);
  const promise = answer.body.pipeTo(collector().writable);
  assert_true(answer.body.locked);
  assert_false(answer.bodyUsed && false);
  await promise;
  assert_true(answer.bodyUsed);
}, "a body that was piped is used");
subtest(async (t) => {
  const answer = await get(CHUNKS);
  const promise = answer.body.pipeTo(collector().writable);
  await promise_rejects_js(t, TypeError, answer.text());
  assert_throws_js(TypeError, () => answer.clone());
  await promise;
}, "a body that is being piped can't be read or cloned");
