//! The dashboard's API over turns that were posted.
mod common;
use common::{Server, batch, header, id, start};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::Duration;

async fn post(server: &Server, turns: &[Value]) {
    assert_eq!(server.vitals(&batch(turns)).await.status(), 204);
}

fn measure<'a>(group: &'a Value, name: &str) -> &'a Value {
    group["measures"].as_array().expect("measures").iter().find(|it| it["name"] == name).expect("the measure")
}

/// The newest turn, once it has its server row: that is stored on its own, after the answer has ended.
async fn joined_turn(server: &Server) -> Value {
    let joined = async {
        loop {
            let turns = server.json("/api/dashboard/turns?limit=5").await;
            if turns["turns"][0]["server"] != json!([]) {
                return turns["turns"][0].clone();
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), joined).await.expect("the server's view of the request")
}

/// Protects: counts, quantiles, warnings, outcomes and intervals of a segment and a time range.
#[tokio::test]
async fn a_summary_has_figures_for_a_segment() {
    let server = start().await;
    let turn = |number: usize| {
        json!({
            "id": id(number), "startedAt": 1000 + number, "timings": {"firstVisibleToken": 100 * (number + 1)},
            "outcome": if number.is_multiple_of(4) { "abandoned" } else { "completed" },
            "requests": [{"format": if number < 20 { "ollama" } else { "openai-chat" }, "model": "m", "route": "/api/chat"}],
        })
    };
    post(&server, &(0..25).map(turn).collect::<Vec<_>>()).await;
    let summary = server.json("/api/dashboard/summary?format=ollama").await;
    let group = &summary["groups"][0];
    assert_eq!((&group["turns"], &group["key"]), (&json!(20), &Value::Null));
    let first = measure(group, "firstVisibleToken");
    assert_eq!((&first["count"], &first["p50"], &first["p95"]), (&json!(20), &json!(1050.0), &json!(1905.0)));
    assert_eq!(first["warning"], "p99 from fewer than 100 turns");
    assert!(measure(group, "finalRender").get("p50").is_none());
    assert_eq!(group["outcomes"]["abandoned"], 5);
    let rate = &group["rates"]["abandoned"];
    assert_eq!((&rate["count"], &rate["n"]), (&json!(5), &json!(20)));
    assert!(rate["low"].as_f64() < Some(0.25) && rate["high"].as_f64() > Some(0.25));

    let by = server.json("/api/dashboard/summary?by=format&from=1010&to=1024").await;
    let keys: Vec<_> =
        by["groups"].as_array().expect("groups").iter().map(|it| (&it["key"], &it["turns"])).collect();
    assert_eq!(keys, [(&json!("ollama"), &json!(10)), (&json!("openai-chat"), &json!(4))]);
    assert_eq!(server.json("/api/dashboard/summary?variant=progress:none").await["groups"][0]["turns"], 0);
    assert_eq!(server.get("/api/dashboard/summary?by=colour").await.status(), 422);

    let segments = server.json("/api/dashboard/segments").await;
    assert_eq!(segments["formats"], json!(["ollama", "openai-chat"]));
    assert_eq!(segments["routes"], json!(["/c/:id"]));
    assert_eq!(segments["variants"], json!(["progress:steps"]));
}

/// Protects: the server's own phases stand on the user's axis, joined by the request id.
#[tokio::test]
async fn a_waterfall_joins_the_servers_phases() {
    let server = start().await;
    let script = json!({"headersAt": 60, "steps": [{"at": 80, "reasoning": "Hm"}, {"at": 120, "text": "Hi"}, {"at": 160, "end": "done"}], "phases": {"queue": 50}});
    let response = server.chat("openai-chat", script).await;
    let request_id = header(&response, "x-request-id").to_owned();
    let trace_id = header(&response, "traceparent")[3..35].to_owned();
    response.text().await.expect("a body");
    let request = json!({"requestId": {"x-request-id": request_id}, "sent": 5, "responseStart": 100, "status": 200, "end": "done"});
    let timings = json!({"lastChunk": 200, "requestSent": 5, "nextAction": 90_000});
    post(
        &server,
        &[json!({"timings": timings, "requests": [request], "actions": [{"type": "copy", "at": 5000}]})],
    )
    .await;
    let turn = joined_turn(&server).await;
    let names: Vec<_> =
        turn["milestones"].as_array().expect("a list").iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["requestSent", "lastChunk", "nextAction"]);
    let row = &turn["server"][0];
    assert_eq!(
        (&row["requestId"], &row["end"], &row["status"]),
        (&json!(request_id), &json!("done"), &json!(200))
    );
    let phases: Vec<_> =
        row["phases"].as_array().expect("a list").iter().map(|it| it["name"].clone()).collect();
    assert_eq!(phases, ["queue", "reasoning", "generation"]);
    let offset = row["offset"].as_f64().expect("a number");
    assert!((5.0..=40.0).contains(&offset), "{offset}");
    // A busy machine is late, never early.
    let generation = |field: &str| row["phases"][2][field].as_f64().expect("a number");
    assert!(generation("start") >= 120.0 && generation("start") + generation("duration") >= 159.9, "{row}");

    // Through EventSource a page reads no header: the ids in the stream and in Server-Timing join as well.
    let by_stream =
        json!({"id": id(7), "startedAt": 2, "requests": [{"responseId": format!("chatcmpl-{request_id}")}]});
    let by_trace = json!({"id": id(8), "startedAt": 1, "requests": [{"traceId": trace_id}]});
    let unknown = json!({"id": id(9), "startedAt": 0, "requests": [{"responseId": "chatcmpl-other"}, {}]});
    post(&server, &[by_stream, by_trace, unknown]).await;
    let joined = server.json("/api/dashboard/turns").await;
    let ids = |number: usize| joined["turns"][number]["server"][0]["requestId"].as_str();
    assert_eq!((ids(1), ids(2), ids(3)), (Some(&*request_id), Some(&*request_id), None));
    assert!(turn["duration"].as_f64() < Some(1000.0), "the next action must not stretch the axis");
}

/// Protects: a client that goes away is the server's end `left`, with the phases up to there.
#[tokio::test]
async fn who_leaves_is_seen_by_the_server() {
    let server = start().await;
    let response =
        server.chat("ollama", json!({"steps": [{"at": 0, "text": "Hi"}, {"at": 0, "end": "hang"}]})).await;
    let request_id = header(&response, "x-request-id").to_owned();
    drop(response);
    post(&server, &[json!({"requests": [{"requestId": {"x-request-id": request_id}}]})]).await;
    let turn = joined_turn(&server).await;
    let row = &turn["server"][0];
    assert_eq!((&row["end"], &row["phases"][0]["name"]), (&json!("left"), &json!("generation")));
}

/// Protects: open dashboards hear of each stored turn, and not of a repeated one.
#[tokio::test]
async fn live_tells_what_was_stored() {
    let server = start().await;
    let mut live = server.get("/api/dashboard/live").await.bytes_stream();
    let (first, second) = (json!({"id": id(1)}), json!({"id": id(2), "outcome": "stopped"}));
    post(&server, std::slice::from_ref(&first)).await;
    post(&server, &[first, second]).await;
    let mut seen = String::new();
    while seen.matches("event: turns").count() < 2 {
        seen += std::str::from_utf8(&live.next().await.expect("an event").expect("bytes")).expect("text");
    }
    assert!(seen.contains(&format!(r#"data: {{"ids":["{}"],"outcomes":["completed"]}}"#, id(1))), "{seen}");
    assert!(seen.contains(&format!(r#"data: {{"ids":["{}"],"outcomes":["stopped"]}}"#, id(2))), "{seen}");
}
