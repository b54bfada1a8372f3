// Shares as bars, each with its Wilson interval: a small sample shows as a long whisker.

import { h } from "../shared/dom";
import type { Rate } from "./api";
import { percent } from "./format";

export function shareTable(caption: string, first: string, rows: [name: string, rate: Rate][]): HTMLElement {
  return h(
    "table",
    { class: "shares" },
    h("caption", { class: "sr-only" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, first),
        h("th", { scope: "col", class: "number" }, "Turns"),
        h("th", { scope: "col", class: "number" }, "Share"),
        h("th", { scope: "col" }, "95 % interval"),
      ),
    ),
    h("tbody", {}, ...rows.map(([name, rate]) => row(name, rate))),
  );
}

function row(name: string, rate: Rate): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", { class: "number" }, String(rate.count)),
    h("td", { class: "number" }, percent(rate.share)),
    h("td", { class: "interval" }, bar(rate), h("span", { class: "range" }, interval(rate))),
  );
}

/** The bar is the share, the whisker its interval. */
export function bar({ share, low, high }: Rate): HTMLElement {
  return h(
    "span",
    { class: "track", "aria-hidden": "true" },
    h("span", { class: "fill", style: `width:${share * 100}%` }),
    h("span", { class: "whisker", style: `left:${low * 100}%;width:${(high - low) * 100}%` }),
  );
}

export function interval({ low, high }: Rate): string {
  return `${percent(low)} to ${percent(high)}`;
}
