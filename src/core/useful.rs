//! When is what's on screen useful? The first meaningful text, source or partial result, as
//! opposed to "Sure! Great question."
//!
//! May touch: nothing. Reads the text of the answer, gives away one of four words.
//! It says when there was something to work with, never how good it was.
mod language;

use super::answer::fold;
use super::text;
use language::{LANGUAGES, Language, is_cjk};

/// What besides running text an answer shows, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape(u8);

impl Shape {
    /// Running text only.
    pub const NONE: Self = Self(0);
    /// A block of code.
    pub const CODE: Self = Self(1);
    /// A table.
    pub const TABLE: Self = Self(1 << 1);
    /// A list item with at least one word.
    pub const LIST_ITEM: Self = Self(1 << 2);
    /// An image or a drawing.
    pub const FIGURE: Self = Self(1 << 3);
    /// A citation or a source card.
    pub const CITATION: Self = Self(1 << 4);
    /// A card with the result of a tool.
    pub const TOOL_CARD: Self = Self(1 << 5);
    /// A block of mathematics.
    pub const MATH: Self = Self(1 << 6);

    /// The set from its bits; unknown bits are dropped.
    pub fn from_bits(bits: u8) -> Self {
        Self(bits & 0x7F)
    }

    /// Whether any of `other` is in this set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl ::core::ops::BitOr for Shape {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What made an answer useful; the first that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The application said so (decided by the caller).
    App,
    /// More than running text is shown.
    Structure,
    /// Enough text after the preamble.
    Text,
    /// Enough text in a language whose preambles are not known.
    Length,
}

/// How much text is enough; either suffices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Words.
    pub min_words: u32,
    /// Characters; of Han and Kana three eighths of it, since each says more.
    pub min_characters: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { min_words: 8, min_characters: 40 }
    }
}

/// Characters that are enough when the language is not known.
const UNKNOWN_CHARACTERS: u32 = 80;
/// Longest preamble in words, and in characters of Han and Kana.
const PREAMBLE_WORDS: u32 = 20;
const PREAMBLE_CJK: u32 = 40;

/// Whether an answer that shows `text` and `shape` is useful, and by what.
pub fn useful(text: &str, shape: Shape, limits: &Limits) -> Option<Method> {
    if shape != Shape::NONE {
        return Some(Method::Structure);
    }
    let text = from_first_letter(text);
    let content = without_preamble(text);
    let size = Size::of(content);
    if size.is_cjk() {
        let enough = limits.min_characters.saturating_mul(3) / 8;
        return (size.characters >= enough.max(1)).then_some(Method::Text);
    }
    let enough = size.words >= limits.min_words || size.characters >= limits.min_characters;
    if enough && (content.len() < text.len() || is_known_language(content)) {
        return Some(Method::Text);
    }
    (size.characters >= UNKNOWN_CHARACTERS.max(limits.min_characters)).then_some(Method::Length)
}

/// The text without the sentences at its beginning that only clear the throat.
fn without_preamble(text: &str) -> &str {
    let mut rest = text;
    while !rest.is_empty() {
        let sentence = Sentence::first(rest);
        if !sentence.is_preamble() {
            break;
        }
        rest = from_first_letter(sentence.rest);
    }
    rest
}

fn from_first_letter(text: &str) -> &str {
    text.trim_start_matches(|c| fold(c).is_none())
}

struct Sentence<'a> {
    text: &'a str,
    /// The mark that ended it; none while it is still being written.
    end: Option<char>,
    rest: &'a str,
}

impl<'a> Sentence<'a> {
    fn first(text: &'a str) -> Self {
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            if ends_sentence(c, next)
                && let Some((text, rest)) = text.split_at_checked(at)
            {
                return Self { text, end: Some(c), rest };
            }
        }
        Self { text, end: None, rest: "" }
    }

    fn is_preamble(&self) -> bool {
        let size = Size::of(self.text);
        let short = size.words <= PREAMBLE_WORDS && size.cjk <= PREAMBLE_CJK;
        // A sentence that is still being written may yet end with a colon.
        let announces = matches!(self.end, None | Some(':' | '：'));
        short && {
            let lead = lead(self.text);
            LANGUAGES.iter().any(|language| language.clears_throat(&lead, announces))
        }
    }
}

/// A mark ends a sentence only where a blank, a closing mark or a capital follows: "3.14", "12:30" and "e.g." go on.
/// The capital because the text of two paragraphs has nothing between them ("Sure!The moon").
fn ends_sentence(c: char, next: Option<char>) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | '：' | '．' => true,
        '.' | '!' | '?' | ':' | '…' => next.is_none_or(|next| fold(next) != Some(next)),
        _ => false,
    }
}

impl Language {
    fn clears_throat(&self, lead: &str, announces: bool) -> bool {
        text::split(self.preambles, &['|']).any(|phrase| {
            let (phrase, only_announcing) = match phrase.strip_suffix(':') {
                Some(phrase) => (phrase, true),
                None => (phrase, false),
            };
            let is_word = |rest: &str| {
                // Words end at a blank or a mark; Han and Kana have no such borders.
                self.words.is_empty()
                    || phrase.ends_with('\'')
                    || rest.chars().next().is_none_or(|next| fold(next).is_none())
            };
            (announces || !only_announcing) && lead.strip_prefix(phrase).is_some_and(is_word)
        })
    }
}

/// The beginning of a sentence in the form of the phrases: lower case, plain apostrophes and blanks.
fn lead(sentence: &str) -> String {
    let plain = |c: char| match c {
        '’' | '‘' => '\'',
        c if c.is_whitespace() => ' ',
        c => fold(c).unwrap_or(c),
    };
    sentence.chars().take(40).map(plain).collect()
}

/// Words counted for telling the language.
const LANGUAGE_WORDS: usize = 40;

/// Two small words of one language give it away.
fn is_known_language(text: &str) -> bool {
    let mut hits = [0u8; LANGUAGES.len()];
    for word in text.split_whitespace().take(LANGUAGE_WORDS) {
        let word: String = word.chars().filter_map(fold).collect();
        for (hit, language) in hits.iter_mut().zip(&LANGUAGES) {
            *hit +=
                u8::from(!word.is_empty() && language.words.split_whitespace().any(|known| known == word));
        }
    }
    hits.iter().any(|hit| *hit >= 2)
}

/// How much a text says.
#[derive(Clone, Copy, Default)]
struct Size {
    /// Words with at least one letter or digit.
    words: u32,
    /// Visible characters, with one for the blanks between two words.
    characters: u32,
    /// Letters and digits, and those of them in Han or Kana.
    letters: u32,
    cjk: u32,
}

impl Size {
    fn of(text: &str) -> Self {
        let mut size = Self::default();
        for word in text.split_whitespace() {
            size.characters += u32::from(size.characters > 0);
            let before = size.letters;
            for c in word.chars() {
                size.characters += 1;
                size.letters += u32::from(fold(c).is_some());
                size.cjk += u32::from(is_cjk(c));
            }
            size.words += u32::from(size.letters > before);
        }
        size
    }

    fn is_cjk(&self) -> bool {
        self.cjk * 2 > self.letters
    }
}

#[cfg(test)]
mod tests;
