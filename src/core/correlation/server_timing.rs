//! The header `Server-Timing`: `db;dur=53.2, cache;desc="Cache Read";dur=23`.
//!
//! May touch: nothing. Bad parts are skipped as the specification says, the rest is kept.

/// Most entries that are read of one header.
const ENTRIES: usize = 64;

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
    parts(value, ',').filter_map(metric).take(ENTRIES)
}

fn metric(entry: &str) -> Option<Metric<'_>> {
    let mut fields = parts(entry, ';').map(str::trim);
    let mut metric = Metric { name: fields.next().filter(|name| !name.is_empty())?, ..Metric::default() };
    let (mut timed, mut described) = (false, false);
    for field in fields {
        let Some((key, value)) = field.split_once('=') else { continue };
        let value = unquote(value.trim());
        // Of a repeated parameter the first counts, readable or not.
        if key.trim().eq_ignore_ascii_case("dur") && !timed {
            timed = true;
            metric.duration = decimal(&value);
        } else if key.trim().eq_ignore_ascii_case("desc") && !described {
            described = true;
            metric.description = value;
        }
    }
    Some(metric)
}

/// Splits at a separator that is outside of quoted strings.
fn parts(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    ::core::iter::from_fn(move || {
        let text = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = text.find(|c| {
            let ends = c == separator && !quoted;
            quoted ^= c == '"' && !escaped;
            escaped = quoted && c == '\\' && !escaped;
            ends
        });
        let (part, left) = match end.and_then(|at| text.split_at_checked(at)) {
            Some((part, left)) => (part, left.get(separator.len_utf8()..)),
            None => (text, None),
        };
        rest = left;
        Some(part)
    })
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

/// A plain decimal number below a billion. The general parser of floats weighs more than all of this file.
fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.len() + fraction.len();
    if digits == 0
        || whole.len() > 9
        || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let (mut value, mut scale) = (0u64, 1u64);
    for (place, byte) in whole.bytes().chain(fraction.bytes()).take(15).enumerate() {
        value = value * 10 + u64::from(byte - b'0');
        scale *= if place < whole.len() { 1 } else { 10 };
    }
    Some(value as f64 / scale as f64)
}
