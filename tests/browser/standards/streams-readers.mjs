/** Streams: readers, cancelling and locks, of page's own streams and of bodies. */
import {
  body,
  brokenKinds,
  byteStream,
  CHUNKS,
  drain,
  each,
  frame,
  later,
  openBody,
  openKinds,
  replaced,
  steps,
  subtest,
  telling,
  text,
  unhandled,
  WHOLE,
} from "./common.mjs";

each("a reader gives everything in order", async (stream) => {
  assert_equals(await drain(stream.getReader()), WHOLE);
});
each("locked from getReader() to releaseLock()", async (stream) => {
  assert_false(stream.locked);
  const reader = stream.getReader();
  assert_true(stream.locked);
  assert_equals(reader.releaseLock(), undefined);
  assert_false(stream.locked);
  assert_equals(reader.releaseLock(), undefined, "a second time does nothing");
});
each("results of read() are plain objects", async (stream) => {
  const reader = stream.getReader();
  const result = await reader.read();
  assert_equals(Object.getPrototypeOf(result), Object.prototype);
  assert_array_equals(Object.keys(result).sort(), ["done", "value"]);
  assert_object_equals(Object.getOwnPropertyDescriptor(result, "done"), {
    value: false,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  assert_true(result.value instanceof Uint8Array);
});
each("after the end read() gives done, again and again", async (stream) => {
  const reader = stream.getReader();
  await drain(reader);
  for (let i = 0; i < 3; i++) assert_object_equals(await reader.read(), { value: undefined, done: true });
});
each("reads that are asked for at once come in order", async (stream) => {
  const reader = stream.getReader();
  const order = [];
  const reads = [0, 1, 2, 3, 4, 5].map((i) => reader.read().then(({ done }) => (order.push(i), done)));
  const dones = await Promise.all(reads);
  assert_array_equals(order, [0, 1, 2, 3, 4, 5]);
  assert_true(dones.at(-1));
});
each("read() returns a new Promise of this realm", async (stream) => {
  const reader = stream.getReader();
  const [a, b] = [reader.read(), reader.read()];
  assert_not_equals(a, b);
  assert_equals(a.constructor, Promise);
  assert_equals(Object.getPrototypeOf(a), Promise.prototype);
  await Promise.all([a, b]);
});
each("closed is one promise and is fulfilled with undefined", async (stream) => {
  const reader = stream.getReader();
  const { closed } = reader;
  assert_equals(reader.closed, closed);
  await drain(reader);
  assert_equals(await closed, undefined);
  assert_equals(reader.closed, closed);
});
each("getReader() of a locked stream throws", async (stream) => {
  stream.getReader();
  assert_throws_js(TypeError, () => stream.getReader());
  assert_throws_js(TypeError, () => new ReadableStreamDefaultReader(stream));
  assert_throws_js(TypeError, () => stream.tee());
});
each("getReader() takes its mode apart once", async (stream) => {
  const log = [];
  stream.getReader(telling(log, { mode: undefined }));
  assert_array_equals(log, ["mode"]);
});
each("getReader() turns its mode to text once", async (stream) => {
  const log = [];
  const mode = { toString: () => (log.push("toString"), "nonsense") };
  assert_throws_js(TypeError, () => stream.getReader({ mode }));
  assert_array_equals(log, ["toString"]);
  assert_false(stream.locked);
});
each("getReader() throws what a getter throws", async (stream) => {
  const error = new Error("mine");
  assert_throws_exactly(error, () =>
    stream.getReader({
      get mode() {
        throw error;
      },
    }),
  );
  assert_false(stream.locked);
});
for (const mode of ["", "default", null, 0, "BYOB"])
  each(`getReader({ mode: ${JSON.stringify(mode)} }) throws`, async (stream) => {
    assert_throws_js(TypeError, () => stream.getReader({ mode }));
  });
for (const options of [undefined, null, {}, () => {}])
  each(`getReader(${String(options)}) is a default reader`, async (stream) => {
    const reader = stream.getReader(options);
    assert_equals(reader.constructor, ReadableStreamDefaultReader);
    assert_true(reader instanceof ReadableStreamDefaultReader);
  });
each("getReader(1) throws", async (stream) => {
  assert_throws_js(TypeError, () => stream.getReader(1));
});
each(
  "releaseLock() rejects what is still being read",
  async (stream, t) => {
    const reader = stream.getReader();
    await reader.read();
    const read = reader.read();
    reader.releaseLock();
    await promise_rejects_js(t, TypeError, read);
    assert_equals(text((await Promise.race([stream.getReader().read(), later(50).then(() => ({}))])).value ?? ""), "");
  },
  openKinds,
);
each("what was not read stays for the next reader", async (stream) => {
  const first = stream.getReader();
  const { value } = await first.read();
  first.releaseLock();
  assert_equals(text(value) + (await drain(stream.getReader())), WHOLE);
});
each(
  "releaseLock() makes closed another, rejected promise",
  async (stream, t) => {
    const reader = stream.getReader();
    const { closed } = reader;
    reader.releaseLock();
    await promise_rejects_js(t, TypeError, reader.closed);
    await promise_rejects_js(t, TypeError, closed);
    assert_equals(closed, reader.closed, "it was pending, and is the same");
  },
  openKinds,
);
each("a released reader refuses", async (stream, t) => {
  const reader = stream.getReader();
  reader.releaseLock();
  await promise_rejects_js(t, TypeError, reader.read());
  await promise_rejects_js(t, TypeError, reader.cancel());
});
each("a released reader does not read for its successor", async (stream, t) => {
  const first = stream.getReader();
  first.releaseLock();
  const second = stream.getReader();
  await promise_rejects_js(t, TypeError, first.read());
  assert_equals(await drain(second), WHOLE);
});
each(
  "reader.cancel() is fulfilled with undefined and closes",
  async (stream) => {
    const reader = stream.getReader();
    assert_equals(await reader.cancel("why"), undefined);
    assert_equals(await reader.closed, undefined);
    assert_object_equals(await reader.read(), { value: undefined, done: true });
  },
  { "page's stream": openKinds["page's stream"], "body of an answer": openKinds["body of an answer"] },
);
each(
  "stream.cancel() is fulfilled with undefined and closes",
  async (stream) => {
    assert_equals(await stream.cancel("why"), undefined);
    assert_false(stream.locked);
    assert_equals(await drain(stream.getReader()), "");
  },
  { "page's stream": openKinds["page's stream"], "body of an answer": openKinds["body of an answer"] },
);
each("stream.cancel() of a locked stream is rejected", async (stream, t) => {
  const reader = stream.getReader();
  await promise_rejects_js(t, TypeError, stream.cancel());
  assert_equals(await drain(reader), WHOLE);
});
each("cancel() of a stream that is over", async (stream) => {
  const reader = stream.getReader();
  await drain(reader);
  assert_equals(await reader.cancel(), undefined);
  reader.releaseLock();
  assert_equals(await stream.cancel(), undefined);
});
each(
  "cancel() settles a read that waits",
  async (stream) => {
    const reader = stream.getReader();
    await reader.read();
    const read = reader.read();
    reader.cancel();
    assert_object_equals(await read, { value: undefined, done: true });
  },
  { "page's stream": openKinds["page's stream"], "body of an answer": openKinds["body of an answer"] },
);
each(
  "cancel(): first the waiting reads, in order, then cancel()",
  async (stream) => {
    const reader = stream.getReader();
    await reader.read();
    const log = [];
    const reads = [reader.read().then(() => log.push("a")), reader.read().then(() => log.push("b"))];
    const closed = reader.closed.then(() => log.push("closed"));
    await Promise.all([...reads, reader.cancel().then(() => log.push("cancel")), closed]);
    assert_array_equals(
      log.filter((one) => one !== "closed" && one !== "cancel"),
      ["a", "b"],
    );
  },
  { "page's stream": openKinds["page's stream"], "body of an answer": openKinds["body of an answer"] },
);

each(
  "a stream that breaks: read and closed are rejected with the same",
  async (stream) => {
    const reader = stream.getReader();
    const error = await drain(reader).then(
      () => "none",
      (error) => error,
    );
    assert_equals(error.constructor, TypeError);
    assert_equals(await reader.closed.catch((error) => error), error);
    assert_equals(await reader.read().catch((error) => error), error);
    assert_equals(await reader.cancel().catch((error) => error), error);
  },
  brokenKinds,
);
each(
  "a stream that breaks: what nobody handles is told once",
  async (stream) => {
    const seen = await unhandled(async () => {
      const reader = stream.getReader();
      await reader.read();
      reader.read();
      await later(80);
    });
    assert_array_equals(seen, ["unhandledrejection: TypeError"]);
  },
  brokenKinds,
);
each(
  "a stream that breaks: nothing is told of what is handled",
  async (stream) => {
    const seen = await unhandled(async () => {
      const reader = stream.getReader();
      await drain(reader).catch(() => {});
      await later(30);
    });
    assert_array_equals(seen, []);
  },
  brokenKinds,
);
each(
  "a released stream that breaks tells nothing",
  async (stream) => {
    const seen = await unhandled(async () => {
      stream.getReader().releaseLock();
      await later(80);
    });
    assert_array_equals(seen, []);
  },
  brokenKinds,
);

each("new ReadableStreamDefaultReader(stream) reads", async (stream) => {
  const reader = new ReadableStreamDefaultReader(stream);
  assert_true(stream.locked);
  assert_equals(await drain(reader), WHOLE);
});
each("a reader's class can be extended", async (stream) => {
  class Reader extends ReadableStreamDefaultReader {
    get mine() {
      return true;
    }
    async read() {
      return { ...(await super.read()), mine: true };
    }
  }
  const reader = new Reader(stream);
  assert_true(reader.mine && reader instanceof ReadableStreamDefaultReader);
  assert_equals(reader.constructor, Reader);
  assert_true((await reader.read()).mine);
});
each("Reflect.construct with another newTarget", async (stream) => {
  const Target = class {};
  const reader = Reflect.construct(ReadableStreamDefaultReader, [stream], Target);
  assert_equals(Object.getPrototypeOf(reader), Target.prototype);
  assert_false((await ReadableStreamDefaultReader.prototype.read.call(reader)).done);
});
each("Reflect.construct asks newTarget for its prototype", async (stream) => {
  const log = [];
  const target = new Proxy(class {}, { get: (own, name) => (log.push(String(name)), own[name]) });
  Reflect.construct(ReadableStreamDefaultReader, [stream], target);
  assert_array_equals(log, ["prototype"]);
});
each("a frame's methods on this stream", async (stream, t) => {
  const { contentWindow } = await frame(t);
  const reader = contentWindow.ReadableStream.prototype.getReader.call(stream);
  assert_true(stream.locked);
  const read = contentWindow.ReadableStreamDefaultReader.prototype.read;
  assert_equals(text((await read.call(reader)).value).slice(0, 3), "c0;");
  assert_false((await reader.read()).done && false);
  contentWindow.ReadableStreamDefaultReader.prototype.releaseLock.call(reader);
  assert_false(stream.locked);
});
each("this realm's methods on a stream that a frame reads", async (stream, t) => {
  const { contentWindow } = await frame(t);
  const reader = new contentWindow.ReadableStreamDefaultReader(stream);
  assert_true(stream.locked);
  assert_false(reader instanceof ReadableStreamDefaultReader);
  assert_equals(await drain({ read: () => ReadableStreamDefaultReader.prototype.read.call(reader) }), WHOLE);
});
each("a reader holds on after the frame it was made in is gone", async (stream, t) => {
  const element = await frame(t);
  const reader = element.contentWindow.ReadableStream.prototype.getReader.call(stream);
  element.remove();
  assert_true(stream.locked);
  ReadableStreamDefaultReader.prototype.releaseLock.call(reader);
  assert_false(stream.locked);
});

const OPERATIONS = {
  ReadableStream: {
    promise: ["cancel", "pipeTo"],
    other: ["getReader", "pipeThrough", "tee", "values", Symbol.asyncIterator],
  },
  ReadableStreamDefaultReader: { promise: ["read", "cancel"], other: ["releaseLock"] },
  ReadableStreamBYOBReader: { promise: ["read", "cancel"], other: ["releaseLock"] },
};
const RECEIVERS = {
  undefined,
  null: null,
  "an object": {},
  "its prototype": "prototype",
  "a number": 1,
  "another's instance": new WritableStream(),
  "an object made of its prototype": "created",
};
for (const [owner, { promise, other }] of Object.entries(OPERATIONS))
  for (const [label, given] of Object.entries(RECEIVERS)) {
    const receiver = () => {
      const { prototype } = globalThis[owner];
      return given === "prototype" ? prototype : given === "created" ? Object.create(prototype) : given;
    };
    for (const name of promise)
      subtest(async (t) => {
        const result = globalThis[owner].prototype[name].call(receiver(), new Uint8Array(1));
        assert_true(result instanceof Promise);
        await promise_rejects_js(t, TypeError, result);
      }, `${owner}.${name} on ${label} is rejected`);
    for (const name of other)
      test(
        () => {
          assert_throws_js(TypeError, () => globalThis[owner].prototype[name].call(receiver(), {}));
        },
        `${owner}.${String(name)} on ${label} throws`,
      );
    subtest(async (t) => {
      if (owner === "ReadableStream") return;
      const { get } = Object.getOwnPropertyDescriptor(globalThis[owner].prototype, "closed");
      await promise_rejects_js(t, TypeError, get.call(receiver()));
    }, `${owner}.closed on ${label} is rejected`);
  }
for (const name of ["ReadableStreamDefaultReader", "ReadableStreamBYOBReader"]) {
  test(() => assert_throws_js(TypeError, () => new globalThis[name]()), `new ${name}() throws`);
  test(() => assert_throws_js(TypeError, () => new globalThis[name]({})), `new ${name}({}) throws`);
  test(() => assert_throws_js(TypeError, () => globalThis[name](new ReadableStream())), `${name}() without new throws`);
}
subtest(async (t) => {
  const stream = await body(CHUNKS);
  await promise_rejects_js(
    t,
    TypeError,
    ReadableStreamBYOBReader.prototype.read.call(stream.getReader(), new Uint8Array(1)),
  );
}, "a BYOB reader's read() on a default reader is rejected");

for (const [label, make] of Object.entries({
  // The readers of bodies may or may not be for bytes: it shall be as the browser has it.
  "body of an answer": () => body(CHUNKS),
  "page's stream": () => byteStream({ pull: (c) => c.enqueue(new Uint8Array([99, 48, 59])) }),
})) {
  const byob = (name, fn) =>
    subtest(async (t) => {
      const stream = await make();
      assert_implements_optional(stream && byteStream({}), "streams of bytes");
      await fn(stream.getReader({ mode: "byob" }), t);
    }, `BYOB: ${name} [${label}]`);
  byob("reads into the view given, whose buffer is taken", async (reader) => {
    const view = new Uint8Array(8);
    const { value, done } = await reader.read(view);
    assert_equals(view.byteLength, 0);
    assert_equals(value.constructor, Uint8Array);
    assert_equals(value.buffer.byteLength, 8);
    assert_equals(text(value).slice(0, 3), "c0;");
    assert_false(done);
  });
  for (const Kind of [Int8Array, Uint16Array, Float32Array, DataView])
    byob(`reads into a ${Kind.name}`, async (reader) => {
      const { value } = await reader.read(new Kind(new ArrayBuffer(8)));
      assert_equals(value.constructor, Kind);
    });
  byob("refuses a view without length", (reader, t) =>
    promise_rejects_js(t, TypeError, reader.read(new Uint8Array(0))),
  );
  byob("refuses no view", (reader, t) => promise_rejects_js(t, TypeError, reader.read()));
  byob("refuses a view that was taken", async (reader, t) => {
    const view = new Uint8Array(4);
    structuredClone(view, { transfer: [view.buffer] });
    await promise_rejects_js(t, TypeError, reader.read(view));
  });
  byob("asks min once", async (reader) => {
    const log = [];
    await reader.read(new Uint8Array(8), telling(log, { min: 1 })).catch(() => {});
    assert_true(log.length <= 1);
  });
  byob("min: 0 is refused", (reader, t) =>
    promise_rejects_js(t, TypeError, reader.read(new Uint8Array(8), { min: 0 })),
  );
  byob("releaseLock() rejects what is being read", async (reader, t) => {
    const read = reader.read(new Uint8Array(900), { min: 900 });
    reader.releaseLock();
    await promise_rejects_js(t, TypeError, read);
  });
  byob("cancel() gives back the view of what is being read", async (reader) => {
    await reader.read(new Uint8Array(90));
    await reader.cancel();
    const { done, value } = await reader.read(new Uint8Array(5));
    assert_true(done);
    assert_equals(value?.byteLength, 0);
  });
}

subtest(async (t) => {
  const reader = (await openBody(t)).getReader();
  await reader.read();
  const weak = new WeakRef(reader);
  assert_equals(weak.deref(), reader);
}, "a reader can be held weakly");
subtest(async (t) => {
  let count = 0;
  const reader = (await body(CHUNKS)).getReader();
  replaced(t, ReadableStreamDefaultReader.prototype, "read", { value: () => count++ });
  assert_equals(reader.read(), 0);
}, "the page's own read() is called");
each("steps of read() at the end of a stream", async (stream) => {
  const reader = stream.getReader();
  await drain(reader);
  assert_equals(await steps(reader.read()), await steps(Promise.resolve({})));
});
