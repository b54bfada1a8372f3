/** Installs the taps and writes down what they say. `calls` holds [name, ...arguments], bytes as text. */
import type { Sink } from "../../../js/engine.js";
import { narrow } from "../../../js/headers.js";
import { tapOf } from "../../../js/tap/tap.js";

const calls: unknown[][] = [];
const decode = (value: unknown) =>
  value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : value instanceof Element
      ? value.id || value.tagName
      : value;
const recorder = new Proxy({} as Sink, {
  get: (own, name: keyof Sink) => own[name] ?? ((...args: unknown[]) => void calls.push([name, ...args.map(decode)])),
});
const tap = tapOf();
narrow(recorder, tap);
tap.start();
tap.attach(recorder);
Object.assign(globalThis, { calls, tap });
