//! The pages and the SDK as files.
use crate::app::{App, Config};
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::routing::get_service;
use tower_http::services::{ServeDir, ServeFile};
use tower_http::set_header::SetResponseHeaderLayer;

pub fn routes(config: &Config) -> Router<App> {
    let page = |name: &str| get_service(ServeFile::new(config.web.join(name)));
    Router::new()
        .route("/", page("chat.html"))
        .route("/c/{conversation}", page("chat.html"))
        .route("/dashboard", page("dashboard.html"))
        .nest_service("/sdk", ServeDir::new(&config.sdk))
        .fallback_service(ServeDir::new(&config.web))
        // A demo is rebuilt while it is looked at.
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-cache"),
        ))
}
