//! AI SDK data stream (v4): a letter or digit a line, and a value. assistant-ui speaks a dialect of it under the same header.
//!
//! Each step tells its own counts and the message tells the sum at its end, so the last word counts. Not a number is `null` here.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::AiSdkV4Data,
    header: "x-vercel-ai-data-stream",
    // React's flight has lines of this shape, with elements and symbols in them.
    detect: "@=0,g,3&:string&!=$S*; @=f&messageId:string; @=9,a,b&toolCallId:string; \
             @=2,8&:array&[0]!=$*&[0][0]!=$*; @=aui-state&:array; @=d,e&finishReason:string; @=aui-*",
    kind: "",
    rules: "
    0                         text         {}
    aui-text-delta            text         textDelta
    g                         reasoning    {}
    aui-reasoning-delta       reasoning    reasoningDelta
    i,aui-reasoning-part-start  reasoning
    j                         meta
    9,b,c                     call         {}                      toolCallId
    aui-tool-call-approval    tool_call
    a                         tool_result
    h                         source       {}                      url,id,title
    k                         file
    2,8,aui-state,aui-data,e  status
    f                         id           messageId
    d                         finish
    d                         finish       finishReason
    3                         error
    _                         other
    d,e                       input        usage.promptTokens
    d,e                       output       usage.completionTokens
    d,e                       input        usage.inputTokens
    d,e                       output       usage.outputTokens
",
    read,
    ..Family::PLAIN
};

/// The dialect is known by what it alone has: names longer than a letter, other fields, and reasoning outside of a step.
fn read(event: &Event<'_>, reading: &mut Reading) {
    let [last, parent, path, usage, artifact] =
        event.json.pick(&["isFinal", "parentId", "path", "usage", "artifact"]);
    let has_sign = [last, parent, path, usage.get("inputTokens"), artifact].iter().any(|sign| sign.exists());
    let is_without_step = event.name == "g" && reading.facts.response_id.is_none();
    if has_sign || is_without_step || event.name.starts_with("aui-") {
        reading.facts.format = Format::AssistantUiDataStream;
    }
}
