/** The answer is found by itself, however a page draws it, and nothing else is taken for it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch } from "./turns/browser.mjs";
import { Chat, question } from "./turns/chat.mjs";
import { startDemo } from "./turns/demo.mjs";
import { unseen, ways } from "./turns/pages/patterns.js";
import { second, useful } from "./turns/scenario.mjs";

let demo;
let chromium;
let html;
let patterns;
before(async () => {
  const read = (name) => readFile(new URL(`./turns/pages/${name}`, import.meta.url), "utf8");
  [html, patterns] = [await read("chat.html"), await read("patterns.js")];
  demo = await startDemo();
  chromium = await launch();
});
after(async () => {
  await chromium?.close();
  await demo?.stop();
});

/** The test's own files, beside those of the demo server. */
const serveOwn = async (page) => {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/other") return request.respond({ contentType: "text/html", body: html });
    if (pathname === "/patterns.js") return request.respond({ contentType: "text/javascript", body: patterns });
    return request.continue();
  });
};

const FILLER = "Of course. ";
const scenario = {
  steps: [
    { at: 200, text: FILLER },
    { at: 500, text: useful },
    { at: 800, text: second },
  ],
};

/** When the page drew what, as its own `.answer` tells in the task of the change. */
const watchAnswer = (page) =>
  page.evaluateOnNewDocument(() => {
    window.drawn = [];
    const roots = [];
    const observer = new MutationObserver(() => {
      const answer = roots.map((root) => root.querySelector(".answer")).find(Boolean);
      const length = answer?.textContent.trim().length ?? 0;
      if (length && length !== window.drawn.at(-1)?.length) window.drawn.push({ length, at: performance.now() });
    });
    const watch = (root) => {
      roots.push(root);
      observer.observe(root, { childList: true, characterData: true, subtree: true });
      return root;
    };
    watch(document);
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (init) {
      return watch(attachShadow.call(this, init));
    };
    addEventListener("keydown", ({ timeStamp }) => (window.submit = timeStamp), { capture: true });
  });

const hold = async (pattern) => {
  const chat = new Chat(await chromium.browser.newPage(), demo);
  await serveOwn(chat.page);
  await watchAnswer(chat.page);
  chat.since = Date.now();
  const query = new URLSearchParams({ pattern, scenario: JSON.stringify(scenario) });
  await chat.page.goto(`${demo.origin}/other?${query}`);
  assert.equal(await chat.ready(), "full");
  await chat.ask(question);
  const turn = await chat.turn();
  const drawn = await chat.page.evaluate(() =>
    window.drawn.map(({ length, at }) => ({ length, at: at - window.submit })),
  );
  await chat.close();
  return { turn, drawn };
};

/** Screens of 60 Hz and a machine that does other things as well: a few frames from change to paint. */
const SOON = 150;
const USEFUL = (FILLER + useful).trimEnd().length;

for (const pattern of Object.keys(ways)) {
  test(`found: ${pattern}`, async () => {
    const { turn, drawn } = await hold(pattern);
    assert.equal(turn.outcome, "completed");
    assert.deepEqual(turn.flags, []);
    const first = drawn[0].at;
    const usefully = drawn.find(({ length }) => length >= USEFUL / 2).at;
    const last = drawn.at(-1).at;
    for (const [name, truth] of [
      ["firstVisibleToken", first],
      ["firstUsefulContent", usefully],
      ["finalRender", last],
    ]) {
      const lag = turn.timings[name] - truth;
      assert.ok(lag > -5 && lag < SOON, `${name} is ${lag} ms after the change`);
    }
  });
}

for (const pattern of Object.keys(unseen)) {
  test(`drawn and not seen: ${pattern}`, async () => {
    const { turn, drawn } = await hold(pattern);
    assert.ok(drawn.length > 0, "the page drew it");
    assert.equal(turn.outcome, "completed");
    for (const name of ["firstVisibleToken", "firstUsefulContent", "finalRender"]) {
      assert.equal(turn.timings[name], undefined, name);
    }
    assert.equal(turn.flags.includes("offscreen"), pattern.includes("fold"));
  });
}
