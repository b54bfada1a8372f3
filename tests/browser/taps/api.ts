/** The API with an engine that only writes down what it hears; `load` decides when and how it comes. */
import type { Boot } from "../../../js/engine.js";
import { createInit } from "../../../js/start.js";
import type { Turn } from "../../../js/types.js";

type Entry = unknown[];

const log: Entry[] = [];
let arrive: (broken?: unknown) => void = () => {};
const arrival = new Promise<unknown>((resolve) => {
  arrive = resolve;
});
let announce: (turn: Turn, final: boolean) => void = () => {};

/** Every method is logged; `panic` makes the next call throw. It is no promise. */
const engine = (state: { live: boolean; panic: boolean }) => {
  const method =
    (name: string) =>
    (...args: unknown[]) => {
      if (state.panic) throw new WebAssembly.RuntimeError("unreachable");
      if (name === "live") return state.live;
      log.push([name, ...args]);
      return undefined;
    };
  return new Proxy({}, { get: (_, name) => (name === "then" ? undefined : method(String(name))) });
};
const state = { live: false, panic: false };

const boot: Boot = async (_, { tap, listeners, isWanted }) => {
  const broken = await arrival;
  if (broken) throw broken;
  if (!isWanted()) return undefined;
  announce = (turn, final) => {
    for (const [callback, updates] of listeners) if (final || updates) callback(turn);
  };
  const made = engine(state) as never;
  tap.attach(made);
  return made;
};

Object.assign(globalThis, {
  init: createInit(async () => ({ boot })),
  log,
  state,
  arrive,
  announce: (turn: Turn, final: boolean) => announce(turn, final),
});
