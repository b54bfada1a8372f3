/**
 * Who hears of a turn: everyone once, when it ends; whoever wants updates also before and after.
 * May touch: the callbacks of the page.
 */
import type { Host } from "./engine.js";
import type { Turn } from "./types.js";

/** Only the last turns are ever told of again. */
const REMEMBERED = 32;

/** The engine tells an ended turn anew when the next action or the task's end comes to it. */
export const announcer = (listeners: Host["listeners"]) => {
  let ended: string[] = [];
  return (turn: Turn, final: boolean): void => {
    const isEnd = final && !ended.includes(turn.id);
    if (isEnd) ended = [turn.id, ...ended].slice(0, REMEMBERED);
    for (const [callback, updates] of listeners) {
      if (!isEnd && !updates) continue;
      // What the page's own callback throws is the page's, and goes where it would have gone.
      try {
        callback(turn);
      } catch (error) {
        reportError(error);
      }
    }
  };
};
