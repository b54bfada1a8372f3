//! Work on text for which the standard library has general machinery: searchers, case and class
//! tables, a lossy decoder with its own buffer. All that weighs more than its few uses here.
//!
//! May touch: nothing.
use ::core::str::Split;

/// The parts of a text between the marks; one copy of code for all who split at a character.
pub fn split<'a>(text: &'a str, marks: &'a [char]) -> Split<'a, &'a [char]> {
    text.split(marks)
}

/// What is before and behind the first `mark`; short texts only, as every place is tried.
pub fn split_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    (0..text.len()).find_map(|at| {
        let (before, rest) = text.split_at_checked(at)?;
        Some((before, rest.strip_prefix(mark)?))
    })
}

/// Appends to `text` what a `TextDecoder` makes of `bytes`; the number of bytes that it replaces.
pub fn decode(bytes: &[u8], text: &mut String) -> u32 {
    let mut replaced = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            replaced += chunk.invalid().len() as u32;
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Protects: the same halves as the standard library's.
        #[test]
        fn splits_like_the_standard_library(text in "[aß/]{0,8}", mark in "[aß/]{1,2}") {
            prop_assert_eq!(split_once(&text, &mark), text.split_once(mark.as_str()));
        }

        /// Protects: the same text as the standard library's for any bytes.
        #[test]
        fn decodes_like_the_standard_library(bytes in prop::collection::vec(prop_oneof![0x20u8..0x80, 0x80u8..=0xFF], 0..12)) {
            let mut text = String::new();
            let replaced = decode(&bytes, &mut text);
            prop_assert_eq!(replaced == 0, core::str::from_utf8(&bytes).is_ok());
            prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
        }
    }
}
