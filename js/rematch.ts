/**
 * Asks `match` again when a request reaches the engine: the taps may have seen it before they knew the option.
 * May touch: `open` of the engine that it is given.
 */
import { type Engine, MATCHED } from "./engine.js";
import type { Tap } from "./tap/tap.js";

export const rematch = (engine: Engine, { matches }: Pick<Tap, "matches">): void => {
  const open = engine.open.bind(engine);
  engine.open = (id, t, transport, method, url, hint) => {
    // What the application brought itself needs no match.
    const matched = hint & MATCHED ? 1 : matches(url);
    // What follows of a stream that was not opened is ignored.
    if (matched >= 0) open(id, t, transport, method, url, hint | matched);
  };
};
