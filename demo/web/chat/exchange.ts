// One turn in progress: asks, paces what arrives, puts it into the message and has it drawn.

import type { Piece } from "./formats";
import type { AnswerView } from "./message-view";
import { Pace } from "./pace";
import type { Settings } from "./settings";
import type { Message } from "./store";
import { AnswerError, ask, type Question } from "./stream";
import { transportOf } from "./settings";
import type { GroundTruth } from "./truth";

export class Exchange {
  readonly #abort = new AbortController();
  readonly #pace: Pace<Piece[]>;

  constructor(
    private readonly message: Message,
    private readonly view: AnswerView,
    private readonly truth: GroundTruth | null,
    private readonly settings: Settings,
  ) {
    this.#pace = new Pace(settings.buffer, (pieces) => this.#show(pieces));
  }

  /** Runs to the end, whichever it is; the message's state says which. */
  async run(question: Question): Promise<void> {
    const failed = await ask(question, transportOf(this.settings), this.#abort.signal, this.truth, (pieces) =>
      this.#pace.push(pieces),
    ).then(() => null, describe);
    await this.#pace.drained();
    if (this.#abort.signal.aborted) this.message.state = "stopped";
    else if (failed) this.#fail(failed);
    else if (this.message.state === "streaming") this.message.state = "done";
    if (this.message.state === "done") this.truth?.finished(this.message.text.length);
    this.view.end();
  }

  stop(): void {
    this.#abort.abort();
    this.#pace.discard();
  }

  #fail(error: string): void {
    this.message.state = "failed";
    this.message.error ??= error;
  }

  /** Draws once for all pieces that came together. */
  #show(pieces: Piece[]): void {
    if (this.#abort.signal.aborted) return;
    const changed = new Set(pieces.map((piece) => this.#take(piece)));
    if (changed.has("reasoning")) this.view.reasoning();
    if (changed.has("text")) this.view.text();
    if (changed.has("source")) this.view.sources();
  }

  #take(piece: Piece): Piece["kind"] {
    const { message } = this;
    switch (piece.kind) {
      case "text":
        message.text += piece.text;
        break;
      case "reasoning":
        message.reasoning += piece.text;
        break;
      case "source":
        if (!message.sources.some(({ url }) => url === piece.url))
          message.sources.push({ url: piece.url, title: piece.title });
        break;
      case "status":
        this.view.step(piece.text);
        break;
      case "error":
        this.#fail(piece.message);
        break;
      case "done":
        break;
    }
    return piece.kind;
  }
}

function describe(error: unknown): string {
  return error instanceof AnswerError ? error.message : "The connection to the server was lost.";
}
