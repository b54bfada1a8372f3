/** One script in a client's page, without the SDK and with it, in every engine, and what there was to see of each. */
import { after, before, describe } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engines, launch } from "../../browser/engines/index.mjs";
import { bundle } from "./build.mjs";
import { Server } from "./server.mjs";

const PATIENCE = 10_000;
const QUESTION = "Why are there tides?";

/** Asks again and again until it is so. */
export const until = async (ask, what) => {
  const last = Date.now() + PATIENCE;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > last) throw new Error(`${PATIENCE} ms without: ${what}`);
    await sleep(20);
  }
};

/** Ids that a client draws anew are no difference between two runs. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const settled = ({ method, url, headers, body }) => ({
  method,
  url: url.replace(UUID, "uuid"),
  headers,
  body: body.replace(UUID, "uuid"),
});

const CONTROLS = { question: "#question", send: "#send", stop: "#stop", regenerate: "#regenerate" };

// biome-ignore lint/performance/useDomNodeTextContent: what is shown, not what is there
const shown = () => document.body.innerText;

/** A client's page as a person's hands and eyes reach it. */
export class Chat {
  /** `controls` are selectors; `read` is run in the page and gives what a person reads there. */
  constructor(page, server, { controls, read = shown }, sdk) {
    this.page = page;
    this.server = server;
    this.controls = { ...CONTROLS, ...controls };
    this.read = read;
    this.sdk = sdk;
  }

  text() {
    return this.page.evaluate(this.read);
  }

  /** A control once it is there: a page may draw it after its load. Only the driver can look into a shadow tree. */
  async #drawn(name) {
    const selector = this.controls[name];
    const there = (selector) => selector.includes(">>>") || document.querySelector(selector) !== null;
    await until(() => this.page.evaluate(there, selector), `drawn: ${selector}`);
    return selector;
  }

  async ask(question = QUESTION) {
    await this.page.type(await this.#drawn("question"), question);
    await this.page.click(await this.#drawn("send"));
  }

  /** Waits for these words, so many times. */
  sees(words, times = 1) {
    const there = async () => (await this.text()).split(words).length > times;
    return until(there, `on the page ${times} times: ${words}`);
  }

  /** Waits until this many answers ended, in whatever way. */
  ends(count = 1) {
    return until(() => this.page.evaluate((count) => window.ended >= count, count), `${count} answers ended`);
  }

  /** Clicks it, and waits until the server saw the last request's connection go; how long that took. */
  async stop() {
    const request = this.server.requests.at(-1);
    const selector = await this.#drawn("stop");
    const clicked = Date.now();
    await this.page.click(selector);
    this.closedAfter = (await until(() => request.closedAt, "the connection closed")) - clicked;
  }

  /** A person looks at an answer before asking for it anew. */
  async regenerate() {
    await this.page.evaluate(
      () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => seen(true)))),
    );
    await this.page.click(await this.#drawn("regenerate"));
  }

  /** Turns that ended, in their order, each as it was told of last; waits for this many. Without the SDK there are none. */
  async turns(count) {
    if (!this.sdk) return [];
    const told = () =>
      this.page.evaluate(() => {
        window.vitals.flush();
        const turns = new Map();
        for (const batch of window.batches) for (const turn of batch.turns) turns.set(turn.id, turn);
        return [...turns.values()].filter(({ outcome }) => outcome !== "open");
      });
    const enough = async () => {
      const turns = await told();
      return turns.length >= count && turns;
    };
    return until(enough, `${count} turns ended`);
  }
}

const visit = async (browser, server, client, script, sdk) => {
  server.expect({ ...client, sdk });
  const page = await browser.page(`${server.origin}/`);
  try {
    const chat = new Chat(page, server, client, sdk);
    if (sdk) await until(() => page.evaluate(async () => (await window.vitals?.ready) === "full"), "the engine");
    const turns = await script(chat);
    const { errors, problems } = await page.evaluate(() => ({ errors: window.errors, problems: window.problems }));
    const requests = server.requests;
    return {
      text: await chat.text(),
      requests: requests.map(settled),
      closed: requests.map(({ closedBy, cut }) => (cut ? "cut" : closedBy)),
      closedAfter: chat.closedAfter,
      errors,
      problems,
      turns: turns ?? [],
    };
  } finally {
    await page.close();
  }
};

const pages = new Map();
/** The bundle of a client, made once. */
const pageOf = (name) => {
  if (!pages.has(name)) pages.set(name, bundle(name));
  return pages.get(name);
};

/**
 * Does `script(chat)` twice, and gives `{ plain, measured }`. The script gives the turns it waited for (`chat.turns(n)`).
 * `client` is `{ name, answers, controls?, read? }`: see `bundle`, `Server.expect` and `Chat`.
 */
const twice = async (browser, server, of, script) => {
  const client = { ...of, page: await pageOf(of.name) };
  return {
    plain: await visit(browser, server, client, script, false),
    measured: await visit(browser, server, client, script, true),
  };
};

/** The tests that `define(twice, engine)` makes, in each engine with a browser and a server of its own: `twice(client, script)`. */
export const inEachEngine = (define) => {
  for (const engine of engines) {
    describe(engine, () => {
      let server;
      let browser;
      before(async () => {
        server = await Server.start();
        browser = await launch(engine);
      });
      after(async () => {
        await browser?.close();
        await server?.stop();
      });
      define((client, script) => twice(browser, server, client, script), engine);
    });
  }
};
