/** The package as it is shipped, in a page of the streaming server; for tests that need the engine and no demo. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./taps/browser.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/**
 * Runs in the page: starts the package with a transport that keeps what is sent, and answers with its mode. Leaves `started`
 * there: `{ vitals, batches, turns(), until(is) }`, of which `until` gives the turns once they are as wished.
 */
export const start = async (options) => {
  const { init } = await import("/dist/index.js");
  const batches = [];
  const vitals = init({ send: (batch) => void batches.push(batch), ...options });
  const turns = () => {
    vitals.flush();
    return [...new Map(batches.flatMap(({ turns }) => turns).map((turn) => [turn.id, turn])).values()];
  };
  const until = async (is) => {
    for (let tries = 0; tries < 200; tries++) {
      if (is(turns())) return turns();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`in vain: ${JSON.stringify(turns())}`);
  };
  globalThis.started = { vitals, batches, turns, until };
  return vitals.ready;
};

/** A browser whose pages find the package below `/dist/`; `files`: path at the server → other files; `options` as for `openBrowser`. */
export const openPackaged = async (engine, { files: others = {}, ...options } = {}) => {
  const scripts = (await readdir(dist)).filter((name) => name.endsWith(".js"));
  const files = Object.fromEntries(scripts.map((name) => [`/dist/${name}`, `${dist}${name}`]));
  return openBrowser({ "/noted.js": "noted.js", ...files, ...others }, { engine, ...options });
};
