// The names of the steps that the server is at, from its side channel (one for each conversation, the same for all formats).

export type OnStep = (step: string | null) => void;

export class Steps {
  #source: EventSource | null = null;
  #conversation = "";
  #listener: OnStep = () => {};

  /** Listens for the running turn; the channel stays open for the next one. */
  follow(conversation: string, listener: OnStep): void {
    this.#listener = listener;
    if (this.#conversation === conversation) return;
    this.close();
    this.#conversation = conversation;
    this.#source = new EventSource(`/api/progress/${conversation}`);
    this.#source.addEventListener("progress", (event) => {
      const { step } = JSON.parse(event.data as string) as { step: string | null };
      this.#listener(step);
    });
  }

  close(): void {
    this.#source?.close();
    this.#source = null;
    this.#conversation = "";
  }
}
