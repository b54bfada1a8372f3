/**
 * One small driver for Chromium, Firefox and WebKit, so that a test is written once and runs in each.
 * ENGINES names those to run ("chromium,firefox"); by default all three.
 *
 *   const browser = await launch("firefox");         // { name, pid, page(url), close() }
 *   const page = await browser.page(url);            // a page of its own, opened and loaded
 *   await page.evaluate((a) => a + 1, 1);            // throws what the function throws
 *
 * Input by `click`, `type` and `press` is trusted, as of a person. May touch: processes, temporary profiles.
 */
import { launchPuppeteer } from "./puppeteer.mjs";
import { launchWebKit } from "./webkit.mjs";

const launchers = {
  chromium: (options) => launchPuppeteer("chromium", options),
  firefox: (options) => launchPuppeteer("firefox", options),
  webkit: launchWebKit,
};

export const engines = (process.env.ENGINES ?? Object.keys(launchers).join()).split(",").filter(Boolean);

for (const name of engines) if (!launchers[name]) throw new Error(`ENGINES: no such engine: ${name}`);

/** `viewport`: the size of each page. `isOverheard`: a driver that can hear of requests does, and keeps a record of each. */
export const launch = async (
  name = "chromium",
  { viewport = { width: 1000, height: 800 }, isOverheard = true } = {},
) => ({
  name,
  ...(await launchers[name]({ viewport, isOverheard })),
});
