/**
 * One stream as the page reads it, however many readers, tees and clones it uses: bytes count once, and it ends once.
 * May touch: the sink.
 */
import { ABORTED, CANCELLED, DONE, type End, ERROR, type Sink } from "../engine.js";

export interface Flow {
  readonly ended: boolean;
  /** Bytes that a branch at offset `at` was given. Answers with its new offset. */
  chunk(at: number, bytes: Uint8Array): number;
  /** The same where the bytes are not worth keeping. */
  skip(length: number): void;
  /** One branch more that can be read. */
  fork(): void;
  done(): void;
  fail(error: unknown): void;
  /** A branch was given up; the stream ends with the last one. */
  cancel(): void;
}

/** Name of the error's constructor; a message could carry text. */
export const errorType = (error: unknown): string =>
  error instanceof DOMException ? error.name : error instanceof Error ? error.constructor.name : typeof error;

export const createFlow = (sink: Sink, id: number, signal: AbortSignal | undefined): Flow => {
  let seen = 0;
  let branches = 1;
  let ended = false;
  const close = (end: End, type = "") => {
    if (ended) return;
    ended = true;
    sink.close(id, performance.now(), end, type);
  };
  return {
    get ended() {
      return ended;
    },
    chunk(at, bytes) {
      const next = at + bytes.length;
      if (next > seen && !ended) {
        sink.chunk(id, performance.now(), at < seen ? bytes.subarray(seen - at) : bytes);
        seen = next;
      }
      return next;
    },
    skip(length) {
      if (!seen && !ended) sink.skip(id, performance.now(), length);
      seen = seen || length;
    },
    fork: () => void branches++,
    done: () => close(DONE),
    fail: (error) =>
      close(signal?.aborted || (error as Error)?.name === "AbortError" ? ABORTED : ERROR, errorType(error)),
    cancel: () => void (--branches || close(CANCELLED)),
  };
};
