/**
 * Door `chat-vitals/overlay`: a development panel, the last turns as live timelines.
 * May touch: one element of its own at the end of `<body>`, drawn in a shadow root.
 */
import type { Milestone, Turn, Vitals } from "../types.js";
import { STYLE } from "./style.js";

/** Turns shown. */
const TURNS = 5;

/** What a bar is made of: each part reaches to its milestone. */
const PARTS: [to: Milestone, name: string][] = [
  ["firstFeedback", "silence"],
  ["firstVisibleToken", "waiting"],
  ["firstUsefulContent", "not useful yet"],
  ["finalRender", "useful"],
];

const element = (tag: string, className: string, text = ""): HTMLElement => {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
};

const milliseconds = (time: number): string =>
  time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(2)} s`;

/** The bar of one turn; `scale` is the longest time shown. */
const bar = ({ timings }: Turn, scale: number): HTMLElement => {
  const row = element("div", "bar");
  let from = 0;
  PARTS.forEach(([to, name], index) => {
    const until = timings[to];
    if (until === undefined) return;
    const part = element("i", `part-${index}`);
    part.style.left = `${(from / scale) * 100}%`;
    part.style.width = `${(Math.max(0, until - from) / scale) * 100}%`;
    part.title = `${name}: ${milliseconds(until - from)}`;
    row.append(part);
    from = Math.max(from, until);
  });
  return row;
};

/** All that was reached, in order of time. */
const list = ({ timings, methods }: Turn): HTMLElement => {
  const made = element("dl", "timings");
  const reached = Object.entries(timings).sort(([, a], [, b]) => a - b) as [Milestone, number][];
  for (const [name, time] of reached) {
    made.append(
      element("dt", "", name),
      element("dd", "", milliseconds(time)),
      element("dd", "by", methods[name] ?? ""),
    );
  }
  return made;
};

const card = (turn: Turn, scale: number, isOpen: boolean): HTMLElement => {
  const made = element("details", "turn") as HTMLDetailsElement;
  made.open = isOpen;
  made.dataset.id = turn.id;
  const head = element("summary", "");
  const [request] = turn.requests;
  const title = [turn.trigger, request?.format, request?.model].filter(Boolean).join(" · ");
  head.append(element("b", "", turn.outcome), element("span", "", title), bar(turn, scale));
  made.append(head, list(turn));
  if (turn.flags.length) made.append(element("p", "by", turn.flags.join(", ")));
  return made;
};

const longest = (turns: Turn[]): number => Math.max(1, ...turns.flatMap(({ timings }) => Object.values(timings)));

/** Shows the panel for `vitals`. Returns a function that takes it away. */
export const overlay = (vitals: Vitals): (() => void) => {
  if (typeof document === "undefined") return () => {};
  const host = document.createElement("chat-vitals-overlay");
  const root = host.attachShadow({ mode: "open" });
  const panel = element("section", "panel");
  panel.setAttribute("aria-label", "Chat vitals");
  const state = element("header", "", "chat-vitals: starting");
  const turns = new Map<string, Turn>();
  const body = element("div", "turns");
  panel.append(state, body);
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.append(style, panel);
  document.body.append(host);
  void vitals.ready.then((mode) => {
    state.textContent = `chat-vitals: ${mode}`;
  });

  let frame = 0;
  const draw = () => {
    frame = 0;
    const open = new Set([...body.querySelectorAll<HTMLElement>("[open]")].map(({ dataset }) => dataset.id));
    const shown = [...turns.values()].slice(-TURNS).reverse();
    body.replaceChildren(...shown.map((turn) => card(turn, longest(shown), open.has(turn.id))));
  };
  const end = vitals.onTurn(
    (turn) => {
      turns.set(turn.id, turn);
      const [oldest] = turns.keys();
      if (turns.size > TURNS && oldest !== undefined) turns.delete(oldest);
      frame ||= requestAnimationFrame(draw);
    },
    { updates: true },
  );
  return () => {
    end();
    cancelAnimationFrame(frame);
    host.remove();
  };
};
