/** Fetch: what is sent, what is refused, and how often the page's arguments are asked. */
import { frame, get, later, newKey, other, replaced, seen, steps, subtest, telling, unhandled } from "./common.mjs";

const inspect = async (path, init) => (await fetch(path, init)).json();

const INIT = [
  "body",
  "cache",
  "credentials",
  "duplex",
  "headers",
  "integrity",
  "keepalive",
  "method",
  "mode",
  "priority",
  "redirect",
  "referrer",
  "referrerPolicy",
  "signal",
  "window",
];
const values = {
  method: "GET",
  headers: undefined,
  body: undefined,
  referrer: undefined,
  referrerPolicy: undefined,
  mode: undefined,
  credentials: undefined,
  cache: undefined,
  redirect: undefined,
  integrity: undefined,
  keepalive: undefined,
  signal: undefined,
  duplex: undefined,
  priority: undefined,
  window: undefined,
};
for (const name of INIT) {
  subtest(async () => {
    const log = [];
    await fetch("/body", telling(log, { [name]: values[name] }));
    assert_true(log.length <= 1, `asked ${log.length} times`);
  }, `init's ${name} is asked at most once`);
  subtest(async (t) => {
    const error = new Error("mine");
    const log = [];
    const init = Object.defineProperty({}, name, {
      get() {
        log.push(name);
        throw error;
      },
    });
    const promise = fetch("/body", init);
    if (log.length) await promise_rejects_exactly(t, error, promise);
    assert_true(log.length <= 1);
  }, `what the getter of init's ${name} throws is what it is rejected with`);
}
subtest(async () => {
  const log = [];
  await fetch("/body", telling(log, values));
  const sorted = [...log].sort();
  assert_equals(new Set(log).size, log.length, log.join());
  assert_equals(
    log.filter((name) => INIT.includes(name)).join(),
    sorted.filter((name) => log.includes(name)).join(),
    "in the order of their names",
  );
}, "init's members are asked in the order of their names, once");
subtest(async () => {
  const log = [];
  const note =
    (trap) =>
    (target, name, ...rest) => (log.push(trap), Reflect[trap](target, name, ...rest));
  await fetch(
    "/body",
    new Proxy(
      {},
      {
        get: note("get"),
        ownKeys: note("ownKeys"),
        has: note("has"),
        getOwnPropertyDescriptor: note("getOwnPropertyDescriptor"),
        getPrototypeOf: note("getPrototypeOf"),
      },
    ),
  );
  assert_array_equals([...new Set(log)], ["get"]);
}, "a proxy as init is only asked for its members");
subtest(async () => {
  const log = [];
  const note =
    (trap) =>
    (target, name, ...rest) => (log.push(`${trap} ${String(name ?? "")}`), Reflect[trap](target, name, ...rest));
  await fetch("/body", {
    headers: new Proxy(
      { "x-c": "1" },
      { get: note("get"), ownKeys: note("ownKeys"), getOwnPropertyDescriptor: note("getOwnPropertyDescriptor") },
    ),
  });
  assert_array_equals(log, ["get Symbol(Symbol.iterator)", "ownKeys ", "getOwnPropertyDescriptor x-c", "get x-c"]);
}, "a proxy as headers is asked as a record is");
const once = (label, make, result = "") =>
  subtest(async () => {
    const log = [];
    const one = { toString: () => (log.push(label), result) };
    await fetch(...make(one)).catch(() => {});
    assert_equals(log.length, 1);
  }, `${label} is turned to text once`);
once("the address", (one) => [one], "/body");
once("the method", (method) => ["/body", { method }], "GET");
once("the body", (body) => ["/inspect", { method: "POST", body }], "x");
once("a header's value", (value) => ["/body", { headers: { "x-c": value } }], "x");
once("a header's value in a list", (value) => ["/body", { headers: [["x-c", value]] }], "x");
once("the referrer", (referrer) => ["/body", { referrer }], "/r");
once("the mode", (mode) => ["/body", { mode }], "cors");
once("the credentials", (credentials) => ["/body", { credentials }], "omit");
once("the cache mode", (cache) => ["/body", { cache }], "no-store");
once("the redirect mode", (redirect) => ["/body", { redirect }], "follow");
once("the integrity", (integrity) => ["/body", { integrity }], "");
once("a method that is refused", (method) => ["/body", { method }], "TRACE");
subtest(async () => {
  let count = 0;
  const headers = {
    *[Symbol.iterator]() {
      count++;
      yield ["x-c", "1"];
    },
  };
  const { headers: sent } = await inspect("/inspect?names=x-c", { headers });
  assert_equals(count, 1);
  assert_equals(sent["x-c"], "1");
}, "headers that can be iterated are so once");
subtest(async () => {
  let count = 0;
  const pair = {
    *[Symbol.iterator]() {
      count++;
      yield "x-c";
      yield "1";
    },
  };
  await inspect("/inspect?names=x-c", { headers: [pair] });
  assert_equals(count, 1);
}, "a header's pair that can be iterated is so once");
subtest(async () => {
  let count = 0;
  class Mine extends Request {
    get url() {
      count++;
      return super.url;
    }
    get signal() {
      count++;
      return super.signal;
    }
    get headers() {
      count++;
      return super.headers;
    }
    get method() {
      count++;
      return super.method;
    }
    get body() {
      count++;
      return super.body;
    }
    get bodyUsed() {
      count++;
      return super.bodyUsed;
    }
  }
  assert_true((await fetch(new Mine("/body"))).ok);
  assert_equals(count, 0);
}, "a request of a class of the page is not asked by way of its getters");
for (const name of ["Request", "Headers", "URL", "ReadableStream", "AbortSignal"])
  subtest(async (t) => {
    let count = 0;
    const native = globalThis[name];
    const { fetch } = globalThis;
    const back = replaced(t, globalThis, name, { get: () => (count++, native) });
    const promise = fetch("/body");
    back();
    assert_true((await promise).ok);
    assert_equals(count, 0);
  }, `fetch() does not use the global ${name}`);
subtest(async (t) => {
  let count = 0;
  const { then } = Promise.prototype;
  const back = replaced(t, Promise.prototype, "then", {
    value(...args) {
      count++;
      return then.apply(this, args);
    },
  });
  const promise = fetch("/body");
  back();
  await promise;
  assert_equals(count, 0);
}, "fetch() does not call Promise.prototype.then");
subtest(async (t) => {
  const log = [];
  const backs = ["method", "body", "headers", "signal", "get", "has", "apply", "construct", "url", "flow"].map((name) =>
    replaced(t, Object.prototype, name, { get: () => void log.push(name) }),
  );
  const promise = fetch("/body");
  for (const back of backs) back();
  await promise;
  const own = new Set(log);
  assert_false(
    own.has("apply") || own.has("construct") || own.has("get") || own.has("has") || own.has("url") || own.has("flow"),
    log.join(),
  );
}, "fetch() does not ask Object.prototype for what is not the browser's to ask");
subtest(async () => {
  const log = [];
  const pure = (values) => Object.assign(Object.create(null), values);
  const TRAPS = [
    "get",
    "has",
    "set",
    "ownKeys",
    "getPrototypeOf",
    "getOwnPropertyDescriptor",
    "defineProperty",
    "deleteProperty",
  ];
  for (const name of TRAPS)
    Object.defineProperty(
      Object.prototype,
      name,
      pure({ configurable: true, writable: true, value: (target) => (log.push(name), target) }),
    );
  try {
    for (const one of [
      fetch,
      Response,
      EventSource,
      XMLHttpRequest,
      Response.prototype.text,
      ReadableStream.prototype.getReader,
    ]) {
      one.name;
      "length" in one;
      one instanceof Function;
      Object.getPrototypeOf(one);
    }
  } finally {
    for (const name of TRAPS) delete Object.prototype[name];
  }
  assert_array_equals(log, []);
}, "what the page puts on Object.prototype is not called for looking at a function");
for (const [label, replace] of Object.entries({
  "Reflect.apply": [Reflect, "apply"],
  "Reflect.construct": [Reflect, "construct"],
  "WeakMap.prototype.get": [WeakMap.prototype, "get"],
  "Array.prototype[Symbol.iterator]": [Array.prototype, Symbol.iterator],
  "Function.prototype.call": [Function.prototype, "call"],
}))
  subtest(async (t) => {
    let count = 0;
    const [owner, name] = replace;
    const native = owner[name];
    const { apply } = Reflect;
    const back = replaced(t, owner, name, {
      writable: true,
      value(...args) {
        count++;
        return apply(native, this, args);
      },
    });
    const promise = fetch("/body");
    back();
    const answer = await promise;
    await answer.text();
    assert_equals(count, 0);
  }, `fetch() does not call ${label} of the page`);

const REFUSED = {
  "no argument": [],
  "a bad address": ["http://a:b:c"],
  "an address with credentials": ["http://u:p@127.0.0.1/"],
  "a body with GET": ["/body", { body: "x" }],
  "a body with HEAD": ["/body", { method: "HEAD", body: "x" }],
  CONNECT: ["/body", { method: "CONNECT" }],
  TRACE: ["/body", { method: "TRACE" }],
  "a bad method": ["/body", { method: "a b" }],
  "a bad header name": ["/body", { headers: { "a b": "1" } }],
  "a bad header value": ["/body", { headers: { a: "\n\0" } }],
  "a header beyond Latin-1": ["/body", { headers: { a: "ł" } }],
  "headers that are no pairs": ["/body", { headers: [["a"]] }],
  "mode: navigate": ["/body", { mode: "navigate" }],
  "an unknown mode": ["/body", { mode: "x" }],
  "an unknown cache mode": ["/body", { cache: "x" }],
  "an unknown redirect": ["/body", { redirect: "x" }],
  "only-if-cached across origins": ["/body", { cache: "only-if-cached" }],
  "a bad referrer": ["/body", { referrer: "http://:::" }],
  "init: 1": ["/body", 1],
  "init: text": ["/body", "x"],
  "a symbol as address": [Symbol("x")],
  "a symbol as body": ["/body", { method: "POST", body: Symbol("x") }],
  "an unknown scheme": ["x-y:z"],
  "a stream without duplex": ["/body", { method: "POST", body: new ReadableStream() }],
  "no-cors with PUT": ["/body", { mode: "no-cors", method: "PUT" }],
};
for (const [label, args] of Object.entries(REFUSED)) {
  subtest(async (t) => {
    let promise;
    try {
      promise = fetch(...args);
    } catch (error) {
      assert_unreached(`thrown: ${error}`);
    }
    assert_true(promise instanceof Promise);
    await promise_rejects_js(t, TypeError, promise);
  }, `refused: ${label}`);
  subtest(async () => {
    const message = await fetch(...args).catch(({ message }) => message);
    const again = await fetch(...args).catch(({ message }) => message);
    assert_equals(message, again);
    if (!args.length) return;
    const made = (() => {
      try {
        new Request(...args);
      } catch (error) {
        return error.message.replace(/.*: /s, "");
      }
    })();
    if (made) assert_equals(message.replace(/.*: /s, ""), made);
  }, `refused, and told as Request tells it: ${label}`);
  subtest(async () => {
    const count = await steps(fetch(...args));
    assert_true(/^rejected|later/.test(count), count);
    // A refusal comes at once, a failure of the network does not.
    if (count !== "later") assert_equals(count, await steps(Promise.reject(1)));
  }, `refused at once: ${label}`);
  subtest(async () => {
    const told = await unhandled(() => void fetch(...args));
    assert_array_equals(told, ["unhandledrejection: TypeError"]);
  }, `refused, told once when nobody handles it: ${label}`);
}
for (const self of [undefined, null, window])
  subtest(
    async () => assert_true((await fetch.call(self, "/body")).ok),
    `fetch on ${self === window ? "window" : self}`,
  );
for (const self of [{}, document, 1])
  subtest(
    (t) => promise_rejects_js(t, TypeError, fetch.call(self, "/body")),
    `fetch on ${Object.prototype.toString.call(self)} is rejected`,
  );

const BODIES = {
  text: ["x", "text/plain;charset=UTF-8"],
  "a number": [5, "text/plain;charset=UTF-8"],
  "an object": [{}, "text/plain;charset=UTF-8"],
  "an empty text": ["", "text/plain;charset=UTF-8"],
  URLSearchParams: [new URLSearchParams("a=1"), "application/x-www-form-urlencoded;charset=UTF-8"],
  "a blob": [new Blob(["x"], { type: "a/b" }), "a/b"],
  "a blob without type": [new Blob(["x"]), null],
  bytes: [new Uint8Array([65]), null],
  "a buffer": [new ArrayBuffer(3), null],
  "a view": [new DataView(new ArrayBuffer(2)), null],
  null: [null, null],
  undefined: [undefined, null],
};
for (const [label, [body, type]] of Object.entries(BODIES))
  for (const method of ["POST", "PUT", "post", "PATCH", "DELETE"])
    subtest(async () => {
      const answer = await inspect("/inspect", { method, body });
      assert_equals(answer.headers["content-type"], type);
      assert_equals(answer.body.length, body == null ? 0 : (await new Response(body).arrayBuffer()).byteLength);
    }, `${method} with ${label}`);
subtest(async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("f", new Blob(["x"]), "name");
  const { headers, body } = await inspect("/inspect", { method: "POST", body: form });
  assert_regexp_match(headers["content-type"], /^multipart\/form-data; ?boundary=/);
  assert_true(body.includes('name="f"; filename="name"'));
}, "POST with a form");
subtest(async () => {
  const request = new Request("/inspect", { method: "POST", body: "x" });
  assert_false(request.bodyUsed);
  const promise = fetch(request);
  assert_true(request.bodyUsed);
  assert_equals((await (await promise).json()).body, "x");
}, "a request's body is used at once");
subtest(async (t) => {
  const request = new Request("/inspect", { method: "POST", body: "x" });
  await fetch(request);
  await promise_rejects_js(t, TypeError, fetch(request));
}, "a request's body can't be sent twice");
subtest(async () => {
  const request = new Request("/inspect", { method: "POST", body: "x" });
  const { body } = await inspect(request, { body: "y" });
  assert_equals(body, "y");
  assert_false(request.bodyUsed && false);
}, "init's body goes before the request's");
subtest(async () => {
  const request = new Request("/inspect?names=x-c,x-d", { headers: { "x-c": "1" } });
  const { headers } = await inspect(request, { headers: { "x-d": "2" } });
  assert_array_equals([headers["x-c"], headers["x-d"]], [null, "2"]);
}, "init's headers go before the request's");
subtest(async () => {
  const a = new Request("/inspect", { method: "POST", body: "x" });
  const b = a.clone();
  assert_array_equals([(await inspect(a)).body, (await inspect(b)).body], ["x", "x"]);
}, "a cloned request");
subtest(async () => {
  const { headers } = await inspect("/inspect?names=x-c", {
    headers: [
      ["x-c", "1"],
      ["X-C", "2"],
    ],
  });
  assert_equals(headers["x-c"], "1, 2");
}, "headers of one name are combined");
for (const [name, value] of [
  ["accept", "*/*"],
  ["sec-fetch-mode", "cors"],
  ["sec-fetch-dest", "empty"],
  ["sec-fetch-site", "same-origin"],
  ["x-c", null],
  ["traceparent", null],
  ["origin", null],
])
  subtest(async () => {
    const { headers } = await inspect(`/inspect?names=${name}`);
    assert_equals(headers[name], value);
  }, `${name} of a plain request`);
subtest(async () => {
  const key = newKey();
  await fetch(`${other}/preflight?key=${key}`);
  await fetch(`${other}/preflight?key=${key}`, { headers: { accept: "text/event-stream" } });
  await fetch(`${other}/preflight?key=${key}`, { method: "POST", body: "x" });
  assert_array_equals(
    (await seen(key)).map(([method]) => method),
    ["GET", "GET", "POST"],
  );
}, "simple requests to another origin are asked for by no preflight");
subtest(async () => {
  const key = newKey();
  await fetch(`${other}/preflight?key=${key}`, { headers: { "x-b": "1" } });
  assert_equals(JSON.stringify(await seen(key)), '[["OPTIONS","x-b"],["GET",null]]');
}, "a header of the page's own is asked for, alone");
subtest(async () => {
  const key = newKey();
  await fetch(`${other}/preflight?key=${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  assert_equals(JSON.stringify(await seen(key)), '[["OPTIONS","content-type"],["POST",null]]');
}, "JSON is asked for");
for (const mode of ["cors", "no-cors", "same-origin"])
  subtest(async (t) => {
    const promise = fetch(`${other}/body`, { mode });
    if (mode === "same-origin") return promise_rejects_js(t, TypeError, promise);
    const answer = await promise;
    assert_equals(answer.type, mode === "cors" ? "cors" : "opaque");
    assert_equals(answer.status, mode === "cors" ? 200 : 0);
    assert_equals(answer.body === null, mode !== "cors");
  }, `mode: ${mode} to another origin`);
subtest(async (t) => {
  await promise_rejects_js(t, TypeError, fetch(`${other}/preflight?deny`, { headers: { "x-b": "1" } }));
}, "what the preflight denies is rejected");
subtest(async (t) => {
  await promise_rejects_js(t, TypeError, fetch(`${other}/body`, { credentials: "include" }));
}, "credentials that are not allowed");
subtest(async (_t) => {
  const error = await fetch("/reset").catch((error) => error);
  assert_equals(error.constructor, TypeError);
  assert_array_equals(Object.keys(error), []);
}, "a connection that breaks");
for (const status of [301, 302, 303, 307, 308])
  for (const method of ["GET", "POST"])
    subtest(async () => {
      const answer = await fetch(`/redirect?status=${status}&to=/inspect`, {
        method,
        body: method === "POST" ? "x" : undefined,
      });
      assert_true(answer.redirected);
      assert_true(answer.url.endsWith("/inspect"));
      const kept = method === "GET" || status > 303;
      assert_equals((await answer.json()).method, kept ? method : "GET");
    }, `${method}, redirected with ${status}`);
subtest((t) => promise_rejects_js(t, TypeError, fetch("/redirect", { redirect: "error" })), "redirect: error");
subtest(async () => {
  const answer = await fetch("/redirect", { redirect: "manual" });
  assert_array_equals([answer.type, answer.status, answer.body], ["opaqueredirect", 0, null]);
}, "redirect: manual");
for (const address of ["data:text/event-stream,data: x", "data:,x"])
  subtest(async () => assert_equals((await (await fetch(address)).text()).at(-1), "x"), `fetch of ${address}`);
subtest(async () => {
  const address = URL.createObjectURL(new Blob(["x"], { type: "text/event-stream" }));
  const answer = await fetch(address);
  assert_equals(answer.headers.get("content-type"), "text/event-stream");
  assert_equals(await answer.text(), "x");
}, "fetch of a blob");
subtest(async () => assert_true((await fetch(new URL("/body", location.href))).ok), "fetch of a URL");
subtest(async () => {
  const location = document.createElement("a");
  location.href = "/body";
  assert_true((await fetch(location)).ok);
}, "fetch of a link");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const answer = await contentWindow.fetch("/body");
  assert_true(answer instanceof contentWindow.Response);
  assert_equals(await Response.prototype.text.call(answer), "data: hello\n\n");
}, "a frame's fetch");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const answer = await fetch.call(contentWindow, "/body").catch((error) => error);
  const native = await contentWindow.fetch.call(window, "/body").catch((error) => error);
  assert_equals(Object.prototype.toString.call(answer), Object.prototype.toString.call(native));
}, "fetch on a frame's window");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  assert_true((await fetch(new contentWindow.Request("/body"))).ok);
  assert_equals(
    (await inspect("/inspect?names=x-c", { headers: new contentWindow.Headers({ "x-c": "1" }) })).headers["x-c"],
    "1",
  );
  const signal = contentWindow.AbortSignal.abort("mine");
  assert_equals(await fetch("/body", { signal }).catch((error) => error), "mine");
}, "a frame's Request, Headers and AbortSignal");
subtest(async (t) => {
  const element = await frame(t);
  const { fetch } = element.contentWindow;
  element.remove();
  let outcome = "pending";
  try {
    fetch("/body").then(
      () => (outcome = "fulfilled"),
      () => (outcome = "rejected"),
    );
  } catch {
    outcome = "thrown";
  }
  await later(30);
  assert_not_equals(outcome, "fulfilled");
}, "the fetch of a frame that is gone");
subtest(async (t) => {
  const element = await frame(t);
  const request = new element.contentWindow.Request("/body");
  element.remove();
  const outcome = await Promise.race([
    fetch(request).then(
      ({ ok }) => ok,
      () => "rejected",
    ),
    later(300),
  ]);
  assert_true(outcome === true || outcome === "rejected");
}, "a request of a frame that is gone");
subtest(async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => get(`/body?body=${i}`).then((r) => r.text())));
  assert_array_equals(
    answers,
    Array.from({ length: 12 }, (_, i) => String(i)),
  );
}, "many at once");
subtest(async () => {
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(window, "fetch");
  assert_array_equals(
    [writable, enumerable, configurable, value.name, value.length, "prototype" in value],
    [true, true, true, "fetch", 1, false],
  );
  assert_throws_js(TypeError, () => new fetch("/"));
  assert_equals(String(fetch).replace(/\s+/g, " "), "function fetch() { [native code] }");
}, "fetch is the function that it is");
