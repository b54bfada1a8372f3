//! The functional core: bytes and times in, values out.
//!
//! May touch: nothing but memory. No clock, no timer, no socket, no global, no web type.
#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::todo
)]

pub mod answer;
pub mod controls;
pub mod correlation;
pub mod experiment;
pub mod format;
pub mod framing;
pub mod json;
pub mod label;
pub mod route;
pub mod signal;
pub mod updates;
pub mod useful;
pub mod waits;
