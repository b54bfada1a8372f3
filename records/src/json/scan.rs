//! One pass over text that may be JSON: checks it as `JSON.parse` in the page would, and stops wherever it is asked to.
use super::Json;
use crate::text;

/// Deepest nesting that is read; deeper is refused, though a browser would take it: no provider nests so.
pub const DEPTH_LIMIT: u32 = u128::BITS;

/// Whether `text` is exactly one JSON value (RFC 8259), nested at most [`DEPTH_LIMIT`] deep.
pub fn check(text: &str) -> bool {
    let mut scan = Scan::new(text);
    scan.value().is_some() && scan.is_done()
}

/// Length of the inside of a string, whose opening quote is before `text`; `None` if it never closes, or is none.
pub fn string_length(text: &str) -> Option<usize> {
    Scan::new(text).inside().map(str::len)
}

/// The unread rest and what is open: one bit a level, set for an object. `None` from any method: this is no JSON.
#[derive(Debug)]
pub struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    depth: u32,
    objects: u128,
}

/// Takes the parts of a value; `None` ends the scan.
pub type Part<'p, 'a, T> = dyn FnMut(&mut Scan<'a>, T) -> Option<()> + 'p;

impl<'a> Scan<'a> {
    /// At the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), depth: 0, objects: 0 }
    }

    /// Whether nothing but blanks is left.
    pub fn is_done(&mut self) -> bool {
        self.blanks();
        self.bytes.is_empty()
    }

    /// What is ahead, unchecked: for a look at the next value before it is read.
    pub fn ahead(&mut self) -> Json<'a> {
        self.blanks();
        Json(self.since(self.place()))
    }

    /// The next value as a whole.
    pub fn value(&mut self) -> Option<Json<'a>> {
        self.blanks();
        let (start, outside) = (self.place(), self.depth);
        loop {
            // A bracket that holds something asks for a value again; anything else was one.
            if self.opens_or_ends()? {
                continue;
            }
            while self.depth > outside && !self.another()? {}
            if self.depth == outside {
                return Some(Json(self.passed(start)));
            }
        }
    }

    /// The next value, which is an object, member by member: `part` has to read each value.
    pub fn object(&mut self, part: &mut Part<'_, 'a, &'a str>) -> Option<Json<'a>> {
        let start = self.place();
        if self.bytes.first() == Some(&b'{') && self.open(true, b'}')? {
            loop {
                let name = self.name()?;
                part(self, name)?;
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        Some(Json(self.passed(start)))
    }

    /// The next value, which is an array, item by item: `part` has to read each value.
    pub fn array(&mut self, part: &mut Part<'_, 'a, usize>) -> Option<Json<'a>> {
        let start = self.place();
        if self.bytes.first() == Some(&b'[') && self.open(false, b']')? {
            let mut place = 0;
            loop {
                part(self, place)?;
                place += 1;
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        Some(Json(self.passed(start)))
    }

    fn place(&self) -> usize {
        self.text.len() - self.bytes.len()
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..).unwrap_or("")
    }

    fn passed(&self, start: usize) -> &'a str {
        self.text.get(start..self.place()).unwrap_or("")
    }

    /// Takes a scalar, an empty bracket (false), or the opening of a filled one (true), with the name of its first member.
    fn opens_or_ends(&mut self) -> Option<bool> {
        self.blanks();
        match self.peek()? {
            b'"' => self.string().map(|_| false),
            b'{' => match self.open(true, b'}')? {
                true => self.name().map(|_| true),
                false => Some(false),
            },
            b'[' => self.open(false, b']'),
            b't' => self.word(b"true").map(|()| false),
            b'f' => self.word(b"false").map(|()| false),
            b'n' => self.word(b"null").map(|()| false),
            _ => self.number().map(|()| false),
        }
    }

    /// Takes an opening bracket; false if it closes at once.
    fn open(&mut self, object: bool, close: u8) -> Option<bool> {
        self.skip(1);
        self.blanks();
        if self.peek()? == close {
            self.skip(1);
            return Some(false);
        }
        self.depth = (self.depth < DEPTH_LIMIT).then_some(self.depth + 1)?;
        self.objects = (self.objects << 1) | u128::from(object);
        Some(true)
    }

    /// Takes a comma (true), or the closing bracket.
    fn goes_on(&mut self, close: u8) -> Option<bool> {
        self.blanks();
        let byte = self.peek()?;
        self.skip(1);
        match byte {
            b',' => Some(true),
            _ if byte == close => {
                self.depth -= 1;
                self.objects >>= 1;
                Some(false)
            }
            _ => None,
        }
    }

    /// Takes a comma and what must follow (true: a value is next), or one closing bracket (false).
    fn another(&mut self) -> Option<bool> {
        let object = self.objects & 1 == 1;
        let goes_on = self.goes_on(if object { b'}' } else { b']' })?;
        if goes_on && object {
            self.name()?;
        }
        Some(goes_on)
    }

    fn name(&mut self) -> Option<&'a str> {
        self.blanks();
        let name = self.string()?;
        self.blanks();
        self.word(b":")?;
        Some(name)
    }

    /// Takes a string; what stands between its quotes.
    fn string(&mut self) -> Option<&'a str> {
        self.word(b"\"")?;
        self.inside()
    }

    fn inside(&mut self) -> Option<&'a str> {
        let start = self.place();
        loop {
            self.skip(text::plain_length(self.bytes));
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        let inner = self.passed(start);
        self.skip(1);
        Some(inner)
    }

    fn escape(&mut self) -> Option<()> {
        self.skip(1);
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

    #[inline]
    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.skip(1);
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.first().copied()
    }

    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.bytes = self.bytes.get(count..).unwrap_or(&[]);
    }
}
