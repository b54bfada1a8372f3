//! What all handlers share, and the routes together.
use crate::chat::progress::ProgressHub;
use crate::chat::scenario::Scenario;
use crate::exchange::Exchange;
use crate::seen::Seen;
use crate::store::Store;
use crate::{chat, collector, dashboard, otlp, web};
use axum::Router;
use axum::http::{HeaderName, header};
use std::error::Error;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::broadcast;
use tower_http::cors::{Any, CorsLayer};

#[derive(Clone, Debug)]
pub struct Config {
    pub data: PathBuf,
    pub web: PathBuf,
    pub sdk: PathBuf,
    pub seed: u64,
    pub upstream: Option<Upstream>,
    /// Base address of an OpenTelemetry collector.
    pub otlp: Option<String>,
    /// What a request that names no scenario gets.
    pub scenario: Scenario,
}

/// An OpenAI-compatible server that answers instead of the replay.
#[derive(Clone, Debug)]
pub struct Upstream {
    pub url: String,
    pub model: String,
    pub key: Option<String>,
}

#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

#[derive(Debug)]
pub struct Shared {
    pub config: Config,
    pub store: Arc<Store>,
    pub progress: ProgressHub,
    /// Tells the open dashboards which turns were stored.
    pub live: broadcast::Sender<String>,
    pub client: reqwest::Client,
    /// Turns that an `EventSource` has asked for.
    pub seen: Seen,
    counter: AtomicU64,
}

impl Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub fn new(config: Config) -> Result<Self, Box<dyn Error>> {
        // No limit for the whole answer: a stream may be long.
        let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build()?;
        let store = Arc::new(Store::open(&config.data)?);
        Ok(Self(Arc::new(Shared {
            config,
            store,
            progress: ProgressHub::default(),
            live: broadcast::channel(64).0,
            client,
            seen: Seen::default(),
            counter: AtomicU64::new(0),
        })))
    }

    /// A seed of its own for each request, the same sequence in each run.
    pub fn next_seed(&self) -> u64 {
        let count = self.counter.fetch_add(1, Ordering::Relaxed);
        self.config.seed.wrapping_mul(1_000_003).wrapping_add(count)
    }

    /// Keeps the server's view of a request. The answer was given already, so a failure is only told.
    pub fn record(&self, exchange: Exchange) {
        let store = Arc::clone(&self.store);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = store.save_exchange(&exchange) {
                eprintln!("demo-server: the phases of {} are lost: {error}", exchange.request_id);
            }
        });
    }

    pub fn router(self) -> Router {
        let exposed = [
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("traceparent"),
            HeaderName::from_static("server-timing"),
            header::RETRY_AFTER,
            HeaderName::from_static("x-vercel-ai-ui-message-stream"),
        ];
        let cors =
            CorsLayer::new().allow_origin(Any).allow_methods(Any).allow_headers(Any).expose_headers(exposed);
        chat::routes()
            .merge(collector::routes())
            .merge(otlp::routes())
            .merge(dashboard::routes())
            .merge(web::routes(&self.config))
            .layer(cors)
            .with_state(self)
    }
}
