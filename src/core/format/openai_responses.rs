//! OpenAI Responses; also sent by Azure, xAI, DeepSeek, LM Studio, OpenRouter and others.
//!
//! Every `*.done` event and the last one repeat what the deltas said: they add no text.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};
use crate::core::text;

pub(super) const FAMILY: Family = Family {
    format: Format::OpenaiResponses,
    detect: "type=response.*; type=error,keepalive&sequence_number",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    match event.kind.strip_prefix("response.") {
        Some(name) => read_event(name, event.json, reading),
        None if event.kind == "error" => reading.mark(Kinds::ERROR),
        None if event.kind == "keepalive" => reading.mark(Kinds::PING),
        None => reading.mark(Kinds::OTHER),
    }
}

fn read_event(name: &str, json: Json<'_>, reading: &mut Reading) {
    match name {
        "output_text.delta" | "refusal.delta" => reading.text(json.get("delta")),
        "reasoning_text.delta" | "reasoning_summary_text.delta" => reading.reasoning(json.get("delta")),
        "output_item.added" => read_item(json, true, reading),
        "output_item.done" => read_item(json, false, reading),
        "output_text.annotation.added" => {
            let keys = json.get("annotation").pick(&["url", "file_id", "filename", "title"]);
            reading.source(keys.into_iter().find(|key| key.has_text()).unwrap_or(Json::NONE));
        }
        "created" | "queued" | "in_progress" => {
            reading.mark(Kinds::STATUS);
            read_identity(json.get("response"), reading);
        }
        "completed" | "incomplete" | "failed" | "cancelled" => read_end(name, json.get("response"), reading),
        _ => reading.mark(kinds_of_tool_event(name)),
    }
}

/// `web_search_call.searching` is progress, `function_call_arguments.delta` a piece of the call,
/// `shell_call_output_content.delta` a piece of its result. Perplexity tells its searches as `reasoning.search_queries` and
/// `reasoning.search_results`.
fn kinds_of_tool_event(name: &str) -> Kinds {
    let mut words = text::split(name, &['_', '.']).skip_while(|word| *word != "call");
    let (call, next) = (words.next(), words.next().unwrap_or(""));
    match (call, next) {
        (None, _) => match text::split_once(name, ".") {
            Some(("reasoning", "started")) => Kinds::REASONING,
            Some(("reasoning", what)) if what.ends_with("_results") => Kinds::TOOL_RESULT,
            Some(("reasoning" | "mcp_list_tools" | "compaction", _)) => Kinds::STATUS,
            _ => Kinds::META,
        },
        (_, "output") => Kinds::TOOL_RESULT,
        (_, "arguments" | "input" | "code" | "command" | "operation") => Kinds::TOOL_CALL,
        _ => Kinds::STATUS,
    }
}

fn read_item(json: Json<'_>, starts: bool, reading: &mut Reading) {
    let [item, place] = json.pick(&["item", "output_index"]);
    let [kind, id] = item.pick(&["type", "id"]);
    match kind.plain() {
        "reasoning" if starts => reading.mark(Kinds::REASONING),
        "mcp_list_tools" => reading.mark(Kinds::STATUS),
        "search_results" => reading.mark(Kinds::TOOL_RESULT),
        kind if kind.ends_with("_output") => reading.mark(Kinds::TOOL_RESULT),
        kind if kind.ends_with("_call") || matches!(kind, "mcp_approval_request" | "program") => {
            // By place, because some proxies change the ids from event to event.
            reading.tool_call(if place.exists() { place } else { id });
            let results = item.pick(&["outputs", "results", "output", "result"]);
            if !starts && results.iter().any(|result| result.has_parts() || result.has_text()) {
                reading.mark(Kinds::TOOL_RESULT);
            }
        }
        _ => reading.mark(Kinds::META),
    }
}

fn read_identity(response: Json<'_>, reading: &mut Reading) {
    let [id, model] = response.pick(&["id", "model"]);
    reading.identity(id, model);
}

fn read_end(name: &str, response: Json<'_>, reading: &mut Reading) {
    let [status, details, usage] = response.pick(&["status", "incomplete_details", "usage"]);
    let reason = details.get("reason");
    reading.finish(if reason.has_text() { reason.plain() } else { status.plain() });
    if name == "failed" {
        reading.mark(Kinds::ERROR);
    }
    read_identity(response, reading);
    let [input, output, input_details, output_details] =
        usage.pick(&["input_tokens", "output_tokens", "input_tokens_details", "output_tokens_details"]);
    reading.usage(Usage {
        input_tokens: input.u32(),
        output_tokens: output.u32(),
        cached_input_tokens: input_details.get("cached_tokens").u32(),
        reasoning_tokens: output_details.get("reasoning_tokens").u32(),
    });
}
