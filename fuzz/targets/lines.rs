//! JSON lines, and the coded lines of the AI SDK's data stream.
#![no_main]
use chat_vitals_fuzz::oracle::framing;

libfuzzer_sys::fuzz_target!(|body: &[u8]| framing(None, body));
