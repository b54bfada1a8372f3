//! Any content type, in the first line, before any body.
#![no_main]
use chat_vitals_fuzz::{oracle::framing, split_head};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let (content_type, body) = split_head(input);
    framing(Some(content_type), body);
});
