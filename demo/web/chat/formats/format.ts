// What a stream means to the chat page: pieces of an answer. One file per wire format turns records into pieces;
// this file holds the vocabulary they share. Pure: no DOM, no network.

/** One thing that a stream tells the page. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "status"; text: string }
  | { kind: "source"; url: string; title: string }
  | { kind: "error"; message: string }
  | { kind: "done" };

/** A framed record: an SSE event, a line, or a piece of plain text. */
export interface StreamRecord {
  event?: string | undefined;
  data: string;
}

export interface Format {
  framing: "sse" | "lines" | "plain";
  /** Names of SSE events, which an `EventSource` has to subscribe to one by one. */
  events?: readonly string[];
  interpret(record: StreamRecord): Piece[];
}

export type Json = Record<string, unknown>;

/** Parses a record's data; `null` for sentinels such as `[DONE]` and for what is no object. */
export function parse(data: string): Json | null {
  try {
    return object(JSON.parse(data));
  } catch {
    return null;
  }
}

export function object(value: unknown): Json | null {
  return typeof value === "object" && value !== null ? (value as Json) : null;
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function text(value: unknown): Piece[] {
  return string(value) ? [{ kind: "text", text: string(value) }] : [];
}

export function reasoning(value: unknown): Piece[] {
  return string(value) ? [{ kind: "reasoning", text: string(value) }] : [];
}

/** An error as servers write it: a string, or an object with a message. */
export function failure(value: unknown): Piece {
  const message = string(value) || string(object(value)?.["message"]);
  return { kind: "error", message: message || "The server reported an error." };
}

/** The name of a tool as a step a person can read: `web_search` becomes "Using web search". */
export function step(tool: unknown): Piece[] {
  const name = string(tool)
    .replace(/_call$/, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return name ? [{ kind: "status", text: `Using ${name}` }] : [];
}
