/** Streams: async iteration, tee(), transfer and clones, of page's own streams and of bodies. */
import {
  body,
  brokenKinds,
  CHUNKS,
  drain,
  each,
  frame,
  get,
  later,
  openBody,
  replaced,
  subtest,
  telling,
  text,
  twoKinds,
  unhandled,
  WHOLE,
} from "./common.mjs";

const hasIteration = "values" in ReadableStream.prototype;
const iterating = (name, fn, among) =>
  each(
    `iteration: ${name}`,
    async (stream, t) => {
      assert_implements_optional(hasIteration, "streams can be iterated");
      await fn(stream, t);
    },
    among,
  );

iterating("for await gives everything", async (stream) => {
  let all = "";
  for await (const chunk of stream) all += text(chunk);
  assert_equals(all, WHOLE);
  assert_false(stream.locked);
});
iterating("values() is what Symbol.asyncIterator names", async (stream) => {
  assert_equals(ReadableStream.prototype.values, ReadableStream.prototype[Symbol.asyncIterator]);
  const iterator = stream.values();
  assert_equals(iterator[Symbol.asyncIterator](), iterator);
  assert_true(stream.locked);
});
iterating("the iterator's prototype is as it should be", async (stream) => {
  const iterator = stream.values();
  const prototype = Object.getPrototypeOf(iterator);
  const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);
  assert_equals(Object.getPrototypeOf(prototype), AsyncIteratorPrototype);
  assert_array_equals(Object.getOwnPropertyNames(prototype).sort(), ["next", "return"]);
  for (const name of ["next", "return"]) {
    const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(prototype, name);
    assert_array_equals([writable, enumerable, configurable], [true, true, true]);
    assert_equals(value.name, name);
    assert_false("prototype" in value);
  }
});
iterating("results are plain objects", async (stream) => {
  const result = await stream.values().next();
  assert_equals(Object.getPrototypeOf(result), Object.prototype);
  assert_array_equals(Object.keys(result).sort(), ["done", "value"]);
});
iterating(
  "break cancels",
  async (stream) => {
    for await (const _ of stream) break;
    assert_false(stream.locked);
    assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
  },
  twoKinds,
);
iterating(
  "throw cancels and goes on",
  async (stream) => {
    const error = new Error("mine");
    let caught;
    try {
      for await (const _ of stream) throw error;
    } catch (thrown) {
      caught = thrown;
    }
    assert_equals(caught, error);
    assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
  },
  twoKinds,
);
iterating("break with preventCancel leaves the rest", async (stream) => {
  let all = "";
  for await (const chunk of stream.values({ preventCancel: true })) {
    all += text(chunk);
    break;
  }
  assert_false(stream.locked);
  assert_equals(all + (await drain(stream.getReader())), WHOLE);
});
iterating("preventCancel is asked once", async (stream) => {
  const log = [];
  stream.values(telling(log, { preventCancel: true }));
  assert_array_equals(log, ["preventCancel"]);
});
iterating("a proxy of terms is asked for preventCancel alone", async (stream) => {
  const log = [];
  const note =
    (trap) =>
    (target, name, ...rest) => (log.push(`${trap} ${String(name)}`), Reflect[trap](target, name, ...rest));
  stream.values(
    new Proxy({}, { get: note("get"), has: note("has"), getOwnPropertyDescriptor: note("getOwnPropertyDescriptor") }),
  );
  assert_array_equals(log, ["get preventCancel"]);
});
iterating("what the getter of preventCancel throws is thrown", async (stream) => {
  const error = new Error("mine");
  assert_throws_exactly(error, () =>
    stream.values({
      get preventCancel() {
        throw error;
      },
    }),
  );
  assert_false(stream.locked);
});
iterating("values() of a locked stream throws", async (stream) => {
  stream.getReader();
  assert_throws_js(TypeError, () => stream.values());
});
iterating("next() asked many times comes in order", async (stream) => {
  const iterator = stream.values();
  const order = [];
  const results = await Promise.all([0, 1, 2, 3, 4].map((i) => iterator.next().then((r) => (order.push(i), r))));
  assert_array_equals(order, [0, 1, 2, 3, 4]);
  assert_true(results[4].done);
});
iterating(
  "return(value) gives it back and ends",
  async (stream) => {
    const iterator = stream.values();
    await iterator.next();
    assert_object_equals(await iterator.return("mine"), { value: "mine", done: true });
    assert_object_equals(await iterator.next(), { value: undefined, done: true });
    assert_object_equals(await iterator.return("again"), { value: "again", done: true });
    assert_false(stream.locked);
  },
  twoKinds,
);
iterating(
  "return() before next() cancels",
  async (stream) => {
    const iterator = stream.values();
    assert_object_equals(await iterator.return(), { value: undefined, done: true });
    assert_object_equals(await stream.getReader().read(), { value: undefined, done: true });
  },
  twoKinds,
);
iterating(
  "return() while next() waits comes after it",
  async (stream) => {
    const iterator = stream.values({ preventCancel: true });
    const order = [];
    await Promise.all([
      iterator.next().then(() => order.push("next")),
      iterator.return().then(() => order.push("return")),
    ]);
    assert_array_equals(order, ["next", "return"]);
    assert_false(stream.locked);
  },
  twoKinds,
);
iterating("next() after the end gives done", async (stream) => {
  const iterator = stream.values();
  while (!(await iterator.next()).done);
  assert_object_equals(await iterator.next(), { value: undefined, done: true });
  assert_false(stream.locked);
});
iterating("next() and return() on another object are rejected", async (stream, t) => {
  const { next, return: leave } = Object.getPrototypeOf(stream.values());
  for (const self of [undefined, {}, stream, stream.constructor]) {
    await promise_rejects_js(t, TypeError, next.call(self));
    await promise_rejects_js(t, TypeError, leave.call(self));
  }
});
iterating(
  "a stream that breaks throws in the loop",
  async (stream) => {
    let all = "";
    let caught;
    try {
      for await (const chunk of stream) all += text(chunk);
    } catch (error) {
      caught = error;
    }
    assert_equals(caught?.constructor, TypeError);
    assert_equals(all, "c0;");
    assert_false(stream.locked);
  },
  brokenKinds,
);
iterating(
  "a stream that breaks: nothing is told of what is handled",
  async (stream) => {
    const seen = await unhandled(async () => {
      try {
        for await (const _ of stream);
      } catch {}
    });
    assert_array_equals(seen, []);
  },
  brokenKinds,
);
iterating("yield* and Array.fromAsync", async (stream) => {
  const all = [];
  const through = async function* () {
    yield* stream;
  };
  for await (const chunk of through()) all.push(text(chunk));
  assert_equals(all.join(""), WHOLE);
});
for (const [owner, name] of [
  ["ReadableStream", "getReader"],
  ["ReadableStreamDefaultReader", "read"],
  ["ReadableStreamDefaultReader", "closed"],
  ["ReadableStreamDefaultReader", "cancel"],
  ["ReadableStreamDefaultReader", "releaseLock"],
]) {
  iterating(`does not use ${owner}.prototype.${name}`, async (stream, t) => {
    let count = 0;
    const before = Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name);
    const back = replaced(t, globalThis[owner].prototype, name, {
      get() {
        count++;
        return before.get ? before.get.call(this) : before.value;
      },
    });
    for await (const _ of stream);
    back();
    assert_equals(count, 0);
  });
  each(`tee(): does not use ${owner}.prototype.${name}`, async (stream, t) => {
    let count = 0;
    const before = Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name);
    const back = replaced(t, globalThis[owner].prototype, name, {
      get() {
        count++;
        return before.get ? before.get.call(this) : before.value;
      },
    });
    stream.tee();
    await later(10);
    back();
    assert_equals(count, 0);
  });
}

each("tee() gives two streams of the same", async (stream) => {
  const pair = stream.tee();
  assert_true(Array.isArray(pair));
  assert_equals(Object.getPrototypeOf(pair), Array.prototype);
  assert_equals(pair.length, 2);
  for (const half of pair) {
    assert_equals(half.constructor, ReadableStream);
    assert_false(half.locked);
  }
  assert_true(stream.locked);
  assert_array_equals(await Promise.all(pair.map((half) => drain(half.getReader()))), [WHOLE, WHOLE]);
  assert_true(stream.locked);
});
each("tee(): one after the other", async (stream) => {
  const [a, b] = stream.tee();
  assert_equals(await drain(a.getReader()), WHOLE);
  assert_equals(await drain(b.getReader()), WHOLE);
});
each("tee() of a tee", async (stream) => {
  const [a, b] = stream.tee();
  const all = [...a.tee(), b];
  assert_array_equals(await Promise.all(all.map((half) => drain(half.getReader()))), [WHOLE, WHOLE, WHOLE]);
});
each("tee() after some was read", async (stream) => {
  const reader = stream.getReader();
  const first = text((await reader.read()).value);
  reader.releaseLock();
  const texts = await Promise.all(stream.tee().map((half) => drain(half.getReader())));
  assert_array_equals(
    texts.map((rest) => first + rest),
    [WHOLE, WHOLE],
  );
});
each("tee() of a locked stream throws", async (stream) => {
  stream.getReader();
  assert_throws_js(TypeError, () => stream.tee());
});
each("tee(): a cancelled branch leaves the other", async (stream) => {
  const [a, b] = stream.tee();
  a.cancel();
  assert_equals(await drain(b.getReader()), WHOLE);
});
each(
  "tee(): cancel() of both is one promise's end",
  async (stream) => {
    const [a, b] = stream.tee();
    const order = [];
    const first = a.cancel("a").then((value) => (order.push("a"), value));
    await later(10);
    assert_array_equals(order, [], "one alone waits");
    assert_array_equals(await Promise.all([first, b.cancel("b")]), [undefined, undefined]);
  },
  twoKinds,
);
each(
  "tee(): both break with the same",
  async (stream) => {
    const [a, b] = stream.tee().map((half) => half.getReader());
    const errors = await Promise.all([a, b].map((half) => drain(half).catch((error) => error)));
    assert_equals(errors[0].constructor, TypeError);
    assert_equals(errors[0], errors[1]);
  },
  brokenKinds,
);
each(
  "tee(): what nobody handles",
  async (stream) => {
    const seen = await unhandled(async () => {
      stream.tee();
      await later(80);
    });
    assert_array_equals(seen, []);
  },
  brokenKinds,
);
each("tee() does not touch Object.prototype", async (stream, t) => {
  const log = [];
  const backs = [
    "type",
    "pull",
    "start",
    "cancel",
    "size",
    "highWaterMark",
    "autoAllocateChunkSize",
    "mode",
    "signal",
    "preventCancel",
    "flow",
    "at",
  ].map((name) => replaced(t, Object.prototype, name, { get: () => void log.push(name) }));
  const [a] = stream.tee();
  for (const back of backs) back();
  assert_array_equals(log, []);
  assert_equals(await drain(a.getReader()), WHOLE);
});
each("tee() does not call Promise.prototype.then", async (stream, t) => {
  let count = 0;
  const { then } = Promise.prototype;
  const back = replaced(t, Promise.prototype, "then", {
    value(...args) {
      count++;
      return then.apply(this, args);
    },
  });
  stream.tee();
  back();
  assert_equals(count, 0);
});
each("tee() does not iterate with the page's Array.prototype[Symbol.iterator]", async (stream, t) => {
  let count = 0;
  const { value: values } = Object.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator);
  const back = replaced(t, Array.prototype, Symbol.iterator, {
    writable: true,
    value() {
      count++;
      return values.call(this);
    },
  });
  stream.tee();
  back();
  assert_equals(count, 0);
});
each("tee() can't be seen by way of Object.prototype.then", async (stream, t) => {
  let count = 0;
  const back = replaced(t, Object.prototype, "then", { get: () => void count++ });
  const [a] = stream.tee();
  for (let i = 0; i < 4; i++) await later(5);
  back();
  assert_equals(count, 0);
  a.cancel();
});
each("read() looks for then as often as the browser does", async (stream, t) => {
  let count = 0;
  const reader = stream.getReader();
  const back = replaced(t, Object.prototype, "then", { get: () => void count++ });
  const read = reader.read();
  await later(30);
  back();
  await read;
  assert_equals(count, 1);
});
each("getReader() does not call Promise.prototype.then", async (stream, t) => {
  let count = 0;
  const { then } = Promise.prototype;
  const back = replaced(t, Promise.prototype, "then", {
    value(...args) {
      count++;
      return then.apply(this, args);
    },
  });
  const reader = stream.getReader();
  reader.read();
  back();
  assert_equals(count, 0);
});
each("getReader() does not ask for closed", async (stream, t) => {
  let count = 0;
  const { get } = Object.getOwnPropertyDescriptor(ReadableStreamDefaultReader.prototype, "closed");
  const back = replaced(t, ReadableStreamDefaultReader.prototype, "closed", {
    get() {
      count++;
      return get.call(this);
    },
  });
  stream.getReader();
  back();
  assert_equals(count, 0);
});

each("a stream can be given away", async (stream) => {
  let copy;
  try {
    copy = structuredClone(stream, { transfer: [stream] });
  } catch (error) {
    assert_implements_optional(error.name !== "DataCloneError", "streams can be given away");
  }
  assert_true(stream.locked);
  assert_true(copy instanceof ReadableStream);
  assert_equals(await drain(copy.getReader()), WHOLE);
});
each("a locked stream can't be given away", async (stream) => {
  stream.getReader();
  assert_throws_dom("DataCloneError", () => structuredClone(stream, { transfer: [stream] }));
});
each("a stream can't be copied", async (stream) => {
  assert_throws_dom("DataCloneError", () => structuredClone(stream));
  assert_false(stream.locked);
});
each("a stream given to a frame", async (stream, t) => {
  const { contentWindow } = await frame(t);
  const arrived = new Promise((resolve) => contentWindow.addEventListener("message", ({ data }) => resolve(data)));
  try {
    contentWindow.postMessage(stream, "*", [stream]);
  } catch (error) {
    assert_implements_optional(error.name !== "DataCloneError", "streams can be given away");
  }
  const there = await arrived;
  assert_true(there instanceof contentWindow.ReadableStream);
  assert_equals(await drain(there.getReader()), WHOLE);
});
for (const name of ["fetch", "Response", "EventSource", "XMLHttpRequest", "ReadableStreamDefaultReader"])
  subtest(async (t) => {
    const { contentWindow } = await frame(t);
    const said = [globalThis, contentWindow].map((realm) => {
      try {
        return structuredClone(realm[name]);
      } catch (error) {
        return error.message;
      }
    });
    assert_equals(said[0], said[1]);
  }, `what is said when ${name} can't be copied is what is said of a frame's`);

for (const method of ["text", "arrayBuffer", "blob", "bytes"])
  each(`new Response(stream).${method}()`, async (stream) => {
    assert_implements_optional(method in Response.prototype, `Response has ${method}`);
    const answer = new Response(stream);
    assert_equals(answer.body, stream);
    const value = await answer[method]();
    assert_equals(await new Response(value).text(), WHOLE);
    assert_true(answer.bodyUsed);
  });
each("new Response(locked) throws", async (stream) => {
  stream.getReader();
  assert_throws_js(TypeError, () => new Response(stream));
  assert_throws_js(TypeError, () => new Request("/", { method: "POST", body: stream, duplex: "half" }));
});
each("new Response(disturbed) throws", async (stream) => {
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
  assert_throws_js(TypeError, () => new Response(stream));
});
each("new Response(stream).clone()", async (stream) => {
  const answer = new Response(stream);
  const copy = answer.clone();
  assert_not_equals(answer.body, stream);
  assert_array_equals(await Promise.all([answer.text(), copy.text()]), [WHOLE, WHOLE]);
});
each("a stream that is held nowhere but by its reader is read on", async (stream) => {
  const reader = stream.getReader();
  stream = undefined;
  for (let i = 0; i < 20; i++) new Uint8Array(1e6);
  assert_equals(await drain(reader), WHOLE);
});
subtest(async (t) => {
  const stream = await openBody(t);
  class Stream extends ReadableStream {
    mine() {
      return super.getReader();
    }
  }
  const own = new Stream({ start: (controller) => controller.close() });
  assert_true(own instanceof Stream && own instanceof ReadableStream);
  assert_true((await own.mine().read()).done);
  assert_false(stream.locked);
}, "ReadableStream can be extended");
subtest(async () => {
  assert_implements_optional("from" in ReadableStream, "ReadableStream.from");
  const stream = await body(CHUNKS);
  assert_equals(await drain(ReadableStream.from(stream).getReader()), WHOLE);
}, "ReadableStream.from(a body)");
subtest(async () => {
  const { body: stream, ...rest } = await get(CHUNKS);
  assert_object_equals(rest, {});
  assert_array_equals(Reflect.ownKeys(stream), []);
  const reader = stream.getReader();
  assert_array_equals(Reflect.ownKeys(reader), []);
  assert_array_equals(Reflect.ownKeys(reader.read()), []);
  assert_array_equals(Reflect.ownKeys(reader.closed), []);
}, "nothing is put on what the page gets");
