//! One record a line; blank lines are none. A line that begins with a code and a colon, as the AI SDK's data
//! stream has them (`0:"text"`), is a record of that name: no JSON value begins so.
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

    /// A last line without its end is flagged even where it is padding: a server that ends its lines was cut there.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        let Self { lines, resync } = self;
        let cut = lines.buffered() > 0;
        lines.finish(&mut |line| emit(line, core::mem::take(resync), sink));
        if cut {
            sink(Frame::Unterminated);
        }
    }

    pub(super) fn buffered(&self) -> usize {
        self.lines.buffered()
    }
}

fn emit(line: Line<'_>, unknown_start: bool, sink: &mut Sink<'_>) {
    match line {
        Line::Whole(line) if unknown_start => sink(Frame::Lost(line.len() as u64)),
        Line::Whole(line) => {
            let (name, data) = split_code(trim(line));
            if !name.is_empty() || !data.is_empty() {
                sink(Frame::Record { name, data });
            }
        }
        Line::Oversize(_, length) => {
            sink(Frame::Lost(length));
            if !unknown_start {
                sink(Frame::Unread);
            }
        }
    }
}

/// Without the padding around it: blanks, and the NUL that servers add against guessing by length.
fn trim(line: &[u8]) -> &[u8] {
    let is_content = |byte: &u8| *byte != 0 && !byte.is_ascii_whitespace();
    let end = line.iter().rposition(is_content).map_or(0, |last| last + 1);
    let start = line.iter().position(is_content).unwrap_or(end);
    line.get(start..end).unwrap_or(&[])
}

/// The code before the colon and what is behind it; of a line without a code all.
fn split_code(line: &[u8]) -> (&[u8], &[u8]) {
    let is_code = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let length = line.iter().take_while(|byte| is_code(byte)).count();
    match line.split_at_checked(length) {
        Some((code @ [_, ..], [b':', data @ ..])) => (code, data),
        _ => (&[], line),
    }
}
