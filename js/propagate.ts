/**
 * `propagate`: the headers that join a request to the server's trace and logs. A chunk of its own, loaded only for that option.
 * May touch: the arguments of a `fetch` that the option names. The request is not rebuilt: body, signal and all else reach the
 * browser as the page gave them, only `headers` is another list. Where that can't be had without a trace in the page, nothing
 * is added.
 */
import { SENT, type Sink } from "./engine.js";
import { isInSample } from "./sample.js";
import { now } from "./tap/flow.js";
import type { Tap } from "./tap/tap.js";
import type { Options } from "./types.js";

/** Options of a `fetch` that a request is made anew of; others change nothing of it. */
const SAID =
  /^(method|headers|body|referrer|referrerPolicy|mode|credentials|cache|redirect|integrity|keepalive|signal|duplex|priority|window|targetAddressSpace)$/;
/** Consents under which ids may go along. */
const IDS = /^(correlate|store)$/;

const hex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What can be copied without asking the page: no class of its own, no getters. */
const isPlain = (object: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(object)) &&
  Object.values(Object.getOwnPropertyDescriptors(object)).every((own) => "value" in own);

const isText = (value: unknown): boolean => typeof value === "string";

/** A copy of headers that can be read without asking the page. What the browser would refuse throws here as well. */
const copyOf = (headers: unknown): Headers | undefined => {
  if (headers === undefined || headers instanceof Headers) return new Headers(headers);
  if (Array.isArray(headers)) {
    const areTexts = headers.every((pair) => Array.isArray(pair) && pair.every(isText));
    return areTexts ? new Headers(headers as [string, string][]) : undefined;
  }
  if (typeof headers !== "object" || !headers || !isPlain(headers)) return undefined;
  return Object.values(headers).every(isText) ? new Headers(headers as Record<string, string>) : undefined;
};

export const propagator = (options: Options, session: string, sink: Sink): NonNullable<Tap["propagate"]> => {
  const { to = [], headers: names = [] } = options.propagate ?? {};
  const flags = isInSample(session, options) ? "03" : "02";
  const isNamed = ({ origin }: URL): boolean =>
    to.some((one) =>
      typeof one === "string" ? new URL(one, document.baseURI).origin === origin : origin.search(one) >= 0,
    );

  /** The page's arguments with the headers added, and what is to be told of them. */
  const add = ([input, init, ...rest]: unknown[]): { args: unknown[]; told: string[] } | undefined => {
    if (init !== undefined && (typeof init !== "object" || !init || !isPlain(init))) return undefined;
    const request = input instanceof Request ? input : undefined;
    const said = (init ?? {}) as RequestInit;
    const headers = copyOf(said.headers === undefined ? request?.headers : said.headers);
    // Without CORS only harmless headers go out, and none of these.
    if (!headers || (said.mode ?? request?.mode) === "no-cors") return undefined;
    const told: string[] = [];
    let isAdded = false;
    for (const name of names) {
      const isTrace = name.toLowerCase() === "traceparent";
      const there = headers.get(name);
      const value = there ?? (isTrace ? `00-${hex(16)}-${hex(8)}-${flags}` : (crypto.randomUUID?.() ?? hex(16)));
      told.push(`${isTrace && there ? "own" : name.toLowerCase()} ${value}`);
      if (there !== null) continue;
      headers.set(name, value);
      isAdded = true;
    }
    if (!isAdded) return { args: [input, init, ...rest], told };
    // Any option at all makes a request forget where it was to say that it comes from.
    const isSaid = Object.entries(said).some(([name, value]) => SAID.test(name) && value !== undefined);
    const { referrer, referrerPolicy } = request ?? {};
    const kept = request && !isSaid ? { referrer, referrerPolicy } : {};
    const own = Object.getOwnPropertyDescriptors({ ...kept, headers });
    const changed = Object.create(Object.getPrototypeOf(said), { ...Object.getOwnPropertyDescriptors(said), ...own });
    return { args: [input, changed, ...rest], told };
  };

  return (args, url) => {
    try {
      if (!IDS.test(options.consent ?? "correlate") || !isNamed(new URL(url))) return undefined;
      const added = add(args);
      if (!added) return undefined;
      const tell = (id: number) => {
        for (const text of added.told) sink.command(SENT, now(), id, text);
      };
      return { args: added.args, tell };
    } catch {
      // What is wrong with the call is for the browser to say, in its own words.
      return undefined;
    }
  };
};
