//! JSON read in place: a check and a path scanner over text, without building a value.
//!
//! A record is checked once by [`check`]; [`Json`] then walks it by name. A value that is not
//! there, or not of the asked kind, is [`Json::NONE`], so that a path needs no error handling.
//! Nothing here recurses: neither depth nor length of the input can exhaust the stack.
//!
//! May touch: nothing but the text it is given.
use super::text;

mod scan;
pub mod template;

pub use scan::{DEPTH_LIMIT, Scan, check, string_length};

/// One JSON value as it stands in the text; empty if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// No value.
    pub const NONE: Self = Self("");

    /// The first value in `text`.
    pub fn new(text: &'a str) -> Self {
        let text = text.trim_start_matches(is_blank);
        Self(split(text, end_of_value(text.as_bytes())).0)
    }

    /// The whole of a text that is known to be one value.
    pub fn whole(text: &'a str) -> Self {
        Self(text.trim_ascii())
    }

    /// The value without what follows it in its text.
    pub fn alone(self) -> Self {
        Self::new(self.0)
    }

    /// The member `name` of an object; of a repeated one the first.
    pub fn get(self, name: &str) -> Self {
        self.members().find(|(key, _)| key.named(name)).map_or(Self::NONE, |(_, value)| value)
    }

    /// Several members of an object in one pass. Of a repeated name the first counts, other than in browsers: no server
    /// repeats one, and not to look on is half the time.
    pub fn pick<const N: usize>(self, names: &[&str; N]) -> [Self; N] {
        let mut found = [Self::NONE; N];
        self.find(names, &mut found);
        found
    }

    // Apart from `pick`, so that the loop is compiled once and not for each N.
    fn find(self, names: &[&str], found: &mut [Self]) {
        let mut missing = names.len();
        for (name, value) in self.members() {
            for (slot, wanted) in found.iter_mut().zip(names) {
                if slot.0.is_empty() && name.named(wanted) {
                    *slot = value;
                    missing -= 1;
                }
            }
            if missing == 0 {
                return;
            }
        }
    }

    /// Members of an object with their names; nothing for any other value.
    pub fn members(self) -> impl Iterator<Item = (Self, Self)> {
        let mut parts = Parts::of(self.0, '{');
        core::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// Elements of an array; nothing for any other value.
    pub fn items(self) -> impl Iterator<Item = Self> {
        Parts::of(self.0, '[')
    }

    /// The value as written.
    pub fn text(self) -> &'a str {
        self.0
    }

    /// Whether there is a value other than `null`.
    pub fn exists(self) -> bool {
        !matches!(self.0, "" | "null")
    }

    /// Whether this is an object.
    pub fn is_object(self) -> bool {
        self.begins(b'{')
    }

    /// Whether this is an array.
    pub fn is_array(self) -> bool {
        self.begins(b'[')
    }

    /// Whether this is a string.
    pub fn is_string(self) -> bool {
        self.begins(b'"')
    }

    /// Whether this is a string with something in it.
    pub fn has_text(self) -> bool {
        self.is_string() && self.0 != "\"\""
    }

    /// Whether this is an object or array with something in it.
    pub fn has_parts(self) -> bool {
        Parts::of(self.0, '[').chain(Parts::of(self.0, '{')).next().is_some()
    }

    /// Whether this is `true`.
    pub fn is_true(self) -> bool {
        self.0 == "true"
    }

    /// Whether this is the string `text`.
    pub fn is(self, text: &str) -> bool {
        let raw = self.raw();
        self.is_string() && if escaped(raw) { Unescape(raw).eq(text.chars()) } else { raw == text }
    }

    /// The characters of a string, unescaped; nothing for any other value.
    pub fn chars(self) -> impl Iterator<Item = char> {
        Unescape(self.raw())
    }

    /// Appends a string, unescaped; nothing for any other value.
    pub fn append_to(self, out: &mut String) {
        let raw = self.raw();
        if escaped(raw) { out.extend(Unescape(raw)) } else { out.push_str(raw) }
    }

    /// A string without escapes as it stands: good for names and ids, empty for any other value.
    pub fn plain(self) -> &'a str {
        let raw = self.raw();
        if escaped(raw) { "" } else { raw }
    }

    /// A value without parts, as conditions compare it: a string as written, without its quotes; empty for `null` and for no value.
    pub fn scalar(self) -> &'a str {
        if self.is_string() { self.raw() } else { self.0.strip_prefix("null").unwrap_or(self.0) }
    }

    /// What kind of value this is; empty for `null`, `true`, `false` and no value.
    pub fn kind(self) -> &'static str {
        match self.0.bytes().next() {
            Some(b'{') => "object",
            Some(b'[') => "array",
            Some(b'"') => "string",
            Some(b'-' | b'0'..=b'9') => "number",
            _ => "",
        }
    }

    /// A non-negative number without its fraction.
    pub fn u32(self) -> Option<u32> {
        let digits = self.0.bytes().take_while(u8::is_ascii_digit);
        let add = |sum: u32, digit: u8| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        self.0.starts_with(|c: char| c.is_ascii_digit()).then(|| digits.fold(0, add))
    }

    /// A number of at most 15 digits; what is behind them does not matter here.
    pub fn f64(self) -> Option<f64> {
        let (number, exponent) = text::split_once(self.0, "e").unwrap_or((self.0, "0"));
        let power = exponent.strip_prefix('+').unwrap_or(exponent).parse::<i8>().ok()?;
        Some(text::decimal(number)? * 10_f64.powi(i32::from(power)))
    }

    /// A 64-bit fingerprint (FNV-1a) of the value as written: to tell apart without keeping it.
    pub fn fingerprint(self) -> u64 {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
    }

    /// Whether this is the name `wanted` of a member.
    fn named(self, wanted: &str) -> bool {
        let raw = self.raw();
        raw == wanted || escaped(raw) && self.is(wanted)
    }

    /// What stands between the quotes of a string.
    fn raw(self) -> &'a str {
        match self.0.as_bytes() {
            [b'"', .., b'"'] => self.0.get(1..self.0.len() - 1).unwrap_or(""),
            _ => "",
        }
    }

    // A byte, as comparing with a piece of text is a call.
    fn begins(self, byte: u8) -> bool {
        self.0.as_bytes().first() == Some(&byte)
    }
}

/// The values of an object or array in the order of the text, names included.
struct Parts<'a>(&'a str);

impl<'a> Parts<'a> {
    fn of(text: &'a str, open: char) -> Self {
        Self(text.strip_prefix(open).unwrap_or(""))
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let between = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':');
        let start = self.0.bytes().position(|byte| between(&byte)).unwrap_or(self.0.len());
        let (_, text) = split(self.0, start);
        let (value, rest) = split(text, end_of_value(text.as_bytes()));
        self.0 = rest;
        (!value.is_empty()).then_some(Json(value))
    }
}

fn escaped(raw: &str) -> bool {
    raw.bytes().any(|byte| byte == b'\\')
}

fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Length of the value at the start of `bytes`; of what is there if it is cut; 0 at a closing bracket.
fn end_of_value(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'{' | b'[' => (at, depth) = (at + 1, depth + 1),
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => (at, depth) = (at + 1, depth - 1),
            _ if depth > 0 => {
                at += 1;
                continue;
            }
            _ => {
                let ends = |byte: &u8| {
                    matches!(byte, b',' | b':' | b'}' | b']' | b'"' | b' ' | b'\t' | b'\n' | b'\r')
                };
                let rest = bytes.get(at..).unwrap_or(&[]);
                return at + rest.iter().position(ends).unwrap_or(rest.len());
            }
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

/// Place behind the string that opens at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        at += text::plain_length(bytes.get(at..).unwrap_or(&[]));
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Characters of the inside of a string. What is no escape stands for itself; a lone surrogate is U+FFFD.
struct Unescape<'a>(&'a str);

impl Unescape<'_> {
    fn take(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let first = chars.next();
        self.0 = chars.as_str();
        first
    }

    /// The code unit of `\uXXXX` whose `\u` has been taken.
    fn unit(&mut self) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(4)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.0 = rest;
        Some(unit)
    }

    fn unicode(&mut self) -> char {
        let Some(high) = self.unit() else { return char::REPLACEMENT_CHARACTER };
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        // Only a low surrogate belongs to the pair; anything else stays for the next turn.
        let mut ahead = Unescape(self.0.strip_prefix("\\u").unwrap_or(""));
        match ahead.unit() {
            Some(low @ 0xDC00..0xE000) => {
                self.0 = ahead.0;
                char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => char::REPLACEMENT_CHARACTER,
        }
    }
}

impl Iterator for Unescape<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let first = self.take()?;
        if first != '\\' {
            return Some(first);
        }
        Some(match self.take()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => self.unicode(),
            other => other,
        })
    }
}

#[cfg(test)]
mod tests;
