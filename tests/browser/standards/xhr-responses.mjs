/** XMLHttpRequest: what is sent and what comes back, as every type. */
import { CHUNKS, later, OPEN, replaced, subtest, WHOLE } from "./common.mjs";

const request = ({ path = "/body", method = "GET", body, prepare, sync } = {}) =>
  new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, path, !sync);
    prepare?.(xhr);
    xhr.onloadend = () => resolve(xhr);
    xhr.send(body);
  });
const typed = (responseType, path) =>
  request({
    path,
    prepare: (xhr) => {
      xhr.responseType = responseType;
    },
  });

for (const [watched, type] of Object.entries({ watched: "text/event-stream", "not watched": "text/html" })) {
  const path = (body, more = "") => `/body?type=${type}&body=${encodeURIComponent(body)}${more}`;
  for (const [body, expected] of [
    ['{"a":1}', '{"a":1}'],
    ["{", "null"],
    ["", "null"],
    ["\uFEFF[]", "[]"],
    ["1", "1"],
  ])
    subtest(
      async () => {
        const xhr = await typed("json", path(body));
        assert_equals(JSON.stringify(xhr.response), expected);
        assert_throws_dom("InvalidStateError", () => xhr.responseText);
        assert_throws_dom("InvalidStateError", () => xhr.responseXML);
      },
      `json of ${JSON.stringify(body)}, ${watched}`,
    );
  subtest(async () => {
    const { response } = await typed("arraybuffer", path("abc"));
    assert_equals(Object.getPrototypeOf(response), ArrayBuffer.prototype);
    assert_equals(response.byteLength, 3);
  }, `arraybuffer, ${watched}`);
  subtest(async () => {
    const xhr = await typed("arraybuffer", path("abc"));
    assert_equals(xhr.response, xhr.response);
    structuredClone(xhr.response, { transfer: [xhr.response] });
    assert_equals(xhr.response.byteLength, 0);
  }, `arraybuffer that is given away, ${watched}`);
  subtest(async () => {
    const { response } = await typed("blob", path("abc"));
    assert_true(response instanceof Blob);
    assert_equals(response.type, type);
    assert_equals(await response.text(), "abc");
  }, `blob, ${watched}`);
  for (const responseType of ["", "text"])
    subtest(
      async () => {
        const xhr = await typed(responseType, path("aü😀"));
        assert_equals(xhr.responseText, "aü😀");
        assert_equals(xhr.response, "aü😀");
      },
      `text as ${JSON.stringify(responseType)}, ${watched}`,
    );
  subtest(async () => {
    const { response } = await typed("document", path("<p>x"));
    if (type === "text/html") assert_equals(response.querySelector("p").textContent, "x");
    else assert_equals(response, null);
  }, `document, ${watched}`);
  subtest(async () => {
    const xhr = new XMLHttpRequest();
    const texts = [];
    xhr.open("GET", `/chunks?gap=15&type=${type}`);
    xhr.onprogress = () => texts.push(xhr.responseText);
    const end = new Promise((resolve) => {
      xhr.onloadend = resolve;
    });
    xhr.send();
    await end;
    assert_equals(xhr.responseText, WHOLE);
    assert_true(texts.every((text) => WHOLE.startsWith(text)));
    assert_equals(texts.at(-1), WHOLE);
  }, `responseText grows, ${watched}`);
  subtest(async () => {
    const xhr = new XMLHttpRequest();
    xhr.open("GET", `${OPEN}&n=1&type=${type}`);
    xhr.responseType = "json";
    xhr.send();
    while (xhr.readyState < 3) await later(5);
    assert_equals(xhr.response, null);
    assert_throws_dom("InvalidStateError", () => {
      xhr.responseType = "text";
    });
    xhr.abort();
    assert_equals(xhr.response, null);
  }, `no response before the end, ${watched}`);
  subtest(async () => {
    const xhr = await request({ path: path("a", `&headers=${encodeURIComponent('{"X-Z":"1","x-y":" 2 "}')}`) });
    assert_equals(xhr.getResponseHeader("x-z"), "1");
    assert_equals(xhr.getResponseHeader("X-Y"), "2");
    assert_equals(xhr.getResponseHeader("no"), null);
    assert_true(xhr.getAllResponseHeaders().includes("x-z: 1\r\n"));
  }, `headers, ${watched}`);
  subtest(async () => {
    const xhr = await request({
      path: path("\u00e9"),
      prepare: (xhr) => xhr.overrideMimeType("text/plain;charset=iso-8859-1"),
    });
    assert_equals(xhr.responseText, "\u00c3\u00a9");
  }, `overrideMimeType(), ${watched}`);
  subtest(async () => {
    const xhr = new XMLHttpRequest();
    xhr.open("GET", path("a"));
    let error;
    const end = new Promise((resolve) => {
      xhr.onloadend = resolve;
    });
    xhr.onload = () => {
      try {
        xhr.overrideMimeType("text/plain");
      } catch (thrown) {
        error = thrown;
      }
    };
    xhr.send();
    await end;
    assert_equals(error?.name, "InvalidStateError");
  }, `overrideMimeType() too late, ${watched}`);
  for (const status of [200, 201, 204, 400, 404, 429, 500])
    subtest(async () => {
      const xhr = await request({ path: path("x", `&status=${status}&reason=Why`) });
      assert_array_equals([xhr.status, xhr.statusText, xhr.responseText], [status, "Why", status === 204 ? "" : "x"]);
    }, `status ${status}, ${watched}`);
  subtest(async () => {
    const xhr = await request({ path: `/redirect?to=${encodeURIComponent(path("x"))}` });
    assert_true(xhr.responseURL.includes("/body"));
    assert_equals(xhr.responseText, "x");
  }, `redirected, ${watched}`);
  subtest(async () => {
    const xhr = await request({ path: `${path("x")}#fragment` });
    assert_false(xhr.responseURL.includes("#"));
  }, `responseURL has no fragment, ${watched}`);
  subtest(
    async () =>
      assert_equals((await request({ path: `/big?bytes=3000000&type=${type}` })).responseText.length, 3000000),
    `three megabytes, ${watched}`,
  );
  subtest(async (t) => {
    let count = 0;
    replaced(t, Object.prototype, "toJSON", {
      writable: true,
      value() {
        count++;
        return this;
      },
    });
    const xhr = await typed("json", path('{"a":[1]}'));
    assert_equals(xhr.response.a[0], 1);
    assert_equals(count, 0);
  }, `json: toJSON is not asked, ${watched}`);
  for (const name of ["responseText", "response", "responseType", "status", "readyState"])
    subtest(async (t) => {
      let count = 0;
      const { get, set } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, name);
      const back = replaced(t, XMLHttpRequest.prototype, name, {
        set,
        get() {
          count++;
          return get.call(this);
        },
      });
      await request({ path: path("x") });
      back();
      assert_equals(count, 0);
    }, `nobody asks for ${name} but the page, ${watched}`);
  for (const name of ["getResponseHeader", "getAllResponseHeaders", "addEventListener", "open", "send"])
    subtest(async (t) => {
      let count = 0;
      const owner = name === "addEventListener" ? EventTarget.prototype : XMLHttpRequest.prototype;
      const native = owner[name];
      const back = replaced(t, owner, name, {
        writable: true,
        value(...args) {
          count++;
          return native.apply(this, args);
        },
      });
      await request({ path: path("x") });
      back();
      assert_equals(count, /^(open|send)$/.test(name) ? 1 : 0);
    }, `nobody calls ${name}() but the page, ${watched}`);
}

const BODIES = {
  text: ["x", "text/plain;charset=UTF-8"],
  nothing: [undefined, null],
  null: [null, null],
  number: [5, "text/plain;charset=UTF-8"],
  params: [new URLSearchParams("a=1"), "application/x-www-form-urlencoded;charset=UTF-8"],
  blob: [new Blob(["x"], { type: "a/b" }), "a/b"],
  bytes: [new Uint8Array([65]), null],
  buffer: [new ArrayBuffer(2), null],
  "a stream as text": [new ReadableStream(), "text/plain;charset=UTF-8"],
};
for (const [label, [body, type]] of Object.entries(BODIES))
  for (const method of ["POST", "PUT", "DELETE"])
    subtest(async () => {
      const sent = JSON.parse((await request({ path: "/inspect", method, body })).responseText);
      assert_equals(sent.method, method);
      assert_equals(sent.headers["content-type"], type);
    }, `${method} with ${label}`);
subtest(async () => {
  const sent = JSON.parse(
    (await request({ path: "/inspect", method: "POST", body: new DOMParser().parseFromString("<p>", "text/html") }))
      .responseText,
  );
  assert_equals(sent.headers["content-type"], "text/html;charset=UTF-8");
}, "POST with a document");
subtest(async () => {
  const form = new FormData();
  form.append("a", "1");
  const sent = JSON.parse((await request({ path: "/inspect", method: "POST", body: form })).responseText);
  assert_regexp_match(sent.headers["content-type"], /^multipart\/form-data; ?boundary=/);
}, "POST with a form");
subtest(async () => {
  const sent = JSON.parse((await request({ path: "/inspect", body: "x" })).responseText);
  assert_equals(sent.body, "");
}, "GET sends no body");
subtest(async () => {
  const prepare = (xhr) => {
    xhr.setRequestHeader("x-c", "1");
    xhr.setRequestHeader("X-C", "2");
  };
  assert_equals(
    JSON.parse((await request({ path: "/inspect?names=x-c", prepare })).responseText).headers["x-c"],
    "1, 2",
  );
}, "headers are combined");
for (const [name, expected] of [
  ["accept", "*/*"],
  ["x-requested-with", null],
  ["traceparent", null],
  ["sec-fetch-mode", "cors"],
])
  subtest(
    async () =>
      assert_equals(
        JSON.parse((await request({ path: `/inspect?names=${name}` })).responseText).headers[name],
        expected,
      ),
    `${name} of a plain request`,
  );
for (const method of ["get", "Get", "post", "put", "patch", "delete"])
  subtest(async () => {
    const sent = JSON.parse((await request({ path: "/inspect", method }).catch(() => ({}))).responseText || "{}");
    if (method !== "patch") assert_equals(sent.method, method.toUpperCase());
  }, `method ${method}`);
subtest(
  async () => assert_equals((await request({ path: new URL("/body", location.href) })).status, 200),
  "open() of a URL",
);
subtest(async () => assert_equals((await request({ path: "data:,x" })).responseText, "x"), "open() of data:");
subtest(
  async () => assert_equals((await request({ path: URL.createObjectURL(new Blob(["x"])) })).responseText, "x"),
  "open() of a blob",
);
subtest(
  async () => assert_equals((await request({ path: CHUNKS, sync: true })).responseText, WHOLE),
  "sync: all at once",
);
