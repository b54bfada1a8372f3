/**
 * The API. Nothing is measured here: calls become commands to the engine, and its answers go to the callbacks.
 * May touch: `sessionStorage` and `localStorage` under consent "store"; the page through the taps.
 */
import { type Boot, COMPLETE, DONE, type Engine, ERROR, EXPOSURE, type Host, MANUAL, MATCHED } from "./engine.js";
import { idOf } from "./id.js";
import { now } from "./tap/flow.js";
import { type Tap, tapOf } from "./tap/tap.js";
import type { Experiment, LiveTurn, ManualTurn, Options, Vitals } from "./types.js";
import { assign } from "./variant.js";

type Load = () => Promise<{ boot: Boot }>;
type Word = string | number | boolean;

/** One method for each name. */
const methods = (names: string, method: (name: string, number: number) => unknown) =>
  Object.fromEntries(names.split(" ").map((name, number) => [name, method(name, number)]));

/** Where there is no page the taps never start, and all is as it is when nothing can be measured. */
const start = (options: Options, tap: Tap, load: Load): Vitals => {
  const sticky = options.consent === "store";
  const page = idOf();
  const session = sticky ? idOf("sessionStorage") : page;
  const listeners: Host["listeners"] = new Map();
  const shown = new Map<string, string | undefined>();
  const { sink } = tap;
  let engine: Engine | undefined;

  const say = (name: number, a?: Word, b?: Word) => sink.command(name, now(), a, b);
  /** Asks the engine, for as long as it can be trusted. */
  const ask = (name: "live" | "summary" | "flush" | "setConsent" | "shutdown", a = ""): unknown =>
    tap.run(() => engine?.[name](a));

  // In the order of the commands' numbers.
  const turn = methods("mark useful progress finish complete stop setAttribute", (_, number) => say.bind(null, number));

  const launch = async (): Promise<"full" | "degraded"> => {
    const host: Host = { tap, listeners, page, session, isWanted: () => tap.vitals === vitals };
    const boot = async (load: Load) => {
      engine = await (await load()).boot(options, host);
    };
    try {
      if (tap.on) {
        await boot(load);
        if (engine && tap.on) return "full";
      }
    } catch (why) {
      // What the network tells is told all the same, unless even that cannot be loaded.
      if (tap.on) {
        console.warn(`chat-vitals measures the network alone: ${why}`);
        await boot(() => import("./engine-degraded.js")).catch((why) =>
          tap.run(() => {
            throw why;
          }),
        );
      }
    }
    return "degraded";
  };

  tap.start(options);
  const vitals: Vitals = {
    ready: launch(),
    onTurn(callback, { updates = false } = {}) {
      listeners.set(callback, updates);
      return () => void listeners.delete(callback);
    },
    // Until the engine can tell, what the page says is kept like everything else.
    get turn() {
      return tap.on && (!engine || ask("live")) ? (turn as unknown as LiveTurn) : null;
    },
    // A task is often done after its answer ended, when no turn is live.
    complete: () => say(COMPLETE),
    startTurn({ url = `${globalThis.location}` } = {}) {
      const id = tap.id();
      sink.open(id, now(), MANUAL, "", url, MATCHED);
      return {
        ...methods(
          "text reasoning toolCall source",
          (what) =>
            (text = "") =>
              sink.message(id, now(), what, `${text}`),
        ),
        end: (error = "") => sink.close(id, now(), error ? ERROR : DONE, error),
      } as ManualTurn;
    },
    observe(target) {
      tap.observe(target);
      return target;
    },
    variant(name) {
      const given = options.experiments?.[name];
      if (!given || shown.has(name)) return shown.get(name);
      // A list has none of these properties, and is the variants.
      const {
        variants = given as string[],
        weights,
        id,
        unit = id ? "user" : "session",
      } = given as Partial<Experiment>;
      // A server knows neither page nor session; it shows what everybody may see.
      if (!id && !globalThis.document) return variants[0];
      const own = unit === "page" ? page : unit === "user" && sticky ? idOf("localStorage") : session;
      const variant = assign(name, id ?? own, { variants, weights });
      say(EXPOSURE, name, `${variant} ${unit}`);
      shown.set(name, variant);
      return variant;
    },
    summary: () => (ask("summary") ?? {}) as ReturnType<Vitals["summary"]>,
    flush: () => void ask("flush"),
    setConsent(consent) {
      options.consent = consent;
      ask("setConsent", consent);
    },
    shutdown() {
      if (tap.vitals !== vitals) return;
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
    if (tap.vitals) console.warn("chat-vitals runs already");
    tap.vitals ??= start({ ...options }, tap, load);
    return tap.vitals;
  };
