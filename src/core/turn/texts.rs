//! The texts of a turn: what its streams delivered, to be recognised on the page.
//!
//! May touch: `answer`.
use super::super::answer::StreamText;
use super::super::event::Ms;

/// What the streams of a turn delivered. It stays in memory, bounded, and is never reported.
#[derive(Debug, Default)]
pub struct Texts {
    /// Of the answer.
    pub answer: StreamText,
    /// Of the reasoning.
    pub reasoning: StreamText,
    /// When the first visible character was read.
    pub first_read: Option<Ms>,
    /// When the last one was.
    pub last_read: Option<Ms>,
}

impl Texts {
    /// Takes in what a record added.
    pub fn push(&mut self, at: Ms, text: &str, reasoning: &str) {
        if !text.is_empty() {
            self.answer.push(at, text);
        }
        if !text.trim().is_empty() {
            self.first_read.get_or_insert(at);
            self.last_read = Some(at);
        }
        if !reasoning.is_empty() {
            self.reasoning.push(at, reasoning);
        }
    }
}
