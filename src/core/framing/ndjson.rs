//! One record a line; blank lines are none.
use super::lines::{Line, Lines};
use super::{Frame, Sink};

#[derive(Debug, Default)]
pub struct Ndjson {
    lines: Lines,
    /// After a gap: the line whose beginning is unknown is not a record.
    resync: bool,
}

impl Ndjson {
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let Self { lines, resync } = self;
        lines.feed(bytes, &mut |line| emit(line, core::mem::take(resync), sink));
    }

    pub(super) fn gap(&mut self, sink: &mut Sink<'_>) {
        sink(Frame::Lost(self.lines.drop_partial()));
        self.resync = true;
    }

    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        let Self { lines, resync } = self;
        lines.finish(&mut |line| {
            emit(line, core::mem::take(resync), sink);
            sink(Frame::Unterminated);
        });
    }

    pub(super) fn buffered(&self) -> usize {
        self.lines.buffered()
    }
}

fn emit(line: Line<'_>, unknown_start: bool, sink: &mut Sink<'_>) {
    match line {
        Line::Whole(line) if unknown_start => sink(Frame::Lost(line.len() as u64)),
        Line::Whole(line) => {
            let data = line.trim_ascii();
            if !data.is_empty() {
                sink(Frame::Record { name: &[], data });
            }
        }
        Line::Oversize(_, length) => {
            sink(Frame::Lost(length));
            if !unknown_start {
                sink(Frame::Oversize);
            }
        }
    }
}
