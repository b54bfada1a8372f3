/**
 * Puts something over a function without anyone noticing: name, length and source text stay native.
 * May touch: the one property it is asked to replace.
 */

/** Puts an own property over one method of this one object. `apply` must call `call` once and answer with what it gave. */
export const over = <T extends object>(
  object: T,
  key: keyof T,
  // biome-ignore lint/suspicious/noExplicitAny: stands for any method
  apply: (call: () => any, args: any[]) => unknown,
): void => {
  const native = object[key];
  if (typeof native !== "function") return;
  Object.defineProperty(object, key, {
    // A method borrowed for another object is none of our business.
    value: new Proxy(native, {
      apply: (target, self, args) =>
        self === object ? apply(() => Reflect.apply(target, self, args), args) : Reflect.apply(target, self, args),
    }),
    configurable: true,
    writable: true,
  });
};

/** Replaces a global. Answers with what puts it back, or nothing if the page does not let us. */
export const replace = (name: "fetch" | "EventSource", wrap: (native: any) => object): (() => boolean) | undefined => {
  const realm = globalThis as Record<string, unknown>;
  const native = realm[name];
  if (typeof native !== "function") return undefined;
  const ours = wrap(native);
  try {
    realm[name] = ours;
  } catch {} // not writable: then this page is not measured
  if (realm[name] !== ours) return undefined;
  // Someone who wrapped us since then keeps us below, as a pass-through.
  return () => {
    const top = realm[name] === ours;
    if (top) realm[name] = native;
    return top;
  };
};
