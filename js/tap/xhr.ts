/**
 * The tap on `XMLHttpRequest`: an answer that grows as text is a stream like others.
 * May touch: `open` and `send` of the prototype (through `patch`); listeners of the requests, never of their uploads:
 * one there would cost a cross-origin request its preflight's absence.
 */
import { ABORTED, ASKS_STREAM, CANCELLED, ERROR, POST, XHR } from "../engine.js";
import { guard } from "../guard.js";
import { encode, watchWhole } from "./body.js";
import { asksStream, candidate } from "./fetch.js";
import { createFlow, end, type Flow, given, now } from "./flow.js";
import { type Any, asker, type Hook, type Patch } from "./patch.js";
import { isOn, sink } from "./sink.js";
import type { Tap } from "./tap.js";

interface Call {
  method: string;
  url: string;
  flow?: Flow;
}

const of = asker("XMLHttpRequest");

const calls = new WeakMap<XMLHttpRequest, Call>();

/** Objects become text only when the browser asks them, which is to happen once. */
const described = (method: unknown, url: unknown, realm: Any): Call | undefined => {
  if (typeof method !== "string" || !(typeof url === "string" || url instanceof URL)) return undefined;
  try {
    return { method: method.toUpperCase(), url: new URL(url, realm.document.baseURI).href };
  } catch {
    return undefined;
  }
};

/** The reply's headers, flat. */
const headersOf = (xhr: XMLHttpRequest): string[] => {
  const told: string[] = [];
  // The browser writes names in lower case, and values without blanks around them.
  of(xhr, "getAllResponseHeaders").replace(/(.+?): *(.*)/g, (_: string, name: string, value: string) =>
    told.push(name, value),
  );
  return told;
};

/** What has come since the last look; the text is cumulative. */
const watch = (
  xhr: XMLHttpRequest,
  call: Call,
  flow: Flow,
  hint: number,
  add: EventTarget["addEventListener"],
): void => {
  let isSeen = false;
  let isWatched: unknown = false;
  let length = 0;
  const hear = guard(({ type, timeStamp, isTrusted }: Event) => {
    const readyState = of(xhr, "readyState");
    const status = of(xhr, "status");
    const kind = of(xhr, "responseType");
    // A request that was opened anew is another stream.
    if (!isTrusted || call.flow !== flow || readyState < 2) return;
    if (!isSeen && status) {
      isSeen = true;
      const contentType = of(xhr, "getResponseHeader", "content-type") ?? "";
      isWatched = candidate(contentType, hint);
      sink.head(flow.id, timeStamp, status, contentType, headersOf(xhr));
    }
    if (type === "abort") end(flow, ABORTED, "AbortError");
    else if (/error|timeout/.test(type)) end(flow, ERROR, type);
    else if (isWatched) {
      if (!kind || kind === "text") {
        const text = of(xhr, "responseText");
        if (text.length > length) given(flow, flow.seen, encode(text.slice(length)), timeStamp);
        length = text.length;
        if (type === "load") end(flow);
      } else if (type === "load") watchWhole(kind, of(xhr, "response"), flow);
    }
  });
  for (const type of ["readystatechange", "load", "error", "abort", "timeout"]) add.call(xhr, type, hear);
};

export const hookXhr = (tap: Tap, realm: Any, patch: Patch): void => {
  const prototype = realm.XMLHttpRequest?.prototype;
  const { addEventListener } = realm.EventTarget.prototype;
  const onOpen: Hook = (args, self) => () => {
    const before = calls.get(self)?.flow;
    if (before) end(before, CANCELLED);
    const call = described(args[0], args[1], realm);
    if (call) calls.set(self, call);
    else calls.delete(self);
  };
  const onSend: Hook = (args, self) => {
    const body = args[0];
    const call = isOn && calls.get(self);
    if (!call || call.flow || of(self, "readyState") !== 1) return;
    const href = call.url;
    const matched = tap.matches(href);
    if (matched < 0) return;
    const flow = createFlow();
    call.flow = flow;
    const hint = matched | (asksStream("", body, href) ? ASKS_STREAM : 0) | (call.method === "POST" ? POST : 0);
    sink.open(flow.id, now(), XHR, call.method, href, hint);
    watch(self, call, flow, hint, addEventListener);
  };
  patch(prototype, onOpen, "open");
  patch(prototype, onSend, "send");
};
