/** Recorded streams as pieces that can be sent one after the other. May touch: files of recordings, for reading. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../streams/", import.meta.url));
const own = fileURLToPath(new URL("../streams/", import.meta.url));

/** Few pieces keep a run short; more than one event a piece is what proxies do too. */
const MOST = 12;

const headersOf = (file) => {
  const lines = readFileSync(`${repository}index.jsonl`, "utf8").trim().split("\n");
  const entry = lines.map((line) => JSON.parse(line)).find((line) => line.file === file);
  return entry && { "content-type": entry.content_type, ...entry.headers };
};

const TYPES = { sse: "text/event-stream", ndjson: "application/x-ndjson", txt: "text/plain; charset=utf-8" };
const ENDS = { sse: /(?<=\r?\n\r?\n)/, ndjson: /(?<=\n)/, txt: /(?<= )/ };

const join = (events) => {
  const size = Math.ceil(events.length / MOST);
  const pieces = [];
  for (let at = 0; at < events.length; at += size) pieces.push(events.slice(at, at + size).join(""));
  return pieces;
};

/** An answer that is given in full: `file` is a path below `tests/streams/`, or below `tests/clients/streams/`. */
export const recorded = (file) => {
  const headers = headersOf(file);
  const body = readFileSync((headers ? repository : own) + file, "utf8");
  const kind = file.split(".").at(-1);
  return { headers: headers ?? { "content-type": TYPES[kind] }, pieces: join(body.split(ENDS[kind])), end: "done" };
};

/** The first half, then nothing more until the client goes away. */
export const hanging = (answer) => ({ ...half(answer), end: "hang" });

/** The first half, then the connection is torn down; before, a pause in which a client draws what it held back. */
export const cut = (answer, pause) => ({ ...half(answer), end: "cut", pause });

const half = (answer) => ({ ...answer, pieces: answer.pieces.slice(0, Math.ceil(answer.pieces.length / 2)) });

/** An answer that is an error with a body of JSON. */
export const refusal = (status, error, headers = {}) => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  pieces: [JSON.stringify({ error })],
  end: "done",
});
