//! From bytes to records: the framings of streams, and JSON read in place.
//!
//! May touch: nothing but the bytes it is given. It knows no format, no time and no page. A crate of its own, because it
//! runs over every byte: it is compiled for speed, and what runs a few times a turn for size.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::todo
    )
)]

pub mod framing;
pub mod json;
pub mod text;
