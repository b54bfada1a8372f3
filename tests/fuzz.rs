//! Broken streams, made at random from recorded ones: whatever comes over the wire, nothing panics, what is held is
//! bounded, and where the network cuts changes nothing.
//!
//! A run of some seconds is part of the tests. `FUZZ_SECONDS=3600 cargo test --release --test fuzz` goes on for an hour; a
//! failure names the recording and the seed, and `FUZZ_SEED` begins with that one.
use chat_vitals::core::format::Reader;
use chat_vitals::core::framing::BUFFER_LIMIT;
use chat_vitals::core::signal::{Facts, Kinds};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Mutants of each recording in the short run.
const ROUNDS: u64 = 12;

/// Longer recordings are cut: a mutant is read three times.
const LONGEST: usize = 1 << 15;

struct Recording {
    file: String,
    content_type: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A small generator of pseudo-random numbers (xorshift), so that a failing seed can be run again.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn recordings() -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    let index = std::fs::read_to_string(folder.join("index.jsonl")).expect("index.jsonl is there");
    let load = |line: &str| {
        let entry: Value = serde_json::from_str(line).expect("an index line is JSON");
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let headers = entry["headers"].as_object().into_iter().flatten();
        let mut body = std::fs::read(folder.join(text("file"))).expect("the recording is there");
        body.truncate(LONGEST);
        Recording {
            file: text("file"),
            content_type: text("content_type"),
            headers: headers
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
            body,
        }
    };
    index.lines().map(load).collect()
}

/// Bytes that mean something to some framing or format.
const SHARP: &[&[u8]] = &[
    b"\r",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"data:",
    b"data: ",
    b"event: ",
    b"id:",
    b":",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"\\u",
    b"\\ud83d",
    b"null",
    b"[DONE]",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\xF0\x9F",
    b"\0",
    b"0:",
    b",",
    b"1e999",
];

/// The recording after some accidents.
fn mutant(body: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = body.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        let length = random.below(bytes.len() - at).min(1 + random.below(400));
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let again = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, again);
            }
            3 => {
                let sharp = SHARP[random.below(SHARP.len())];
                bytes.splice(at..at, sharp.iter().copied());
            }
            4 => {
                let sharp = SHARP[random.below(SHARP.len())].repeat(random.below(300));
                bytes.splice(at..at, sharp);
            }
            5 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => bytes[at..at + length].reverse(),
        }
    }
    bytes
}

/// What the reader makes of the bytes, cut at random.
fn read(recording: &Recording, body: &[u8], random: &mut Random) -> (Vec<Kinds>, String, String, Facts) {
    let headers: Vec<(&str, &str)> =
        recording.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut reader = Reader::new(&recording.content_type, &headers);
    let (mut kinds, mut text, mut reasoning) = (Vec::new(), String::new(), String::new());
    let largest = [1, 7, 300, 1 << 16][random.below(4)];
    let mut rest = body;
    loop {
        let (piece, tail) = rest.split_at(rest.len().min(1 + random.below(largest)));
        let mut take = |record: &chat_vitals::core::signal::Record<'_>| {
            if record.index as usize == kinds.len() {
                kinds.push(record.kinds);
            }
            text.push_str(record.text);
            reasoning.push_str(record.reasoning);
        };
        if piece.is_empty() {
            reader.finish(&mut take);
            break;
        }
        reader.feed(piece, &mut take);
        assert!(reader.buffered() <= BUFFER_LIMIT, "{} bytes are held", reader.buffered());
        rest = tail;
    }
    let facts = reader.facts().clone();
    (kinds, text, reasoning, facts)
}

fn survive(recording: &Recording, seed: u64) {
    let mut random = Random::new(seed);
    let body = mutant(&recording.body, &mut random);
    let whole = read(recording, &body, &mut random);
    for _ in 0..2 {
        assert_eq!(read(recording, &body, &mut random), whole);
    }
    assert!(whole.1.len() + whole.2.len() <= 3 * body.len() + 64, "more text than there was");
}

/// Protects: see above.
#[test]
fn broken_streams_are_survived() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, seconds) = (number("FUZZ_SEED").unwrap_or(1), number("FUZZ_SECONDS"));
    let (recordings, start) = (recordings(), Instant::now());
    let goes_on = |round: u64| match seconds {
        Some(seconds) => start.elapsed() < Duration::from_secs(seconds),
        None => round < ROUNDS,
    };
    for round in (0..).take_while(|&round| goes_on(round)) {
        for recording in &recordings {
            let seed = first + round;
            let outcome = catch_unwind(AssertUnwindSafe(|| survive(recording, seed)));
            assert!(outcome.is_ok(), "{} with FUZZ_SEED={seed}", recording.file);
        }
    }
}
