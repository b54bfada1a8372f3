// The distribution of one measure: an SVG of bars on a logarithmic axis, with its numbers as a table for those who can't see it.

import { h, svg } from "../shared/dom";
import type { Bin, Measure } from "./api";
import { milliseconds, plural, quantity } from "./format";

const width = 360;
const height = 132;
const floor = height - 22;
const top = 16;

export interface Axis {
  from: number;
  to: number;
}

/** The axis that holds all of these; at least a decade, so that a narrow distribution looks narrow. */
export function commonAxis(measures: Measure[]): Axis | null {
  const bins = measures.flatMap((measure) => measure.bins);
  if (!bins.length) return null;
  const from = Math.min(...bins.map((bin) => bin.from));
  const to = Math.max(...bins.map((bin) => bin.to));
  const missing = Math.max(0, 1 - Math.log10(to / from)) / 2;
  return { from: from / 10 ** missing, to: to * 10 ** missing };
}

export function histogram(title: string, measure: Measure, axis: Axis): SVGSVGElement {
  const x = scale(axis);
  const highest = Math.max(...measure.bins.map((bin) => bin.count));
  const bars = measure.bins.map((bin) => bar(bin, x, (bin.count / highest) * (floor - top)));
  const id = `plot-${crypto.randomUUID().slice(0, 8)}`;
  return svg(
    "svg",
    { class: "histogram", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": `${id}-t ${id}-d` },
    svg("title", { id: `${id}-t` }, `Distribution of ${title}`),
    svg("desc", { id: `${id}-d` }, describe(measure)),
    ...ticks(axis).map((value) => tick(value, x(value))),
    svg("line", { class: "axis", x1: 0, x2: width, y1: floor, y2: floor }),
    ...bars,
    marker("p50", measure.p50, x),
    marker("p95", measure.p95, x),
  );
}

/** The same numbers, for screen readers and for whoever wants them exact. */
export function binTable(title: string, { bins }: Measure): HTMLElement {
  const row = ({ from, to, count }: Bin) =>
    h("tr", {}, h("th", { scope: "row" }, `${milliseconds(from)} to ${milliseconds(to)}`), h("td", {}, String(count)));
  return h(
    "table",
    {},
    h("caption", { class: "sr-only" }, `Turns by ${title}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Range"), h("th", { scope: "col" }, "Turns"))),
    h("tbody", {}, ...bins.filter((bin) => bin.count > 0).map(row)),
  );
}

function scale({ from, to }: Axis): (value: number) => number {
  const start = Math.log10(from);
  const span = Math.log10(to) - start;
  return (value) => ((Math.log10(value) - start) / span) * width;
}

function bar(bin: Bin, x: (value: number) => number, tall: number): SVGElement {
  const left = x(bin.from);
  const wide = Math.max(1, x(bin.to) - left - 1.5);
  return svg("rect", { class: "bar", x: left, y: floor - tall, width: wide, height: tall, rx: 1.5 });
}

function ticks({ from, to }: Axis): number[] {
  const decades = Array.from({ length: 14 }, (_, index) => 10 ** (index - 4));
  const fine = Math.log10(to / from) < 2 ? [1, 2, 5] : [1];
  return decades
    .flatMap((decade) => fine.map((factor) => factor * decade))
    .filter((value) => value >= from && value <= to);
}

function tick(value: number, at: number): SVGElement {
  const anchor = at < 24 ? "start" : at > width - 24 ? "end" : "middle";
  return svg(
    "g",
    { class: "tick" },
    svg("line", { x1: at, x2: at, y1: top, y2: floor }),
    svg("text", { x: at, y: height - 6, "text-anchor": anchor }, value < 1000 ? `${value} ms` : `${value / 1000} s`),
  );
}

function marker(name: string, value: number | undefined, x: (value: number) => number): SVGElement {
  if (!value) return svg("g");
  const at = Math.min(width, Math.max(0, x(value)));
  const anchor = at > width - 30 ? "end" : at < 30 ? "start" : "middle";
  return svg(
    "g",
    { class: "marker" },
    svg("line", { x1: at, x2: at, y1: top - 2, y2: floor }),
    svg("text", { x: at, y: 10, "text-anchor": anchor }, name),
  );
}

function describe(measure: Measure): string {
  const of = (value: number | undefined) => quantity(value, measure.unit);
  return `${plural(measure.count, "turn")}. Half are below ${of(measure.p50)}, 95 % below ${of(measure.p95)}. Logarithmic axis.`;
}
