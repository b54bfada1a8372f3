// OpenAI Responses: typed events. The `*.done` events repeat what the deltas said and are left out.

import { failure, object, parse, reasoning, step, string, text, type Format, type Json, type Piece } from "./format";

const searching = { kind: "status", text: "Searching" } as const;

const on: Record<string, (event: Json) => Piece[]> = {
  "response.queued": () => [{ kind: "status", text: "Waiting in the queue" }],
  "response.in_progress": () => [{ kind: "status", text: "Working on it" }],
  "response.web_search_call.searching": () => [searching],
  "response.file_search_call.searching": () => [searching],
  "response.code_interpreter_call.interpreting": () => [{ kind: "status", text: "Running code" }],
  "response.output_item.added": (event) => item(object(event["item"])),
  "response.reasoning_summary_text.delta": (event) => reasoning(event["delta"]),
  "response.reasoning_text.delta": (event) => reasoning(event["delta"]),
  "response.output_text.delta": (event) => text(event["delta"]),
  "response.refusal.delta": (event) => text(event["delta"]),
  "response.output_text.annotation.added": (event) => annotation(object(event["annotation"])),
  "response.completed": () => [{ kind: "done" }],
  "response.incomplete": () => [{ kind: "done" }],
  "response.failed": (event) => [failure(object(event["response"])?.["error"])],
  error: (event) => [failure(event["error"] ?? event["message"])],
};

export const openaiResponses: Format = {
  framing: "sse",
  events: Object.keys(on),
  interpret({ event, data }) {
    const json = parse(data);
    if (!json) return [];
    return on[string(json["type"]) || (event ?? "")]?.(json) ?? [];
  },
};

function item(added: Json | null): Piece[] {
  const type = string(added?.["type"]);
  if (type === "reasoning") return [{ kind: "status", text: "Thinking" }];
  return type.endsWith("_call") ? step(string(added?.["name"]) || type) : [];
}

function annotation(added: Json | null): Piece[] {
  const url = string(added?.["url"]);
  return url ? [{ kind: "source", url, title: string(added?.["title"]) || url }] : [];
}
