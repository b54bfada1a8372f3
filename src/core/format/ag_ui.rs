//! AG-UI, the protocol between agents and pages: a run of messages, tool calls and steps, each with its events.
//!
//! Until 0.1.10 reasoning was called thinking. Snapshots repeat the conversation: they add no text.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family =
    Family { format: Format::AgUi, header: None, named: false, recognise, read };

fn recognise(event: &Event<'_>) -> bool {
    let [run, message, error, delta] = event.json.pick(&["runId", "messageId", "message", "delta"]);
    match event.kind {
        "RUN_STARTED" => run.is_string(),
        "RUN_ERROR" => error.is_string(),
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => message.is_string() && delta.is_string(),
        _ => false,
    }
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [delta, call, run, outcome, usage] =
        event.json.pick(&["delta", "toolCallId", "runId", "outcome", "usage"]);
    match event.kind {
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => reading.text(delta),
        "RUN_FINISHED" => {
            let kind = outcome.get("type");
            reading.finish(if kind.exists() { kind } else { event.json.get("type") });
            usage.items().for_each(|part| read_usage(part, reading));
        }
        "RUN_ERROR" => {
            reading.mark(Kinds::ERROR);
            reading.end_marker(); // comes in the place of RUN_FINISHED
        }
        "RUN_STARTED" => {
            reading.mark(Kinds::STATUS);
            reading.identity(run, Json::NONE);
        }
        "TOOL_CALL_RESULT" => {
            reading.mark(Kinds::TOOL_RESULT);
            reading.count_tool(call);
        }
        kind => read_part(kind, delta, call, reading),
    }
}

fn read_part(kind: &str, delta: Json<'_>, call: Json<'_>, reading: &mut Reading) {
    let of = |prefix: &str| kind.starts_with(prefix);
    if of("TOOL_CALL_") {
        reading.mark(Kinds::TOOL_CALL);
        if call.has_text() {
            reading.count_tool(call); // chunks after the first may leave the id out
        }
    } else if of("REASONING_") || of("THINKING_") {
        if kind.ends_with("_START") {
            reading.mark(Kinds::REASONING);
        }
        reading.reasoning(delta);
    } else if !of("TEXT_MESSAGE_") {
        let progress = ["STEP_", "STATE_", "MESSAGES_", "ACTIVITY_", "SUBAGENT_", "RAW", "CUSTOM"];
        reading.mark(if progress.into_iter().any(of) { Kinds::STATUS } else { Kinds::OTHER });
    }
}

fn read_usage(part: Json<'_>, reading: &mut Reading) {
    let [model, input, output, cached, reasoning] =
        part.pick(&["model", "inputTokens", "outputTokens", "cachedInputTokens", "reasoningTokens"]);
    reading.identity(Json::NONE, model);
    reading.usage(Usage {
        input_tokens: input.u32(),
        output_tokens: output.u32(),
        cached_input_tokens: cached.u32(),
        reasoning_tokens: reasoning.u32(),
    });
}
