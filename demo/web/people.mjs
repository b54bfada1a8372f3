// Lets people hold conversations through the real chat page, so that the dashboard has something to show.
// Usage: node demo/web/people.mjs --url http://127.0.0.1:8787 --turns 200 [--seed 1] [--tabs 6]
//
// Drives a headless Chromium (CHROMIUM, else /usr/bin/chromium) with trusted keys and clicks. Ends with a summary of what
// people did and what the collector has of it; exits with 1 if a page threw an error or a visit could not be held.

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import puppeteer from "puppeteer-core";
import { chromium } from "./people/chromium.mjs";
import { visit } from "./people/person.mjs";
import { Progress } from "./people/progress.mjs";
import { createRandom } from "./people/random.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:8787" },
    turns: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    tabs: { type: "string", default: "6" },
  },
});
const url = values.url.replace(/\/$/, "");
const [wanted, seed, tabs] = ["turns", "seed", "tabs"].map((name) => positive(name, values[name]));

const progress = new Progress(wanted);
const did = new Map();
const failures = [];
let taken = 0;

const browser = await puppeteer.launch(chromium);
const since = Date.now();
try {
  await Promise.all(
    Array.from({ length: Math.min(tabs, wanted) }, (_, index) => tab(createRandom(seed * 1000 + index))),
  );
  progress.end();
  await summarise(await collected());
} finally {
  await browser.close();
}
process.exitCode = failures.length ? 1 : 0;

/** One tab after the other, each with a person of its own, until the turns are used up. */
async function tab(random) {
  while (taken < wanted) {
    // A context of its own: its connections don't queue behind those of the others, and nothing is shared.
    const context = await browser.createBrowserContext();
    try {
      await visit({
        context,
        url,
        random,
        take,
        report,
        onPageError: (error) => failures.push(`page error: ${error.message}`),
      });
    } catch (error) {
      failures.push(`visit: ${error.message}`);
      if (failures.length > 20) throw error;
    }
  }
}

function take() {
  if (taken >= wanted) return false;
  taken++;
  progress.advance();
  return true;
}

function report(what) {
  did.set(what, (did.get(what) ?? 0) + 1);
}

/** The turns that arrived. Beacons of closed tabs may still be on their way, so this asks until all are there. */
async function collected() {
  for (let attempt = 0; ; attempt++) {
    const turns = await storedTurns();
    if (turns.length >= taken || attempt === 20) return turns;
    await pause(500);
  }
}

async function storedTurns() {
  const response = await fetch(`${url}/vitals/turns?since=${since}&limit=1000`);
  if (!response.ok) throw new Error(`the collector answered with status ${response.status}`);
  return (await response.json()).turns.map(({ turn }) => turn);
}

async function summarise(turns) {
  console.log(`${taken} turns in ${progress.seconds} s`);
  console.log(`  people:    ${list([...did].sort((a, b) => b[1] - a[1]))}`);
  console.log(`  collector: ${turns.length} turns; ${list(tally(turns.map(({ outcome }) => outcome)))}`);
  for (const failure of new Set(failures)) console.error(`  ${failure}`);
}

function tally(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function list(entries) {
  return entries.map(([name, count]) => `${name} ${count}`).join(", ");
}

function positive(name, text) {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} needs a positive whole number, not ${text}`);
  process.exit(2);
}
