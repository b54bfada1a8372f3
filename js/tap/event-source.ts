/**
 * The tap on `EventSource`: hears what the page listens to.
 * May touch: `EventSource` of a realm, `close` of its prototype, and once there is a source that is watched
 * `addEventListener` of `EventTarget` (all through `patch`); listeners of the sources.
 *
 * Reconnects are one stream. Listeners of ours are added through the native method, before the page's own for the
 * same event, so that the time is that of the event and not of its handling.
 */
import { CANCELLED, EVENT_SOURCE, MATCHED } from "../engine.js";
import { guard } from "../guard.js";
import { createFlow, end, type Flow, fail, now } from "./flow.js";
import { type Any, asker, type Hook, type Patch } from "./patch.js";
import { isOn, sink } from "./sink.js";
import type { Tap } from "./tap.js";

interface Watched {
  flow: Flow;
  listen(name: string): void;
}

const ofSource = asker("EventSource");

const sources = new WeakMap<EventSource, Watched>();

const watch = (tap: Tap, add: EventTarget["addEventListener"], source: EventSource, t: number): boolean => {
  const url = ofSource(source, "url");
  const matched = tap.matches(url);
  if (matched < 0) return false;
  const flow = createFlow();
  const { id } = flow;
  let opens = 0;
  const hear = guard((event: MessageEvent) => {
    const { type, data, timeStamp } = event;
    // What a script dispatches was not received.
    if (!event.isTrusted) return;
    if (type === "open") {
      if (!opens++) sink.head(id, timeStamp, 200, "text/event-stream", []);
    } else if (data !== undefined) sink.message(id, timeStamp, type, `${data}`);
    else if (ofSource(source, "readyState") === 2) fail(flow, event);
    else if (type === "error") sink.reconnect(id, timeStamp);
  });
  // The same listener a second time is no second listener.
  const listen = (name: string) => add.call(source, name, hear as EventListener);

  sink.open(id, t, EVENT_SOURCE, "GET", url, matched && MATCHED);
  for (const name of ["open", "error", "message"]) listen(name);
  sources.set(source, { flow, listen });
  return true;
};

export const hookEventSource = (tap: Tap, realm: Any, patch: Patch): void => {
  const target = realm.EventTarget.prototype;
  const { addEventListener } = target;
  // Events with a name of their own are ours to hear only if the page listens to them.
  const onListen: Hook = (args, self) => {
    const name = args[0];
    // Other objects become text only when the browser asks them, which is to happen once.
    if (isOn && typeof name === "string") sources.get(self)?.listen(name);
  };
  let isListening = false;
  patch(
    realm,
    () => {
      const t = now();
      return (source) => {
        if (!isOn || !watch(tap, addEventListener, source, t) || isListening) return;
        isListening = true;
        patch(target, onListen, "addEventListener");
      };
    },
    "EventSource",
  );
  patch(
    realm.EventSource?.prototype,
    (_, self) => {
      const watched = sources.get(self);
      if (watched) end(watched.flow, CANCELLED);
    },
    "close",
  );
};
