//! AG-UI, the protocol between agents and pages: a run of messages, tool calls and steps, each with its events.
//!
//! Until 0.1.10 reasoning was called thinking. Snapshots repeat the conversation: they add no text. Pieces of a tool call
//! after the first may leave its id out. An error comes in the place of the end.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::AgUi,
    detect: "type=RUN_STARTED&runId:string; type=RUN_ERROR&message:string; \
             type=TEXT_MESSAGE_CONTENT,TEXT_MESSAGE_CHUNK&messageId:string&delta:string; \
             type=TEXT_MESSAGE_START&messageId:string; type=TOOL_CALL_START&toolCallId:string; \
             type=STATE_SNAPSHOT&snapshot; type=MESSAGES_SNAPSHOT&messages:array",
    rules: "
    TEXT_MESSAGE_START,TEXT_MESSAGE_END       meta
    TEXT_MESSAGE_CONTENT,TEXT_MESSAGE_CHUNK   text         delta
    REASONING_*_START,REASONING_START         reasoning
    THINKING_*_START,THINKING_START           reasoning
    REASONING_*,THINKING_*                    reasoning    delta
    TOOL_CALL_RESULT                          tool_result
    TOOL_CALL_START,TOOL_CALL_ARGS            tool_call
    TOOL_CALL_END,TOOL_CALL_CHUNK             tool_call
    TOOL_CALL_*                               count-call   toolCallId{!=}
    RUN_STARTED                               id           runId
    RUN_STARTED,STEP_*,STATE_*,MESSAGES_*     status
    ACTIVITY_*,SUBAGENT_*,RAW,CUSTOM          status
    RUN_FINISHED                              finish       {outcome.type=}.type
    RUN_FINISHED                              finish       outcome.type
    RUN_FINISHED                              model        usage[].model
    RUN_FINISHED                              input        usage[].inputTokens
    RUN_FINISHED                              output       usage[].outputTokens
    RUN_FINISHED                              cached       usage[].cachedInputTokens
    RUN_FINISHED                              thought      usage[].reasoningTokens
    RUN_ERROR                                 error
    RUN_ERROR                                 finish
    _                                         other
",
    ..Family::PLAIN
};
