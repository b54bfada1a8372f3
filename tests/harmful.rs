//! Streams that mean harm: eight times the bytes are eight times the work, and no more is held.
//!
//! No absolute time is asserted. `cargo xtask bench` prints what a byte costs, up to 100 MB.
mod oracle;

use chat_vitals::core::Core;
use chat_vitals::core::config::Config;
use chat_vitals::core::event::{Event, Hint, Transport};
use chat_vitals::core::format::Reader;
use oracle::allocations::Use;
use std::time::Instant;

const SSE: &str = "text/event-stream";
const LINES: &str = "application/x-ndjson";
const JSON: &str = "application/json";

/// What is compared: lengths in bytes. A run of the longer one is over before a busy machine turns to something else.
const SHORT: usize = 16 << 10;
const LONG: usize = 8 * SHORT;
const LEAST_RUNS: usize = 7;
const MOST_RUNS: usize = 1000;

/// A byte of the longer stream may cost so many times one of the shorter; quadratic work makes it eight.
const BOUND: f64 = 3.0;

/// What the network hands over at once.
const PIECE: usize = 1 << 10;

/// What a stream holds at 2 MiB and at 8 MiB, a million of the smallest events, may differ by so much.
const SLACK: usize = 64 << 10;

/// Name, content type, how the stream begins, and what comes again and again.
type Harm = (&'static str, &'static str, &'static [u8], &'static [u8]);

/// An AWS message without headers and payload.
const EMPTY_MESSAGE: &[u8] = b"\0\0\0\x10\0\0\0\0\x05\xc2\x48\xeb\x7d\x98\xc8\xff";

const HARMS: &[Harm] = &[
    ("a line that never ends", SSE, b"data: {\"a\":\"", b"a"),
    ("a line of another framing that never ends", LINES, b"{\"a\":\"", b"\\\""),
    ("the smallest events", SSE, b"", b"data:1\n\n"),
    ("the smallest lines", LINES, b"", b"1\n"),
    ("data lines of one event", SSE, b"", b"data:x\n"),
    ("names without data", SSE, b"", b"event:x\n\n"),
    ("ids", SSE, b"", b"id:x\n"),
    ("empty lines", SSE, b"", b"\r\n"),
    ("lines of no field", SSE, b"{", b"{\n"),
    ("JSON without bottom", LINES, b"", b"["),
    ("JSON without bottom, in events", SSE, b"data:", b"{\"a\":"),
    ("JSON without bottom, as it grows", JSON, b"", b"{\"a\":["),
    ("an array that never ends", JSON, b"[", b"{\"candidates\":[]},"),
    ("objects that are none", JSON, b"{}", b"\n{x \"} {"),
    (
        "the same words again",
        SSE,
        b"",
        b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a a a a \"}}]}\n\n",
    ),
    (
        "an event of many choices",
        SSE,
        b"data: {\"choices\":[",
        b"{\"index\":1,\"delta\":{\"content\":\"a\"}},",
    ),
    (
        "calls without end",
        SSE,
        b"",
        b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"c\"},{\"id\":\"d\"},{}]}}]}\n\n",
    ),
    ("messages of AWS", "application/vnd.amazon.eventstream", b"", EMPTY_MESSAGE),
    ("no messages of AWS", "application/vnd.amazon.eventstream", b"", b"\0\0\0\x10\0\0\0\0\x05"),
    ("text that is none", "text/plain", b"", b"\xFF\xF0\x9F"),
    ("tags of thinking", "text/plain", b"a", b"<think></think>"),
];

fn body((_, _, start, pattern): &Harm, length: usize) -> Vec<u8> {
    [*start, &pattern.repeat(length / pattern.len())].concat()
}

fn read(content_type: &str, body: &[u8]) {
    let mut reader = Reader::new(content_type, &[]);
    body.chunks(PIECE).for_each(|piece| reader.feed(piece, &mut |_| ()));
    reader.finish(&mut |_| ());
}

/// The same through the whole core, as the answer to a question.
fn answer(content_type: &str, body: &[u8]) {
    let (mut core, stream) = (Core::new(Config::default()), 1);
    let (url, hint) = ("https://example.com/api/chat", Hint(Hint::POST | Hint::STREAM));
    core.on(1.0, Event::Opened { stream, transport: Transport::Fetch, method: "POST", url, hint });
    core.on(2.0, Event::Head { stream, status: 200, content_type, headers: &[] });
    for (bytes, at) in body.chunks(PIECE).zip(3..) {
        core.on(f64::from(at), Event::Chunk { stream, bytes });
    }
}

type Work = fn(&str, &[u8]);

/// How much more a byte of the longer body costs, by the fastest run of each. A busy machine only adds to a time: where that is
/// too much, more runs come nearer to what it is.
fn ratio(work: Work, content_type: &str, bodies: [&[u8]; 2]) -> f64 {
    let (mut fastest, mut ratio) = ([f64::INFINITY; 2], f64::INFINITY);
    for round in 0..MOST_RUNS {
        for (fastest, body) in fastest.iter_mut().zip(bodies) {
            let start = Instant::now();
            work(content_type, body);
            *fastest = fastest.min(start.elapsed().as_secs_f64() / body.len() as f64);
        }
        ratio = fastest[1] / fastest[0];
        if round > LEAST_RUNS && ratio < BOUND {
            break;
        }
    }
    ratio
}

/// Protects: a server, or who sits between, can't make the page slow by a stream that is only long.
#[test]
fn work_is_linear() {
    for harm in HARMS {
        let (short, long) = (body(harm, SHORT), body(harm, LONG));
        for work in [read as Work, answer] {
            let ratio = ratio(work, harm.1, [&short, &long]);
            assert!(ratio < BOUND, "{}: a byte costs {ratio:.1} times as much", harm.0);
        }
    }
}

/// Protects: a stream costs no more memory for being longer; a million events, and a line of any length.
#[test]
fn memory_is_bounded() {
    for harm in HARMS {
        for work in [read as Work, answer] {
            let [short, long] = [2 << 20, 8 << 20].map(|length| {
                let body = body(harm, length);
                Use::of(|| work(harm.1, &body)).peak
            });
            assert!(long <= short + SLACK, "{}: {long} bytes are held, and {short} before", harm.0);
        }
    }
}
