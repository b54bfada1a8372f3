// Segments side by side for one measure: a table, and distributions on one axis.

import { h } from "../shared/dom";
import type { Group, Measure } from "./api";
import { percent } from "./format";
import { binTable, commonAxis, histogram } from "./histogram";
import { cells, percentiles } from "./measures";
import { nameOf } from "./names";
import { bar, interval } from "./shares";

export function comparison(groups: Group[], measure: string): HTMLElement[] {
  const of = (group: Group) => group.measures.find(({ name }) => name === measure);
  return [table(groups, measure, of), plots(groups, measure, of)];
}

type Pick = (group: Group) => Measure | undefined;

function table(groups: Group[], measure: string, of: Pick): HTMLElement {
  const headings = ["Segment", "Turns", "Counted", ...percentiles];
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Comparison of segments" },
    h(
      "table",
      { class: "compare" },
      h("caption", { class: "sr-only" }, `${nameOf(measure)} and abandonment by segment`),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...headings.map((text, index) => h("th", { scope: "col", class: index ? "number" : null }, text)),
          h("th", { scope: "col" }, "Abandoned"),
        ),
      ),
      h("tbody", {}, ...groups.map((group) => row(group, of(group)))),
    ),
  );
}

function row(group: Group, measure: Measure | undefined): HTMLElement {
  const left = group.rates["abandoned"];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, segmentName(group)),
    h("td", { class: "number" }, String(group.turns)),
    ...(measure ? cells(measure) : []),
    h(
      "td",
      { class: "interval" },
      left && bar(left),
      left && h("span", { class: "range" }, `${percent(left.share)} (${interval(left)})`),
    ),
  );
}

function plots(groups: Group[], measure: string, of: Pick): HTMLElement {
  const drawn = groups.flatMap((group) => {
    const found = of(group);
    return found?.bins.length ? [{ group, found }] : [];
  });
  const axis = commonAxis(drawn.map(({ found }) => found));
  const figure = ({ group, found }: { group: Group; found: Measure }) => {
    const title = `${nameOf(measure)}, ${segmentName(group)}`;
    return h(
      "figure",
      { class: "card" },
      h("figcaption", {}, segmentName(group)),
      axis && histogram(title, found, axis),
      h("div", { class: "sr-only" }, binTable(title, found)),
    );
  };
  return h("div", { class: "plots side-by-side" }, ...drawn.map(figure));
}

/** A turn without the segment has no key; a variant's key names its experiment too. */
function segmentName({ key }: Group): string {
  return key?.replace(":", ": ").replace("/c/: id", "/c/:id") ?? "not known";
}
