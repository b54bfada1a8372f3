//! `--otlp URL`: an OpenTelemetry collector that gets what pages send to `/otlp`, and this server's own span of each answer.
//!
//! Pages can't reach every collector themselves: some allow no other origin.
use crate::app::App;
use crate::chat::trace::Trace;
use crate::exchange::Exchange;
use crate::problem::Problem;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::routing::post;
use serde_json::{Value, json};

/// OTLP's numbers for what a span is and how it came out.
const SERVER: u8 = 2;
const ERROR: u8 = 2;
const BODY_LIMIT: usize = 64 * 1024;

pub fn routes() -> Router<App> {
    Router::new().route("/otlp/v1/{kind}", post(forward).layer(DefaultBodyLimit::max(BODY_LIMIT)))
}

/// Hands a page's request on, and the collector's status back.
async fn forward(
    State(app): State<App>,
    Path(kind): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    if app.config.otlp.is_none() || !["traces", "logs"].contains(&kind.as_str()) {
        return Err(Problem::new(StatusCode::NOT_FOUND, "otlp", "started without --otlp, or another kind"));
    }
    post_to(&app, &kind, body)
        .await
        .ok_or_else(|| Problem::new(StatusCode::BAD_GATEWAY, "otlp", "the collector does not answer"))
}

async fn post_to(app: &App, kind: &str, body: impl Into<reqwest::Body>) -> Option<StatusCode> {
    let url = format!("{}/v1/{kind}", app.config.otlp.as_ref()?.trim_end_matches('/'));
    let request = app.client.post(url).header(header::CONTENT_TYPE, "application/json").body(body);
    StatusCode::from_u16(request.send().await.ok()?.status().as_u16()).ok()
}

/// Sends the span of an answer that is over; nobody waits for it.
pub fn tell(app: &App, trace: &Trace, exchange: &Exchange) {
    if app.config.otlp.is_none() {
        return;
    }
    let body = span(trace, exchange, crate::time::now()).to_string();
    let app = app.clone();
    tokio::spawn(async move {
        if post_to(&app, "traces", body).await.is_none() {
            eprintln!("demo-server: the collector does not answer");
        }
    });
}

fn span(trace: &Trace, exchange: &Exchange, ended_at: u64) -> Value {
    let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
    let nanos = |ms: u64| format!("{ms}000000");
    let failed = exchange.status >= 500 || ["error", "cut"].contains(&exchange.end);
    let mut span = json!({
        "traceId": trace.trace_id,
        "spanId": trace.span_id,
        "name": "POST /api/chat",
        "kind": SERVER,
        "startTimeUnixNano": nanos(exchange.started_at),
        "endTimeUnixNano": nanos(ended_at),
        "attributes": [
            text("http.request.method", "POST"),
            text("http.route", "/api/chat"),
            text("gen_ai.response.model", &exchange.model),
            text("demo.request_id", &exchange.request_id),
            text("demo.end", exchange.end),
        ],
        "status": if failed { json!({"code": ERROR}) } else { json!({}) },
    });
    if let Some(parent) = &trace.parent {
        span["parentSpanId"] = json!(parent);
    }
    json!({"resourceSpans": [{
        "resource": {"attributes": [text("service.name", "chat-vitals-demo")]},
        "scopeSpans": [{"scope": {"name": "demo-server"}, "spans": [span]}],
    }]})
}
