/**
 * What the user does: clicks, Enter, submits, copies. Trusted events only, seen before the page handles them.
 * May touch: listeners on `document`.
 */
import { CLICK, COPY, ENTER, type Sink, SUBMIT, type Touch } from "../engine.js";
import type { Fuse } from "../guard.js";

const TOUCHES: Record<string, Touch> = { click: CLICK, keydown: ENTER, submit: SUBMIT, copy: COPY };

/** Answers with what ends it. */
export const hearGestures = (sink: Sink, fuse: Fuse): (() => void) => {
  const heard = fuse.guard((event: Event) => {
    // Shift+Enter is a new line, and Enter while composing chooses a character.
    const { key, shiftKey, isComposing } = event as KeyboardEvent;
    const typing = event.type === "keydown" && (key !== "Enter" || shiftKey || isComposing);
    if (!event.isTrusted || typing) return;
    const target = event.composedPath()[0];
    sink.gesture(event.timeStamp, TOUCHES[event.type] as Touch, target instanceof Element ? target : null);
  });
  const options = { capture: true, passive: true };
  for (const type in TOUCHES) document.addEventListener(type, heard, options);
  return () => {
    for (const type in TOUCHES) document.removeEventListener(type, heard, options);
  };
};
