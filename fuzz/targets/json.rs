//! The JSON scanner.
#![no_main]
use chat_vitals_fuzz::oracle::json;

libfuzzer_sys::fuzz_target!(|text: &str| json(text));
