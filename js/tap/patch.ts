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

// biome-ignore lint/suspicious/noExplicitAny: a function, or a constructor
type Native = any;

/** Replaces a global. Answers with what puts it back, or nothing if the page does not let us. */
export const replace = (name: "fetch" | "EventSource", wrap: (native: Native) => object): (() => boolean) | undefined => {
  const realm = globalThis as Record<string, Native>;
  const native = realm[name];
  if (typeof native !== "function") return undefined;
  const ours = wrap(native);
  /** Swaps `from` for `to` if it is still there: someone who wrapped us keeps us below, as a pass-through. */
  const swap = (from: Native, to: Native) => {
    // Not writable: then this page is not measured.
    try {
      if (realm[name] === from) realm[name] = to;
    } catch {}
    const swapped = realm[name] === to;
    const { prototype } = native;
    if (swapped && prototype?.constructor === from) prototype.constructor = to;
    return swapped;
  };
  return swap(native, ours) ? () => swap(ours, native) : undefined;
};
