/**
 * How far the SDK's milestones are from what happened: one script, many turns, two independent truths.
 *
 * | variant       | the SDK measures by                           | truth                                            |
 * |---------------|-----------------------------------------------|--------------------------------------------------|
 * | elementTiming | Element Timing, on the page's own attributes  | the page's record (demo/web/chat/truth.ts)       |
 * | trace         | Element Timing, armed by the SDK itself       | the frames of a trace (trace.mjs)                |
 * | raf2          | the second animation frame                    | the page's record; the SDK sees no Element Timing|
 */
import { Chat } from "./chat.mjs";
import { filler, measured, useful } from "./scenario.mjs";
import { tracedTruth, watchDrawing } from "./trace.mjs";

export const FRAME = 16.7;
export const VISIBLE = ["firstReasoning", "firstVisibleToken", "firstUsefulContent", "finalRender"];
const USEFUL = (filler + useful).trimEnd().length;

/** The page's own record, as offsets from the submit. */
const recordedTruth = async (chat) => {
  const finished = () => window.__truth.paints.some(({ what }) => what === "final");
  await chat.page.waitForFunction(finished, { polling: 50 });
  const { submit, lastChunk, paints } = await chat.page.evaluate(() => window.__truth);
  const first = (is) => paints.find(is).time - submit;
  return {
    firstReasoning: first(({ what }) => what === "reasoning"),
    firstVisibleToken: first(({ what }) => what === "text"),
    firstUsefulContent: first(({ what, length }) => what === "text" && length >= USEFUL),
    lastChunk: lastChunk - submit,
    finalRender: first(({ what }) => what === "final"),
  };
};

const hideElementTiming = (page) =>
  page.evaluateOnNewDocument(() => {
    const types = PerformanceObserver.supportedEntryTypes.filter((type) => type !== "element");
    Object.defineProperty(PerformanceObserver, "supportedEntryTypes", { get: () => types });
  });

export const variants = {
  elementTiming: { method: "elementTiming", settings: { truth: 1 }, prepare: () => {}, truth: recordedTruth },
  trace: { method: "elementTiming", settings: {}, prepare: watchDrawing, truth: tracedTruth(USEFUL) },
  raf2: { method: "raf2", settings: { truth: 1 }, prepare: hideElementTiming, truth: recordedTruth },
};

/** Turns that are held anew because nobody can tell what is true of them. */
const ANEW = 5;

/** One turn: what the collector got, and the truth. */
const hold = async (browser, demo, { settings, prepare, truth }) => {
  const chat = await Chat.open(browser, demo, { scenario: measured, buffer: 300, ...settings }, prepare);
  if ((await chat.ready()) !== "full") throw new Error("the engine did not start");
  await chat.ask();
  const turn = await chat.turn();
  const result = { turn, truth: await truth(chat), resolution: await chat.clockResolution() };
  await chat.close();
  return result;
};

const run = async (...setting) => {
  for (let tries = 0; tries < ANEW; tries++) {
    const result = await hold(...setting);
    if (Object.values(result.truth).every(Number.isFinite)) return result;
  }
  throw new Error(`no truth in ${ANEW} turns`);
};

export const measure = async (browser, demo, name, runs, onRun = () => {}) => {
  const results = [];
  for (let index = 0; index < runs; index++) {
    results.push(await run(browser, demo, variants[name]));
    onRun(index + 1);
  }
  return results;
};

/** Linear between ranks, as everywhere in this project (type 7). */
export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * q;
  const low = sorted[Math.floor(rank)];
  return low + (sorted[Math.ceil(rank)] - low) * (rank % 1);
};

/** One row a milestone: signed median, median and p95 of the size of the error. */
export const errorsOf = (results) =>
  Object.keys(results[0].truth).map((milestone) => {
    const errors = results.map(({ turn, truth }) => turn.timings[milestone] - truth[milestone]);
    const sizes = errors.map(Math.abs);
    const resolution = Math.max(...results.map((result) => result.resolution));
    return {
      milestone,
      bias: quantile(errors, 0.5),
      median: quantile(sizes, 0.5),
      p95: quantile(sizes, 0.95),
      bound: FRAME + resolution,
    };
  });

export const table = (name, rows, runs) => {
  const number = (value) => value.toFixed(1).padStart(9);
  const line = ({ milestone, bias, median, p95 }) =>
    `${milestone.padEnd(20)}${[bias, median, p95].map(number).join("")}`;
  const head = `${`${name}, ${runs} runs`.padEnd(20)}${["bias", "median", "p95"].map((word) => word.padStart(9)).join("")}`;
  return [head, ...rows.map(line)].join("\n");
};
