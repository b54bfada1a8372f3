//! The backend as a page meets it.
mod common;
use chat_vitals::core::format::Reader;
use chat_vitals::core::signal::Record;
use common::{FORMATS, decode, header, json_of, start};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Protects: each format carries the text and the reasoning unchanged and says that it is done.
#[tokio::test]
async fn every_format_carries_the_same_answer() {
    let server = start().await;
    let steps = json!({"steps": [
        {"at": 0, "reasoning": "Let me "}, {"at": 0, "reasoning": "see."},
        {"at": 0, "source": "https://example.org/a"},
        {"at": 0, "text": "Sure! \n\n"}, {"at": 0, "text": "größer \"1\" 👩‍👩‍👧"},
    ]});
    let ends = [
        "data: [DONE]\n\n",
        "\"status\":\"completed\"",
        "\"message_stop\"}\n\n",
        "data: [DONE]\n\n",
        "\"done\":true",
        "👧",
    ];
    for (format, end) in FORMATS.into_iter().zip(ends) {
        let response = server.chat(format, steps.clone()).await;
        assert_eq!(response.status(), 200);
        let body = response.text().await.expect("a whole body");
        let (reasoning, text) = decode(format, &body);
        assert_eq!(text, "Sure! \n\ngrößer \"1\" 👩‍👩‍👧", "{format}");
        assert!(body.contains(end), "{format}: {body}");
        if format != "plain-text" {
            assert_eq!(reasoning, "Let me see.", "{format}");
        }
    }
}

/// Protects: the SDK's own reader recognises what the demo streams, and finds its ids, sources and end.
#[tokio::test]
async fn the_sdk_reads_every_format() {
    let server = start().await;
    let steps = json!({"steps": [
        {"at": 0, "reasoning": "Hm."}, {"at": 0, "text": "Sure."}, {"at": 0, "source": "https://example.org/a"},
    ]});
    for format in FORMATS {
        let response = server.ask(json!({"format": format, "model": "aurora-mini", "scenario": steps})).await;
        let names = ["content-type", "x-vercel-ai-ui-message-stream"];
        let headers = names.map(|name| (name, header(&response, name).to_owned()));
        let sent: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .filter(|(_, it)| !it.is_empty())
            .collect();
        let mut reader = Reader::new(&headers[0].1, &sent);
        let (mut text, mut reasoning) = (String::new(), String::new());
        let mut take = |record: &Record<'_>| {
            text += record.text;
            reasoning += record.reasoning;
        };
        reader.feed(&response.bytes().await.expect("a body"), &mut take);
        reader.finish(&mut take);
        let facts = reader.facts();
        assert_eq!(serde_json::to_value(facts.format).expect("a name"), format);
        assert_eq!((text.as_str(), facts.malformed, facts.errors), ("Sure.", 0, 0), "{format}");
        if format != "plain-text" {
            assert_eq!((reasoning.as_str(), facts.finished), ("Hm.", true), "{format}");
            assert!(facts.finish_reason.is_some() || format == "openai-responses", "{format}");
        }
        if !["ai-sdk-ui", "plain-text"].contains(&format) {
            assert_eq!(facts.model.as_ref().map(|model| model.as_str()), Some("aurora-mini"), "{format}");
            assert!(facts.usage.is_some_and(|usage| usage.output_tokens.is_some()), "{format}");
        }
        assert_eq!(facts.sources, u32::from(!["ollama", "plain-text"].contains(&format)), "{format}");
    }
}

/// Protects: composed and recorded answers of each format are whole, and a seed reproduces them.
#[tokio::test]
async fn answers_are_whole_and_reproducible() {
    let server = start().await;
    for format in FORMATS {
        for answer in ["recorded", "composed"] {
            let mut bodies = Vec::new();
            for _ in 0..2 {
                let scenario = json!({"kind": "instant", "answer": answer});
                let response = server.ask(json!({"format": format, "seed": 5, "scenario": scenario})).await;
                let body = response.text().await.expect("a whole body");
                bodies.push(decode(format, &body));
            }
            // Recordings of Ollama's generate hold their text in another field.
            let elsewhere = format == "ollama" && answer == "recorded";
            assert!(elsewhere || bodies[0].1.len() > 20, "{format} {answer}");
            assert_eq!(bodies[0], bodies[1], "{format} {answer}");
        }
    }
}

/// Protects: a step is on the wire at its time and not before; two steps are not joined.
#[tokio::test]
async fn steps_are_flushed_at_their_times() {
    let server = start().await;
    let began = Instant::now();
    let steps = json!({"headersAt": 100, "steps": [{"at": 200, "text": "one "}, {"at": 400, "text": "two"}, {"at": 500, "end": "done"}]});
    let response = server.chat("plain-text", steps).await;
    assert!(began.elapsed() >= Duration::from_millis(100));
    let mut body = response.bytes_stream();
    for (text, at) in [("one ", 200), ("two", 400)] {
        let chunk = body.next().await.expect("a chunk").expect("bytes");
        assert_eq!(chunk, text);
        assert!(began.elapsed() >= Duration::from_millis(at), "{text} came early");
    }
    assert!(body.next().await.is_none());
    assert!(began.elapsed() >= Duration::from_millis(500));
}

/// Protects: the headers that correlate a turn, and what other origins may read of them.
#[tokio::test]
async fn headers_tell_ids_and_phases() {
    let server = start().await;
    let script = json!({"steps": [{"at": 0, "text": "x"}], "phases": {"queue": 20, "prefill": 3.5}});
    let response = server.chat("ai-sdk-ui", script).await;
    assert_eq!(header(&response, "content-type"), "text/event-stream");
    assert_eq!(header(&response, "x-vercel-ai-ui-message-stream"), "v1");
    assert_eq!(header(&response, "cache-control"), "no-cache");
    assert_eq!(header(&response, "x-accel-buffering"), "no");
    assert_eq!(header(&response, "access-control-allow-origin"), "*");
    let exposed = header(&response, "access-control-expose-headers");
    assert!(
        ["x-request-id", "traceparent", "server-timing", "retry-after"]
            .iter()
            .all(|name| exposed.contains(name))
    );
    assert!(!header(&response, "x-request-id").is_empty());
    let traceparent = header(&response, "traceparent");
    let expected = format!("queue;dur=20.0, prefill;dur=3.5, traceparent;desc=\"{traceparent}\"");
    assert_eq!(header(&response, "server-timing"), expected);
}

/// Protects: failures before the stream have their status, `Retry-After` and a JSON body.
#[tokio::test]
async fn a_status_scenario_is_an_http_error() {
    let server = start().await;
    for format in FORMATS {
        let response = server.chat(format, json!({"status": 429, "retryAfter": 2})).await;
        assert_eq!(response.status(), 429);
        assert_eq!(header(&response, "retry-after"), "2");
        let body = json_of(response).await;
        assert!(body["error"].is_string() || body["error"]["message"].is_string(), "{format}: {body}");
    }
}

/// Protects: an error in the stream is one of the format, and nothing says that the answer was finished.
#[tokio::test]
async fn an_error_is_told_in_the_stream() {
    let server = start().await;
    let steps = json!({"steps": [{"at": 0, "text": "Half"}, {"at": 0, "end": "error"}]});
    for (format, sign) in [
        ("openai-chat", "data: {\"error\":"),
        ("openai-responses", "\"type\":\"response.failed\""),
        ("anthropic-messages", "event: error"),
        ("ai-sdk-ui", "\"type\":\"error\""),
        ("ollama", "{\"error\":"),
    ] {
        let body = server.chat(format, steps.clone()).await.text().await.expect("a whole body");
        assert!(body.contains(sign), "{format}: {body}");
        assert!(!body.contains("\"finish_reason\":\"stop\"") && !body.contains("message_stop"), "{format}");
    }
    assert!(server.chat("plain-text", steps).await.text().await.is_err());
}

/// Protects: a cut breaks the body after the text that was sent before it.
#[tokio::test]
async fn a_cut_comes_after_the_text() {
    let server = start().await;
    let steps = json!({"steps": [{"at": 0, "text": "Half"}, {"at": 0, "end": "cut"}]});
    let mut body = server.chat("plain-text", steps).await.bytes_stream();
    assert_eq!(body.next().await.expect("a chunk").expect("bytes"), "Half");
    assert!(body.next().await.expect("an end").is_err());
}

/// Protects: `EventSource` gets the same stream, no other format, and can be stopped from asking again.
#[tokio::test]
async fn event_source_gets_the_sse_formats() {
    let server = start().await;
    let scenario = "%7B%22steps%22%3A%5B%7B%22at%22%3A0%2C%22text%22%3A%22Hi%22%7D%5D%7D";
    let path = format!("/api/chat/stream?format=openai-chat&message=hi&turn=t1&scenario={scenario}");
    let body = server.get(&path).await.text().await.expect("a body");
    assert_eq!(decode("openai-chat", &body).1, "Hi");
    assert_eq!(server.get(&path).await.status(), 204);
    assert_eq!(server.get("/api/chat/stream?format=ollama&message=hi").await.status(), 422);
}

/// Protects: the steps reach the side channel in order, and the last message says that the turn is over.
#[tokio::test]
async fn progress_is_told_on_the_side() {
    let server = start().await;
    let channel = server.get("/api/progress/c1").await;
    assert_eq!(header(&channel, "content-type"), "text/event-stream");
    let script = json!({"headersAt": 20, "steps": [{"at": 0, "progress": "Searching"}, {"at": 30, "progress": "Writing"}, {"at": 30, "text": "x"}]});
    let response = server.ask(json!({"format": "ollama", "conversation": "c1", "scenario": script})).await;
    let request_id = header(&response, "x-request-id").to_owned();
    let mut events = channel.bytes_stream();
    let (mut seen, mut told) = (String::new(), Vec::new());
    while told.len() < 3 {
        seen += std::str::from_utf8(&events.next().await.expect("an event").expect("bytes")).expect("text");
        told = seen.lines().filter_map(|line| line.strip_prefix("data: ")).map(str::to_owned).collect();
    }
    let told: Vec<Value> = told.iter().map(|data| serde_json::from_str(data).expect("JSON")).collect();
    let steps: Vec<_> = told.iter().map(|it| it["step"].as_str()).collect();
    assert_eq!(steps, [Some("Searching"), Some("Writing"), None]);
    assert!(told.iter().all(|it| it["requestId"] == request_id.as_str()));
    assert_eq!((&told[1]["index"], &told[1]["of"]), (&json!(1), &json!(2)));
}

/// Protects: what is wrong in a request is a clear 4xx and never a stream.
#[tokio::test]
async fn bad_requests_are_refused() {
    let server = start().await;
    let cases = [
        ("{", 400),
        (r#"{"format":"morse","messages":[{"role":"user","content":"x"}]}"#, 422),
        (r#"{"format":"ollama","messages":[]}"#, 422),
        (r#"{"format":"ollama","messages":[{"role":"user","content":"x"}],"conversation":"a b"}"#, 422),
        (r#"{"format":"ollama","messages":[{"role":"user","content":"x"}],"scenario":"soon"}"#, 422),
        (
            r#"{"format":"ollama","messages":[{"role":"user","content":"x"}],"scenario":{"steps":[{"at":5,"text":"a"},{"at":4,"text":"b"}]}}"#,
            422,
        ),
        (
            r#"{"format":"ollama","messages":[{"role":"user","content":"x"}],"scenario":{"steps":[{"at":5,"text":"a","end":"done"}]}}"#,
            422,
        ),
    ];
    for (body, status) in cases {
        let response = server.post("/api/chat", "application/json", body.to_owned()).await;
        assert_eq!(response.status(), status, "{body}");
        assert!(json_of(response).await["error"]["message"].is_string());
    }
    let large = "x".repeat(300 * 1024);
    assert_eq!(server.post("/api/chat", "application/json", large).await.status(), 413);
}

/// Protects: the pages and the SDK are served with types that browsers accept.
#[tokio::test]
async fn files_have_their_types() {
    let server = start().await;
    for (path, kind) in
        [("/", "text/html"), ("/c/abc", "text/html"), ("/sdk/engine.wasm", "application/wasm")]
    {
        let response = server.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert!(header(&response, "content-type").starts_with(kind), "{path}");
        assert_eq!(header(&response, "cache-control"), "no-cache");
    }
    assert_eq!(server.get("/sdk/%2e%2e/%2e%2e/etc/passwd").await.status(), 404);
}
