/**
 * `format: "otlp"`: a stand-in for the `fetch` that delivers batches, which posts each as OTLP/HTTP JSON. A chunk of its own.
 * May touch: the network, by the `fetch` that it is given. When to send, what, and whether to try again is decided where it
 * is for JSON; here a batch only becomes several requests, of which the answer is one.
 *
 * A span cannot be corrected as a turn in a batch can. So what was acknowledged is not sent again: a later revision of an
 * ended turn sends the events that are new.
 */
import { type Browser, bodyOf, type Item, logsOf, spansOf } from "./otlp.js";
import type { Batch } from "./types.js";

/** Bytes of one request: all that are sent while a page is left share 64 KiB. */
const BYTES = 15 * 1024;
/** Items remembered as told. */
const TOLD = 2000;
/** What the engine is to hear of: the statuses after which OTLP allows another try, and what is to be sent in parts. */
const HEARD = [429, 502, 503, 504, 413];

/** Where a collector's base address takes each kind. */
export const addressOf = (base: string, kind: string): string => `${base.replace(/\/*$/, "")}/v1/${kind}`;

const size = (text: string): number => new TextEncoder().encode(text).length;

/** The items in requests that are not too large; one that is too large by itself goes alone. */
const split = (items: Item[], overhead: number): Item[][] => {
  const parts: Item[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const length = size(JSON.stringify(item.data)) + 1;
    bytes += length;
    if (bytes > BYTES) {
      parts.push([]);
      bytes = overhead + length;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
};

/** A `fetch` for batches. Its answer has the status that counts for all requests that came of one; it rejects if one failed. */
export const exporter = (native: typeof fetch): typeof fetch => {
  let told: string[] = [];
  const tell = (items: Item[]) => {
    told = [...told, ...items.map(({ key }) => key)].slice(-TOLD);
  };
  const isNew = ({ key, turn, isFinal }: Item) => !told.includes(key) && (isFinal || !told.includes(`${turn} -1`));
  const browser = (globalThis.navigator as { userAgentData?: Browser } | undefined)?.userAgentData;

  return async (base, init = {}) => {
    const batch = JSON.parse(`${init.body}`) as Batch;
    const headers = { ...(init.headers as Record<string, string>), "content-type": "application/json" };
    const post = async (kind: "traces" | "logs", items: Item[]): Promise<Response> => {
      const how = { ...init, headers, body: bodyOf(kind, batch, items, browser) };
      const url = addressOf(`${base}`, kind);
      // The page that is left hears no answer.
      if (init.keepalive) tell(items);
      const send = native(url, how);
      // Others may hold all that may be on its way; without `keepalive` it has a chance.
      const response = await (init.keepalive ? send.catch(() => native(url, { ...how, keepalive: false })) : send);
      // Unread, it would keep its share of what may be on its way.
      await response.text();
      if (response.ok) tell(items);
      return response;
    };
    const posts = (["traces", "logs"] as const).flatMap((kind) => {
      const items = (kind === "traces" ? spansOf : logsOf)(batch).filter(isNew);
      const overhead = size(bodyOf(kind, batch, [], browser));
      return split(items, overhead).map((part) => post(kind, part));
    });
    const ends = await Promise.allSettled(posts);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    const answers = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    // Whatever else it is, another try must not be made.
    const heard = HEARD.flatMap((status) => answers.filter((answer) => answer.status === status))[0];
    return new Response(null, heard && { status: heard.status, headers: heard.headers });
  };
};
