/**
 * What Resource Timing adds to the taps: requests that they could not see, because the application had taken `fetch`
 * before them, and ends of streams that are read out of their sight.
 * May touch: one `PerformanceObserver`; `open`, `head` and `close` of the engine that it is given. No policy: the core
 * decides what counts.
 */
import { EVENT_SOURCE, type Engine, FETCH, MATCHED, type Transport, XHR } from "./engine.js";
import type { Tap } from "./tap/tap.js";

/** Requests that are remembered until their entry comes; entries may be late, or never come. */
const REMEMBERED = 300;
/** Clocks of entries are coarser than those of calls: a start may be that much before its call, in milliseconds. */
const COARSE = 2;

interface Opened {
  id: number;
  t: number;
  url: string;
  transport: Transport;
  /** It came by `observe`, well after it went out. */
  isLate: boolean;
  /** When its answer began, or it failed: it went out before. */
  until: number;
}

type Entry = PerformanceResourceTiming & { contentType?: string; responseStatus?: number };

/** What went out before this was another engine's to tell. */
let since = 0;

const transportOf = ({ initiatorType, contentType }: Entry): Transport | undefined => {
  if (initiatorType === "fetch") return FETCH;
  if (initiatorType === "xmlhttprequest") return XHR;
  // Only WebKit has a word for it.
  const isSource =
    initiatorType === "eventsource" || (initiatorType === "other" && contentType === "text/event-stream");
  return isSource ? EVENT_SOURCE : undefined;
};

/** `own`: URLs of the SDK's own requests. Answers with what ends it. */
export const watchResources = (engine: Engine, tap: Tap, own: (url: string) => boolean): (() => void) => {
  let opened: Opened[] = [];
  let taken: Opened[] = [];
  const open = engine.open.bind(engine);
  const head = engine.head.bind(engine);
  const close = engine.close.bind(engine);
  engine.open = (id, t, transport, method, href, hint) => {
    const url = href.split("#")[0] as string;
    opened = [...opened.slice(1 - REMEMBERED), { id, t, url, transport, isLate: !method, until: Infinity }];
    open(id, t, transport, method, href, hint);
  };
  const began = (id: number, t: number) => {
    const request = opened.find((one) => one.id === id);
    if (request) request.until = Math.min(request.until, t);
  };
  engine.head = (id, t, ...rest) => {
    began(id, t);
    head(id, t, ...rest);
  };
  engine.close = (id, t, ...rest) => {
    began(id, t);
    close(id, t, ...rest);
  };

  /**
   * The request that this entry is of: it went out between its call and its answer, however long a wrapper below the
   * taps kept it. Entries come in the order of ends, so of several the one that was called last before the start.
   */
  const claim = ({ name, startTime }: Entry, transport: Transport): Opened | undefined => {
    const fits = (one: Opened) =>
      one.url === name &&
      (one.transport === EVENT_SOURCE) === (transport === EVENT_SOURCE) &&
      (one.isLate ? startTime < one.t : startTime >= one.t - COARSE) &&
      // An event source connects again and again.
      (one.isLate || transport === EVENT_SOURCE || startTime <= one.until + COARSE);
    const distance = (one: Opened) => Math.abs(startTime - one.t);
    const nearest = (some: Opened[]) =>
      some.reduce<Opened | undefined>((best, one) => (best && distance(best) <= distance(one) ? best : one), undefined);
    // Of many at once one may have taken another's entry: that other's is left over, and no gap.
    const called = ({ url, t }: Opened) => url === name && t <= startTime + COARSE;
    const found = nearest(opened.filter(fits)) ?? (taken.some(fits) ? nearest(opened.filter(called)) : undefined);
    if (found && transport !== EVENT_SOURCE) {
      opened = opened.filter((one) => one !== found);
      taken = [...taken.slice(1 - REMEMBERED), found];
    }
    return found;
  };

  const tell = (entry: Entry) => {
    const { name, startTime, responseStart, responseEnd } = entry;
    const transport = transportOf(entry);
    // A file of the engine comes past the taps, too.
    if (transport === undefined || startTime < since || own(name) || /\.wasm([?#]|$)/.test(name)) return;
    const now = performance.now();
    const known = claim(entry, transport);
    if (known) {
      if (transport !== EVENT_SOURCE) engine.transferred(known.id, now, responseEnd);
      return;
    }
    const matched = tap.matches(name);
    if (matched < 0) return;
    const times = new Float64Array([startTime, responseStart, responseEnd]);
    const { responseStatus = 0, encodedBodySize = 0 } = entry;
    const contentType = transport === EVENT_SOURCE ? "text/event-stream" : (entry.contentType ?? "");
    engine.captured(now, transport, name, matched && MATCHED, times, responseStatus, contentType, encodedBodySize);
  };

  // An old browser tells nothing of this.
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("resource")) return () => {};
  const observer = new PerformanceObserver((list) => {
    // Also when the fuse has blown, of which nobody tells.
    if (!tap.on) return observer.disconnect();
    tap.run(() => {
      for (const entry of list.getEntries()) tell(entry as Entry);
    });
  });
  observer.observe({ type: "resource", buffered: true });
  return () => {
    since = performance.now();
    observer.disconnect();
  };
};
