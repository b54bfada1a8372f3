//! Ollama, chat and generate: one object a line, the last with `done` and the counts.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::json::Json;
use crate::core::signal::{Format, Kinds, Usage};

pub(super) const FAMILY: Family =
    Family { format: Format::Ollama, header: None, named: false, recognise, read };

fn recognise(event: &Event<'_>) -> bool {
    event.json.pick(&["model", "created_at"]).iter().all(|field| field.is_string())
}

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [model, message, error, done, reason] =
        event.json.pick(&["model", "message", "error", "done", "done_reason"]);
    reading.identity(Json::NONE, model);
    let [content, thinking, calls] = message.pick(&["content", "thinking", "tool_calls"]);
    let [response, generated_thinking] = event.json.pick(&["response", "thinking"]);
    reading.reasoning(thinking);
    reading.reasoning(generated_thinking);
    reading.text(content);
    reading.text(response);
    calls.items().for_each(|call| reading.tool_call(call)); // each entry is a whole call
    if error.exists() {
        reading.mark(Kinds::ERROR);
    }
    if done.is_true() {
        reading.finish(reason);
        let [input, output] = event.json.pick(&["prompt_eval_count", "eval_count"]);
        reading.usage(Usage { input_tokens: input.u32(), output_tokens: output.u32(), ..Usage::default() });
    }
}
