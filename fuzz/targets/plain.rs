//! Text without framing, and what it turns out to be.
#![no_main]
use chat_vitals_fuzz::oracle::framing;

libfuzzer_sys::fuzz_target!(|body: &[u8]| framing(Some("text/plain"), body));
