// The list of conversations; on a narrow screen it opens over the page.

import { byId, h } from "../shared/dom";
import type { Conversation, Store } from "./store";

export class Sidebar {
  readonly #list = byId("conversations");
  readonly #toggle = byId<HTMLButtonElement>("menu");

  constructor(
    private readonly store: Store,
    private readonly open: (id: string | null) => void,
  ) {
    byId("new-conversation").addEventListener("click", () => this.#choose(null));
    this.#toggle.addEventListener("click", () => {
      this.#expand(!this.#expanded);
      if (this.#expanded) byId("new-conversation").focus();
    });
    byId("scrim").addEventListener("click", () => this.#expand(false));
    addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !this.#expanded) return;
      this.#expand(false);
      this.#toggle.focus();
    });
  }

  draw(currentId: string | null): void {
    this.#list.replaceChildren(...this.store.list.map((conversation) => this.#item(conversation, currentId)));
  }

  #item({ id, title }: Conversation, currentId: string | null): HTMLElement {
    const link = h("a", { href: `/c/${id}${location.search}`, "aria-current": id === currentId && "page" }, title);
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.#choose(id);
    });
    return h("li", {}, link);
  }

  #choose(id: string | null): void {
    this.#expand(false);
    this.open(id);
  }

  get #expanded(): boolean {
    return this.#toggle.getAttribute("aria-expanded") === "true";
  }

  #expand(expanded: boolean): void {
    this.#toggle.setAttribute("aria-expanded", String(expanded));
    document.body.classList.toggle("menu-open", expanded);
  }
}
