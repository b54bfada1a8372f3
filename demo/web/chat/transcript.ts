// The list of messages. Follows the answer while the reader is at its end, and stays put when they have scrolled up.

import { byId, h } from "../shared/dom";
import { AnswerView, userView, type Drawing, type Handlers } from "./message-view";
import type { Message } from "./store";

const questions = [
  "What makes the northern lights glow?",
  "Plan three days in Lisbon with two children",
  "Write a debounce hook for React",
  "Why is my query slow, and which index would help?",
];

export class Transcript {
  readonly #scroller = byId("scroller");
  readonly #log = byId("transcript");
  readonly #welcome = byId("welcome");
  #following = true;

  constructor(
    private readonly drawing: Drawing,
    private readonly handlers: Handlers,
    ask: (question: string) => void,
  ) {
    const chip = (text: string) =>
      h("li", {}, h("button", { type: "button", class: "chip", onclick: () => ask(text) }, text));
    byId("examples").append(...questions.map(chip));
    this.#scroller.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
      this.#following = scrollHeight - scrollTop - clientHeight < 80;
    });
    new ResizeObserver(() => this.#following && this.#toEnd()).observe(this.#log);
  }

  show(messages: Message[]): void {
    const view = (message: Message) =>
      message.role === "user"
        ? userView(message, this.drawing, this.handlers)
        : new AnswerView(message, this.drawing, this.handlers).element;
    this.#log.replaceChildren(...messages.map(view));
    this.#welcome.hidden = messages.length > 0;
    this.#follow();
  }

  addQuestion(message: Message): void {
    this.#welcome.hidden = true;
    this.#log.append(userView(message, this.drawing, this.handlers));
    this.#follow();
  }

  addAnswer(view: AnswerView): void {
    this.#log.append(view.element);
    this.#follow();
  }

  removeLast(): void {
    this.#log.lastElementChild?.remove();
  }

  #follow(): void {
    this.#following = true;
    this.#toEnd();
  }

  #toEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }
}
