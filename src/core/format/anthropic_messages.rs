//! Anthropic Messages: a message of content blocks, each with a start, deltas and a stop.
//!
//! Input tokens do not include the cached ones here; the counts are passed on as they come. After a refusal the client is to
//! take back what it showed.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::AnthropicMessages,
    detect: "type=message_start&message:object; type=content_block_start&content_block:object; \
             type=content_block_delta&delta:object; type=error&error.type:string&!sequence_number",
    rules: RULES,
    ..Family::PLAIN
};

/// The older completions: one text in pieces.
pub(super) const COMPLETE: Family = Family {
    format: Format::AnthropicComplete,
    detect: "type=completion&completion:string&model:string",
    rules: "
    completion  id      id
    completion  model   model
    completion  text    completion
    completion  finish  stop_reason
    ping        ping
    error       error
    _           other
",
    ..Family::PLAIN
};

/// Also of formats that wrap the same events.
pub(super) const RULES: &str = "
    message_start        meta
    message_start        id           message.id
    message_start        model        message.model
    message_start        text         message.content[]{type=text}.text
    message_start        call         message.content[]{type=*tool_use}  id
    message_start        tool_result  message.content[]{type=*tool_result}
    content_block_start  text         content_block{type=text}.text
    content_block_start  reasoning    content_block{type=thinking,redacted_thinking}
    content_block_start  reasoning    content_block{type=thinking}.thinking
    content_block_start  status       content_block{type=compaction}
    content_block_start  call         content_block{type=*tool_use}  id
    content_block_start  tool_result  content_block{type=*tool_result}
    content_block_delta  text         delta{type=text_delta}.text
    content_block_delta  reasoning    delta{type=thinking_delta}.thinking
    content_block_delta  tool_call    delta{type=input_json_delta}
    content_block_delta  source       delta{type=citations_delta}.citation  url,source,file_id,document_title,document_index
    content_block_delta  status       delta{type=compaction_delta}
    content_block_stop   meta
    message_delta        finish       delta.stop_reason
    message_stop         finish
    ping                 ping
    error                error
    _                    other
    message_start        input        message.usage.input_tokens
    message_start        output       message.usage.output_tokens
    message_start        cached       message.usage.cache_read_input_tokens
    message_delta        input        usage.input_tokens
    message_delta        output       usage.output_tokens
    message_delta        cached       usage.cache_read_input_tokens
    message_delta        thought      usage.output_tokens_details.thinking_tokens
";
