/**
 * All taps of a page, installed once: a second copy of this package finds the first.
 * May touch: one symbol on `globalThis`; globals through the taps alone.
 */
import { FETCH, MATCHED } from "../engine.js";
import { createFuse, type Fuse } from "../guard.js";
import type { Match, Vitals } from "../types.js";
import { wrapEventSource } from "./event-source.js";
import { arrived, wrapFetch } from "./fetch.js";
import { hearGestures } from "./gestures.js";
import { replace } from "./patch.js";
import { type Border, createBorder } from "./sink.js";

export interface Tap {
  /** Whether calls are reported; off, what is left of the taps passes through. */
  readonly on: boolean;
  readonly sink: Border;
  readonly fuse: Fuse;
  /** The `fetch` from under the tap. */
  readonly fetch: typeof fetch;
  readonly installedAt: number;
  /** More response headers to read. */
  headers: string[];
  /** Which requests belong to a chat. */
  match: Match[] | undefined;
  /** What `init` gave, for whoever calls it again. */
  vitals: Vitals | undefined;
  /** A number for the next stream. */
  id(): number;
  /** 1: named by `match`; -1: not, though there is a `match`; 0: nobody knows. */
  matches(url: string | undefined): -1 | 0 | 1;
  /** Watches a response that came past the tap. */
  observe(response: Response): void;
  start(): void;
  stop(): void;
}

type Restore = (() => boolean) | undefined;

const KEY = Symbol.for("chat-vitals");

const matching = (match: Match, url: string): boolean => {
  // What the page's own function throws is not ours, nor a reason to stop measuring.
  try {
    if (typeof match === "string") return url.startsWith(new URL(match, document.baseURI).href);
    return match instanceof RegExp ? url.search(match) >= 0 : match(new URL(url));
  } catch {
    return false;
  }
};

const createTap = (): Tap => {
  const fuse = createFuse();
  const native = globalThis.fetch;
  let ids = 0;
  // A tap that someone wrapped cannot be taken out; it stays below, and is not installed twice.
  const patches = [
    { install: () => replace("fetch", (below) => wrapFetch(tap, below)), restore: undefined as Restore },
    { install: () => replace("EventSource", (below) => wrapEventSource(tap, below)), restore: undefined as Restore },
  ];
  let deaf: (() => void) | undefined;
  let on = false;
  const tap: Tap = {
    get on() {
      return on && !fuse.blown;
    },
    sink: createBorder(fuse),
    fuse,
    fetch: (...args) => native(...args),
    installedAt: performance.now(),
    headers: [],
    match: undefined,
    vitals: undefined,
    id: () => ++ids,
    matches(url) {
      if (!tap.match || !url) return 0;
      return tap.match.some((match) => matching(match, url)) ? 1 : -1;
    },
    observe(response) {
      const call = { id: tap.id(), method: "", url: response.url, hint: MATCHED, signal: undefined };
      tap.sink.open(call.id, performance.now(), FETCH, call.method, call.url, call.hint);
      arrived(tap, call, response);
    },
    start() {
      if (on || fuse.blown) return;
      on = true;
      tap.sink.enabled = true;
      deaf = hearGestures(tap.sink, fuse);
      for (const patch of patches) patch.restore ??= patch.install();
    },
    stop() {
      on = tap.sink.enabled = false;
      deaf?.();
      for (const patch of patches) if (patch.restore?.()) patch.restore = undefined;
    },
  };
  fuse.onTrip(tap.stop);
  return tap;
};

/** The taps of this page; nothing where there is no page (server, worker). */
export const tapOf = (): Tap | undefined => {
  if (typeof document === "undefined" || typeof fetch !== "function") return undefined;
  const realm = globalThis as { [KEY]?: Tap };
  if (!realm[KEY]) Object.defineProperty(realm, KEY, { value: createTap() });
  return realm[KEY];
};
