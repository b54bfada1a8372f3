use super::*;

/// What came out, in words.
fn frames(content_type: &str, chunks: &[&[u8]]) -> Vec<String> {
    let (mut framer, mut seen) = (Framer::new(content_type), Vec::new());
    let mut take = |frame: Frame<'_>| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        seen.push(match frame {
            Frame::Id(_) => return,
            Frame::Record { name: [], data } => text(data),
            Frame::Record { name, data } => format!("{}|{}", text(name), text(data)),
            Frame::Text(text, _) => format!("~{text}"),
            other => format!("{other:?}"),
        });
    };
    chunks.iter().for_each(|chunk| framer.feed(chunk, &mut take));
    framer.finish(&mut take);
    seen
}

fn sse(body: &str) -> Vec<String> {
    frames("text/event-stream; charset=utf-8", &[body.as_bytes()])
}

/// Protects: the letter of the event stream format.
#[test]
fn events_are_framed_as_the_standard_says() {
    assert_eq!(sse("data: a\n\n"), ["a"]);
    assert_eq!(sse("\u{FEFF}data:a\r\rdata:  b\r\n\r\n"), ["a", " b"]);
    assert_eq!(sse("data: a\ndata\ndata: b\n\n"), ["a\n\nb"]);
    assert_eq!(sse("data\n\n"), [""]);
    assert_eq!(
        sse("event: x\nid: 1\nretry: 5\nfoo: bar\n: hi\nevent: y\ndata: a\n\ndata: b\n\n"),
        ["y|a", "b"]
    );
    assert_eq!(sse("event: ping\n\n: comment\n\ndata: a\n\n"), ["a"]);
    assert_eq!(sse(" data: no\nDATA: no\n\ndata: a\n\n"), ["a"]);
    assert_eq!(sse("data: a\n\nevent: x\ndata: b"), ["a", "x|b", "Unterminated"]);
    assert_eq!(sse("data: a\n\nevent: end\n"), ["a"]);
}

/// Protects: CRLF cut between two chunks is one line end, and CR alone does not wait for more.
#[test]
fn a_line_end_may_be_cut() {
    let cut: [&[u8]; 4] = [b"data: a\r", b"\ndata: b\r", b"\n\r", b"\ndata: c\n\n"];
    assert_eq!(frames("text/event-stream", &cut), ["a\nb", "c"]);
    let mut seen = 0;
    Framer::new("text/event-stream").feed(b"data: a\r\r", &mut |_| seen += 1);
    assert_eq!(seen, 1);
}

/// Protects: the framing is told by the bytes where the content type lies.
#[test]
fn the_first_bytes_correct_the_content_type() {
    let lines = "{\"a\":1}\n\n {\"b\":2}\n";
    for content_type in ["application/x-ndjson", "application/json", "text/plain", "text/event-stream", ""] {
        assert_eq!(frames(content_type, &[lines.as_bytes()]), ["{\"a\":1}", "{\"b\":2}"], "{content_type}");
    }
    let events = ": hi\n\ndata: {\"a\":1}\n\n";
    for content_type in ["text/plain", "application/json", "text/html", "", "application/x-ndjson"] {
        assert_eq!(frames(content_type, &[events.as_bytes()]), ["{\"a\":1}"], "{content_type}");
    }
    assert_eq!(frames("text/plain", &[b"event: output\ndata: tok\n\n"]), ["output|tok"]);
    assert_eq!(frames("text/plain", &[b"0:\"Hi\"\nd:{}\n"]), ["0:\"Hi\"", "d:{}"]);
}

/// Protects: prose is prose, even where it quotes or resembles a framing.
#[test]
fn prose_stays_plain_text() {
    let prose = [
        "Use this:\n\n```\ndata: {\"a\":1}\n\n```\n",
        "data: the plural of datum.\nIt is Latin.",
        "id: a word of two letters.\nNo event.",
        "{\n  \"name\": \"value\"\n}",
        "{\"name\":\"value\"}",
        "[link](url)",
        "a: b",
        ":) hello",
        "dat",
    ];
    for text in prose {
        assert_eq!(frames("text/plain", &[text.as_bytes()]), [format!("~{text}")], "{text}");
    }
}

/// Protects: the first token of plain text is not held back.
#[test]
fn plain_text_is_recognised_by_its_first_character() {
    let mut seen = String::new();
    Framer::new("text/plain").feed("H".as_bytes(), &mut |frame| {
        if let Frame::Text(text, _) = frame {
            seen.push_str(text);
        }
    });
    assert_eq!(seen, "H");
}

/// Protects: an id is told before the record that has it.
#[test]
fn ids_are_told() {
    let mut seen = Vec::new();
    let mut framer = Framer::new("text/event-stream");
    framer.feed(b"id: a1\ndata: x\n\ndata: y\n\nid\ndata: z\n\n", &mut |frame| match frame {
        Frame::Id(id) => seen.push(format!("#{}", String::from_utf8_lossy(id))),
        Frame::Record { data, .. } => seen.push(String::from_utf8_lossy(data).into_owned()),
        _ => {}
    });
    assert_eq!(seen, ["#a1", "x", "y", "#", "z"]);
}
