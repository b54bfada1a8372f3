//! What servers send that no recording shows: each case after the server's own source, its types or its tests, named beside it.
use chat_vitals::core::format::Reader;
use chat_vitals::core::signal::{Facts, Format, Record};

/// What came out of a reader.
#[derive(Debug, Default)]
struct Seen {
    kinds: Vec<String>,
    text: String,
    reasoning: String,
    facts: Facts,
}

/// Reads events, each `data` or `name|data`.
fn read(events: &[&str]) -> Seen {
    let (mut reader, mut seen) = (Reader::new("text/event-stream", &[]), Seen::default());
    for event in events {
        let named = event.split_once('|').filter(|_| !event.starts_with(['{', '[']));
        let (name, data) = named.unwrap_or(("", event));
        reader.message(name, data, &mut |record: &Record<'_>| {
            seen.kinds.push(record.kinds.names().collect::<Vec<_>>().join("+"));
            seen.text.push_str(record.text);
            seen.reasoning.push_str(record.reasoning);
        });
    }
    seen.facts = reader.facts().clone();
    seen
}

fn reason(seen: &Seen) -> Option<&str> {
    seen.facts.finish_reason.as_ref().map(|reason| reason.as_str())
}

/// Input, output, cached and reasoning tokens.
fn tokens(seen: &Seen) -> [Option<u32>; 4] {
    let usage = seen.facts.usage.unwrap_or_default();
    [usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.reasoning_tokens]
}

/// Protects: only the events that tell counts are believed; a message may begin with what earlier requests did.
/// Sources: anthropic-sdk-python `tests/lib/streaming/fixtures/unknown_events_response.txt`, vercel/ai
/// `anthropic-message-start-prepopulated-content.chunks.txt`.
#[test]
fn anthropic_events_that_are_new_or_filled_at_once() {
    let seen = read(&[
        r#"message_start|{"type":"message_start","message":{"id":"m","model":"c","content":[],"usage":{"input_tokens":11,"output_tokens":1}}}"#,
        r#"message|{"type":"future_event","usage":{"input_tokens":99,"output_tokens":99}}"#,
        r#"message_delta|{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":6,"output_tokens_details":{"thinking_tokens":4}}}"#,
    ]);
    assert_eq!(seen.kinds, ["usage+meta", "other", "usage+finish"]);
    assert_eq!(tokens(&seen), [Some(11), Some(6), None, Some(4)]);
    let filled = read(&[
        r#"message_start|{"type":"message_start","message":{"id":"m","content":[{"type":"code_execution_tool_result","tool_use_id":"s"},{"type":"tool_use","id":"t","name":"f"}],"usage":{"input_tokens":0}}}"#,
    ]);
    assert_eq!((filled.kinds[0].as_str(), filled.facts.tool_calls), ("tool_call+tool_result+usage+meta", 1));
}

/// Protects: reasoning, counts, sources and errors where single servers of the OpenAI family put them.
/// Sources: Copilot (`reasoning_text`), Perplexity (`reasoning_steps`), Moonshot (counts in the choice), vLLM (`object: error`),
/// groq-sdk and @mistralai/mistralai (types), OpenRouter (images, an error in the choice).
#[test]
fn servers_of_the_openai_family_have_words_of_their_own() {
    let choice =
        |inside: &str| format!(r#"{{"object":"chat.completion.chunk","choices":[{{"index":0,{inside}}}]}}"#);
    let delta = |inside: &str| choice(&format!(r#""delta":{{{inside}}}"#));
    let events = [
        delta(r#""reasoning_text":"a""#),
        delta(r#""reasoning_steps":[{"thought":"b","type":"web_search"}]"#),
        delta(r#""content":[{"type":"tool_reference","tool":"web_search","url":"https://a","title":"A"},{"type":"text","text":"x"}]"#),
        delta(r#""annotations":[{"type":"document_citation","document_citation":{"document_id":"d"}},{"type":"document_citation","document_citation":{"document_id":"e"}}]"#),
        delta(r#""images":[{"type":"image_url","image_url":{"url":"data:"}}]"#),
        choice(r#""delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":2,"cached_tokens":1}"#),
        choice(r#""delta":{},"error":{"code":502,"message":"m"}"#),
        r#"{"id":"c","object":"chat.completion.chunk","choices":[],"x_groq":{"id":"r","error":"over capacity"}}"#.to_owned(),
        r#"{"object":"error","message":"m","type":"BadRequestError","code":400}"#.to_owned(),
    ];
    let seen = read(&events.iter().map(String::as_str).collect::<Vec<_>>());
    let kinds = [
        "reasoning",
        "reasoning",
        "text+source",
        "source",
        "file",
        "usage+finish",
        "error",
        "error",
        "error",
    ];
    assert_eq!(seen.kinds, kinds);
    assert_eq!((&*seen.text, &*seen.reasoning, seen.facts.sources), ("x", "ab", 3));
    assert_eq!(tokens(&seen), [Some(3), Some(2), Some(1), None]);
    for first in [r#"error|{"error":{"message":"m","code":"c"}}"#, events[8].as_str()] {
        assert_eq!(read(&[first]).facts.format, Format::OpenaiChat, "{first}");
    }
}

/// Protects: events of Responses that are newer than the recordings, and those of Perplexity; a stream may begin with a ping.
/// Sources: openai-python 3.57 `types/responses`, vercel/ai `programmatic-tool-calling.1`, `issue-18872-truncated-reasoning` and
/// `agent-web-search` (`.chunks.txt`).
#[test]
fn responses_with_programs_and_searches() {
    let seen = read(&[
        r#"{"type":"keepalive","sequence_number":0}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"cm_1","type":"program","code":""}}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"cm_1","type":"program","code":"x"}}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"program_output","output":"1"}}"#,
        r#"{"type":"response.compaction.compacting"}"#,
        r#"{"type":"response.reasoning.started","thought":"t"}"#,
        r#"{"type":"response.reasoning.search_queries","queries":["q"]}"#,
        r#"{"type":"response.reasoning.search_results","results":[]}"#,
        r#"{"type":"response.output_item.done","output_index":2,"item":{"type":"search_results","results":[]}}"#,
        r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":1,"output_tokens":1}}}"#,
    ]);
    let kinds = [
        "ping",
        "tool_call",
        "tool_call",
        "tool_result",
        "status",
        "reasoning",
        "status",
        "tool_result",
        "tool_result",
        "usage+finish",
    ];
    assert_eq!((seen.kinds.as_slice(), seen.facts.tool_calls), (&kinds.map(String::from)[..], 1));
    assert_eq!((seen.facts.format, reason(&seen)), (Format::OpenaiResponses, Some("max_output_tokens")));
}

/// Protects: pieces of a call that only say that more comes; places on a map are sources; counts may come before an answer.
/// Sources: Gemini API reference (GroundingChunk.maps, FunctionCall.willContinue).
#[test]
fn gemini_counts_first_and_cites_places() {
    let seen = read(&[
        r#"{"usageMetadata":{"promptTokenCount":5},"modelVersion":"g","responseId":"r"}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"willContinue":true}}]}}]}"#,
        r#"{"candidates":[{"groundingMetadata":{"groundingChunks":[{"maps":{"uri":"https://maps/1","title":"P"}}]}}]}"#,
    ]);
    assert_eq!(seen.kinds, ["usage", "tool_call", "source"]);
    assert_eq!((seen.facts.format, seen.facts.sources, seen.facts.tool_calls), (Format::GeminiSse, 1, 0));
}

/// Protects: Cohere's counts where only the billed ones are told; DeepSeek's records inside Bedrock's.
/// Sources: cohere-ai (`Usage`), AWS Bedrock user guide (DeepSeek models).
#[test]
fn cohere_bills_and_bedrock_carries_deepseek() {
    let seen = read(&[
        r#"{"type":"message-start","id":"i","delta":{"message":{"role":"assistant"}}}"#,
        r#"{"type":"debug","prompt":"p"}"#,
        r#"{"type":"message-end","delta":{"finish_reason":"MAX_TOKENS","usage":{"billed_units":{"input_tokens":5,"output_tokens":2}}}}"#,
    ]);
    assert_eq!(seen.kinds, ["meta", "meta", "usage+finish"]);
    assert_eq!(tokens(&seen), [Some(5), Some(2), None, None]);
    // {"choices":[{"text":"Hi","stop_reason":"stop"}]}
    let seen =
        read(&[r#"chunk|{"bytes":"eyJjaG9pY2VzIjpbeyJ0ZXh0IjoiSGkiLCJzdG9wX3JlYXNvbiI6InN0b3AifV19"}"#]);
    assert_eq!((&*seen.text, reason(&seen), seen.facts.format), ("Hi", Some("stop"), Format::BedrockInvoke));
}

/// Protects: a workflow of Coze that is run without a chat; one of Dify that has no message.
/// Sources: coze-py `tests/testdata/workflow_run_stream_resp.txt`; dify-docs `guides/streaming.mdx`.
#[test]
fn workflows_answer_without_a_chat() {
    let seen = read(&[
        r#"Message|{"content":"Why","node_is_finish":false,"node_seq_id":"0","node_title":"Message"}"#,
        r#"Message|{"content":"?","node_is_finish":true,"node_seq_id":"1","node_title":"Message"}"#,
        r#"Interrupt|{"interrupt_data":{"event_id":"e","type":2},"node_title":"Ask"}"#,
        r#"Error|{"error_code":4000,"error_message":"m"}"#,
        "Done|{}",
    ]);
    assert_eq!(seen.kinds, ["text", "text", "status", "error", "finish"]);
    assert_eq!((&*seen.text, reason(&seen), seen.facts.format), ("Why?", Some("Done"), Format::Coze));
    let run = |event: &str| {
        format!(
            r#"{{"event":"{event}","task_id":"t","workflow_run_id":"w","data":{{"status":"succeeded","text":"x"}}}}"#
        )
    };
    let seen = read(&[&run("workflow_started"), &run("text_chunk"), &run("workflow_finished")]);
    assert_eq!((&*seen.text, reason(&seen)), ("x", Some("workflow_finished")));
}

/// Protects: where LangGraph's client asked for states alone, the answer is what they add; beside messages they repeat.
/// Source: LangGraph Platform, stream mode `values`.
#[test]
fn langgraph_states_alone_are_the_answer() {
    let state = |messages: &str| {
        format!(
            r#"values|{{"messages":[{{"type":"human","content":"a"}},{{"type":"ai","id":"1","content":"old"}},{{"type":"human","content":"b"}}{messages}]}}"#
        )
    };
    let call = r#",{"type":"ai","id":"2","content":"","tool_calls":[{"id":"c"}]}"#;
    let answer = r#",{"type":"ai","id":"3","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi"}]}"#;
    let (first, second, third) = (state(""), state(call), state(&format!("{call}{answer}")));
    let start = r#"metadata|{"run_id":"r","attempt":1}"#;
    let seen = read(&[start, &first, &second, &third, &third]);
    assert_eq!(seen.kinds, ["meta", "status", "status", "reasoning+text", "status"]);
    assert_eq!((&*seen.text, &*seen.reasoning, seen.facts.tool_calls), ("Hi", "hm", 1));
    let piece = r#"messages|[{"type":"AIMessageChunk","id":"3","content":"Hi"},{}]"#;
    let seen = read(&[start, &first, piece, &third]);
    assert_eq!((&*seen.text, seen.kinds[3].as_str()), ("Hi", "status"));
}

/// Protects: an approval is of a call that was counted; assistant-ui asks for one in its dialects as well.
/// Sources: ai 7.0.173 `ui-message-chunks.ts`, assistant-stream 0.3.57.
#[test]
fn approvals_of_tool_calls() {
    let seen = read(&[
        r#"{"type":"start","messageId":"m"}"#,
        r#"{"type":"tool-input-available","toolCallId":"t","toolName":"f","input":{}}"#,
        r#"{"type":"tool-approval-request","approvalId":"p","toolCallId":"t"}"#,
        r#"{"type":"tool-approval-response","approvalId":"p","approved":true}"#,
    ]);
    assert_eq!((seen.kinds[3].as_str(), seen.facts.tool_calls), ("tool_call", 1));
    let seen = read(&[
        r#"{"type":"part-start","part":{"type":"tool-call","toolCallId":"t","toolName":"f"},"path":[]}"#,
        r#"{"type":"tool-call-approval","approval":{"id":"p"},"path":[0]}"#,
    ]);
    assert_eq!((seen.kinds[1].as_str(), seen.facts.tool_calls), ("tool_call", 1));
}

/// Protects: a run of AG-UI that is joined on its way is known by what it shows first.
/// Source: @ag-ui/core 1.0.0.
#[test]
fn ag_ui_is_known_midway() {
    for first in [
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"t","toolCallName":"f"}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#,
    ] {
        assert_eq!(read(&[first]).facts.format, Format::AgUi, "{first}");
    }
}
