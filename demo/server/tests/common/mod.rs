//! A demo server in this process, on a free port, with data of its own.
#![allow(dead_code, reason = "each test file uses its part")]
use demo_server::{App, Config, Scenario, Upstream, serve};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;

pub struct Server {
    pub url: String,
    pub client: Client,
    data: TempDir,
}

pub async fn start() -> Server {
    start_with(None).await
}

/// All answers come at once unless a request says otherwise.
pub async fn start_with(upstream: Option<Upstream>) -> Server {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("chat.html"), "<!doctype html>").expect("a page");
    std::fs::write(data.path().join("engine.wasm"), "\0asm").expect("a file");
    let config = Config {
        data: data.path().join("vitals.sqlite"),
        web: data.path().into(),
        sdk: data.path().into(),
        seed: 1,
        upstream,
        otlp: None,
        scenario: "instant".parse::<Scenario>().expect("a scenario"),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let app = App::new(config).expect("the store");
    tokio::spawn(serve(app, listener));
    Server { url, client: Client::new(), data }
}

impl Server {
    pub async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.url)).send().await.expect("an answer")
    }

    pub async fn json(&self, path: &str) -> Value {
        json_of(self.get(path).await).await
    }

    pub async fn chat(&self, format: &str, scenario: Value) -> Response {
        self.ask(json!({"format": format, "scenario": scenario})).await
    }

    pub async fn ask(&self, mut body: Value) -> Response {
        body["messages"] = json!([{"role": "user", "content": "How does it work?"}]);
        self.post("/api/chat", "application/json", body.to_string()).await
    }

    pub async fn vitals(&self, batch: &Value) -> Response {
        self.post("/vitals", "text/plain;charset=UTF-8", batch.to_string()).await
    }

    pub async fn post(&self, path: &str, content_type: &str, body: String) -> Response {
        let call = self.client.post(format!("{}{path}", self.url)).header("content-type", content_type);
        call.body(body).send().await.expect("an answer")
    }
}

pub async fn json_of(response: Response) -> Value {
    let bytes = response.bytes().await.expect("a body");
    serde_json::from_slice(&bytes).expect("JSON")
}

pub fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("text"))
}

/// A batch with these turns; each gets what every turn must have.
pub fn batch(turns: &[Value]) -> Value {
    let whole = |turn: &Value| {
        let mut whole = json!({
            "id": "0123456789abcdef", "revision": 1, "final": true, "startedAt": 1_796_059_156_406.8,
            "trigger": "submit", "outcome": "completed", "timings": {}
        });
        whole.as_object_mut().expect("an object").extend(turn.as_object().expect("an object").clone());
        whole
    };
    json!({
        "schema": "chat-vitals/1",
        "sdk": {"version": "0.1.0", "mode": "full"},
        "sentAt": 1_796_059_156_406_u64,
        "page": {"id": "p1", "route": "/c/:id", "engine": "chromium/156", "clockResolution": 0.1},
        "variants": [{"experiment": "progress", "variant": "steps", "unit": "session"}],
        "turns": turns.iter().map(whole).collect::<Value>(),
    })
}

pub fn id(number: usize) -> String {
    format!("{number:016x}")
}

/// What a page would read out of a stream: reasoning and text. Written apart from the encoders.
pub fn decode(format: &str, body: &str) -> (String, String) {
    let (mut reasoning, mut text) = (String::new(), String::new());
    if format == "plain-text" {
        return (reasoning, body.to_owned());
    }
    let documents = body.lines().filter_map(|line| match format {
        "ollama" => Some(line),
        _ => line.strip_prefix("data: ").filter(|data| *data != "[DONE]"),
    });
    for document in documents {
        let it: Value = serde_json::from_str(document).expect("JSON");
        let kind = it["type"].as_str().unwrap_or_default();
        let (thought, said) = match format {
            "openai-chat" => {
                (&it["choices"][0]["delta"]["reasoning_content"], &it["choices"][0]["delta"]["content"])
            }
            "openai-responses" if kind == "response.output_text.delta" => (&Value::Null, &it["delta"]),
            "openai-responses" if kind == "response.reasoning_summary_text.delta" => {
                (&it["delta"], &Value::Null)
            }
            "anthropic-messages" => (&it["delta"]["thinking"], &it["delta"]["text"]),
            "ai-sdk-ui" if kind == "text-delta" => (&Value::Null, &it["delta"]),
            "ai-sdk-ui" if kind == "reasoning-delta" => (&it["delta"], &Value::Null),
            "ollama" => (&it["message"]["thinking"], &it["message"]["content"]),
            _ => (&Value::Null, &Value::Null),
        };
        reasoning += thought.as_str().unwrap_or_default();
        text += said.as_str().unwrap_or_default();
    }
    (reasoning, text)
}

pub const FORMATS: [&str; 6] =
    ["openai-chat", "openai-responses", "anthropic-messages", "ai-sdk-ui", "ollama", "plain-text"];
