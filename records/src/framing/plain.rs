//! Text without framing: a streaming UTF-8 decoder that replaces what `TextDecoder` would replace.
use super::{Frame, Sink};
use crate::text;

/// Bytes decoded at a time, so that a huge chunk needs no huge buffer.
const PIECE: usize = 1 << 12;

#[derive(Debug, Default)]
pub struct Plain {
    /// The beginning of a character whose rest has not come: at most 3 bytes.
    carry: Vec<u8>,
    text: String,
}

impl Plain {
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        bytes.chunks(PIECE).for_each(|piece| self.piece(piece, sink));
    }

    /// What is left of a character will not come any more.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        if !self.carry.is_empty() {
            sink(Frame::Text("\u{FFFD}", self.carry.len() as u32));
            self.carry.clear();
        }
    }

    pub(super) fn buffered(&self) -> usize {
        self.carry.len()
    }

    fn piece(&mut self, piece: &[u8], sink: &mut Sink<'_>) {
        self.carry.extend_from_slice(piece);
        let complete = complete(&self.carry);
        self.text.clear();
        let replaced = text::decode(self.carry.get(..complete).unwrap_or(&[]), &mut self.text);
        self.carry = self.carry.split_off(complete);
        if !self.text.is_empty() {
            sink(Frame::Text(&self.text, replaced));
        }
    }
}

/// Length without the character at the end that may go on.
fn complete(bytes: &[u8]) -> usize {
    let length = bytes.len();
    let goes_on = |start: &usize| bytes.get(*start..).is_some_and(is_beginning);
    (length.saturating_sub(3)..length).find(goes_on).unwrap_or(length)
}

/// Whether these are the beginning of one character.
fn is_beginning(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}
