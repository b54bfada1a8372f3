/** The package as it is shipped, in a page of the streaming server; for tests that need the engine and no demo. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./taps/browser.mjs";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

/** A browser whose pages find the package below `/dist/`; `files`: path at the server → other files; `options` as for `openBrowser`. */
export const openPackaged = async (engine, { files: others = {}, ...options } = {}) => {
  const scripts = (await readdir(dist)).filter((name) => name.endsWith(".js"));
  const files = Object.fromEntries(scripts.map((name) => [`/dist/${name}`, `${dist}${name}`]));
  return openBrowser({ "/noted.js": "noted.js", ...files, ...others }, { engine, ...options });
};
