/**
 * All taps of a page, installed once: a second copy of this package finds the first.
 * May touch: one symbol on `globalThis`; globals through the taps alone.
 */
import { FETCH, MATCHED, type Sink } from "../engine.js";
import { blown, guard, onTrip, run } from "../guard.js";
import type { Options, Vitals } from "../types.js";
import { hookEventSource } from "./event-source.js";
import { arrived, hookFetch } from "./fetch.js";
import { now } from "./flow.js";
import { listen } from "./gestures.js";
import { replace } from "./patch.js";
import { attach, enable, sink } from "./sink.js";

/** What one copy of this package hands another; whatever it needs of the first it finds here. */
export interface Tap {
  /** Whether calls are reported; off, what is left of the taps passes through. */
  on: boolean;
  sink: Sink;
  attach: typeof attach;
  run: typeof run;
  guard: typeof guard;
  /** The `fetch` from under the tap. */
  fetch: typeof fetch;
  installedAt: number;
  /** Which requests belong to a chat, and which headers name them. */
  options: Options;
  /** What `init` gave, for whoever calls it again. */
  vitals: Vitals | undefined;
  /** A number for the next stream. */
  id(): number;
  /** 1: named by `match`; -1: not, though there is a `match`; 0: nobody knows. */
  matches(url: string): -1 | 0 | 1;
  /** Watches a response that came past the tap. */
  observe(response: Response): void;
  start(options?: Options): void;
  stop(): void;
}

type Restore = (() => boolean) | undefined;

const KEY = Symbol.for("chat-vitals");

const createTap = (): Tap => {
  let ids = 0;
  // A tap that someone wrapped cannot be taken out; it stays below, and is not installed twice.
  let restoreFetch: Restore;
  let restoreEventSource: Restore;
  const tap: Tap = {
    on: false,
    sink,
    attach,
    run,
    guard,
    fetch: fetch.bind(globalThis),
    installedAt: now(),
    options: {},
    vitals: undefined,
    id: () => ++ids,
    matches(url) {
      const { match } = tap.options;
      if (!match || !url) return 0;
      // What the page's own function throws is not ours, nor a reason to stop measuring.
      try {
        for (const one of [match].flat()) {
          const isMatch =
            typeof one === "string"
              ? url.startsWith(new URL(one, document.baseURI).href)
              : one instanceof RegExp
                ? url.search(one) >= 0
                : one(new URL(url));
          if (isMatch) return 1;
        }
      } catch {}
      return -1;
    },
    observe(response) {
      run(() => {
        const call = { id: ++ids, method: "", url: response.url, hint: MATCHED, signal: null };
        sink.open(call.id, now(), FETCH, "", call.url, MATCHED);
        arrived(tap, call, response);
      });
    },
    start(options = {}) {
      tap.options = options;
      if (tap.on || blown) return;
      tap.on = true;
      enable(true);
      listen("addEventListener");
      restoreFetch ??= replace("fetch", (below) => hookFetch(tap, below));
      restoreEventSource ??= replace("EventSource", (below) => hookEventSource(tap, below));
    },
    stop() {
      tap.on = false;
      enable(false);
      listen("removeEventListener");
      if (restoreFetch?.()) restoreFetch = undefined;
      if (restoreEventSource?.()) restoreEventSource = undefined;
    },
  };
  onTrip(tap.stop);
  return tap;
};

/** The taps of this page; nothing where there is no page (server, worker). */
export const tapOf = (): Tap | undefined => {
  if (typeof document === "undefined" || typeof fetch === "undefined") return undefined;
  const realm = globalThis as { [KEY]?: Tap };
  if (!realm[KEY]) Object.defineProperty(realm, KEY, { value: createTap() });
  return realm[KEY];
};
