/** One browser and one streaming server for a file of tests. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { launch } from "../engines/index.mjs";
import { selfSigned } from "./certificate.mjs";
import { serve } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Modules are bundled, as a classic script, so that they run in their order. */
const contents = async (path) => {
  if (path.endsWith(".js")) return readFile(here(path));
  const options = { bundle: true, minify: path.endsWith(".ts"), format: "iife", target: "es2022", write: false };
  return (await build({ entryPoints: [here(path)], ...options })).outputFiles[0].contents;
};

/** `files`: path at the server → file beside this one. `http2`: over TLS, for the engine to choose HTTP/2; others as for `launch`. */
export const openBrowser = async (files, { engine = "chromium", http2 = false, ...options } = {}) => {
  const served = await Promise.all(Object.entries(files).map(async ([path, file]) => [path, await contents(file)]));
  const server = await serve(Object.fromEntries(served), http2 ? await selfSigned() : undefined);
  const browser = await launch(engine, options).catch((error) => {
    server.close();
    throw error;
  });
  return {
    origin: server.origin,
    puppeteer: browser.puppeteer,
    pid: browser.pid,
    stream: server.stream,
    page: (path) => browser.page(server.origin + path),
    /** A page of Chromium alone; `errors` are what it throws or warns of. */
    async chromiumPage(path) {
      const page = await browser.puppeteer.newPage();
      page.errors = [];
      page.on("pageerror", (error) => page.errors.push(String(error)));
      page.on("console", (message) => message.type() === "warn" && page.errors.push(message.text()));
      await page.goto(server.origin + path);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
};
