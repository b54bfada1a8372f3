//! Google's Interactions: steps, each with a start, deltas and a stop. Older servers call a step `content`.
//!
//! Counts of the whole answer so far may come with any event, beside it.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::GoogleInteractions,
    detect: "event_type=interaction.*; event_type=step.start&step.type:string; event_type=content.start&content.type:string; \
             @=interaction.*&event_type=interaction.*",
    kind: "event_type",
    rules: "
    interaction.*                                   id           interaction.id
    interaction.*                                   id           interaction_id
    interaction.*                                   model        interaction.model
    interaction.created,interaction.start,interaction.in_progress  status
    interaction.status_update,interaction.*_action  status
    interaction.complete,interaction.completed      finish
    interaction.complete,interaction.completed      finish       interaction.status
    step.start                                      reasoning    step{type=thought}
    step.start                                      call         step{type=*_call}       id
    step.start                                      tool_result  step{type=*_result}
    step.delta,content.delta                        text         delta{type=text}.text
    step.delta,content.delta                        reasoning    delta{type=thought_summary}.content.text
    step.delta,content.delta                        tool_call    delta{type=*_call,arguments_delta}
    step.delta,content.delta                        tool_result  delta{type=*_result}
    step.delta,content.delta                        source       delta.annotations[]     url,source,document_uri,title,file_name,place_id,name
    step.delta,content.delta                        file         delta{type=image,audio,video,document}
    step.delta,content.delta                        meta         delta{type=thought_signature}
    content.start                                   reasoning    content{type=thought}
    content.start                                   call         content{type=*_call}    id
    content.start                                   tool_result  content{type=*_result}
    content.delta                                   count-call   delta{type=*_call&id!=}  id
    step.stop,content.stop                          meta
    error                                           error
    _                                               other
    *                                               input        metadata.usage.total_input_tokens
    *                                               output       metadata.usage.total_output_tokens
    *                                               cached       metadata.usage.total_cached_tokens
    *                                               thought      metadata.usage.total_thought_tokens
    *                                               input        interaction.usage.total_input_tokens
    *                                               output       interaction.usage.total_output_tokens
    *                                               cached       interaction.usage.total_cached_tokens
    *                                               thought      interaction.usage.total_thought_tokens
",
    ..Family::PLAIN
};
