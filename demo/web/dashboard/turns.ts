// The last turns. Each is one card with its waterfall; cards of turns that did not change stay as they are,
// and what the reader has opened stays open through live updates.

import { h } from "../shared/dom";
import type { Turn, Waits } from "./api";
import { milliseconds, roundAxis } from "./format";
import { nameOf, outcomeNames, phaseNames } from "./names";
import { serverSpans, waterfall, type Frame } from "./waterfall";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

interface Card {
  /** What it shows; another version is drawn anew. */
  version: string;
  element: HTMLElement;
}

export class TurnList {
  #cards = new Map<string, Card>();

  constructor(private readonly list: HTMLElement) {}

  draw(turns: Turn[], waits: Map<string, Waits>): void {
    const frame = { ...axisOf(turns), width: this.list.clientWidth - 80 };
    const before = this.#cards;
    this.#cards = new Map(turns.map((turn) => [turn.id, update(before.get(turn.id), turn, waits.get(turn.id), frame)]));
    this.#place([...this.#cards.values()].map(({ element }) => element));
  }

  /** Moves only what is not yet in its place: a moved element would lose the focus. */
  #place(wanted: HTMLElement[]): void {
    for (const stale of [...this.list.children]) if (!wanted.includes(stale as HTMLElement)) stale.remove();
    wanted.forEach((element, index) => {
      const there = this.list.children[index] ?? null;
      if (there !== element) this.list.insertBefore(element, there);
    });
  }
}

function update(old: Card | undefined, turn: Turn, waits: Waits | undefined, frame: Frame): Card {
  const version = [turn.revision, turn.server.length, frame.scale].join(" ");
  if (old?.version === version) return old;
  const element = card(turn, waits, frame);
  if (old?.element.querySelector("details[open]")) element.querySelector("details")?.setAttribute("open", "");
  return { version, element };
}

/** One axis for all, so that bars compare; a few very long turns run over its end. */
function axisOf(turns: Turn[]): Pick<Frame, "scale" | "step"> {
  const durations = turns.map(({ duration }) => duration).sort((a, b) => a - b);
  const { step, end } = roundAxis(durations[Math.floor((durations.length - 1) * 0.85)] ?? 1000);
  return { step, scale: end };
}

function card(turn: Turn, waits: Waits | undefined, frame: Frame): HTMLElement {
  const started = new Date(turn.startedAt);
  const about = [
    turn.trigger !== "submit" && turn.trigger,
    turn.format,
    turn.model,
    turn.route,
    ...turn.variants,
  ].filter((part) => !!part);
  return h(
    "li",
    { class: "card turn" },
    h(
      "div",
      { class: "turn-head" },
      h("h3", {}, h("time", { datetime: started.toISOString() }, clock.format(started))),
      h("span", { class: `badge ${turn.outcome}` }, outcomeNames[turn.outcome] ?? turn.outcome),
      h("span", { class: "about" }, about.join(" · ")),
      h(
        "span",
        { class: "duration" },
        milliseconds(turn.duration),
        turn.duration > frame.scale && " (beyond the axis)",
      ),
    ),
    h(
      "div",
      { class: "rows" },
      h("div", { class: "row-names", "aria-hidden": "true" }, h("span", {}, "User"), h("span", {}, "Server")),
      waterfall(turn, waits, frame),
    ),
    notes(turn, waits),
    h(
      "details",
      {},
      h("summary", {}, "All numbers", h("span", { class: "sr-only" }, ` of the turn at ${clock.format(started)}`)),
      numbers(turn),
    ),
  );
}

/** Waits, actions and flags that the bars can't show. */
function notes(turn: Turn, waits: Waits | undefined): HTMLElement | null {
  const wait = (name: string, found?: { count: number; total: number; max: number }) =>
    found?.count
      ? [
          h(
            "li",
            { class: "warn" },
            `${found.count} × ${name}, ${milliseconds(found.total)} in all, longest ${milliseconds(found.max)}`,
          ),
        ]
      : [];
  const items = [
    ...(turn.outcome === "completed" || !turn.phase ? [] : [h("li", {}, phaseNames[turn.phase] ?? turn.phase)]),
    ...wait("silent wait", waits?.silent),
    ...wait("stall", waits?.stalls),
    ...turn.actions
      .filter(({ type }) => type !== "submit")
      .map(({ type, at }) => h("li", {}, `${type} at ${milliseconds(at)}`)),
    ...turn.flags.map((flag) => h("li", {}, `flag: ${flag}`)),
  ];
  return items.length ? h("ul", { class: "notes" }, ...items) : null;
}

function numbers(turn: Turn): HTMLElement {
  const row = (name: string, from: string, took: string) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", { class: "number" }, from),
      h("td", { class: "number" }, took),
    );
  const requests = turn.requests.map(
    ({ requestId, status, end }) => `${requestId ?? "no request id"}, status ${status ?? "none"}, ${end ?? "open"}`,
  );
  return h(
    "div",
    { class: "numbers" },
    h(
      "table",
      {},
      h("caption", { class: "sr-only" }, "Milestones and server phases"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "What"),
          h("th", { scope: "col", class: "number" }, "At"),
          h("th", { scope: "col", class: "number" }, "Took"),
        ),
      ),
      h(
        "tbody",
        {},
        ...turn.milestones.map(({ name, at }) =>
          row(nameOf(name) === name ? spaced(name) : nameOf(name), milliseconds(at), "–"),
        ),
        ...turn.server.flatMap((server) =>
          serverSpans(server).map(({ label, from, to }) =>
            row(`Server: ${label}`, milliseconds(from), milliseconds(to - from)),
          ),
        ),
      ),
    ),
    h("p", { class: "ids" }, `Request: ${requests.join("; ") || "none"}`),
  );
}

/** `firstChunk` as "First chunk". */
function spaced(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
