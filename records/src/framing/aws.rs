//! AWS event stream (`application/vnd.amazon.eventstream`), by which Bedrock answers: binary messages with checksums.
//!
//! A message: total length, length of headers, CRC-32 of these eight bytes; headers; payload; CRC-32 of all before.
//! A record's name is the header `:event-type`, of an exception `:exception-type`, of an error without one `error`.
use super::{DATA_LIMIT, Frame, Sink};

/// Bytes before the headers.
pub(super) const PRELUDE: usize = 12;
/// Prelude and the last checksum.
const OVERHEAD: usize = PRELUDE + 4;
/// Largest message that the protocol allows: 16 MiB of payload, 128 KiB of headers.
const MESSAGE_LIMIT: usize = (1 << 24) + (1 << 17) + OVERHEAD;

/// Capacity that stays reserved between messages.
const SPARE: usize = 1 << 14;

#[derive(Debug, Default)]
pub struct Aws {
    /// The message so far.
    held: Vec<u8>,
    /// What is left of a message over the limit.
    skip: usize,
}

impl Aws {
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let wanted = match self.skip {
                0 => self.wanted().saturating_sub(self.held.len()),
                skip => skip,
            };
            let (taken, tail) = rest.split_at_checked(wanted).unwrap_or((rest, &[]));
            rest = tail;
            if self.skip > 0 {
                self.skip -= taken.len();
                sink(Frame::Lost(taken.len() as u64));
            } else {
                self.held.extend_from_slice(taken);
                self.advance(sink);
            }
        }
    }

    pub(super) fn gap(&mut self, sink: &mut Sink<'_>) {
        sink(Frame::Lost(self.held.len() as u64));
        *self = Self::default();
    }

    /// A message that was cut cannot be checked, so it is not shown.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        if !self.held.is_empty() {
            sink(Frame::Lost(self.held.len() as u64));
            sink(Frame::Unread);
        }
        if !self.held.is_empty() || self.skip > 0 {
            sink(Frame::Unterminated);
        }
        *self = Self::default();
    }

    pub(super) fn buffered(&self) -> usize {
        self.held.len()
    }

    /// How long what is held has to be for the next step.
    fn wanted(&self) -> usize {
        if self.held.len() < PRELUDE { PRELUDE } else { total(&self.held) }
    }

    fn advance(&mut self, sink: &mut Sink<'_>) {
        if self.held.len() == PRELUDE {
            self.prelude(sink);
        } else if self.held.len() > PRELUDE && self.held.len() == total(&self.held) {
            self.message(sink);
            self.held.clear();
            self.held.shrink_to(SPARE);
        }
    }

    /// Where no prelude is, bytes are passed over one by one until there is one again.
    fn prelude(&mut self, sink: &mut Sink<'_>) {
        if !is_prelude(&self.held) {
            self.held.remove(0);
            sink(Frame::Lost(1));
        } else if total(&self.held) > DATA_LIMIT {
            let total = total(&self.held);
            sink(Frame::Lost(PRELUDE as u64));
            sink(Frame::Unread);
            self.held.clear();
            self.skip = total - PRELUDE;
        }
    }

    fn message(&self, sink: &mut Sink<'_>) {
        let sound = self.held.split_last_chunk().and_then(|(body, sum)| {
            (crc32(body) == u32::from_be_bytes(*sum)).then_some(body.get(PRELUDE..)?)
        });
        let Some((headers, data)) = sound.and_then(|rest| rest.split_at_checked(word(&self.held, 4))) else {
            sink(Frame::Lost(self.held.len() as u64));
            return sink(Frame::Unread);
        };
        let name = [b":event-type".as_slice(), b":exception-type", b":message-type"]
            .iter()
            .find_map(|name| header(headers, name));
        sink(Frame::Record { name: name.unwrap_or(&[]), data });
    }
}

/// Whether a message begins with these bytes; its checksum makes an accident unlikely.
pub(super) fn is_prelude(bytes: &[u8]) -> bool {
    let (total, headers) = (total(bytes), word(bytes, 4));
    (OVERHEAD..=MESSAGE_LIMIT).contains(&total)
        && headers <= total - OVERHEAD
        && bytes.get(..8).is_some_and(|start| crc32(start) as usize == word(bytes, 8))
}

fn total(message: &[u8]) -> usize {
    word(message, 0)
}

/// The big-endian number at `at`; 0 where there is none.
fn word(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).and_then(<[u8]>::first_chunk);
    rest.map_or(0, |four| u32::from_be_bytes(*four) as usize)
}

/// The value of the text header `name`.
fn header<'a>(headers: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = headers;
    loop {
        let (&length, tail) = rest.split_first()?;
        let (found, tail) = tail.split_at_checked(usize::from(length))?;
        let (&kind, tail) = tail.split_first()?;
        // Booleans have no value; then integers of 1, 2, 4, 8 bytes, bytes, text, a time, a UUID.
        let (size, tail) = match kind {
            0 | 1 => (0, tail),
            2..=5 => (1 << (kind - 2), tail),
            6 | 7 => {
                let (size, tail) = tail.split_first_chunk()?;
                (usize::from(u16::from_be_bytes(*size)), tail)
            }
            8 => (8, tail),
            _ => (16, tail),
        };
        let (value, tail) = tail.split_at_checked(size)?;
        if kind == 7 && found == name {
            return Some(value);
        }
        rest = tail;
    }
}

/// CRC-32 of IEEE 802.3 bit by bit: messages are small, and a table is not.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg()))
    })
}
