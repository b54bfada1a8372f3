/** One Chromium and one streaming server for a file of tests. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { serve } from "./server.mjs";

const ARGUMENTS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** TypeScript is bundled, as a classic script so that it runs before the page's own. */
const contents = async (path) => {
  if (!path.endsWith(".ts")) return readFile(here(path));
  const options = { bundle: true, minify: true, format: "iife", target: "es2022", write: false };
  return (await build({ entryPoints: [here(path)], ...options })).outputFiles[0].contents;
};

/** `files`: path at the server → file beside this one. */
export const openBrowser = async (files) => {
  const served = await Promise.all(Object.entries(files).map(async ([path, file]) => [path, await contents(file)]));
  const server = await serve(Object.fromEntries(served));
  const userDataDir = await mkdtemp(join(tmpdir(), "chat-vitals-"));
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await puppeteer.launch({ executablePath, userDataDir, args: ARGUMENTS, protocolTimeout: 30_000 });
  return {
    /** A fresh page; `errors` are what it throws or warns of. */
    async page(path) {
      const page = await browser.newPage();
      page.errors = [];
      page.on("pageerror", (error) => page.errors.push(String(error)));
      page.on("console", (message) => message.type() === "warn" && page.errors.push(message.text()));
      await page.goto(server.origin + path);
      return page;
    },
    async close() {
      await browser.close();
      server.close();
      await rm(userDataDir, { recursive: true, force: true });
    },
  };
};
