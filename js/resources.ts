/**
 * What Resource Timing adds to the taps: requests that they could not see, because the application had taken `fetch`
 * before them, and ends of streams that are read out of their sight.
 * May touch: one `PerformanceObserver`; `open` of the engine that it is given. No policy: the core decides what counts.
 */
import { type Engine, FETCH, MATCHED, XHR } from "./engine.js";
import type { Tap } from "./tap/tap.js";

/** Requests that are remembered until their entry comes; entries may be late, or never come. */
const REMEMBERED = 300;
/** An entry's start is later than the call by what the browser does in between, in milliseconds. */
const APART = 250;

interface Opened {
  id: number;
  t: number;
  url: string;
  /** It came by `observe`, well after it went out. */
  isLate: boolean;
}

/** What went out before this was another engine's to tell. */
let since = 0;

const TRANSPORTS: Record<string, 0 | 2> = { fetch: FETCH, xmlhttprequest: XHR };

/** `own`: URLs of the SDK's own requests. Answers with what ends it. */
export const watchResources = (engine: Engine, tap: Tap, own: (url: string) => boolean): (() => void) => {
  let opened: Opened[] = [];
  const open = engine.open.bind(engine);
  engine.open = (id, t, transport, method, url, hint) => {
    opened = [...opened.slice(1 - REMEMBERED), { id, t, url: url.split("#")[0] as string, isLate: !method }];
    open(id, t, transport, method, url, hint);
  };

  /** The request that this entry is of: the earliest that fits, so that several of one address pair up in their order. */
  const claim = ({ name, startTime }: PerformanceEntry): Opened | undefined => {
    const fits = ({ url, t, isLate }: Opened) =>
      url === name && (isLate ? startTime < t : startTime >= t - 2 && startTime - t < APART);
    const place = opened.findIndex(fits);
    return place < 0 ? undefined : opened.splice(place, 1)[0];
  };

  const tell = (entry: PerformanceResourceTiming & { contentType?: string; responseStatus?: number }) => {
    const { name, initiatorType, startTime, responseStart, responseEnd } = entry;
    const transport = TRANSPORTS[initiatorType];
    if (transport === undefined || startTime < since || own(name)) return;
    const now = performance.now();
    const known = claim(entry);
    if (known) return engine.transferred(known.id, now, responseEnd);
    const matched = tap.matches(name);
    if (matched < 0) return;
    const times = new Float64Array([startTime, responseStart, responseEnd]);
    const { contentType = "", responseStatus = 0, encodedBodySize = 0 } = entry;
    engine.captured(now, transport, name, matched && MATCHED, times, responseStatus, contentType, encodedBodySize);
  };

  // An old browser tells nothing of this.
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("resource")) return () => {};
  const observer = new PerformanceObserver((list) => {
    // Also when the fuse has blown, of which nobody tells.
    if (!tap.on) return observer.disconnect();
    tap.run(() => {
      for (const entry of list.getEntries()) tell(entry as PerformanceResourceTiming);
    });
  });
  observer.observe({ type: "resource", buffered: true });
  return () => {
    since = performance.now();
    observer.disconnect();
  };
};
