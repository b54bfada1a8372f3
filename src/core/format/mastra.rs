//! Mastra: names of types as in the AI SDK, values in a payload, each event with its run.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Mastra,
    detect: "runId:string&from=AGENT,USER,SYSTEM,WORKFLOW,NETWORK&type:string",
    rules: "
    *                                id           runId
    text-delta                       text         payload.text
    reasoning-delta                  reasoning    payload.text
    reasoning-start,redacted-reasoning  reasoning
    text-start,text-end,reasoning-end,reasoning-signature,response-metadata,raw  meta
    tool-call*                       call         payload          toolCallId
    tool-result,tool-error           tool_result
    source                           source       payload          url,id,title
    file                             file
    finish                           finish
    finish                           finish       payload.stepResult.reason
    finish                           input        payload.output.usage.inputTokens
    finish                           output       payload.output.usage.outputTokens
    finish                           cached       payload.output.usage.cachedInputTokens
    finish                           thought      payload.output.usage.reasoningTokens
    abort                            finish       @
    error,tripwire                   error
    _                                status
",
    ..Family::PLAIN
};
