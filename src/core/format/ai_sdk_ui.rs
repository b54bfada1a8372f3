//! AI SDK UI message stream (v5 to v7): parts with a start, deltas and an end.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family = Family {
    format: Format::AiSdkUi,
    header: Some("x-vercel-ai-ui-message-stream"),
    named: false,
    recognise,
    read,
};

/// Mastra and assistant-transport use some of the same type names, with fields of their own.
fn recognise(event: &Event<'_>) -> bool {
    let [id, delta, call, error, data] = event.json.pick(&["id", "delta", "toolCallId", "errorText", "data"]);
    let foreign = event.json.pick(&["payload", "runId", "path", "textDelta"]);
    let fits = match event.kind {
        "start" | "start-step" => true,
        "text-start" | "reasoning-start" => id.is_string(),
        "text-delta" | "reasoning-delta" => id.is_string() && delta.is_string(),
        "error" => error.is_string(),
        kind if kind.starts_with("tool-") => call.is_string(),
        kind if kind.starts_with("data-") => data != Json::NONE,
        _ => false,
    };
    fits && foreign.iter().all(|field| *field == Json::NONE)
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [delta, call, url, source, reason, message] =
        event.json.pick(&["delta", "toolCallId", "url", "sourceId", "finishReason", "messageId"]);
    match event.kind {
        "text-delta" => reading.text(delta),
        "reasoning-delta" => reading.reasoning(delta),
        "reasoning-start" => reading.mark(Kinds::REASONING),
        "start" => reading.identity(message, Json::NONE),
        "text-start" | "text-end" | "reasoning-end" | "message-metadata" => {}
        "start-step" | "finish-step" | "reset-step" => reading.mark(Kinds::STATUS),
        "source-url" | "source-document" => reading.source(&[url, source]),
        "file" | "reasoning-file" => reading.mark(Kinds::FILE),
        "finish" => reading.finish(reason),
        "abort" => reading.finish(event.json.get("type")),
        "error" => reading.mark(Kinds::ERROR),
        kind if kind.starts_with("tool-output-") => {
            reading.mark(Kinds::TOOL_RESULT);
            reading.count_tool(call); // a provider's own tool may show its output only
        }
        kind if kind.starts_with("tool-") => reading.tool_call(call),
        kind if kind.starts_with("data-") => reading.mark(Kinds::STATUS),
        _ => reading.mark(Kinds::OTHER),
    }
    read_metadata(event.json.get("messageMetadata"), reading);
}

/// The protocol has no place for model and usage; applications put them here, under the SDK's own names.
fn read_metadata(metadata: Json<'_>, reading: &mut Reading) {
    let [model, total, usage] = metadata.pick(&["model", "totalUsage", "usage"]);
    reading.identity(Json::NONE, model);
    let usage = if total.is_object() { total } else { usage };
    let [input, output, cached, reasoning, details] = usage.pick(&[
        "inputTokens",
        "outputTokens",
        "cachedInputTokens",
        "reasoningTokens",
        "inputTokenDetails",
    ]);
    reading.usage(Usage {
        input_tokens: input.u32(),
        output_tokens: output.u32(),
        cached_input_tokens: cached.u32().or(details.get("cacheReadTokens").u32()),
        reasoning_tokens: reasoning.u32(),
    });
}
