/** The demo's chat page in a tab, as a person's hands and eyes reach it; and what the collector got of it. */
import { until } from "./demo.mjs";

/** Said by `init` when it is called again, which is how a test waits for the engine. */
const AGAIN = "chat-vitals runs already";

export const question = "Why are there tides at the coast?";

export class Chat {
  constructor(page, demo) {
    this.page = page;
    this.demo = demo;
    /** Complaints of the page. */
    this.errors = [];
    /** Bodies of all beacons, and the statuses of their answers. */
    this.beacons = [];
    this.statuses = [];
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (message) => {
      const loud = ["error", "warn"].includes(message.type()) && !message.text().includes(AGAIN);
      if (loud) this.errors.push(message.text());
    });
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/vitals") this.beacons.push(request.postData());
    });
    page.on("response", (response) => {
      if (new URL(response.url()).pathname === "/vitals") this.statuses.push(response.status());
    });
  }

  /** `settings` are those of demo/web/chat/settings.ts; `scenario` is the server's, as an object. */
  static async open(browser, demo, { scenario, ...settings } = {}, prepare = () => {}) {
    const chat = new Chat(await browser.newPage(), demo);
    await prepare(chat.page);
    const query = new URLSearchParams({ progress: "spinner", ...settings });
    if (scenario) query.set("scenario", JSON.stringify(scenario));
    chat.since = Date.now();
    await chat.page.goto(`${demo.origin}/?${query}`);
    await chat.page.waitForSelector("#question");
    return chat;
  }

  /** What `ready` came to. */
  ready() {
    return this.page.evaluate(async () => (await import("chat-vitals")).init().ready);
  }

  async ask(text = question) {
    await this.page.type("#question", text);
    await this.page.keyboard.press("Enter");
  }

  /** Clicks the last visible button of this name. */
  async press(name) {
    const find = async () => {
      const buttons = await this.page.$$(`::-p-aria([name="${name}"][role="button"])`);
      for (const button of buttons.reverse()) if (await button.isVisible()) return button;
      return null;
    };
    const button = await until(find, () => `the button ${name}`);
    await button.click();
  }

  /** Changes what the server will do with the next question. */
  async play(scenario) {
    await this.page.evaluate((scenario) => {
      const url = new URL(location.href);
      url.searchParams.set("scenario", scenario);
      history.replaceState(history.state, "", url);
    }, JSON.stringify(scenario));
  }

  /** Until the last answer holds these words. */
  async sees(words) {
    await this.page.waitForFunction(
      (words) => document.querySelector(".message.assistant:last-child .markdown")?.textContent.includes(words),
      { polling: "mutation" },
      words,
    );
  }

  async sits(selector) {
    await this.page.waitForSelector(selector, { visible: true });
  }

  /** Until what is drawn now has reached the screen: three frames are one more than the SDK needs. */
  async presented() {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    });
  }

  /** Opens another tab over this one; resolves when this one is hidden. */
  async cover() {
    const other = await this.page.browser().newPage();
    await other.bringToFront();
    await this.page.waitForFunction(() => document.visibilityState === "hidden", { polling: 50 });
    return other;
  }

  /** The collector's `n` turns of this tab once the last of them is as `is` says. */
  async turns(n = 1, is = ({ final }) => final, timeout = 10_000) {
    let last = [];
    const arrived = async () => {
      last = (await this.demo.turnsSince(this.since)).map(({ turn }) => turn);
      return last.length >= n && last.every(is);
    };
    await until(arrived, () => `${n} turns of these: ${JSON.stringify(last, null, 1)}`, timeout);
    return last;
  }

  async turn(is) {
    return (await this.turns(1, is))[0];
  }

  /** The step of the page's clock, as its batches say. */
  clockResolution() {
    return JSON.parse(this.beacons.at(-1)).page.clockResolution;
  }

  close() {
    return this.page.close({ runBeforeUnload: false });
  }
}
