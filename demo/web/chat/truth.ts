// Ground truth for tests (`?truth=1`): the page's own record of when things happened, made without the SDK.
//
//   window.__truth = {
//     submit        timeStamp of the trusted key or click that started the turn
//     requestSent   performance.now() right before the request
//     firstChunk    performance.now() when the page's reader got the first non-empty chunk
//     lastChunk     … the last non-empty chunk
//     paints        [{ what, time, length }], in order of presentation
//   }
//
// All on the page's `performance.now()` clock, in milliseconds; one object per turn, replaced at the next submit.
// `what` is echo | status | reasoning | text | final; `length` is the number of characters of the answer (for the
// others: of that element) that were drawn when the frame was presented. `final` repeats the paint of the last drawn text.
//
// How: Element Timing. The page puts `elementtiming` on its own blocks in the task that draws them, and every redraw of the
// answer makes new blocks, so every presented frame yields an entry (Chromium only). Nothing else in the page changes.
// A block that is replaced before its frame has been reported yields none: leave some frames (50 ms do) between the texts
// of a scenario whose paints are to be compared.

export interface Paint {
  what: "echo" | "status" | "reasoning" | "text" | "final";
  time: number;
  length: number;
}

export interface Truth {
  submit: number;
  requestSent: number | null;
  firstChunk: number | null;
  lastChunk: number | null;
  paints: Paint[];
}

interface Draw {
  truth: Truth;
  what: Paint["what"];
  length: number;
  painted: boolean;
}

interface ElementTimingEntry extends PerformanceEntry {
  identifier: string;
  element: Element | null;
  renderTime: number;
  presentationTime?: number;
}

declare global {
  interface Window {
    __truth?: Truth;
  }
}

const blocks = "p, li, h1, h2, h3, h4, h5, h6, pre, td, th, blockquote, dt, dd";

/** `null` unless the address asks for it, so that an ordinary page does nothing of this. */
export function groundTruth(enabled: boolean): GroundTruth | null {
  return enabled ? new GroundTruth() : null;
}

export class GroundTruth {
  #truth: Truth | null = null;
  #total: number | null = null;
  #lastInput = 0;
  #draws = new Map<string, Draw>();
  #byElement = new WeakMap<Element, Draw>();
  #count = 0;

  constructor() {
    const onInput = ({ isTrusted, timeStamp }: Event) => {
      if (isTrusted) this.#lastInput = timeStamp;
    };
    for (const type of ["keydown", "click"]) addEventListener(type, onInput, { capture: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#onEntry(entry as ElementTimingEntry);
    }).observe({ type: "element", buffered: true });
  }

  begin(): void {
    this.#truth = { submit: this.#lastInput, requestSent: null, firstChunk: null, lastChunk: null, paints: [] };
    this.#total = null;
    window.__truth = this.#truth;
  }

  requestSent(): void {
    if (this.#truth) this.#truth.requestSent = performance.now();
  }

  chunk(time: number): void {
    if (!this.#truth) return;
    this.#truth.firstChunk ??= time;
    this.#truth.lastChunk = time;
  }

  /** To be called in the task that changed `root`, so that the frame that shows it finds the attributes. */
  drawn(what: Paint["what"], root: Element, length: number): void {
    const truth = this.#truth;
    if (!truth) return;
    const draw: Draw = { truth, what, length, painted: false };
    const inside = [...root.querySelectorAll(blocks)];
    for (const element of inside.length ? inside : [root]) this.#mark(element, draw);
  }

  /** The answer is complete with this many characters; its paint is the final one, before or after this call. */
  finished(length: number): void {
    this.#total = length;
    const last = this.#truth?.paints.findLast((paint) => paint.what === "text");
    if (last?.length === length) this.#truth?.paints.push({ ...last, what: "final" });
  }

  #mark(element: Element, draw: Draw): void {
    const name = `truth-${++this.#count}`;
    element.setAttribute("elementtiming", name);
    this.#draws.set(name, draw);
    this.#byElement.set(element, draw);
    // Others may rename the element before the frame; by then it is known which name the entry will carry.
    requestAnimationFrame(() => {
      const actual = element.getAttribute("elementtiming");
      if (actual && element.isConnected) this.#draws.set(actual, draw);
    });
  }

  #onEntry(entry: ElementTimingEntry): void {
    const draw = this.#draws.get(entry.identifier) ?? (entry.element && this.#byElement.get(entry.element));
    if (!draw || draw.painted) return;
    draw.painted = true;
    const paint = { what: draw.what, time: entry.presentationTime ?? entry.renderTime, length: draw.length };
    draw.truth.paints.push(paint);
    const last = draw.truth === this.#truth && draw.what === "text" && draw.length === this.#total;
    if (last) draw.truth.paints.push({ ...paint, what: "final" });
  }
}
