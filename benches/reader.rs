//! Throughput of the stream reader on recorded streams: bytes in, records out, in one thread.
//!
//! `cargo xtask bench` runs it. Each format's recordings are read in pieces of 1 KiB, about what a
//! browser hands to the page; the figure is the median of the rounds, with the fastest and slowest.
use chat_vitals::core::format::Reader;
use serde_json::Value;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 31;
const PIECE: usize = 1024;

/// A round must last long enough for the clock, whatever the format's recordings amount to.
const BYTES_PER_ROUND: usize = 4 << 20;

struct Recording {
    content_type: String,
    body: Vec<u8>,
}

fn main() {
    println!(
        "{:20}{:>9}{:>12}{:>12}{:>10}{:>22}",
        "reader", "events", "bytes", "ns/event", "MB/s", "range MB/s"
    );
    for (format, recordings) in load() {
        let bytes: usize = recordings.iter().map(|recording| recording.body.len()).sum();
        let repeats = BYTES_PER_ROUND.div_ceil(bytes);
        let events = read_all(&recordings);
        let mut times: Vec<Duration> = (0..ROUNDS).map(|_| time(&recordings, repeats)).collect();
        times.sort();
        let rate = |time: &Duration| (bytes * repeats) as f64 / time.as_secs_f64() / 1e6;
        let median = &times[ROUNDS / 2];
        let per_event = median.as_nanos() as f64 / (events * repeats as u64) as f64;
        let range = format!("{:.0}–{:.0}", rate(&times[ROUNDS - 1]), rate(&times[0]));
        println!("{format:20}{events:9}{bytes:12}{per_event:12.0}{:10.0}{range:>22}", rate(median));
    }
    harmful();
}

/// Streams that mean harm: a byte costs the same however many there are.
fn harmful() {
    const SSE: &str = "text/event-stream";
    const LINES: &str = "application/x-ndjson";
    let cases: [(&str, &str, &str, &str); 7] = [
        ("one line that never ends", SSE, "data: {\"a\":\"", "a"),
        ("the smallest events", SSE, "", "data:1\n\n"),
        ("data lines of one event", SSE, "", "data:x\n"),
        ("empty lines", SSE, "", "\r\n"),
        ("JSON without bottom", LINES, "", "["),
        ("an array that never ends", "application/json", "[", "{\"candidates\":[]},"),
        (
            "the same words again",
            SSE,
            "",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a a a a \"}}]}\n\n",
        ),
    ];
    println!("\n{:32}{:>14}{:>14}{:>14}", "harmful, ns/byte", "1 MB", "10 MB", "100 MB");
    for (name, content_type, start, pattern) in cases {
        print!("{name:32}");
        for megabytes in [1, 10, 100] {
            let length = megabytes * 1_000_000;
            let body = start.to_owned() + &pattern.repeat(length / pattern.len());
            let (mut reader, began) = (Reader::new(content_type, &[]), Instant::now());
            for piece in body.as_bytes().chunks(1 << 16) {
                reader.feed(piece, &mut |record| _ = black_box(record));
            }
            reader.finish(&mut |record| _ = black_box(record));
            print!("{:14.2}", began.elapsed().as_nanos() as f64 / length as f64);
        }
        println!();
    }
}

fn time(recordings: &[Recording], repeats: usize) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(read_all(black_box(recordings)));
    }
    start.elapsed()
}

fn read_all(recordings: &[Recording]) -> u64 {
    recordings.iter().map(read).sum()
}

/// Reads one recording and counts its records.
fn read(recording: &Recording) -> u64 {
    let mut events = 0;
    let mut reader = Reader::new(&recording.content_type, &[]);
    for piece in recording.body.chunks(PIECE) {
        reader.feed(piece, &mut |record| {
            black_box(record);
            events += 1;
        });
    }
    reader.finish(&mut |_| events += 1);
    events
}

fn load() -> BTreeMap<String, Vec<Recording>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    let index = std::fs::read_to_string(folder.join("index.jsonl")).expect("tests/streams has an index");
    let mut formats: BTreeMap<String, Vec<Recording>> = BTreeMap::new();
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).expect("a line of the index is JSON");
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let body = std::fs::read(folder.join(text("file"))).expect("the recording is there");
        formats
            .entry(text("format"))
            .or_default()
            .push(Recording { content_type: text("content_type"), body });
    }
    formats
}
