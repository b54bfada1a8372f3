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
            Frame::Bare(name) => format!("{}|", text(name)),
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
    assert_eq!(sse("event: ping\n\n: comment\n\ndata: a\n\n"), ["ping|", "a"]);
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
    assert_eq!(frames("text/plain", &[b"0:\"Hi\"\nd:{}\n"]), ["0|\"Hi\"", "d|{}"]);
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

/// Protects: of a stream that is over nothing is held, whatever it broke off in.
#[test]
fn nothing_is_held_after_the_end() {
    for rest in ["event: end\n", "event: end", "{\"a\":\n", "data: a", "{\"error\""] {
        let mut framer = Framer::new("text/event-stream");
        framer.feed(format!("data: a\n\n{rest}").as_bytes(), &mut |_| ());
        framer.finish(&mut |_| ());
        assert_eq!(framer.buffered(), 0, "{rest}");
    }
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

/// Protects: the lines of the AI SDK's data stream, padding, and a last line without its end.
#[test]
fn a_line_is_a_record() {
    let lines = |body: &str| frames("application/x-ndjson", &[body.as_bytes()]);
    assert_eq!(lines("\0 {\"a\":1}\0\0 \r\n \n\0\n2\n"), ["{\"a\":1}", "2"]);
    assert_eq!(lines("{\"a\":1}\n     "), ["{\"a\":1}", "Unterminated"]);
    assert_eq!(
        lines("g:\"a:b\"\naui-state:[]\nb:\n\"c\":1\n"),
        ["g|\"a:b\"", "aui-state|[]", "b|", "\"c\":1"]
    );
}

/// Protects: an element of an array is a record when its brace closes, whatever stands around it.
#[test]
fn an_array_is_read_as_it_grows() {
    let array = "[{\r\n  \"a\": [\"}\\\"]\"]\r\n}\r\n,\r\n{\"b\": {}}\n]\n";
    let elements = ["{\r\n  \"a\": [\"}\\\"]\"]\r\n}", "{\"b\": {}}"];
    assert_eq!(frames("application/json; charset=UTF-8", &[array.as_bytes()]), elements);
    assert_eq!(frames("", &[array.as_bytes()]), elements);
    let bytes: Vec<&[u8]> = array.as_bytes().chunks(1).collect();
    assert_eq!(frames("application/json", &bytes), elements);
    let mut seen = 0;
    Framer::new("application/json").feed(b"[{\"a\":1}", &mut |_| seen += 1);
    assert_eq!(seen, 1);
    assert_eq!(frames("application/json", &[b"[{\"a\":1},{\"b"]), ["{\"a\":1}", "{\"b", "Unterminated"]);
    assert_eq!(frames("application/json-seq", &[b"\x1E{\"a\":1}\n\x1E{}\n"]), ["{\"a\":1}", "{}"]);
    // What is no object is passed over, and the next line that begins one is a record again.
    assert_eq!(frames("application/json", &[b"{}\noops \"{\n{\"a\":1}\n"]), ["{}", "Lost(8)", "{\"a\":1}"]);
}

/// Protects: an error that a server appends without framing is told apart from the records.
#[test]
fn an_object_between_events_stands_aside() {
    let error = "{\n  \"error\": {\n    \"code\": 499\n  }\n}";
    let body = format!("data: {{}}\r\n\r\n{error}\n");
    assert_eq!(sse(&body)[..1], ["{}"]);
    assert_eq!(sse(&body)[1], format!("{:?}", Frame::Aside(error.as_bytes())));
    assert_eq!(sse("{ no\ndata: a\n\n}\ndata: b\n\n"), ["a", "b"]);
}

/// An AWS message with these headers of text.
fn message(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut head = vec![4, b's', b'i', b'z', b'e', 4, 0, 0, 0, 1]; // a header that is no text
    for (name, value) in headers {
        head.push(name.len() as u8);
        head.extend(name.bytes().chain([7, 0, value.len() as u8]).chain(value.bytes()));
    }
    let mut message = ((head.len() + payload.len() + 16) as u32).to_be_bytes().to_vec();
    message.extend((head.len() as u32).to_be_bytes());
    message.extend(aws::crc32(&message).to_be_bytes());
    message.extend([&head, payload].concat());
    message.extend(aws::crc32(&message).to_be_bytes());
    message
}

/// Protects: names and payloads of AWS messages, also where the type does not tell; their checksums are the standard's.
#[test]
fn aws_messages_are_records() {
    assert_eq!(aws::crc32(b"123456789"), 0xCBF4_3926);
    let event = message(&[(":message-type", "event"), (":event-type", "chunk")], b"{}");
    let exception =
        message(&[(":exception-type", "throttlingException"), (":message-type", "exception")], b"{\"m\":1}");
    let error = message(&[(":message-type", "error"), (":error-code", "Broken")], b"");
    let body = [event.clone(), exception, error].concat();
    let wanted = ["chunk|{}", "throttlingException|{\"m\":1}", "error|"];
    let bytes: Vec<&[u8]> = body.chunks(1).collect();
    for content_type in ["application/vnd.amazon.eventstream", "application/octet-stream", ""] {
        assert_eq!(frames(content_type, &[&body]), wanted, "{content_type}");
        assert_eq!(frames(content_type, &bytes), wanted, "{content_type}");
    }
    let cut = [event.as_slice(), &event[..20]].concat();
    let cut = frames("application/vnd.amazon.eventstream", &[&cut]);
    assert_eq!(cut, ["chunk|{}", "Lost(20)", "Unread", "Unterminated"]);
}

/// Protects: a damaged message is counted and not shown, and the messages after it are found.
#[test]
fn damaged_aws_messages_are_passed_over() {
    let event = message(&[(":event-type", "chunk")], b"{}");
    for at in 0..event.len() {
        let mut damaged = event.clone();
        damaged[at] ^= 0x40;
        let seen = frames("application/vnd.amazon.eventstream", &[&[&*damaged, &event].concat()]);
        let (last, before) = seen.split_last().expect("a message");
        assert_eq!(last, "chunk|{}", "damaged at {at}");
        assert!(before.iter().all(|frame| frame.starts_with("Lost") || frame == "Unread"), "{seen:?}");
    }
    let huge = message(&[(":event-type", "chunk")], &vec![b' '; DATA_LIMIT]);
    let seen = frames("application/vnd.amazon.eventstream", &[&huge, &event]);
    assert_eq!((&*seen[1], &*seen[seen.len() - 1]), ("Unread", "chunk|{}"));
}
