//! The reader of all formats: content type and a header in the first line, then the body.
#![no_main]
use chat_vitals_fuzz::{oracle::reader, split_head};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let (head, body) = split_head(input);
    let (content_type, header) = head.split_once('\t').unwrap_or((head, ""));
    reader(content_type, &[(header, "v1")], body);
});
