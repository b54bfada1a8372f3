// The AI SDK's UI message stream: parts in kebab case, ended by `[DONE]`.

import { failure, object, parse, reasoning, step, string, text, type Format, type Json, type Piece } from "./format";

const on: Record<string, (part: Json) => Piece[]> = {
  "text-delta": (part) => text(part["delta"]),
  "reasoning-start": () => [{ kind: "status", text: "Thinking" }],
  "reasoning-delta": (part) => reasoning(part["delta"]),
  "tool-input-start": (part) => step(part["toolName"]),
  "tool-output-available": () => [{ kind: "status", text: "Reading the result" }],
  "source-url": (part) => source(part),
  error: (part) => [failure(part["errorText"])],
  abort: () => [{ kind: "done" }],
};

export const aiSdkUi: Format = {
  framing: "sse",
  interpret({ data }) {
    if (data.trim() === "[DONE]") return [{ kind: "done" }];
    const part = parse(data);
    if (!part) return [];
    const type = string(part["type"]);
    return type.startsWith("data-") ? status(part) : (on[type]?.(part) ?? []);
  },
};

/** Applications put progress into `data-*` parts; a string, or an object with a label, is something to show. */
function status(part: Json): Piece[] {
  const data = object(part["data"]);
  const label =
    string(part["data"]) ||
    string(data?.["step"]) ||
    string(data?.["label"]) ||
    string(data?.["message"]) ||
    string(data?.["text"]);
  return label ? [{ kind: "status", text: label }] : [];
}

function source(part: Json): Piece[] {
  const url = string(part["url"]);
  return url ? [{ kind: "source", url, title: string(part["title"]) || url }] : [];
}
