//! Does this text of the page belong to that stream? So the answer's place is found without
//! configuration, and a shown text is traced back to the moment it was delivered.
//!
//! May touch: nothing. Holds text of the answer and of the prompt, in memory only and bounded;
//! nothing here can be sent (no wire type takes a string from it).
mod letters;

use super::event::Ms;
pub use letters::fold;
use letters::{Agreement, Letters, agree, weight};

/// Letters kept from the beginning of the stream, in bytes.
const HEAD: usize = 512;
/// Letters kept from its end; up to twice as many before the older half goes.
const TAIL: usize = 4096;
/// Arrival times kept.
const MARKS: usize = 128;
/// Letters of a drawn tail that are looked for.
const NEEDLE: usize = 48;
/// Letters that a label ("Thought for 3 s", "You said:") may have before the text.
const LABEL: usize = 80;
/// Weight from which an agreement is no accident, if one side agrees as a whole.
const STRONG: usize = 12;
/// Weight from which it is none even if both sides go on differently (formulas, raw HTML).
const CERTAIN: usize = 24;

/// How well a drawn text agrees with the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// Something else.
    None,
    /// One side is the beginning of the other, but too short to be sure: a user's "Sure thing?" is
    /// also what "Sure" may become.
    Weak,
    /// The same text.
    Strong,
}

/// What a stream has delivered.
#[derive(Clone, Debug, Default)]
pub struct StreamText {
    letters: Letters,
    head: String,
    tail: Vec<u8>,
    /// Letters delivered in all, in bytes.
    delivered: u64,
    marks: Vec<Mark>,
    ended: bool,
}

/// All letters before `end` were there at `at`.
#[derive(Clone, Copy, Debug)]
struct Mark {
    end: u64,
    at: Ms,
}

impl StreamText {
    /// The stream delivered more text.
    pub fn push(&mut self, at: Ms, text: &str) {
        let before = self.tail.len();
        for letter in text.chars().filter_map(|c| self.letters.next(c)) {
            match u8::try_from(letter) {
                Ok(byte) if byte.is_ascii() => self.tail.push(byte),
                _ => self.tail.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        let new = self.tail.get(before..).unwrap_or(&[]);
        if new.is_empty() {
            return;
        }
        if self.is_whole() {
            let room = HEAD - self.head.len();
            let letters = core::str::from_utf8(new).unwrap_or("");
            let fits = letters.char_indices().take_while(|(at, letter)| at + letter.len_utf8() <= room);
            self.head.extend(fits.map(|(_, letter)| letter));
        }
        self.delivered += new.len() as u64;
        self.mark(at);
        if self.tail.len() > 2 * TAIL {
            self.tail = self.tail.split_off(self.tail.len() - TAIL);
        }
    }

    /// The stream is over: what was delivered is all there will be.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether nothing was delivered that could be recognised.
    pub fn is_empty(&self) -> bool {
        self.delivered == 0
    }

    /// Whether `drawn` begins like the stream. Text of the interface may follow ("Copy").
    pub fn matches_start(&self, drawn: &str) -> Match {
        self.verdict(&Letters::first(drawn, HEAD + LABEL))
    }

    /// Whether the stream begins somewhere near the start of `drawn`, after a label.
    pub fn contains_start(&self, drawn: &str) -> Match {
        let drawn = Letters::first(drawn, HEAD + 4 * LABEL);
        let found = |(offset, _)| {
            drawn.get(offset..).is_some_and(|rest| self.verdict_by_weight(rest) == Match::Strong)
        };
        if drawn.char_indices().take(LABEL + 1).any(found) { Match::Strong } else { self.verdict(&drawn) }
    }

    /// When the text that ends with `tail` was delivered, if that can be told.
    pub fn arrival_of(&self, tail: &str) -> Option<Ms> {
        let letters: Vec<char> = Letters::of(tail).collect();
        let last = letters.get(letters.len().saturating_sub(NEEDLE)..)?;
        let needle: String = last.iter().collect();
        if last.len() < 4 {
            return None;
        }
        let whole = |found: Agreement| found.second_done;
        let enough = |found: Agreement| found.weight >= STRONG + 4;
        let end = self.find_last(needle.as_bytes(), whole);
        let end = end.or_else(|| self.find_last(needle.as_bytes(), enough))?;
        let position = self.delivered - (self.tail.len() - end) as u64;
        self.marks.iter().find(|mark| mark.end >= position).map(|mark| mark.at)
    }

    /// Whether the head is all that was delivered.
    fn is_whole(&self) -> bool {
        self.delivered == self.head.len() as u64
    }

    fn mark(&mut self, at: Ms) {
        if let Some(last) = self.marks.last_mut().filter(|last| last.at == at) {
            last.end = self.delivered;
            return;
        }
        if self.marks.len() == MARKS {
            // Thin out rather than forget: every second mark goes, the last one stays.
            let mut index = 0;
            self.marks.retain(|_| {
                index += 1;
                index % 2 == 0
            });
        }
        self.marks.push(Mark { end: self.delivered, at });
    }

    fn verdict(&self, drawn: &str) -> Match {
        let found = agree(self.head.as_bytes().iter(), drawn.as_bytes().iter());
        let complete = self.ended && self.is_whole() && found.first_done && found.second_done;
        match self.verdict_by_weight(drawn) {
            Match::Weak if complete => Match::Strong,
            verdict => verdict,
        }
    }

    fn verdict_by_weight(&self, drawn: &str) -> Match {
        let found = agree(self.head.as_bytes().iter(), drawn.as_bytes().iter());
        let covered = found.first_done || found.second_done;
        match found.weight {
            0 => Match::None,
            CERTAIN.. => Match::Strong,
            STRONG.. if covered => Match::Strong,
            _ if covered => Match::Weak,
            _ => Match::None,
        }
    }

    /// Where in the kept end `needle` ends, the last time that it is `good`.
    fn find_last(&self, needle: &[u8], good: impl Fn(Agreement) -> bool) -> Option<usize> {
        let last = needle.last()?;
        (1..=self.tail.len()).rev().find(|end| {
            self.tail.get(..*end).is_some_and(|text| {
                text.last() == Some(last) && good(agree(text.iter().rev(), needle.iter().rev()))
            })
        })
    }
}

/// The prompt, to tell its echo in the page from an answer.
#[derive(Clone, Debug, Default)]
pub struct Echo {
    text: String,
    cut: bool,
}

impl Echo {
    /// Letters of names and buttons that may surround the prompt, as weight.
    const AROUND: usize = 40;

    /// `text` is what the composer held at the submit.
    pub fn new(text: &str) -> Self {
        let first = Letters::first(text, HEAD + 1);
        Self { cut: first.len() > HEAD, text: Letters::first(text, HEAD) }
    }

    /// Whether `drawn` is the prompt, perhaps with a name before it and buttons after it.
    pub fn is_echo(&self, drawn: &str) -> bool {
        let drawn = Letters::first(drawn, 2 * HEAD);
        drawn.char_indices().take(LABEL).any(|(offset, _)| {
            let (Some(before), Some(rest)) = (drawn.get(..offset), drawn.get(offset..)) else {
                return false;
            };
            let found = agree(self.text.as_bytes().iter(), rest.as_bytes().iter());
            let after = heft(rest).saturating_sub(found.weight);
            found.weight > 0 && found.first_done && self.allows(heft(before), after)
        })
    }

    /// A short prompt is part of many words ("hi" of "Thinking", and of "Hi there!").
    fn allows(&self, before: usize, after: usize) -> bool {
        if self.cut {
            before <= Self::AROUND
        } else if heft(&self.text) < STRONG {
            (before == 0 || after == 0) && before + after <= 4
        } else {
            before + after <= Self::AROUND
        }
    }
}

/// Weight of the letters without digits, which may be a time of day.
fn heft(letters: &str) -> usize {
    letters.bytes().filter(|byte| !byte.is_ascii_digit()).map(weight).sum()
}

#[cfg(test)]
mod tests;
