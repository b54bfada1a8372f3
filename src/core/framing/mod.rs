//! From bytes to frames: where a record of a stream begins and ends, for any cut into chunks.
//!
//! [`Framer`] first looks at the start of the body ([`sniff`]), because content types lie, and
//! then runs one of the framings. What comes out depends on the bytes alone, never on the chunks.
//! Every buffer has a named limit; what is over it is dropped and reported as [`Frame::Lost`].
//!
//! May touch: nothing but the bytes it is given.
mod lines;
mod ndjson;
mod plain;
mod sniff;
mod sse;

pub use lines::LINE_LIMIT;
pub use sniff::SNIFF_LIMIT;
pub use sse::DATA_LIMIT;

use ndjson::Ndjson;
use plain::Plain;
use sniff::{Shape, Sniff};
use sse::Sse;

/// Most bytes that the framing of one stream holds between two calls.
pub const BUFFER_LIMIT: usize = SNIFF_LIMIT + LINE_LIMIT + DATA_LIMIT + sse::NAME_LIMIT;

/// What the framing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A record; `name` is the `event:` field of server-sent events, empty if there is none.
    Record {
        /// The event's name.
        name: &'a [u8],
        /// The record's payload: joined `data:` lines, or the line.
        data: &'a [u8],
    },
    /// The name of a block without data, which is no event.
    Bare(&'a [u8]),
    /// A record that was over a limit and is not shown.
    Oversize,
    /// Text without framing, and how many invalid bytes were replaced in it.
    Text(&'a str, u32),
    /// Bytes that were dropped: over a limit, or unusable after a gap.
    Lost(u64),
    /// The stream ended inside a record; the record itself came before.
    Unterminated,
}

/// Takes frames.
pub type Sink<'s> = dyn FnMut(Frame<'_>) + 's;

/// The framing of one stream.
#[derive(Debug)]
pub struct Framer(State);

#[derive(Debug)]
enum State {
    /// The start of the body decides; its bytes are held until then.
    Sniffing(Sniff),
    Sse(Sse),
    Ndjson(Ndjson),
    Plain(Plain),
    /// Not a stream that is read here: one document, markup, binary.
    Opaque,
}

impl Framer {
    /// A framer for a body that declares this content type.
    pub fn new(content_type: &str) -> Self {
        Self(State::Sniffing(Sniff::new(content_type)))
    }

    /// A framer for a body that is known to have one record a line.
    pub fn lines() -> Self {
        Self(State::Ndjson(Ndjson::default()))
    }

    /// A framer for text without framing.
    pub fn plain() -> Self {
        Self(State::Plain(Plain::default()))
    }

    /// Takes the next bytes of the body.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        match &mut self.0 {
            State::Sniffing(sniff) => {
                let rest = sniff.take(bytes);
                if let Some(shape) = sniff.verdict(false) {
                    self.settle(shape, sink);
                    self.feed(rest, sink);
                }
            }
            State::Sse(sse) => sse.feed(bytes, sink),
            State::Ndjson(ndjson) => ndjson.feed(bytes, sink),
            State::Plain(plain) => plain.feed(bytes, sink),
            State::Opaque => {}
        }
    }

    /// Bytes passed that are not known: the framing starts again at the next border of a record.
    pub fn gap(&mut self, sink: &mut Sink<'_>) {
        self.stop_sniffing(false, sink);
        match &mut self.0 {
            State::Sse(sse) => sse.gap(sink),
            State::Ndjson(ndjson) => ndjson.gap(sink),
            State::Plain(plain) => plain.finish(sink),
            State::Sniffing(_) | State::Opaque => {}
        }
    }

    /// The body has ended: what is left is a record too.
    pub fn finish(&mut self, sink: &mut Sink<'_>) {
        self.stop_sniffing(true, sink);
        match &mut self.0 {
            State::Sse(sse) => sse.finish(sink),
            State::Ndjson(ndjson) => ndjson.finish(sink),
            State::Plain(plain) => plain.finish(sink),
            State::Sniffing(_) | State::Opaque => {}
        }
    }

    /// Bytes held between two calls.
    pub fn buffered(&self) -> usize {
        match &self.0 {
            State::Sniffing(sniff) => sniff.held().len(),
            State::Sse(sse) => sse.buffered(),
            State::Ndjson(ndjson) => ndjson.buffered(),
            State::Plain(plain) => plain.buffered(),
            State::Opaque => 0,
        }
    }

    fn stop_sniffing(&mut self, ended: bool, sink: &mut Sink<'_>) {
        if let State::Sniffing(sniff) = &self.0 {
            let shape = sniff.verdict(ended).unwrap_or(sniff.fallback());
            self.settle(shape, sink);
        }
    }

    /// Goes on with the framing found, beginning with the bytes held.
    fn settle(&mut self, shape: Shape, sink: &mut Sink<'_>) {
        let found = match shape {
            Shape::Sse => State::Sse(Sse::default()),
            Shape::Lines => State::Ndjson(Ndjson::default()),
            Shape::Plain => State::Plain(Plain::default()),
            Shape::Opaque => State::Opaque,
        };
        if let State::Sniffing(sniff) = core::mem::replace(&mut self.0, found) {
            self.feed(sniff.held_without_mark(), sink);
        }
    }
}

#[cfg(test)]
mod tests;
