//! From bytes to frames: where a record of a stream begins and ends, for any cut into chunks.
//!
//! [`Framer`] first looks at the start of the body ([`sniff`]), because content types lie, and
//! then runs one of the framings. What comes out depends on the bytes alone, never on the chunks.
//! Every buffer has a named limit; what is over it is dropped and reported as [`Frame::Lost`].
//!
//! May touch: nothing but the bytes it is given.
mod aws;
mod lines;
mod ndjson;
mod objects;
mod plain;
mod sniff;
mod sse;

pub use lines::LINE_LIMIT;
pub use sniff::SNIFF_LIMIT;

use aws::Aws;
use ndjson::Ndjson;
use objects::Objects;
use plain::Plain;
use sniff::{Shape, Sniff};
use sse::Sse;

/// Most bytes of one record: joined `data:` lines, an object, a message. What is over it is not read.
pub const DATA_LIMIT: usize = 1 << 20;

/// Most bytes that the framing of one stream holds between two calls.
pub const BUFFER_LIMIT: usize = SNIFF_LIMIT + LINE_LIMIT + 2 * DATA_LIMIT + sse::NAME_LIMIT;

/// What the framing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A record, as the framing has it.
    Record {
        /// What the framing calls it: the `event:` field, the code of a line, the type of an AWS message; empty if nothing.
        name: &'a [u8],
        /// Its payload: joined `data:` lines, the line behind its code, the object, the message's body. Of any kind.
        data: &'a [u8],
    },
    /// The name of a block without data, which is no event.
    Bare(&'a [u8]),
    /// The id (`id:`) that the record to come and those after it have, until there is another.
    Id(&'a [u8]),
    /// A record that is not shown: it was over a limit, or damaged.
    Unread,
    /// An object that stands between the records: how some servers tell of an error in mid-stream.
    Aside(&'a [u8]),
    /// Text without framing, and how many invalid bytes were replaced in it.
    Text(&'a str, u32),
    /// Bytes that were dropped: over a limit, or unusable after a gap.
    Lost(u64),
    /// The stream ended inside a record, or before the end that the framing asks for; the record itself came before.
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
    Objects(Objects),
    Aws(Aws),
    Plain(Plain),
    /// Not a stream that is read here: markup, media, frames of another protocol.
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
            State::Objects(objects) => objects.feed(bytes, sink),
            State::Aws(aws) => aws.feed(bytes, sink),
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
            State::Objects(objects) => objects.gap(sink),
            State::Aws(aws) => aws.gap(sink),
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
            State::Objects(objects) => objects.finish(sink),
            State::Aws(aws) => aws.finish(sink),
            State::Plain(plain) => plain.finish(sink),
            State::Sniffing(_) | State::Opaque => {}
        }
    }

    /// Whether records are objects one behind the other, in an array or alone.
    pub fn is_objects(&self) -> bool {
        matches!(self.0, State::Objects(_))
    }

    /// Bytes held between two calls.
    pub fn buffered(&self) -> usize {
        match &self.0 {
            State::Sniffing(sniff) => sniff.held().len(),
            State::Sse(sse) => sse.buffered(),
            State::Ndjson(ndjson) => ndjson.buffered(),
            State::Objects(objects) => objects.buffered(),
            State::Aws(aws) => aws.buffered(),
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
            Shape::Objects => State::Objects(Objects::default()),
            Shape::Aws => State::Aws(Aws::default()),
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
