/**
 * The border between the taps and the engine, as types: what goes in (`Sink`), what the engine may
 * use of the page (`Environment`), and the engine itself. May touch: nothing; the wasm side is written to this.
 */
import type { Tap } from "./tap/tap.js";
import type { Options, Turn } from "./types.js";

/** How a stream reaches the page. */
export const FETCH = 0;
export const EVENT_SOURCE = 1;
export const XHR = 2;
export const MANUAL = 4;
export type Transport = 0 | 1 | 2 | 3 | 4;

/** How a stream ended. */
export const DONE = 0;
export const ERROR = 1;
export const CANCELLED = 2;
export const ABORTED = 3;
export const UNKNOWN = 4;
export type End = 0 | 1 | 2 | 3 | 4;

/** What could be told of a request before its answer; bits. */
export const MATCHED = 1;
export const ASKS_STREAM = 2;
export const POST = 4;

/** Content types that are streams for sure. */
export const STREAM = /event-?stream|ndjson|json-?(l|seq)|stream\+json/i;

/** The hardware event of a gesture. */
export const CLICK = 0;
export const ENTER = 1;
export const SUBMIT = 2;
export const COPY = 3;
export type Touch = 0 | 1 | 2 | 3;

/** What `command` says; `a` and `b` in brackets. */
export const MARK = 0; // (name)
export const USEFUL = 1;
export const PROGRESS = 2; // (text)
export const FINISH = 3;
export const COMPLETE = 4;
export const STOP = 5;
export const ATTRIBUTE = 6; // (key, value)
export const EXPOSURE = 7; // (experiment, "variant unit"): a variant is on screen
export const OVERFLOW = 8; // (count): calls that the buffer before the engine could not keep
export const OUT_OF_REACH = 9; // (id): what is read of this stream from now on is not seen
export const ABORT_IGNORED = 10; // (id): the page aborted this stream, and it goes on
export const FRAME = 11; // (document): of a frame that the application wants watched

/**
 * The one-way border. Times are `performance.now()` of the moment itself, which may be well before the call.
 * A call about an `id` that was never opened is to be ignored: streams that are no chat stop reporting.
 */
export interface Sink {
  /** A request goes out; `url` is absolute. */
  open(id: number, t: number, transport: Transport, method: string, url: string, hint: number): void;
  /** Its answer begins; `headers` are all of them, flat: name, value, name, value. */
  head(id: number, t: number, status: number, contentType: string, headers: string[]): void;
  /** The page was given these bytes. Valid during the call alone. */
  chunk(id: number, t: number, bytes: Uint8Array): void;
  /** Bytes passed that are not kept. */
  skip(id: number, t: number, length: number): void;
  /** An event of an `EventSource`, or what the application says of a turn by hand (`event`: what it is). */
  message(id: number, t: number, event: string, data: string): void;
  /** An `EventSource` lost its connection and opens another. */
  reconnect(id: number, t: number): void;
  /** The stream is over; `errorType` is the name of the error's constructor. */
  close(id: number, t: number, end: End, errorType: string): void;
  /** A trusted gesture of the user. */
  gesture(t: number, touch: Touch, target: Element | null): void;
  /** The application says something of the live turn. */
  command(name: number, t: number, a?: string | number | boolean | Document, b?: string | number | boolean): void;
}

/** Wraps a function so that nothing it throws can leave it. */
// biome-ignore lint/suspicious/noExplicitAny: any function at all can be guarded
export type Guard = <F extends (...args: any[]) => any>(fn: F) => F;

/** What the engine is given of the page. */
export interface Environment {
  /** Every closure that the browser is to call goes through this first. */
  guard: Guard;
  /** The `fetch` from under the tap, for the engine's own requests. */
  fetch: typeof fetch;
  /** Tells the application's author what is wrong in the options. */
  warn(what: string): void;
  /** A turn reached a milestone, or its end (`final`); what comes to an ended turn is told as `final` again. */
  onTurn(turn: Turn, final: boolean): void;
  /** Whether someone wants turns before their end. */
  wantsUpdates(): boolean;
  /** Random id of this page. */
  page: string;
  /** Random id of the session; that of the page unless it may be stored. */
  session: string;
  /** When the taps were installed: what was requested before cannot have been seen. */
  installedAt: number;
}

export interface Engine extends Sink {
  /** The network was done with a stream at `end`, whether or not the page has read it. */
  transferred(id: number, t: number, end: number): void;
  /** A request that no tap saw; `times`: its start, its response's start and end. What is not told is 0 or empty. */
  captured(
    t: number,
    transport: Transport,
    url: string,
    hint: number,
    times: Float64Array,
    status: number,
    contentType: string,
    bytes: number,
  ): void;
  /** Whether a turn is running. */
  live(): boolean;
  flush(): void;
  summary(): object;
  setConsent(consent: string): void;
  shutdown(): void;
}

export type EngineClass = new (options: Options, environment: Environment) => Engine;

/** What the API hands the engine module beside the options. */
export interface Host {
  tap: Tap;
  /** Callbacks for turns, and whether each wants turns before their end. */
  listeners: Map<(turn: Turn) => void, boolean>;
  page: string;
  session: string;
  /** Whether the engine is still wanted when it is ready. */
  isWanted(): boolean;
}

/** What an engine module exports: starts the wasm and connects it with the taps. */
export type Boot = (options: Options, host: Host) => Promise<Engine | undefined>;
