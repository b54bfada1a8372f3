//! Server-sent events as WHATWG HTML 9.2.6 reads them, with one difference: a last block
//! without its blank line is a record too, because readers of `fetch` bodies keep it.
//! What the standard passes over, unknown fields, is looked at for an object that a server has
//! put there without framing.
use super::lines::{Line, Lines};
use super::objects::Objects;
use super::{DATA_LIMIT, Frame, Sink};

/// Most bytes of an event's name, and of its id, that are kept; no format has longer ones.
pub(super) const NAME_LIMIT: usize = 128;

/// Capacity that stays reserved between events.
const SPARE: usize = 1 << 14;

#[derive(Debug)]
pub struct Sse {
    lines: Lines,
    block: Block,
}

impl Default for Sse {
    fn default() -> Self {
        Self { lines: Lines::with_bare_cr(), block: Block::default() }
    }
}

impl Sse {
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let Self { lines, block } = self;
        lines.feed(bytes, &mut |line| block.line(line, sink));
    }

    pub(super) fn gap(&mut self, sink: &mut Sink<'_>) {
        sink(Frame::Lost(self.lines.drop_partial() + self.block.data.len() as u64));
        self.block = Block { resync: Resync::Line, ..Block::default() };
    }

    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        let Self { lines, block } = self;
        lines.finish(&mut |line| block.line(line, sink));
        if block.has_data {
            block.dispatch(sink);
            sink(Frame::Unterminated);
        }
        // A name or an object that nothing followed.
        *block = Block::default();
    }

    pub(super) fn buffered(&self) -> usize {
        let Block { name, data, aside, .. } = &self.block;
        self.lines.buffered() + data.len() + name.len() + aside.buffered()
    }
}

/// After a gap: which border has to be seen before lines are believed again.
#[derive(Debug, Default, PartialEq)]
enum Resync {
    #[default]
    Done,
    /// The end of a line, whose beginning is unknown.
    Line,
    /// A blank line.
    Block,
}

/// The lines since the last blank one.
#[derive(Debug, Default)]
struct Block {
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    oversize: bool,
    /// The lines between the fields, as long as they may be an object.
    aside: Objects,
    resync: Resync,
}

impl Block {
    fn line(&mut self, line: Line<'_>, sink: &mut Sink<'_>) {
        if self.resync != Resync::Done {
            return self.resynchronise(line, sink);
        }
        match line {
            Line::Whole([]) => self.dispatch(sink),
            Line::Whole(line) => self.field(line, sink),
            Line::Oversize(head, length) => {
                sink(Frame::Lost(length));
                if split_field(head).0 == b"data" {
                    self.give_up(sink);
                }
            }
        }
    }

    fn resynchronise(&mut self, line: Line<'_>, sink: &mut Sink<'_>) {
        let length = match line {
            Line::Whole(line) => line.len() as u64,
            Line::Oversize(_, length) => length,
        };
        if length > 0 {
            sink(Frame::Lost(length));
        }
        self.resync = if length == 0 && self.resync == Resync::Block { Resync::Done } else { Resync::Block };
    }

    fn field(&mut self, line: &[u8], sink: &mut Sink<'_>) {
        let (name, value) = split_field(line);
        if self.aside.is_open() && matches!(name, b"data" | b"event") {
            self.aside = Objects::default();
        }
        match name {
            b"data" => self.add_data(value, sink),
            b"event" => {
                self.name.clear();
                self.name.extend(value.iter().take(NAME_LIMIT));
            }
            b"id" => sink(Frame::Id(value.get(..NAME_LIMIT).unwrap_or(value))),
            _ if self.aside.is_open() || line.starts_with(b"{") => self.set_aside(line, sink),
            _ => {} // comments, `retry` and unknown fields say nothing about content
        }
    }

    fn set_aside(&mut self, line: &[u8], sink: &mut Sink<'_>) {
        let mut found = |frame: Frame<'_>| match frame {
            Frame::Record { data, .. } => sink(Frame::Aside(data)),
            Frame::Lost(_) => sink(frame),
            _ => {}
        };
        self.aside.feed(line, &mut found);
        self.aside.feed(b"\n", &mut found);
    }

    fn add_data(&mut self, value: &[u8], sink: &mut Sink<'_>) {
        if self.oversize {
            return sink(Frame::Lost(value.len() as u64));
        }
        if core::mem::replace(&mut self.has_data, true) {
            self.data.push(b'\n');
        }
        if self.data.len() + value.len() > DATA_LIMIT {
            sink(Frame::Lost(value.len() as u64));
            return self.give_up(sink);
        }
        self.data.extend_from_slice(value);
    }

    /// The event goes over the limit: it stays an event, but is not read.
    fn give_up(&mut self, sink: &mut Sink<'_>) {
        sink(Frame::Lost(self.data.len() as u64));
        self.data.clear();
        (self.has_data, self.oversize) = (true, true);
    }

    fn dispatch(&mut self, sink: &mut Sink<'_>) {
        if self.oversize {
            sink(Frame::Unread);
        } else if self.has_data {
            sink(Frame::Record { name: &self.name, data: &self.data });
        } else if !self.name.is_empty() {
            sink(Frame::Bare(&self.name));
        }
        self.name.clear();
        self.data.clear();
        self.data.shrink_to(SPARE);
        (self.has_data, self.oversize) = (false, false);
    }
}

/// Name and value of a field; a comment has an empty name.
fn split_field(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return (line, &[]) };
    let (name, value) = line.split_at_checked(colon).unwrap_or((line, &[]));
    let value = value.strip_prefix(b":").unwrap_or(value);
    (name, value.strip_prefix(b" ").unwrap_or(value))
}
