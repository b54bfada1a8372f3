// The dashboard: asks the server for what the filters say and redraws its sections. Live events ask again.

import { byId, h } from "../shared/dom";
import { lastTurns, segments, summary, waitsOfTurns, type Group, type Measure, type Rate } from "./api";
import { comparison } from "./compare";
import { FilterForm } from "./filters";
import { plural, wilson } from "./format";
import { binTable, commonAxis, histogram } from "./histogram";
import { Live } from "./live";
import { measureRows } from "./measures";
import { nameOf, outcomeNames, phaseNames } from "./names";
import { excluded, overview } from "./overview";
import { shareTable } from "./shares";
import { TurnList } from "./turns";

const plotted = [
  "firstFeedback",
  "firstReasoning",
  "firstVisibleToken",
  "firstUsefulContent",
  "finalRender",
  "silentTotal",
];

const turnList = new TurnList(byId("turns"));
const measureChoice = byId<HTMLSelectElement>("compare-measure");
const form = new FilterForm(() => void refresh());
let latest = 0;

measureChoice.addEventListener("change", () => void refresh());
new Live(() => void refresh());
void refresh();

async function refresh(): Promise<void> {
  const run = ++latest;
  const { filters, by } = form;
  try {
    const [all, split, turns, waits, known] = await Promise.all([
      summary(filters),
      by ? summary(filters, by) : null,
      lastTurns(filters),
      waitsOfTurns(),
      segments(),
    ]);
    // An answer that a newer question has overtaken is not drawn.
    if (run !== latest) return;
    form.offer(known);
    const group = all.groups[0];
    byId("trouble").hidden = true;
    byId("empty").hidden = !!group?.turns;
    byId("content").hidden = !group?.turns;
    if (!group?.turns) return;
    drawGroup(group, all.truncated);
    drawComparison(split?.groups ?? null, group.measures);
    turnList.draw(turns, waits);
  } catch (error) {
    byId("trouble").hidden = false;
    byId("trouble").textContent =
      `The figures could not be loaded (${error instanceof Error ? error.message : "no answer"}). The next change or new turn tries again.`;
  }
}

function drawGroup(group: Group, truncated: boolean): void {
  byId("tiles").replaceChildren(...overview(group));
  byId("counted").textContent =
    `${plural(group.turns, "turn")}${truncated ? " (the newest only)" : ""}. ${excluded(group)}`;
  byId("outcomes").replaceChildren(outcomes(group));
  byId("phases").replaceChildren(phases(group));
  const table = byId("measures");
  for (const body of table.querySelectorAll("tbody")) body.remove();
  table.append(...measureRows(group.measures));
  drawPlots(group.measures);
}

function outcomes({ outcomes, rates, turns }: Group): HTMLElement {
  const rows = inOrder(outcomes, outcomeNames, (name, count) => rates[name] ?? wilson(count, turns));
  if (rates["regenerated"]) rows.push(["Asked again", rates["regenerated"]]);
  return shareTable("How turns ended", "Outcome", rows);
}

function phases({ phases }: Group): HTMLElement {
  const n = Object.values(phases).reduce((sum, count) => sum + count, 0);
  if (n === 0) return h("p", { class: "soft" }, "Every turn was completed.");
  const rows = inOrder(phases, phaseNames, (_, count) => wilson(count, n));
  return shareTable("Where turns that were not completed ended", "Phase", rows);
}

/** Rows in the order of the names; the server sends them in any. */
function inOrder(
  counts: Record<string, number>,
  names: Record<string, string>,
  rate: (name: string, count: number) => Rate,
): [name: string, rate: Rate][] {
  const known = Object.keys(names).filter((name) => name in counts);
  const unknown = Object.keys(counts).filter((name) => !(name in names));
  return [...known, ...unknown].map((name) => [names[name] ?? name, rate(name, counts[name] ?? 0)]);
}

/** Figures stay in the page and only change inside, so that an opened table stays open. */
function drawPlots(measures: Measure[]): void {
  const chosen = plotted.flatMap(
    (name) => measures.find((measure) => measure.name === name && measure.bins.length > 0) ?? [],
  );
  const axis = commonAxis(chosen);
  for (const measure of chosen) {
    const figure = figureOf(measure.name);
    figure.querySelector("svg")?.remove();
    if (axis) figure.querySelector("figcaption")?.after(histogram(nameOf(measure.name), measure, axis));
    figure.querySelector(".table")?.replaceChildren(binTable(nameOf(measure.name), measure));
  }
  for (const figure of byId("plots").children) {
    (figure as HTMLElement).hidden = !chosen.some(({ name }) => figure.id === `figure-${name}`);
  }
}

function figureOf(name: string): HTMLElement {
  const existing = document.getElementById(`figure-${name}`);
  if (existing) return existing;
  const summary = h("summary", {}, "As a table", h("span", { class: "sr-only" }, `: ${nameOf(name)}`));
  const figure = h(
    "figure",
    { class: "card", id: `figure-${name}` },
    h("figcaption", {}, nameOf(name)),
    h("details", {}, summary, h("div", { class: "table" })),
  );
  byId("plots").append(figure);
  return figure;
}

function drawComparison(groups: Group[] | null, measures: Measure[]): void {
  byId("comparison").hidden = !groups;
  if (!groups) return;
  if (!measureChoice.options.length) {
    measureChoice.replaceChildren(
      ...measures.filter(({ unit }) => unit === "ms").map(({ name }) => new Option(nameOf(name), name)),
    );
    measureChoice.value = "firstVisibleToken";
  }
  byId("compared").replaceChildren(...comparison(groups, measureChoice.value));
}
