/**
 * All taps of a page, installed once: a second copy of this package finds the first.
 * May touch: one symbol on `globalThis`; globals through the taps alone.
 */
import { FETCH, FRAME, MATCHED, type Sink } from "../engine.js";
import { hookBodies } from "./body.js";
import { blown, guard, onTrip, run } from "../guard.js";
import type { Options, Vitals } from "../types.js";
import { hookEventSource } from "./event-source.js";
import { arrived, onFetch } from "./fetch.js";
import { createFlow, nextId, now } from "./flow.js";
import { listen } from "./gestures.js";
import { type Any, hookText, type Patch, remember, type Slot, slot } from "./patch.js";
import { attach, enable, isOn, sink } from "./sink.js";
import { hookXhr } from "./xhr.js";

/** What one copy of this package hands another; whatever it needs of the first it finds here. */
export interface Tap {
  /** Whether calls are reported; off, what is left of the taps passes through. */
  readonly on: boolean;
  sink: Sink;
  attach: typeof attach;
  run: typeof run;
  guard: typeof guard;
  /** Puts a hook over a function of the page, for taps that only matter once the engine is there. */
  slot: typeof slot;
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
  /** Watches a response that came past the tap, or the requests of a frame of the same origin. */
  observe(target: Response | Window): void;
  start(options?: Options): void;
  stop(): void;
}

const KEY = Symbol.for("chat-vitals");

const createTap = (): Tap => {
  /** What is replaced in this page's realm, and in those of its frames that it wants watched. */
  const realms = new Map<object, Slot[]>();
  const install = (realm: Any) => {
    if (realms.has(realm)) return;
    if (!realms.size) remember();
    const slots: Slot[] = [];
    const patch: Patch = (owner, hook, ...names) => {
      const one = slot(owner, hook, names);
      slots.push(one);
      one.put();
    };
    realms.set(realm, slots);
    patch(realm.Function.prototype, hookText, "toString");
    patch(realm, onFetch(tap, realm), "fetch");
    hookBodies(realm, patch);
    hookEventSource(tap, realm, patch);
    hookXhr(tap, realm, patch);
  };
  const tap: Tap = {
    get on() {
      return isOn;
    },
    sink,
    attach,
    run,
    guard,
    slot,
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
    observe(target) {
      if (!isOn) return;
      run(() => {
        if ("headers" in target) {
          const flow = createFlow();
          sink.open(flow.id, now(), FETCH, "", target.url, MATCHED);
          arrived(flow, MATCHED, target);
          // The page may have asked for it before, and not ask again.
          void target.body;
          return;
        }
        install(target);
        sink.command(FRAME, now(), target.document);
        target.addEventListener("pagehide", () => realms.delete(target));
      });
    },
    start(options = {}) {
      tap.options = options;
      if (isOn || blown || !globalThis.document) return;
      onTrip(tap.stop);
      enable(true);
      listen("addEventListener");
      install(globalThis);
      for (const slots of realms.values()) for (const { put } of slots) put();
    },
    stop() {
      if (!isOn) return;
      enable(false);
      listen("removeEventListener");
      for (const slots of realms.values()) for (const { back } of slots) back();
    },
  };
  return tap;
};

/** The taps of this page. Where there is none (server, worker) everyone gets taps of their own, which never start. */
export const tapOf = (): Tap => {
  const realm = (globalThis.document ? globalThis : {}) as { [KEY]?: Tap };
  // Found by whoever asks for it by name, and by no loop over the page's globals.
  if (!realm[KEY]) Object.defineProperty(realm, KEY, { value: createTap(), configurable: true });
  return realm[KEY] as Tap;
};
