/** The panel on an API that the test speaks through: `announce(turn)`. */
import { overlay } from "../../../js/overlay/index.js";
import type { Turn, Vitals } from "../../../js/types.js";

const callbacks = new Set<(turn: Turn) => void>();
const vitals = {
  ready: Promise.resolve("full"),
  onTurn(callback: (turn: Turn) => void) {
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  },
} as unknown as Vitals;

Object.assign(globalThis, {
  show: () => overlay(vitals),
  announce(turn: Turn) {
    for (const callback of callbacks) callback(turn);
  },
  listening: () => callbacks.size,
});
