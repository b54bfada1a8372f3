// The chat page as a person's hands and eyes reach it: trusted keys and clicks, accessible names.

const pollEvery = 100;

export class ChatPage {
  constructor(page, random) {
    this.page = page;
    this.random = random;
  }

  async open(url) {
    await this.page.goto(url, { waitUntil: "load" });
    await this.page.waitForSelector("#question");
  }

  async ask(text) {
    await this.page.click("#question");
    await this.page.keyboard.type(text, { delay: this.random.between(4, 14) });
    await this.page.keyboard.press("Enter");
    await this.page.waitForSelector(".message.assistant");
  }

  async edit(text) {
    await this.press("Edit");
    await this.page.keyboard.down("Control");
    await this.page.keyboard.press("a");
    await this.page.keyboard.up("Control");
    await this.ask(text);
  }

  /** Clicks the last visible button with this name; says whether there was one. */
  async press(name) {
    const buttons = await this.page.$$(`::-p-aria([name="${name}"][role="button"])`);
    for (const button of buttons.reverse()) {
      if (!(await button.isVisible())) continue;
      // The button may leave while the hand is on its way, as Stop does when the answer ends.
      return button.click().then(
        () => true,
        () => false,
      );
    }
    return false;
  }

  /** What the person sees while they wait. */
  indicator() {
    return this.page
      .$eval(".message.assistant:last-child .progress", (element) => element.classList[1] ?? "none")
      .catch(() => "none");
  }

  /** Waits for the first words; `false` if they did not come in time. */
  firstWords(timeout) {
    return this.#until(
      () =>
        !document.querySelector(".message:last-child[aria-busy]") ||
        !!document.querySelector(".message:last-child .markdown")?.textContent,
      timeout,
    );
  }

  /** Waits for the end of the answer; `false` if it did not come in time. */
  finished(timeout) {
    return this.#until(() => !document.querySelector("[aria-busy]"), timeout);
  }

  streaming() {
    return this.page.$("[aria-busy]").then((element) => element !== null);
  }

  async scroll() {
    await this.page.mouse.move(600, 400);
    await this.page.mouse.wheel({ deltaY: -250 });
    await this.page.mouse.wheel({ deltaY: 500 });
  }

  async #until(condition, timeout) {
    try {
      await this.page.waitForFunction(condition, { timeout, polling: pollEvery });
      return true;
    } catch (error) {
      if (error.name === "TimeoutError") return false;
      throw error;
    }
  }
}
