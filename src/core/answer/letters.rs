//! The letters of a text: what stays the same between a Markdown source and what is drawn of it.
//!
//! May touch: nothing. Ranges instead of Unicode tables: those cost several KB of wasm, and all
//! that matters is that both sides are treated alike.

/// Longest link target or image description that is skipped; a link that never closes ends there.
const SKIP: u16 = 2048;
/// Stands for any emoji.
const EMOJI: char = '\u{1}';

/// `c` as a letter or digit, lower-cased for Latin; nothing for blanks, marks, symbols and emoji.
pub fn fold(c: char) -> Option<char> {
    match c {
        'A'..='Z' => Some(c.to_ascii_lowercase()),
        'a'..='z' | '0'..='9' => Some(c),
        '\0'..='\u{BF}' | '×' | '÷' => None,
        'À'..='Þ' => char::from_u32(u32::from(c) + 0x20),
        '々'..='〇' => Some(c),
        // Punctuation, arrows, cursors, box drawing, symbols, dingbats.
        '\u{2000}'..='\u{2BFF}' | '\u{2E00}'..='\u{2E7F}' | '\u{3000}'..='\u{303F}' => None,
        // Private use: the glyphs of icon fonts.
        '\u{E000}'..='\u{F8FF}' => None,
        // Variation selectors, vertical and small forms, full-width punctuation.
        '\u{FE00}'..='\u{FE6F}' | '\u{FEFF}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' => None,
        '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' | '\u{FFF0}'..='\u{FFFF}' => None,
        '\u{1F000}'..='\u{1FAFF}' | '\u{E0000}'.. => None,
        _ => Some(c),
    }
}

/// Folds a text that comes in pieces, without what a page does not draw: targets of links, descriptions of images,
/// the language of a block of code, commands of formulas. What looks like one and is not is skipped on both sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Letters {
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Text,
    /// After `!`.
    Bang,
    /// After `]`.
    Label,
    /// In a link's target, with what may still be skipped.
    Target(u16),
    /// In an image's description.
    Description(u16),
    /// After so many backticks.
    Fence(u8),
    /// In the line that opens a block of code.
    Language,
    /// In a formula's command.
    Command,
}

impl Letters {
    /// The next character of the text.
    pub fn next(&mut self, c: char) -> Option<char> {
        let (state, drawn) = match (self.state, c) {
            (State::Target(0), _) | (State::Description(0), _) | (State::Target(_), ')') => {
                (State::Text, false)
            }
            (State::Target(left), _) => (State::Target(left - 1), false),
            (State::Description(_), ']') => (State::Label, false),
            (State::Description(left), _) => (State::Description(left - 1), false),
            (State::Fence(2), '`') => (State::Language, false),
            (State::Language, c) if c != '\n' => (State::Language, false),
            (State::Command, 'a'..='z' | 'A'..='Z') => (State::Command, false),
            (State::Fence(1), '`') => (State::Fence(2), true),
            (_, '`') => (State::Fence(1), true),
            (_, '\\') => (State::Command, true),
            (State::Label, '(') => (State::Target(SKIP), false),
            (State::Bang, '[') => (State::Description(SKIP), false),
            (_, '!') => (State::Bang, true),
            (_, ']') => (State::Label, true),
            _ => (State::Text, true),
        };
        self.state = state;
        match c {
            _ if !drawn => None,
            '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}' => Some(EMOJI),
            _ => fold(c),
        }
    }

    /// The letters of a whole text.
    pub fn of(text: &str) -> impl Iterator<Item = char> {
        let mut letters = Self::default();
        text.chars().filter_map(move |c| letters.next(c))
    }

    /// The first letters of a text, up to `limit` bytes.
    pub fn first(text: &str, limit: usize) -> String {
        let mut first = String::new();
        for letter in Self::of(text) {
            if first.len() + letter.len_utf8() > limit {
                break;
            }
            first.push(letter);
        }
        first
    }
}

/// How far two texts agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// What agrees, see [`weight`].
    pub weight: usize,
    /// Nothing is left of the first text.
    pub first_done: bool,
    /// Nothing is left of the second text.
    pub second_done: bool,
}

/// Compares letters from one end. A digit may be missing on either side: the numbers of a list
/// and of footnotes are in only one of source and drawing, as is the time next to a message. So may an emoji,
/// which pages draw as pictures, too.
pub fn agree<'a>(first: impl Iterator<Item = &'a u8>, second: impl Iterator<Item = &'a u8>) -> Agreement {
    let (mut first, mut second) = (first.peekable(), second.peekable());
    let mut sum = 0;
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        if a == b {
            sum += weight(**a);
            first.next();
            second.next();
        } else if is_loose(a) {
            first.next();
        } else if is_loose(b) {
            second.next();
        } else {
            break;
        }
    }
    Agreement { weight: sum, first_done: first.all(is_loose), second_done: second.all(is_loose) }
}

/// Whether a letter may be missing on one side.
#[allow(clippy::trivially_copy_pass_by_ref)] // Peeked at and passed as a predicate of iterators over bytes.
pub fn is_loose(letter: &u8) -> bool {
    letter.is_ascii_digit() || *letter == EMOJI as u8
}

/// How much a byte of UTF-8 counts as evidence: 1 for a letter, 2 for a character of the scripts
/// beyond U+0800, of which Han, Kana and Hangul say more than one letter each.
pub fn weight(byte: u8) -> usize {
    match byte {
        0x80..=0xBF => 0,
        0xE0.. => 2,
        _ => 1,
    }
}
