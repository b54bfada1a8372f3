//! What begins a turn and what goes on with one: a client's own second try, another answer, streams that nobody asked for.
use crate::page::Page;
use crate::{ASKS, CHAT, SSE, USEFUL};
use chat_vitals::core::event::{Captured, End, Event, Gesture, Hint, Touch, Transport};
use serde_json::{Value, json};

fn answers(page: &mut Page, at: f64, stream: u32) {
    page.head(at, stream, 200, SSE).says(at + 100.0, stream, USEFUL).draws(at + 110.0, USEFUL);
    page.finishes(at + 200.0, stream, "stop").close(at + 200.0, stream, End::Done);
}

fn statuses(turn: &Value) -> Vec<&Value> {
    turn["requests"].as_array().expect("requests").iter().map(|request| &request["status"]).collect()
}

fn refused(page: &mut Page, hint: u32, status: u16) {
    page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, hint);
    page.head(1_200.0, 1, status, "application/json");
}

/// Protects: a client that asks again by itself has one turn with one wait; until it does, the turn is told of as failed, and
/// not finally so. The request need not say that it wants a stream.
#[test]
fn a_clients_own_retry_is_the_same_turn() {
    for (status, hint) in [(429, ASKS), (500, ASKS), (500, Hint::POST)] {
        let mut page = Page::new();
        refused(&mut page, hint, status);
        let told = page.wait(5_000.0).report();
        assert_eq!((&told["outcome"], &told["final"]), (&json!("failed"), &json!(false)));
        page.open(9_000.0, 2, CHAT, hint);
        answers(&mut page, 9_100.0, 2);
        let turn = page.wait(15_000.0).report();
        assert_eq!((&turn["id"], &turn["outcome"]), (&told["id"], &json!("completed")));
        assert_eq!((&turn["trigger"], &turn["final"]), (&json!("submit"), &json!(true)));
        assert_eq!(statuses(&turn), [&json!(status), &json!(200)]);
        assert_eq!(
            turn["waits"]["silent"]["max"],
            json!(8243.0),
            "one wait, from the gesture to the first token"
        );
        assert_eq!(page.core.summary().percentiles().first().map(|(_, measure)| measure.count), Some(1));
    }
}

/// Protects: a stream that broke in the middle and was asked for again is one turn as well.
#[test]
fn a_broken_stream_is_asked_for_again() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page.says(1_200.0, 1, "Sure! ").close(1_300.0, 1, End::Error).open(2_300.0, 2, CHAT, ASKS);
    answers(&mut page, 2_400.0, 2);
    let turn = page.wait(9_000.0).reports().pop().expect("a report");
    assert_eq!((&turn["outcome"], turn["requests"].as_array().map(Vec::len)), (&json!("completed"), Some(2)));
}

/// Protects: a client that is told when to ask again waits that long, and is waited for.
#[test]
fn retry_after_is_honoured() {
    for (name, value, waits) in
        [("retry-after", "20", true), ("retry-after-ms", "20000", true), ("x", "20", false)]
    {
        let mut page = Page::new();
        page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, ASKS);
        let headers = [(name, value)];
        page.on(1_200.0, Event::Head { stream: 1, status: 429, content_type: "", headers: &headers });
        page.wait(21_250.0).open(21_250.0, 2, CHAT, ASKS);
        answers(&mut page, 21_300.0, 2);
        let reports = page.wait(30_000.0).reports();
        let same = reports.iter().all(|turn| turn["id"] == reports[0]["id"]);
        assert_eq!(
            (same, reports.last().map(|turn| &turn["outcome"])),
            (waits, Some(&json!("completed"))),
            "{name}"
        );
    }
}

/// Protects: another request is no retry: one that the user asked for, one by another way, one long after, one after a refusal
/// that asking again can't help. What failed stays failed.
#[test]
fn another_request_is_no_retry() {
    type Step<'a> = &'a dyn Fn(&mut Page);
    let asks: Step = &|page| _ = page.enter(3_000.0, "Again").open(3_010.0, 2, CHAT, ASKS);
    let elsewhere: Step = &|page| _ = page.open(3_010.0, 2, "/api/title", ASKS);
    let late: Step = &|page| _ = page.wait(30_000.0).open(30_000.0, 2, CHAT, ASKS);
    let again: Step = &|page| _ = page.open(3_010.0, 2, CHAT, ASKS);
    for (status, step) in [(429, asks), (429, elsewhere), (429, late), (401, again)] {
        let mut page = Page::new();
        refused(&mut page, ASKS, status);
        page.wait(2_900.0);
        step(&mut page);
        page.on(40_000.0, Event::Left { kept: false, tears: false });
        let reports = page.reports();
        let (first, last) = (&reports[0]["id"], &reports.last().expect("a report")["id"]);
        assert_ne!(first, last);
        let told = reports.iter().rfind(|turn| turn["id"] == *first).expect("the first");
        assert_eq!((&told["outcome"], &told["final"]), (&json!("failed"), &json!(true)));
        assert_eq!(statuses(told), [&json!(status)]);
    }
}

/// Protects: a failure that nobody asks again for ends by itself, with the wait that it was.
#[test]
fn a_failure_that_stays_one_ends() {
    let mut page = Page::new();
    refused(&mut page, ASKS, 503);
    let reports = page.wait(60_000.0).reports();
    let told: Vec<_> =
        reports.iter().map(|turn| (&turn["outcome"], &turn["final"], &turn["waits"])).collect();
    let waits = &reports[0]["waits"];
    assert_eq!(told, [(&json!("failed"), &json!(false), waits), (&json!("failed"), &json!(true), waits)]);
    assert_eq!(page.effects.wake, None);
}

/// Protects: the press of a button is a chat's where the stream says something of an answer in a chat's format, from the press
/// on, also where the request says nothing of a stream; any other stream is what the button was for.
#[test]
fn a_press_is_a_chats_by_what_comes() {
    const JSON: &str = "data: {\"status\":\"running\"}\n\n";
    const CHUNK: &str = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n";
    for (content_type, first, says) in
        [(SSE, CHUNK, true), (SSE, CHUNK, false), (SSE, JSON, false), ("text/plain", USEFUL, false)]
    {
        let mut page = Page::new();
        page.click(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, Hint::POST);
        page.head(1_100.0, 1, 200, content_type).chunk(1_200.0, 1, first);
        if says {
            page.says(1_300.0, 1, USEFUL).draws(1_310.0, USEFUL).finishes(1_400.0, 1, "stop");
        }
        let reports = page.close(1_400.0, 1, End::Done).wait(30_000.0).reports();
        assert_eq!(reports.len(), usize::from(says), "{content_type} {first}");
        for turn in reports {
            assert_eq!((&turn["trigger"], &turn["timings"]["requestSent"]), (&json!("submit"), &json!(10.0)));
            assert_eq!(turn["requests"][0]["characters"], json!(USEFUL.len()));
        }
    }
}

/// Protects: a format that is not only chats' is one where somebody sent a message.
#[test]
fn a_model_of_any_kind_is_a_chats_when_asked() {
    for asked in [true, false] {
        let mut page = Page::new();
        if asked {
            page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, Hint::POST);
            page.head(1_100.0, 1, 201, "application/json");
        }
        let (url, hint) = ("https://stream.example.com/v1/p-1", Hint(Hint::STREAM));
        let opened = Event::Opened { stream: 2, transport: Transport::EventSource, method: "GET", url, hint };
        page.on(1_200.0, opened);
        page.on(1_300.0, Event::Message { stream: 2, event: "output", data: USEFUL }).draws(1_310.0, USEFUL);
        page.on(1_400.0, Event::Message { stream: 2, event: "done", data: "{}" });
        page.close(1_400.0, 2, End::Cancelled);
        let reports = page.wait(30_000.0).reports();
        let formats: Vec<_> = reports.iter().map(|turn| turn["requests"][0]["format"].clone()).collect();
        assert_eq!(json!(formats), if asked { json!(["replicate"]) } else { json!([]) });
    }
}

fn press(page: &mut Page, at: f64, label: &str, by_composer: bool, by_answer: bool) {
    let gesture = Gesture {
        touch: Touch::Click,
        label,
        role: None,
        in_composer: false,
        by_composer,
        by_answer,
        composer: "",
    };
    page.on(at, Event::Gesture(gesture));
}

/// Protects: "Refresh" by an answer is a call for another one if a chat's request follows, and then names the turn before;
/// elsewhere it is a button like others, and nothing is noted of one that refreshes something else.
#[test]
fn refresh_by_an_answer_regenerates() {
    for (by_answer, follows) in [(true, true), (true, false), (false, true)] {
        let mut page = Page::new();
        page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, ASKS);
        answers(&mut page, 1_100.0, 1);
        let first = page.wait(5_000.0).report();
        press(&mut page, 6_000.0, "Refresh", false, by_answer);
        if follows {
            page.open(6_010.0, 2, CHAT, ASKS);
            answers(&mut page, 6_100.0, 2);
        }
        let reports = page.wait(12_000.0).on(12_000.0, Event::Left { kept: false, tears: false }).reports();
        let acted =
            reports.iter().any(|turn| turn["actions"] == json!([{ "type": "regenerate", "at": 5000.0 }]));
        assert_eq!(acted, by_answer && follows);
        let again = reports.iter().find(|turn| turn["id"] != first["id"]);
        let expected = by_answer.then_some(&first["id"]);
        assert_eq!(again.is_some(), follows);
        assert_eq!(again.and_then(|turn| turn.get("regenerates")), expected.filter(|_| follows));
    }
}

/// Protects: a stream that says nothing of an answer, and that nobody asked for, is no turn, however it ends; nor does its
/// way become a chat's.
#[test]
fn a_stream_that_says_nothing_is_no_turn() {
    const CONNECT: &str = "https://example.com/api/agent/connect";
    let begins = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
    for end in [Some(End::Done), Some(End::Aborted), None] {
        for said in ["", begins, ": ping\n\n"] {
            let mut page = Page::new();
            page.open(1_000.0, 1, CONNECT, ASKS).head(1_100.0, 1, 200, SSE).chunk(1_200.0, 1, said);
            if let Some(end) = end {
                page.close(1_300.0, 1, end);
            }
            page.wait(9_000.0).on(9_000.0, Event::Hidden).on(9_100.0, Event::Shown);
            let past = Captured {
                transport: Transport::Fetch,
                url: CONNECT,
                hint: Hint(0),
                start: 10.0,
                response_start: 20.0,
                response_end: 30.0,
                status: 200,
                content_type: SSE,
                bytes: 0.0,
            };
            page.on(9_200.0, Event::Captured(past)).on(9_300.0, Event::Left { kept: false, tears: false });
            assert_eq!(page.reports(), Vec::<Value>::new(), "{end:?} {said}");
        }
    }
}

/// Protects: what a model thinks aloud between tags, before its answer, is reasoning and no first token.
#[test]
fn thinking_between_tags_is_no_first_token() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page.says(2_000.0, 1, "<thi").says(2_100.0, 1, "nk>They ask of the moon.").says(3_000.0, 1, "</think>\n");
    page.says(4_000.0, 1, USEFUL).draws(4_010.0, USEFUL).close(4_100.0, 1, End::Done).wait(9_000.0);
    let turn = page.report();
    assert_eq!(turn["requests"][0]["firstToken"], json!(3_000.0));
    assert_eq!(turn["outcome"], json!("completed"), "{turn:#}");
}

/// Protects: an answer in plain text is a chat's where something was sent, also from a field that is not looked at; and asking
/// again on the same way is, though nothing in the answer says so.
#[test]
fn an_answer_in_plain_text_is_a_chats_where_it_was_asked_for() {
    for is_written in [true, false] {
        let mut page = Page::new();
        match is_written {
            true => page.enter(1_000.0, "Why are there tides?"),
            false => page.click(1_000.0, "Send"),
        };
        page.open(1_010.0, 1, CHAT, Hint::POST);
        page.head(1_100.0, 1, 200, "text/plain").chunk(1_200.0, 1, USEFUL).draws(1_250.0, USEFUL);
        page.close(1_300.0, 1, End::Done).wait(1_500.0);
        page.click(1_600.0, "Regenerate").open(1_610.0, 2, CHAT, Hint::POST);
        page.head(1_700.0, 2, 200, "text/plain").chunk(1_800.0, 2, USEFUL).draws(1_850.0, USEFUL);
        let reports = page.close(1_900.0, 2, End::Done).wait(30_000.0).reports();
        let told: Vec<_> = reports.iter().map(|turn| (&turn["trigger"], &turn["outcome"])).collect();
        let done = json!("completed");
        assert_eq!(told, [(&json!("submit"), &done), (&json!("regenerate"), &done)], "written: {is_written}");
    }
}
