/**
 * The tap on `fetch`: times every request, watches the answers that can be a chat's.
 * May touch: `globalThis.fetch` (through `replace`), the responses it gives.
 *
 * The page gets the native response or its own error, from a promise derived by one `then`. What the browser refuses
 * at once gets the native promise untouched, because there the one step more could be seen.
 */
import { ASKS_STREAM, FETCH, MATCHED, POST } from "../engine.js";
import { watchResponse } from "./body.js";
import { createFlow } from "./flow.js";
import type { Tap } from "./tap.js";

const STREAM = /event-?stream|ndjson|jsonl|json-?lines|stream\+json|json-seq/i;
const ASKS = /"stream"\s*:\s*true/;
/** A prompt longer than this is not searched for `"stream": true`. */
const BODY = 1 << 20;

const HEADERS =
  "x-request-id request-id apim-request-id x-ms-client-request-id x-amzn-requestid x-amzn-trace-id x-vercel-id cf-ray cf-aig-log-id x-litellm-call-id x-cloud-trace-context fly-request-id x-nf-request-id traceparent traceresponse server-timing x-vercel-ai-ui-message-stream x-vercel-ai-data-stream retry-after".split(
    " ",
  );

export interface Call {
  id: number;
  method: string;
  /** Absolute; absent for objects that only become a URL when the browser asks them, which is to happen once. */
  url: string | undefined;
  hint: number;
  signal: AbortSignal | undefined;
}

/** Would the browser refuse this at once? A blank request is asked, so that the page's body and signal stay unread. */
const refused = (url = "", request: Request | undefined, init: RequestInit, signal: unknown) => {
  const { body, headers } = init;
  if ((signal as AbortSignal)?.aborted || (request?.bodyUsed && body == null)) return true;
  try {
    new Request(url, {
      ...(request && { method: request.method }),
      ...init,
      // An iterator can be read once, and that is for the browser to do.
      headers: headers && "next" in headers ? {} : headers,
      body: body == null ? null : "",
      signal: signal instanceof AbortSignal ? null : signal,
    } as RequestInit);
    return body instanceof ReadableStream && (body.locked || (init as { duplex?: string }).duplex !== "half");
  } catch {
    return true;
  }
};

/** What a getter of the page would give is for the browser alone to ask. */
const plain = (init: RequestInit | undefined): RequestInit =>
  init && !Object.values(Object.getOwnPropertyDescriptors(init)).some(({ get }) => get) ? init : {};

/** Reads what is worth knowing of a call; nothing if it is to be left alone. */
const describe = (tap: Tap, self: unknown, [input, given]: unknown[]): Call | undefined => {
  if (input === undefined || (self != null && self !== globalThis)) return undefined;
  if (given && typeof given !== "object") return undefined;
  const init = plain(given as RequestInit | undefined);
  const request = input instanceof Request ? input : undefined;
  let url = request?.url;
  if (typeof input !== "object" || input instanceof URL) {
    try {
      url = new URL(input as string, document.baseURI).href;
    } catch {
      return undefined; // not every string is a URL
    }
  }
  const signal = init.signal ?? request?.signal;
  const matched = tap.matches(url);
  if (matched < 0 || (url && !/^http/.test(url)) || refused(url, request, init, signal)) return undefined;

  const method = (init.method ?? request?.method ?? "GET").toUpperCase();
  const headers = init.headers ?? request?.headers;
  const accept = headers instanceof Headers ? headers.get("accept") : JSON.stringify(headers);
  const { body } = init;
  const asks = STREAM.test(accept ?? "") || (typeof body === "string" && body.length < BODY && ASKS.test(body));
  return {
    id: tap.id(),
    method,
    url,
    hint: (matched && MATCHED) | (asks ? ASKS_STREAM : 0) | (method === "POST" ? POST : 0),
    signal: signal ?? undefined,
  };
};

/** Can this answer be a chat's? If not, its body is not even touched. */
const candidate = (type: string, hint: number) =>
  hint & MATCHED ||
  STREAM.test(type) ||
  (/\bjson\b/i.test(type) && hint & ASKS_STREAM) ||
  (/^text\/plain/i.test(type) && hint & (ASKS_STREAM | POST));

/** The answer has begun. */
export const arrived = (tap: Tap, { id, hint, signal }: Call, response: Response): void => {
  const { headers, status } = response;
  const type = headers.get("content-type") ?? "";
  const named: string[] = [];
  for (const name of HEADERS.concat(tap.headers)) {
    const value = headers.get(name);
    if (value) named.push(name, value);
  }
  tap.sink.head(id, performance.now(), status, type, named);
  if (candidate(type, hint)) watchResponse(response, createFlow(tap.sink, id, signal), tap.fuse);
};

export const wrapFetch = (tap: Tap, native: typeof fetch): typeof fetch => {
  let inside = false;
  const apply = (target: typeof fetch, self: unknown, args: unknown[]) => {
    // `inside`: an older proxy of ours that someone kept below the present one.
    const call = tap.on && !inside && tap.fuse.run(() => describe(tap, self, args));
    const t = performance.now();
    inside = true;
    let promise: Promise<Response>;
    try {
      promise = Reflect.apply(target, self, args);
    } finally {
      inside = false;
    }
    if (!call) return promise;
    const open = (url: string) => tap.sink.open(call.id, t, FETCH, call.method, url, call.hint);
    if (call.url) open(call.url);
    return promise.then(
      (response) => {
        tap.fuse.run(() => {
          if (!call.url) open(response.url);
          arrived(tap, call, response);
        });
        return response;
      },
      (error) => {
        tap.fuse.run(() => createFlow(tap.sink, call.id, call.signal).fail(error));
        throw error;
      },
    );
  };
  return new Proxy(native, { apply });
};
