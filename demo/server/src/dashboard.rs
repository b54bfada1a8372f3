//! The dashboard's API: reads the store, hands the rows to the analysis, and tells when there is something new.
use crate::analysis::segment::{Dimension, Filter, known};
use crate::analysis::{summary, waterfall};
use crate::app::App;
use crate::problem::{Asked, Problem};
use crate::store::{Store, StoredTurn};
use axum::Router;
use axum::extract::State;
use axum::response::Json;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::{Stream, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use tokio_stream::wrappers::BroadcastStream;

/// Rows that a summary reads at most; beyond it says so.
const MAX_ROWS: usize = 20_000;
const MAX_WATERFALLS: usize = 200;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/api/dashboard/summary", get(summary))
        .route("/api/dashboard/segments", get(segments))
        .route("/api/dashboard/turns", get(turns))
        .route("/api/dashboard/live", get(live))
}

// Repeated in each query: `serde(flatten)` reads numbers of a query string as text.
#[derive(Debug, Deserialize)]
struct SummaryQuery {
    from: Option<f64>,
    to: Option<f64>,
    route: Option<String>,
    format: Option<String>,
    model: Option<String>,
    variant: Option<String>,
    by: Option<Dimension>,
    limit: Option<usize>,
}

impl SummaryQuery {
    fn filter(&self) -> Filter {
        let Self { from, to, route, format, model, variant, .. } = self;
        Filter {
            from: *from,
            to: *to,
            route: route.clone(),
            format: format.clone(),
            model: model.clone(),
            variant: variant.clone(),
        }
    }
}

/// Runs `work` with the store where blocking is allowed.
async fn with_store<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Store) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let store = Arc::clone(&app.store);
    tokio::task::spawn_blocking(move || work(&store)).await?
}

fn rows(store: &Store, filter: &Filter, limit: usize) -> Result<(Vec<StoredTurn>, bool), Problem> {
    let (from, to) = (filter.from.unwrap_or(0.0), filter.to.unwrap_or(f64::MAX));
    let mut rows = store.turns_between(from, to, limit)?;
    let truncated = rows.len() == limit;
    rows.retain(|row| filter.takes(row));
    Ok((rows, truncated))
}

async fn summary(State(app): State<App>, Asked(query): Asked<SummaryQuery>) -> Result<Json<Value>, Problem> {
    let summary = with_store(&app, move |store| {
        let filter = query.filter();
        let (rows, truncated) = rows(store, &filter, MAX_ROWS)?;
        Ok(json!({
            "from": filter.from,
            "to": filter.to,
            "by": query.by,
            "quantiles": "type-7",
            "interval": "wilson-95",
            "truncated": truncated,
            "groups": summary::summarize(&rows, query.by),
        }))
    });
    Ok(Json(summary.await?))
}

async fn segments(State(app): State<App>) -> Result<Json<Value>, Problem> {
    let segments = with_store(&app, |store| {
        let (rows, _) = rows(store, &Filter::default(), MAX_ROWS)?;
        Ok(json!({
            "routes": known(&rows, Dimension::Route),
            "formats": known(&rows, Dimension::Format),
            "models": known(&rows, Dimension::Model),
            "variants": known(&rows, Dimension::Variant),
        }))
    });
    Ok(Json(segments.await?))
}

async fn turns(State(app): State<App>, Asked(query): Asked<SummaryQuery>) -> Result<Json<Value>, Problem> {
    let turns = with_store(&app, move |store| {
        let limit = query.limit.unwrap_or(20).min(MAX_WATERFALLS);
        let filter = query.filter();
        let (rows, _) = rows(store, &filter, if filter.is_whole() { limit } else { MAX_ROWS })?;
        let turns = rows.iter().take(limit).map(|row| waterfall::waterfall(row, |ids| store.exchange(ids)));
        Ok(json!({"turns": turns.collect::<Result<Vec<_>, _>>()?}))
    });
    Ok(Json(turns.await?))
}

async fn live(State(app): State<App>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // Who was too slow misses messages, not data: each one only says that there is something to fetch.
    let events = BroadcastStream::new(app.live.subscribe()).filter_map(|message| async { message.ok() });
    let events = events.map(|data| Ok(Event::default().event("turns").data(data)));
    Sse::new(events).keep_alive(KeepAlive::default())
}
