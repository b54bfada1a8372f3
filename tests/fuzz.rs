//! Broken streams, made at random from recorded ones: whatever comes over the wire, nothing panics, what is held is
//! bounded, and where the network cuts changes nothing.
//!
//! A run of some seconds is part of the tests. `FUZZ_SECONDS=3600 cargo test --release --test fuzz` goes on for an hour; a
//! failure names the recording and the seed, and `FUZZ_SEED` begins with that one.
mod oracle;

use oracle::cuts::Random;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Mutants of each recording in the short run.
const ROUNDS: u64 = 12;

/// Longer recordings are cut: a mutant is read five times.
const LONGEST: usize = 1 << 15;

struct Recording {
    file: String,
    content_type: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
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

fn survive(recording: &Recording, seed: u64) {
    let headers: Vec<(&str, &str)> =
        recording.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let body = mutant(&recording.body, &mut Random::new(seed));
    oracle::reader(&recording.content_type, &headers, &body);
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

/// Protects: what the targets of `fuzz/` once found. Whether a stream's way was known as a chat's hung on the network's cuts, as long
/// as its format was not recognised yet.
#[test]
fn what_was_found_stays_mended() {
    let steps: [&[u8]; 5] = [
        b"O1\x056 ///api/chat",
        b"H1\t",
        b"C1 data",
        b"C1 :\n\nevent:output\ni\ndata:\n\n",
        b"O1\x05t ///api/chat",
    ];
    oracle::script::core(&steps.join(&0x1E));
}
