/** One visit to the application with a neighbour, with the SDK or without it, and all there was to see of it. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serveVisit } from "./server.mjs";

const PATIENCE = 10_000;
/** A neighbour that notes nothing for so long has noted all. */
const SETTLED = 500;

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

  /** What the neighbour noted: at least so much, or, if that is not known, until it notes no more. */
  async notes(least) {
    await until(() => this.server.isQuiet(), "every answer given");
    const notes = () => this.noted();
    const app = (notes) => notes.filter((note) => !note.includes("/vitals")).length;
    const delay = least === undefined ? await this.page.evaluate(() => window.neighbour.delay ?? 0) : 0;
    await until(async () => app(await notes()) >= (least ?? Math.sign(delay)), `${least} notes`);
    let [last, since] = [[], Date.now()];
    while (Date.now() - since < Math.max(SETTLED, delay)) {
      const now = await notes();
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
      notes: notes.filter((note) => !note.includes("/vitals")),
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

  /** Has the SDK send what it has; how often the neighbour noted that. */
  async sightings() {
    const { batches } = this.server;
    const sent = () => batches.flatMap(({ turns }) => turns).flatMap(({ requests }) => requests);
    await this.page.evaluate(() => window.vitals.flush());
    await until(() => sent().some(({ route }) => route === "/cancelled"), "a batch");
    const notes = await this.notes();
    return notes.filter((note) => note.includes("/vitals")).length;
  }

  /** How many chats are measured that came to their end. */
  chats() {
    return this.page.evaluate(() => window.turns.filter(({ outcome }) => outcome === "completed").length);
  }

  async close() {
    await this.page.close();
    this.server.close();
  }
}
