// Keeps the page current: listens for stored turns and asks for a refresh, at most once in a while.
// Says in a polite live region how many turns came, seldom enough not to talk over the reader.

import { byId } from "../shared/dom";
import { plural } from "./format";

const refreshEvery = 3_000;
const announceEvery = 15_000;

export class Live {
  readonly #toggle = byId<HTMLInputElement>("live");
  readonly #state = byId("live-state");
  readonly #spoken = byId("live-count");
  #source: EventSource | null = null;
  #refreshing: ReturnType<typeof setTimeout> | undefined;
  #announcing: ReturnType<typeof setTimeout> | undefined;
  #new = 0;

  constructor(private readonly refresh: () => void) {
    this.#toggle.addEventListener("change", () => (this.#toggle.checked ? this.#start() : this.#stop()));
    this.#start();
  }

  #start(): void {
    this.#source = new EventSource("/api/dashboard/live");
    this.#source.addEventListener("open", () => (this.#state.textContent = "Live"));
    this.#source.addEventListener("error", () => (this.#state.textContent = "Reconnecting"));
    this.#source.addEventListener("turns", ({ data }) =>
      this.#onTurns((JSON.parse(data as string) as { ids: string[] }).ids.length),
    );
  }

  #stop(): void {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#refreshing);
    clearTimeout(this.#announcing);
    this.#refreshing = this.#announcing = undefined;
    this.#state.textContent = "Paused";
  }

  #onTurns(count: number): void {
    this.#new += count;
    this.#refreshing ??= setTimeout(() => {
      this.#refreshing = undefined;
      this.refresh();
    }, refreshEvery);
    this.#announcing ??= setTimeout(() => {
      this.#announcing = undefined;
      this.#spoken.textContent = `${plural(this.#new, "turn")} stored since the page was opened`;
    }, announceEvery);
  }
}
