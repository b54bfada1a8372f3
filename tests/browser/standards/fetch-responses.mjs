/** Fetch: answers, every way of reading them, clones, and what the constructor makes. */
import { CHUNKS, drain, frame, get, later, replaced, steps, subtest, telling, text, WHOLE } from "./common.mjs";

const TYPES = { watched: "text/event-stream", "not watched": "text/html" };
const TEXT = "data: hello\n\n";
const WAYS = {
  text: (value) => assert_equals(value, '{"a":[1]}'),
  json: (value) => assert_equals(value.a[0], 1),
  arrayBuffer: (value) => assert_equals(text(value), '{"a":[1]}'),
  bytes: (value) => assert_equals(text(value), '{"a":[1]}'),
  blob: async (value) => assert_equals(await value.text(), '{"a":[1]}'),
};
const KINDS = { text: "string", json: Object, arrayBuffer: ArrayBuffer, bytes: Uint8Array, blob: Blob };
const answers = {
  "an answer that is watched": (body = '{"a":[1]}') => get(`/body?body=${encodeURIComponent(body)}`),
  "an answer that is not": (body = '{"a":[1]}') => get(`/body?type=text/html&body=${encodeURIComponent(body)}`),
  "JSON asked for by POST": (body = '{"a":[1]}') =>
    fetch(`/body?type=application/json&body=${encodeURIComponent(body)}`, { method: "POST", body: '{"stream":true}' }),
  "a clone": async (body = '{"a":[1]}') => (await get(`/body?body=${encodeURIComponent(body)}`)).clone(),
  "a Response made of a body": async (body = '{"a":[1]}') =>
    new Response((await get(`/body?body=${encodeURIComponent(body)}`)).body),
  "a page's Response": (body = '{"a":[1]}') => new Response(body),
};
const each = (name, fn) => {
  for (const [kind, make] of Object.entries(answers))
    subtest(async (t) => fn(await make(), t, make), `${name} [${kind}]`);
};

for (const [way, check] of Object.entries(WAYS)) {
  const has = () => assert_implements_optional(way in Response.prototype, `Response has ${way}()`);
  each(`${way}() gives the whole`, async (answer) => {
    has();
    const promise = answer[way]();
    assert_true(promise instanceof Promise);
    assert_true(answer.bodyUsed);
    const value = await promise;
    if (typeof KINDS[way] === "string") assert_equals(typeof value, "string");
    else assert_equals(Object.getPrototypeOf(value), KINDS[way].prototype);
    await check(value);
  });
  each(`${way}() a second time is rejected`, async (answer, t) => {
    has();
    await answer[way]();
    await promise_rejects_js(t, TypeError, answer[way]());
    await promise_rejects_js(t, TypeError, answer.text());
  });
  each(`${way}() at the same time as another is rejected`, async (answer, t) => {
    has();
    const first = answer[way]();
    await promise_rejects_js(t, TypeError, answer.arrayBuffer());
    await check(await first);
  });
  each(`${way}() while a reader has the body is rejected`, async (answer, t) => {
    has();
    const reader = answer.body.getReader();
    await promise_rejects_js(t, TypeError, answer[way]());
    assert_false(answer.bodyUsed);
    assert_equals(await drain(reader), '{"a":[1]}');
  });
  each(`${way}() after a reader let go of the body, unread`, async (answer) => {
    has();
    answer.body.getReader().releaseLock();
    assert_false(answer.bodyUsed);
    await check(await answer[way]());
  });
  each(`${way}() after a reader has read is rejected`, async (answer, t) => {
    has();
    const reader = answer.body.getReader();
    await reader.read();
    reader.releaseLock();
    assert_true(answer.bodyUsed);
    await promise_rejects_js(t, TypeError, answer[way]());
  });
  each(`${way}() after cancel() is rejected`, async (answer, t) => {
    has();
    // That of a clone waits for the other to be cancelled as well.
    answer.body.cancel();
    assert_true(answer.bodyUsed);
    await promise_rejects_js(t, TypeError, answer[way]());
  });
  each(`${way}() locks the body`, async (answer) => {
    has();
    const { body } = answer;
    assert_false(body.locked);
    const promise = answer[way]();
    assert_true(body.locked);
    assert_equals(answer.body, body);
    await promise;
  });
  each(`${way}() of a clone, and of the first`, async (answer) => {
    has();
    const copy = answer.clone();
    await Promise.all([answer[way]().then(check), copy[way]().then(check)]);
  });
  for (const [label, self] of Object.entries({
    nothing: undefined,
    "an object": {},
    prototype: Response.prototype,
    "a Request": new Request("/"),
  }))
    subtest(async (t) => {
      has();
      const promise = Response.prototype[way].call(self);
      assert_true(promise instanceof Promise);
      await promise_rejects_js(t, TypeError, promise);
    }, `Response.prototype.${way} on ${label} is rejected`);
  subtest(async (t) => {
    has();
    const { contentWindow } = await frame(t);
    await contentWindow.Response.prototype[way].call(await answers["an answer that is watched"]());
    await Response.prototype[way].call(await contentWindow.fetch("/body?body=1"));
  }, `a frame's ${way}() on this realm's answer, and the other way round`);
  subtest(async () => {
    has();
    const value = await (await fetch("/body?status=204"))
      .clone()
      [way]()
      .catch(({ name }) => name);
    if (way === "json") assert_equals(value, "SyntaxError");
  }, `${way}() without a body`);
  subtest(async (t) => {
    has();
    await promise_rejects_js(t, TypeError, (await get(`${CHUNKS}&reset`))[way]());
  }, `${way}() of an answer that breaks`);
  each(`${way}(): Object.prototype.then can't put in a chunk`, async (answer, t) => {
    has();
    let isFirst = true;
    const back = replaced(t, Object.prototype, "then", {
      writable: true,
      value(fulfil) {
        if (isFirst) {
          isFirst = false;
          delete Object.prototype.then;
          fulfil({ done: false, value: new TextEncoder().encode("bye") });
        }
      },
    });
    const promise = answer[way]().then((value) => ({ __proto__: null, value }));
    const { value } = await promise;
    back();
    if (way === "text") assert_equals(value, '{"a":[1]}');
  });
}
each("formData() of what is no form is rejected", async (answer, t) => {
  await promise_rejects_js(t, TypeError, answer.formData());
});
subtest(async () => {
  const form = await (await get("/body?type=application/x-www-form-urlencoded&body=a%3D1")).formData();
  assert_equals(form.get("a"), "1");
}, "formData()");
each("json() of what is no JSON", async (_, _t, make) => {
  const error = await (await make("{")).json().catch((error) => error);
  assert_equals(error.constructor, SyntaxError);
});
each("json() of nothing", async (_, t, make) => {
  await promise_rejects_js(t, SyntaxError, (await make("")).json());
});
for (const value of ["null", "1", '"x"', "[]", "true", '{"toJSON":1}', '{"__proto__":{"a":1}}', '{"then":1}'])
  each(`json() of ${value}`, async (_, _t, make) => {
    assert_equals(JSON.stringify(await (await make(value)).json()), value);
  });
each("json() does not ask for toJSON", async (_, t, make) => {
  let count = 0;
  replaced(t, Object.prototype, "toJSON", {
    writable: true,
    value() {
      count++;
      return this;
    },
  });
  await (await make()).json();
  assert_equals(count, 0);
});
each("json(): a toJSON that throws is none of its business", async (_, t, make) => {
  replaced(t, Object.prototype, "toJSON", {
    writable: true,
    value() {
      throw new Error("mine");
    },
  });
  assert_equals((await (await make()).json()).a[0], 1);
});
each("json(): a huge number, deep lists", async (_, _t, make) => {
  const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`;
  assert_true(Array.isArray(await (await make(deep)).json()));
});
each("text() decodes as UTF-8, without its mark", async (_, _t, make) => {
  assert_equals(await (await make("\uFEFFü😀")).text(), "ü😀");
});
each("blob() has the type of the answer", async (answer) => {
  const { type } = await answer.clone().blob();
  assert_equals(type, (answer.headers.get("content-type") ?? "").toLowerCase());
});
each("clone() is another with another body of the same", async (answer) => {
  const { body } = answer;
  const copy = answer.clone();
  assert_not_equals(copy, answer);
  assert_not_equals(copy.body, answer.body);
  assert_not_equals(copy.headers, answer.headers);
  assert_array_equals(
    [copy.status, copy.statusText, copy.url, copy.type, copy.ok, copy.redirected],
    [answer.status, answer.statusText, answer.url, answer.type, answer.ok, answer.redirected],
  );
  assert_object_equals([...copy.headers], [...answer.headers]);
  assert_false(answer.bodyUsed || copy.bodyUsed);
  assert_not_equals(body, copy.body);
});
each("clone() of what is used or locked throws", async (answer) => {
  const reader = answer.body.getReader();
  assert_throws_js(TypeError, () => answer.clone());
  reader.releaseLock();
  await answer.text();
  assert_throws_js(TypeError, () => answer.clone());
});
each("clone(): each is read by its own", async (answer) => {
  const copy = answer.clone();
  const again = copy.clone();
  assert_equals(await answer.text(), '{"a":[1]}');
  assert_false(copy.bodyUsed);
  assert_equals(await drain(copy.body.getReader()), '{"a":[1]}');
  await again.body.cancel();
});
each("clone(): the chunks of one are not those of the other", async (answer) => {
  const copy = answer.clone();
  const [a, b] = await Promise.all([answer.body.getReader().read(), copy.body.getReader().read()]);
  assert_not_equals(a.value.buffer, b.value.buffer);
});
each("clone(): cancelling both", async (answer) => {
  const copy = answer.clone();
  // Of three, the last waits for the others.
  answer.body.cancel();
  copy.body.cancel();
  assert_true(answer.bodyUsed && copy.bodyUsed);
});
each("body is the same each time, a stream of this realm", async (answer) => {
  assert_equals(answer.body, answer.body);
  assert_equals(Object.getPrototypeOf(answer.body), ReadableStream.prototype);
  assert_array_equals(Reflect.ownKeys(answer), []);
  assert_array_equals(Reflect.ownKeys(answer.body), []);
});
each("the constructor of an answer is Response", async (answer) => {
  assert_equals(answer.constructor, Response);
  assert_true(answer instanceof Response);
  assert_equals(Object.prototype.toString.call(answer), "[object Response]");
});
each("headers of a fetched answer can't be changed, of a made one they can", async (answer) => {
  if (answer.url) assert_throws_js(TypeError, () => answer.headers.set("a", "1"));
  else answer.headers.set("a", "1");
});
each("steps of text() that is refused", async (answer) => {
  await answer.text();
  assert_equals(await steps(answer.text()), await steps(Promise.reject(1)));
});
each("can be kept in a cache", async (answer) => {
  assert_implements_optional("caches" in globalThis, "caches");
  const cache = await caches.open("t");
  await cache.put("/kept", answer);
  assert_true(answer.bodyUsed);
  assert_equals(await (await cache.match("/kept")).text(), '{"a":[1]}');
  await caches.delete("t");
});
for (const name of ["body", "bodyUsed", "headers", "status", "url"])
  subtest(async (t) => {
    let count = 0;
    const { get: native } = Object.getOwnPropertyDescriptor(Response.prototype, name);
    const back = replaced(t, Response.prototype, name, {
      get() {
        count++;
        return native.call(this);
      },
    });
    const answer = await fetch("/body");
    answer.clone();
    await answer.text();
    back();
    assert_equals(count, 0);
  }, `nobody asks an answer for ${name} but the page`);
for (const status of [200, 201, 202, 203, 206, 299, 400, 404, 429, 500, 503, 599])
  for (const [watched, type] of Object.entries(TYPES))
    subtest(async () => {
      const answer = await get(`/body?status=${status}&type=${type}&reason=Why`);
      assert_array_equals(
        [answer.status, answer.ok, answer.statusText, answer.type],
        [status, status < 300, "Why", "basic"],
      );
      assert_equals(await answer.text(), TEXT);
    }, `status ${status}, ${watched}`);
for (const status of [204, 205, 304])
  subtest(async () => {
    const answer = await get(`/body?status=${status}`);
    assert_equals(await answer.text(), "");
  }, `status ${status} has no body`);
subtest(async () => {
  const answer = await fetch("/body", { method: "HEAD" });
  assert_equals(await answer.text(), "");
}, "HEAD has an empty body");
for (const [watched, type] of Object.entries(TYPES)) {
  subtest(
    async () => assert_equals((await (await get(`/big?bytes=3000000&type=${type}`)).arrayBuffer()).byteLength, 3000000),
    `three megabytes, ${watched}`,
  );
  subtest(
    async () =>
      assert_equals((await drain((await get(`/big?bytes=3000000&type=${type}`)).body.getReader())).length, 3000000),
    `three megabytes by reader, ${watched}`,
  );
  subtest(
    async () => assert_equals(await (await get(`${CHUNKS}&type=${type}`)).text(), WHOLE),
    `chunks as text, ${watched}`,
  );
}

const INITS = { status: 201, statusText: "x", headers: { a: "1" } };
subtest(async () => {
  const log = [];
  new Response("", telling(log, INITS));
  assert_array_equals(log, ["headers", "status", "statusText"]);
}, "new Response(): init is asked in order, once");
for (const name of Object.keys(INITS))
  test(() => {
    const error = new Error("mine");
    assert_throws_exactly(
      error,
      () =>
        new Response(
          "",
          Object.defineProperty({}, name, {
            get() {
              throw error;
            },
          }),
        ),
    );
  }, `new Response(): what the getter of ${name} throws is thrown`);
for (const status of [0, 100, 199, 600, 1000, -1, NaN])
  test(
    () => assert_throws_js(RangeError, () => new Response("", { status })),
    `new Response(): status ${status} is refused`,
  );
for (const status of [101, 204, 205, 304])
  test(
    () => assert_throws_js(status === 101 ? RangeError : TypeError, () => new Response("x", { status })),
    `new Response(): a body with ${status} is refused`,
  );
for (const statusText of ["\n", "ł"])
  test(
    () => assert_throws_js(TypeError, () => new Response("", { statusText })),
    `new Response(): statusText ${JSON.stringify(statusText)} is refused`,
  );
for (const [label, body] of Object.entries({
  text: "x",
  null: null,
  undefined: undefined,
  number: 1,
  blob: new Blob(["x"]),
  bytes: new Uint8Array(1),
  params: new URLSearchParams("a=1"),
  form: new FormData(),
}))
  subtest(async () => {
    const answer = new Response(body);
    assert_equals(answer.body === null, body == null);
    assert_equals(answer.constructor, Response);
    await answer.text();
    assert_equals(answer.bodyUsed, body != null);
  }, `new Response(${label})`);
test(() => {
  let count = 0;
  new Response({ toString: () => (count++, "x") });
  assert_equals(count, 1);
}, "new Response(): the body is turned to text once");
test(() => assert_throws_js(TypeError, () => Response()), "Response() without new throws");
test(() => assert_throws_js(TypeError, () => new Response(Symbol("x"))), "new Response(a symbol) throws");
subtest(async () => {
  class Mine extends Response {
    mine() {
      return super.text();
    }
    static get [Symbol.species]() {
      return Response;
    }
  }
  const answer = new Mine("x", { status: 201 });
  assert_true(answer instanceof Mine && answer instanceof Response);
  assert_equals(answer.constructor, Mine);
  assert_equals(Object.getPrototypeOf(Mine), Response);
  assert_equals(answer.clone().constructor, Response);
  assert_equals(await answer.mine(), "x");
  assert_equals(Mine.json({}).constructor, Response);
}, "Response can be extended");
test(() => {
  const Target = class {};
  assert_equals(Object.getPrototypeOf(Reflect.construct(Response, [], Target)), Target.prototype);
  assert_equals(Object.getPrototypeOf(Reflect.construct(Object, [], Response)), Response.prototype);
}, "Reflect.construct with and as newTarget");
test(() => {
  const log = [];
  const target = new Proxy(class {}, { get: (own, name) => (log.push(String(name)), own[name]) });
  Reflect.construct(Response, [], target);
  assert_array_equals(log, ["prototype"]);
}, "Reflect.construct asks newTarget for its prototype, once");
subtest(async () => {
  const answer = Response.json({ a: 1 }, { status: 201, headers: { b: "2" } });
  assert_array_equals(
    [answer.status, answer.headers.get("content-type"), answer.headers.get("b")],
    [201, "application/json", "2"],
  );
  assert_equals((await answer.json()).a, 1);
  assert_throws_js(TypeError, () => Response.json(Symbol("x")));
  assert_throws_js(TypeError, () => Response.json(1n));
  assert_equals(Response.json.call(undefined, 1).constructor, Response);
}, "Response.json()");
test(() => {
  const answer = Response.error();
  assert_array_equals([answer.type, answer.status, answer.body], ["error", 0, null]);
  assert_throws_js(TypeError, () => answer.headers.append("a", "1"));
}, "Response.error()");
test(() => {
  const answer = Response.redirect("/x", 307);
  assert_array_equals([answer.status, answer.headers.get("location")], [307, new URL("/x", location.href).href]);
  assert_throws_js(RangeError, () => Response.redirect("/x", 200));
  assert_throws_js(TypeError, () => Response.redirect("http://:x"));
}, "Response.redirect()");
test(() => {
  assert_equals(Response.prototype.constructor, Response);
  assert_array_equals([Response.name, Response.length], ["Response", 0]);
  const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(Response, "prototype");
  assert_array_equals([writable, enumerable, configurable], [false, false, false]);
  Response.mine = 1;
  assert_equals(Response.mine, 1);
  assert_true(delete Response.mine);
  assert_equals(String(Response).replace(/\s+/g, " "), "function Response() { [native code] }");
}, "Response is the function that it is");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const made = new contentWindow.Response((await get(CHUNKS)).body);
  assert_false(made instanceof Response);
  assert_equals(await made.text(), WHOLE);
  const other = new Response(
    contentWindow.eval("new ReadableStream({ start(c) { c.enqueue(new Uint8Array([65])); c.close(); } })"),
  );
  assert_equals(await other.text(), "A");
}, "Responses of a frame and of its streams");
subtest(async (t) => {
  const element = await frame(t);
  const answer = await element.contentWindow.fetch("/body");
  element.remove();
  const outcome = await Promise.race([
    Response.prototype.text.call(answer).then(
      () => "text",
      () => "rejected",
    ),
    later(200).then(() => "pending"),
  ]);
  assert_true(["text", "rejected", "pending"].includes(outcome));
  assert_equals(answer.status, 200);
}, "an answer whose frame is gone");
subtest(async () => {
  const answer = await get(CHUNKS);
  const weak = new WeakRef(answer);
  assert_equals(weak.deref(), answer);
  assert_throws_dom("DataCloneError", () => structuredClone(answer));
}, "an answer can be held weakly and can't be copied");
