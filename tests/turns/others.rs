//! What a page asks for that is no chat (`tests/other-traffic.jsonl`): no turn, whatever the words in it.
use crate::page::Page;
use chat_vitals::core::event::{End, Event, Hint, Transport};
use serde_json::{Value, json};

/// One request and its answer.
struct Exchange {
    what: String,
    hint: u32,
    status: u16,
    content_type: String,
    body: Vec<u8>,
}

fn exchanges() -> Vec<Exchange> {
    include_str!("../other-traffic.jsonl").lines().map(exchange).collect()
}

fn exchange(line: &str) -> Exchange {
    let entry: Value = serde_json::from_str(line).expect("a line of JSON");
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let byte = |at: usize| u8::from_str_radix(&text("hex")[at..at + 2], 16).expect("two digits");
    let body = match entry["body"].as_str() {
        Some(body) => body.as_bytes().to_vec(),
        None => (0..text("hex").len()).step_by(2).map(byte).collect(),
    };
    let posts = if entry["method"] == "POST" { Hint::POST } else { 0 };
    let asks = if text("accept") == "text/event-stream" { Hint::STREAM } else { 0 };
    Exchange {
        what: text("what"),
        hint: posts | asks,
        status: entry["status"].as_u64().unwrap_or(200) as u16,
        content_type: text("type"),
        body,
    }
}

impl Exchange {
    /// The request as the taps tell it, from `at` on.
    fn happens(&self, page: &mut Page, at: f64, stream: u32, chunk: usize) {
        page.open(at, stream, "https://example.com/api/other", self.hint);
        page.head(at + 10.0, stream, self.status, &self.content_type);
        for bytes in self.body.chunks(chunk) {
            page.on(at + 20.0, Event::Chunk { stream, bytes });
        }
        page.close(at + 30.0, stream, End::Done);
    }

    /// Its events as `EventSource` has them, if it is one.
    fn is_dispatched(&self, page: &mut Page, at: f64, stream: u32) {
        if self.content_type != "text/event-stream" || self.hint & Hint::POST != 0 {
            return;
        }
        let (url, hint) = ("https://example.com/api/other", Hint(Hint::STREAM));
        page.on(at, Event::Opened { stream, transport: Transport::EventSource, method: "GET", url, hint });
        let body = String::from_utf8_lossy(&self.body);
        for block in body.split("\n\n") {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            if let Some(data) = field("data: ") {
                let event = field("event: ").unwrap_or("message");
                page.on(at + 20.0, Event::Message { stream, event, data });
            }
        }
        page.close(at + 30.0, stream, End::Cancelled);
    }
}

/// The turns that a page reports after all.
fn reported(page: &mut Page) -> Value {
    page.wait(90_000.0).on(91_000.0, Event::Left { kept: false, tears: false });
    json!(page.reports())
}

/// Protects: requests of a page that are no chat's make no turn, by themselves and after a press of a button.
#[test]
fn other_requests_are_no_turn() {
    let exchanges = exchanges();
    assert!(exchanges.len() >= 60);
    let mut wrong = Vec::new();
    for exchange in &exchanges {
        for pressed in [false, true] {
            for chunk in [usize::MAX, 1] {
                let mut page = Page::new();
                if pressed {
                    page.click(995.0, "Export");
                }
                exchange.happens(&mut page, 1_000.0, 1, chunk);
                // Long after, as a feed that goes on, and by the browser's own reader.
                exchange.happens(&mut page, 30_000.0, 2, chunk);
                exchange.is_dispatched(&mut page, 40_000.0, 3);
                let reports = reported(&mut page);
                if reports != json!([]) {
                    wrong.push(format!("{}, pressed {pressed}: {}", exchange.what, reports[0]["requests"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Protects: all of them beside an answer leave it the turn that it is alone.
#[test]
fn other_requests_beside_an_answer_are_no_part_of_it() {
    let turn = |with: bool| {
        let mut page = crate::asked();
        if with {
            for (exchange, stream) in exchanges().iter().zip(100..) {
                exchange.happens(&mut page, 1_500.0, stream, usize::MAX);
            }
        }
        page.says(2_000.0, 1, crate::USEFUL).draws(2_010.0, crate::USEFUL);
        page.finishes(3_000.0, 1, "stop").close(3_001.0, 1, End::Done);
        page.wait(9_000.0).report()
    };
    assert_eq!(turn(true), turn(false));
}
