/** The SDK is a guest: the page is the same with it, without it, after it, and where it may not start. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./turns/browser.mjs";
import { Chat } from "./turns/chat.mjs";
import { startDemo } from "./turns/demo.mjs";
import { answer, second } from "./turns/scenario.mjs";

let demo;
let chromium;
before(async () => {
  demo = await startDemo();
  chromium = await launch();
});
after(async () => {
  await chromium?.close();
  await demo?.stop();
});

/** Lets every request pass but those that `change` answers or changes. */
const intercept = (change) => async (page) => {
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    const response = await change(request);
    await (response ? request.respond(response) : request.continue());
  });
};

/** The same door with nobody behind it. */
const ABSENT = `export const init = () => ({ ready: Promise.resolve("absent"), turn: null, variant: () => "spinner" });`;

const withoutSdk = intercept((request) => {
  if (!request.url().endsWith("/sdk/index.js")) return null;
  return { contentType: "text/javascript", body: ABSENT };
});

/** Requests are seen in more detail when intercepted, so both are. */
const undisturbed = intercept(() => null);

/** What a page without the right to compile wasm is served with. */
const POLICY = "script-src 'self' 'unsafe-inline'";

const withPolicy = intercept(async (request) => {
  if (!request.isNavigationRequest()) return null;
  const page = await fetch(request.url());
  return { contentType: "text/html", headers: { "content-security-policy": POLICY }, body: await page.text() };
});

const endOf = (chat) => chat.page.waitForFunction(() => !document.querySelector("[aria-busy]"), { polling: 50 });

/** One question and one regeneration; what the page shows and what the server was asked. */
const talk = async (prepare, ready) => {
  const requests = [];
  const rejections = [];
  const chat = await Chat.open(chromium.browser, demo, { scenario: answer() }, async (page) => {
    await page.evaluateOnNewDocument(() => {
      window.rejections = [];
      addEventListener("unhandledrejection", ({ reason }) => window.rejections.push(String(reason)));
    });
    page.on("request", (request) => {
      if (!new URL(request.url()).pathname.startsWith("/api/chat")) return;
      const headers = { ...request.headers() };
      // The address holds the conversation's random id.
      delete headers.referer;
      requests.push([request.method(), request.url(), headers, withoutIds(request.postData())]);
    });
    await prepare?.(page);
  });
  assert.equal(await chat.ready(), ready);
  await chat.ask();
  await chat.sees(second.trim());
  await endOf(chat);
  await chat.press("Regenerate");
  await chat.page.waitForSelector("[aria-busy]");
  await chat.sees(second.trim());
  await endOf(chat);
  rejections.push(...(await chat.page.evaluate(() => window.rejections)));
  const html = await chat.page.$eval("#transcript", (element) => element.innerHTML);
  return { chat, html: withoutArming(html), requests, rejections };
};

const withoutIds = (body) => body.replace(/"conversation":"[^"]*"/, '"conversation":""');

/** The attribute is on a block from its change to its frame; the test may look in between. */
const withoutArming = (html) => html.replaceAll(' elementtiming="chat-vitals"', "");

test("the page shows and asks the same with the SDK and without it", async () => {
  const without = await talk(withoutSdk, "absent");
  const measured = await talk(undisturbed, "full");
  assert.equal(measured.html, without.html);
  assert.deepEqual(measured.requests, without.requests);
  for (const { chat, rejections } of [without, measured]) {
    assert.deepEqual(chat.errors, []);
    assert.deepEqual(rejections, []);
  }
  await without.chat.close();
  await measured.chat.close();
});

test("a policy that forbids wasm leaves the page whole, and the network's timings are told", async () => {
  const { chat, html, rejections } = await talk(withPolicy, "degraded");
  assert.ok(html.includes(second.trim()));
  assert.deepEqual(rejections, []);
  const turns = await chat.turns(2);
  assert.deepEqual(
    turns.map(({ outcome, timings, requests: [{ end, status, format }] }) => [
      outcome,
      end,
      status,
      format,
      timings.firstChunk < timings.lastChunk,
      timings.firstVisibleToken,
    ]),
    Array(2).fill(["completed", "done", 200, undefined, true, undefined]),
  );
  assert.ok(chat.beacons.every((beacon) => JSON.parse(beacon).sdk.mode === "degraded"));
  await chat.close();
});

test("nothing is left after an answer, and nothing at all after shutdown", async () => {
  const chat = await Chat.open(chromium.browser, demo, { scenario: answer() });
  await chat.ready();
  await chat.ask();
  await chat.turn();
  const armed = () => document.querySelectorAll("[elementtiming]").length;
  assert.equal(await chat.page.evaluate(armed), 0, "after the turn");
  await chat.ask("And at the poles, what happens there?");
  await chat.sees("Sure!");
  await chat.page.evaluate(async () => (await import("chat-vitals")).init().shutdown());
  const sent = chat.beacons.length;
  assert.equal(await chat.page.evaluate(armed), 0, "after shutdown");
  await chat.sees(second.trim());
  await endOf(chat);
  assert.equal(await chat.page.evaluate(armed), 0, "at the answer's end");
  // A turn is sent 750 ms after its end: half a second of quiet, a quarter for company.
  await chat.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
  assert.equal(chat.beacons.length, sent);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});
