/**
 * The tap on `EventSource`: hears what the page listens to.
 * May touch: `globalThis.EventSource` (through `replace`), `addEventListener` and `close` of the sources it makes.
 *
 * Reconnects are one stream. Listeners of ours are added through the native method, before the page's own for the
 * same event, so that the time is that of the event and not of its handling.
 */
import { CANCELLED, EVENT_SOURCE, MATCHED } from "../engine.js";
import { guard, run } from "../guard.js";
import { createFlow, end, fail, now } from "./flow.js";
import { over } from "./patch.js";
import { isOn, sink } from "./sink.js";
import type { Tap } from "./tap.js";

const watch = (tap: Tap, source: EventSource, t: number): void => {
  const matched = tap.matches(source.url);
  if (matched < 0) return;
  const flow = createFlow();
  const { id } = flow;
  let opens = 0;
  const hear = guard((event: MessageEvent) => {
    const { type, data } = event;
    if (type === "open") {
      if (!opens++) sink.head(id, now(), 200, "text/event-stream", []);
    } else if (data !== undefined) sink.message(id, now(), type, `${data}`);
    else if (source.readyState === 2) fail(flow, event);
    else if (type === "error") sink.reconnect(id, now());
  });
  // The same listener a second time is no second listener.
  const listen = (name: string) => EventTarget.prototype.addEventListener.call(source, name, hear as EventListener);

  sink.open(id, t, EVENT_SOURCE, "GET", source.url, matched && MATCHED);
  for (const name of ["open", "error", "message"]) listen(name);
  // Other events are ours to hear only if the page listens to them.
  over(source, ([name]) => void (isOn && listen(`${name}`)), "addEventListener");
  over(source, () => void end(flow, CANCELLED), "close");
};

export const hookEventSource = (tap: Tap, native: typeof EventSource): typeof EventSource =>
  new Proxy(native, {
    construct(target, args, newTarget) {
      const t = now();
      const source = Reflect.construct(target, args, newTarget);
      if (isOn) run(() => watch(tap, source, t));
      return source;
    },
  });
