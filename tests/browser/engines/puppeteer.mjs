/**
 * Chromium by its own protocol and Firefox by WebDriver BiDi, both through puppeteer.
 * CHROMIUM and FIREFOX name other programs. May touch: processes, temporary profiles.
 */
import puppeteer from "puppeteer-core";
import { chromium } from "../../../demo/web/people/chromium.mjs";
import { PATIENCE, packed, patiently, unpacked } from "./evaluation.mjs";
import { tied } from "./processes.mjs";

const firefox = {
  browser: "firefox",
  executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
};

export const launchPuppeteer = async (name, { viewport, isOverheard }) => {
  const browser = await puppeteer.launch({
    ...(name === "firefox" ? firefox : { browser: "chrome", ...chromium }),
    headless: true,
    acceptInsecureCerts: true,
    protocolTimeout: PATIENCE,
    defaultViewport: viewport,
    networkEnabled: isOverheard,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  // puppeteer ends one browser when this process ends, but not each of several.
  tied(browser.process());
  return {
    /** For what only one engine can do. */
    puppeteer: browser,
    pid: browser.process().pid,
    async page(url) {
      const page = pageOf(await browser.newPage());
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
};

const pageOf = (page) => ({
  puppeteer: page,
  async evaluate(fn, ...args) {
    const outcome = page.evaluate(`(async () => {${packed(fn, args)}})()`);
    return unpacked(await patiently(outcome, String(fn)));
  },
  goto: (url) => page.goto(url, { timeout: PATIENCE }),
  reload: () => page.reload({ timeout: PATIENCE }),
  click: (selector) => page.click(selector),
  type: (selector, text) => page.type(selector, text),
  press: (key) => page.keyboard.press(key),
  close: () => page.close(),
});
