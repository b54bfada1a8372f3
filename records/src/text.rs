//! Work on text for which the standard library has general machinery: searchers, case and class
//! tables, a lossy decoder with its own buffer. All that weighs more than its few uses here.
//!
//! May touch: nothing.
use ::core::ops::Range;
use ::core::str::Split;

/// The parts of a text between the marks; one copy of code for all who split at a character.
pub fn split<'a>(text: &'a str, marks: &'a [char]) -> Split<'a, &'a [char]> {
    text.split(marks)
}

/// What is before and behind the first `mark`.
pub fn split_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let at = text.as_bytes().windows(mark.len()).position(|window| window == mark.as_bytes())?;
    Some((text.get(..at)?, text.get(at + mark.len()..)?))
}

/// Whether a text starts so, eight bytes at a time: the comparison that is built in goes byte by byte.
pub fn starts_with(text: &str, start: &str) -> bool {
    let (text, start) = (text.as_bytes(), start.as_bytes());
    let Some(text) = text.get(..start.len()) else { return false };
    let (words, rest) = text.as_chunks::<8>();
    let (wanted, end) = start.as_chunks::<8>();
    let same = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*a) == u64::from_le_bytes(*b);
    words.iter().zip(wanted).all(same) && rest.iter().eq(end)
}

/// Whether two texts are the same, compared as by [`starts_with`].
pub fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && starts_with(one, other)
}

/// Where `part`, a piece of `whole`, stands in it; nothing for an empty one, or one of another text.
pub fn range_in(whole: &str, part: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (!part.is_empty() && start + part.len() <= whole.len()).then(|| start..start + part.len())
}

/// Length of what stands before the first byte that a JSON string can't hold as it is: a quote, a backslash, a control character.
pub fn plain_length(bytes: &[u8]) -> usize {
    length_before(bytes, [b'"', b'\\'], 0x20)
}

/// Length of what stands before the first LF, or also CR.
pub fn line_length(bytes: &[u8], bare_cr: bool) -> usize {
    length_before(bytes, [b'\n', if bare_cr { b'\r' } else { b'\n' }], 0)
}

/// Length of what stands before the first byte that is one of the marks or below `limit` (at most 0x80).
/// Eight bytes at a time, as most of a stream is text; each caller has its own copy, less what it does not ask for.
#[inline(always)]
fn length_before(bytes: &[u8], marks: [u8; 2], limit: u8) -> usize {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = ONES << 7;
    let [first, second] = marks.map(|mark| ONES * u64::from(mark));
    let least = ONES * u64::from(limit);
    // The high bit of the first byte that is below; behind it, what is borrowed may say so of others.
    let below = |word: u64, least: u64| word.wrapping_sub(least) & !word & HIGH;
    let (words, rest) = bytes.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = below(word ^ first, ONES) | below(word ^ second, ONES) | below(word, least);
        if found != 0 {
            return place * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let in_rest = rest.iter().position(|byte| marks.contains(byte) || *byte < limit);
    words.len() * 8 + in_rest.unwrap_or(rest.len())
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

/// A plain decimal number of at most 15 digits before the point. The general parser of floats weighs ten times as much.
pub fn decimal(text: &str) -> Option<f64> {
    let (mut value, mut scale) = (0u64, 1u64);
    let (mut digits, mut whole) = (0, None);
    for byte in text.bytes() {
        match byte {
            b'.' if whole.is_none() => whole = Some(digits),
            b'0'..=b'9' => {
                digits += 1;
                if digits <= 15 {
                    value = value * 10 + u64::from(byte - b'0');
                    scale *= if whole.is_none() { 1 } else { 10 };
                }
            }
            _ => return None,
        }
    }
    (digits > 0 && whole.unwrap_or(digits) <= 15).then(|| value as f64 / scale as f64)
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

        /// Protects: the same place as a search byte by byte.
        #[test]
        fn finds_the_first_special_byte(bytes in prop::collection::vec(prop_oneof![8 => 0x20u8..=0xFF, 1 => 0u8..0x24, 1 => Just(b'\\')], 0..40)) {
            let found = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
            prop_assert_eq!(plain_length(&bytes), found.unwrap_or(bytes.len()));
            let found = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            prop_assert_eq!(line_length(&bytes, true), found.unwrap_or(bytes.len()));
            let found = bytes.iter().position(|byte| *byte == b'\n');
            prop_assert_eq!(line_length(&bytes, false), found.unwrap_or(bytes.len()));
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
