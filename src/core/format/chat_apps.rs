//! Chat applications with a protocol of their own: Hugging Face chat-ui, n8n's chat, Azure's search samples, AnythingLLM, Flowise.
use super::family::Family;
use crate::core::signal::Format;

/// Tokens are padded with U+0000 to one length; `finalAnswer` repeats the answer.
pub(super) const HF_CHAT_UI: Family = Family {
    format: Format::HfChatUi,
    detect: "type=stream&token:string; type=status&status=started,keepAlive,finished,error; \
             type=finalAnswer&text:string",
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

/// A line that is no field (`message:`) stands before each event.
pub(super) const FLOWISE: Family = Family {
    format: Format::Flowise,
    detect: "event=start,token&data:string; event=metadata&data.chatId; \
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
