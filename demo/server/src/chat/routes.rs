//! The HTTP doors of the chat: checks a request, starts its session, hands back the response it makes.
use super::plan::{self, Plan};
use super::play::{Opening, Session};
use super::realistic;
use super::request::{ChatRequest, CompletionsRequest, StreamQuery, is_name};
use super::scenario::{Realistic, Scenario};
use super::trace::Trace;
use super::upstream;
use crate::app::App;
use crate::problem::{Asked, Problem};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{Stream, StreamExt, stream};
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use tokio::sync::oneshot;
use tokio_stream::wrappers::BroadcastStream;

const BODY_LIMIT: usize = 256 * 1024;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/api/chat", post(chat))
        .route("/api/chat/stream", get(event_source))
        .route("/v1/chat/completions", post(completions))
        .route("/api/progress/{conversation}", get(progress))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
}

type Body = Result<Bytes, BytesRejection>;

async fn chat(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Response, Problem> {
    answer(app, &headers, parse::<ChatRequest>(body)?, true).await
}

async fn event_source(
    State(app): State<App>,
    headers: HeaderMap,
    Asked(query): Asked<StreamQuery>,
) -> Result<Response, Problem> {
    if let Some(turn) = &query.turn {
        if !is_name(turn) {
            return Err(Problem::unprocessable("turn: 1 to 64 of A-Z a-z 0-9 _ -"));
        }
        // The one answer that stops an EventSource from asking again.
        if !app.seen.insert(turn) {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
    }
    let request = query.into_request().map_err(Problem::unprocessable)?;
    answer(app, &headers, request, true).await
}

/// Replays even when there is an upstream: it may be this server's own.
async fn completions(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Response, Problem> {
    let request = parse::<CompletionsRequest>(body)?.into_request().map_err(Problem::unprocessable)?;
    answer(app, &headers, request, false).await
}

fn parse<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    let body = body.map_err(|error| Problem::new(error.status(), "size", error.body_text()))?;
    let value: serde_json::Value = serde_json::from_slice(&body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "json", error.to_string()))?;
    serde_json::from_value(value).map_err(|error| Problem::unprocessable(error.to_string()))
}

async fn answer(
    app: App,
    headers: &HeaderMap,
    request: ChatRequest,
    relay: bool,
) -> Result<Response, Problem> {
    request.check().map_err(Problem::unprocessable)?;
    let seed = request.seed.unwrap_or_else(|| app.next_seed());
    let scenario = request.scenario.clone().unwrap_or_else(|| app.config.scenario.clone());
    let scripted = matches!(scenario, Scenario::Script(_) | Scenario::Status(_));
    let upstream = app.config.upstream.clone().filter(|_| relay && !scripted);
    let model = match &upstream {
        Some(upstream) => upstream.model.clone(),
        None => realistic::profile(&request, seed).model.to_owned(),
    };
    let (reply, response) = oneshot::channel();
    let opening = Opening {
        trace: Trace::of(headers),
        format: request.format,
        model,
        conversation: request.conversation.clone().filter(|_| request.progress),
        input_tokens: u32::try_from(request.question().len().div_ceil(4)).unwrap_or(u32::MAX),
        reply,
    };
    let session = Session::new(app.clone(), opening);
    match upstream {
        Some(upstream) => tokio::spawn(upstream::relay(session, app.client.clone(), upstream, request)),
        None => tokio::spawn(session.play(plan(&request, &scenario, seed))),
    };
    response
        .await
        .map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "no answer was made"))
}

fn plan(request: &ChatRequest, scenario: &Scenario, seed: u64) -> Plan {
    let plain = |kind| Realistic { kind, speed: 1.0, failures: true, answer: None };
    match scenario {
        Scenario::Script(script) => plan::of_script(script),
        Scenario::Status(status) => plan::of_status(status),
        Scenario::Name(name) => realistic::plan(request, &plain(*name), seed),
        Scenario::Realistic(realistic) => realistic::plan(request, realistic, seed),
    }
}

async fn progress(
    State(app): State<App>,
    Path(conversation): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    if !is_name(&conversation) {
        return Err(Problem::unprocessable("conversation: 1 to 64 of A-Z a-z 0-9 _ -"));
    }
    let (last, coming) = app.progress.listen(&conversation);
    let coming = BroadcastStream::new(coming).filter_map(|message| async { message.ok() });
    let events =
        stream::iter(last).chain(coming).map(|data| Ok(Event::default().event("progress").data(data)));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
