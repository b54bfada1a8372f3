//! Passing through to an OpenAI-compatible server: here another demo server.
mod common;
use common::{FORMATS, decode, start, start_with};
use demo_server::Upstream;
use serde_json::json;

fn upstream(url: &str) -> Option<Upstream> {
    Some(Upstream { url: url.to_owned(), model: "aurora-mini".into(), key: Some("k".into()) })
}

/// Protects: the upstream's bytes go through unchanged, and other formats carry the same text.
#[tokio::test]
async fn an_upstream_answers_in_every_format() {
    let origin = start().await;
    let relay = start_with(upstream(&format!("{}/v1", origin.url))).await;
    let messages = json!([{"role": "user", "content": "How does it work?"}]);
    let body = json!({"model": "aurora-mini", "messages": messages, "stream": true}).to_string();
    let direct =
        origin.post("/v1/chat/completions", "application/json", body).await.text().await.expect("a body");
    let (_, expected) = decode("openai-chat", &direct);
    assert!(expected.len() > 600);
    for format in FORMATS {
        let response = relay.ask(json!({"format": format})).await;
        assert_eq!(response.status(), 200);
        let body = response.text().await.expect("a whole body");
        assert_eq!(decode(format, &body).1, expected, "{format}");
        if format == "openai-chat" {
            assert!(body.ends_with("data: [DONE]\n\n"));
            assert_eq!(body.matches("\"role\":\"assistant\"").count(), 1, "framed twice");
        }
    }
}

/// Protects: an upstream that can't be reached or refuses is an HTTP error, and scripts still replay.
#[tokio::test]
async fn a_failing_upstream_is_an_http_error() {
    let origin = start().await;
    let wrong = start_with(upstream(&format!("{}/nowhere", origin.url))).await;
    assert_eq!(wrong.ask(json!({"format": "ollama"})).await.status(), 405);
    let gone = start_with(upstream("http://127.0.0.1:1")).await;
    assert_eq!(gone.ask(json!({"format": "openai-chat"})).await.status(), 502);
    let scripted = gone.chat("plain-text", json!({"steps": [{"at": 0, "text": "still here"}]})).await;
    assert_eq!(scripted.text().await.expect("a body"), "still here");
}
