// The field for the question: Enter sends, Shift+Enter breaks the line, the field grows with its text.
// While an answer streams, Stop stands where Send is.

import { byId } from "../shared/dom";

export interface ComposerHandlers {
  send(text: string): void;
  stop(): void;
  cancelEdit(): void;
}

export class Composer {
  readonly #form = byId<HTMLFormElement>("composer");
  readonly #field = byId<HTMLTextAreaElement>("question");
  readonly #send = byId<HTMLButtonElement>("send");
  readonly #stop = byId<HTMLButtonElement>("stop");
  readonly #editing = byId("editing");

  constructor(handlers: ComposerHandlers) {
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#field.value.trim();
      if (text) handlers.send(text);
    });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.#editing.hidden) return handlers.cancelEdit();
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#form.requestSubmit();
    });
    this.#field.addEventListener("input", () => this.#update());
    this.#stop.addEventListener("click", handlers.stop);
    byId("cancel-edit").addEventListener("click", handlers.cancelEdit);
    this.#update();
  }

  set busy(busy: boolean) {
    const hadFocus = document.activeElement === this.#stop || document.activeElement === this.#send;
    this.#stop.hidden = !busy;
    this.#send.hidden = busy;
    this.#update();
    if (hadFocus) this.#field.focus();
    // Regenerate, Retry and the examples leave the page when they are pressed; the focus must not go with them.
    else if (busy && document.activeElement === document.body) this.#stop.focus();
  }

  set editing(editing: boolean) {
    this.#editing.hidden = !editing;
  }

  set text(text: string) {
    this.#field.value = text;
    this.#update();
  }

  focus(): void {
    this.#field.focus();
  }

  #update(): void {
    this.#send.disabled = !this.#field.value.trim();
    this.#field.style.height = "auto";
    this.#field.style.height = `${this.#field.scrollHeight + 2}px`;
  }
}
