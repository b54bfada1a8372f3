//! The collector as a beacon meets it.
mod common;
use common::{batch, header, id, json_of, start};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The turn of the interface's description, with all its fields.
fn whole_turn() -> Value {
    serde_json::from_str(include_str!("turn.json")).expect("JSON")
}

/// Protects: the documented batch is accepted, kept as it was sent, and may grow by fields without text.
#[tokio::test]
async fn a_whole_batch_is_kept() {
    let server = start().await;
    let mut sent = batch(&[whole_turn()]);
    sent["seq"] = json!(4);
    sent["turns"][0]["marks"] = json!({"card shown": 12.5});
    sent["turns"][0]["newMeasure"] = json!({"p50": 3, "kind": "soft-navigation"});
    assert_eq!(server.vitals(&sent).await.status(), 204);
    let kept = server.json("/vitals/turns").await;
    assert_eq!(kept["turns"][0]["turn"], sent["turns"][0]);
    assert_eq!(kept["turns"][0]["page"], sent["page"]);
    assert_eq!(kept["turns"][0]["variants"], sent["variants"]);
    assert_eq!(server.json(&format!("/vitals/turns?id={}", id(1))).await["turns"], json!([]));
}

/// Protects: what is wrong is refused with the place of it, nothing of the batch is kept, and no value is echoed.
#[tokio::test]
async fn a_wrong_batch_is_refused_with_its_place() {
    let server = start().await;
    let cases: [(&str, Value); 9] = [
        ("/turns/0/outcome", json!({"outcome": "great"})),
        ("/turns/0/id", json!({"id": "0123"})),
        ("/turns/0/timings/firstChunk", json!({"timings": {"firstChunk": "soon"}})),
        ("/turns/0/timings/firstChunk", json!({"timings": {"firstChunk": -1}})),
        ("/turns/0/requests/0/model", json!({"requests": [{"model": "What is the capital of France?"}]})),
        ("/turns/0/attributes/note", json!({"attributes": {"note": "Grüße aus Köln"}})),
        ("/turns/0/prompt", json!({"prompt": "What is the capital of France?"})),
        ("/turns/0/flags/0", json!({"flags": ["x".repeat(65)]})),
        ("/turns/0/revision", json!({"revision": -1})),
    ];
    for (path, turn) in cases {
        let response = server.vitals(&batch(&[turn])).await;
        assert_eq!(response.status(), 422, "{path}");
        let error = &json_of(response).await["error"];
        assert_eq!(error["path"], path);
        assert_eq!(error["code"], "schema");
        assert!(!error.to_string().contains("France"), "{error}");
    }
    let missing = server.vitals(&json!({"schema": "chat-vitals/1"})).await;
    assert_eq!(missing.status(), 422);
    assert_eq!(server.vitals(&batch(&[json!({"id": id(1)}), json!({"outcome": 1})])).await.status(), 422);
    assert_eq!(server.json("/vitals/turns").await["turns"], json!([]));
}

/// Protects: at-least-once delivery in any order ends with the highest revision, once.
#[tokio::test]
async fn the_highest_revision_stays() {
    let server = start().await;
    for (revision, outcome) in [(1, "open"), (3, "completed"), (2, "abandoned"), (3, "failed")] {
        let revision = f64::from(revision);
        let turn = json!({"revision": revision, "outcome": outcome});
        assert_eq!(server.vitals(&batch(&[turn])).await.status(), 204);
    }
    let kept = server.json("/vitals/turns").await;
    assert_eq!(kept["turns"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&kept["turns"][0]["turn"]["revision"], &kept["turns"][0]["turn"]["outcome"]),
        (&json!(3.0), &json!("completed"))
    );
}

/// Protects: each kind of body that is not a batch has its own answer.
#[tokio::test]
async fn bodies_that_are_no_batch_are_refused() {
    let server = start().await;
    let status = async |kind: &str, body: String| server.post("/vitals", kind, body).await.status().as_u16();
    assert_eq!(status("text/plain", "{".into()).await, 400);
    assert_eq!(status("text/plain", String::new()).await, 400);
    assert_eq!(status("text/plain", "x".repeat(64 * 1024 + 1)).await, 413);
    assert_eq!(status("application/x-www-form-urlencoded", batch(&[]).to_string()).await, 415);
    assert_eq!(status("application/json; charset=utf-8", batch(&[]).to_string()).await, 204);
    assert_eq!(server.get("/vitals").await.status(), 405);
    let query = server.get("/vitals/turns?limit=all").await;
    assert_eq!(query.status(), 422);
    assert_eq!(json_of(query).await["error"]["code"], "request");
    let nested = "[".repeat(60_000);
    assert_eq!(status("text/plain", nested).await, 400);
}

/// Protects: other origins may send JSON after a preflight, and read the answer, without credentials.
#[tokio::test]
async fn other_origins_may_send() {
    let server = start().await;
    let preflight = server
        .client
        .request(reqwest::Method::OPTIONS, format!("{}/vitals", server.url))
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .send()
        .await
        .expect("an answer");
    assert_eq!(preflight.status(), 200);
    assert_eq!(header(&preflight, "access-control-allow-origin"), "*");
    assert_eq!(header(&preflight, "access-control-allow-headers"), "*");
    assert_eq!(header(&preflight, "access-control-allow-credentials"), "");
    assert_eq!(header(&server.vitals(&batch(&[])).await, "access-control-allow-origin"), "*");
}

/// A demo server as its own process, killed when dropped.
struct Process {
    child: Child,
    url: String,
}

impl Process {
    fn start(data: &std::path::Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_demo-server"))
            .args(["--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("chat-vitals demo: ").expect("the address").to_owned();
        Self { child, url }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SIGKILL on Unix: the process gets no chance to write anything.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Protects: what was acknowledged is there after kill -9.
#[tokio::test]
async fn nothing_acknowledged_is_lost_on_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("deep/vitals.sqlite");
    let client = reqwest::Client::new();
    let process = Process::start(&data);
    for number in 0..50 {
        let call = client.post(format!("{}/vitals", process.url)).header("content-type", "text/plain");
        let answer =
            call.body(batch(&[json!({"id": id(number)})]).to_string()).send().await.expect("an answer");
        assert_eq!(answer.status(), 204);
    }
    drop(process);
    let again = Process::start(&data);
    let kept =
        json_of(client.get(format!("{}/vitals/turns", again.url)).send().await.expect("an answer")).await;
    assert_eq!(kept["turns"].as_array().map(Vec::len), Some(50));
}

/// Protects: a page that sends to a collector that nobody named is told so, and no batch vanishes.
#[tokio::test]
async fn without_a_collector_nothing_is_handed_on() {
    let server = start().await;
    let response = server.post("/otlp/v1/traces", "application/json", "{}".to_owned()).await;
    assert_eq!(response.status(), 404);
    assert_eq!(json_of(response).await["error"]["code"], "otlp");
}
