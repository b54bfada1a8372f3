/**
 * The tap on `fetch`: times every request, watches the answers that can be a chat's.
 * May touch: `globalThis.fetch` (through `replace`), the responses it gives.
 *
 * The page gets the native response or its own error, from a promise derived by one `then`. What the browser refuses
 * at once gets the native promise untouched, because there the one step more could be seen.
 */
import { ASKS_STREAM, FETCH, MATCHED, POST } from "../engine.js";
import { watchResponse } from "./body.js";
import { createFlow, fail, now } from "./flow.js";
import { type Any, derive, hooked } from "./patch.js";
import { sink } from "./sink.js";
import type { Tap } from "./tap.js";

const STREAM = /event-?stream|ndjson|jsonl|json-?lines|stream\+json|json-seq/i;
const ASKS = /"stream"\s*:\s*true/;

/** Headers that name the request or the trace, tell of the server's phases, or of the stream's protocol. */
const NAMED = /request-?id$|call-id$|^trace|trace-|^cf-(ray|aig)|^x-vercel-|server-timing|retry-after/;

export interface Call {
  id: number;
  method: string;
  /** Absolute; empty for objects that only become a URL when the browser asks them, which is to happen once. */
  url: string;
  hint: number;
  signal: AbortSignal | null | undefined;
}

/**
 * Reads what is worth knowing of a call; nothing if it is to be left alone, as are calls that the browser refuses at
 * once. For that a blank request is made of it: the page's own body and signal stay unread.
 */
const describe = (tap: Tap, self: unknown, [input, options]: unknown[]): Call | undefined => {
  if (input === undefined || (self != null && self !== globalThis)) return undefined;
  if (options && typeof options !== "object") return undefined;
  // What a getter of the page would give, or an iterator, is for the browser alone to ask.
  const asked = Object.values(Object.getOwnPropertyDescriptors(options ?? {})).some(({ get }) => get);
  const init = (asked ? {} : (options ?? {})) as Any;
  const { body, headers } = init;
  const request = input instanceof Request ? input : undefined;
  const isKnown = request || typeof input !== "object" || input instanceof URL;
  const signal: AbortSignal | null | undefined = init.signal ?? request?.signal;
  try {
    const blank = new Request(isKnown ? (request?.url ?? (input as string)) : "", {
      method: request?.method,
      ...init,
      headers: headers?.next ? {} : (headers ?? request?.headers),
      body: body && "",
      signal: signal instanceof AbortSignal ? null : signal,
    });
    const url = isKnown ? blank.url : "";
    const matched = tap.matches(url);
    if (
      matched < 0 ||
      !/^http|^$/.test(url) ||
      signal?.aborted ||
      (request?.bodyUsed && body == null) ||
      (body instanceof ReadableStream && (body.locked || init.duplex !== "half"))
    ) {
      return undefined;
    }
    const { method } = blank;
    const asks = STREAM.test(`${blank.headers.get("accept")}`) || (typeof body === "string" && ASKS.test(body));
    return {
      id: tap.id(),
      method,
      url,
      hint: (matched && MATCHED) | (asks ? ASKS_STREAM : 0) | (method === "POST" ? POST : 0),
      signal,
    };
  } catch {
    return undefined;
  }
};

/** Can this answer be a chat's? If not, its body is not even touched. */
const candidate = (type: string, hint: number) =>
  hint & MATCHED ||
  STREAM.test(type) ||
  (hint & ASKS_STREAM && /json/i.test(type)) ||
  (hint & (ASKS_STREAM | POST) && /^text\/plain/i.test(type));

/** The answer has begun. */
export const arrived = (tap: Tap, { id, hint, signal }: Call, response: Response): void => {
  const { headers, status } = response;
  const type = headers.get("content-type") ?? "";
  sink.head(
    id,
    now(),
    status,
    type,
    [...headers]
      .filter(([name]) => NAMED.test(name) || tap.options.requestIdHeaders?.some((own) => own.toLowerCase() === name))
      .flat(),
  );
  if (candidate(type, hint)) watchResponse(response, createFlow(id, signal));
};

export const hookFetch = (tap: Tap, native: typeof fetch): typeof fetch =>
  hooked(native, (args, self) => {
    const call = tap.on && describe(tap, self, args);
    if (!call) return;
    const t = now();
    const open = (url: string) => sink.open(call.id, t, FETCH, call.method, url, call.hint);
    return (promise) => {
      if (call.url) open(call.url);
      return derive(
        promise as Promise<Response>,
        (response) => {
          if (!call.url) open(response.url);
          arrived(tap, call, response);
        },
        (error) => fail(createFlow(call.id, call.signal), error),
      );
    };
  });
