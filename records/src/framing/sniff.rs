//! Which framing a body has, from its content type and its first bytes.
//!
//! The type alone does not tell: server-sent events come as `text/plain`, NDJSON as
//! `application/json`, and plain text may quote both. The verdict on a prefix never changes with
//! more bytes, and plain text is recognised by its first character wherever possible, so that the
//! first token is not held back.
use super::aws;
use crate::{json, text};

/// Most bytes that are held until the framing is known.
pub const SNIFF_LIMIT: usize = 1 << 12;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Stands before each object of a JSON text sequence (RFC 7464).
const RECORD_SEPARATOR: u8 = 0x1E;

/// The framings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Sse,
    Lines,
    Objects,
    Aws,
    Plain,
    Opaque,
}

/// What the content type promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    EventStream,
    Lines,
    Aws,
    Text,
    /// Text or markup; also no type at all, which servers that stream from a generator leave out.
    Unsure,
    /// JSON, bytes of any kind, types unheard of.
    Other,
    /// Media, and protocols whose records are known not to be read here.
    Opaque,
}

/// The start of a body.
#[derive(Debug)]
pub struct Sniff {
    declared: Declared,
    held: Vec<u8>,
}

impl Sniff {
    pub(super) fn new(content_type: &str) -> Self {
        let essence = text::split(content_type, &[';']).next().unwrap_or("").trim();
        let is = |name: &&str| essence.eq_ignore_ascii_case(name);
        let declared = if is(&"text/event-stream") {
            Declared::EventStream
        } else if LINE_TYPES.iter().any(is) {
            Declared::Lines
        } else if is(&"application/vnd.amazon.eventstream") {
            Declared::Aws
        } else if is(&"text/plain") || is(&"text/markdown") {
            Declared::Text
        } else if is(&"text/html") || is(&"") {
            Declared::Unsure
        } else if OPAQUE_TYPES.iter().any(|start| begins_with(essence, start)) {
            Declared::Opaque
        } else {
            Declared::Other
        };
        Self { declared, held: Vec::new() }
    }

    /// Holds what the limit allows and gives back the rest.
    pub(super) fn take<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let room = SNIFF_LIMIT.saturating_sub(self.held.len());
        let (held, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.held.extend_from_slice(held);
        rest
    }

    pub(super) fn held(&self) -> &[u8] {
        &self.held
    }

    pub(super) fn held_without_mark(&self) -> &[u8] {
        self.held.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.held)
    }

    /// The framing to assume where the start of the body does not tell.
    pub(super) fn fallback(&self) -> Shape {
        match self.declared {
            Declared::EventStream => Shape::Sse,
            Declared::Lines => Shape::Lines,
            Declared::Text | Declared::Unsure => Shape::Plain,
            Declared::Aws => Shape::Aws,
            Declared::Other | Declared::Opaque => Shape::Opaque,
        }
    }

    /// The framing, once the bytes held tell it; `ended` if no more will come.
    pub(super) fn verdict(&self, ended: bool) -> Option<Shape> {
        if self.declared == Declared::Opaque {
            return Some(Shape::Opaque);
        }
        let last = ended || self.held.len() >= SNIFF_LIMIT;
        if !last && BYTE_ORDER_MARK.starts_with(&self.held) {
            return None;
        }
        let start = self.held_without_mark();
        let start = start.trim_ascii_start();
        let verdict = match start.first() {
            None => None,
            Some(b'{') => self.object(start, ended),
            Some(b'[') => self.array(start),
            Some(b'<') if self.declared == Declared::Unsure => Some(Shape::Opaque),
            Some(0 | 1) => self.binary(start),
            Some(&RECORD_SEPARATOR) => Some(Shape::Objects),
            Some(2..=8) if self.declared == Declared::Unsure => Some(Shape::Opaque),
            Some(_) => self.by_line_start(start),
        };
        verdict.or_else(|| last.then(|| self.fallback()))
    }

    /// Where the type leaves it open, a first line that is an object tells. Without a line end it is no record in a
    /// text type, but an answer in JSON.
    fn object(&self, start: &[u8], ended: bool) -> Option<Shape> {
        let is_record_without_end = match self.declared {
            Declared::Lines => return Some(Shape::Lines),
            Declared::Text | Declared::Unsure => false,
            Declared::EventStream => true,
            _ => return Some(Shape::Objects),
        };
        let end = start.iter().position(|byte| *byte == b'\n');
        if end.is_none() && !ended {
            return None;
        }
        let line = start.get(..end.unwrap_or(start.len())).unwrap_or(start);
        let may_be_record = end.is_some() || is_record_without_end;
        let whole = may_be_record && core::str::from_utf8(line).is_ok_and(json::check);
        Some(if whole { Shape::Lines } else { self.fallback() })
    }

    /// An array is read if its first element is an object.
    fn array(&self, start: &[u8]) -> Option<Shape> {
        if matches!(self.declared, Declared::Lines | Declared::Text) {
            return Some(self.fallback());
        }
        let first = start.get(1..).unwrap_or(&[]).trim_ascii_start().first()?;
        Some(if *first == b'{' { Shape::Objects } else { self.fallback() })
    }

    /// AWS messages are shorter than 32 MiB, so their first byte is 0 or 1.
    fn binary(&self, start: &[u8]) -> Option<Shape> {
        let prelude = start.get(..aws::PRELUDE)?;
        Some(if aws::is_prelude(prelude) {
            Shape::Aws
        } else if self.declared == Declared::Unsure {
            Shape::Opaque
        } else {
            self.fallback()
        })
    }

    fn by_line_start(&self, start: &[u8]) -> Option<Shape> {
        if self.declared == Declared::EventStream {
            return Some(Shape::Sse);
        }
        match looks_like_sse(start) {
            Guess::Yes => Some(Shape::Sse),
            Guess::Unsure => None,
            Guess::No => match looks_like_coded_line(start) {
                Guess::Yes => Some(Shape::Lines),
                Guess::No => Some(self.fallback()),
                Guess::Unsure => None,
            },
        }
    }
}

fn begins_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// React Server Components, parts of GraphQL, frames of gRPC-web, Connect and protobuf have no text that could be told.
const OPAQUE_TYPES: [&str; 9] = [
    "text/x-component",
    "multipart/",
    "application/grpc",
    "application/connect",
    "application/vnd.ag-ui",
    "image/",
    "audio/",
    "video/",
    "font/",
];

const LINE_TYPES: [&str; 7] = [
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-lines",
    "application/jsonlines",
    "application/stream+json",
];

enum Guess {
    Yes,
    No,
    /// More bytes are needed.
    Unsure,
}

/// How a line of server-sent events begins; the last is Flowise's, before each event.
const FIELDS: [&[u8]; 6] = [b"data:", b"event:", b"id:", b"retry:", b":", b"message:"];

/// Whether a body of another type starts like server-sent events.
fn looks_like_sse(start: &[u8]) -> Guess {
    let Some(field) = FIELDS.iter().find(|field| start.starts_with(field)) else {
        return if FIELDS.iter().any(|field| field.starts_with(start)) { Guess::Unsure } else { Guess::No };
    };
    let value = start.strip_prefix(*field).unwrap_or(&[]).trim_ascii_start();
    if *field == b"data:" && matches!(value.first(), Some(b'{' | b'[' | b'"')) {
        return Guess::Yes;
    }
    // A sentence can start like a field; then the line after it does not.
    let Some(end) = start.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else { return Guess::Unsure };
    let (_, tail) = start.split_at_checked(end).unwrap_or((start, &[]));
    let next = tail.strip_prefix(b"\r\n").or(tail.get(1..)).unwrap_or(&[]);
    let blank_may_follow = !matches!(*field, b"event:" | b"id:");
    match next.first() {
        Some(b'\n' | b'\r') if blank_may_follow => Guess::Yes,
        _ if FIELDS.iter().any(|field| next.starts_with(field)) => Guess::Yes,
        _ if tail == b"\r" || FIELDS.iter().any(|field| field.starts_with(next)) => Guess::Unsure,
        _ => Guess::No,
    }
}

/// Whether the first line is one letter or digit (or a name of assistant-ui's), a colon and a JSON value: a data
/// stream, not prose.
fn looks_like_coded_line(start: &[u8]) -> Guess {
    const NAMES: &[u8] = b"aui-";
    if start.starts_with(NAMES) {
        return Guess::Yes;
    }
    let is_code = |code: &u8| code.is_ascii_lowercase() || code.is_ascii_digit();
    match start {
        [code] | [code, b':'] if is_code(code) => Guess::Unsure,
        [code, b':', b'"' | b'{' | b'[', ..] if is_code(code) => Guess::Yes,
        _ if NAMES.starts_with(start) => Guess::Unsure,
        _ => Guess::No,
    }
}
