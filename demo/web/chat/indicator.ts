// What the page shows while nothing of the answer is there yet. One of four kinds, which an experiment compares.

import { h } from "../shared/dom";
import type { IndicatorName } from "./settings";

export interface Indicator {
  element: HTMLElement;
  /** Names the current step; only the kind `steps` shows it. */
  step(name: string): void;
}

export function createIndicator(kind: IndicatorName): Indicator {
  return { none, spinner, steps, skeleton }[kind]();
}

function none(): Indicator {
  return { element: h("div", { class: "progress", hidden: true }), step() {} };
}

function spinner(): Indicator {
  const dot = () => h("span", { class: "dot", "aria-hidden": "true" });
  return {
    element: h("div", { class: "progress spinner", "aria-label": "Waiting", role: "img" }, dot(), dot(), dot()),
    step() {},
  };
}

function steps(): Indicator {
  const label = h("span", { class: "step" }, "Sending your question");
  const element = h("div", { class: "progress steps" }, h("span", { class: "pulse", "aria-hidden": "true" }), label);
  return {
    element,
    step(name) {
      label.textContent = name;
    },
  };
}

function skeleton(): Indicator {
  const line = (width: number) => h("span", { class: "line", style: `width:${width}%` });
  const element = h(
    "div",
    { class: "progress skeleton", "aria-label": "Waiting", role: "img" },
    line(92),
    line(78),
    line(85),
    line(46),
  );
  return { element, step() {} };
}
