// Client-side smoothing: holds what arrives back for a fixed time, as pages do that even out bursts.
// Order is kept; with no delay everything passes in the same task.

export class Pace<Item> {
  #pending = new Set<ReturnType<typeof setTimeout>>();
  #idle: (() => void)[] = [];

  constructor(
    private readonly delay: number,
    private readonly apply: (item: Item) => void,
  ) {}

  push(item: Item): void {
    if (this.delay === 0) {
      this.apply(item);
      return;
    }
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      this.apply(item);
      if (this.#pending.size === 0) this.#settle();
    }, this.delay);
    this.#pending.add(timer);
  }

  /** Resolves when everything that was pushed has been applied. */
  drained(): Promise<void> {
    return this.#pending.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Drops what is held back: after Stop, nothing more may appear. */
  discard(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
    this.#settle();
  }

  #settle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
