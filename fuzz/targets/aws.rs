//! AWS event stream.
#![no_main]
use chat_vitals_fuzz::oracle::framing;

libfuzzer_sys::fuzz_target!(|body: &[u8]| framing(Some("application/vnd.amazon.eventstream"), body));
