//! Receives batches: bounded, checked against the schema, acknowledged only when they are on disk.
use crate::app::App;
use crate::problem::{Asked, Problem};
use crate::store::StoredTurn;
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Json;
use axum::routing::{get, post};
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

/// The quota that browsers give to what is sent while a page is left.
const BODY_LIMIT: usize = 64 * 1024;
const MAX_TURNS: usize = 1000;

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema =
        serde_json::from_str(include_str!("../../../pkg-template/schema.json")).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a JSON Schema")
});

pub fn routes() -> Router<App> {
    LazyLock::force(&SCHEMA);
    Router::new()
        .route("/vitals", post(receive).layer(DefaultBodyLimit::max(BODY_LIMIT)))
        .route("/vitals/turns", get(turns))
}

async fn receive(
    State(app): State<App>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<StatusCode, Problem> {
    check_type(&headers)?;
    let body =
        body.map_err(|error| Problem::new(error.status(), "size", format!("at most {BODY_LIMIT} bytes")))?;
    let mut batch: Value = serde_json::from_slice(&body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "json", error.to_string()))?;
    check_schema(&batch)?;
    let turns = match batch["turns"].take() {
        Value::Array(turns) => turns,
        _ => Vec::new(),
    };
    if let Some(context) = batch.as_object_mut() {
        context.remove("turns");
    }
    let store = Arc::clone(&app.store);
    let (saved, turns) = tokio::task::spawn_blocking(move || {
        store.save_batch(&batch, &turns, crate::time::now()).map(|saved| (saved, turns))
    })
    .await??;
    if !saved.is_empty() {
        let field = |name: &str| saved.iter().map(|index| turns[*index][name].clone()).collect::<Value>();
        // No dashboard open is no failure.
        let _ = app.live.send(json!({"ids": field("id"), "outcomes": field("outcome")}).to_string());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Beacons are `text/plain`, which needs no preflight; a body without a type is taken as one.
fn check_type(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Ok(());
    };
    let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if ["text/plain", "application/json"].iter().any(|known| essence.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let message = "send text/plain or application/json";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "type", message))
}

/// Names the place, and not the value: it may hold what should never have been sent.
fn check_schema(batch: &Value) -> Result<(), Problem> {
    let Err(error) = SCHEMA.validate(batch) else {
        return Ok(());
    };
    let message = error.masked().to_string();
    let path = error.instance_path().to_string();
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "schema", message);
    Err(Problem { path: Some(path), ..problem })
}

#[derive(Debug, Deserialize)]
struct TurnsQuery {
    #[serde(default)]
    since: u64,
    id: Option<String>,
    limit: Option<usize>,
}

async fn turns(State(app): State<App>, Asked(query): Asked<TurnsQuery>) -> Result<Json<Value>, Problem> {
    let store = Arc::clone(&app.store);
    let limit = query.limit.unwrap_or(100).min(MAX_TURNS);
    let rows =
        tokio::task::spawn_blocking(move || store.turns_since(query.since, query.id.as_deref(), limit))
            .await??;
    Ok(Json(json!({"turns": rows.into_iter().map(whole).collect::<Value>()})))
}

fn whole(row: StoredTurn) -> Value {
    let mut value = row.context;
    value["receivedAt"] = row.received_at.into();
    value["turn"] = row.turn;
    value
}
