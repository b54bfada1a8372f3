/**
 * What the user does: clicks, Enter, submits, copies. Trusted events only, seen before the page handles them.
 * May touch: listeners on `document`.
 */
import { CLICK, COPY, ENTER, SUBMIT, type Touch } from "../engine.js";
import { guard } from "../guard.js";
import { sink } from "./sink.js";

const TOUCHES: Record<string, Touch> = { click: CLICK, keydown: ENTER, submit: SUBMIT, copy: COPY };

const heard = guard((event: Event) => {
  // Shift+Enter is a new line, and Enter while composing chooses a character.
  const { type, key, shiftKey, isComposing } = event as KeyboardEvent;
  if (!event.isTrusted || (type === "keydown" && (key !== "Enter" || shiftKey || isComposing))) return;
  const target = event.composedPath()[0];
  sink.gesture(event.timeStamp, TOUCHES[type] as Touch, target instanceof Element ? target : null);
});

export const listen = (how: "addEventListener" | "removeEventListener"): void => {
  for (const type in TOUCHES) document[how](type, heard, true);
};
