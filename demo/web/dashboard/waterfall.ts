// One turn as a waterfall: the user's wait above, the server's own phases below, on one time axis.
// Drawn in percent of the width, so that text keeps its size on every screen.

import { svg } from "../shared/dom";
import type { ServerTurn, Turn, Waits } from "./api";
import { milliseconds } from "./format";

const row = 22;
const gap = 8;
const axisHeight = 18;

export interface Span {
  kind: string;
  label: string;
  from: number;
  to: number;
}

/** What the user lived through, from milestone to milestone. */
export function userSpans(turn: Turn): Span[] {
  const at = new Map(turn.milestones.map(({ name, at }) => [name, at]));
  const end = Math.max(turn.duration, 0);
  const states: [kind: string, label: string, from: number | undefined][] = [
    ["nothing", "no feedback", 0],
    ["waiting", "waiting", at.get("firstFeedback")],
    ["reasoning", "reasoning", at.get("firstReasoning")],
    ["token", "text", at.get("firstVisibleToken")],
    ["useful", "useful text", at.get("firstUsefulContent")],
    ["after", "done", at.get("finalRender")],
  ];
  const reached = states.filter(
    (state): state is [string, string, number] => state[2] !== undefined && state[2] <= end,
  );
  // A state that comes before an earlier one ended (feedback that is already text) takes no room.
  const spans = reached.map(([kind, label, from], index) => {
    const next = reached.slice(index + 1).map(([, , start]) => start);
    return { kind, label, from, to: Math.max(from, Math.min(end, ...next)) };
  });
  return spans.filter(({ kind, from, to }) => to > from && kind !== "after");
}

export function serverSpans({ offset, phases }: ServerTurn): Span[] {
  return phases.map(({ name, start, duration }) => ({
    kind: `server ${name}`,
    label: name,
    from: offset + start,
    to: offset + start + duration,
  }));
}

export interface Frame {
  /** What the right end stands for, in ms. */
  scale: number;
  /** From tick to tick, in ms. */
  step: number;
  /** Roughly how wide it will be, in px: decides which bars have room for their label. */
  width: number;
}

export function waterfall(turn: Turn, waits: Waits | undefined, frame: Frame): SVGSVGElement {
  const { scale } = frame;
  const id = `turn-${turn.id}`;
  const height = 2 * row + gap + axisHeight;
  const x = (time: number) => `${Math.min(100, Math.max(0, (time / scale) * 100)).toFixed(3)}%`;
  return svg(
    "svg",
    { class: "waterfall", width: "100%", height, role: "img", "aria-labelledby": `${id}-t ${id}-d` },
    svg("title", { id: `${id}-t` }, "Waterfall of the turn"),
    svg("desc", { id: `${id}-d` }, describe(turn, waits)),
    ...grid(frame, x, height),
    ...userSpans(turn).map((span) => bar(span, 0, x, frame)),
    ...turn.server.flatMap((server) => serverSpans(server).map((span) => bar(span, row + gap, x, frame))),
    ...(turn.server.length === 0
      ? [svg("text", { class: "none", x: 2, y: row + gap + 15 }, "no record of the server")]
      : []),
    ...turn.actions.filter(({ type }) => type !== "submit").map(({ at }) => action(at, x)),
  );
}

function bar(
  { kind, label, from, to }: Span,
  y: number,
  x: (time: number) => string,
  { scale, width: total }: Frame,
): SVGElement {
  if (from >= scale) return svg("g");
  const share = (Math.min(to, scale) - from) / scale;
  const width = `${(share * 100).toFixed(3)}%`;
  // Without feedback for over a second the wait is silent by definition.
  const silent = kind === "nothing" && to - from > 1000 ? " silent" : "";
  return svg(
    "g",
    { class: `span ${kind}${silent}` },
    svg("title", {}, `${label}: ${milliseconds(to - from)}, from ${milliseconds(from)}`),
    svg("rect", { x: x(from), y, width, height: row, rx: 3 }),
    share * total > label.length * 6.5 + 8 &&
      svg("svg", { x: x(from), y, width, height: row }, svg("text", { x: 6, y: 15 }, label)),
  );
}

function grid({ scale, step }: Frame, x: (time: number) => string, height: number): SVGElement[] {
  const count = Math.round(scale / step);
  return Array.from({ length: count + 1 }, (_, index) => {
    const anchor = index === 0 ? "start" : index === count ? "end" : "middle";
    return svg(
      "g",
      { class: "grid" },
      svg("line", { x1: x(index * step), x2: x(index * step), y1: 0, y2: height - axisHeight + 4 }),
      svg("text", { x: x(index * step), y: height - 3, "text-anchor": anchor }, index ? tickLabel(index * step) : "0"),
    );
  });
}

function tickLabel(time: number): string {
  return time < 1000 ? `${Math.round(time)} ms` : `${Number((time / 1000).toFixed(2))} s`;
}

function action(at: number, x: (time: number) => string): SVGElement {
  return svg("line", { class: "action", x1: x(at), x2: x(at), y1: -2, y2: row + 2 });
}

function describe(turn: Turn, waits: Waits | undefined): string {
  const said = userSpans(turn).map(({ label, from, to }) => `${label} ${milliseconds(from)} to ${milliseconds(to)}`);
  const silent = waits?.silent?.count ? `; silent for ${milliseconds(waits.silent.total)} in all` : "";
  return `${said.join(", ")}${silent}. The table below has all numbers.`;
}
