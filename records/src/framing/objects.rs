//! JSON objects one behind the other, in an array or alone: each is a record when its closing brace arrives.
//!
//! That is an array that grows, one document, or documents one after the other; line ends mean nothing.
//! Whether an object is sound JSON is for its reader to say; here only strings and depth are followed.
use super::{DATA_LIMIT, Frame, Sink};

/// Capacity that stays reserved between records.
const SPARE: usize = 1 << 14;

#[derive(Debug, Default)]
pub struct Objects {
    /// The object so far; empty once it is over the limit.
    held: Vec<u8>,
    /// Length of the object so far; else of what was passed over for being none.
    length: u64,
    depth: u64,
    string: Quoted,
    /// After what is no object: only a brace at the start of a line opens one.
    resync: bool,
    line_start: bool,
}

/// Where an object is read: in a string or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Quoted {
    #[default]
    Outside,
    Inside,
    /// Behind a backslash.
    Escaped,
}

impl Objects {
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let was_open = self.is_open();
            self.step(byte);
            match (was_open, self.is_open()) {
                (false, true) => {
                    start = at;
                    self.found(sink);
                }
                (true, false) => self.complete(bytes.get(start..=at).unwrap_or(&[]), sink),
                _ => self.length += u64::from(self.resync),
            }
        }
        if self.is_open() {
            self.keep(bytes.get(start..).unwrap_or(&[]));
        }
    }

    pub(super) fn gap(&mut self, sink: &mut Sink<'_>) {
        sink(Frame::Lost(self.length));
        *self = Self { resync: true, ..Self::default() };
    }

    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        self.found(sink);
        if self.is_open() {
            self.complete(&[], sink);
            sink(Frame::Unterminated);
        }
    }

    pub(super) fn buffered(&self) -> usize {
        self.held.len()
    }

    /// Whether an object has begun and not ended.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Tells what was passed over for being no object.
    fn found(&mut self, sink: &mut Sink<'_>) {
        if core::mem::take(&mut self.resync) {
            sink(Frame::Lost(core::mem::take(&mut self.length)));
        }
    }

    /// Follows strings and depth.
    fn step(&mut self, byte: u8) {
        let line_start = core::mem::replace(&mut self.line_start, byte == b'\n');
        match (self.string, byte) {
            _ if self.depth == 0 => self.between(byte, line_start),
            (Quoted::Escaped, _) | (Quoted::Outside, b'"') => self.string = Quoted::Inside,
            (Quoted::Inside, b'\\') => self.string = Quoted::Escaped,
            (Quoted::Inside, b'"') => self.string = Quoted::Outside,
            (Quoted::Outside, b'{' | b'[') => self.depth += 1,
            (Quoted::Outside, b'}' | b']') => self.depth -= 1,
            _ => {}
        }
    }

    /// Blanks, other separators and the array's own brackets may stand between objects. After anything else, as after
    /// a gap, only what begins a line is believed to begin an object.
    fn between(&mut self, byte: u8, line_start: bool) {
        match byte {
            b'{' if line_start || !self.resync => self.depth = 1,
            b'{' | 0..=b' ' | b',' | b'[' | b']' => {}
            _ => self.resync = true,
        }
    }

    fn complete(&mut self, rest: &[u8], sink: &mut Sink<'_>) {
        if self.length == 0 && rest.len() <= DATA_LIMIT {
            return sink(Frame::Record { name: &[], data: rest }); // straight from the chunk, nothing is copied
        }
        self.keep(rest);
        if self.length > DATA_LIMIT as u64 {
            sink(Frame::Lost(self.length));
            sink(Frame::Unread);
        } else {
            sink(Frame::Record { name: &[], data: &self.held });
        }
        self.clear();
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if self.length <= DATA_LIMIT as u64 {
            self.held.extend_from_slice(bytes);
        } else {
            self.held = Vec::new();
        }
    }

    fn clear(&mut self) {
        self.held.clear();
        self.held.shrink_to(SPARE);
        self.length = 0;
    }
}
