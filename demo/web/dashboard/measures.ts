// All measures with their percentiles. What too few turns can't carry is marked, not hidden.

import { h } from "../shared/dom";
import type { Measure } from "./api";
import { quantity } from "./format";
import { meaningOf, nameOf } from "./names";

export const percentiles = ["p50", "p75", "p95", "p99"] as const;
type Percentile = (typeof percentiles)[number];

/** Two bodies of rows: what the user sees, and what the network did. */
export function measureRows(measures: Measure[]): HTMLElement[] {
  const part = (title: string, rows: Measure[]) =>
    h("tbody", {}, h("tr", { class: "part" }, h("th", { scope: "rowgroup", colspan: 6 }, title)), ...rows.map(row));
  return [
    part(
      "What the user sees",
      measures.filter(({ visible }) => visible),
    ),
    part(
      "Underneath: page and network",
      measures.filter(({ visible }) => !visible),
    ),
  ];
}

function row(measure: Measure): HTMLElement {
  const heading = h(
    "th",
    { scope: "row" },
    nameOf(measure.name),
    h("span", { class: "meaning" }, meaningOf(measure.name)),
  );
  return h("tr", { class: measure.count ? null : "empty" }, heading, ...cells(measure));
}

/** Count and percentiles; a percentile from too few turns is set back and explained. */
export function cells(measure: Measure): HTMLElement[] {
  const cell = (name: Percentile) => {
    const weak = tooFew(measure, name);
    const note = weak && h("span", { class: "sr-only" }, " (too few turns)");
    return h(
      "td",
      { class: `number ${weak ? "weak" : ""}`, title: weak && measure.warning },
      quantity(measure[name], measure.unit),
      note,
    );
  };
  return [h("td", { class: "number count" }, String(measure.count)), ...percentiles.map(cell)];
}

/** The rule of the server's warnings: p95 needs 20 turns, p99 needs 100. */
function tooFew({ count, warning }: Measure, name: Percentile): boolean {
  if (!warning || count === 0) return false;
  return (name === "p95" && count < 20) || (name === "p99" && count < 100);
}
