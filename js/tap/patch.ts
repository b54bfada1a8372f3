/**
 * Puts something over a function that hardly shows: a proxy has its name, length and properties. As text it is native
 * code too, but without the name: `function () { [native code] }`.
 * May touch: the one property it is asked to replace.
 */
import { run } from "../guard.js";

// biome-ignore lint/suspicious/noExplicitAny: any function, constructor or result of one
export type Any = any;

/**
 * Sees one call before it is made. Answers with nothing; with a function that sees the result and may answer with
 * another; or with an object on which the call is to be made in place of the page's.
 */
type Hook = (args: Any[], self: unknown) => ((result: Any) => unknown) | object | undefined;

/** `native` with a hook. The call is always made, once, with the page's arguments; what it throws is the page's. */
export const hooked = <F extends object>(native: F, hook: Hook): F =>
  new Proxy(native, {
    apply(target, self, args) {
      const plan = run(() => hook(args, self));
      const isAfter = typeof plan === "function";
      const result = Reflect.apply(target as Any, isAfter ? self : (plan ?? self), args);
      return (isAfter && run(() => plan(result))) || result;
    },
  });

const define = (object: object, key: PropertyKey, value: unknown) =>
  Object.defineProperty(object, key, { value, configurable: true, writable: true });

/** Puts an own property over one method of this one object, under each of `keys`. */
export const over = (object: Any, hook: Hook, ...keys: PropertyKey[]): void => {
  const native = object[keys[0] as string];
  if (!native) return;
  // A method borrowed for another object is none of our business.
  const ours = hooked(native, (args, self) => (self === object ? hook(args, self) : undefined));
  for (const key of keys) define(object, key, ours);
};

/**
 * The promise to give the page in place of its own, derived by one `then`: a side `then` would mark a rejection as
 * handled and silence `unhandledrejection`.
 */
export const derive = <T>(promise: Promise<T>, seen: (value: T) => void, failed: (error: Any) => void): Promise<T> =>
  promise.then(
    (value) => {
      run(() => seen(value));
      return value;
    },
    (error) => {
      run(() => failed(error));
      throw error;
    },
  );

/** Replaces a global. Answers with what puts it back, or nothing if the page does not let us. */
export const replace = (name: string, wrap: (native: Any) => Any): (() => boolean) | undefined => {
  const realm = globalThis as Any;
  const native = realm[name];
  if (!native) return undefined;
  const ours = wrap(native);
  /** Swaps `from` for `to` if it is still there: someone who wrapped us keeps us below, as a pass-through. */
  const swap = (from: Any, to: Any) => {
    // Not writable: then this page is not measured.
    try {
      if (realm[name] === from) realm[name] = to;
      if (from.prototype?.constructor === from) from.prototype.constructor = to;
    } catch {}
    return realm[name] === to;
  };
  return swap(native, ours) ? () => swap(ours, native) : undefined;
};
