/**
 * What is left where the engine cannot start: network timings of requests that are surely a chat's, in the same batches.
 * May touch: the network, by the `fetch` from under the taps; `pagehide` and `visibilitychange`.
 *
 * Nothing of the screen, of gestures or of the stream's meaning is known here, and nothing is concluded: what the page
 * broke off is `open`, as only the engine can tell a stop from a timeout. A batch is tried once.
 */
import { announcer } from "./announce.js";
import { deliveryOf } from "./delivery.js";
import { ASKS_STREAM, type Boot, DONE, type Engine, MATCHED, POST, STREAM } from "./engine.js";
import { narrow } from "./headers.js";
import { rematch } from "./rematch.js";
import { isInSample } from "./sample.js";
import type { Batch, Request, Turn } from "./types.js";
import { VERSION } from "./version.js";

const TRANSPORTS = ["fetch", "eventSource", "xhr", "webSocket", "manual"] as const;
const ENDS = ["done", "error", "cancelled", "aborted", "open"] as const;
/** The only strings that may leave the page (`core::label`): ids, and labels that the application declared. */
const ID = /^[\w./:=+@~-]{1,128}$/;
const LABEL = /^[\w./: -]{1,64}$/;
/** Consents under which something is sent; a word that is no consent is none. */
const SENDS = ["measure", "correlate", "store"];
/** Requests looked at, and turns that wait, at a time. */
const MOST = 50;
const GATHER = 1000;

interface Seen {
  id: string;
  revision: number;
  sent: number;
  isChat: boolean;
  hint: number;
  request: Request;
}

/** Nothing nested: text could hide in it. */
const isFlat = (value: unknown): boolean =>
  typeof value === "string" ? LABEL.test(value) : typeof value === "boolean" || Number.isFinite(value);

const hex = (): string =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** A request as a turn of its own, as it stands. */
const turnOf = (seen: Seen): Turn => {
  const { id, sent, request } = seen;
  const { responseStart, firstChunk, lastChunk, end } = request;
  const hasFailed = end === "error" || (request.status ?? 0) >= 400;
  const outcome = hasFailed ? "failed" : end === "done" ? "completed" : "open";
  const timings = { requestSent: 0, responseStart, firstChunk, lastChunk };
  const reached = Object.entries(timings).filter(([, time]) => time !== undefined);
  seen.revision++;
  return {
    id,
    revision: seen.revision,
    final: outcome !== "open",
    startedAt: Date.now() - performance.now() + sent,
    trigger: "auto",
    outcome,
    timings: Object.fromEntries(reached),
    methods: Object.fromEntries(reached.map(([name]) => [name, "network"])),
    flags: [],
    attributes: {},
    requests: [{ ...request }],
  } as unknown as Turn;
};

export const boot: Boot = async (options, { tap, listeners, page, session, isWanted }) => {
  if (!isWanted()) return undefined;
  const delivery = await deliveryOf(options, tap.fetch);
  const requests = new Map<number, Seen>();
  const announce = announcer(listeners);
  const isSampled = isInSample(session, options);
  const consentNow = () => options.consent ?? "correlate";
  const own = (options.requestIdHeaders ?? []).map((name) => name.toLowerCase());
  let waiting: Turn[] = [];
  let seq = 0;

  const batch = (turns: Turn[], hasIds: boolean): Batch =>
    ({
      schema: "chat-vitals/1",
      sdk: { version: VERSION, mode: "degraded" },
      sentAt: Date.now(),
      seq: ++seq,
      page: hasIds ? { id: page } : {},
      ...(hasIds && { session }),
      attributes: Object.fromEntries(
        Object.entries(options.attributes ?? {}).filter(([name, value]) => LABEL.test(name) && isFlat(value)),
      ),
      variants: [],
      turns: hasIds
        ? turns
        : turns.map((turn) => ({ ...turn, requests: turn.requests.map(({ requestId: _, ...rest }) => rest) })),
    }) as unknown as Batch;

  const flush = (isLeaving: boolean): void => {
    const { send, endpoint, headers } = options;
    const consent = consentNow();
    if (!SENDS.includes(consent)) {
      if (consent !== "pending") waiting = [];
      return;
    }
    if (!waiting.length) return;
    const sent = batch(waiting, consent !== "measure");
    waiting = [];
    // Whatever becomes of it is not the page's to hear.
    if (send) void (async () => send(sent))().catch(() => {});
    else if (endpoint) {
      const body = JSON.stringify(sent);
      if (isLeaving && delivery.takesBeacons && navigator.sendBeacon(endpoint, body)) return;
      const how = {
        method: "POST",
        body,
        keepalive: isLeaving,
        headers: { ...headers, "content-type": "text/plain;charset=UTF-8" },
      };
      delivery
        .fetch(endpoint, how)
        .then((response) => response.text())
        .catch(() => {});
    }
  };
  const later = tap.guard(() => flush(false));

  const tell = (seen: Seen): void => {
    const turn = turnOf(seen);
    announce(turn, turn.final);
    if (!isSampled || !["pending", ...SENDS].includes(consentNow())) return;
    let kept: Turn | null | undefined = turn;
    // What the page's own function refuses or throws on is not sent.
    try {
      if (options.beforeSend) kept = options.beforeSend(turn);
    } catch {
      return;
    }
    if (!kept) return;
    waiting = [...waiting.filter(({ id }) => id !== kept.id), kept].slice(-MOST);
    setTimeout(later, GATHER);
  };

  const since = ({ sent }: Seen, t: number) => Math.max(0, Math.round((t - sent) * 10) / 10);
  const passed = (id: number, t: number, length: number) => {
    const seen = requests.get(id);
    if (!seen || !length) return;
    const at = since(seen, t);
    seen.request.firstChunk ??= at;
    seen.request.lastChunk = at;
    seen.request.bytes += length;
  };

  let isGone = false;
  /** Once a departure: which of its two events comes, and first, differs by engine. */
  const hide = tap.guard(({ type }: Event) => {
    const wasGone = isGone;
    isGone = type === "pagehide" || document.visibilityState === "hidden";
    if (!isGone || wasGone) return;
    for (const seen of requests.values()) if (seen.isChat) tell(seen);
    flush(true);
  });

  const engine: Engine = {
    open(id, t, transport, method, _, hint) {
      if (requests.size >= MOST) requests.delete(requests.keys().next().value as number);
      const request = { transport: TRANSPORTS[transport], method, sent: 0, end: "open", bytes: 0 } as Request;
      const isChat = !!(hint & MATCHED) || (hint & (ASKS_STREAM | POST)) === (ASKS_STREAM | POST);
      requests.set(id, { id: hex(), revision: 0, sent: t, isChat, hint, request });
    },
    head(id, t, status, contentType, headers) {
      const seen = requests.get(id);
      if (!seen) return;
      seen.isChat ||= !!(seen.hint & POST) && STREAM.test(contentType);
      if (!seen.isChat) return void requests.delete(id);
      seen.request.responseStart = since(seen, t);
      seen.request.status = status;
      for (const [place, name] of headers.entries()) {
        const value = headers[place + 1] ?? "";
        if (place % 2 === 0 && (own.includes(name) || /request-?id$|call-id$/.test(name)) && ID.test(value))
          seen.request.requestId = { ...seen.request.requestId, [name]: value };
      }
      // Nobody will tell the end of an error's body.
      if (status >= 400) engine.close(id, t, DONE, "");
    },
    chunk: (id, t, bytes) => passed(id, t, bytes.length),
    skip: passed,
    message: (id, t, _, data) => passed(id, t, data.length),
    reconnect() {},
    close(id, _, end, errorType) {
      const seen = requests.get(id);
      requests.delete(id);
      if (!seen?.isChat) return;
      seen.request.end = ENDS[end];
      if (ID.test(errorType)) seen.request.errorType = errorType;
      tell(seen);
    },
    gesture() {},
    command() {},
    transferred() {},
    captured() {},
    live: () => false,
    flush: () => flush(false),
    summary: () => ({}),
    setConsent: () => flush(false),
    shutdown() {
      flush(false);
      removeEventListener("pagehide", hide);
      document.removeEventListener("visibilitychange", hide);
    },
  };
  return tap.run(() => {
    rematch(engine, tap);
    narrow(engine, tap);
    addEventListener("pagehide", hide);
    document.addEventListener("visibilitychange", hide);
    tap.attach(engine);
    return engine;
  });
};
