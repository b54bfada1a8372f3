/** Runs one scenario; bundled into each page of the taps' tests. Runs in the browser. */
import { closed, engine, url } from "./in-page.mjs";
import { scenarios } from "./scenarios.mjs";

const settled = (calls) => {
  const count = (name) => calls.filter(([own]) => own === name).length;
  return count("open") === count("close");
};
const skipped = (error) => {
  if (!error?.lacks) throw error;
  return { lacks: error.lacks };
};
const task = () => new Promise((resolve) => setTimeout(resolve));

/**
 * What the scenario answers with, what the page has noted, and what the taps said. Streams that the page left behind
 * report their end in a task of their own, or never: hence the limit.
 */
globalThis.run = async (name, key, traits) => {
  Object.assign(engine, traits);
  const result = await Promise.resolve(key).then(scenarios[name]).catch(skipped);
  const deadline = performance.now() + 100;
  do await task();
  while (globalThis.calls && !settled(globalThis.calls) && performance.now() < deadline);
  await task();
  return { result, noted: globalThis.noted, calls: globalThis.calls };
};

/** What the scenarios have to know of this engine, asked in an untouched page. */
globalThis.traits = async () => {
  const reader = (await fetch(url("traits", "&open&n=1"))).body.getReader();
  await reader.read();
  // With nothing on its way: what comes after a cancel makes Firefox close after all.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await reader.cancel();
  return { cancelCloses: await closed("traits") };
};
