//! LangGraph server: the events of a run, whose names are the stream modes that the client asked for.
//!
//! `messages` brings pieces of messages, `messages/partial` each message as far as it is, `events` the pieces
//! once more among all that runs. One of them is read; states and updates repeat what it said. Where a client asked for states
//! alone, the answer is what they add to the one that the run began with.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};
use crate::core::text;

pub(super) const FAMILY: Family = Family {
    format: Format::Langgraph,
    detect: "@=metadata&run_id:string&attempt:number; \
             @=messages,messages/partial,messages/complete,messages|*&[0].type:string; \
             @=values,values|*&messages:array; @=events,events|*&event=on_*&run_id:string",
    read,
    ..Family::PLAIN
};

/// Modes that tell a message as far as it is.
const GROWING: &str = "messages/partial";

/// The stream mode; subgraphs add their place behind it.
fn mode<'a>(event: &Event<'a>) -> &'a str {
    text::split(event.name, &['|']).next().unwrap_or("")
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let mut items = event.json.items();
    match mode(event) {
        "messages" => {
            let mut next = || items.next().unwrap_or(Json::NONE);
            let (piece, metadata) = (next(), next());
            read_model(metadata, reading);
            read_message("messages", piece, reading);
        }
        "messages/partial" | "messages/complete" => {
            items.for_each(|message| read_message(GROWING, message, reading));
        }
        "messages/metadata" => {
            event.json.members().for_each(|(_, message)| read_model(message.get("metadata"), reading))
        }
        "events" => read_run_event(event.json, reading),
        "metadata" => reading.identity(event.json.get("run_id"), Json::NONE),
        "values" => read_state(event.json.get("messages"), reading),
        "updates" | "custom" | "debug" | "tasks" | "checkpoints" => reading.mark(Kinds::STATUS),
        "error" => reading.mark(Kinds::ERROR),
        "end" => reading.end_marker(),
        _ => reading.mark(Kinds::OTHER),
    }
}

fn read_model(metadata: Json<'_>, reading: &mut Reading) {
    reading.identity(Json::NONE, metadata.get("ls_model_name"));
}

pub(super) fn read_run_event(json: Json<'_>, reading: &mut Reading) {
    let [name, data, metadata] = json.pick(&["event", "data", "metadata"]);
    read_model(metadata, reading);
    match name.plain() {
        "on_chat_model_stream" => read_message("events", data.get("chunk"), reading),
        "on_tool_end" => reading.mark(Kinds::TOOL_RESULT),
        _ => reading.mark(Kinds::STATUS),
    }
}

pub(super) fn read_message(mode: &'static str, message: Json<'_>, reading: &mut Reading) {
    let [kind, id, content, calls, pieces, usage, extra, response] = message.pick(&[
        "type",
        "id",
        "content",
        "tool_calls",
        "tool_call_chunks",
        "usage_metadata",
        "additional_kwargs",
        "response_metadata",
    ]);
    match kind.plain() {
        "ai" | "AIMessageChunk" | "AIMessage" => {}
        "tool" | "ToolMessage" => return reading.mark(Kinds::TOOL_RESULT),
        _ => return,
    }
    let grows = mode == GROWING;
    if !reading.settle_mode(mode) {
        return;
    }
    let key = id.fingerprint();
    read_content(content, grows.then_some(key), reading);
    for call in calls.items().chain(pieces.items()) {
        reading.mark(Kinds::TOOL_CALL);
        if call.get("id").has_text() {
            reading.count_tool(call.get("id")); // with its first piece only
        }
    }
    for reason in [extra.get("stop_reason"), response.get("stop_reason"), response.get("finish_reason")] {
        if reason.has_text() {
            reading.reason(reason.plain());
        }
    }
    if usage.is_object() && mode != "events" {
        read_usage(key, usage, reading);
    }
}

/// All messages so far, those of earlier turns and the user's among them. The first state is what the run was asked with.
fn read_state(messages: Json<'_>, reading: &mut Reading) {
    let is_first = reading.part(Some(0)) != Kinds::STATUS;
    reading.set_part(0, Kinds::STATUS);
    let of = |message: Json<'_>, kinds: &[&str]| kinds.iter().any(|kind| message.get("type").is(kind));
    let asked = messages.items().zip(1..).filter(|(message, _)| of(*message, &["human", "HumanMessage"]));
    let start = if is_first { usize::MAX } else { asked.last().map_or(0, |(_, place)| place) };
    for message in messages.items().skip(start).filter(|message| of(*message, &["ai", "AIMessage"])) {
        let [id, content] = message.pick(&["id", "content"]);
        if (content.has_text() || content.has_parts()) && reading.settle_mode("values") {
            read_content(content, Some(id.fingerprint()), reading);
        }
        message.get("tool_calls").items().for_each(|call| reading.count_tool(call.get("id")));
    }
    if !reading.is(Kinds::TEXT | Kinds::REASONING) {
        reading.mark(Kinds::STATUS);
    }
}

/// A text, or blocks of text and of thoughts; of a message that grows what is new.
fn read_content(content: Json<'_>, growing: Option<u64>, reading: &mut Reading) {
    read_text(content, false, growing, reading);
    for (block, place) in content.items().zip(1..) {
        let [text, thinking] = block.pick(&["text", "thinking"]);
        let growing = growing.map(|key| key.wrapping_add(place));
        read_text(text, false, growing, reading);
        read_text(thinking, true, growing, reading);
    }
}

/// Text of a piece, or of a message that grows.
fn read_text(text: Json<'_>, is_reasoning: bool, growing: Option<u64>, reading: &mut Reading) {
    match growing {
        Some(key) => reading.grown(key, text, is_reasoning),
        None if is_reasoning => reading.reasoning(text),
        None => reading.text(text),
    }
}

/// Each message has its own counts, told once or more; a run has several messages.
fn read_usage(key: u64, usage: Json<'_>, reading: &mut Reading) {
    let [input, output, inputs, outputs] =
        usage.pick(&["input_tokens", "output_tokens", "input_token_details", "output_token_details"]);
    reading.mark(Kinds::USAGE);
    reading.usage_of(
        key,
        Usage {
            input_tokens: input.u32(),
            output_tokens: output.u32(),
            cached_input_tokens: inputs.get("cache_read").u32(),
            reasoning_tokens: outputs.get("reasoning").u32(),
        },
    );
}
