//! What the formats of providers say that no recording shows, in records written after their documentation.
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

/// Reads events, each a name and a payload.
fn read(events: &[(&str, &str)]) -> Seen {
    let (mut reader, mut seen) = (Reader::new("text/event-stream", &[]), Seen::default());
    for (name, data) in events {
        reader.message(name, data, &mut |record: &Record<'_>| {
            seen.kinds.push(record.kinds.names().collect::<Vec<_>>().join("+"));
            seen.text.push_str(record.text);
            seen.reasoning.push_str(record.reasoning);
        });
    }
    seen.facts = reader.facts().clone();
    seen
}

/// The same for payloads without names.
fn unnamed(events: &[&str]) -> Seen {
    read(&events.iter().map(|data| ("", *data)).collect::<Vec<_>>())
}

fn reason(seen: &Seen) -> Option<&str> {
    seen.facts.finish_reason.as_ref().map(|reason| reason.as_str())
}

/// Input, output, cached and reasoning tokens.
fn tokens(seen: &Seen) -> [Option<u32>; 4] {
    let usage = seen.facts.usage.unwrap_or_default();
    [usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.reasoning_tokens]
}

/// Protects: completions are not taken for chat, and choices beside the first are not the answer.
#[test]
fn completions_with_several_choices_and_a_filter() {
    let seen = unnamed(&[
        r#"{"object":"text_completion","choices":[],"prompt_filter_results":[{"prompt_index":0}]}"#,
        r#"{"object":"text_completion","choices":[{"index":1,"text":"no"}]}"#,
        r#"{"object":"text_completion","choices":[{"index":0,"text":"yes"}]}"#,
        r#"{"object":"text_completion","choices":[{"index":0,"text":"","finish_reason":"content_filter"}]}"#,
        r#"{"error":{"message":"m"}}"#,
    ]);
    assert_eq!((seen.facts.format, &*seen.text), (Format::OpenaiCompletions, "yes"));
    assert_eq!(seen.kinds, ["status", "other_choice", "text", "finish", "error"]);
    assert_eq!((seen.facts.withdrawn, reason(&seen)), (1, Some("content_filter")));
}

/// Protects: an assistant's sources, files, outputs of tools and failed run; a stream may begin inside a run.
#[test]
fn assistants_runs_that_begin_midway_or_fail() {
    let seen = read(&[
        (
            "thread.run.step.completed",
            r#"{"id":"step_1","object":"thread.run.step","status":"completed","usage":{"prompt_tokens":1}}"#,
        ),
        (
            "thread.run.step.delta",
            r#"{"id":"step_2","object":"thread.run.step.delta","delta":{"step_details":{"type":"tool_calls","tool_calls":[{"index":0,"id":"call_1","type":"code_interpreter","code_interpreter":{"input":""}}]}}}"#,
        ),
        (
            "thread.run.step.delta",
            r#"{"id":"step_2","object":"thread.run.step.delta","delta":{"step_details":{"type":"tool_calls","tool_calls":[{"index":0,"type":"code_interpreter","code_interpreter":{"outputs":[{"type":"logs","logs":"x"}]}}]}}}"#,
        ),
        (
            "thread.message.delta",
            r#"{"object":"thread.message.delta","delta":{"content":[{"index":0,"type":"image_file","image_file":{"file_id":"f"}}]}}"#,
        ),
        (
            "thread.message.delta",
            r#"{"object":"thread.message.delta","delta":{"content":[{"index":1,"type":"text","text":{"value":"a","annotations":[{"type":"file_citation","text":"[0]","file_citation":{"file_id":"g"}}]}}]}}"#,
        ),
        (
            "thread.message.completed",
            r#"{"object":"thread.message","content":[{"type":"text","text":{"value":"a"}}]}"#,
        ),
        (
            "thread.run.failed",
            r#"{"id":"run_1","object":"thread.run","status":"failed","model":"m","last_error":{"code":"server_error"},"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
        ),
        ("error", r#"{"error":{"message":"m"}}"#),
        ("done", "[DONE]"),
    ]);
    assert_eq!((seen.facts.format, &*seen.text), (Format::OpenaiAssistants, "a"));
    let kinds = [
        "status",
        "tool_call",
        "tool_call+tool_result",
        "file",
        "text+source",
        "meta",
        "status+usage+error+finish",
        "error",
        "finish",
    ];
    assert_eq!(seen.kinds, kinds);
    assert_eq!((seen.facts.tool_calls, seen.facts.sources, reason(&seen)), (1, 1, Some("failed")));
    assert_eq!(
        (tokens(&seen), seen.facts.response_id.is_some_and(|id| id.as_str() == "run_1")),
        ([Some(7), Some(3), None, None], true)
    );
}

/// Protects: an error in Anthropic's older completions.
#[test]
fn anthropic_completions_may_break() {
    let seen = read(&[
        (
            "completion",
            r#"{"type":"completion","id":"compl_1","completion":"a","stop_reason":null,"model":"m"}"#,
        ),
        ("error", r#"{"type":"error","error":{"type":"overloaded_error","message":"m"}}"#),
    ]);
    assert_eq!(
        (seen.facts.format, &*seen.text, seen.facts.finished),
        (Format::AnthropicComplete, "a", false)
    );
    assert_eq!(seen.kinds, ["text", "error"]);
}

/// Protects: the names that older servers of the Interactions give their events.
#[test]
fn older_interactions() {
    let seen = read(&[
        (
            "interaction.start",
            r#"{"event_type":"interaction.start","interaction":{"id":"i","model":"m","status":"in_progress"}}"#,
        ),
        ("content.start", r#"{"event_type":"content.start","index":0,"content":{"type":"thought"}}"#),
        (
            "content.delta",
            r#"{"event_type":"content.delta","index":0,"delta":{"type":"thought_summary","content":{"type":"text","text":"hm"}}}"#,
        ),
        ("content.stop", r#"{"event_type":"content.stop","index":0}"#),
        (
            "content.delta",
            r#"{"event_type":"content.delta","index":1,"delta":{"type":"function_call","id":"c","name":"f","arguments":{}}}"#,
        ),
        (
            "content.delta",
            r#"{"event_type":"content.delta","index":2,"delta":{"type":"text","text":"a","annotations":[{"start_index":0,"source":"https://a"}]}}"#,
        ),
        ("error", r#"{"event_type":"error","error":{"message":"m","code":"c"}}"#),
        (
            "interaction.complete",
            r#"{"event_type":"interaction.complete","interaction":{"id":"i","status":"failed","usage":{"total_input_tokens":4,"total_thought_tokens":2}}}"#,
        ),
        ("done", "[DONE]"),
    ]);
    assert_eq!((seen.facts.format, &*seen.text, &*seen.reasoning), (Format::GoogleInteractions, "a", "hm"));
    let kinds = [
        "status",
        "reasoning",
        "reasoning",
        "meta",
        "tool_call",
        "text+source",
        "error",
        "usage+finish",
        "finish",
    ];
    assert_eq!(seen.kinds, kinds);
    assert_eq!((seen.facts.tool_calls, seen.facts.sources, reason(&seen)), (1, 1, Some("failed")));
    assert_eq!(tokens(&seen), [Some(4), None, None, Some(2)]);
}

/// Protects: sources that are outputs of tools, and an end that is an error.
#[test]
fn cohere_ends_with_an_error() {
    let seen = unnamed(&[
        r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
        r#"{"type":"citation-start","index":0,"delta":{"message":{"citations":{"sources":[{"type":"tool","id":"t:0","tool_output":{"url":"https://a"}},{"type":"tool","id":"t:1","tool_output":{"url":"https://a"}}]}}}}"#,
        r#"{"type":"message-end","delta":{"finish_reason":"ERROR","error":"m"}}"#,
    ]);
    assert_eq!(seen.kinds, ["meta", "source", "error+finish"]);
    assert_eq!((seen.facts.format, seen.facts.sources, reason(&seen)), (Format::CohereV2, 1, Some("ERROR")));
}

/// Protects: tools of Cohere's first version, whose plan is no answer and whose last record repeats the text.
#[test]
fn cohere_calls_tools() {
    let seen = unnamed(&[
        r#"{"event_type":"stream-start","is_finished":false,"generation_id":"g"}"#,
        r#"{"event_type":"tool-calls-chunk","is_finished":false,"text":"I will"}"#,
        r#"{"event_type":"tool-calls-chunk","is_finished":false,"tool_call_delta":{"index":0,"name":"f"}}"#,
        r#"{"event_type":"tool-calls-generation","is_finished":false,"tool_calls":[{"name":"f"},{"name":"f"}]}"#,
        r#"{"event_type":"stream-end","is_finished":true,"finish_reason":"ERROR_TOXIC","response":{"text":"I will","meta":{"tokens":{"input_tokens":9},"billed_units":{"input_tokens":1}}}}"#,
    ]);
    assert_eq!((seen.facts.format, &*seen.text, &*seen.reasoning), (Format::CohereV1Ndjson, "", "I will"));
    assert_eq!(seen.kinds, ["meta", "reasoning", "tool_call", "tool_call", "usage+error+finish"]);
    assert_eq!((seen.facts.tool_calls, tokens(&seen)[0]), (2, Some(9)));
}

/// Protects: Replicate's payloads are text whatever they look like; only its own events tell of the end.
#[test]
fn replicate_sends_text_of_any_look() {
    let tokens = ["4", "2", "{", "\"a\": [", "", "[DONE]", "true", "{}"];
    let mut events: Vec<(&str, &str)> = tokens.iter().map(|token| ("output", *token)).collect();
    events.push(("done", r#"{"reason":"canceled"}"#));
    let seen = read(&events);
    assert_eq!((seen.facts.format, &*seen.text), (Format::Replicate, "42{\"a\": [[DONE]true{}"));
    assert_eq!((seen.facts.malformed, reason(&seen), seen.facts.finished), (0, Some("canceled"), true));
    let seen = read(&[("output", "a"), ("error", "out of memory"), ("done", r#"{"reason":"error"}"#)]);
    assert_eq!(seen.kinds, ["text", "error", "finish"]);
}

/// Protects: watsonx counts the prompt once, and tells of errors in a list.
#[test]
fn watsonx_counts_and_errors() {
    let seen = read(&[
        (
            "message",
            r#"{"model_id":"m","results":[{"generated_text":"a","generated_token_count":1,"input_token_count":8,"stop_reason":"not_finished"}]}"#,
        ),
        (
            "message",
            r#"{"model_id":"m","results":[{"generated_text":"b","generated_token_count":2,"input_token_count":0,"stop_reason":"max_tokens"}]}"#,
        ),
        ("error", r#"{"errors":[{"code":"c","message":"m"}],"status_code":500}"#),
    ]);
    assert_eq!(seen.kinds, ["text+usage", "text+usage+finish", "error"]);
    assert_eq!((tokens(&seen)[0], tokens(&seen)[1], reason(&seen)), (Some(8), Some(2), Some("max_tokens")));
}

/// Protects: a last token that is text is read, a special one is not, nor the repeat of all.
#[test]
fn text_generation_inference_ends_and_breaks() {
    let seen = unnamed(&[
        r#"{"index":1,"token":{"id":1,"text":"<s>","special":true},"generated_text":null,"details":null}"#,
        r#"{"index":2,"token":{"id":5,"text":"a","special":false},"generated_text":"a","details":{"finish_reason":"length","generated_tokens":2,"input_length":4}}"#,
        r#"{"error":"m","error_type":"generation"}"#,
    ]);
    assert_eq!((seen.facts.format, &*seen.text), (Format::HfTgi, "a"));
    assert_eq!(seen.kinds, ["meta", "text+usage+finish", "error"]);
    assert_eq!((tokens(&seen), reason(&seen)), ([Some(4), Some(2), None, None], Some("length")));
}

/// Protects: calls of Workers AI, which may have no ids; a bare `response` is anybody's.
#[test]
fn workers_ai_calls_tools() {
    let seen = unnamed(&[
        r#"{"response":"","tool_calls":[{"name":"f","arguments":{}},{"name":"f","arguments":{}}],"p":"ab"}"#,
        "[DONE]",
    ]);
    assert_eq!(seen.kinds, ["tool_call", "finish"]);
    assert_eq!((seen.facts.format, seen.facts.tool_calls), (Format::CloudflareWorkersAi, 2));
    assert_eq!(unnamed(&[r#"{"response":"a"}"#]).facts.format, Format::Unknown);
}

/// Protects: llama.cpp's own completions, told by what only they carry.
#[test]
fn llama_cpp_completes() {
    let seen = unnamed(&[
        r#"{"index":0,"content":"a","tokens":[1],"stop":false,"id_slot":0,"tokens_predicted":1,"tokens_evaluated":3}"#,
        r#"{"index":0,"content":"","stop":true,"id_slot":0,"model":"m","tokens_predicted":1,"tokens_evaluated":3,"stop_type":"eos","timings":{"prompt_ms":1.5,"predicted_ms":2.5}}"#,
    ]);
    assert_eq!((seen.facts.format, &*seen.text, reason(&seen)), (Format::LlamaCpp, "a", Some("eos")));
    assert_eq!(seen.kinds, ["text", "usage+finish"]);
    assert_eq!((tokens(&seen)[0], seen.facts.phases.len()), (Some(3), 2));
    assert_eq!(unnamed(&[r#"{"content":"a","stop":false}"#]).facts.format, Format::Unknown);
}

/// Protects: sources, hidden reasoning and exceptions of Converse.
#[test]
fn bedrock_converse_cites_and_breaks() {
    let seen = read(&[
        ("messageStart", r#"{"role":"assistant"}"#),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"redactedContent":"x"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"citation":{"title":"t","location":{"web":{"url":"https://a"}}}}}"#,
        ),
        ("modelStreamErrorException", r#"{"message":"m"}"#),
    ]);
    assert_eq!(seen.kinds, ["meta", "reasoning", "source", "error"]);
    assert_eq!((seen.facts.format, seen.facts.sources, seen.facts.errors), (Format::BedrockConverse, 1, 1));
}

/// Protects: records of other makers' models within a chunk; one that is not sound adds nothing.
#[test]
fn bedrock_carries_records_of_models() {
    let seen = read(&[
        ("chunk", r#"{"bytes":"eyJnZW5lcmF0aW9uIjoiaMOpIiwic3RvcF9yZWFzb24iOm51bGx9"}"#),
        ("chunk", r#"{"bytes":"eyJnZW5lcmF0aW9uIjo="}"#),
        ("chunk", r#"{"bytes":"eyJvdXRwdXRUZXh0IjoiYiIsImNvbXBsZXRpb25SZWFzb24iOiJGSU5JU0gifQ=="}"#),
        ("throttlingException", r#"{"message":"m"}"#),
    ]);
    assert_eq!((seen.facts.format, &*seen.text), (Format::BedrockInvoke, "héb"));
    assert_eq!((seen.kinds[0].as_str(), reason(&seen), seen.facts.errors), ("text", Some("FINISH"), 1));
}

/// Protects: an agent's answer in base64 with its sources, and what it asks the client to do.
#[test]
fn bedrock_agents_answer_and_ask() {
    let seen = read(&[
        ("trace", r#"{"trace":{"orchestrationTrace":{"invocationInput":{"traceId":"t"}}}}"#),
        (
            "trace",
            r#"{"trace":{"orchestrationTrace":{"observation":{"actionGroupInvocationOutput":{"text":"x"}}}}}"#,
        ),
        (
            "chunk",
            r#"{"bytes":"aMOp","attribution":{"citations":[{"retrievedReferences":[{"location":{"s3Location":{"uri":"s3://a"}}}]}]}}"#,
        ),
        ("returnControl", r#"{"invocationId":"i"}"#),
    ]);
    assert_eq!(seen.kinds, ["tool_call+status", "tool_result+status", "text+source", "tool_call"]);
    assert_eq!((seen.facts.format, &*seen.text, seen.facts.tool_calls), (Format::BedrockAgent, "hé", 2));
    assert!(!Format::BedrockAgent.has_end());
}

/// Protects: additions of servers that speak OpenAI Chat: no text is read twice, a choice without a delta is none.
#[test]
fn servers_that_speak_openai_chat() {
    let seen = unnamed(&[
        r#"{"object":"chat.completion.chunk","choices":[{"index":0,"text":"a","message":{"content":"a"},"delta":{"content":"a"}}]}"#,
        r#"{"object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":null,"content_filter_results":{},"content_filter_offsets":{}}]}"#,
        r#"{"object":"chat.completion.chunk","choices":[],"citations":["https://a","https://b"]}"#,
        r#"{"object":"chat.completion.done","choices":[{"index":0,"message":{"content":"a"},"delta":{"content":""},"finish_reason":"stop"}],"search_results":[{"url":"https://b"},{"url":"https://c"}]}"#,
        r#"{"object":"chat.completion.chunk","error":{"code":502},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
    ]);
    assert_eq!((seen.facts.format, &*seen.text, seen.facts.sources), (Format::OpenaiChat, "a", 3));
    assert_eq!(seen.kinds, ["text", "meta", "source", "source+finish", "error+finish"]);
}
