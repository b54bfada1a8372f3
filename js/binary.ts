/**
 * The wasm as it came: what the glue is to be given, and what its refusal means.
 * May touch: the body of the response that it is given.
 */
import type { InitInput } from "./wasm/chat_vitals.js";

/** The glue tries to stream whatever it gets, and warns by itself when the server gave it no type for that. */
export const streamable = async (source: InitInput | Promise<InitInput>): Promise<InitInput> => {
  const given = await source;
  const isTyped = !(given instanceof Response) || given.headers.get("content-type") === "application/wasm";
  return isTyped || !given.ok ? given : given.arrayBuffer();
};

/** Browsers name the policy in their own words; a connection that it refused is another error. */
export const explain = (why: unknown): string =>
  /^(Compile|Eval)Error.*(CSP|content security policy)/is.test(`${why}`)
    ? `${why} (does script-src allow 'wasm-unsafe-eval'?)`
    : `${why}`;
