//! The whole core: any events in any order.
#![no_main]
use chat_vitals_fuzz::oracle::script::core;

libfuzzer_sys::fuzz_target!(|script: &[u8]| core(script));
