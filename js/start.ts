/**
 * The API. Nothing is measured here: calls become commands to the engine, and its answers go to the callbacks.
 * May touch: `sessionStorage` and `localStorage` under consent "store"; the page through the taps.
 */
import {
  ATTRIBUTE,
  type Boot,
  COMPLETE,
  DONE,
  type Engine,
  EXPOSURE,
  FINISH,
  MANUAL,
  MARK,
  MATCHED,
  PROGRESS,
  STOP,
  USEFUL,
} from "./engine.js";
import { idOf } from "./id.js";
import { type Tap, tapOf } from "./tap/tap.js";
import type { Experiment, LiveTurn, Options, Turn, Unit, Vitals } from "./types.js";
import { assign } from "./variant.js";

type Load = () => Promise<{ boot: Boot }>;
type Listener = { callback: (turn: Turn) => void; updates: boolean };

const experimentOf = (options: Options, name: string): Experiment | undefined => {
  const given = options.experiments?.[name];
  return Array.isArray(given) ? { variants: given } : given;
};

/** Where there is no page: the same shape, and nothing happens. */
const inert = (options: Options): Vitals => ({
  ready: Promise.resolve("degraded"),
  onTurn: () => () => {},
  turn: null,
  startTurn: () => ({ text() {}, end() {} }),
  observe: (response) => response,
  variant(name) {
    const experiment = experimentOf(options, name);
    return experiment?.id ? assign(name, experiment.id, experiment) : experiment?.variants[0];
  },
  summary: () => ({}),
  flush() {},
  setConsent() {},
  shutdown() {},
});

const live = (options: Options, tap: Tap, load: Load): Vitals => {
  const { sink, fuse } = tap;
  const { consent, match } = options;
  const now = () => performance.now();
  const page = idOf();
  const sticky = consent === "store";
  const session = sticky ? idOf(() => sessionStorage) : page;
  const listeners = new Set<Listener>();
  const exposed = new Set<string>();
  let engine: Engine | undefined;
  let stopped = false;

  tap.match = match === undefined || Array.isArray(match) ? match : [match];
  tap.headers = options.requestIdHeaders ?? [];
  tap.start();

  const onTurn = (turn: Turn, final: boolean) => {
    for (const { callback, updates } of listeners) {
      if (!final && !updates) continue;
      // What the page's own callback throws is the page's, and goes where it would have gone.
      try {
        callback(turn);
      } catch (error) {
        reportError(error);
      }
    }
  };

  const ready = (async () => {
    try {
      const { boot } = await load();
      const Engine = await boot(options, tap.fetch);
      if (stopped) return "degraded";
      fuse.run(() => {
        engine = new Engine(options, {
          guard: fuse.guard,
          fetch: tap.fetch,
          onTurn,
          wantsUpdates: () => [...listeners].some(({ updates }) => updates),
          page,
          session,
          installedAt: tap.installedAt,
        });
        sink.attach(engine);
      });
    } catch (why) {
      fuse.trip(`${why} (a content security policy must allow 'wasm-unsafe-eval')`);
    }
    return fuse.blown ? "degraded" : "full";
  })();

  const say = (name: number, a?: string | number | boolean, b?: string | number | boolean) =>
    sink.command(name, now(), a, b);
  const turn: LiveTurn = {
    mark: (name) => say(MARK, name),
    useful: () => say(USEFUL),
    progress: (text) => say(PROGRESS, text),
    finish: () => say(FINISH),
    complete: () => say(COMPLETE),
    stop: () => say(STOP),
    setAttribute: (key, value) => say(ATTRIBUTE, key, value),
  };
  /** The engine, for as long as it can be trusted. */
  const ask = <T>(question: (engine: Engine) => T) => fuse.run(() => engine && question(engine));

  return {
    ready,
    onTurn(callback, { updates = false } = {}) {
      const listener = { callback, updates };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    // Until the engine can tell, what the page says is kept like everything else.
    get turn() {
      return tap.on && (!engine || ask((it) => it.live())) ? turn : null;
    },
    startTurn({ url = location.href } = {}) {
      const id = tap.id();
      sink.open(id, now(), MANUAL, "", url, MATCHED);
      return {
        text: (chunk) => sink.message(id, now(), "", chunk),
        end: () => sink.close(id, now(), DONE, ""),
      };
    },
    observe(response) {
      if (tap.on) fuse.run(() => tap.observe(response));
      return response;
    },
    variant(name) {
      const experiment = experimentOf(options, name);
      if (!experiment) return undefined;
      const { id, unit = id ? "user" : "session" } = experiment;
      const ids: Record<Unit, () => string> = {
        page: () => page,
        session: () => session,
        user: () => (sticky ? idOf(() => localStorage) : session),
      };
      const variant = assign(name, id ?? ids[unit](), experiment);
      if (variant && !exposed.has(name)) say(EXPOSURE, name, `${variant} ${unit}`);
      exposed.add(name);
      return variant;
    },
    summary: () => (ask((it) => it.summary()) ?? {}) as ReturnType<Vitals["summary"]>,
    flush: () => void ask((it) => it.flush()),
    setConsent(next) {
      options = { ...options, consent: next };
      ask((it) => it.setConsent(next));
    },
    shutdown() {
      if (stopped) return;
      stopped = true;
      ask((it) => it.shutdown());
      engine = undefined;
      listeners.clear();
      tap.stop();
      sink.detach();
      tap.vitals = undefined;
    },
  };
};

/** Makes `init` of a door. */
export const createInit =
  (load: Load) =>
  (options: Options = {}): Vitals => {
    const tap = tapOf();
    if (!tap) return inert(options);
    if (tap.vitals) {
      console.warn("chat-vitals is running already; this init changes nothing");
      return tap.vitals;
    }
    tap.vitals = live(options, tap, load);
    return tap.vitals;
  };
