//! Turns that the application tells of itself, with `startTurn()`.
use crate::page::Page;
use crate::{USEFUL, number};
use chat_vitals::core::event::{End, Event, Hint, Transport};
use serde_json::json;

const URL: &str = "https://example.com/native/7?key=secret";

fn begun() -> Page {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?");
    let hint = Hint(Hint::MATCHED);
    page.on(1_008.0, Event::Opened { stream: 1, transport: Transport::Manual, method: "", url: URL, hint });
    page
}

fn tell(page: &mut Page, at: f64, what: &str, text: &str) {
    page.on(at, Event::Message { stream: 1, event: what, data: text });
}

fn answer(page: &mut Page) {
    tell(page, 1_500.0, "reasoning", "The user asks about tides.");
    page.draws_reasoning(1_510.0, "The user asks about tides.");
    for (what, id) in [("toolCall", "c-1"), ("toolCall", "c-1"), ("toolCall", ""), ("toolCall", "")] {
        tell(page, 1_600.0, what, id);
    }
    for id in ["https://a.example/", "https://a.example/", "", ""] {
        tell(page, 1_700.0, "source", id);
    }
    tell(page, 2_000.0, "text", USEFUL);
    page.draws(2_010.0, USEFUL);
}

/// Protects: a turn by hand has what one of the network has: milestones on screen, characters, calls and sources, each once.
#[test]
fn what_is_told_by_hand_is_a_turn_like_others() {
    let mut page = begun();
    answer(&mut page);
    let turn = page.close(2_100.0, 1, End::Done).wait(4_000.0).report();
    assert_eq!((&turn["outcome"], &turn["trigger"]), (&json!("completed"), &json!("submit")));
    assert_eq!(number(&turn, "/timings/firstReasoning"), 543.0);
    assert_eq!(number(&turn, "/timings/firstVisibleToken"), 1043.0);
    assert_eq!(number(&turn, "/timings/finalRender"), 1043.0);
    let request = &turn["requests"][0];
    assert_eq!((&request["transport"], &request["route"]), (&json!("manual"), &json!("/native/:id")));
    assert_eq!(request["characters"], USEFUL.chars().count());
    assert_eq!((&request["toolCalls"], &request["sources"]), (&json!(3), &json!(3)));
    assert_eq!((&request["firstToken"], &request["end"]), (&json!(1000.0), &json!("done")));
    assert!(!turn.to_string().contains("moon") && !turn.to_string().contains("a.example"));
}

/// Protects: a turn that nobody asked for is the application's own.
#[test]
fn without_a_gesture_the_application_began_it() {
    let mut page = Page::new();
    let hint = Hint(Hint::MATCHED);
    page.on(1_000.0, Event::Opened { stream: 1, transport: Transport::Manual, method: "", url: URL, hint });
    tell(&mut page, 1_200.0, "text", USEFUL);
    let turn = page.draws(1_210.0, USEFUL).close(1_300.0, 1, End::Done).wait(4_000.0).report();
    assert_eq!((&turn["trigger"], &turn["outcome"]), (&json!("api"), &json!("completed")));
}

/// Protects: stopped, left and broken are told apart by hand as they are elsewhere.
#[test]
fn a_turn_by_hand_ends_as_others_do() {
    let mut stopped = begun();
    answer(&mut stopped);
    let turn = stopped.click(2_050.0, "Stop").close(2_060.0, 1, End::Done).wait(4_000.0).report();
    assert_eq!(turn["outcome"], "stopped");

    let mut left = begun();
    answer(&mut left);
    let turn = left.on(2_050.0, Event::Left { kept: false, tears: false }).report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("abandoned"), &json!("streaming")));

    let mut broken = begun();
    broken.on(1_900.0, Event::Closed { stream: 1, end: End::Error, error_type: "NativeError" });
    let turn = broken.wait(60_000.0).reports().pop().expect("a report");
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("failed"), &json!("beforeFeedback")));
    assert_eq!(turn["requests"][0]["errorType"], "NativeError");
}
