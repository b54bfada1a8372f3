/** One Chromium for a file of tests that ask what only its own protocol tells (frames, traces). */
import { launch as launchEngine } from "../engines/index.mjs";

export const launch = async () => {
  const { puppeteer, close } = await launchEngine("chromium");
  return { browser: puppeteer, close };
};
