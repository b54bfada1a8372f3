//! Ends that nobody tells, and requests that no tap saw.
use crate::page::Page;
use crate::{ASKS, CHAT, SSE, USEFUL};
use chat_vitals::core::config::{Config, Consent};
use chat_vitals::core::event::{Captured, End, Event, Gesture, Hint, Touch, Transport};
use serde_json::{Value, json};

fn asked() -> Page {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").open(1_010.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page
}

/// Protects: a client that stops reading at the stream's own last word has its turn ended, at that word.
#[test]
fn the_last_record_is_an_end_if_no_other_comes() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).finishes(2_000.0, 1, "stop");
    let turn = page.wait(9_000.0).report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("completed"), &json!("done")));
    assert_eq!(turn["requests"][0]["lastChunk"], json!(1000.0));
    assert_eq!(turn["flags"], json!([]));
}

/// Protects: who asks again right after the last word replaces a turn that was completed.
#[test]
fn the_last_record_is_an_end_for_who_asks_again() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).finishes(2_000.0, 1, "stop");
    page.click(2_100.0, "Regenerate").open(2_110.0, 2, CHAT, ASKS).head(2_200.0, 2, 200, SSE);
    let turn = page.report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("completed"), &json!("done")));
    assert_eq!(turn["timings"]["nextAction"], json!(1100.0));
}

/// Protects: what comes after a concluded end counts; the end is then the one that is told.
#[test]
fn a_concluded_end_gives_way_to_what_comes() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).finishes(2_000.0, 1, "tool_calls").wait(6_000.0);
    page.says(6_100.0, 1, " And more.").close(6_200.0, 1, End::Error);
    let turn = page.wait(9_000.0).report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("failed"), &json!("error")));
    assert_eq!(turn["requests"][0]["lastChunk"], json!(5100.0));
}

/// Protects: a body that is read elsewhere ends with the network's part of it, and the turn says so.
#[test]
fn a_body_out_of_reach_ends_with_the_network() {
    let mut page = asked();
    page.on(1_200.0, Event::OutOfReach { stream: 1 });
    page.on(5_010.0, Event::Transferred { stream: 1, end: 5_000.0 });
    let turn = page.wait(20_000.0).report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("completed"), &json!("done")));
    assert_eq!(turn["requests"][0]["lastChunk"], json!(4000.0));
    assert!(
        turn["flags"].as_array().is_some_and(|flags| flags.contains(&json!("bodyOutOfReach"))),
        "{turn:#}"
    );
}

/// Protects: where nobody tells the end, none is made up.
#[test]
fn a_lost_body_stays_open() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).on(1_600.0, Event::OutOfReach { stream: 1 });
    let turn = page.wait(60_000.0).report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("open"), &json!("open")));
    assert_eq!(turn["timings"].get("finalRender"), None);
}

/// Protects: a page that reads slowly ends when it has read all, not when the network was done.
#[test]
fn a_slow_reader_is_not_out_of_reach() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL);
    page.on(1_700.0, Event::Transferred { stream: 1, end: 1_690.0 }).wait(8_000.0);
    page.says(8_100.0, 1, " And more.").finishes(8_200.0, 1, "stop").close(8_200.0, 1, End::Done);
    let turn = page.wait(12_000.0).report();
    assert_eq!(turn["requests"][0]["lastChunk"], json!(7200.0));
    assert_eq!(turn["flags"], json!([]));
}

/// Protects: a swallowed abort is told of.
#[test]
fn an_abort_that_is_ignored_is_flagged() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).on(1_600.0, Event::AbortIgnored { stream: 1 });
    page.finishes(2_000.0, 1, "stop").close(2_000.0, 1, End::Done);
    assert_eq!(page.wait(9_000.0).report()["flags"], json!(["abortIgnored"]));
}

/// Protects: a stop that nothing comes of is told of, by whatever it was swallowed; what is on its way is not.
#[test]
fn a_stop_that_is_ignored_is_flagged() {
    for (last, flags) in [(2_400.0, json!([])), (3_000.0, json!(["stopIgnored"]))] {
        let mut page = asked();
        page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).click(1_600.0, "Stop generating");
        page.says(last, 1, " More.").draws(last + 10.0, " More.");
        page.finishes(last + 100.0, 1, "stop").close(last + 100.0, 1, End::Done);
        let turn = page.wait(9_000.0).report();
        assert_eq!((&turn["outcome"], &turn["flags"]), (&json!("completed"), &flags));
    }
}

/// Protects: a stop is that of the answer that ran, not of the one that is asked for after it in the same turn.
#[test]
fn a_stop_is_of_what_ran_then() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).finishes(1_550.0, 1, "tool_calls");
    page.click(1_600.0, "Stop generating").close(1_610.0, 1, End::Done);
    page.open(1_700.0, 2, CHAT, ASKS).head(1_800.0, 2, 200, SSE);
    page.says(4_000.0, 2, " More.").draws(4_010.0, " More.").finishes(4_100.0, 2, "stop");
    page.close(4_100.0, 2, End::Done);
    for turn in page.wait(9_000.0).reports() {
        assert_eq!(turn["flags"], json!([]));
    }
}

const CAPTURED: Captured<'static> = Captured {
    transport: Transport::Fetch,
    url: "https://app.example/api/chat",
    hint: Hint(0),
    start: 1_010.0,
    response_start: 1_100.0,
    response_end: 3_000.0,
    status: 200,
    content_type: "text/event-stream",
    bytes: 512.0,
};

/// Protects: a request that the taps could not see is a turn with what the network told, and no word more.
#[test]
fn a_captured_request_is_a_gap_that_is_told() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").on(3_050.0, Event::Captured(CAPTURED));
    let turn = page.wait(9_000.0).report();
    assert!(turn["flags"].as_array().is_some_and(|flags| flags.contains(&json!("lateInstall"))), "{turn:#}");
    assert_eq!((&turn["trigger"], &turn["outcome"]), (&json!("submit"), &json!("open")));
    let request = &turn["requests"][0];
    assert_eq!(
        (&request["end"], &request["status"], &request["bytes"]),
        (&json!("open"), &json!(200), &json!(512.0))
    );
    assert_eq!((&request["sent"], &request["lastChunk"]), (&json!(10.0), &json!(2000.0)));
    assert_eq!((turn["timings"].get("firstVisibleToken"), request.get("firstToken")), (None, None));
}

/// Protects: other requests that the taps did not see are nobody's business.
#[test]
fn other_captured_requests_are_not_told() {
    let mut page = Page::new();
    let other = Captured { content_type: "application/json", url: "https://app.example/api/me", ..CAPTURED };
    page.enter(1_000.0, "Hello").on(3_050.0, Event::Captured(other)).wait(20_000.0);
    assert!(page.reports().is_empty());
}

/// Protects: where the engine does not tell the content type, the way of an earlier chat does.
#[test]
fn a_captured_request_is_known_by_its_way() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL).finishes(2_000.0, 1, "stop").close(
        2_000.0,
        1,
        End::Done,
    );
    page.wait(9_000.0).reports();
    let later = Captured { url: CHAT, start: 9_500.0, response_end: 9_900.0, content_type: "", ..CAPTURED };
    let turn = page.on(9_950.0, Event::Captured(later)).report();
    assert_eq!(turn["flags"], json!(["lateInstall"]));
}

/// Protects: what went out before the gesture leaves the gesture to the question that it began.
#[test]
fn a_captured_request_from_before_the_gesture_is_not_its_doing() {
    let mut page = Page::new();
    page.enter(5_000.0, "Why are there tides?");
    page.on(5_050.0, Event::Captured(Captured { hint: Hint(Hint::MATCHED), ..CAPTURED }));
    assert_eq!(page.report()["trigger"], json!("auto"));
    page.open(5_100.0, 1, CHAT, ASKS).head(5_200.0, 1, 200, SSE).finishes(5_300.0, 1, "stop").close(
        5_300.0,
        1,
        End::Done,
    );
    assert_eq!(page.wait(12_000.0).report()["trigger"], json!("submit"));
}

/// Protects: a request that the taps watch keeps its turn, whatever else was captured beside it.
#[test]
fn a_captured_request_takes_no_turn_from_one_that_is_watched() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").open(1_005.0, 1, CHAT, Hint::POST);
    page.on(1_500.0, Event::Captured(Captured { response_end: 1_400.0, ..CAPTURED })).reports();
    page.head(1_600.0, 1, 200, SSE).finishes(2_000.0, 1, "stop").close(2_000.0, 1, End::Done);
    let turn = page.wait(9_000.0).report();
    assert_eq!((&turn["trigger"], &turn["outcome"]), (&json!("submit"), &json!("completed")));
}

/// Protects: an event stream that nobody asked for by a gesture (notifications) is no chat for its type alone.
#[test]
fn a_captured_feed_is_no_chat() {
    let mut page = Page::new();
    page.on(3_050.0, Event::Captured(CAPTURED)).wait(20_000.0);
    assert!(page.reports().is_empty());
}

/// Protects: an entry comes when its stream has ended, which may be long after the gesture was forgotten.
#[test]
fn a_long_captured_request_is_still_its_gestures() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").wait(40_000.0);
    let late = Captured { response_end: 61_000.0, ..CAPTURED };
    let turn = page.on(61_050.0, Event::Captured(late)).report();
    assert_eq!((&turn["trigger"], &turn["requests"][0]["sent"]), (&json!("submit"), &json!(10.0)));
    // What nobody watched is told by no measure of the screen.
    assert_eq!((turn.get("waits"), turn.get("phase")), (None, None));
}

/// Protects: a body that nobody reads on, the network being done with it, does not keep its turn open for ever.
#[test]
fn a_body_that_is_read_no_more_stays_open_and_is_told() {
    let mut page = asked();
    page.says(1_500.0, 1, USEFUL).draws(1_510.0, USEFUL);
    page.on(1_700.0, Event::Transferred { stream: 1, end: 1_690.0 });
    let turn = page.wait(60_000.0).report();
    assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("open"), &json!("open")));
    assert_eq!(turn["requests"][0]["lastChunk"], json!(500.0));
    assert!(
        turn["flags"].as_array().is_some_and(|flags| flags.contains(&json!("bodyOutOfReach"))),
        "{turn:#}"
    );
}

/// Protects: a stream that the browser itself broke on the way to another page (Firefox does, and then waits for that page) was
/// abandoned, in mid-stream as before any answer.
#[test]
fn a_stream_torn_by_leaving_is_abandoned() {
    for (kept, late) in [(false, 2_530.0), (true, 2_530.0), (false, 4_400.0)] {
        let mut streaming = asked();
        streaming.says(2_000.0, 1, USEFUL).draws(2_010.0, USEFUL);
        let mut unanswered = Page::new();
        unanswered.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, Hint::POST);
        for mut page in [streaming, unanswered] {
            page.close(2_512.0, 1, End::Error).wait(late).reports();
            let turn = page.on(late, Event::Left { kept, tears: true }).report();
            assert_eq!((&turn["outcome"], &turn["final"]), (&json!("abandoned"), &json!(true)));
            assert_eq!(
                (&turn["requests"][0]["end"], turn["requests"][0].get("errorType")),
                (&json!("open"), None)
            );
            assert_eq!(page.on(12_000.0, Event::Shown).wait(60_000.0).reports(), Vec::<Value>::new());
        }
    }
}

/// Protects: a stream that broke long before the page was left, in sight of somebody who did something before leaving, in a
/// browser that does not break streams so, or on a page that nobody left, has failed.
#[test]
fn a_broken_stream_is_not_made_a_leave() {
    let broken = || {
        let mut page = asked();
        page.says(2_000.0, 1, USEFUL).draws(2_010.0, USEFUL).close(2_512.0, 1, End::Error);
        page
    };
    let (mut late, mut touched, mut other, mut stayed) = (broken(), broken(), broken(), broken());
    late.wait(5_000.0).on(5_000.0, Event::Left { kept: false, tears: true });
    nameless(&mut touched, 3_000.0, false);
    touched.on(3_030.0, Event::Left { kept: false, tears: true });
    other.on(2_530.0, Event::Left { kept: false, tears: false });
    stayed.wait(60_000.0);
    for page in [&mut late, &mut touched, &mut other, &mut stayed] {
        let turn = page.reports().pop().expect("a report");
        assert_eq!((&turn["outcome"], &turn["requests"][0]["end"]), (&json!("failed"), &json!("error")));
    }
}

fn nameless(page: &mut Page, at: f64, by_composer: bool) {
    let gesture = Gesture {
        touch: Touch::Click,
        label: "button",
        role: None,
        in_composer: false,
        by_composer,
        by_answer: false,
        composer: "",
    };
    page.on(at, Event::Gesture(gesture));
}

/// Protects: a button without a name, where send was, stops if the page breaks off at once; elsewhere, or long after, the
/// application gave up. Before the headers as well.
#[test]
fn a_nameless_button_by_the_composer_stops() {
    for (by_composer, closed, outcome) in
        [(true, 2_605.0, "stopped"), (false, 2_605.0, "failed"), (true, 4_000.0, "failed")]
    {
        let mut streaming = asked();
        streaming.says(2_000.0, 1, USEFUL).draws(2_010.0, USEFUL);
        let mut unanswered = Page::new();
        unanswered.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, Hint::POST);
        for mut page in [streaming, unanswered] {
            nameless(&mut page, 2_600.0, by_composer);
            let turn = page.close(closed, 1, End::Aborted).wait(9_000.0).report();
            assert_eq!(turn["outcome"], json!(outcome));
            let stop = json!([{ "type": "stop", "at": 1600.0 }]);
            assert_eq!(turn["actions"], if outcome == "stopped" { stop } else { json!([]) });
        }
    }
}

/// Protects: what the page breaks off to ask for something else is superseded: a suggestion by the composer is no stop.
#[test]
fn what_makes_way_is_superseded() {
    for label in ["button", "Regenerate"] {
        let mut page = asked();
        page.says(2_000.0, 1, USEFUL).draws(2_010.0, USEFUL);
        if label == "button" {
            nameless(&mut page, 2_600.0, true)
        } else {
            _ = page.click(2_600.0, label)
        }
        page.close(2_605.0, 1, End::Aborted).open(2_610.0, 2, CHAT, ASKS);
        let turn = page.report();
        assert_eq!(turn["outcome"], json!("superseded"));
        assert!(
            turn["actions"].as_array().is_some_and(|actions| actions.iter().all(|a| a["type"] != "stop"))
        );
    }
}

/// Protects: a stop that the server carries out ends the stream in good order and is a stop all the same; one that it did
/// not, because the model came to its end or went on, is none.
#[test]
fn a_stop_that_the_server_carries_out_is_a_stop() {
    let event = |value: Value| format!("data: {value}\n\n");
    let says = |text: &str| event(json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": text }));
    let over = event(json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }));
    let success = event(json!({ "type": "RUN_FINISHED", "runId": "r", "outcome": { "type": "success" } }));
    for (goes_on, stop, last, outcome) in [
        (None, 2_600.0, &over, "stopped"),
        (Some(2_900.0), 2_600.0, &over, "stopped"),
        (Some(3_900.0), 2_600.0, &over, "completed"),
        (None, 2_600.0, &success, "completed"),
        (None, 4_100.0, &over, "completed"),
    ] {
        let mut page = asked();
        page.chunk(2_000.0, 1, &says("The moon ")).draws(2_010.0, "The moon");
        let click = |page: &mut Page| _ = page.click(stop, "Stop");
        if stop < 4_000.0 {
            click(&mut page);
        }
        if let Some(at) = goes_on {
            page.chunk(at, 1, &says("pulls.")).draws(at + 10.0, " pulls.");
        }
        page.chunk(4_000.0, 1, last).close(4_001.0, 1, End::Done);
        if stop > 4_000.0 {
            click(&mut page);
        }
        assert_eq!(page.wait(12_000.0).report()["outcome"], json!(outcome), "{goes_on:?} {stop} {last}");
    }
}

/// Protects: what went out with a request is told of it, also if no answer ever came, and only by consent.
#[test]
fn ids_that_were_sent_along_outlive_a_request_that_fails() {
    let sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03";
    let told = |consent| {
        let mut page = Page::with(Config { consent, ..Config::default() });
        page.enter(1_000.0, "Why are there tides?");
        page.open(1_008.0, 1, CHAT, ASKS);
        page.on(1_008.0, Event::Sent { stream: 1, name: "traceparent", value: sent });
        page.on(1_100.0, Event::Closed { stream: 1, end: End::Error, error_type: "TypeError" });
        page.wait(60_000.0);
        let turn = page.reports().pop().expect("a turn");
        let request = &turn["requests"][0];
        (request["spanId"].clone(), request["traceSource"].clone())
    };
    assert_eq!(told(Consent::Correlate), (json!("00f067aa0ba902b7"), json!("propagated")));
    assert_eq!(told(Consent::Measure), (Value::Null, Value::Null));
}
