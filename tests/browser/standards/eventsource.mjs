/** Server-sent events: the constructor, what a stream may look like, connections and their ends. */
import { frame, later, newKey, other, replaced, seen, seenWhen, subtest, telling } from "./common.mjs";

const path = (body, more = "") => `/events?body=${encodeURIComponent(body)}${more}`;
const opened = (t, address, init) => {
  const source = new EventSource(address, init);
  t.add_cleanup(() => source.close());
  return source;
};
const next = (source, type = "message") =>
  new Promise((resolve) => source.addEventListener(type, resolve, { once: true }));
/** All messages until the one that says "end". */
const messages = (source, types = ["message"]) =>
  new Promise((resolve) => {
    const all = [];
    for (const type of types)
      source.addEventListener(type, (event) => {
        if (event.data === "end") return resolve(all);
        all.push(event.data);
      });
  });

const FORMATS = {
  "one line": ["data: a\n\n", ["a"]],
  "no space": ["data:a\n\n", ["a"]],
  "two spaces": ["data:  a\n\n", [" a"]],
  "two lines": ["data: a\ndata: b\n\n", ["a\nb"]],
  "carriage returns": ["data: a\r\rdata: b\r\r", ["a", "b"]],
  both: ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  mixed: ["data: a\r\n\ndata: b\n\r\n", ["a", "b"]],
  "a comment": [": c\ndata: a\n: d\n\n", ["a"]],
  "only a comment": [": c\n\ndata: a\n\n", ["a"]],
  "an unknown field": ["x: y\ndata: a\n\n", ["a"]],
  "no colon": ["data\n\ndata: a\n\n", ["", "a"]],
  "no colon twice": ["data\ndata\n\n", ["\n"]],
  "a colon in it": ["data: a:b\n\n", ["a:b"]],
  "a mark of bytes": ["\uFEFFdata: a\n\n", ["a"]],
  "two marks": ["\uFEFF\uFEFFdata: a\n\ndata: b\n\n", ["b"]],
  "a mark in it": ["data: a\n\n\uFEFFdata: b\n\ndata: c\n\n", ["a", "c"]],
  "UTF-8": ["data: ü😀\n\n", ["ü😀"]],
  "a null": ["data: a\0b\n\n", ["a\0b"]],
  "a leading space": [" data: a\n\ndata: b\n\n", ["b"]],
  "upper case": ["DATA: a\n\ndata: b\n\n", ["b"]],
  "a space before the colon": ["data : a\n\ndata: b\n\n", ["b"]],
  "many empty lines": ["\n\n\ndata: a\n\n\n\n", ["a"]],
  "a retry": ["retry: 1000\ndata: a\n\n", ["a"]],
  "a retry that is none": ["retry: x\ndata: a\n\n", ["a"]],
  "an empty event": ["event:\ndata: a\n\n", ["a"]],
  "a last one that is not complete": ["data: a\n\ndata: end\n\ndata: b", ["a"]],
  many: [
    Array.from({ length: 300 }, (_, i) => `data: ${i}\n\n`).join(""),
    Array.from({ length: 300 }, (_, i) => String(i)),
  ],
};
for (const [label, [body, expected]] of Object.entries(FORMATS))
  subtest(async (t) => {
    const all = await messages(opened(t, path(`${body}${/not complete/.test(label) ? "" : "data: end\n\n"}`)));
    assert_equals(JSON.stringify(all), JSON.stringify(expected));
  }, `format: ${label}`);
for (const [label, body, type, data] of [
  ["its name", "event: a\ndata: x\n\n", "a", "x"],
  ["a name with a space", "event: a b\ndata: x\n\n", "a b", "x"],
  ["the last of two names", "event: a\nevent: b\ndata: x\n\n", "b", "x"],
  ["the name open", "event: open\ndata: x\n\n", "open", "x"],
  ["the name error", "event: error\ndata: x\n\n", "error", "x"],
  ["the name message", "event: message\ndata: x\n\n", "message", "x"],
])
  subtest(async (t) => {
    const source = opened(t, path(body));
    const event = await new Promise((resolve) =>
      source.addEventListener(type, (event) => "data" in event && resolve(event)),
    );
    assert_equals(event.data, data);
    assert_equals(event.type, type);
    assert_equals(event.constructor, MessageEvent);
  }, `an event of ${label}`);
subtest(async (t) => {
  const source = opened(t, path("event: a\ndata: no\n\ndata: yes\n\n"));
  assert_equals((await next(source)).data, "yes");
}, "an event with a name is no message");
subtest(async (t) => {
  const source = opened(t, path("id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: \ndata: d\n\n"));
  const ids = [];
  await new Promise((resolve) =>
    source.addEventListener("message", ({ lastEventId, data }) => {
      ids.push(lastEventId);
      if (data === "d") resolve();
    }),
  );
  assert_array_equals(ids, ["7", "7", "", ""]);
}, "lastEventId");
subtest(async (t) => {
  const event = await next(opened(t, path("data: a\n\n")));
  assert_array_equals(
    [event.origin, event.source, event.ports.length, event.isTrusted, event.bubbles, event.cancelable],
    [location.origin, null, 0, true, false, false],
  );
}, "what a message says of itself");
subtest(async (t) => {
  const event = await next(opened(t, path("data: a\n\n")), "open");
  assert_array_equals(
    [event.constructor, event.isTrusted, event.bubbles, event.cancelable],
    [Event, true, false, false],
  );
}, "what open says of itself");
subtest(async (t) => {
  const source = opened(t, path("data: a\n\n"));
  const log = [source.readyState];
  source.onopen = () => log.push("open", source.readyState);
  await next(source);
  log.push(source.readyState);
  source.close();
  log.push(source.readyState);
  assert_equals(log.join(), "0,open,1,1,2");
}, "states");
subtest(async (t) => {
  const source = opened(t, path("data: a\n\n"));
  const order = [];
  source.onmessage = () => order.push("handler");
  source.addEventListener("message", () => order.push("listener"));
  source.addEventListener("message", { handleEvent: () => order.push("object") });
  await next(source);
  assert_equals(order.join(), "handler,listener,object");
}, "listeners are called in the order in which they came");
subtest(async (t) => {
  const source = opened(t, path("data: a\n\n"));
  const log = [];
  source.addEventListener("message", (event) => {
    event.stopImmediatePropagation();
    log.push("first");
  });
  source.onmessage = () => log.push("second");
  await later(60);
  assert_equals(log.join(), "first");
}, "a listener that stops the others");
subtest(async (t) => {
  const source = opened(t, path("data: a\n\ndata: b\n\n"));
  const log = [];
  source.onmessage = ({ data }) => {
    log.push(data);
    source.close();
  };
  await later(60);
  assert_equals(log.join(), "a");
}, "close() in a listener: no more comes");
subtest(async () => {
  const source = new EventSource(path("data: a\n\n"));
  source.close();
  const log = [];
  for (const type of ["open", "message", "error"]) source.addEventListener(type, () => log.push(type));
  await later(60);
  assert_equals(log.join(), "");
  assert_equals(source.close(), undefined);
}, "close() at once: nothing comes");
subtest(async (t) => {
  const key = newKey();
  const source = opened(t, path("retry: 5\nid: 7\ndata: a\n\n", `&end&stop&key=${key}`));
  const log = [];
  source.onerror = () => log.push(`error ${source.readyState}`);
  source.onopen = () => log.push("open");
  await new Promise((resolve) => {
    source.onmessage = ({ data }) => {
      log.push(data);
      if (data === "again") resolve();
    };
  });
  source.close();
  assert_equals(log.join(), "open,a,error 0,open,again");
  const notes = await seen(key);
  assert_array_equals(notes.slice(0, 2), [null, "7"]);
}, "connects again, with the last id");
for (const [label, more] of Object.entries({
  "another type": "&type=text/plain",
  "no type": "&type=",
  "status 404": "&status=404",
  "status 500": "&status=500",
  "status 204": "&status=204",
}))
  subtest(async (t) => {
    const source = opened(t, path("data: a\n\n", `&end${more}`));
    const log = [];
    source.onopen = source.onmessage = ({ type }) => log.push(type);
    const event = await next(source, "error");
    assert_equals(event.constructor, Event);
    assert_equals(source.readyState, 2);
    await later(20);
    assert_equals(log.join(), "");
  }, `fails for good: ${label}`);
for (const type of ["text/event-stream;charset=utf-8", "text/event-stream; x=y", "TEXT/EVENT-STREAM"])
  subtest(
    async (t) =>
      assert_equals((await next(opened(t, path("data: a\n\n", `&type=${encodeURIComponent(type)}`)))).data, "a"),
    `type ${type}`,
  );
subtest(async (t) => {
  const source = opened(t, `${other}${path("data: a\n\n")}`);
  assert_equals((await next(source)).origin, other);
}, "another origin");
subtest(async (t) => {
  const source = opened(t, `${other}${path("data: a\n\n")}`, { withCredentials: true });
  await next(source, "error");
  assert_equals(source.readyState, 2);
}, "another origin, with credentials that are not allowed");
subtest(async (t) => {
  const source = opened(t, `/redirect?to=${encodeURIComponent(path("data: a\n\n"))}`);
  assert_equals((await next(source)).data, "a");
  assert_true(source.url.includes("/redirect"));
}, "redirected");
subtest(async (t) => {
  const key = newKey();
  const source = opened(t, path("data: a\n\n", `&key=${key}`));
  await next(source);
  assert_array_equals(await seenWhen(key, ({ length }) => length), [null]);
}, "one connection, no more");
for (const [label, fire] of Object.entries({
  message: () => new MessageEvent("message", { data: "x" }),
  open: () => new Event("open"),
  error: () => new Event("error"),
}))
  subtest(async (t) => {
    const source = opened(t, path("data: a\n\n"));
    await next(source);
    const heard = next(source, label);
    assert_true(source.dispatchEvent(fire()));
    assert_false((await heard).isTrusted);
    assert_equals(source.readyState, 1);
  }, `an event ${label} that the page dispatches`);

test(() => {
  const source = new EventSource("/events");
  assert_array_equals(
    [source.url, source.withCredentials, source.readyState],
    [new URL("/events", location.href).href, false, 0],
  );
  for (const name of ["onopen", "onmessage", "onerror"]) assert_equals(source[name], null);
  assert_array_equals(Reflect.ownKeys(source), []);
  assert_equals(source.constructor, EventSource);
  source.close();
}, "a new one");
for (const url of ["http://[", "http://a:99999"])
  test(() => assert_throws_dom("SyntaxError", () => new EventSource(url)), `new EventSource(${url}) throws`);
test(() => assert_throws_js(TypeError, () => new EventSource()), "new EventSource() throws");
test(() => assert_throws_js(TypeError, () => EventSource("/events")), "EventSource() without new throws");
test(() => assert_throws_js(TypeError, () => new EventSource("/events", 1)), "new EventSource(url, 1) throws");
test(() => assert_throws_js(TypeError, () => new EventSource(Symbol("x"))), "new EventSource(symbol) throws");
test(() => {
  let count = 0;
  new EventSource({ toString: () => (count++, "/events") }).close();
  assert_equals(count, 1);
}, "the address is turned to text once");
test(() => {
  const log = [];
  new EventSource("/events", telling(log, { withCredentials: false })).close();
  assert_array_equals(log, ["withCredentials"]);
}, "withCredentials is asked once");
test(() => {
  const error = new Error("mine");
  assert_throws_exactly(
    error,
    () =>
      new EventSource("/events", {
        get withCredentials() {
          throw error;
        },
      }),
  );
}, "what the getter of withCredentials throws is thrown");
test(() => {
  for (const [name, value] of [
    ["CONNECTING", 0],
    ["OPEN", 1],
    ["CLOSED", 2],
  ])
    for (const owner of [EventSource, EventSource.prototype]) {
      assert_object_equals(Object.getOwnPropertyDescriptor(owner, name), {
        value,
        writable: false,
        enumerable: true,
        configurable: false,
      });
    }
  assert_array_equals([EventSource.name, EventSource.length], ["EventSource", 1]);
  assert_equals(Object.getPrototypeOf(EventSource), EventTarget);
  assert_equals(EventSource.prototype.constructor, EventSource);
}, "EventSource is the class that it is");
subtest(async () => {
  class Mine extends EventSource {
    get url() {
      this.asked = true;
      return super.url;
    }
    addEventListener(...args) {
      this.added = (this.added ?? 0) + 1;
      return super.addEventListener(...args);
    }
    get readyState() {
      this.asked = true;
      return super.readyState;
    }
  }
  const source = new Mine(path("data: a\n\n"));
  assert_true(source instanceof Mine && source instanceof EventSource);
  assert_equals(source.constructor, Mine);
  assert_equals((await next(source)).data, "a");
  source.close();
  assert_array_equals([source.asked, source.added], [undefined, 1]);
}, "EventSource can be extended, and nobody asks it by way of its class");
test(() => {
  const Target = class {};
  const source = Reflect.construct(EventSource, ["/events"], Target);
  assert_equals(Object.getPrototypeOf(source), Target.prototype);
  EventSource.prototype.close.call(source);
  const log = [];
  const target = new Proxy(EventSource, { get: (own, name) => (log.push(String(name)), own[name]) });
  Reflect.construct(EventSource, ["/events"], target).close();
  assert_array_equals(log, ["prototype"]);
}, "Reflect.construct with another newTarget");
for (const [label, self] of Object.entries({
  nothing: undefined,
  "an object": {},
  prototype: EventSource.prototype,
  target: new EventTarget(),
}))
  test(() => assert_throws_js(TypeError, () => EventSource.prototype.close.call(self)), `close() on ${label} throws`);
subtest(async (t) => {
  const { contentWindow } = await frame(t);
  const source = new contentWindow.EventSource(path("data: a\n\n"));
  assert_equals((await next(source)).data, "a");
  EventSource.prototype.close.call(source);
  assert_equals(source.readyState, 2);
  const own = new EventSource(path("data: a\n\n"));
  contentWindow.EventTarget.prototype.addEventListener.call(own, "x", () => {});
  contentWindow.EventSource.prototype.close.call(own);
  assert_equals(own.readyState, 2);
}, "a frame's sources and methods");
subtest(async (t) => {
  const element = await frame(t);
  const { EventSource: Theirs } = element.contentWindow;
  element.remove();
  let outcome = "made";
  try {
    new Theirs("/events").close();
  } catch (error) {
    outcome = error.name;
  }
  assert_true(["made", "SyntaxError", "InvalidStateError", "InvalidAccessError"].includes(outcome), outcome);
}, "a source of a frame that is gone");
for (const name of ["url", "readyState"])
  subtest(async (t) => {
    let count = 0;
    const { get } = Object.getOwnPropertyDescriptor(EventSource.prototype, name);
    const back = replaced(t, EventSource.prototype, name, {
      get() {
        count++;
        return get.call(this);
      },
    });
    await next(opened(t, path("data: a\n\n")));
    back();
    assert_equals(count, 0);
  }, `nobody asks for ${name} but the page`);

// addEventListener of all targets, once there is a source.
test(() => {
  const { addEventListener } = EventTarget.prototype;
  assert_array_equals(
    [addEventListener.name, addEventListener.length, "prototype" in addEventListener],
    ["addEventListener", 2, false],
  );
  assert_throws_js(TypeError, () => addEventListener());
  assert_throws_js(TypeError, () => addEventListener("x"));
  assert_throws_js(TypeError, () => addEventListener.call({}, "x", () => {}));
  assert_throws_js(TypeError, () => new addEventListener());
  assert_equals(addEventListener.call(undefined, "x", null), undefined);
  assert_throws_js(TypeError, () => new EventTarget().addEventListener("x", 1));
}, "addEventListener is the function that it is");
test(() => {
  let count = 0;
  const source = new EventSource("/events");
  source.addEventListener({ toString: () => (count++, "x") }, () => {});
  source.close();
  assert_equals(count, 1);
}, "a name is turned to text once");
test(() => {
  const log = [];
  const source = new EventSource("/events");
  source.addEventListener(
    "x",
    () => {},
    telling(log, { capture: false, once: false, passive: false, signal: new AbortController().signal }),
  );
  source.close();
  assert_equals([...log].sort().join(), "capture,once,passive,signal");
}, "options are asked once each");
subtest(async (t) => {
  const controller = new AbortController();
  const source = opened(t, path("event: a\ndata: 1\n\nevent: a\ndata: 2\n\ndata: end\n\n"));
  let count = 0;
  source.addEventListener("a", () => count++, { once: true });
  source.addEventListener(
    "a",
    () => {
      count += 10;
      controller.abort();
    },
    { signal: controller.signal },
  );
  const listener = () => {
    count += 100;
  };
  source.addEventListener("a", listener);
  source.removeEventListener("a", listener);
  await next(source);
  assert_equals(count, 11);
}, "once, signal and removeEventListener");
