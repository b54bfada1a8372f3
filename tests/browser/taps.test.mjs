/**
 * The page can't tell that the taps are there, and the taps see what the page sees.
 * Each scenario runs in an untouched and in a tapped page of the same browser; both must give the same.
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { scenarios } from "./taps/scenarios.mjs";
import { serve } from "./taps/server.mjs";
import { sightings } from "./taps/sightings.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
let server;
let browser;

before(async () => {
  const recorder = await build({
    entryPoints: [here("taps/recorder.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
  });
  server = await serve({
    "/recorder.js": recorder.outputFiles[0].contents,
    "/scenarios.js": await readFile(here("taps/scenarios.mjs")),
  });
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    userDataDir: await mkdtemp(join(tmpdir(), "taps-")),
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Runs one scenario in a fresh page; answers with its result, errors of the page, and what the taps said. */
const run = async (name, path) => {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "warn" && errors.push(message.text()));
  await page.goto(server.origin + path);
  const key = `${name}${path}`;
  const result = await page.evaluate(
    async (name, key) => {
      const { scenarios } = await import("/scenarios.js");
      return scenarios[name](key);
    },
    name,
    key,
  );
  // Streams that the page left behind report their end in a task of their own.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const calls = await page.evaluate(() => globalThis.calls);
  await page.close();
  return { result, errors, calls };
};

for (const name of Object.keys(scenarios)) {
  test(`same as native: ${name}`, async () => {
    const native = await run(name, "/");
    const tapped = await run(name, "/tapped");
    assert.deepEqual(tapped.result, native.result);
    assert.deepEqual(tapped.errors, native.errors);
    assert.equal(native.calls, undefined);
    sightings[name]?.(tapped.calls, assert);
  });
}
