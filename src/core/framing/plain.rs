//! Text without framing: a streaming UTF-8 decoder that replaces what `TextDecoder` would replace.
use super::{Frame, Sink};

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
        self.text.clear();
        let (mut at, mut invalid) = (0, 0);
        loop {
            let rest = self.carry.get(at..).unwrap_or(&[]);
            let Some(chunk) = rest.utf8_chunks().next() else { break };
            let broken = chunk.invalid();
            self.text.push_str(chunk.valid());
            at += chunk.valid().len();
            if at + broken.len() == self.carry.len() && is_beginning(broken) {
                break;
            }
            at += broken.len();
            if !broken.is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
                invalid += broken.len() as u32;
            }
        }
        self.carry.drain(..at.min(self.carry.len()));
        if !self.text.is_empty() {
            sink(Frame::Text(&self.text, invalid));
        }
    }
}

/// Whether more bytes could make a character of these.
fn is_beginning(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
