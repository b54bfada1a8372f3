//! The demo: a chat backend that replays answers in their real wire form, and the collector and analysis of
//! what the users felt. `API.md` is its interface.
//!
//! `chat`, `collector`, `dashboard` and `web` are its doors; `format`, `analysis` and `answers` are pure;
//! only `store` knows SQL.
mod analysis;
mod answers;
mod app;
mod chat;
mod collector;
mod dashboard;
mod exchange;
mod format;
mod otlp;
mod problem;
mod seen;
mod store;
mod time;
mod web;

pub use app::{App, Config, Upstream};
pub use chat::scenario::Scenario;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;

/// Serves until the process ends.
pub async fn serve(app: App, listener: TcpListener) -> std::io::Result<()> {
    // A token must not wait for the acknowledgement of the one before it.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app.router()).await
}
