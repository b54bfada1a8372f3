// Asking the server: one request, its answer handed on in pieces as it comes. Two transports with one meaning.
// Touches the network; knows nothing of the page.

import { formats, type Format, type FormatName, type Piece } from "./formats";
import { framer } from "./formats/framing";
import type { StreamRecord } from "./formats/format";

export interface Question {
  format: FormatName;
  messages: { role: string; content: string }[];
  conversation: string;
  progress: boolean;
  regenerate: boolean;
  scenario: string | null;
}

/** Told about what the page's own reader sees; the ground truth listens. */
export interface Probe {
  requestSent(): void;
  chunk(time: number): void;
}

type OnPieces = (pieces: Piece[]) => void;

/** An answer that failed, with a message for the user. */
export class AnswerError extends Error {}

export function ask(
  question: Question,
  transport: "fetch" | "eventsource",
  signal: AbortSignal,
  probe: Probe | null,
  onPieces: OnPieces,
): Promise<void> {
  return (transport === "fetch" ? byFetch : byEventSource)(question, signal, probe, onPieces);
}

async function byFetch(
  question: Question,
  signal: AbortSignal,
  probe: Probe | null,
  onPieces: OnPieces,
): Promise<void> {
  const { scenario, ...rest } = question;
  const body = JSON.stringify({ ...rest, ...(scenario && { scenario: scenarioOf(scenario) }) });
  probe?.requestSent();
  const response = await fetch("/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal,
  });
  if (!response.ok || !response.body) throw new AnswerError(await explain(response));
  await read(response.body, formats[question.format], probe, onPieces);
}

async function read(
  body: ReadableStream<Uint8Array>,
  format: Format,
  probe: Probe | null,
  onPieces: OnPieces,
): Promise<void> {
  const reader = body.getReader();
  const frames = framer(format.framing);
  for (;;) {
    const { done, value } = await reader.read();
    if (value?.byteLength) probe?.chunk(performance.now());
    const records = value ? frames.push(value) : frames.end();
    emit(records, format, onPieces);
    if (done) return;
  }
}

/** All pieces of a chunk at once, so that the page draws once a chunk. */
function emit(records: StreamRecord[], format: Format, onPieces: OnPieces): void {
  const pieces = records.flatMap((record) => format.interpret(record));
  if (pieces.length) onPieces(pieces);
}

function byEventSource(
  question: Question,
  signal: AbortSignal,
  probe: Probe | null,
  onPieces: OnPieces,
): Promise<void> {
  const format = formats[question.format];
  probe?.requestSent();
  const source = new EventSource(`/api/chat/stream?${queryOf(question)}`);
  return new Promise<void>((resolve, reject) => {
    const onRecord = (event: Event) => {
      // The name "error" means both an event of the stream and a failed connection; only the first has data.
      // A reconnect would ask the question a second time, so a lost connection ends the answer.
      if (!(event instanceof MessageEvent)) return reject(new AnswerError("The connection to the server was lost."));
      probe?.chunk(performance.now());
      const pieces = format.interpret({ event: event.type, data: String(event.data) });
      if (pieces.length) onPieces(pieces);
      if (pieces.some(({ kind }) => kind === "done" || kind === "error")) resolve();
    };
    for (const name of new Set(["message", "error", ...(format.events ?? [])])) source.addEventListener(name, onRecord);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  }).finally(() => source.close());
}

function queryOf({ format, messages, conversation, progress, regenerate, scenario }: Question): URLSearchParams {
  const query = new URLSearchParams({
    format,
    message: messages.at(-1)?.content ?? "",
    conversation,
    progress: String(progress),
    regenerate: String(regenerate),
    turn: crypto.randomUUID(),
  });
  if (scenario) query.set("scenario", scenario);
  return query;
}

/** A scenario is a name or an object; the address has either as text. */
function scenarioOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function explain(response: Response): Promise<string> {
  if (response.status === 429) return "Too many requests right now. Please wait a moment and try again.";
  const body = (await response.json().catch(() => null)) as { error?: string | { message?: string } } | null;
  const message = typeof body?.error === "string" ? body.error : body?.error?.message;
  return message || `The server answered with status ${response.status}.`;
}
