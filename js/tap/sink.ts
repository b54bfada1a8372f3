/**
 * The taps' end of the border: keeps their calls until the engine is there, then hands them on.
 * May touch: nothing of the page.
 */
import { OVERFLOW, type Sink } from "../engine.js";
import type { Fuse } from "../guard.js";

/** Most calls kept. */
export const CALLS = 2000;
/** Of these, kept free for beginnings, ends and words of the application: a stream without its end is worth nothing. */
export const RESERVE = 500;
/** Most bytes of streams kept. */
export const BYTES = 256 * 1024;

const NAMES = ["open", "head", "chunk", "skip", "message", "reconnect", "close", "gesture", "command"] as const;
const PLENTY = /chunk|skip|message|gesture/;

export interface Border extends Sink {
  /** Whether calls count; streams that are still being read when measuring ends call on. */
  enabled: boolean;
  /** Hands on what was kept, in order and with its own times, and everything from now on. */
  attach(engine: Sink): void;
  /** Back to keeping. */
  detach(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: one road for nine signatures; `Sink` types both ends
type Call = [name: (typeof NAMES)[number], args: any[]];

export const createBorder = (fuse: Fuse): Border => {
  let kept: Call[] = [];
  let bytes = 0;
  let lost = 0;
  let engine: Sink | undefined;

  const clear = () => {
    kept = [];
    bytes = lost = 0;
    engine = undefined;
  };
  const keep = ([name, args]: Call) => {
    const heavy = name === "chunk" ? 2 : name === "message" ? 3 : 0;
    if (heavy) {
      const length = args[heavy].length;
      if (bytes + length > BYTES) {
        lost++;
        keep(["skip", [args[0], args[1], length]]);
        return;
      }
      bytes += length;
      // The page may transfer or overwrite the buffer as soon as it has it.
      if (name === "chunk") args[2] = args[2].slice();
    }
    if (kept.length < (PLENTY.test(name) ? CALLS - RESERVE : CALLS)) kept.push([name, args]);
    else lost++;
  };
  const hand = (to: Sink, [name, args]: Call) => (to[name] as (...args: unknown[]) => void)(...args);

  const border = {
    enabled: false,
    attach(to: Sink) {
      // Calls made while these run join the end of the list and are reached as well.
      for (const call of kept) hand(to, call);
      if (lost) to.command(OVERFLOW, performance.now(), lost);
      clear();
      engine = to;
    },
    detach: clear,
  } as Border;
  for (const name of NAMES) {
    border[name] = (...args: unknown[]) => {
      if (border.enabled) fuse.run(() => (engine ? hand(engine, [name, args]) : keep([name, args])));
    };
  }
  fuse.onTrip(clear);
  return border;
};
