// OpenAI Chat Completions and the servers that speak it.

import { failure, object, parse, reasoning, step, string, text, type Format, type Json, type Piece } from "./format";

export const openaiChat: Format = {
  framing: "sse",
  events: ["error"],
  interpret({ data }) {
    if (data.trim() === "[DONE]") return [{ kind: "done" }];
    const chunk = parse(data);
    if (!chunk) return [];
    const delta = object(object((chunk["choices"] as unknown[] | undefined)?.[0])?.["delta"]) ?? {};
    const pieces = [...thinking(delta), ...tools(delta), ...content(delta), ...sources(delta)];
    return chunk["error"] ? [...pieces, failure(chunk["error"])] : pieces;
  },
};

function thinking(delta: Json): Piece[] {
  return reasoning(string(delta["reasoning_content"]) || delta["reasoning"]);
}

function content(delta: Json): Piece[] {
  if (!Array.isArray(delta["content"])) return text(string(delta["content"]) || delta["refusal"]);
  return delta["content"].flatMap((value) => {
    const part = object(value) ?? {};
    if (part["type"] !== "thinking") return text(part["text"]);
    return ((part["thinking"] as unknown[] | undefined) ?? []).flatMap((inner) => reasoning(object(inner)?.["text"]));
  });
}

function tools(delta: Json): Piece[] {
  const calls = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : [];
  return calls.flatMap((call) => step(object(object(call)?.["function"])?.["name"]));
}

function sources(delta: Json): Piece[] {
  const annotations = Array.isArray(delta["annotations"]) ? delta["annotations"] : [];
  return annotations.flatMap((annotation): Piece[] => {
    const citation = object(object(annotation)?.["url_citation"]);
    const url = string(citation?.["url"]);
    return url ? [{ kind: "source", url, title: string(citation?.["title"]) || url }] : [];
  });
}
