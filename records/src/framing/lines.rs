//! Lines out of chunks, for the framings that are made of lines.

use crate::text;

/// Longest line that is kept, in bytes; a longer one is dropped and reported by its length.
pub const LINE_LIMIT: usize = 1 << 20;

/// What is kept of a line over the limit: enough to tell which field it was.
const HEAD: usize = 16;

/// Capacity that stays reserved between lines.
const SPARE: usize = 1 << 14;

/// One line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// A line over the limit: its first bytes and its length.
    Oversize(&'a [u8], u64),
}

/// Cuts at LF, and where `bare_cr` is set also at CR and at CRLF as one end.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bare_cr: bool,
    /// The last byte was a CR that ended a line, so an LF right after it belongs to the same end.
    after_cr: bool,
    /// The line so far; its head only once it is over the limit.
    partial: Vec<u8>,
    /// Length of a line that is over the limit, else 0.
    oversize: u64,
}

impl Lines {
    pub(super) fn with_bare_cr() -> Self {
        Self { bare_cr: true, ..Self::default() }
    }

    pub(super) fn feed(&mut self, bytes: &[u8], on_line: &mut dyn FnMut(Line<'_>)) {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if core::mem::take(&mut self.after_cr) && first == b'\n' {
                rest = rest.get(1..).unwrap_or(&[]);
                continue;
            }
            let (line, tail) =
                rest.split_at_checked(text::line_length(rest, self.bare_cr)).unwrap_or((rest, &[]));
            if tail.is_empty() {
                return self.keep(line);
            }
            self.after_cr = tail.first() == Some(&b'\r');
            self.complete(line, on_line);
            rest = tail.get(1..).unwrap_or(&[]);
        }
    }

    /// The stream has ended: a line without its end is a line.
    pub(super) fn finish(&mut self, on_line: &mut dyn FnMut(Line<'_>)) {
        if self.buffered() > 0 {
            self.complete(&[], on_line);
        }
    }

    /// Forgets the line so far and tells how long it was.
    pub(super) fn drop_partial(&mut self) -> u64 {
        let length = self.oversize.max(self.partial.len() as u64);
        self.clear();
        self.after_cr = false;
        length
    }

    pub(super) fn buffered(&self) -> usize {
        self.partial.len()
    }

    fn complete(&mut self, line: &[u8], on_line: &mut dyn FnMut(Line<'_>)) {
        if self.partial.is_empty() && line.len() <= LINE_LIMIT {
            return on_line(Line::Whole(line)); // straight from the chunk, nothing is copied
        }
        self.keep(line);
        if self.oversize > 0 {
            on_line(Line::Oversize(&self.partial, self.oversize));
        } else {
            on_line(Line::Whole(&self.partial));
        }
        self.clear();
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.oversize > 0 {
            self.oversize += bytes.len() as u64;
        } else if self.partial.len() + bytes.len() <= LINE_LIMIT {
            self.partial.extend_from_slice(bytes);
        } else {
            self.oversize = (self.partial.len() + bytes.len()) as u64;
            self.partial.extend(bytes.iter().take(HEAD));
            self.partial.truncate(HEAD);
            self.partial.shrink_to(SPARE);
        }
    }

    fn clear(&mut self) {
        self.partial.clear();
        self.partial.shrink_to(SPARE);
        self.oversize = 0;
    }
}
