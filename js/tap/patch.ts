/**
 * Puts something over a native function that does not show: a proxy has its name, length and properties, and its text.
 * May touch: the properties it is asked to replace, and `Function.prototype.toString`, which is one of them.
 */
import { run } from "../guard.js";

// biome-ignore lint/suspicious/noExplicitAny: any function, constructor or result of one
export type Any = any;

/** Sees the result of a call and may answer with another to give the page. */
type After = (result: Any) => unknown;

/** What is to be done about one call. */
export interface Plan {
  /** The object on which the call is made in place of the page's. */
  on?: object;
  /** The arguments that it is made with in place of the page's. */
  given?: Any[] | undefined;
  after?: After;
  /** The call threw. */
  undo?: () => void;
}

/**
 * Sees one call before it is made; answers with nothing, with what is to be done with the result, or with a plan. A page
 * may have replaced how lists are taken apart: arguments are asked for by their place.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most hooks only look on
export type Hook = (args: Any[], self: Any) => After | Plan | undefined | void;

// As they were before the page could replace them.
const { apply, construct } = Reflect;

/**
 * What an object of the page says under these names, without asking it: a getter of its own is for the browser alone to
 * run, once. Nothing if there is one.
 */
export const peek = (object: Any, ...names: string[]): Record<string, Any> | undefined => {
  const values: Record<string, Any> = Object.create(null);
  try {
    for (const name of names) {
      let found: PropertyDescriptor | undefined;
      for (let owner = object; owner && !found; owner = Object.getPrototypeOf(owner))
        found = Object.getOwnPropertyDescriptor(owner, name);
      const isGetter = found && !Object.hasOwn(found, "value");
      if (isGetter && !/native code/.test(`${found?.get}`)) return undefined;
      values[name] = isGetter ? apply(held(found), object, []) : held(found);
    }
    return values;
  } catch {
    return undefined;
  }
};

/** The value of a property or its getter; a descriptor is an object like others, on which the page may have put something. */
const held = (own: PropertyDescriptor | undefined): Any => own && (Object.hasOwn(own, "value") ? own.value : own.get);

const askers: (() => void)[] = [];

/** To be called when the taps are installed; importing touches nothing. */
export const remember = (): void => {
  for (const asker of askers) asker();
};

/**
 * Asks an object by way of what the browser gave its class, as it was when the taps were installed: a class of the
 * page's, a mock or a patch may have put something of its own in between, which is not to hear of us.
 */
export const asker = (name: string) => {
  let own: Record<string, PropertyDescriptor> = {};
  askers.push(() => {
    own = Object.getOwnPropertyDescriptors((globalThis as Any)[name]?.prototype ?? {});
  });
  return (self: unknown, what: string, ...args: unknown[]): Any => {
    return apply(held(own[what]), self, args);
  };
};

/**
 * What an object has of its own and can be read without asking: no getters, and no objects, which become text only when
 * the browser asks them.
 */
export const plain = (object: Any): Record<string, Any> => {
  const values: Record<string, Any> = Object.create(null);
  const own = Object.getOwnPropertyDescriptors(object ?? {});
  for (const name in own) {
    const value = held(own[name]);
    if (value === null || !/^(object|function|undefined)$/.test(typeof value)) values[name] = value;
  }
  return values;
};

/** What each of our functions stands for. */
const natives = new WeakMap<object, object>();

/** Text of a function of ours is that of the native one. */
export const hookText: Hook = (_, self) => {
  const on = natives.get(self);
  return on && { on };
};

/** `native` with a hook. The call is always made, once, with the page's arguments; what it throws is the page's. */
export const hooked = <F extends object>(native: F, hook: Hook): F => {
  const call = (make: (self: Any, args: Any[]) => Any, args: Any[], self: Any) => {
    const said = run(() => hook(args, self));
    const {
      on = self,
      given = args,
      after,
      undo,
    } = (typeof said === "function" ? { after: said } : (said ?? {})) as Plan;
    let isThrown = true;
    let result: Any;
    try {
      result = make(on, given);
      isThrown = false;
    } finally {
      if (isThrown && undo) run(undo);
    }
    return (after && run(() => after(result))) || result;
  };
  const ours = new Proxy(native, {
    // What the page puts on every object is not to become a trap.
    // @ts-expect-error: not declared on handlers
    __proto__: null,
    apply: (target, self, args) => call((on, given) => apply(target as Any, on, given), args, self),
    construct: (target, args, newTarget) => call(() => construct(target as Any, args, newTarget), args, undefined),
  });
  natives.set(ours, native);
  return ours;
};

/**
 * The promise to give the page in place of its own, settled in the very step in which that one calls back: a side `then`
 * would mark a rejection as handled and silence `unhandledrejection`, and an error thrown on gets marks of where in
 * WebKit. It is made by the class that the page's own was made by.
 */
export const derive = <T>(promise: Promise<T>, seen: (value: T) => void, failed: (error: Any) => void): Promise<T> =>
  new (promise.constructor as PromiseConstructor)((resolve, reject) => {
    promise.then(
      (value) => {
        run(() => seen(value));
        resolve(value);
      },
      (error) => {
        run(() => failed(error));
        reject(error);
      },
    );
  });

/** Puts a hook over one function of `owner`, under each of its names. */
export type Patch = (owner: Any, hook: Hook, ...names: PropertyKey[]) => void;

/** One function to be replaced and put back as often as one likes. */
export interface Slot {
  put(): void;
  back(): void;
}

/** Whoever wrapped us in between keeps us below, as a pass-through, and we are not put over them once more. */
export const slot = (owner: Any, hook: Hook, names: PropertyKey[]): Slot => {
  let ours: Any;
  let native: Any;
  let isIn = false;
  /** Where the function of a name stands: most are values, some are getters. */
  const look = (name: PropertyKey) => {
    const there = owner && Object.getOwnPropertyDescriptor(owner, name);
    const place = there?.get ? "get" : "value";
    return { there, place, held: there?.[place] };
  };
  const swap = (from: Any, to: Any): boolean => {
    // Not writable: then this page is not measured.
    try {
      for (const name of names) {
        const { there, place, held } = look(name);
        if (held === from) Object.defineProperty(owner, name, { ...there, [place]: to });
      }
      if (from.prototype?.constructor === from) from.prototype.constructor = to;
    } catch {}
    return look(names[0] as string).held === to;
  };
  return {
    put() {
      const { held } = look(names[0] as string);
      if (!held || (isIn && held !== native)) return;
      if (held !== native) {
        native = held;
        ours = hooked(native, hook);
      }
      isIn = swap(native, ours);
    },
    back() {
      if (isIn) isIn = !swap(ours, native);
    },
  };
};
