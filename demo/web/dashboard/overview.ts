// The figures to see first: three waits and the share of users who left.

import { h } from "../shared/dom";
import type { Group } from "./api";
import { percent, plural, quantity } from "./format";
import { meaningOf, nameOf } from "./names";
import { interval } from "./shares";

const headline = ["firstVisibleToken", "firstUsefulContent", "finalRender"];

export function overview(group: Group): HTMLElement[] {
  const tiles = headline.flatMap((name) => {
    const measure = group.measures.find((candidate) => candidate.name === name);
    if (!measure) return [];
    const rest = measure.count
      ? `p95 ${quantity(measure.p95, measure.unit)}, ${plural(measure.count, "turn")}`
      : "not seen yet";
    return [tile(nameOf(name), quantity(measure.p50, measure.unit), rest, `Median, ${meaningOf(name)}`)];
  });
  const left = group.rates["abandoned"];
  if (left)
    tiles.push(
      tile(
        "Abandoned",
        percent(left.share),
        `${interval(left)}, ${left.count} of ${left.n}`,
        "Left before the answer was complete",
      ),
    );
  return tiles;
}

export function excluded({ excluded: { count, share, hidden, clockGap } }: Group): string {
  if (!count) return "No turn is excluded from the visible measures.";
  const reasons = [hidden && `${hidden} hidden while waiting`, clockGap && `${clockGap} with a clock gap`].filter(
    Boolean,
  );
  return `${plural(count, "turn")} (${percent(share)}) excluded from the visible measures: ${reasons.join(", ")}.`;
}

function tile(name: string, value: string, rest: string, title: string): HTMLElement {
  return h(
    "div",
    { class: "tile" },
    h("dt", { title }, name),
    h("dd", { class: "value" }, value),
    h("dd", { class: "rest" }, rest),
  );
}
