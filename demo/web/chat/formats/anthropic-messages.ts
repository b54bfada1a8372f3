// Anthropic Messages: content blocks that start, grow by deltas and stop.

import { failure, object, parse, reasoning, step, string, text, type Format, type Json, type Piece } from "./format";

const on: Record<string, (event: Json) => Piece[]> = {
  content_block_start: (event) => block(object(event["content_block"])),
  content_block_delta: (event) => delta(object(event["delta"])),
  message_stop: () => [{ kind: "done" }],
  error: (event) => [failure(event["error"])],
};

export const anthropicMessages: Format = {
  framing: "sse",
  events: Object.keys(on),
  interpret({ event, data }) {
    const json = parse(data);
    if (!json) return [];
    return on[string(json["type"]) || (event ?? "")]?.(json) ?? [];
  },
};

function block(start: Json | null): Piece[] {
  const type = string(start?.["type"]);
  if (type.endsWith("thinking")) return [{ kind: "status", text: "Thinking" }];
  if (type.endsWith("tool_use")) return step(start?.["name"]);
  return type === "text" ? text(start?.["text"]) : [];
}

function delta(part: Json | null): Piece[] {
  switch (part?.["type"]) {
    case "text_delta":
      return text(part["text"]);
    case "thinking_delta":
      return reasoning(part["thinking"]);
    case "citations_delta":
      return citation(object(part["citation"]));
    default:
      return [];
  }
}

function citation(cited: Json | null): Piece[] {
  const url = string(cited?.["url"]);
  return url ? [{ kind: "source", url, title: string(cited?.["title"]) || url }] : [];
}
