//! What the targets in `targets/` have in common: the oracles of the tests, and how an input is read.
//!
//! `cargo xtask fuzz` runs them, with the recordings of `tests/streams` to begin with.
#[path = "../../tests/oracle/mod.rs"]
pub mod oracle;

/// The first line of an input that says what the rest is, as a content type and perhaps a header, a tab between.
pub fn split_head(input: &[u8]) -> (&str, &[u8]) {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (head, rest) = input.split_at(end);
    (std::str::from_utf8(head).unwrap_or(""), rest.get(1..).unwrap_or(&[]))
}
