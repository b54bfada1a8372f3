//! Recorded streams through the framing alone: as many records as labelled, however the bytes are cut.
//!
//! All formats count here, those that are not read yet too. Where the larger collection lies beside the
//! project, it is used, as it holds the project's own recordings as well.
use chat_vitals::core::framing::{BUFFER_LIMIT, Frame, Framer};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Random cuts of each stream.
const SPLITS: u64 = 200;

/// What came out: records, a fingerprint of them, and how the stream ended.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    records: u64,
    texts: u64,
    content: u64,
    unread: u32,
    lost: u64,
    unterminated: bool,
}

fn frames<'b>(mut framer: Framer, chunks: impl Iterator<Item = &'b [u8]>) -> Seen {
    let (mut seen, mut content) = (Seen::default(), DefaultHasher::new());
    let mut take = |frame: Frame<'_>| match frame {
        Frame::Record { name, data } => {
            seen.records += 1;
            (name, data).hash(&mut content);
        }
        Frame::Text(text, _) => {
            seen.texts += text.len() as u64;
            text.bytes().for_each(|byte| byte.hash(&mut content));
        }
        Frame::Id(id) => ("id", id).hash(&mut content),
        Frame::Aside(data) => ("aside", data).hash(&mut content),
        Frame::Unread => seen.unread += 1,
        Frame::Bare(_) => {}
        Frame::Lost(bytes) => seen.lost += bytes,
        Frame::Unterminated => seen.unterminated = true,
    };
    for chunk in chunks {
        framer.feed(chunk, &mut take);
        assert!(framer.buffered() <= BUFFER_LIMIT);
    }
    framer.finish(&mut take);
    seen.content = content.finish();
    seen
}

fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = root.join("../shared/streams");
    if beside.is_dir() { beside } else { root.join("tests/streams") }
}

fn index(folder: &Path) -> Vec<Value> {
    let lines = std::fs::read_to_string(folder.join("index.jsonl")).expect("index.jsonl is there");
    lines.lines().map(|line| serde_json::from_str(line).expect("an index line is JSON")).collect()
}

fn framer(entry: &Value) -> Framer {
    if entry["headers"]["x-vercel-ai-data-stream"].is_string() {
        return Framer::lines();
    }
    Framer::new(entry["content_type"].as_str().unwrap_or(""))
}

/// Protects: what counts as a record in every framing, and that the borders of network chunks change nothing.
#[test]
fn every_recording_has_its_records_however_it_is_cut() {
    let folder = folder();
    let mut wrong = Vec::new();
    for entry in index(&folder) {
        let file = entry["file"].as_str().expect("a name");
        let body = std::fs::read(folder.join(file)).expect("the recording is there");
        let whole = frames(framer(&entry), std::iter::once(body.as_slice()));
        let wanted = entry["expect"]["n_events"].as_u64();
        let tail = entry["framing"]["tail_unterminated"].as_bool().unwrap_or(false);
        if (whole.records, whole.unread, whole.lost, whole.unterminated) != (wanted.unwrap_or(0), 0, 0, tail)
            || (whole.texts > 0) != wanted.is_none()
        {
            wrong.push(format!("{file}: {whole:?}, labelled {wanted:?}"));
        }
        assert_eq!(frames(framer(&entry), body.chunks(1)), whole, "{file}");
        for seed in 0..SPLITS {
            assert_eq!(frames(framer(&entry), pieces(&body, seed)), whole, "{file} with seed {seed}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Cuts at random: mostly small pieces for even seeds, large ones for odd.
fn pieces(body: &[u8], seed: u64) -> impl Iterator<Item = &[u8]> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let largest = if seed.is_multiple_of(2) { 64 } else { 4096 };
    let mut rest = body;
    std::iter::from_fn(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (piece, tail) = rest.split_at(rest.len().min(1 + (state % largest) as usize));
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}
