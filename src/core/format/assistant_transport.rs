//! assistant-ui's transport: parts that are opened, written and closed by their place.
//!
//! What a delta adds to is known from the part that was opened at its place: text, reasoning, or the arguments of a tool call.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::signal::{Format, Kinds};

pub(super) const FAMILY: Family = Family {
    format: Format::AssistantTransport,
    detect: "type=part-start&part:object&path:array; type=text-delta&textDelta:string&path:array; \
             type=update-state&operations:array; type=step-start,data,annotations,error&path:array",
    rules: "
    part-start                    call         part{type=tool-call}  toolCallId
    part-start                    source       part{type=source}     url,id,title
    part-start                    file         part{type=file}
    part-start                    status       part{type=data}
    part-finish                   meta
    tool-call-args-text-finish,tool-call-approval  tool_call
    result                        tool_result
    step-start                    id           messageId
    step-start,step-finish,data,annotations,update-state  status
    message-finish                finish
    message-finish                finish       finishReason
    message-finish                input        usage.inputTokens
    message-finish                output       usage.outputTokens
    error                         error
    text-delta                    meta         {textDelta=}
    _                             other
",
    read,
    ..Family::PLAIN
};

fn read(event: &Event<'_>, reading: &mut Reading) {
    let [part, path, text] = event.json.pick(&["part", "path", "textDelta"]);
    match event.kind {
        "part-start" if !path.has_parts() => {
            let kinds = match part.get("type").plain() {
                "text" => Kinds::TEXT,
                "reasoning" => Kinds::REASONING,
                "tool-call" => Kinds::TOOL_CALL,
                _ => Kinds::META,
            };
            reading.open_part(kinds);
            if kinds == Kinds::REASONING {
                reading.mark(kinds);
            }
        }
        "text-delta" => match reading.part(path.items().next().and_then(|place| place.u32())) {
            Kinds::TEXT => reading.text(text),
            Kinds::REASONING => reading.reasoning(text),
            kinds => reading.mark(kinds),
        },
        _ => {}
    }
}
