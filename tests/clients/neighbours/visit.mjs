/** One visit to the application with a neighbour, with the SDK or without it, and all there was to see of it. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serveVisit } from "./server.mjs";

const PATIENCE = 10_000;
/** A neighbour that notes nothing for so long has noted all: browsers let timers of pages out of sight wait for a second. */
const SETTLED = 1500;

const INIT = `window.vitals = ChatVitals.init({ endpoint: "/vitals" }); window.turns = []; vitals.onTurn((turn) => turns.push(turn));`;
const SDK = ["/sdk.js", INIT];
const ORDERS = { alone: ["/neighbour.js"], under: ["/neighbour.js", ...SDK], over: [...SDK, "/neighbour.js"] };

/** Where the neighbour stands when the SDK is there: under it (loaded before it), or over it (loaded after it). */
export const orders = ["under", "over"];

const bundle = async (name) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`pages/${name}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0].contents;
};

const application = await bundle("application");

/** Asks again and again until it is so. */
export const until = async (ask, what) => {
  const last = Date.now() + PATIENCE;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > last) throw new Error(`${PATIENCE} ms without: ${what}`);
    await sleep(25);
  }
};

/** Notes of what the SDK sends, and of what the application does: but whether a request that is aborted at once was one is luck. */
const isOurs = (note) => note.includes("/vitals");
const ofApplication = (notes) => notes.filter((note) => !isOurs(note) && !note.includes("/at-once"));

/** A page with the neighbour, and what can be asked of it. */
export class Visit {
  static async open(browser, name, order) {
    const visit = new Visit();
    const bundles = { "/application.js": application, "/neighbour.js": await bundle(name) };
    visit.server = await serveVisit(["/witness.js", ...ORDERS[order]], bundles);
    visit.hasSdk = order !== "alone";
    visit.page = await browser.page(`${visit.server.origin}/`);
    visit.lacks = await visit.page.evaluate(() => window.neighbour.lacks);
    if (visit.lacks) return visit;
    visit.mode = await visit.page.evaluate(async () => {
      await window.neighbour.ready;
      return window.vitals?.ready;
    });
    return visit;
  }

  /** Runs a scenario of `pages/application.ts` to its end; what it saw. */
  async run(name) {
    await this.start(name);
    return this.over(name);
  }

  start(name) {
    return this.page.evaluate((name) => {
      delete window.results[name];
      window.start(name);
    }, name);
  }

  over(name) {
    return until(() => this.page.evaluate((name) => window.results[name], name), name);
  }

  /** What the neighbour noted so far. */
  noted() {
    return this.page.evaluate(() => window.neighbour.notes());
  }

  /** What the neighbour noted, once it notes no more; at least so much of what the application does, if that is known. */
  async notes(least) {
    await until(() => this.server.isQuiet(), "every answer given");
    const { delay, isBlind } = await this.page.evaluate(() => ({ ...window.neighbour }));
    const isEnough = (notes) => isBlind || (least ? ofApplication(notes).length >= least : notes.length > 0);
    await until(async () => isEnough(await this.noted()), `${least ?? "any"} notes`);
    const settled = least === undefined ? Math.max(SETTLED, delay ?? 0) : SETTLED / 5;
    let [last, since] = [[], Date.now()];
    while (Date.now() - since < settled) {
      const now = await this.noted();
      if (now.length !== last.length) [last, since] = [now, Date.now()];
      await sleep(25);
    }
    return last.sort();
  }

  /** Everything of "chat" and "visit", in a form in which visits can be compared. */
  async all(least) {
    const chat = await this.run("chat");
    const turn = this.hasSdk && (await this.measured("/chat"))["/chat"];
    const seen = { chat, ...(await this.run("visit")) };
    const notes = await this.notes(least);
    const problems = await this.page.evaluate(() => window.problems);
    const requests = this.server.requests.toSorted((a, b) => (a.url < b.url ? -1 : 1));
    return {
      seen,
      notes: ofApplication(notes),
      problems: problems.map((problem) => problem.replaceAll(this.server.origin, "")),
      requests: JSON.parse(JSON.stringify(requests).replaceAll(this.server.origin.slice(7), "host")),
      ...(turn && { turn }),
    };
  }

  /** Requests of turns that ended, by their route, with what is told of their turns; waits for these. */
  async measured(...routes) {
    const told = () =>
      this.page.evaluate(() => {
        const of = ({ flags, outcome, timings, requests }) =>
          requests.map((request) => [request.route, { ...request, flags, outcome, timings }]);
        return Object.fromEntries(window.turns.flatMap(of));
      });
    const all = async () => {
      const requests = await told();
      return routes.every((route) => route in requests) && requests;
    };
    return until(all, `turns with ${routes}`);
  }

  /** Has the SDK send what it has; whether the neighbour notes that. If it is expected to, that is waited for. */
  async isSeen(isExpected) {
    const { batches } = this.server;
    const sent = () => batches.flatMap(({ turns }) => turns).flatMap(({ requests }) => requests);
    await this.page.evaluate(() => window.vitals.flush());
    await until(() => sent().some(({ route }) => route === "/cancelled"), "a batch");
    if (isExpected) return until(async () => (await this.noted()).some(isOurs), "a note of what the SDK sends");
    return (await this.notes()).some(isOurs);
  }

  /** How many turns are told of that are a chat, and no other stream. */
  chats() {
    return this.page.evaluate(() => {
      const isChat = ({ requests }) => requests.some(({ route }) => route === "/chat");
      return window.turns.filter(isChat).length;
    });
  }

  async close() {
    await this.page.close();
    this.server.close();
  }
}
