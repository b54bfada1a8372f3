//! Anthropic Messages: a message of content blocks, each with a start, deltas and a stop.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family =
    Family { format: Format::AnthropicMessages, header: None, named: false, recognise, read };

fn recognise(event: &Event<'_>) -> bool {
    match event.kind {
        "message_start" => event.json.get("message").is_object(),
        "content_block_start" => event.json.get("content_block").is_object(),
        "content_block_delta" => event.json.get("delta").is_object(),
        "error" => {
            event.json.get("error").get("type").is_string() && !event.json.get("sequence_number").exists()
        }
        _ => false,
    }
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    match event.kind {
        "message_start" => {
            let [id, model, usage] = event.json.get("message").pick(&["id", "model", "usage"]);
            reading.mark(Kinds::META);
            reading.identity(id, model);
            read_usage(usage, reading);
        }
        "content_block_start" => read_start(event.json.get("content_block"), reading),
        "content_block_delta" => read_delta(event.json.get("delta"), reading),
        "content_block_stop" => reading.mark(Kinds::META),
        "message_delta" => {
            let [delta, usage] = event.json.pick(&["delta", "usage"]);
            let reason = delta.get("stop_reason");
            if reason.has_text() {
                reading.finish(reason);
            }
            read_usage(usage, reading);
        }
        "message_stop" => reading.end_marker(),
        "ping" => reading.mark(Kinds::PING),
        "error" => reading.mark(Kinds::ERROR),
        _ => reading.mark(Kinds::OTHER),
    }
}

fn read_start(block: Json<'_>, reading: &mut Reading) {
    let [kind, id, text, thinking] = block.pick(&["type", "id", "text", "thinking"]);
    match kind.plain() {
        "text" => reading.text(text),
        "thinking" | "redacted_thinking" => {
            reading.mark(Kinds::REASONING);
            reading.reasoning(thinking);
        }
        "compaction" => reading.mark(Kinds::STATUS),
        kind if kind.ends_with("tool_use") => reading.tool_call(id),
        kind if kind.ends_with("tool_result") => reading.mark(Kinds::TOOL_RESULT),
        _ => reading.mark(Kinds::META),
    }
}

fn read_delta(delta: Json<'_>, reading: &mut Reading) {
    let [kind, text, thinking, citation] = delta.pick(&["type", "text", "thinking", "citation"]);
    match kind.plain() {
        "text_delta" => reading.text(text),
        "thinking_delta" => reading.reasoning(thinking),
        "input_json_delta" => reading.mark(Kinds::TOOL_CALL),
        "citations_delta" => {
            reading.source(&citation.pick(&["url", "source", "file_id", "document_title", "document_index"]))
        }
        "compaction_delta" => reading.mark(Kinds::STATUS),
        _ => reading.mark(Kinds::META),
    }
}

/// Input tokens do not include the cached ones here; the counts are passed on as they come.
fn read_usage(usage: Json<'_>, reading: &mut Reading) {
    let [input, output, cached] = usage.pick(&["input_tokens", "output_tokens", "cache_read_input_tokens"]);
    reading.usage(Usage {
        input_tokens: input.u32(),
        output_tokens: output.u32(),
        cached_input_tokens: cached.u32(),
        reasoning_tokens: None,
    });
}
