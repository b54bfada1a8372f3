//! JSON as it grows: an array, a document, objects one behind the other.
#![no_main]
use chat_vitals_fuzz::oracle::framing;

libfuzzer_sys::fuzz_target!(|body: &[u8]| framing(Some("application/json"), body));
