//! Cohere: the second version (content with a start, deltas and an end) and the first (one JSON object a line).
//!
//! What a model means to do with its tools, the plan, is reasoning. The last record of the first version repeats the text.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const V2: Family = Family {
    format: Format::CohereV2,
    detect: "type=message-start,content-start,content-delta,tool-plan-delta,tool-call-start&delta.message:object",
    rules: "
    message-start           id         id
    content-start           reasoning  delta.message.content{type=thinking}
    content-*               reasoning  delta.message.content.thinking
    content-*               text       delta.message.content.text
    tool-plan-delta         reasoning  delta.message.tool_plan
    tool-call-*             tool_call
    tool-call-start         call       delta.message.tool_calls  id
    citation-start          source     delta.message.citations.sources[]  document.url,tool_output.url,id
    citation-end            meta
    message-end             finish     delta.finish_reason
    message-end             finish
    message-end             error      delta.error
    message-end             input      delta.usage{!tokens}.billed_units.input_tokens
    message-end             output     delta.usage{!tokens}.billed_units.output_tokens
    message-end             input      delta.usage.tokens.input_tokens
    message-end             output     delta.usage.tokens.output_tokens
    message-end             cached     delta.usage.cached_tokens
    debug                   meta
    _                       other
",
    ..Family::PLAIN
};

pub(super) const V1: Family = Family {
    format: Format::CohereV1Ndjson,
    detect: "event_type=stream-start&generation_id; event_type=text-generation&text:string&is_finished",
    kind: "event_type",
    rules: V1_RULES,
    ..Family::PLAIN
};

/// Also of formats that wrap the same records.
pub(super) const V1_RULES: &str = "
    stream-start                            id           generation_id
    text-generation                         text         text
    search-queries-generation               new-call     search_queries[]  generation_id
    search-results                          tool_result
    citation-generation                     source       citations[].document_ids[]
    tool-calls-chunk                        reasoning    text
    tool-calls-chunk                        tool_call    tool_call_delta
    tool-calls-generation                   new-call     tool_calls[]  -
    stream-end                              finish       finish_reason
    stream-end                              finish
    stream-end                              error        {finish_reason=ERROR*}
    stream-end                              input        response.meta{!tokens}.billed_units.input_tokens
    stream-end                              output       response.meta{!tokens}.billed_units.output_tokens
    stream-end                              input        response.meta.tokens.input_tokens
    stream-end                              output       response.meta.tokens.output_tokens
    _                                       other
";
