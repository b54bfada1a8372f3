/** What the suites share. Runs in the page. */
export const other = new URLSearchParams(location.search).get("other");

export const text = (bytes) => (typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes));
export const later = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
export const get = (path, init) => fetch(path, init);
export const body = async (path) => (await fetch(path)).body;
/** A body that does not end before the subtest: browsers have few connections. */
export const openBody = async (t, path = `${OPEN}&n=1`) => (await openAnswer(t, path)).body;
export const openAnswer = (t, path = `${OPEN}&n=1`) => {
  const controller = new AbortController();
  t.add_cleanup(async () => {
    controller.abort();
    await later();
  });
  return fetch(path, { signal: controller.signal });
};

/** Chromium now and then drains for five seconds what nobody wants any more, and has no connection left so long. */
const LIMIT = 8000;
/** A subtest that does not keep the others waiting. */
export const subtest = (fn, name, limit = LIMIT) =>
  promise_test((t) => {
    const late = new Promise((_, reject) => t.step_timeout(() => reject(new Error("no end")), limit));
    return Promise.race([fn(t), late]);
  }, name);

/** Answers of this kind are watched whatever the request was. */
export const CHUNKS = "/chunks?gap=1";
export const OPEN = "/chunks?gap=1&open";
export const WHOLE = "c0;c1;c2;";

const encoder = new TextEncoder();
const chunks = ["c0;", "c1;", "c2;"].map((chunk) => encoder.encode(chunk));

/** Not every engine has streams of bytes that a page makes. */
export const byteStream = (source) => {
  try {
    return new ReadableStream({ ...source, type: "bytes" });
  } catch {
    return undefined;
  }
};

/** Ways to come by a stream of the same contents: the page's own, and what came by fetch. */
export const kinds = {
  "page's stream": () => {
    const left = chunks.map((chunk) => chunk.slice());
    return new ReadableStream({
      pull: (controller) => (left.length ? controller.enqueue(left.shift()) : controller.close()),
    });
  },
  "page's byte stream": () => {
    const left = chunks.map((chunk) => chunk.slice());
    const stream = byteStream({
      pull(controller) {
        if (left.length) return controller.enqueue(left.shift());
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    assert_implements_optional(stream, "streams of bytes");
    return stream;
  },
  "body of an answer": () => body(CHUNKS),
  "body that came at once": () => body(`/body?body=${WHOLE}`),
  "body of a clone": async () => (await get(CHUNKS)).clone().body,
  "branch of a tee": async () => (await body(CHUNKS)).tee()[1],
  "body of a Response made of a body": async () => new Response(await body(CHUNKS)).body,
};

/** The same of streams that neither end nor say a thing before one reads on. */
export const openKinds = {
  "page's stream": () => new ReadableStream({ start: (controller) => controller.enqueue(chunks[0].slice()) }),
  "body of an answer": (t) => openBody(t),
  "body of a clone": async (t) => (await openAnswer(t)).clone().body,
  "branch of a tee": async (t) => (await openBody(t)).tee()[0],
};

/** Of these a page's own, and one that is watched: where the others would show nothing more. */
export const twoKinds = {
  "page's stream": openKinds["page's stream"],
  "body of an answer": openKinds["body of an answer"],
};

/** And of streams that break. */
export const brokenKinds = {
  "page's stream": () => {
    let left = 1;
    return new ReadableStream({
      pull: (controller) => (left-- ? controller.enqueue(chunks[0].slice()) : controller.error(new TypeError("cut"))),
    });
  },
  "body of an answer": () => body(`${CHUNKS}&n=1&reset`),
};

/** One subtest for each kind of stream. */
export const each = (name, fn, among = kinds) => {
  for (const [kind, make] of Object.entries(among)) subtest(async (t) => fn(await make(t), t), `${name} [${kind}]`);
};

export const drain = async (reader) => {
  let all = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all += text(value);
  }
};

/** Where everything goes that is piped. */
export const collector = (strategy) => {
  const got = { text: "", chunks: 0 };
  got.writable = new WritableStream(
    {
      write(chunk) {
        got.text += text(chunk);
        got.chunks++;
      },
      close() {
        got.closed = true;
      },
      abort(reason) {
        got.aborted = [reason];
      },
    },
    strategy,
  );
  return got;
};

/** Replaces a property for one subtest. */
export const replaced = (t, owner, name, descriptor) => {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { configurable: true, ...descriptor });
  const back = () => {
    if (before) Object.defineProperty(owner, name, before);
    else delete owner[name];
  };
  t.add_cleanup(back);
  return back;
};

/** An object whose members tell in `log` when they are asked for. */
export const telling = (log, values) =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        {
          enumerable: true,
          get() {
            log.push(name);
            return value;
          },
        },
      ]),
    ),
  );

/** What comes first: `promise`, or so many microtasks? */
export const steps = async (promise, most = 12) => {
  let settled;
  promise.then(
    () => (settled = "resolved"),
    () => (settled = "rejected"),
  );
  for (let i = 0; i < most; i++) {
    if (settled) return `${settled} after ${i}`;
    await null;
  }
  return "later";
};

/** A frame of the same origin, gone after the subtest. */
export const frame = async (t) => {
  const element = document.createElement("iframe");
  element.src = "/blank";
  const loaded = new Promise((resolve) => element.addEventListener("load", resolve));
  document.body.append(element);
  await loaded;
  t.add_cleanup(() => element.remove());
  return element;
};

/** Rejections that nobody handles, while `fn` runs and a little after. */
export const unhandled = async (fn) => {
  const seen = [];
  const note = (event) => {
    event.preventDefault();
    seen.push(`${event.type}: ${event.reason?.name}`);
  };
  for (const type of ["unhandledrejection", "rejectionhandled"]) addEventListener(type, note);
  await fn();
  await later(20);
  for (const type of ["unhandledrejection", "rejectionhandled"]) removeEventListener(type, note);
  return seen;
};

let keys = 0;
/** A name for the server's notes, of this page load alone. */
export const newKey = () => `${performance.timeOrigin}-${Math.random()}-${++keys}`;
export const seen = async (key) => (await fetch(`${other}/seen?key=${key}`)).json();
/** What the server has noted, once it is `enough`. */
export const seenWhen = async (key, enough) => {
  for (;;) {
    const notes = await seen(key);
    if (enough(notes)) return notes;
    await later(10);
  }
};
