// Ollama: one JSON object a line, from `/api/chat` or `/api/generate`.

import { failure, object, parse, reasoning, step, string, text, type Format, type Piece } from "./format";

export const ollama: Format = {
  framing: "lines",
  interpret({ data }) {
    const line = parse(data);
    if (!line) return [];
    if (line["error"]) return [failure(line["error"])];
    const message = object(line["message"]) ?? line;
    const pieces: Piece[] = [
      ...reasoning(message["thinking"]),
      ...tools(message["tool_calls"]),
      ...text(string(message["content"]) || message["response"]),
    ];
    return line["done"] === true ? [...pieces, { kind: "done" }] : pieces;
  },
};

function tools(calls: unknown): Piece[] {
  const list = Array.isArray(calls) ? calls : [];
  return list.flatMap((call) => step(object(object(call)?.["function"])?.["name"]));
}
