/**
 * Door `chat-vitals/react`. React is the application's.
 * May touch: the API of `chat-vitals`.
 *
 * `<ChatVitals>` starts measuring and stays started: the page outlives its components, and the taps with it.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { init } from "./index.js";
import type { Options, Turn, Vitals } from "./types.js";

export type * from "./types.js";

let vitals: Vitals | undefined;
let last: Turn | null = null;
const waiting = new Set<() => void>();

const begin = (options: Options): void => {
  if (vitals) return;
  vitals = init(options);
  vitals.onTurn(
    (turn) => {
      last = turn;
      for (const changed of waiting) changed();
    },
    { updates: true },
  );
  for (const changed of waiting) changed();
};

const subscribe = (changed: () => void) => {
  waiting.add(changed);
  return () => void waiting.delete(changed);
};

/** Starts measuring. Put it once, near the root; it draws nothing. */
export const ChatVitals = ({ options }: { options: Options }): null => {
  // The first options count: measuring cannot start twice.
  const [first] = useState(options);
  useEffect(() => begin(first), [first]);
  return null;
};

/** The last turn as it is now, or `null`; draws again at each milestone. */
export const useTurn = (): Turn | null =>
  useSyncExternalStore(
    subscribe,
    () => last,
    () => null,
  );

/** The variant shown to this unit; `undefined` on the server and until `<ChatVitals>` has started. */
export const useVariant = (name: string): string | undefined =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => vitals?.variant(name), [name]),
    () => undefined,
  );
