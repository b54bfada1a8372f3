/** Where the browser itself takes an answer, what the server gets, and `EventSource`. See scenarios.mjs. */
import { url } from "./in-page.mjs";

export const platform = {
  async compileStreaming() {
    return Object.prototype.toString.call(await WebAssembly.compileStreaming(fetch("/x.wasm")));
  },
  async cachePut(key) {
    // Of its own: WebKit does not find an answer again that replaced one in the same cache.
    const cache = await caches.open(key);
    await cache.put(`/kept?${key}`, await fetch(url(key)));
    const kept = await (await cache.match(`/kept?${key}`))?.text();
    await caches.delete(key);
    return kept ?? "not kept";
  },
  async echoes() {
    const form = new FormData();
    form.set("file", new Blob(["bytes"]), "a.txt");
    const inputs = {
      string: () => `${location.origin}/echo`,
      relative: () => "/echo",
      url: () => new URL("/echo", location.href),
      request: () => new Request("/echo", { method: "POST", body: "hi", headers: { "x-k": "r" } }),
      object: () => ({ toString: () => "/echo" }),
    };
    const inits = {
      none: () => undefined,
      method: () => ({ method: "PUT", body: "b" }),
      object: () => ({ headers: { "x-k": "v" } }),
      headers: () => ({ headers: new Headers({ "x-k": "v" }) }),
      tuples: () => ({ headers: [["x-k", "v"]] }),
      map: () => ({ headers: new Map([["x-k", "v"]]) }),
      generator: () => ({ headers: new Map([["x-k", "v"]]).entries() }),
      form: () => ({ method: "POST", body: form }),
    };
    const seen = {};
    for (const [i, input] of Object.entries(inputs)) {
      for (const [j, init] of Object.entries(inits)) {
        seen[`${i} ${j}`] = await fetch(input(), init()).then(
          (response) => response.json(),
          (error) => error.message,
        );
      }
    }
    return seen;
  },
  /** Getters are asked as often as natively, and the page's objects stay as they were. */
  async asksOnce() {
    let asked = 0;
    const init = {
      get method() {
        asked++;
        return "POST";
      },
      body: "x",
    };
    const input = {
      toString() {
        asked++;
        return "/echo";
      },
    };
    await fetch(input, init);
    const frozen = Object.freeze({ method: "POST", headers: Object.freeze({ "x-k": "v" }), body: "b" });
    const echo = await (await fetch("/echo", frozen)).json();
    return [asked, echo];
  },
  async eventSource(key) {
    const source = new EventSource(`/events?key=${key}`);
    const log = [];
    source.addEventListener("odd", { handleEvent: (event) => log.push([event.type, event.data, event.lastEventId]) });
    await new Promise((resolve) => {
      source.onopen = () => log.push("open");
      source.onmessage = (event) => {
        log.push([event.type, event.data, event.lastEventId]);
        if (event.lastEventId >= 6) resolve();
      };
    });
    source.onmessage = null;
    const before = source.readyState;
    source.close();
    return [log, before, source.readyState, source.onmessage];
  },
  /** What is listened to late is heard from then on; what a script dispatches is the page's own affair. */
  async eventSourceLate(key) {
    const source = new EventSource(`/events?key=${key}`);
    const log = [];
    await new Promise((resolve) => {
      source.onmessage = (event) => {
        log.push([event.data, event.isTrusted]);
        if (event.data === "d4") return resolve();
        if (event.data === "made") return;
        source.dispatchEvent(new MessageEvent("message", { data: "made" }));
        source.addEventListener("odd", ({ data }) => log.push([data]));
      };
    });
    source.close();
    source.close();
    return [log, source.readyState, Reflect.ownKeys(source)];
  },
  async eventSourceLooksNative() {
    class Sub extends EventSource {
      own() {
        return 1;
      }
    }
    const source = new Sub("/events?key=sub", { withCredentials: true });
    source.close();
    const looks = [
      EventSource.name,
      EventSource.length,
      /\[native code\]/.test(String(EventSource)),
      EventSource.CLOSED,
      source instanceof EventSource,
      source instanceof Sub,
      source.constructor === Sub,
      source.own(),
      source.withCredentials,
      Object.keys(source),
      new EventSource("/events?key=c").constructor === EventSource,
    ];
    const refused = [];
    for (const make of [() => EventSource("/x"), () => new EventSource(), () => new EventSource("http://[")]) {
      try {
        make();
      } catch (error) {
        refused.push([error.name, error.message]);
      }
    }
    return [looks, refused];
  },
  async eventSourceRefused() {
    const source = new EventSource("/json");
    await new Promise((resolve) => {
      source.onerror = resolve;
    });
    return source.readyState;
  },
};
