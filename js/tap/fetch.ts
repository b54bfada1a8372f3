/**
 * The tap on `fetch`: times every request, watches the answers that can be a chat's.
 * May touch: `fetch` of a realm (through `patch`).
 *
 * The page gets the native response or its own error, from a promise derived by one `then`. What the browser refuses
 * at once gets the native promise untouched, because there the one step more could be seen.
 */
import { ASKS_STREAM, FETCH, MATCHED, POST, STREAM } from "../engine.js";
import { watchResponse } from "./body.js";
import { createFlow, type Flow, fail, now } from "./flow.js";
import { type Any, asker, derive, type Hook, peek, plain } from "./patch.js";
import { isOn, sink } from "./sink.js";
import type { Tap } from "./tap.js";

const ASKS = /"stream(_mode|ing)?"\s*:\s*(true|\[|")/;
/** Routes that say it themselves: `/runs/stream`, `/models/m:streamGenerateContent`. */
const ROUTE = /[/:]stream[^/]*$/i;

/** What is used of a realm, as it was before the page could replace it. */
interface Realm {
  window: unknown;
  Request: typeof Request;
  Headers: typeof Headers;
  ReadableStream: typeof ReadableStream;
}

const ofRequest = asker("Request");
const ofResponse = asker("Response");
const ofHeaders = asker("Headers");

/** What a request says of itself; nothing of what is none. */
const asRequest = (object: unknown): Record<string, Any> => {
  const values = Object.create(null);
  try {
    for (const name of ["url", "method", "signal", "headers", "bodyUsed"]) values[name] = ofRequest(object, name);
  } catch {}
  return values;
};

/** Headers that can be read without asking the page; none else. */
const readable = (headers: Any, { Headers }: Realm): HeadersInit => {
  if (headers instanceof Headers) return headers;
  if (!Array.isArray(headers)) return plain(headers);
  const isText = (pair: unknown) => Array.isArray(pair) && pair.every((part) => typeof part === "string");
  return headers.every(isText) ? (headers as HeadersInit) : [];
};

interface Call {
  flow: Flow;
  method: string;
  /** Absolute; empty for objects that only become a URL when the browser asks them, which is to happen once. */
  url: string;
  hint: number;
}

/**
 * Reads what is worth knowing of a call; nothing if it is to be left alone, as are calls that the browser refuses at
 * once. For that a blank request is made of it: the page's own body stays unread.
 */
const describe = (tap: Tap, realm: Realm, self: unknown, args: Any[]): Call | undefined => {
  const { Request, ReadableStream } = realm;
  const input = args[0];
  const options = args[1];
  if (input === undefined || (self ?? realm.window) !== realm.window || (options && typeof options !== "object"))
    return;
  try {
    const request = asRequest(input);
    // A request may stand for the options as well.
    const said = asRequest(options);
    const { signal: own, headers } = { ...peek(options, "signal"), ...peek(options, "headers") };
    const body = said.url ? undefined : peek(options, "body")?.body;
    const isKnown = request.url || typeof input !== "object" || input instanceof URL;
    const blank = new Request(isKnown ? (request.url ?? input) : "", {
      // @ts-expect-error: nothing that the page puts on every object
      __proto__: null,
      method: said.method ?? request.method,
      ...plain(options),
      // Null lets go of the request's own.
      signal: own === undefined ? request.signal : own,
      headers: readable(headers ?? request.headers, realm),
      body: body instanceof ReadableStream ? new ReadableStream() : body && (typeof body === "symbol" ? body : ""),
    });
    const { url, method, signal } = asRequest(blank);
    const matched = isKnown ? tap.matches(url) : 0;
    if (matched < 0 || !/^http/.test(url) || signal.aborted || body?.locked || (request.bodyUsed && body == null)) {
      return;
    }
    const isStream = asksStream(`${ofHeaders(ofRequest(blank, "headers"), "get", "accept")}`, body, url);
    return {
      flow: createFlow(signal),
      method,
      url: isKnown ? url : "",
      hint: matched | (isStream ? ASKS_STREAM : 0) | (method === "POST" ? POST : 0),
    };
  } catch {}
  return;
};

/** Does a request ask for a stream? Of a body only text shows it. */
export const asksStream = (accept: string, body: unknown, url: string): boolean =>
  STREAM.test(accept) || (typeof body === "string" && (ASKS.test(body) || ROUTE.test(new URL(url).pathname)));

/** Can this answer be a chat's? If not, its body is not even touched. */
export const candidate = (type: string, hint: number) =>
  hint & MATCHED ||
  STREAM.test(type) ||
  (hint & ASKS_STREAM && /json/i.test(type)) ||
  (hint & (ASKS_STREAM | POST) && /^text\/plain/i.test(type));

/** The answer has begun. */
export const arrived = (flow: Flow, hint: number, response: Response): void => {
  const headers = ofResponse(response, "headers");
  const told: string[] = [];
  ofHeaders(headers, "forEach", (value: string, name: string) => told.push(name, value));
  const type = ofHeaders(headers, "get", "content-type") ?? "";
  sink.head(flow.id, now(), ofResponse(response, "status"), type, told);
  if (candidate(type, hint)) watchResponse(response, flow);
};

export const onFetch = (tap: Tap, window: Any): Hook => {
  const { Request, Headers, ReadableStream } = window;
  const realm = { window, Request, Headers, ReadableStream };
  return (args, self) => {
    const call = isOn && describe(tap, realm, self, args);
    if (!call) return;
    const { flow, method, url, hint } = call;
    const t = now();
    const open = (url: string) => sink.open(flow.id, t, FETCH, method, url, hint);
    const sent = url && hint ? tap.propagate?.(args, url) : undefined;
    const after = (promise: Promise<Response>) => {
      if (url) open(url);
      sent?.tell(flow.id);
      return derive(
        promise,
        (response) => {
          if (!url) open(ofResponse(response, "url"));
          arrived(flow, hint, response);
        },
        (error) => fail(flow, error),
      );
    };
    return { given: sent?.args, after };
  };
};
