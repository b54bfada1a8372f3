/**
 * The API. Nothing is measured here: calls become commands to the engine, and its answers go to the callbacks.
 * May touch: `sessionStorage` and `localStorage` under consent "store"; the page through the taps.
 */
import { type Boot, DONE, type Engine, EXPOSURE, type Host, MANUAL, MATCHED } from "./engine.js";
import { idOf } from "./id.js";
import { type Tap, tapOf } from "./tap/tap.js";
import type { LiveTurn, Options, Vitals } from "./types.js";
import { assign } from "./variant.js";

type Load = () => Promise<{ boot: Boot }>;
type Word = string | number | boolean;

/** `tap` is absent where there is no page: then all is as it is when nothing can be measured. */
const start = (options: Options, tap: Tap | undefined, load: Load): Vitals => {
  const sticky = options.consent === "store";
  const page = idOf();
  const session = idOf(sticky ? () => sessionStorage : undefined);
  const listeners: Host["listeners"] = new Map();
  const exposed = new Set<string>();
  let engine: Engine | undefined;

  const now = () => performance.now();
  const say = (name: number, a?: Word, b?: Word) => tap?.sink.command(name, now(), a, b);
  /** Asks the engine, for as long as it can be trusted. */
  const ask = (name: "live" | "summary" | "flush" | "setConsent" | "shutdown", a = ""): unknown =>
    tap?.run(() => engine?.[name](a));

  // In the order of the commands' numbers.
  const turn = {} as Record<string, (a?: Word, b?: Word) => void>;
  "mark useful progress finish complete stop setAttribute".split(" ").forEach((name, number) => {
    turn[name] = (a, b) => say(number, a, b);
  });

  const launch = async () => {
    try {
      if (tap)
        engine = await (await load()).boot(options, {
          tap,
          listeners,
          page,
          session,
          isWanted: () => tap.vitals === vitals,
        });
    } catch (why) {
      tap?.run(() => {
        throw why;
      });
    }
    return engine && tap?.on ? "full" : "degraded";
  };

  tap?.start(options);
  const vitals: Vitals = {
    ready: launch(),
    onTurn(callback, { updates = false } = {}) {
      listeners.set(callback, updates);
      return () => void listeners.delete(callback);
    },
    // Until the engine can tell, what the page says is kept like everything else.
    get turn() {
      return tap?.on && (!engine || ask("live")) ? (turn as unknown as LiveTurn) : null;
    },
    startTurn({ url } = {}) {
      const id = tap?.id() ?? 0;
      tap?.sink.open(id, now(), MANUAL, "", url ?? location.href, MATCHED);
      return {
        text: (chunk) => tap?.sink.message(id, now(), "", chunk),
        end: () => tap?.sink.close(id, now(), DONE, ""),
      };
    },
    observe(response) {
      tap?.observe(response);
      return response;
    },
    variant(name) {
      const given = options.experiments?.[name];
      if (!given) return undefined;
      const experiment = Array.isArray(given) ? { variants: given } : given;
      const { id, unit = id ? "user" : "session" } = experiment;
      // A server knows neither page nor session; it shows what everybody may see.
      if (!tap && !id) return experiment.variants[0];
      const own = unit === "page" ? page : unit === "user" && sticky ? idOf(() => localStorage) : session;
      const variant = assign(name, id ?? own, experiment);
      if (!exposed.has(name)) say(EXPOSURE, name, `${variant} ${unit}`);
      exposed.add(name);
      return variant;
    },
    summary: () => (ask("summary") ?? {}) as ReturnType<Vitals["summary"]>,
    flush: () => void ask("flush"),
    setConsent(consent) {
      options.consent = consent;
      ask("setConsent", consent);
    },
    shutdown() {
      if (tap?.vitals !== vitals) return;
      ask("shutdown");
      listeners.clear();
      tap.stop();
      tap.vitals = engine = undefined;
    },
  };
  return vitals;
};

/** Makes `init` of a door. */
export const createInit =
  (load: Load) =>
  (options: Options = {}): Vitals => {
    const tap = tapOf();
    if (tap?.vitals) console.warn("chat-vitals runs already");
    const vitals = tap?.vitals ?? start({ ...options }, tap, load);
    if (tap) tap.vitals = vitals;
    return vitals;
  };
