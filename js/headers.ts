/**
 * Of a response's headers the engine is told only those that it may read.
 * May touch: `head` of the engine that it is given.
 */
import type { Sink } from "./engine.js";
import type { Tap } from "./tap/tap.js";

/** Headers that name the request or the trace, tell of the server's phases, or of the stream's protocol. */
const NAMED = /request-?id$|call-id$|^trace|trace-|^cf-(ray|aig)|^x-vercel-|server-timing|retry-after/;

const isTold = (name: string, { requestIdHeaders }: Tap["options"]): boolean =>
  NAMED.test(name) || !!requestIdHeaders?.some((own) => own.toLowerCase() === name);

export const narrow = (engine: Sink, tap: Pick<Tap, "options">): void => {
  const head = engine.head.bind(engine);
  engine.head = (id, t, status, contentType, headers) => {
    // Flat: a value is told if its name, one place before it, is.
    const told = headers.filter((_, place) => isTold(headers[place - (place % 2)] ?? "", tap.options));
    head(id, t, status, contentType, told);
  };
};
