// How a message looks: the user's bubble, and the assistant's answer with its reasoning, sources, failure and tools.
// Views draw what they are told; what happens on a click is decided by the handlers they are given.

import { h } from "../shared/dom";
import { createIndicator, type Indicator } from "./indicator";
import { renderMarkdown } from "./markdown";
import type { IndicatorName } from "./settings";
import type { Message } from "./store";
import type { GroundTruth } from "./truth";

export interface Handlers {
  regenerate(): void;
  retry(): void;
  edit(): void;
}

export interface Drawing {
  truth: GroundTruth | null;
  /** Whether to name the roles for the SDK. */
  roles: boolean;
}

const role = (drawing: Drawing, name: string) => (drawing.roles ? { "data-chat-vitals": name } : {});

export function userView(message: Message, drawing: Drawing, handlers: Handlers): HTMLElement {
  const bubble = h("p", { class: "bubble", ...role(drawing, "user") }, message.text);
  drawing.truth?.drawn("echo", bubble, message.text.length);
  return h(
    "article",
    { class: "message user", "aria-label": "You" },
    bubble,
    h("div", { class: "tools" }, h("button", { type: "button", class: "quiet edit", onclick: handlers.edit }, "Edit")),
  );
}

export class AnswerView {
  readonly element: HTMLElement;
  #indicator: Indicator | null = null;
  #status: HTMLElement | null = null;
  readonly #answer: HTMLElement;
  readonly #sources: HTMLElement;
  readonly #reasoning: HTMLDetailsElement;
  readonly #summary = h("summary", {}, "Thinking…");
  readonly #thoughts: HTMLElement;
  readonly #failure = h("div", { class: "failure", role: "alert", hidden: true });
  readonly #tools = h("div", { class: "tools", hidden: true });
  #toggledByUser = false;

  constructor(
    private readonly message: Message,
    private readonly drawing: Drawing,
    private readonly handlers: Handlers,
  ) {
    this.#answer = h("div", { class: "markdown", ...role(drawing, "answer") });
    this.#sources = h("ol", { class: "sources", "aria-label": "Sources", hidden: true, ...role(drawing, "source") });
    this.#thoughts = h("div", { class: "thoughts", ...role(drawing, "reasoning") });
    this.#summary.addEventListener("click", () => (this.#toggledByUser = true));
    this.#reasoning = h("details", { class: "reasoning", hidden: true }, this.#summary, this.#thoughts);
    this.element = h(
      "article",
      { class: "message assistant", "aria-label": "Answer" },
      this.#reasoning,
      this.#answer,
      this.#sources,
      this.#failure,
      this.#tools,
    );
    this.#drawStored();
  }

  wait(kind: IndicatorName): void {
    this.element.setAttribute("aria-busy", "true");
    this.#indicator = createIndicator(kind);
    this.#status = this.#indicator.element;
    if (this.drawing.roles) this.#status.dataset["chatVitals"] = "status";
    this.#answer.before(this.#status);
    if (kind === "steps") this.#drawnStatus();
  }

  step(name: string): void {
    this.#indicator?.step(name);
  }

  reasoning(): void {
    const first = this.#reasoning.hidden;
    this.#thoughts.textContent = this.message.reasoning;
    if (!first) return;
    this.#reasoning.hidden = false;
    this.#reasoning.open = true;
    this.drawing.truth?.drawn("reasoning", this.#thoughts, this.message.reasoning.length);
  }

  text(): void {
    this.#endWait();
    this.#answer.innerHTML = renderMarkdown(this.message.text);
    this.drawing.truth?.drawn("text", this.#answer, this.message.text.length);
  }

  sources(): void {
    const { sources } = this.message;
    const item = ({ url, title }: { url: string; title: string }) =>
      h("li", {}, h("a", { href: safe(url), target: "_blank", rel: "noopener noreferrer" }, title));
    this.#sources.replaceChildren(...sources.map(item));
    this.#sources.hidden = sources.length === 0;
  }

  /** Draws how the turn ended, by the message's state. */
  end(): void {
    const { state, error, text } = this.message;
    this.#endWait();
    this.element.removeAttribute("aria-busy");
    this.#failure.hidden = state !== "failed";
    this.#failure.replaceChildren();
    if (state === "failed") {
      this.#failure.append(
        h("p", {}, error ?? "Something went wrong."),
        h("button", { type: "button", onclick: this.handlers.retry }, "Retry"),
      );
    }
    this.element.classList.toggle("stopped", state === "stopped");
    this.#tools.hidden = false;
    this.#tools.replaceChildren(
      ...(text ? [this.#copyButton()] : []),
      ...(state === "failed" ? [] : [this.#regenerateButton()]),
      ...(state === "stopped" ? [h("span", { class: "note" }, "You stopped this answer.")] : []),
    );
  }

  #drawStored(): void {
    if (this.message.reasoning) {
      this.reasoning();
      this.#endThinking();
    }
    if (this.message.text) this.#answer.innerHTML = renderMarkdown(this.message.text);
    if (this.message.sources.length) this.sources();
    if (this.message.state !== "streaming") this.end();
  }

  #drawnStatus(): void {
    const label = this.#status?.querySelector(".step");
    if (label) this.drawing.truth?.drawn("status", label, label.textContent?.length ?? 0);
  }

  #endWait(): void {
    this.#status?.remove();
    this.#status = this.#indicator = null;
    this.#endThinking();
  }

  /** Folds the reasoning away when the answer begins, unless the user has decided. */
  #endThinking(): void {
    if (this.#reasoning.hidden || this.#summary.textContent === "Reasoning") return;
    this.#summary.textContent = "Reasoning";
    if (!this.#toggledByUser) this.#reasoning.open = false;
  }

  #copyButton(): HTMLElement {
    const button = h("button", { type: "button", class: "quiet" }, "Copy");
    button.addEventListener("click", async () => {
      const copied = await navigator.clipboard.writeText(this.message.text).then(
        () => true,
        () => false,
      );
      button.textContent = copied ? "Copied" : "Copying is not allowed";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    return button;
  }

  #regenerateButton(): HTMLElement {
    const attributes = { type: "button", class: "quiet regenerate", ...role(this.drawing, "regenerate") };
    return h("button", { ...attributes, onclick: this.handlers.regenerate }, "Regenerate");
  }
}

/** Sources come from the stream: only web addresses become links. */
function safe(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null;
}
