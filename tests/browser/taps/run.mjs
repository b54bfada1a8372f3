/** Runs one scenario; bundled into each page of the taps' tests. Runs in the browser. */
import { scenarios } from "./scenarios.mjs";

const settled = (calls) => {
  const count = (name) => calls.filter(([own]) => own === name).length;
  return count("open") === count("close");
};
const task = () => new Promise((resolve) => setTimeout(resolve));

/**
 * What the scenario answers with, what the page has noted, and what the taps said. Streams that the page left behind
 * report their end in a task of their own, or never: hence the limit.
 */
globalThis.run = async (name, key) => {
  const result = await scenarios[name](key);
  const deadline = performance.now() + 100;
  do await task();
  while (globalThis.calls && !settled(globalThis.calls) && performance.now() < deadline);
  await task();
  return { result, noted: globalThis.noted, calls: globalThis.calls };
};
