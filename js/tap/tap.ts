/**
 * All taps of a page, installed once: a second copy of this package finds the first.
 * May touch: one symbol on `globalThis`; globals through the taps alone.
 */
import { FETCH, MATCHED, type Sink } from "../engine.js";
import { blown, guard, onTrip, run } from "../guard.js";
import type { Options, Vitals } from "../types.js";
import { hookEventSource } from "./event-source.js";
import { arrived, hookFetch } from "./fetch.js";
import { createFlow, nextId, now } from "./flow.js";
import { listen } from "./gestures.js";
import { replace } from "./patch.js";
import { attach, enable, isOn, sink } from "./sink.js";

/** What one copy of this package hands another; whatever it needs of the first it finds here. */
export interface Tap {
  /** Whether calls are reported; off, what is left of the taps passes through. */
  readonly on: boolean;
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

const KEY = Symbol.for("chat-vitals");

const createTap = (): Tap => {
  const hooks = { fetch: hookFetch, EventSource: hookEventSource };
  // A tap that someone wrapped cannot be taken out; it stays below, and is not installed twice.
  const restores: Record<string, (() => boolean) | undefined> = {};
  const tap: Tap = {
    get on() {
      return isOn;
    },
    sink,
    attach,
    run,
    guard,
    fetch: globalThis.fetch?.bind(globalThis),
    installedAt: now(),
    options: {},
    vitals: undefined,
    id: nextId,
    matches(url) {
      const { match } = tap.options;
      if (!match) return 0;
      // What the page's own function throws is not ours, nor a reason to stop measuring.
      try {
        const isMatch = [match]
          .flat()
          .some((one) =>
            typeof one === "string"
              ? url.startsWith(new URL(one, document.baseURI).href)
              : typeof one === "function"
                ? one(new URL(url))
                : url.search(one) >= 0,
          );
        if (isMatch) return 1;
      } catch {}
      return -1;
    },
    observe(response) {
      if (isOn)
        run(() => {
          const flow = createFlow();
          sink.open(flow.id, now(), FETCH, "", response.url, MATCHED);
          arrived(flow, MATCHED, response);
        });
    },
    start(options = {}) {
      tap.options = options;
      if (isOn || blown || !globalThis.document) return;
      onTrip(tap.stop);
      enable(true);
      listen("addEventListener");
      for (const name in hooks)
        restores[name] ??= replace(name, (below) => hooks[name as keyof typeof hooks](tap, below));
    },
    stop() {
      if (!isOn) return;
      enable(false);
      listen("removeEventListener");
      for (const name in hooks) if (restores[name]?.()) delete restores[name];
    },
  };
  return tap;
};

/** The taps of this page. Where there is none (server, worker) everyone gets taps of their own, which never start. */
export const tapOf = (): Tap => {
  const realm = (globalThis.document ? globalThis : {}) as { [KEY]?: Tap };
  realm[KEY] ??= createTap();
  return realm[KEY];
};
