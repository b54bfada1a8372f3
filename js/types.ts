/**
 * The public types, by hand: they are the reference of every option, method and field.
 * Times are milliseconds since the turn's `startedAt` unless said otherwise; what was not reached is absent, never 0.
 */

/** How much may leave the page, and how much may be stored on the device. */
export type Consent =
  /** Nothing is sent. */
  | "denied"
  /** Held in memory until decided with `setConsent`. */
  | "pending"
  /** Numbers without ids: of request, trace, page and session. */
  | "measure"
  /** With request and trace ids; nothing is stored on the device. */
  | "correlate"
  /** Also random ids of the session and the user are kept on the device, so that variants stay. */
  | "store";

export type Unit = "user" | "session" | "page";

export interface Experiment {
  /** Names of the variants; the first is the one shown where nothing can be assigned (on the server). */
  variants: string[];
  /** Shares, in any scale; equal if absent. */
  weights?: number[];
  /**
   * Who keeps the same variant. Default: `"user"` if `id` is given, else `"session"`. Without `id` and without consent
   * `"store"` nothing is kept on the device, and each of them lasts one page load.
   */
  unit?: Unit;
  /** The application's id of that unit. It is hashed in the page and never sent. */
  id?: string;
}

export interface Options {
  /** URL that receives batches by POST. */
  endpoint?: string;
  /** `"json"` (default): a batch as `text/plain`, so that no preflight is needed; `"otlp"`: OTLP/HTTP JSON below `endpoint`, reserved. */
  format?: "json" | "otlp";
  /** Your own transport instead of `endpoint`. If it throws or rejects, the batch is dropped, not tried again. */
  send?: (batch: Batch) => void | Promise<void>;
  /** Extra headers for the sends of a visible page. */
  headers?: Record<string, string>;
  /** Which requests belong to a chat: URL prefixes, patterns, or a function. Default: streamed answers of a known format. */
  match?: Match | Match[];
  /** Where the answer is drawn: a selector, or a function of the turn. Default: found by itself. */
  answer?: string | ((turn: Turn) => Element | null);
  /** Selectors of the buttons. Default: found by themselves. */
  controls?: { stop?: string; regenerate?: string };
  /** When what is on screen is useful. */
  useful?: { minWords?: number; minCharacters?: number; test?: (element: Element) => boolean };
  /** Request headers to add, only for these origins. Reserved: this version adds none. */
  propagate?: { to: (string | RegExp)[]; headers: string[] };
  /** More response headers that carry a request id. */
  requestIdHeaders?: string[];
  /** Formats of your own, at most 16, tried before the known ones. */
  formats?: Format[];
  experiments?: Record<string, string[] | Experiment>;
  /** Added to every batch. Keys and strings are 1 to 64 characters of `[A-Za-z0-9_./: -]`; what is not is dropped. */
  attributes?: Record<string, string | number | boolean>;
  /** Share of sessions that send, 0 to 1; without consent `"store"` a session is one page load. Default: 1. */
  sampleRate?: number;
  /** Default: `"correlate"`. */
  consent?: Consent;
  /** Changes a turn before it is sent, or drops it. Must be synchronous. If it throws, the turn is dropped. */
  beforeSend?: (turn: Turn) => Turn | null;
  /** Where the wasm file is (`chat-vitals/url`). */
  wasmUrl?: string | URL;
  /** The wasm itself (`chat-vitals/slim`): bytes, a compiled module, a response, or where it is. */
  wasm?: BufferSource | WebAssembly.Module | Response | Promise<Response> | string | URL;
  /** Logs what was seen and why. */
  debug?: boolean;
}

/**
 * A wire format of the application's own: events or lines of JSON, and where in them things are. Each string is at most 256 characters.
 *
 * A *path* is names with dots between: `choices[0].delta.text`; `[]` is each item of a list, `{…}` lets only values pass that meet a
 * condition: `parts[]{type=text}.value`. A *condition* is tests with `&` between: `a.b` (is there), `!a` (is not), `a=x,y*` (one of
 * these), `a!=x`, `a:string` (also `object`, `array`, `number`). Several paths have `;` between them. Before a path, with a blank between, may stand
 * the kinds of the records that it is for: `"delta,chunk value.text; done value.rest"`. The path `@` is the kind itself.
 *
 * A response in such a format is a chat. One that can't be read as written here is left out, with a warning.
 */
export interface Format {
  /** What batches call it: 1 to 64 characters of `[A-Za-z0-9_./: -]`. */
  name: string;
  /** Conditions that only records of this format meet, with `;` between. `@=name` before one: a server-sent event of that name. */
  detect: string;
  /** Path to the kind of a record. Default: `"type"`; where it leads to nothing, the event's name. */
  kind?: string;
  /** Text that is added to the answer. It is compared with the page and not sent. */
  text?: string;
  /** Reasoning that is added. */
  reasoning?: string;
  /** Id of a tool call, or the call where it comes whole. */
  toolCall?: string;
  toolResult?: string;
  /** What tells a source apart: its URL, id or title. */
  source?: string;
  /** Progress. */
  status?: string;
  /** The answer is complete: a reason, `true`, an object, or `@`. */
  finish?: string;
  /** Why a step ends, where others may follow. */
  finishReason?: string;
  /** Whatever is there only when something failed. */
  error?: string;
  model?: string;
  responseId?: string;
  inputTokens?: string;
  outputTokens?: string;
  cachedTokens?: string;
  reasoningTokens?: string;
}

export type Match = string | RegExp | ((url: URL) => boolean);

/** Percentiles of one measure over this page's turns, in milliseconds. */
export interface Percentiles {
  count: number;
  p50: number;
  p75: number;
  p95: number;
  p99: number;
}

export interface Vitals {
  /**
   * `"full"`, or `"degraded"`: the engine could not start. Then requests that are surely a chat's are told with network
   * timings alone, and nothing of the screen or the user; the page is untouched.
   * Never rejects.
   */
  readonly ready: Promise<"full" | "degraded">;
  /**
   * Calls back with each turn once, when it ends; with `updates` also at each milestone before, and once more with the
   * `nextAction` and `taskComplete` of an ended turn, when the page is hidden or left or the next turn ends.
   * Returns a function that ends it.
   */
  onTurn(callback: (turn: Turn) => void, options?: { updates?: boolean }): () => void;
  /** The live turn, or `null`. Until the engine is there it is an object too, whose words are kept for the engine. */
  readonly turn: LiveTurn | null;
  /** The user's task is done: that of the live turn, else of the last one, whose answer ended before. */
  complete(): void;
  /** Starts a turn by hand: WebSocket, native bridges. */
  startTurn(options?: { url?: string }): ManualTurn;
  /**
   * Observes a response whose `fetch` was captured before the tap, or, given the window of a frame of the same origin,
   * the requests that the frame makes from now on: frames are not looked into unasked. Returns what it was given.
   */
  observe<T extends Response | Window>(target: T): T;
  /** The variant shown to this unit; logs the exposure. The first variant where nothing can be assigned. */
  variant(name: string): string | undefined;
  summary(): Record<string, Percentiles>;
  /** Sends what is waiting. */
  flush(): void;
  setConsent(consent: Consent): void;
  /** Sends what is waiting and lets go of the page. */
  shutdown(): void;
}

/** What the application can say of the live turn. */
export interface LiveTurn {
  /** A moment with a name of your own. */
  mark(name: string): void;
  /** What is on screen now is useful. */
  useful(): void;
  /** Feedback is on screen now. The text is not sent. */
  progress(text?: string): void;
  /** The answer is completely drawn. */
  finish(): void;
  /** The user's task is done. After the answer ended there is no live turn: use `vitals.complete()`. */
  complete(): void;
  /** The user stopped the answer. */
  stop(): void;
  setAttribute(key: string, value: string | number | boolean): void;
}

export interface ManualTurn {
  /** Text of the answer arrived. It is compared with the page and not sent. */
  text(chunk: string): void;
  /** Reasoning arrived. It is compared with the page and not sent. */
  reasoning(chunk: string): void;
  /** A tool was called. The same `id` again is the same call; without one each is another. */
  toolCall(id?: string): void;
  /** A source arrived, known by its URL, id or title, none of which is sent. Without one each is another. */
  source(id?: string): void;
  /** The answer is over: complete, or broken by an error of this name. */
  end(error?: string): void;
}

export type Method = "elementTiming" | "raf2" | "intersection" | "mutation" | "network" | "app";

export type Milestone =
  /** The request went out. */
  | "requestSent"
  /** Its response began. */
  | "responseStart"
  /** The page was given the first bytes. */
  | "firstChunk"
  /** Anything on screen told the user that something happens. */
  | "firstFeedback"
  /** Reasoning was on screen. */
  | "firstReasoning"
  /** The first text of the answer was on screen. */
  | "firstVisibleToken"
  /** Something useful was on screen. */
  | "firstUsefulContent"
  /** The page was given the last bytes. */
  | "lastChunk"
  /** The answer was completely drawn. */
  | "finalRender"
  /** The application said that the task is done. */
  | "taskComplete"
  /** The user did the next thing. */
  | "nextAction";

/** Waits of one kind; `total` and `max` in milliseconds. */
export interface Waits {
  count: number;
  total: number;
  max: number;
}

export interface Action {
  type:
    | "stop"
    | "regenerate"
    | "retry"
    | "edit"
    | "copy"
    | "submit"
    | "leave"
    | "hide"
    | "return"
    | "rageStop"
    | "rageRegenerate";
  at: number;
}

export interface Turn {
  /** 16 hexadecimal digits. */
  id: string;
  /** The highest revision of an id replaces the others. */
  revision: number;
  /** `false`: the page was left or hidden while it ran, or it is still running. */
  final: boolean;
  /** Epoch milliseconds of the submit, else of the request. */
  startedAt: number;
  trigger: "submit" | "regenerate" | "retry" | "edit" | "auto" | "api";
  /** Id of the turn that this one replaces. */
  regenerates?: string;
  outcome: "completed" | "stopped" | "failed" | "abandoned" | "superseded" | "open";
  /** Where it ended if not completed. */
  phase?: "beforeFeedback" | "beforeToken" | "beforeUseful" | "streaming";
  timings: Partial<Record<Milestone, number>>;
  /** How a timing was taken. */
  methods: Partial<Record<Milestone, Method>>;
  feedbackKind?: "indicator" | "status" | "skeleton" | "source" | "tool" | "content";
  usefulMethod?: "app" | "structure" | "text" | "length";
  /**
   * Times in which nothing new was on screen: without an informative change, which a spinner is not (`silent`); the
   * same, but an indicator on screen counts as feedback (`static`); between updates of the answer (`stalls`).
   * `starved`: milliseconds in which the reader was ahead of the stream. Absent where only the network was seen.
   */
  waits?: { silent: Waits; static: Waits; stalls: Waits; starved: number };
  /** Gaps between visible updates; `fluidity` is 0 to 1. */
  updates: { count: number; p50?: number; p95?: number; max?: number; fluidity?: number };
  /** From the arrival of text to its paint. */
  renderLag: { first?: number; p95?: number };
  actions: Action[];
  /** Moments that the application marked. */
  marks?: Record<string, number>;
  hidden: { total: number };
  /** What limits the reading: hidden, offscreen, clockGap, lateInstall, answerNotFound, bodyOutOfReach, abortIgnored, stopIgnored, … (docs/measures.md) */
  flags: string[];
  attributes: Record<string, string | number | boolean>;
  requests: Request[];
}

export interface Request {
  requestId?: Record<string, string>;
  traceId?: string;
  spanId?: string;
  traceSource?: string;
  transport: "fetch" | "eventSource" | "xhr" | "webSocket" | "manual";
  method: string;
  /** The path with numbers and ids replaced; never a query. */
  route: string;
  status?: number;
  sent: number;
  responseStart?: number;
  firstChunk?: number;
  firstToken?: number;
  lastChunk?: number;
  end: "done" | "error" | "cancelled" | "aborted" | "open";
  errorType?: string;
  format?: string;
  model?: string;
  responseId?: string;
  finishReason?: string;
  usage?: { inputTokens?: number; outputTokens?: number; cachedInputTokens?: number; reasoningTokens?: number };
  /** Durations as the server gave them, in milliseconds: from the header `Server-Timing`, then `queue`, `load`, `prompt`, `completion`, `total` and `latency` as the stream tells them. */
  serverTiming: { name: string; duration: number }[];
  events: number;
  bytes: number;
  characters: number;
  toolCalls: number;
  sources: number;
  reconnects: number;
  /** Errors that the stream told of. */
  errors?: number;
  /** Records that could not be read. */
  malformed?: number;
  /** How often the stream took back text that had been shown: refusals, replaced messages, steps made again. */
  withdrawn?: number;
}

export interface Batch {
  schema: "chat-vitals/1";
  /** `"degraded"`: network timings only. */
  sdk: { version: string; mode: "full" | "degraded" };
  /** Epoch milliseconds. */
  sentAt: number;
  /** Number of this batch of the page. */
  seq?: number;
  /** `id` is random, for one page load, and absent under consent `"measure"`. */
  page: { id?: string; route?: string; engine?: string; clockResolution?: number };
  /** Absent under consent `"measure"`; kept from page to page only under `"store"`. */
  session?: string;
  attributes: Record<string, string | number | boolean>;
  variants: { experiment: string; variant: string; unit: Unit }[];
  turns: Turn[];
}
