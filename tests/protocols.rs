//! What the protocols of agents and user interfaces can say and no recording shows.
use chat_vitals::core::format::Reader;
use chat_vitals::core::signal::{Facts, Format, Kinds, Record};

/// What came out of a stream of server-sent events.
#[derive(Debug, Default)]
struct Seen {
    kinds: Vec<Kinds>,
    text: String,
    reasoning: String,
    facts: Facts,
}

/// Reads records, each `data` or `name|data`.
fn read<R: AsRef<str>>(records: &[R]) -> Seen {
    let blocks = records.iter().map(AsRef::as_ref).map(|record| {
        match record.split_once('|').filter(|_| !record.starts_with(['{', '['])) {
            Some((name, "")) => format!("event: {name}\n\n"),
            Some((name, data)) => format!("event: {name}\ndata: {data}\n\n"),
            None => format!("data: {record}\n\n"),
        }
    });
    body(Reader::new("text/event-stream", &[]), &blocks.collect::<String>())
}

fn body(mut reader: Reader, body: &str) -> Seen {
    let mut seen = Seen::default();
    let mut take = |record: &Record<'_>| {
        seen.kinds.push(record.kinds);
        seen.text.push_str(record.text);
        seen.reasoning.push_str(record.reasoning);
    };
    reader.feed(body.as_bytes(), &mut take);
    reader.finish(&mut take);
    seen.facts = reader.facts().clone();
    seen
}

fn finish(seen: &Seen) -> &str {
    seen.facts.finish_reason.as_ref().map_or("", |reason| reason.as_str())
}

/// Protects: all codes of the data stream, with and without its header; what belongs to the dialect alone tells it.
#[test]
fn data_streams_are_read_and_told_apart() {
    let older = "2:[{}]\nf:{\"messageId\":\"m\"}\ni:{\"data\":\"x\"}\ng:\"hm\"\nk:{}\n0:\"Hi\"\n8:[1]\n\
                 d:{\"finishReason\":\"error\",\"usage\":{\"promptTokens\":null}}\n";
    let headers = [("X-Vercel-AI-Data-Stream", "v1")];
    for reader in [Reader::new("text/plain", &headers), Reader::new("text/plain", &[])] {
        let seen = body(reader, older);
        let reasoning = Kinds::REASONING;
        let kinds =
            [Kinds::STATUS, Kinds::META, reasoning, reasoning, Kinds::FILE, Kinds::TEXT, Kinds::STATUS];
        assert_eq!((&seen.kinds[..7], seen.kinds[7]), (&kinds[..], Kinds::FINISH));
        assert_eq!(
            (seen.facts.format, finish(&seen), seen.facts.usage),
            (Format::AiSdkV4Data, "error", None)
        );
    }
    for line in [
        "aui-state:[]\n",
        "aui-text-delta:{\"textDelta\":\"Hi\"}\n",
        "g:\"hm\"\n",
        "a:{\"toolCallId\":\"c\",\"artifact\":1}\n",
    ] {
        let seen = body(Reader::new("text/plain", &[]), &format!("{line}0:\"!\"\n"));
        assert_eq!(seen.facts.format, Format::AssistantUiDataStream, "{line}");
        assert_eq!(seen.text.as_str(), if line.contains("Hi") { "Hi!" } else { "!" });
    }
}

/// Protects: what a delta of assistant-transport adds to is known by its place, not by its order.
#[test]
fn parts_that_are_open_at_once_are_told_apart() {
    let seen = read(&[
        r#"{"type":"part-start","path":[],"part":{"type":"text"}}"#,
        r#"{"type":"part-start","path":[],"part":{"type":"reasoning"}}"#,
        r#"{"type":"part-start","path":[],"part":{"type":"tool-call","toolCallId":"c"}}"#,
        r#"{"type":"text-delta","path":[1],"textDelta":"why"}"#,
        r#"{"type":"text-delta","path":[2],"textDelta":"{}"}"#,
        r#"{"type":"text-delta","path":[0],"textDelta":"so"}"#,
        r#"{"type":"text-delta","path":[7],"textDelta":"lost"}"#,
        r#"{"type":"update-state","path":[],"operations":[]}"#,
        r#"{"type":"error","path":[],"error":"no"}"#,
    ]);
    assert_eq!(seen.facts.format, Format::AssistantTransport);
    assert_eq!((seen.text.as_str(), seen.reasoning.as_str(), seen.facts.tool_calls), ("so", "why", 1));
    assert_eq!(seen.kinds[4..7], [Kinds::TOOL_CALL, Kinds::TEXT, Kinds::META]);
    assert_eq!((seen.kinds[7], seen.kinds[8]), (Kinds::STATUS, Kinds::ERROR));
}

fn adk(partial: &str, part: &str) -> String {
    format!(r#"{{"invocationId":"i","author":"a"{partial},"content":{{"role":"model","parts":[{part}]}}}}"#)
}

/// Protects: of ADK's whole events only those that repeat pieces are repeats; each call to a model begins anew.
#[test]
fn adk_reads_whole_events_that_repeat_nothing() {
    let piece = r#","partial":true"#;
    let seen = read(&[
        &adk("", r#"{"text":"At once. "},{"functionCall":{"id":"f","name":"n"}}"#),
        &adk("", r#"{"functionResponse":{"id":"f"}}"#),
        &adk(piece, r#"{"text":"Hm","thought":true}"#),
        &adk(piece, r#"{"text":"In pie"}"#),
        &adk(piece, r#"{"text":"ces."}"#),
        &adk("", r#"{"text":"Hm","thought":true},{"text":"In pieces."}"#),
        &adk("", r#"{"text":" Whole."}"#),
        r#"{"invocationId":"i","author":"a","errorCode":"SAFETY"}"#,
    ]);
    assert_eq!((seen.text.as_str(), seen.reasoning.as_str()), ("At once. In pieces. Whole.", "Hm"));
    assert_eq!(seen.kinds[0], Kinds::TEXT | Kinds::TOOL_CALL);
    assert_eq!(
        (seen.kinds[1], seen.kinds[5], seen.kinds[7]),
        (Kinds::TOOL_RESULT, Kinds::META, Kinds::ERROR)
    );
    assert_eq!((seen.facts.tool_calls, seen.facts.format), (1, Format::Adk));
}

/// Protects: in Agno a member's run is a part of the team's, whose end alone is the end.
#[test]
fn an_agno_team_ends_when_the_team_does() {
    let event =
        |name: &str, more: &str| format!(r#"{name}|{{"event":"{name}","run_id":"r","nested_depth":{more}}}"#);
    let seen = read(&[
        &event("TeamRunStarted", "0"),
        &event("RunContent", r#"1,"content":"member""#),
        &event("RunCompleted", r#"1,"content":"member","metrics":{"input_tokens":9}"#),
        &event("TeamReasoningStep", r#"0,"reasoning_content":"plan""#),
        &event("TeamToolCallError", r#"0,"tool":{"tool_call_id":"t"}"#),
        &event("TeamRunContent", r#"0,"content":"team""#),
        &event("TeamRunCompleted", r#"0,"content":"team","metrics":{"input_tokens":5,"duration":2.5}"#),
    ]);
    assert_eq!(
        (seen.text.as_str(), seen.reasoning.as_str(), finish(&seen)),
        ("team", "plan", "TeamRunCompleted")
    );
    assert!(!seen.kinds[2].has(Kinds::FINISH) && seen.kinds[4] == Kinds::TOOL_RESULT);
    assert_eq!(seen.facts.usage.and_then(|usage| usage.input_tokens), Some(5));
    assert_eq!(seen.facts.phases[0].duration, 2500.0);
}

/// Protects: Mastra's other events, among them one tool call in several records.
#[test]
fn mastra_counts_a_call_once_and_tells_how_it_ended() {
    let event = |kind: &str, payload: &str| {
        format!(r#"{{"type":"{kind}","runId":"r","from":"AGENT","payload":{{{payload}}}}}"#)
    };
    let seen = read(&[
        &event("tool-call-input-streaming-start", r#""toolCallId":"t""#),
        &event("tool-call-delta", r#""toolCallId":"t","argsTextDelta":"{}""#),
        &event("tool-call", r#""toolCallId":"t","args":{}"#),
        &event("tool-error", r#""toolCallId":"t""#),
        &event("source", r#""id":"s","url":"https://example.org""#),
        &event("error", r#""error":"no""#),
        &event("abort", ""),
    ]);
    assert_eq!((seen.facts.tool_calls, seen.facts.sources, seen.facts.errors), (1, 1, 1));
    assert_eq!((seen.facts.format, finish(&seen)), (Format::Mastra, "abort"));
    assert_eq!(seen.kinds[3], Kinds::TOOL_RESULT);
}

/// Protects: a ChatKit answer that comes whole is text, one that came in pieces is not told twice; a widget's text is text.
#[test]
fn chatkit_reads_an_answer_that_comes_whole() {
    let item =
        |event: &str, item: &str| format!(r#"{{"type":"thread.item.{event}","item":{{"id":"i",{item}}}}}"#);
    let update =
        |update: &str| format!(r#"{{"type":"thread.item.updated","item_id":"i","update":{{{update}}}}}"#);
    let seen = read(&[
        &item("done", r#""type":"user_message","content":[{"type":"input_text","text":"ask"}]"#),
        &item("done", r#""type":"assistant_message","content":[{"text":"one "},{"text":"two "}]"#),
        &update(r#""type":"assistant_message.content_part.text_delta","delta":"three ""#),
        &item("done", r#""type":"assistant_message","content":[{"text":"three "}]"#),
        &update(r#""type":"widget.streaming_text.value_delta","delta":"four","done":false"#),
        &update(
            r#""type":"assistant_message.content_part.annotation_added","annotation":{"source":{"type":"url","url":"u"}}"#,
        ),
        &item("done", r#""type":"client_tool_call","call_id":"c""#),
        r#"{"type":"notice","level":"info"}"#,
        &item("replaced", r#""type":"assistant_message","content":[]"#),
    ]);
    assert_eq!((seen.text.as_str(), seen.facts.format), ("one two three four", Format::Chatkit));
    assert_eq!((seen.facts.sources, seen.facts.tool_calls, seen.facts.withdrawn), (1, 1, 1));
    assert_eq!((seen.kinds[0], seen.kinds[3]), (Kinds::META, Kinds::FINISH));
}

/// Protects: LangServe's message pieces and events; a last word without data is heard, and is no record.
#[test]
fn langserve_reads_messages_and_events() {
    let piece = r#""content":"Hi","type":"AIMessageChunk","tool_call_chunks":[]"#;
    let message = read(&[r#"metadata|{"run_id":"r"}"#, &format!("data|{{{piece}}}"), "end|"]);
    assert_eq!((message.text.as_str(), finish(&message), message.kinds.len()), ("Hi", "end", 2));
    assert!(message.facts.finished && message.facts.format == Format::Langserve);

    let event =
        |name: &str, data: &str| format!(r#"data|{{"event":"{name}","run_id":"r","data":{{{data}}}}}"#);
    let events = read(&[
        &event("on_chain_start", ""),
        &event("on_chat_model_stream", &format!(r#""chunk":{{{piece}}}"#)),
        &event("on_parser_stream", r#""chunk":"Hi""#),
        &event("on_tool_end", r#""output":"x""#),
        &event("on_chain_stream", r#""chunk":"Hi""#),
        r#"error|{"status_code":500,"message":"no"}"#,
    ]);
    assert_eq!((events.text.as_str(), events.facts.format), ("Hi", Format::Langserve));
    let (status, error) = (Kinds::STATUS, Kinds::ERROR);
    assert_eq!(events.kinds, [status, Kinds::TEXT, status, Kinds::TOOL_RESULT, status, error]);
}

/// Protects: an older LangGraph server begins like LangServe, and is read as what it is.
#[test]
fn langgraph_is_known_by_its_modes() {
    let seen = read(&[
        r#"metadata|{"run_id":"r"}"#,
        r#"messages/partial|[{"type":"ai","id":"m","content":"Hel"}]"#,
        r#"messages/partial|[{"type":"ai","id":"m","content":"Hello"}]"#,
    ]);
    assert_eq!((seen.text.as_str(), seen.facts.format), ("Hello", Format::Langgraph));
}

fn queue(msg: &str, data: &str) -> String {
    format!(r#"{{"msg":"{msg}","event_id":"e","success":true,"output":{{"data":{data}}}}}"#)
}

/// Protects: Gradio's changes by their place; thoughts and earlier answers are not the answer.
#[test]
fn gradio_tells_the_answer_from_what_is_around_it() {
    let before =
        r#"{"role":"user","content":"a"},{"role":"assistant","content":"old"},{"role":"user","content":"b"}"#;
    let thought = r#"{"role":"assistant","content":"Hm","metadata":{"title":"Thinking"}}"#;
    let seen = read(&[
        r#"{"msg":"heartbeat"}"#,
        &queue("process_starts", "[]"),
        &queue("process_generating", &format!("[null,[{before},{thought}]]")),
        &queue("process_generating", r#"[[],[["append",[3,"content"],"m"]]]"#),
        &queue("process_generating", r#"[[],[["add",[4],{"role":"assistant","content":"Ne"}]]]"#),
        &queue("process_generating", r#"[[],[["append",[4,"content"],"w"]]]"#),
        &queue("process_generating", r#"[[],[["replace",[4,"content"],"New."]]]"#),
        r#"{"msg":"heartbeat"}"#,
        &queue(
            "process_completed",
            &format!(r#"[null,[{before},{thought},{{"role":"assistant","content":"New."}}]]"#),
        ),
    ]);
    assert_eq!((seen.text.as_str(), seen.reasoning.as_str()), ("New.", "Hmm"));
    assert_eq!((seen.kinds[7], seen.kinds[8]), (Kinds::PING, Kinds::FINISH));
    let failed = read(&[
        &queue("process_starts", "[]"),
        r#"{"msg":"process_completed","success":false,"output":{"error":"no"}}"#,
    ]);
    assert_eq!((failed.kinds[1], failed.facts.finished), (Kinds::ERROR, false));
}

/// Protects: Gradio's simple calls tell the whole text each time; so do queues of pairs.
#[test]
fn gradio_takes_whole_outputs_for_what_they_add() {
    let calls =
        read(&["generating|[\"Hel\"]", "heartbeat|null", "generating|[\"Hello\"]", "complete|[\"Hello\"]"]);
    assert_eq!(
        (calls.text.as_str(), finish(&calls), calls.facts.format),
        ("Hello", "complete", Format::Gradio)
    );
    assert_eq!(calls.kinds, [Kinds::TEXT, Kinds::PING, Kinds::TEXT, Kinds::FINISH]);
    let pairs = read(&[
        &queue("process_generating", r#"[[["a","old"],["b","N"]]]"#),
        &queue("process_generating", r#"[[["append",[1,1],"ew"]]]"#),
        &queue("process_completed", r#"[[["a","old"],["b","New"]]]"#),
    ]);
    assert_eq!(pairs.text, "New");
    let failed = read(&["generating|[\"Hel\"]", "error|null"]);
    assert_eq!(failed.kinds[1], Kinds::ERROR);
}

/// Protects: Open WebUI's own frames around OpenAI's chunks.
#[test]
fn open_webui_reads_its_own_frames() {
    let event = |data: &str| format!(r#"{{"event":{{{data}}}}}"#);
    let seen = read(&[
        r#"{"selected_model_id":"m"}"#,
        &event(r#""type":"status","data":{"done":false}"#),
        &event(r#""type":"citation","data":{"source":{"name":"n"}}"#),
        r#"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi"}}]}"#,
        &event(r#""type":"chat:message:delta","data":{"content":" there"}"#),
        r#"{"error":{"message":"no"}}"#,
    ]);
    assert_eq!(
        (seen.text.as_str(), seen.facts.sources, seen.facts.format),
        ("Hi there", 1, Format::OpenWebui)
    );
    assert_eq!((seen.kinds[1], seen.kinds[4], seen.kinds[5]), (Kinds::STATUS, Kinds::TEXT, Kinds::ERROR));
}

/// Protects: A2A over REST, an artifact that is told again, and how a task ends.
#[test]
fn a2a_reads_bare_records_and_artifacts_told_again() {
    let artifact = |text: &str, append: bool| {
        format!(
            r#"{{"artifactUpdate":{{"taskId":"t","append":{append},"artifact":{{"artifactId":"a","parts":[{{"text":"{text}"}}]}}}}}}"#
        )
    };
    let state = |state: &str| {
        format!(
            r#"{{"statusUpdate":{{"taskId":"t","status":{{"state":"{state}","message":{{"parts":[{{"text":"note"}}]}}}}}}}}"#
        )
    };
    let seen = read(&[
        r#"{"task":{"id":"t","status":{"state":"TASK_STATE_SUBMITTED"},"history":[{"parts":[{"text":"ask"}]}]}}"#,
        &state("TASK_STATE_WORKING"),
        &artifact("Hel", false),
        &artifact("Hello", false),
        &artifact("!", true),
        r#"{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"},"artifacts":[{"artifactId":"a","parts":[{"text":"Hello"},{"text":"!"}]}]}}"#,
        &state("TASK_STATE_COMPLETED"),
    ]);
    assert_eq!(
        (seen.text.as_str(), finish(&seen), seen.facts.format),
        ("Hello!", "TASK_STATE_COMPLETED", Format::A2a)
    );
    assert_eq!(seen.kinds[5], Kinds::STATUS);
    let asks = read(&[&state("TASK_STATE_INPUT_REQUIRED")]);
    assert_eq!((asks.text.as_str(), asks.facts.finished), ("note", true));
    let failed = read(&[
        r#"{"jsonrpc":"2.0","result":{"kind":"status-update","taskId":"t","status":{"state":"failed"},"final":true}}"#,
    ]);
    assert_eq!(failed.kinds, [Kinds::STATUS | Kinds::FINISH | Kinds::ERROR]);
    let message =
        read(&[r#"{"jsonrpc":"2.0","result":{"message":{"role":"ROLE_AGENT","parts":[{"text":"Hi"}]}}}"#]);
    assert_eq!((message.text.as_str(), message.kinds[0], message.facts.finished), ("Hi", Kinds::TEXT, true));
}

/// Protects: MCP's progress and errors; a tool's words are no answer.
#[test]
fn mcp_has_no_answer_text() {
    let seen = read(&[
        r#"message|{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        r#"message|{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}]}}"#,
        r#"message|{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#,
        r#"message|{"jsonrpc":"2.0","id":3,"error":{"code":-1}}"#,
    ]);
    assert_eq!(seen.kinds, [Kinds::STATUS, Kinds::TOOL_RESULT, Kinds::META, Kinds::ERROR]);
    assert_eq!((seen.text.as_str(), seen.facts.format), ("", Format::Mcp));
    assert!(!Format::Mcp.is_of_chats() && Format::A2a.is_of_chats());
}
