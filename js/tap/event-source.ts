/**
 * The tap on `EventSource`: hears what the page listens to.
 * May touch: `globalThis.EventSource` (through `replace`), `addEventListener` and `close` of the sources it makes.
 *
 * Reconnects are one stream. Listeners of ours are added through the native method, before the page's own for the
 * same event, so that the time is that of the event and not of its handling.
 */
import { ASKS_STREAM, CANCELLED, type End, ERROR, EVENT_SOURCE, MATCHED } from "../engine.js";
import { over } from "./patch.js";
import type { Tap } from "./tap.js";

const watch = (tap: Tap, source: EventSource, t: number): void => {
  const matched = tap.matches(source.url);
  if (matched < 0) return;
  const { sink, fuse } = tap;
  const id = tap.id();
  const heard = new Set<string>();
  let begun = false;
  let ended = false;
  const now = () => performance.now();
  const end = (how: End, type: string) => {
    if (!ended) sink.close(id, now(), how, type);
    ended = true;
  };
  const hear = EventTarget.prototype.addEventListener.bind(source);
  const listen = (name: string, listener: (event: Event) => void) => {
    if (heard.has(name)) return;
    heard.add(name);
    hear(name, fuse.guard(listener));
  };
  const message = ({ type, data }: Event & { data?: unknown }) => {
    if (typeof data === "string") sink.message(id, now(), type, data);
  };

  sink.open(id, t, EVENT_SOURCE, "GET", source.url, (matched && MATCHED) | ASKS_STREAM);
  listen("open", () => {
    if (!begun) sink.head(id, now(), 200, "text/event-stream", []);
    begun = true;
  });
  listen("error", (event) => {
    if (!event.isTrusted) return message(event);
    if (source.readyState === 2) end(ERROR, "Event");
    else sink.reconnect(id, now());
  });
  listen("message", message);
  over(source, "addEventListener", (call, [name]) => {
    // Only events that the page listens to are ours to hear.
    fuse.run(() => tap.on && listen(`${name}`, message));
    return call();
  });
  over(source, "close", (call) => {
    fuse.run(() => end(CANCELLED, ""));
    return call();
  });
};

export const wrapEventSource = (tap: Tap, native: typeof EventSource): typeof EventSource =>
  new Proxy(native, {
    construct(target, args, newTarget) {
      const t = performance.now();
      const source = Reflect.construct(target, args, newTarget);
      if (tap.on) tap.fuse.run(() => watch(tap, source, t));
      return source;
    },
  });
