//! Chat applications with a protocol of their own: Hugging Face chat-ui, n8n's chat, Azure's search samples, AnythingLLM, Flowise.
use super::family::Family;
use crate::core::signal::Format;

/// A status comes first. Tokens are padded with U+0000 to one length; `finalAnswer` repeats the answer.
pub(super) const HF_CHAT_UI: Family = Family {
    format: Format::HfChatUi,
    detect: "type=status&status=started,keepAlive,finished,error; type=finalAnswer&text:string",
    rules: "
        stream       text         token
        reasoning    reasoning    token
        reasoning    status       {subtype=status}
        tool         call         {subtype=call}  uuid
        tool         tool_result  {subtype=result,error}
        tool         status       {subtype=eta,progress}
        status       status       {status!=keepAlive,error}
        status       ping         {status=keepAlive}
        status       error        {status=error}
        title        status
        routerMetadata  status
        routerMetadata  model     model
        file         file
        finalAnswer  finish       @
        _            other
    ",
    read: |_, reading| reading.unpad(),
    ..Family::PLAIN
};

/// Each node of the workflow begins and ends.
pub(super) const N8N_CHAT: Family = Family {
    format: Format::N8nChat,
    detect: "type=begin,item,end,error&metadata.nodeId",
    rules: "
        begin   status
        item    text    content
        end     finish  @
        error   error
        _       other
    ",
    ..Family::PLAIN
};

/// The context comes first, and at the end once more.
pub(super) const AZURE_SEARCH_CHAT: Family = Family {
    format: Format::AzureSearchChat,
    detect: "delta:object&context:object",
    kind: "",
    rules: "
        *  text    delta.content
        *  status  context
        *  source  context.data_points.citations[]
        *  error   error
    ",
    ..Family::PLAIN
};

/// `error` is false or a message. What needs no model comes whole, as `textResponse`.
pub(super) const ANYTHINGLLM: Family = Family {
    format: Format::Anythingllm,
    detect: "type=textResponse*,finalizeResponseStream,statusResponse,agentThought,abort&uuid:string",
    rules: "
        *                       id       uuid
        *                       error    {error!=,false}
        *                       source   sources[]  url,id,title
        textResponse*           text     textResponse
        textResponse            finish   {close=true}
        statusResponse,agentThought  status
        finalizeResponseStream  finish   @
        finalizeResponseStream  input    metrics.prompt_tokens
        finalizeResponseStream  output   metrics.completion_tokens
        finalizeResponseStream  seconds  metrics.duration  total
        abort                   error
        _                       other
    ",
    ..Family::PLAIN
};

/// A line that is no field (`message:`) stands before each event. A `token` comes after a `start` or a step of an agent.
pub(super) const FLOWISE: Family = Family {
    format: Format::Flowise,
    detect: "event=start&data:string; event=metadata&data.chatId; \
             event=agentFlowEvent,nextAgentFlow,agentFlowExecutedData,agentReasoning,nextAgent&data",
    kind: "event",
    rules: "
        start            status
        metadata         id           data.chatMessageId
        token            text         data
        sourceDocuments  source       data[]  metadata.source,metadata.url,pageContent
        calledTools      tool_call
        usedTools        new-call     data[]
        usedTools        tool_result  data[].toolOutput
        usageMetadata    input        data.input_tokens
        usageMetadata    output       data.output_tokens
        agent*,nextAgent*,action  status
        artifacts,fileAnnotations  file
        end,abort        finish       @
        error            error
        _                other
    ",
    ..Family::PLAIN
};

#[cfg(test)]
mod tests {
    use super::super::Reader;
    use crate::core::signal::{Facts, Format};

    /// What a stream says: text, reasoning, kinds of its records, facts.
    fn read(body: &str) -> (String, String, Vec<String>, Facts) {
        let (mut text, mut reasoning, mut kinds) = (String::new(), String::new(), Vec::new());
        let mut reader = Reader::new("", &[]);
        let mut take = |record: &crate::core::signal::Record<'_>| {
            text.push_str(record.text);
            reasoning.push_str(record.reasoning);
            kinds.push(record.kinds.names().collect::<Vec<_>>().join("+"));
        };
        reader.feed(body.as_bytes(), &mut take);
        reader.finish(&mut take);
        let facts = reader.facts().clone();
        (text, reasoning, kinds, facts)
    }

    fn events(records: &[&str]) -> String {
        records.iter().map(|record| format!("data: {record}\n\n")).collect()
    }

    /// Protects: Dify's workflows, replaced messages, and the closing message that repeats an agent's answer.
    #[test]
    fn dify_beyond_the_recordings() {
        let (text, reasoning, kinds, facts) = read(&events(&[
            r#"{"event":"workflow_started","task_id":"t","workflow_run_id":"w"}"#,
            r#"{"event":"node_started","task_id":"t"}"#,
            r#"{"event":"reasoning_chunk","task_id":"t","data":{"reasoning":"hm"}}"#,
            r#"{"event":"text_chunk","task_id":"t","data":{"text":"Hi"}}"#,
            r#"{"event":"workflow_finished","task_id":"t","data":{"status":"failed","error":"e","elapsed_time":1.5}}"#,
        ]));
        assert_eq!((text.as_str(), reasoning.as_str(), facts.format), ("Hi", "hm", Format::Dify));
        assert_eq!(kinds, ["status", "status", "reasoning", "text", "error+finish"]);
        assert_eq!(facts.finish_reason.as_ref().map(AsRef::as_ref), Some("failed"));
        assert!(facts.phases.iter().any(|phase| phase.name == "total" && phase.duration == 1500.0));

        let (text, _, kinds, facts) = read(&events(&[
            r#"{"event":"agent_message","task_id":"t","message_id":"m","answer":"On"}"#,
            r#"{"event":"agent_message","task_id":"t","message_id":"m","answer":"ly"}"#,
            r#"{"event":"message","task_id":"t","message_id":"m","answer":"Only"}"#,
            r#"{"event":"message_replace","task_id":"t","message_id":"m","answer":"-"}"#,
            r#"{"event":"message_end","task_id":"t","message_id":"m"}"#,
        ]));
        assert_eq!((text.as_str(), facts.withdrawn, facts.finished), ("Only-", 1, true));
        assert_eq!(kinds, ["text", "text", "meta", "text", "finish"]);
    }

    /// Protects: messages of Coze that are no answer are no text.
    #[test]
    fn coze_beyond_the_recordings() {
        let message = |name: &str, fields: &str| {
            format!("event:conversation.{name}\ndata:{{\"id\":\"1\",\"chat_id\":\"c\",{fields}}}\n\n")
        };
        let body = [
            message("chat.in_progress", r#""status":"in_progress""#),
            message("message.delta", r#""type":"answer","content":"","reasoning_content":"hm""#),
            message("message.completed", r#""type":"function_call","content":"{}""#),
            message("message.completed", r#""type":"tool_response","content":"sunny""#),
            message("message.delta", r#""type":"answer","content":"Sun","content_type":"text""#),
            message("message.completed", r#""type":"verbose","content":"{}""#),
            message("message.delta", r#""type":"follow_up","content":"And?""#),
            message("chat.requires_action", r#""status":"requires_action""#),
        ]
        .concat();
        let (text, reasoning, kinds, facts) = read(&body);
        assert_eq!((text.as_str(), reasoning.as_str(), facts.tool_calls), ("Sun", "hm", 1));
        let expected =
            ["status", "reasoning", "tool_call", "tool_result", "text", "meta", "meta", "tool_call+finish"];
        assert_eq!(kinds, expected);
        assert_eq!(facts.format, Format::Coze);
    }

    /// Protects: what LibreChat repeats after a lost connection is not read twice; content may be an object.
    #[test]
    fn librechat_goes_on_after_a_lost_connection() {
        let (text, reasoning, kinds, facts) = read(&events(&[
            r#"{"sync":true,"resumeState":{"aggregatedContent":[{"type":"text","text":"It"}]}}"#,
            r#"{"event":"on_reasoning_delta","data":{"delta":{"content":{"type":"think","think":"so"}}}}"#,
            r#"{"event":"on_message_delta","data":{"delta":{"content":{"type":"text","text":" is"}}}}"#,
            r#"{"final":true,"responseMessage":{"messageId":"r","model":"m","error":true}}"#,
        ]));
        assert_eq!((text.as_str(), reasoning.as_str()), (" is", "so"));
        assert_eq!(kinds, ["meta", "reasoning", "text", "error+finish"]);
        assert_eq!(facts.finish_reason.as_ref().map(AsRef::as_ref), Some("final"));
    }

    /// Protects: LobeChat's kinds, and that an event of such a name without an id is not taken for its.
    #[test]
    fn lobechat_beyond_the_recordings() {
        let event = |name: &str, data: &str| format!("id: chat_1\nevent: {name}\ndata: {data}\n\n");
        let body = [
            event("data", r#"{"role":"assistant","content":""}"#),
            event("reasoning_signature", r#""x""#),
            event("tool_calls", r#"[{"id":"c","index":0,"function":{"name":"f","arguments":""}}]"#),
            event("tool_calls", r#"[{"id":"c","index":0,"function":{"arguments":"{}"}}]"#),
            event(
                "grounding",
                r#"{"citations":[{"url":"https://a.example/"},{"url":"https://b.example/"}]}"#,
            ),
            event("base64_image", r#""data:image/png;base64,""#),
            event("text", r#""Hi""#),
            event("speed", r#"{"tps":12.5,"ttft":300}"#),
            event("stop", r#""end_turn""#),
            event("stop", r#""message_stop""#),
        ]
        .concat();
        let (text, _, kinds, facts) = read(&body);
        assert_eq!((text.as_str(), facts.tool_calls, facts.sources), ("Hi", 1, 2));
        let expected =
            ["meta", "meta", "tool_call", "tool_call", "source", "file", "text", "meta", "finish", "finish"];
        assert_eq!(kinds, expected);
        assert_eq!(facts.finish_reason.as_ref().map(AsRef::as_ref), Some("end_turn"));
        assert_eq!(facts.response_id.as_ref().map(AsRef::as_ref), Some("chat_1"));
        assert_eq!(read("event: text\ndata: \"Hi\"\n\n").3.format, Format::Unknown);
    }

    /// Protects: padding is no text; reasoning, tools and errors of chat-ui.
    #[test]
    fn chat_ui_beyond_the_recordings() {
        let (text, reasoning, kinds, facts) = read(
            &[
                r#"{"type":"status","status":"started"}"#,
                r#"{"type":"reasoning","subtype":"stream","token":"hm"}"#,
                r#"{"type":"reasoning","subtype":"status","status":"Thinking"}"#,
                r#"{"type":"tool","subtype":"call","uuid":"u","call":{"name":"f"}}"#,
                r#"{"type":"tool","subtype":"result","uuid":"u"}"#,
                r#"{"type":"stream","token":"Hi\u0000\u0000"}"#,
                r#"{"type":"status","status":"error","message":"no"}"#,
            ]
            .join("\n"),
        );
        assert_eq!((text.as_str(), reasoning.as_str(), facts.format), ("Hi", "hm", Format::HfChatUi));
        assert_eq!(kinds, ["status", "reasoning", "status", "tool_call", "tool_result", "text", "error"]);
        assert!(facts.unterminated);
    }

    /// Protects: the errors of the smaller applications, and the answer of AnythingLLM that comes whole.
    #[test]
    fn errors_and_whole_answers() {
        let (text, _, kinds, facts) = read(&events(&[
            r#"{"uuid":"u","type":"textResponse","textResponse":"Nothing found.","sources":[],"close":true,"error":null}"#,
        ]));
        assert_eq!(
            (text.as_str(), kinds[0].as_str(), facts.finished),
            ("Nothing found.", "text+finish", true)
        );
        let error = |body: &str| read(body).3.errors;
        assert_eq!(error(&events(&[r#"{"uuid":"u","type":"abort","error":"quota","close":true}"#])), 1);
        assert_eq!(error("{\"type\":\"error\",\"content\":\"no\",\"metadata\":{\"nodeId\":\"n\"}}\n"), 1);
        assert_eq!(error("{\"delta\":{},\"context\":{}}\n{\"error\":\"no\"}\n"), 1);
        let flowise = [r#"{"event":"start","data":""}"#, r#"{"event":"error","data":"no"}"#];
        assert_eq!(error(&events(&flowise)), 1);
    }
}
