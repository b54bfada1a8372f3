/**
 * The taps' end of the border: keeps their calls until the engine is there, then hands them on.
 * May touch: nothing of the page.
 */
import { OVERFLOW, type Sink } from "../engine.js";
import { run } from "../guard.js";

/** Most calls kept. */
const CALLS = 2000;
/** Of these, kept free for beginnings, ends and words of the application: a stream without its end is worth nothing. */
const RESERVE = 500;
/** Most bytes of streams kept. */
const BYTES = 256 * 1024;

// biome-ignore lint/suspicious/noExplicitAny: one road for nine signatures; `Sink` types both ends
type Call = [name: keyof Sink, ...args: any[]];

let kept: Call[] = [];
let bytes = 0;
let lost = 0;
let engine: Sink | undefined;

/** Whether calls count; streams that are still being read when measuring ends call on. */
export let isOn = false;

const keep = (call: Call): void => {
  const [name, id, t] = call;
  if (/chunk|message/.test(name)) {
    const data = call.pop();
    const { length } = data;
    if (bytes + length > BYTES) {
      lost++;
      call = ["skip", id, t, length];
    } else {
      bytes += length;
      // The page may transfer or overwrite the buffer as soon as it has it.
      call.push(data.slice());
    }
  }
  if (kept.length < (/chunk|skip|message|gesture/.test(name) ? CALLS - RESERVE : CALLS)) kept.push(call);
  else lost++;
};

const hand = (to: Sink, [name, ...args]: Call) => (to[name] as (...args: unknown[]) => void)(...args);

/** What the taps call. */
export const sink = new Proxy({} as Sink, {
  // @ts-expect-error: not declared on handlers; what the page puts on every object is not to become a trap
  __proto__: null,
  get:
    (_, name: keyof Sink) =>
    (...args: unknown[]) => {
      if (isOn) run(() => (engine ? hand(engine, [name, ...args]) : keep([name, ...args])));
    },
});

/** Forgets what was kept and the engine. */
const clear = (): void => {
  kept = [];
  bytes = lost = 0;
  engine = undefined;
};

export const enable = (on: boolean): void => {
  isOn = on;
  clear();
};

/** Hands on what was kept, in order and with its own times, and everything from now on. */
export const attach = (to: Sink): void => {
  // Calls made while these run join the end of the list and are reached as well.
  for (const call of kept) hand(to, call);
  if (lost) to.command(OVERFLOW, performance.now(), lost);
  clear();
  engine = to;
};
