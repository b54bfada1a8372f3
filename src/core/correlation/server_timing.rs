//! The header `Server-Timing`: `db;dur=53.2, cache;desc="Cache Read";dur=23`.
//!
//! May touch: nothing. Bad parts are skipped as the specification says, the rest is kept.

use crate::core::text;

/// Most entries that are read of one header.
const ENTRIES: usize = 64;

/// Durations from here on are no durations.
const LONGEST: f64 = 1e9;

/// One entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metric<'a> {
    /// Its name.
    pub name: &'a str,
    /// Milliseconds, if it has a readable `dur`.
    pub duration: Option<f64>,
    /// Its `desc` without quotes.
    pub description: String,
}

/// The entries of one header value.
pub fn metrics(value: &str) -> impl Iterator<Item = Metric<'_>> {
    Parts { rest: Some(value), separator: b',' }.filter_map(metric).take(ENTRIES)
}

fn metric(entry: &str) -> Option<Metric<'_>> {
    let mut fields = Parts { rest: Some(entry), separator: b';' };
    let mut metric = Metric { name: fields.next().filter(|name| !name.is_empty())?, ..Metric::default() };
    let (mut timed, mut described) = (false, false);
    for field in fields {
        let Some((key, value)) = text::split_once(field, "=") else { continue };
        let (key, value) = (key.trim_ascii(), unquote(value.trim_ascii()));
        // Of a repeated parameter the first counts, readable or not.
        if key.eq_ignore_ascii_case("dur") && !timed {
            timed = true;
            metric.duration = text::decimal(&value).filter(|duration| *duration < LONGEST);
        } else if key.eq_ignore_ascii_case("desc") && !described {
            described = true;
            metric.description = value;
        }
    }
    Some(metric)
}

/// What stands between separators that are outside of quoted strings, without blanks around it.
struct Parts<'a> {
    rest: Option<&'a str>,
    separator: u8,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = text.bytes().position(|byte| {
            let ends = byte == self.separator && !quoted;
            quoted ^= byte == b'"' && !escaped;
            escaped = quoted && byte == b'\\' && !escaped;
            ends
        });
        self.rest = end.and_then(|end| text.get(end + 1..));
        let part = end.and_then(|end| text.get(..end)).unwrap_or(text);
        Some(part.trim_ascii())
    }
}

fn unquote(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else { return value.to_owned() };
    let (mut text, mut escaped) = (String::new(), false);
    for c in inner.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => break,
            _ => {
                text.push(c);
                escaped = false;
            }
        }
    }
    text
}
