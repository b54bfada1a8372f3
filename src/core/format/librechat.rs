//! LibreChat: events of an agent's run, between `created` and `final`, which repeats the answer.
//!
//! After a lost connection the next stream begins with `sync`, which repeats all that the one before told.
use super::family::Family;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Librechat,
    detect: "event=on_run_step*,on_message_delta,on_reasoning_delta&data:object; created=true&message.messageId; \
             final=true&responseMessage:object; sync=true&resumeState:object",
    kind: "event",
    rules: "
        *                      finish       final{=true}  final
        *                      id           responseMessage.messageId
        *                      model        responseMessage.model
        *                      error        responseMessage{error=true}
        message,               meta         -
        on_message_delta,on_reasoning_delta  text       data.delta.content[]{type=text}.text
        on_message_delta,on_reasoning_delta  text       data.delta.content{type=text}.text
        on_message_delta,on_reasoning_delta  reasoning  data.delta.content[].think
        on_message_delta,on_reasoning_delta  reasoning  data.delta.content.think
        on_run_step            status       data{type!=tool_calls}
        on_run_step            tool_call    data{type=tool_calls}
        on_run_step            count-call   data.stepDetails.tool_calls[]{id!=}  id
        on_run_step_delta      tool_call
        on_run_step_delta      count-call   data.delta.tool_calls[]{id!=}  id
        on_run_step_completed  tool_result
        on_run_step_completed  count-call   data.result.tool_call{id!=}  id
        on_agent_update,on_summarize*,title  status
        attachment             file
        error                  error
        _                      other
    ",
    ..Family::PLAIN
};
