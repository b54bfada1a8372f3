//! The only strings that may leave the page.
//!
//! Privacy by construction: wire types hold no `String`. What they can hold is built here,
//! from a limited alphabet and a limited length, or it does not exist.

/// An identifier: a model name, a request, trace or response id, a route template, an error type.
///
/// At most [`Id::LIMIT`] bytes of `[A-Za-z0-9_./:=+@~-]`. No blank, so no sentence fits in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(Box<str>);

impl Id {
    /// Longest identifier in bytes; provider response ids have been seen up to 70.
    pub const LIMIT: usize = 128;

    /// Takes `text` if it is an identifier, and nothing otherwise: an id that was cut would join to nothing.
    pub fn new(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= Self::LIMIT && text.bytes().all(is_id_byte);
        fits.then(|| Self(text.into()))
    }

    /// The identifier as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Id {
    /// What stands where an identifier has to and none is known.
    fn default() -> Self {
        Self("unknown".into())
    }
}

impl AsRef<str> for Id {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// A value that the application declared: an attribute, a mark, a variant.
///
/// At most [`Label::LIMIT`] characters of `[A-Za-z0-9_./: -]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(Box<str>);

impl Label {
    /// Longest label in bytes (the contract of the batch).
    pub const LIMIT: usize = 64;

    /// Takes `text` if it is within the limits, and nothing otherwise.
    pub fn new(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= Self::LIMIT && text.bytes().all(is_label_byte);
        fits.then(|| Self(text.into()))
    }

    /// The label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Label {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./:=+@~-".contains(&byte)
}

fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_./: -".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: page text cannot become an identifier.
    #[test]
    fn an_id_has_no_blank_no_foreign_letter_and_a_limit() {
        assert!(Id::new("chatcmpl-BDA7NsqzvZlObxjeBtas2VM8zS9L7").is_some());
        for refused in ["", "two words", "größe", "a\u{0}b", "<b>", &"x".repeat(129)] {
            assert!(Id::new(refused).is_none(), "{refused:?}");
        }
    }

    /// Protects: the alphabet and the length of application-declared values.
    #[test]
    fn a_label_is_short_and_plain() {
        assert!(Label::new("plan: pro / eu-1").is_some());
        for refused in ["", "a=b", "naïve", &"x".repeat(65)] {
            assert!(Label::new(refused).is_none(), "{refused:?}");
        }
    }
}
