//! Broken, endless and hostile bytes through the reader: no panic, bounded memory, counted facts,
//! and the same result for any cut into chunks.
use chat_vitals::core::format::{DISTINCT_LIMIT, Reader};
use chat_vitals::core::framing::BUFFER_LIMIT;
use chat_vitals::core::json::{Json, check};
use chat_vitals::core::signal::{Facts, Format, Kinds, Record};
use proptest::prelude::*;

const SSE: &str = "text/event-stream";
const NDJSON: &str = "application/x-ndjson";

/// What came out of a reader.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    kinds: Vec<Kinds>,
    text: String,
    facts: Facts,
}

impl Seen {
    fn take(&mut self, record: &Record<'_>) {
        if record.index as usize == self.kinds.len() {
            self.kinds.push(record.kinds);
        }
        self.text.push_str(record.text);
    }
}

fn read<'b>(content_type: &str, chunks: impl IntoIterator<Item = &'b [u8]>) -> Seen {
    let (mut reader, mut seen) = (Reader::new(content_type, &[]), Seen::default());
    for chunk in chunks {
        reader.feed(chunk, &mut |record| seen.take(record));
        assert!(reader.buffered() <= BUFFER_LIMIT, "{} bytes held", reader.buffered());
    }
    reader.finish(&mut |record| seen.take(record));
    seen.facts = reader.facts().clone();
    seen
}

fn whole(content_type: &str, body: impl AsRef<[u8]>) -> Seen {
    read(content_type, [body.as_ref()])
}

fn bytewise(content_type: &str, body: impl AsRef<[u8]>) -> Seen {
    read(content_type, body.as_ref().chunks(1))
}

/// An event of an OpenAI-like stream with this text.
fn chunk(text: &str) -> String {
    format!(
        "data: {{\"object\":\"chat.completion.chunk\",\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"
    )
}

/// Protects: an event cut anywhere counts as malformed once it is an object at all, and adds no text.
#[test]
fn json_cut_at_every_byte_is_counted_and_gives_no_text() {
    let (first, second) = (chunk("one"), chunk("t\\u0077o \\ud83d\\ude00"));
    let event = second.trim_end();
    let intact = whole(SSE, format!("{first}{event}"));
    assert_eq!((intact.text.as_str(), intact.facts.malformed), ("onetwo 😀", 0));
    for cut in "data: {".len()..event.len() {
        let body = format!("{first}{}\n\n{}", &event[..cut], chunk("!"));
        let seen = whole(SSE, &body);
        assert_eq!((seen.text.as_str(), seen.facts.malformed), ("one!", 1), "cut at {cut}");
        assert_eq!(seen.kinds, [Kinds::TEXT, Kinds::OTHER, Kinds::TEXT], "cut at {cut}");
        assert_eq!(bytewise(SSE, &body), seen, "cut at {cut}");
    }
}

/// Protects: a stream that breaks off anywhere is read up to there, in every format.
#[test]
fn a_recording_cut_at_every_byte_never_panics() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/streams/");
    let samples = ["openai-chat/error-object-mid-stream.sse", "anthropic-messages/refusal.sse"];
    let more =
        ["ollama/error-mid-stream.ndjson", "ai-sdk-ui/v6-abort.sse", "plain-text/utf8-emoji-markdown.txt"];
    for sample in samples.iter().chain(&more) {
        let body = std::fs::read(format!("{root}{sample}")).expect("the recording is there");
        let full = whole("", &body);
        for cut in 0..body.len() {
            let seen = whole("", &body[..cut]);
            assert!(seen.facts.events <= full.facts.events, "{sample} cut at {cut}");
            assert!(seen.facts.malformed <= 1, "{sample} cut at {cut}");
        }
    }
}

/// Protects: invalid bytes are replaced as `TextDecoder` would and counted; what is around them stays.
#[test]
fn invalid_utf8_is_replaced_and_counted() {
    let mut body = chunk("a#b").into_bytes();
    let place = body.iter().position(|byte| *byte == b'#').expect("the mark is there");
    // A lone continuation, an overlong form, a surrogate, and a character cut short.
    body.splice(place..=place, *b"\x80\xC0\xAF\xED\xA0\x80\xF0\x9F\x98");
    let seen = whole(SSE, &body);
    assert_eq!(seen.text, format!("a{}b", "\u{FFFD}".repeat(7)));
    assert_eq!((seen.facts.invalid_utf8, seen.facts.malformed), (9, 0));
    assert_eq!(bytewise(SSE, &body), seen);

    let plain = whole("text/plain", b"caf\xC3\xA9 \xFF \xF0\x9F");
    assert_eq!((plain.text.as_str(), plain.facts.invalid_utf8), ("café \u{FFFD} \u{FFFD}", 3));
    assert_eq!(bytewise("text/plain", b"caf\xC3\xA9 \xFF \xF0\x9F"), plain);
}

/// Protects: memory stays bounded on a 10 MB line; its event is counted, its neighbours are read.
#[test]
fn a_line_of_ten_megabytes_is_skipped_and_counted() {
    let huge = chunk(&"x".repeat(10 << 20));
    let body = format!("{}{huge}{}", chunk("before "), chunk("after"));
    let seen = whole(SSE, &body);
    assert_eq!(seen.text, "before after");
    assert_eq!(seen.kinds, [Kinds::TEXT, Kinds::OTHER, Kinds::TEXT]);
    assert_eq!((seen.facts.malformed, seen.facts.skipped_bytes), (1, huge.trim_end().len() as u64));
    assert_eq!(read(SSE, body.as_bytes().chunks(1000)), seen);

    let line = format!(
        "{{\"model\":\"m\",\"created_at\":\"t\",\"response\":\"a\"}}\n[\"{}\"]\n",
        "x".repeat(10 << 20)
    );
    let seen = whole(NDJSON, &line);
    assert_eq!((seen.kinds.len(), seen.facts.malformed), (2, 1));
    assert_eq!(read(NDJSON, line.as_bytes().chunks(999)), seen);
}

/// Protects: memory stays bounded on lines without an end and on events without an end.
#[test]
fn endless_lines_and_events_are_bounded() {
    let line = [b'x'; 1 << 16];
    let endless = std::iter::once(b"data: ".as_slice()).chain(std::iter::repeat_n(line.as_slice(), 400));
    let seen = read(SSE, endless);
    assert_eq!((seen.kinds, seen.facts.malformed), (vec![Kinds::OTHER], 1));
    assert_eq!(seen.facts.skipped_bytes, 6 + (400 << 16));

    let event = format!("data: {}\n", "y".repeat(1 << 10));
    let seen = read(SSE, std::iter::repeat_n(event.as_bytes(), 20_000));
    assert_eq!((seen.kinds, seen.facts.malformed), (vec![Kinds::OTHER], 1));

    for content_type in ["", "text/plain", "application/json", "image/png", NDJSON] {
        read(content_type, std::iter::repeat_n(line.as_slice(), 400));
        read(content_type, std::iter::repeat_n(b"{".as_slice(), 100_000));
    }
}

/// Protects: an event that ends exactly at a limit is read, one byte more is not.
#[test]
fn the_limit_of_a_line_is_exact() {
    for (extra, malformed) in [(0, 0), (1, 1)] {
        let frame = chunk("").trim_end().len();
        let body = format!("{}{}", chunk("."), chunk(&"x".repeat((1 << 20) - frame + extra)));
        let seen = whole(SSE, &body);
        assert_eq!(seen.facts.malformed, malformed, "{extra} over");
        assert_eq!(read(SSE, body.as_bytes().chunks(7)), seen);
    }
}

/// Protects: NUL and lone CR do no harm: CR ends a line of server-sent events, NUL is a byte like others.
#[test]
fn nul_and_lone_carriage_return_are_harmless() {
    let body = format!(": \0\rid: \0\r{}\r\0\r\r{}", chunk("a").replace('\n', "\r"), chunk("b"));
    let seen = whole(SSE, &body);
    assert_eq!((seen.text.as_str(), seen.facts.malformed), ("ab", 0));
    assert_eq!(bytewise(SSE, &body), seen);

    // Inside a JSON string a raw NUL is an error for the page's own parser, so it is one here.
    assert_eq!(whole(SSE, chunk("a") + &chunk("\0")).facts.malformed, 1);
    assert_eq!(whole(SSE, chunk("a\\u0000")).text, "a\0");
    assert_eq!(whole("text/plain", "a\0\rb").text, "a\0\rb");
    let lines = "{\"model\":\"m\",\"created_at\":\"t\",\r\"response\":\"a\",\"done\":false}\r\n\r\n";
    assert_eq!(whole(NDJSON, lines).text, "a");
}

/// Protects: depth exhausts no stack; it is refused and counted.
#[test]
fn deep_nesting_is_counted() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        for value in [deep.as_str(), &open.repeat(100_000)] {
            let seen = whole(SSE, format!("{}data: {value}\n\n{}", chunk("a"), chunk("b")));
            assert_eq!((seen.text.as_str(), seen.facts.malformed), ("ab", 1));
        }
    }
}

/// Protects: the number of fingerprints kept is bounded, and what is beyond is counted apart.
#[test]
fn sources_and_tool_calls_beyond_the_limit_are_counted_apart() {
    let many = DISTINCT_LIMIT as u32 + 50;
    let call = |n: u32| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"id\":\"c{n}\"}}]}}}}],\"citations\":[\"u{n}\"]}}\n\n"
        )
    };
    let seen = whole(SSE, (0..many).map(call).collect::<String>());
    assert_eq!((seen.facts.tool_calls, seen.facts.sources), (DISTINCT_LIMIT as u32, DISTINCT_LIMIT as u32));
    assert_eq!(seen.facts.uncounted, 100);
}

/// Protects: after a gap nothing is read until a border is certain, and the lost bytes are counted.
#[test]
fn a_gap_resynchronises_at_the_next_border() {
    let mut reader = Reader::new(SSE, &[]);
    let mut seen = Seen::default();
    reader.feed((chunk("a") + "data: {\"choices").as_bytes(), &mut |record| seen.take(record));
    reader.skipped(1000);
    let torn = "tent\":\"x\"}}]}\n\n";
    reader.feed((torn.to_owned() + &chunk("b") + &chunk("c")).as_bytes(), &mut |record| seen.take(record));
    reader.finish(&mut |record| seen.take(record));
    assert_eq!((seen.text.as_str(), reader.facts().malformed), ("abc", 0));
    assert_eq!(reader.facts().skipped_bytes, 1000 + 15 + torn.trim_end().len() as u64);

    let mut lines = Reader::new(NDJSON, &[]);
    let mut seen = Seen::default();
    let line = |text: &str| {
        format!("{{\"model\":\"m\",\"created_at\":\"t\",\"response\":\"{text}\",\"done\":false}}\n")
    };
    lines.feed((line("a") + "{\"mod").as_bytes(), &mut |record| seen.take(record));
    lines.skipped(7);
    lines.feed(("}\n".to_owned() + &line("b")).as_bytes(), &mut |record| seen.take(record));
    assert_eq!((seen.text.as_str(), lines.facts().skipped_bytes), ("ab", 7 + 5 + 1));
}

/// Protects: markup, media and frames of other protocols are not taken for a stream; a JSON document is one record.
#[test]
fn what_is_no_stream_is_not_read() {
    let error = "{\n  \"error\": {\"message\": \"Rate limit\"}\n}";
    let bodies = [
        ("application/json", error, 1),
        ("application/json", "{\"error\":{\"message\":\"Rate limit\"}}", 1),
        ("application/json", "[1,{\"a\":2}]", 0),
        ("application/json", "\"text\"", 0),
        ("text/html", "<!doctype html><p>data: 1", 0),
        ("text/x-component", "0:[\"$\",\"p\",null,{}]\n", 0),
        ("multipart/mixed; boundary=\"-\"", "data: {}\n\n", 0),
        ("image/png", "data", 0),
    ];
    for (content_type, body, records) in bodies {
        let seen = whole(content_type, body);
        assert_eq!(
            (seen.facts.format, seen.kinds.len()),
            (Format::Unknown, records),
            "{content_type}: {body}"
        );
        assert_eq!((seen.facts.malformed, bytewise(content_type, body)), (0, seen), "{content_type}");
    }
}

/// Pieces that make up streams, so that random bodies go deeper than random bytes would.
const PIECES: [&str; 24] = [
    "data: ",
    "data:",
    "event: message_start\n",
    ": ping\n",
    "id: 1\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "{",
    "}",
    "[",
    "]",
    "\"choices\":[{\"delta\":{\"content\":\"",
    "\\ud83d",
    "\"type\":\"response.output_text.delta\",\"delta\":\"é\"",
    "[DONE]",
    "0:\"a\"\n",
    "{\"model\":\"m\",\"created_at\":\"t\",\"response\":\" x\"}\n",
    "text",
    ",",
    ":",
    "\"",
    "\u{FEFF}",
];

/// The AWS event stream's own example of a message without headers and payload.
const EMPTY_MESSAGE: &[u8] = b"\0\0\0\x10\0\0\0\0\x05\xC2\x48\xEB\x7D\x98\xC8\xFF";

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => (0..PIECES.len()).prop_map(|at| PIECES[at].as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        1 => Just(chunk("word").into_bytes()),
        1 => Just(EMPTY_MESSAGE.to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn content_types() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        SSE,
        NDJSON,
        "text/plain",
        "application/json",
        "text/html",
        "",
        "application/octet-stream",
        "application/vnd.amazon.eventstream",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Protects: whatever the bytes, chunks change nothing and nothing panics.
    #[test]
    fn any_bytes_read_the_same_in_any_chunks(
        body in bodies(), content_type in content_types(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12)
    ) {
        let seen = whole(content_type, &body);
        prop_assert_eq!(&bytewise(content_type, &body), &seen);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| &body[pair[0]..pair[1]]);
        prop_assert_eq!(&read(content_type, pieces), &seen);
    }

    /// Protects: gaps anywhere are survived, their bytes counted, and the stream is found again.
    #[test]
    fn gaps_anywhere_are_survived(
        before in bodies(), after in bodies(), content_type in content_types(), length in 0_u64..1 << 40
    ) {
        let mut reader = Reader::new(content_type, &[]);
        reader.feed(&before, &mut |_| ());
        reader.skipped(length);
        prop_assert!(reader.facts().skipped_bytes >= length);
        reader.feed(&after, &mut |_| ());
        let mut found = String::new();
        reader.feed(format!("\n\n{}\n", chunk("found")).as_bytes(), &mut |record| found.push_str(record.text));
        if content_type == SSE && reader.facts().format == Format::OpenaiChat {
            prop_assert!(found.ends_with("found") || reader.facts().malformed > 0);
        }
        reader.finish(&mut |_| ());
    }

    /// Protects: our JSON check takes exactly what a real parser takes, and reads the same string from it.
    #[test]
    fn the_json_check_agrees_with_a_parser(inner in any::<String>(), at in any::<prop::sample::Index>(), other in any::<char>()) {
        let value = serde_json::json!({ "other": [1.5e3, {"key": "no"}, [], true, null], "key": inner, "last": {} });
        let written = value.to_string();
        prop_assert!(check(&written));
        prop_assert_eq!(Json::new(&written).get("key").chars().collect::<String>(), inner);

        // One character less, and one replaced: mostly broken, sometimes another value.
        let (at, _) = written.char_indices().nth(at.index(written.chars().count())).expect("a place in the text");
        let (head, tail) = written.split_at(at);
        let rest = tail.chars().as_str().get(tail.chars().next().map_or(0, char::len_utf8)..).unwrap_or("");
        for text in [format!("{head}{rest}"), format!("{head}{other}{rest}"), head.to_owned()] {
            prop_assert_eq!(check(&text), serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
        }
    }
}
