//! The backend of the chat: from a request to a plan (pure), and from a plan to a stream (the clock).
pub mod plan;
mod play;
pub mod progress;
mod realistic;
pub mod request;
mod routes;
pub mod scenario;
pub mod trace;
mod upstream;

pub use routes::routes;
