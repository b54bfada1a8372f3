//! AI SDK UI message stream (v5 to v7): parts with a start, deltas and an end.
//!
//! The protocol has no place for model and usage; applications put them into the message's metadata, under the SDK's own names.
//! Mastra and assistant-transport use some of the same type names, with fields of their own. A provider's own tool may show
//! its output only.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::AiSdkUi,
    header: "x-vercel-ai-ui-message-stream",
    detect: "={\"type\":\"start*\"},{\"type\": \"start*\"}; type=start&messageId:string&!payload&!runId; \
             type=start&messageMetadata&!payload; type=text-start,reasoning-start&id:string&!payload; \
             type=text-delta,reasoning-delta&id:string&delta:string; type=error&errorText:string; \
             type=tool-*&toolCallId:string&!payload&!path; type=data-*&data",
    rules: "
    text-delta                                text         delta
    reasoning-delta                           reasoning    delta
    reasoning-start                           reasoning
    start                                     id           messageId
    text-start,text-end,reasoning-end         meta
    message-metadata                          meta
    start-step,finish-step,reset-step,data-*  status
    reset-step                                withdrawn
    source-url,source-document                source       {}                         url,sourceId
    file,reasoning-file                       file
    finish                                    finish
    finish                                    finish       finishReason
    abort                                     finish       @
    error                                     error
    tool-output-*                             tool_result
    tool-output-*                             count-call   toolCallId
    tool-*                                    call         {type!=tool-output-*&toolCallId}  toolCallId
    tool-approval-response                    tool_call
    _                                         other
    *                                         model        messageMetadata.model
    *                                         input        messageMetadata{!totalUsage}.usage.inputTokens
    *                                         output       messageMetadata{!totalUsage}.usage.outputTokens
    *                                         cached       messageMetadata{!totalUsage}.usage.cachedInputTokens
    *                                         cached       messageMetadata{!totalUsage}.usage.inputTokenDetails.cacheReadTokens
    *                                         thought      messageMetadata{!totalUsage}.usage.reasoningTokens
    *                                         input        messageMetadata.totalUsage.inputTokens
    *                                         output       messageMetadata.totalUsage.outputTokens
    *                                         cached       messageMetadata.totalUsage.cachedInputTokens
    *                                         cached       messageMetadata.totalUsage.inputTokenDetails.cacheReadTokens
    *                                         thought      messageMetadata.totalUsage.reasoningTokens
",
    ..Family::PLAIN
};
