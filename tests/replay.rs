//! Recorded streams through the reader: what was labelled must come out, however the bytes are cut.
//!
//! `tests/streams` holds the recordings that may be copied, each with its source and licence in
//! `index.jsonl`. Where the larger collection lies beside the project, the rest of it runs too.
use chat_vitals::core::format::Reader;
use chat_vitals::core::signal::{Facts, Format, Kinds, Record, Usage};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Formats that are recorded but not read yet.
const UNREAD: &[&str] = &[];

/// Servers that speak OpenAI Chat with additions of their own; all are read as one format.
const OPENAI_LIKE: [&str; 8] = [
    "azure-openai-chat",
    "deepseek",
    "groq",
    "mistral",
    "openai-compatible",
    "openrouter",
    "perplexity",
    "xai-chat",
];

/// Random cuts of each stream.
const SPLITS: u64 = 200;

/// A recorded stream with its labels.
struct Recording {
    file: String,
    entry: Value,
    body: Vec<u8>,
    kinds: Vec<Vec<String>>,
}

/// What the reader made of it.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    kinds: Vec<Kinds>,
    text: String,
    reasoning: String,
    facts: Facts,
}

impl Seen {
    fn take(&mut self, record: &Record<'_>) {
        // Plain text comes as one record in pieces, with the same index.
        if record.index as usize == self.kinds.len() {
            self.kinds.push(record.kinds);
        }
        self.text.push_str(record.text);
        self.reasoning.push_str(record.reasoning);
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn recordings(folder: &Path) -> Vec<Recording> {
    let index = std::fs::read_to_string(folder.join("index.jsonl")).expect("index.jsonl is there");
    index
        .lines()
        .map(|line| load(folder, serde_json::from_str(line).expect("an index line is JSON")))
        .collect()
}

fn load(folder: &Path, entry: Value) -> Recording {
    let path = |key: &str| folder.join(entry[key].as_str().expect("a path"));
    let body = std::fs::read(path("file")).expect("the recording is there");
    let labels = std::fs::read(path("labels")).expect("the labels are there");
    let kinds = serde_json::from_slice(&labels).expect("labels are lists of names");
    Recording { file: entry["file"].as_str().expect("a name").to_owned(), entry, body, kinds }
}

/// The project's own recordings, and those beside it that are not among them.
fn all() -> Vec<Recording> {
    let mut all = recordings(&root().join("tests/streams"));
    all.retain(|recording| format(recording).is_some());
    let beside = root().join("../shared/streams");
    if beside.is_dir() {
        let known: Vec<String> = all.iter().map(|recording| recording.file.clone()).collect();
        let rest = recordings(&beside).into_iter();
        all.extend(rest.filter(|recording| format(recording).is_some() && !known.contains(&recording.file)));
    }
    all
}

/// The format that a recording is to be read as, if it is one that is known.
fn format(recording: &Recording) -> Option<&str> {
    let name = recording.entry["format"].as_str().unwrap_or("");
    match name {
        _ if OPENAI_LIKE.contains(&name) => Some("openai-chat"),
        _ => (!UNREAD.contains(&name)).then_some(name),
    }
}

fn reader(recording: &Recording) -> Reader {
    let headers: Vec<(&str, &str)> = match recording.entry["headers"].as_object() {
        Some(headers) => {
            headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect()
        }
        None => Vec::new(),
    };
    Reader::new(recording.entry["content_type"].as_str().unwrap_or(""), &headers)
}

fn read<'b>(recording: &Recording, chunks: impl Iterator<Item = &'b [u8]>) -> Seen {
    let (mut reader, mut seen) = (reader(recording), Seen::default());
    let mut take = |record: &Record<'_>| seen.take(record);
    chunks.for_each(|chunk| reader.feed(chunk, &mut take));
    reader.finish(&mut take);
    seen.facts = reader.facts().clone();
    seen
}

/// A small generator of pseudo-random numbers (xorshift), so that a failing seed can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Cuts at random: mostly small pieces for even seeds, large ones for odd.
fn pieces(body: &[u8], seed: u64) -> impl Iterator<Item = &[u8]> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let largest = if seed.is_multiple_of(2) { 64 } else { 4096 };
    let mut rest = body;
    std::iter::from_fn(move || {
        let (piece, tail) = rest.split_at(rest.len().min(1 + random.below(largest)));
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Protects: kinds, first indexes, text and facts of every recording equal its labels.
#[test]
fn every_recording_reads_as_labelled() {
    let mut wrong = Vec::new();
    let all = all();
    assert!(all.len() >= 110, "only {} recordings", all.len());
    for recording in &all {
        let seen = read(recording, std::iter::once(recording.body.as_slice()));
        wrong.extend(differences(recording, &seen));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

/// Protects: events that the browser has framed mean the same as the bytes they came in.
#[test]
fn events_of_an_event_source_read_the_same() {
    for file in ["openai-chat/text-basic.sse", "anthropic-messages/thinking.sse", "ai-sdk-ui/v6-meta.sse"] {
        let body =
            std::fs::read_to_string(root().join("tests/streams").join(file)).expect("the recording is there");
        let (mut framed, mut dispatched) = (Seen::default(), Seen::default());
        let mut reader = Reader::new("text/event-stream", &[]);
        reader.feed(body.as_bytes(), &mut |record| framed.take(record));
        framed.facts = reader.facts().clone();
        let mut reader = Reader::new("text/event-stream", &[]);
        for block in body.trim_end().split("\n\n") {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            let name = field("event: ").unwrap_or("message"); // what EventSource calls an event without a name
            reader.message(name, field("data: ").expect("data"), &mut |record| dispatched.take(record));
        }
        dispatched.facts = reader.facts().clone();
        assert_eq!(dispatched, framed, "{file}");
    }
}

/// Protects: text that an application hands over is text, whatever it looks like.
#[test]
fn text_by_hand_is_taken_as_it_is() {
    let (mut reader, mut seen) = (Reader::new("", &[]), Seen::default());
    for text in ["data: {", "\"a\":1}\n\n", "0:"] {
        reader.told("", text, &mut |record| seen.take(record));
    }
    assert_eq!((seen.text.as_str(), reader.facts().format), ("data: {\"a\":1}\n\n0:", Format::PlainText));
}

/// Protects: a format that is not known is not misread as one that is.
#[test]
fn other_formats_stay_unknown() {
    let beside = root().join("../shared/streams");
    if !beside.is_dir() {
        return; // needs the recordings that may not be copied
    }
    for recording in recordings(&beside).into_iter().filter(|recording| format(recording).is_none()) {
        let seen = read(&recording, std::iter::once(recording.body.as_slice()));
        assert_eq!(seen.facts.format, Format::Unknown, "{}", recording.file);
        assert!(
            seen.kinds.iter().all(|kinds| *kinds == Kinds::OTHER),
            "{}: {:?}",
            recording.file,
            seen.kinds
        );
        assert_eq!(seen.text, "", "{}", recording.file);
    }
}

/// Protects: the borders of network chunks change nothing, not even inside a character or a line end.
#[test]
fn one_byte_at_a_time_reads_the_same() {
    for recording in all() {
        let whole = read(&recording, std::iter::once(recording.body.as_slice()));
        assert_eq!(read(&recording, recording.body.chunks(1)), whole, "{}", recording.file);
    }
}

/// Protects: the same for chunks of any length.
#[test]
fn random_splits_read_the_same() {
    for recording in all() {
        let whole = read(&recording, std::iter::once(recording.body.as_slice()));
        for seed in 0..SPLITS {
            assert_eq!(
                read(&recording, pieces(&recording.body, seed)),
                whole,
                "{} with seed {seed}",
                recording.file
            );
        }
    }
}

fn differences(recording: &Recording, seen: &Seen) -> Vec<String> {
    let expect = &recording.entry["expect"];
    let facts = serde_json::json!({
        "format": seen.facts.format,
        "first_reasoning_event_index": seen.facts.first_reasoning,
        "first_text_event_index": seen.facts.first_text,
        "first_visible_event_index": seen.facts.first_visible,
        "visible_text": seen.text,
        "reasoning_chars": seen.reasoning.chars().count(),
        "n_tool_calls": seen.facts.tool_calls,
        "n_sources": seen.facts.sources,
        "finish_reason": seen.facts.finish_reason,
        "model": seen.facts.model,
        "response_id": seen.facts.response_id,
    });
    let mut wrong = Vec::new();
    let mut compare = |what: &str, got: &Value, wanted: &Value| {
        if got != wanted {
            wrong.push(format!("{}: {what} is {got}, labelled {wanted}", recording.file));
        }
    };
    compare("format", &facts["format"], &format(recording).into());
    for (what, got) in facts.as_object().into_iter().flatten().filter(|(what, _)| *what != "format") {
        compare(what, got, &expect[what]);
    }
    if !expect["n_events"].is_null() {
        compare("n_events", &seen.facts.events.into(), &expect["n_events"]);
    }
    compare("visible characters", &seen.facts.visible_characters.into(), &seen.text.chars().count().into());
    compare("malformed", &seen.facts.malformed.into(), &0.into());
    compare("invalid UTF-8", &seen.facts.invalid_utf8.into(), &0.into());
    let tail = recording.entry["framing"]["tail_unterminated"].as_bool().unwrap_or(false);
    compare("unterminated", &seen.facts.unterminated.into(), &tail.into());
    compare_usage(seen.facts.usage, &expect["usage"], &mut compare);
    compare_kinds(&seen.kinds, &recording.kinds, &mut compare);
    wrong
}

/// The labels leave out what a provider did not send or what has no place in [`Usage`].
fn compare_usage(got: Option<Usage>, wanted: &Value, compare: &mut impl FnMut(&str, &Value, &Value)) {
    let usage = got.unwrap_or_default();
    let names = ["input_tokens", "output_tokens", "cached_input_tokens", "reasoning_tokens"];
    let counts = [usage.input_tokens, usage.output_tokens, usage.cached_input_tokens, usage.reasoning_tokens];
    for (name, count) in names.iter().zip(counts) {
        if !wanted[name].is_null() {
            compare(name, &count.into(), &wanted[name]);
        }
    }
    compare("usage present", &got.is_some().into(), &wanted.is_object().into());
}

fn compare_kinds(got: &[Kinds], wanted: &[Vec<String>], compare: &mut impl FnMut(&str, &Value, &Value)) {
    let sorted = |mut kinds: Vec<&str>| {
        kinds.sort_unstable();
        Value::from(kinds)
    };
    compare("labelled events", &got.len().into(), &wanted.len().into());
    for (index, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        let wanted = wanted.iter().map(String::as_str).collect();
        compare(&format!("event {index}"), &sorted(got.names().collect()), &sorted(wanted));
    }
}
