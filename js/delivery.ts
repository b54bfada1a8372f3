/**
 * By which `fetch` batches go, in the format that the options ask for; what only OTLP needs is loaded only for it.
 * May touch: nothing of the page.
 */
import type { Options } from "./types.js";

export interface Delivery {
  fetch: typeof fetch;
  /** Beacons carry `text/plain`, which no OTLP receiver takes. */
  takesBeacons: boolean;
  /** Whether a URL is one that batches go to. */
  isOwn(url: string): boolean;
}

export const deliveryOf = async ({ endpoint, format }: Options, native: typeof fetch): Promise<Delivery> => {
  const base = endpoint && new URL(endpoint, document.baseURI).href;
  if (format !== "otlp") return { fetch: native, takesBeacons: true, isOwn: (url) => url === base };
  const { addressOf, exporter } = await import("./otlp-export.js");
  const own = base ? ["traces", "logs"].map((kind) => addressOf(base, kind)) : [];
  return { fetch: exporter(native), takesBeacons: false, isOwn: (url) => own.includes(url) };
};
