//! What must hold for any bytes, however they are cut: nothing panics, the cuts change nothing, what is held and what is
//! asked of the allocator stays within bounds of the length. For tests with bytes of their own, and for the targets in `fuzz/`.
//!
//! May touch: the core. Each who uses it needs a part of it only.
#![allow(dead_code)]
pub mod allocations;
pub mod cuts;
pub mod script;

use allocations::Use;
use chat_vitals::core::format::Reader;
use chat_vitals::core::framing::{BUFFER_LIMIT, Frame, Framer};
use chat_vitals::core::json::{DEPTH_LIMIT, Json, check};
use chat_vitals::core::signal::{Facts, Kinds, Record};
use cuts::Cuts;

/// What a reader or a framing may hold beside its buffers, and ask for before the first record: tables, capacity in reserve.
const SPARE: usize = 1 << 20;

/// What is allocated in all for each byte: bounded, or work is more than linear. Buffers double, records are decoded.
const ALLOCATED: usize = 400;

/// What the framing found, with adjacent pieces of one thing put together.
#[derive(Debug, Default, PartialEq)]
struct Frames {
    found: Vec<(&'static str, Vec<u8>)>,
    lost: u64,
    invalid: u32,
}

impl Frames {
    fn take(&mut self, frame: Frame<'_>) {
        match frame {
            Frame::Record { name, data } => self.found.push(("record", [name, b"|", data].concat())),
            Frame::Bare(name) => self.found.push(("bare", name.to_vec())),
            Frame::Id(id) => self.found.push(("id", id.to_vec())),
            Frame::Unread => self.found.push(("unread", Vec::new())),
            Frame::Aside(data) => self.found.push(("aside", data.to_vec())),
            Frame::Unterminated => self.found.push(("unterminated", Vec::new())),
            Frame::Lost(bytes) => self.lost += bytes,
            Frame::Text(text, invalid) => {
                self.invalid += invalid;
                match self.found.last_mut() {
                    Some(("text", before)) => before.extend(text.bytes()),
                    _ => self.found.push(("text", text.into())),
                }
            }
        }
    }
}

/// A framing: of the content type, or of lines where there is none.
pub fn framing(content_type: Option<&str>, body: &[u8]) {
    let framer = || content_type.map_or_else(Framer::lines, Framer::new);
    let frames = |cuts: Cuts| {
        let (mut framer, mut frames) = (framer(), Frames::default());
        for piece in cuts.of(body) {
            framer.feed(piece, &mut |frame| frames.take(frame));
            assert!(framer.buffered() <= BUFFER_LIMIT, "{} bytes are held", framer.buffered());
        }
        framer.finish(&mut |frame| frames.take(frame));
        assert_eq!(framer.buffered(), 0, "bytes are held after the end");
        frames
    };
    let whole = frames(Cuts::whole());
    for cuts in Cuts::some(body) {
        assert_eq!(frames(cuts), whole, "{content_type:?}, {cuts:?}");
    }
    let length: usize = whole.found.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(length <= 3 * body.len() + whole.found.len(), "more came out than there was");
    let used = Use::of(|| {
        let mut framer = framer();
        Cuts::small().of(body).for_each(|piece| framer.feed(piece, &mut |_| ()));
        framer.finish(&mut |_| ());
    });
    used.is_within(BUFFER_LIMIT.min(3 * body.len()) + SPARE, 64 * body.len() + SPARE);
}

/// The check of JSON agrees with another parser's, and a walk through it ends.
pub fn json(text: &str) {
    let accepts = check(text);
    let other = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let depth = depth(text);
    assert!(
        accepts == other || depth > DEPTH_LIMIT as usize,
        "check says {accepts}, the other parser {other}"
    );
    let used = Use::of(|| walk(Json::new(text)));
    used.is_within(24 * text.len() + 256, 64 * text.len() + 1024);
}

/// Most brackets that are open at once, in strings or not: at least the depth.
fn depth(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Reads all that can be read of a value, without recursion, to a bounded depth.
fn walk(value: Json<'_>) {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        _ = (value.u32(), value.f64(), value.fingerprint(), value.kind(), value.has_parts());
        assert!(value.chars().count() <= value.scalar().len());
        if depth < 4 {
            open.extend(value.items().map(|item| (item, depth + 1)));
            open.extend(value.members().map(|(_, member)| (member, depth + 1)));
        }
    }
}

/// What a reader makes of a stream.
#[derive(Debug, Default, PartialEq)]
pub struct Reading {
    pub kinds: Vec<Kinds>,
    pub text: String,
    pub reasoning: String,
    pub facts: Facts,
}

impl Reading {
    fn take(&mut self, record: &Record<'_>) {
        // Plain text comes as one record in pieces, with the same index.
        if record.index as usize == self.kinds.len() {
            self.kinds.push(record.kinds);
        }
        self.text.push_str(record.text);
        self.reasoning.push_str(record.reasoning);
    }
}

/// A reader of every format.
pub fn reader(content_type: &str, headers: &[(&str, &str)], body: &[u8]) {
    let read = |cuts: Cuts| {
        let (mut reader, mut reading) = (Reader::new(content_type, headers), Reading::default());
        for piece in cuts.of(body) {
            reader.feed(piece, &mut |record| reading.take(record));
            assert!(reader.buffered() <= BUFFER_LIMIT, "{} bytes are held", reader.buffered());
        }
        reader.finish(&mut |record| reading.take(record));
        reading.facts = reader.facts().clone();
        reading
    };
    let whole = read(Cuts::whole());
    for cuts in Cuts::some(body) {
        assert_eq!(read(cuts), whole, "{cuts:?}");
    }
    assert!(whole.text.len() + whole.reasoning.len() <= 3 * body.len() + 64, "more text than there was");
    let used = Use::of(|| {
        let mut reader = Reader::new(content_type, headers);
        Cuts::small().of(body).for_each(|piece| reader.feed(piece, &mut |_| ()));
        reader.finish(&mut |_| ());
    });
    used.is_within(BUFFER_LIMIT.min(8 * body.len()) + SPARE, ALLOCATED * body.len() + 8 * SPARE);
}
