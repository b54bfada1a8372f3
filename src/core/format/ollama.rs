//! Ollama, chat and generate: one object a line, the last with `done` and the counts. Each entry of `tool_calls` is a whole call.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Ollama,
    detect: "model:string&created_at:string&done=true,false",
    kind: "",
    rules: "
    *  model        model
    *  reasoning    message.thinking
    *  reasoning    thinking
    *  text         message.content
    *  text         response
    *  call         message.tool_calls[]
    *  error        error
    *  finish       {done=true}
    *  finish       {done=true}.done_reason
    *  input        {done=true}.prompt_eval_count
    *  output       {done=true}.eval_count
    *  nanoseconds  {done=true}.load_duration         load
    *  nanoseconds  {done=true}.prompt_eval_duration  prompt
    *  nanoseconds  {done=true}.eval_duration         completion
    *  nanoseconds  {done=true}.total_duration        total
",
    ..Family::PLAIN
};
