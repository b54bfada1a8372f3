/** Whether a session is in the sample, as `web::options` has it: the same session always gets the same answer. May touch: nothing. */
import type { Options } from "./types.js";
import { hash } from "./variant.js";

export const isInSample = (session: string, { sampleRate = 1 }: Options): boolean =>
  (Math.imul(hash(session), 0x9e3779b1) >>> 8) / 2 ** 24 < sampleRate;
