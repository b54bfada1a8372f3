//! Dify: chatbots, agents and workflows.
//!
//! An agent's thought is sent again as it fills: first empty, then with the tool, then with what the tool said. Apps of the kind
//! "New Agent" close with one `message` that repeats what their `agent_message`s said.
use super::family::{Event, Family};
use super::reading::Reading;
use crate::core::signal::Format;

pub(super) const FAMILY: Family = Family {
    format: Format::Dify,
    detect: "event:string&task_id:string&message_id:string; event:string&task_id:string&workflow_run_id:string; \
             event:string&conversation_id:string&message_id:string",
    kind: "event",
    rules: "
        *                  id            message_id
        message,agent_message            meta          -
        text_chunk         text          data.text
        reasoning_chunk    reasoning     data.reasoning
        agent_thought      status        {tool=&observation=}
        agent_thought      call          {tool!=}  id
        agent_thought      tool_result   {observation!=}
        workflow_started   status
        node_*,iteration_*,loop_*,parallel_*,agent_log,human_*  status
        message_file,tts_message         file
        tts_message_end    meta
        ping               ping
        message_replace    withdrawn
        message_replace    text          answer
        message_end        finish        @
        message_end        input         metadata.usage.prompt_tokens
        message_end        output        metadata.usage.completion_tokens
        message_end        seconds       metadata.usage.latency  latency
        message_end        source        metadata.retriever_resources[]  document_id,segment_id,document_name
        workflow_finished  finish
        workflow_finished  reason        data{status!=succeeded}.status
        workflow_finished  error         data{error!=}
        workflow_finished  seconds       data.elapsed_time  total
        error              error
        _                  other
    ",
    read: |event, reading| match event.kind {
        "message" => answer("message", event, reading),
        "agent_message" => answer("agent_message", event, reading),
        "workflow_finished" if reading.facts.finish_reason.is_none() => reading.reason(event.kind),
        _ => {}
    },
    ..Family::PLAIN
};

fn answer(mode: &'static str, event: &Event<'_>, reading: &mut Reading) {
    let text = event.json.get("answer");
    if text.has_text() && reading.settle_mode(mode) {
        reading.text(text);
    }
}
