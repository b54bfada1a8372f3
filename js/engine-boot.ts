/**
 * What the three engine chunks share: starts the wasm, makes the engine and connects it with the taps.
 * May touch: `console.debug` with the option `debug`.
 */
import { announcer } from "./announce.js";
import { explain, streamable } from "./binary.js";
import { deliveryOf } from "./delivery.js";
import type { Boot, Engine, EngineClass, Sink } from "./engine.js";
import { narrow } from "./headers.js";
import { rematch } from "./rematch.js";
import { watchResources } from "./resources.js";
import type { Options } from "./types.js";
import * as glue from "./wasm/chat_vitals.js";

/** The engine, saying aloud what it is told. */
const aloud = (engine: Engine): Sink =>
  new Proxy(engine, {
    get(target, name: keyof Sink) {
      return (...args: unknown[]) => {
        console.debug("chat-vitals", name, ...args);
        return Reflect.apply(target[name], target, args);
      };
    },
  });

type Wasm = glue.InitInput | Promise<glue.InitInput>;

export const bootWith =
  (wasmOf: (options: Options, nativeFetch: typeof fetch) => Wasm): Boot =>
  async (options, { tap, listeners, page, session, isWanted }) => {
    try {
      await glue.default({ module_or_path: streamable(wasmOf(options, tap.fetch)) });
    } catch (why) {
      throw explain(why);
    }
    const delivery = await deliveryOf(options, tap.fetch);
    const propagate = options.propagate && (await import("./propagate.js")).propagator(options, session, tap.sink);
    // The generated types know the numbers and strings of the border, not what they mean.
    const Class = (glue as unknown as { Engine: EngineClass }).Engine;
    if (!isWanted()) return undefined;
    return tap.run(() => {
      const engine = new Class(options, {
        guard: tap.guard,
        ...delivery,
        warn: (what) => console.warn(`chat-vitals: ${what}`),
        onTurn: announcer(listeners),
        wantsUpdates: () => [...listeners.values()].includes(true),
        page,
        session,
        installedAt: tap.installedAt,
      });
      rematch(engine, tap);
      narrow(engine, tap);
      tap.propagate = propagate;
      const release = watchResources(engine, tap, delivery.isOwn);
      const end = engine.shutdown.bind(engine);
      engine.shutdown = () => {
        release();
        tap.propagate = undefined;
        end();
      };
      tap.attach(options.debug ? aloud(engine) : engine);
      return engine;
    });
  };
