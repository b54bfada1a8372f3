/**
 * One stream as the page reads it, however many readers, tees and clones it uses: bytes count once, and it ends once.
 * May touch: the sink.
 */
import { ABORT_IGNORED, ABORTED, CANCELLED, DONE, type End, ERROR } from "../engine.js";
import { guard } from "../guard.js";
import { sink } from "./sink.js";

export interface Flow {
  id: number;
  signal: AbortSignal | undefined;
  /** Bytes that the furthest branch was given. */
  seen: number;
  /** Branches that can still be read. */
  branches: number;
  ended: boolean;
  /** Reads that wait for what comes next. */
  reads: number;
  /** Reads that were begun after the page aborted the request, and got something all the same. */
  late: number;
}

export const now = (): number => performance.now();

let ids = 0;
/** A number for the next stream. */
export const nextId = (): number => ++ids;

/** Of flows that nobody can read any more: a signal may outlive many requests, and is to keep none of them. */
const gone = new FinalizationRegistry(guard((letGo: () => void) => letGo()));

/** An abort that comes while nobody reads. A read that waits tells by itself, and of what reason. */
const listen = (signal: AbortSignal, of: WeakRef<Flow>): (() => void) => {
  const hear = guard(() => {
    const flow = of.deref();
    if (flow && !flow.reads) fail(flow, signal.reason);
  });
  signal.addEventListener("abort", hear);
  return () => signal.removeEventListener("abort", hear);
};

export const createFlow = (signal?: AbortSignal): Flow => {
  const flow: Flow = { id: nextId(), signal, seen: 0, branches: 1, ended: false, late: 0, reads: 0 };
  if (signal) gone.register(flow, listen(signal, new WeakRef(flow)));
  return flow;
};

/** A branch at offset `at` was given bytes. Answers with its new offset. */
export const given = (flow: Flow, at: number, bytes: Uint8Array, t = now()): number => {
  const next = at + bytes.length;
  if (next > flow.seen && !flow.ended) {
    sink.chunk(flow.id, t, at < flow.seen ? bytes.subarray(flow.seen - at) : bytes);
    flow.seen = next;
  }
  return next;
};

/**
 * A read begun after the abort got something. Natively there can be one, from a branch that hears of it a step later;
 * a second one: something between the page and the browser swallowed the abort.
 */
export const late = (flow: Flow): void => {
  if (++flow.late === 2) sink.command(ABORT_IGNORED, now(), flow.id);
};

export const end = (flow: Flow, how: End = DONE, type = ""): void => {
  if (!flow.ended) sink.close(flow.id, now(), how, type);
  flow.ended = true;
};

export const fail = (flow: Flow, error: unknown): void => {
  // The name of the kind of error; a message could carry text.
  const type = error instanceof DOMException ? error.name : (error as object | undefined)?.constructor?.name;
  end(flow, flow.signal?.aborted || type === "AbortError" ? ABORTED : ERROR, `${type}`);
};

/** A branch was given up; the stream ends with the last one. */
export const giveUp = (flow: Flow): void => {
  if (!--flow.branches) end(flow, CANCELLED);
};
