/**
 * The fuse: the first failure of ours ends all measuring and the page goes on as if we were not there.
 * May touch: `console.warn`, once.
 */
import type { Guard } from "./engine.js";

/** Whether all is over, for this page's life: a panic of the engine is final. */
export let blown = false;
const releases = new Set<() => void>();

/** Is called when the fuse blows. */
export const onTrip = (release: () => void): void => void releases.add(release);

const trip = (why: unknown): void => {
  if (blown) return;
  blown = true;
  onTrip(() => console.warn(`chat-vitals stopped: ${why}`));
  // A release that fails as well must not keep the others from running.
  for (const release of releases) {
    try {
      release();
    } catch {}
  }
};

/** Runs `fn` now; what it throws trips the fuse. After that nothing runs. */
export const run = <T>(fn: () => T): T | undefined => {
  if (!blown) {
    try {
      return fn();
    } catch (why) {
      trip(why);
    }
  }
  return undefined;
};

/** The same, as a function to hand to the browser. */
export const guard = ((fn) =>
  (...args: unknown[]) =>
    run(() => fn(...args))) as Guard;
