/** XMLHttpRequest: states, the order of events, aborting, timeouts. */
import { CHUNKS, frame, later, newKey, OPEN, other, seen, subtest, telling } from "./common.mjs";

const EVENTS = ["loadstart", "progress", "abort", "error", "load", "timeout", "loadend"];
/** Everything that a request says, in order. */
const listening = (xhr, isUpload) => {
  const log = [];
  xhr.onreadystatechange = () => log.push(xhr.readyState);
  for (const type of EVENTS) {
    xhr.addEventListener(type, () => log.push(type));
    if (isUpload) xhr.upload.addEventListener(type, () => log.push(`upload ${type}`));
  }
  return log;
};
const ended = (xhr) => new Promise((resolve) => xhr.addEventListener("loadend", resolve));
/** The same without how often it was told of progress. */
const once = (log) => log.filter((one, i) => !(/progress|^3$/.test(one) && log.slice(0, i).includes(one))).join();
const opened = (path, method = "GET") => {
  const xhr = new XMLHttpRequest();
  xhr.open(method, path);
  return xhr;
};

for (const [watched, type] of Object.entries({ watched: "text/event-stream", "not watched": "text/html" })) {
  for (const path of [`/body?type=${type}`, `${CHUNKS}&type=${type}`, `/big?bytes=2000000&type=${type}`])
    subtest(async () => {
      const xhr = new XMLHttpRequest();
      const log = listening(xhr);
      xhr.open("GET", path);
      const end = ended(xhr);
      xhr.send();
      await end;
      assert_equals(once(log), "1,loadstart,2,3,progress,4,load,loadend");
    }, `events of ${path}, ${watched}`);
  subtest(async () => {
    const xhr = opened(`/inspect?type=${type}`, "POST");
    const log = listening(xhr, true);
    const end = ended(xhr);
    xhr.send("x");
    await end;
    assert_equals(
      once(log),
      "loadstart,upload loadstart,upload progress,upload load,upload loadend,2,3,progress,4,load,loadend",
    );
  }, `events with an upload, ${watched}`);
  subtest(async () => {
    const xhr = opened(`/body?status=204&type=${type}`);
    const log = listening(xhr);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(once(log).replace("progress,", ""), "loadstart,2,4,load,loadend");
  }, `events without a body, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${OPEN}&n=1&type=${type}`);
    const log = listening(xhr);
    xhr.send();
    while (!xhr.responseText) await later(5);
    xhr.abort();
    assert_equals(once(log).replace("progress,", ""), "loadstart,2,3,4,abort,loadend");
    assert_array_equals([xhr.readyState, xhr.status, xhr.responseText], [0, 0, ""]);
  }, `abort() while it comes, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${CHUNKS}&reset&type=${type}`);
    const log = listening(xhr);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(once(log).replace("progress,", ""), "loadstart,2,3,4,error,loadend");
    assert_array_equals([xhr.status, xhr.responseText, xhr.response], [0, "", ""]);
  }, `an answer that breaks, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${OPEN}&n=1&type=${type}`);
    xhr.timeout = 60;
    const log = listening(xhr);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(once(log).replace("progress,", ""), "loadstart,2,3,4,timeout,loadend");
  }, `a timeout while it comes, ${watched}`);
  subtest(async () => {
    const xhr = opened(`/body?type=${type}`);
    const end = ended(xhr);
    xhr.send();
    await end;
    const log = listening(xhr);
    xhr.abort();
    assert_equals(log.join(), "");
    assert_equals(xhr.readyState, 0);
  }, `abort() after the end, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${OPEN}&n=1&type=${type}`);
    const log = listening(xhr);
    xhr.send();
    while (xhr.readyState < 3) await later(5);
    xhr.open("GET", `/body?type=${type}`);
    assert_equals(xhr.readyState, 1);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(
      log
        .slice(log.lastIndexOf(1))
        .filter((one) => one !== "progress")
        .join(),
      "1,loadstart,2,3,4,load,loadend",
    );
  }, `open() while it comes, ${watched}`);
  subtest(async () => {
    const xhr = opened(`/body?type=${type}`);
    const log = [];
    xhr.onload = () => {
      log.push("load");
      xhr.open("GET", `/body?type=${type}`);
    };
    xhr.onloadend = () => log.push("loadend");
    xhr.send();
    await later(60);
    assert_equals(log[0], "load");
    assert_equals(xhr.readyState, 1);
  }, `open() in load, ${watched}`);
  subtest(async () => {
    const xhr = opened(`/body?type=${type}`);
    let count = 0;
    const second = new Promise((resolve) => {
      xhr.onload = () => {
        if (count++) return resolve();
        xhr.open("GET", `/body?body=2&type=${type}`);
        xhr.send();
      };
    });
    xhr.send();
    await second;
    assert_equals(xhr.responseText, "2");
  }, `sent again in load, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${CHUNKS}&type=${type}`);
    const log = [];
    xhr.addEventListener("readystatechange", (event) => {
      event.stopImmediatePropagation();
      log.push(xhr.readyState);
    });
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(once(log), "2,3,4");
  }, `a listener that stops the others, ${watched}`);
  subtest(async () => {
    const xhr = opened(`${CHUNKS}&type=${type}`);
    const seen = [];
    xhr.onprogress = ({ loaded, total, lengthComputable }) => seen.push([loaded, total, lengthComputable]);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_array_equals(seen.at(-1), [9, 0, false]);
    assert_true(seen.every(([loaded], i) => !i || loaded >= seen[i - 1][0]));
  }, `progress tells how much, ${watched}`);
}
subtest(async () => {
  const xhr = opened("/slow?ms=500");
  const log = listening(xhr);
  xhr.send();
  xhr.abort();
  assert_equals(log.join(), "loadstart,4,abort,loadend");
  assert_equals(xhr.readyState, 0);
}, "abort() at once");
subtest(async () => {
  const xhr = opened("/slow?ms=500", "POST");
  const log = listening(xhr, true);
  xhr.send("x");
  xhr.abort();
  assert_equals(log.join(), "loadstart,upload loadstart,4,upload abort,upload loadend,abort,loadend");
}, "abort() at once, with an upload");
test(() => {
  const xhr = opened("/body");
  const log = listening(xhr);
  xhr.abort();
  assert_equals(log.join(), "");
  assert_equals(xhr.readyState, 1);
}, "abort() before send()");
test(() => {
  const xhr = new XMLHttpRequest();
  xhr.abort();
  assert_equals(xhr.readyState, 0);
}, "abort() before open()");
subtest(async () => {
  const xhr = opened("/slow?ms=900");
  xhr.timeout = 20;
  const log = listening(xhr);
  const end = ended(xhr);
  xhr.send();
  await end;
  assert_equals(log.join(), "loadstart,4,timeout,loadend");
}, "a timeout");
subtest(async () => {
  const xhr = opened("/slow?ms=900");
  const log = listening(xhr);
  const end = ended(xhr);
  xhr.send();
  await later(20);
  xhr.timeout = 40;
  await end;
  assert_equals(log.join(), "loadstart,4,timeout,loadend");
}, "a timeout set late");
for (const path of ["/reset", `${other}/preflight?deny`])
  subtest(
    async () => {
      const xhr = opened(path);
      if (path !== "/reset") xhr.setRequestHeader("x-b", "1");
      const log = listening(xhr);
      const end = ended(xhr);
      xhr.send();
      await end;
      assert_equals(log.join(), "loadstart,4,error,loadend");
      assert_array_equals([xhr.status, xhr.statusText, xhr.responseURL, xhr.getAllResponseHeaders()], [0, "", "", ""]);
    },
    `a network error: ${path.replace(other, "")}`,
  );
subtest(async () => {
  const xhr = opened("/body");
  const log = listening(xhr);
  xhr.onloadstart = () => {
    xhr.abort();
  };
  xhr.send();
  await later(30);
  assert_equals(log.join(), "loadstart,4,abort,loadend");
}, "abort() in loadstart");
subtest(async () => {
  const xhr = opened("/body");
  const log = [];
  xhr.onloadstart = () => {
    log.push("loadstart");
    xhr.open("GET", "/body");
  };
  xhr.onreadystatechange = () => log.push(xhr.readyState);
  xhr.send();
  await later(30);
  assert_equals(log.join(), "loadstart");
}, "open() in loadstart");
subtest(async () => {
  const xhr = opened("/body");
  const order = [];
  xhr.onload = () => order.push("handler");
  xhr.addEventListener("load", () => order.push("listener"));
  xhr.addEventListener("load", { handleEvent: () => order.push("object") });
  const end = ended(xhr);
  xhr.send();
  await end;
  assert_equals(order.join(), "handler,listener,object");
}, "listeners are called in the order in which they came");
subtest(async () => {
  const xhr = opened("/body");
  const log = listening(xhr);
  for (const type of ["load", "readystatechange", "error", "abort", "progress"])
    xhr.dispatchEvent(new ProgressEvent(type));
  assert_equals(log.join(), "load,1,error,abort,progress");
  const end = ended(xhr);
  xhr.send();
  xhr.dispatchEvent(new Event("load"));
  await end;
  assert_equals(xhr.responseText, "data: hello\n\n");
}, "events that the page dispatches");
subtest(async () => {
  const xhr = opened("/body");
  const seen = [];
  for (const type of ["readystatechange", ...EVENTS])
    xhr.addEventListener(type, (event) =>
      seen.push(
        [type, event.constructor.name, event.isTrusted, event.bubbles, event.cancelable, event.target === xhr].join(),
      ),
    );
  const end = ended(xhr);
  xhr.send();
  await end;
  for (const one of seen)
    assert_equals(
      one.split(",").slice(1).join(),
      `${/^ready/.test(one) ? "Event" : "ProgressEvent"},true,false,false,true`,
    );
}, "what kind of events they are");

// Sync.
for (const path of ["/body", CHUNKS, "/body?type=text/html", "/body?status=404"])
  test(() => {
    const xhr = new XMLHttpRequest();
    const log = listening(xhr);
    xhr.open("GET", path, false);
    assert_equals(xhr.send(), undefined);
    assert_equals(log.join(), "1,4,load,loadend");
    assert_true(xhr.responseText.length > 0);
  }, `sync: ${path}`);
test(() => {
  const xhr = new XMLHttpRequest();
  xhr.open("GET", "/reset", false);
  const _log = listening(xhr);
  assert_throws_dom("NetworkError", () => xhr.send());
  assert_equals(xhr.readyState, 4);
}, "sync: a network error is thrown");
test(() => {
  const xhr = new XMLHttpRequest();
  xhr.open("GET", "/body", false);
  assert_throws_dom("InvalidAccessError", () => {
    xhr.timeout = 5;
  });
  assert_throws_dom("InvalidAccessError", () => {
    xhr.responseType = "json";
  });
}, "sync: no timeout, no type");

// What is refused, and how.
test(() => assert_throws_dom("InvalidStateError", () => new XMLHttpRequest().send()), "send() before open() throws");
test(() => {
  const xhr = opened("/slow?ms=50");
  xhr.send();
  assert_throws_dom("InvalidStateError", () => xhr.send());
  assert_throws_dom("InvalidStateError", () => xhr.setRequestHeader("a", "1"));
  xhr.abort();
}, "send() twice throws");
for (const method of ["CONNECT", "TRACE", "trace", "TRACK"])
  test(
    () => assert_throws_dom("SecurityError", () => new XMLHttpRequest().open(method, "/")),
    `open(${method}) throws`,
  );
for (const method of ["", "a b", "(", "ł"])
  test(
    () => {
      const xhr = new XMLHttpRequest();
      let error;
      try {
        xhr.open(method, "/");
      } catch (thrown) {
        error = thrown;
      }
      assert_true(error?.name === "SyntaxError" || error?.constructor === TypeError);
      assert_equals(xhr.readyState, 0);
    },
    `open(${JSON.stringify(method)}) throws`,
  );
for (const url of ["http://[", "http://a:99999"])
  test(() => assert_throws_dom("SyntaxError", () => new XMLHttpRequest().open("GET", url)), `open() of ${url} throws`);
test(() => assert_throws_js(TypeError, () => new XMLHttpRequest().open("GET")), "open() with one argument throws");
test(() => assert_throws_js(TypeError, () => new XMLHttpRequest().open()), "open() with none throws");
for (const name of ["open", "send", "abort", "setRequestHeader", "getResponseHeader"])
  for (const [label, self] of Object.entries({
    nothing: undefined,
    "an object": {},
    prototype: XMLHttpRequest.prototype,
    target: new EventTarget(),
  }))
    test(
      () => assert_throws_js(TypeError, () => XMLHttpRequest.prototype[name].call(self, "a", "b")),
      `${name}() on ${label} throws`,
    );
for (const which of ["method", "address"])
  subtest(async () => {
    let count = 0;
    const one = { toString: () => (count++, which === "method" ? "GET" : "/body") };
    const xhr = new XMLHttpRequest();
    xhr.open(which === "method" ? one : "GET", which === "method" ? "/body" : one);
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_equals(count, 1);
  }, `the ${which} is turned to text once`);
subtest(async () => {
  let count = 0;
  const xhr = opened("/inspect", "POST");
  const end = ended(xhr);
  xhr.send({ toString: () => (count++, "x") });
  await end;
  assert_equals(count, 1);
  assert_equals(JSON.parse(xhr.responseText).body, "x");
}, "the body is turned to text once");
subtest(async () => {
  class Mine extends XMLHttpRequest {
    constructor() {
      super();
      this.log = [];
    }
    open(...args) {
      this.log.push("open");
      return super.open(...args);
    }
    get readyState() {
      this.log.push("readyState");
      return super.readyState;
    }
    get responseText() {
      this.log.push("responseText");
      return super.responseText;
    }
    get status() {
      this.log.push("status");
      return super.status;
    }
    get responseType() {
      this.log.push("responseType");
      return super.responseType;
    }
    getResponseHeader(name) {
      this.log.push("getResponseHeader");
      return super.getResponseHeader(name);
    }
    getAllResponseHeaders() {
      this.log.push("getAllResponseHeaders");
      return super.getAllResponseHeaders();
    }
    addEventListener(...args) {
      this.log.push("addEventListener");
      return super.addEventListener(...args);
    }
  }
  const xhr = new Mine();
  const end = new Promise((resolve) => {
    xhr.onloadend = resolve;
  });
  xhr.open("GET", "/body");
  xhr.send();
  await end;
  assert_equals(xhr.log.join(), "open");
}, "a request of a class of the page is not asked by way of it");
subtest(async () => {
  const xhr = opened("/body");
  const log = [];
  Object.defineProperties(
    xhr,
    Object.fromEntries(
      ["readyState", "status", "responseText", "responseType"].map((name) => [
        name,
        {
          get() {
            log.push(name);
            throw new Error("mine");
          },
        },
      ]),
    ),
  );
  const end = ended(xhr);
  xhr.send();
  await end;
  assert_equals(log.join(), "");
}, "nor one that has members of its own");
test(() => {
  const Target = class {};
  assert_equals(Object.getPrototypeOf(Reflect.construct(XMLHttpRequest, [], Target)), Target.prototype);
  assert_throws_js(TypeError, () => XMLHttpRequest());
  assert_equals(new XMLHttpRequest().constructor, XMLHttpRequest);
  assert_array_equals(Reflect.ownKeys(new XMLHttpRequest()), []);
}, "XMLHttpRequest is the class that it is");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const xhr = new contentWindow.XMLHttpRequest();
  XMLHttpRequest.prototype.open.call(xhr, "GET", "/body");
  const end = ended(xhr);
  XMLHttpRequest.prototype.send.call(xhr);
  await end;
  assert_equals(xhr.responseText, "data: hello\n\n");
}, "this realm's methods on a frame's request");
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const xhr = new XMLHttpRequest();
  contentWindow.XMLHttpRequest.prototype.open.call(xhr, "GET", "/body");
  const end = ended(xhr);
  contentWindow.XMLHttpRequest.prototype.send.call(xhr);
  await end;
  assert_equals(xhr.responseText, "data: hello\n\n");
}, "a frame's methods on this realm's request");
subtest(async (t) => {
  const element = await frame(t);
  const xhr = new element.contentWindow.XMLHttpRequest();
  element.remove();
  let outcome = "fine";
  try {
    xhr.open("GET", "/body");
    xhr.send();
  } catch (error) {
    outcome = error.name;
  }
  assert_true(["fine", "InvalidStateError", "SyntaxError", "NetworkError"].includes(outcome), outcome);
}, "a request of a frame that is gone");
for (const href of ["mailto:x", "about:blank", "data:,x", "http://["])
  subtest(async (t) => {
    const xhr = opened("/body");
    const base = document.createElement("base");
    base.href = href;
    document.head.append(base);
    t.add_cleanup(() => base.remove());
    const end = ended(xhr);
    xhr.send();
    await end;
    assert_true(xhr.responseURL.endsWith("/body"));
  }, `the address is that of open(), whatever base comes then: ${href}`);
subtest(async () => {
  const key = newKey();
  const ask = async (prepare) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", `${other}/preflight?key=${key}`);
    prepare?.(xhr);
    const end = ended(xhr);
    xhr.send("x");
    await end;
  };
  await ask();
  await ask((xhr) => {
    xhr.onload = () => {};
    xhr.addEventListener("progress", () => {});
  });
  await ask((xhr) => {
    xhr.upload.onprogress = () => {};
  });
  assert_equals((await seen(key)).map(([method]) => method).join(), "POST,POST,OPTIONS,POST");
}, "only who listens to an upload is preceded by a preflight");
subtest(async () => {
  const log = [];
  const xhr = opened("/body");
  const options = telling(log, { capture: false, once: true, passive: undefined, signal: undefined });
  let signalled = 0;
  try {
    xhr.addEventListener("load", () => signalled++, options);
  } catch {}
  assert_equals(new Set(log).size, log.length, log.join());
}, "options of addEventListener() are asked once");
