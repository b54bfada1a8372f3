/**
 * The fuse: the first failure of ours ends all measuring and the page goes on as if we were not there.
 * May touch: `console.warn`, once.
 */
import type { Guard } from "./engine.js";

export interface Fuse {
  readonly blown: boolean;
  /** Ends all measuring, for this page's life. */
  trip(why: unknown): void;
  /** Runs `fn` now; what it throws trips the fuse. After that nothing runs. */
  run<T>(fn: () => T): T | undefined;
  /** The same, as a function to hand to the browser. */
  guard: Guard;
  /** Is called when the fuse blows. */
  onTrip(release: () => void): void;
}

export const createFuse = (): Fuse => {
  let blown = false;
  const releases: (() => void)[] = [];
  const trip = (why: unknown) => {
    if (blown) return;
    blown = true;
    // A release that fails as well must not keep the others from running.
    for (const release of [...releases, () => console.warn(`chat-vitals stopped measuring: ${why}`)]) {
      try {
        release();
      } catch {}
    }
  };
  const run = <T>(fn: () => T): T | undefined => {
    if (!blown) {
      try {
        return fn();
      } catch (why) {
        trip(why);
      }
    }
    return undefined;
  };
  return {
    get blown() {
      return blown;
    },
    trip,
    run,
    guard: ((fn) =>
      function (this: unknown, ...args: unknown[]) {
        return run(() => fn.apply(this, args));
      }) as Guard,
    onTrip: (release) => void releases.push(release),
  };
};
