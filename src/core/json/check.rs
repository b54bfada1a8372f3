//! Is this text one JSON value, as `JSON.parse` in the page would take it?

use crate::core::text;

/// Deepest nesting that is read; deeper is refused, though a browser would take it: no provider nests so.
pub const DEPTH_LIMIT: u32 = u128::BITS;

/// Whether `text` is exactly one JSON value (RFC 8259), nested at most [`DEPTH_LIMIT`] deep.
pub fn check(text: &str) -> bool {
    Check { bytes: text.as_bytes(), depth: 0, objects: 0 }.document().is_some()
}

/// The unread rest and what is open: one bit a level, set for an object.
struct Check<'a> {
    bytes: &'a [u8],
    depth: u32,
    objects: u128,
}

impl Check<'_> {
    fn document(&mut self) -> Option<()> {
        loop {
            // A bracket that holds something asks for a value again; anything else was one.
            if self.opens_or_ends()? {
                continue;
            }
            while self.depth > 0 && !self.another()? {}
            if self.depth == 0 {
                self.blanks();
                return self.bytes.is_empty().then_some(());
            }
        }
    }

    /// Takes a scalar, an empty bracket (false), or the opening of a filled one (true).
    fn opens_or_ends(&mut self) -> Option<bool> {
        self.blanks();
        match self.peek()? {
            b'{' => self.open(true, b'}'),
            b'[' => self.open(false, b']'),
            b'"' => self.string().map(|()| false),
            b't' => self.word(b"true").map(|()| false),
            b'f' => self.word(b"false").map(|()| false),
            b'n' => self.word(b"null").map(|()| false),
            _ => self.number().map(|()| false),
        }
    }

    fn open(&mut self, object: bool, close: u8) -> Option<bool> {
        self.skip(1);
        self.blanks();
        if self.peek()? == close {
            self.skip(1);
            return Some(false);
        }
        self.depth = (self.depth < DEPTH_LIMIT).then_some(self.depth + 1)?;
        self.objects = (self.objects << 1) | u128::from(object);
        if object { self.name().map(|()| true) } else { Some(true) }
    }

    /// Takes a comma and what must follow (true: a value is next), or one closing bracket (false).
    fn another(&mut self) -> Option<bool> {
        self.blanks();
        let object = self.objects & 1 == 1;
        let byte = self.peek()?;
        self.skip(1);
        match byte {
            b',' if object => self.name().map(|()| true),
            b',' => Some(true),
            b'}' if object => self.close(),
            b']' if !object => self.close(),
            _ => None,
        }
    }

    fn close(&mut self) -> Option<bool> {
        self.depth -= 1;
        self.objects >>= 1;
        Some(false)
    }

    fn name(&mut self) -> Option<()> {
        self.blanks();
        self.string()?;
        self.blanks();
        self.word(b":")
    }

    fn string(&mut self) -> Option<()> {
        self.word(b"\"")?;
        loop {
            self.skip(text::plain_length(self.bytes));
            match self.take()? {
                b'"' => return Some(()),
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        match self.take()? {
            b'u' => (0..4).try_for_each(|_| self.take()?.is_ascii_hexdigit().then_some(())),
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<()> {
        self.maybe(b"-");
        if !self.maybe(b"0") {
            self.digits()?;
        }
        if self.maybe(b".") {
            self.digits()?;
        }
        if self.maybe(b"eE") {
            self.maybe(b"+-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let count = self.bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.skip(count);
        (count > 0).then_some(())
    }

    fn maybe(&mut self, any: &[u8]) -> bool {
        let is = self.peek().is_some_and(|byte| any.contains(&byte));
        self.skip(usize::from(is));
        is
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes = self.bytes.strip_prefix(word)?;
        Some(())
    }

    fn blanks(&mut self) {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.skip(self.bytes.iter().take_while(blank).count());
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn skip(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or(&[]);
    }
}
