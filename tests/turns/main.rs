//! Turns from the first gesture to the report, on a clock that the test holds.
mod begins;
mod ends;
mod others;
mod page;

use chat_vitals::core::config::{Config, Consent};
use chat_vitals::core::event::{End, Event, Hint, PaintMethod};
use page::{Page, WALL};
use serde_json::{Value, json};

const CHAT: &str = "https://example.com/api/chat?key=secret";
const SSE: &str = "text/event-stream";
const ASKS: u32 = Hint::POST | Hint::STREAM;
const USEFUL: &str = "The moon pulls the water of the oceans into two bulges on opposite sides.";

/// A question, its request, and the head of a streamed answer.
fn asked() -> Page {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?");
    page.open(1_008.0, 1, CHAT, ASKS).head(1_020.0, 1, 200, SSE);
    page
}

/// The same with a first line of the answer on screen.
fn streaming() -> Page {
    let mut page = asked();
    page.says(2_000.0, 1, "Sure! ").draws(2_010.0, "Sure!");
    page
}

fn number(turn: &Value, path: &str) -> f64 {
    turn.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {turn:#}"))
}

/// Protects: every milestone of a plain turn, its source and its offset from the gesture.
#[test]
fn a_turn_from_gesture_to_final_render() {
    let mut page = asked();
    page.notices(1_033.0, "", true);
    page.thinks(1_500.0, 1, "The user asks about tides.")
        .draws_reasoning(1_510.0, "The user asks about tides.");
    page.says(2_000.0, 1, "Sure! ").draws(2_010.0, "Sure!");
    page.says(3_000.0, 1, USEFUL).draws(3_010.0, USEFUL);
    page.finishes(4_000.0, 1, "stop").close(4_001.0, 1, End::Done);
    assert_eq!(page.effects.wake, Some(4_501.0), "quiet for half a second makes it final");
    let turn = page.wait(5_000.0).report();
    let expected = json!({
        "requestSent": 8.0, "responseStart": 20.0, "firstChunk": 500.0, "firstFeedback": 33.0, "firstReasoning": 543.0,
        "firstVisibleToken": 1043.0, "firstUsefulContent": 2043.0, "lastChunk": 3000.0, "finalRender": 2043.0,
    });
    assert_eq!(turn["timings"], expected);
    assert_eq!(turn["startedAt"], json!(WALL + 1_000.0));
    assert_eq!(turn["outcome"], "completed");
    assert_eq!(turn["trigger"], "submit");
    assert_eq!((&turn["revision"], &turn["final"]), (&json!(1), &json!(true)));
    assert_eq!(turn["feedbackKind"], "indicator");
    assert_eq!(turn["usefulMethod"], "text");
    assert_eq!(turn["methods"]["firstVisibleToken"], "raf2");
    assert_eq!(turn["renderLag"]["first"], json!(43.0));
    assert_eq!(turn.get("phase"), None);
    let request = &turn["requests"][0];
    assert_eq!(request["route"], "/api/chat");
    assert_eq!(request["requestId"], json!({ "x-request-id": "req-1" }));
    assert_eq!(request["serverTiming"][0], json!({ "name": "queue", "duration": 12.5 }));
    assert_eq!((&request["format"], &request["end"]), (&json!("openai-chat"), &json!("done")));
    assert_eq!(request["firstToken"], json!(1000.0));
}

/// Protects: the engine's own presentation time wins, whether it comes before or after the second animation frame.
#[test]
fn element_timing_corrects_the_animation_frame() {
    let mut page = streaming();
    page.on(2_050.0, Event::Painted { frame: 1, method: PaintMethod::ElementTiming });
    page.finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done);
    let turn = page.wait(5_000.0).report();
    assert_eq!(turn["timings"]["firstVisibleToken"], json!(1050.0));
    assert_eq!(turn["methods"]["firstVisibleToken"], "elementTiming");
    assert_eq!(turn["methods"]["finalRender"], "elementTiming");
}

/// Protects: a refused request is a failed turn that never got to a token, with the status that says why.
#[test]
fn a_rate_limit_is_a_failure() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, ASKS).notices(1_040.0, "", true);
    page.head(1_200.0, 1, 429, "application/json");
    let turn = page.wait(3_000.0).report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("failed"), &json!("beforeToken")));
    assert_eq!(turn["requests"][0]["status"], 429);
    assert_eq!(turn["timings"].get("firstVisibleToken"), None);
}

/// Protects: a stop is the gesture and the broken stream together; the wait at the stop is on record.
#[test]
fn a_stop_is_a_gesture_and_an_abort() {
    let mut page = streaming();
    page.click(2_600.0, "Stop generating").close(2_605.0, 1, End::Aborted);
    let turn = page.wait(4_000.0).report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("stopped"), &json!("beforeUseful")));
    assert_eq!(turn["actions"], json!([{ "type": "stop", "at": 1600.0 }]));
    assert_eq!(turn["timings"].get("finalRender"), None);
    assert_eq!(turn["requests"][0]["end"], "aborted");
}

/// Protects: an abort that nobody asked for is not a stop.
#[test]
fn an_abort_without_a_gesture_is_no_stop() {
    let mut page = streaming();
    page.close(2_605.0, 1, End::Aborted);
    assert_eq!(page.wait(4_000.0).report()["outcome"], "failed");
}

/// Protects: a reader that is let go after the end has not broken anything off.
#[test]
fn cancelling_after_the_end_is_the_end() {
    let mut page = streaming();
    page.finishes(2_100.0, 1, "stop").close(2_101.0, 1, End::Cancelled);
    assert_eq!(page.wait(4_000.0).report()["outcome"], "completed");
}

/// Protects: an error in the stream after text is a failure of a turn that was already being read.
#[test]
fn an_error_after_text_is_a_failure_while_streaming() {
    let mut page = streaming();
    page.says(2_200.0, 1, USEFUL).draws(2_210.0, USEFUL);
    page.chunk(2_300.0, 1, "data: {\"error\":{\"message\":\"overloaded\"}}\n\n").close(2_301.0, 1, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("failed"), &json!("streaming")));
    assert_eq!(turn["requests"][0]["errors"], 1);
}

/// Protects: leaving is an abandoned turn in each phase, reported at once, with the wait so far.
#[test]
fn leaving_is_abandoning_in_the_phase_it_came_to() {
    type Step = fn(&mut Page);
    let steps: [(Step, &str); 4] = [
        (|_| {}, "beforeFeedback"),
        (|page| _ = page.notices(1_100.0, "Thinking…", true), "beforeToken"),
        (|page| _ = page.says(2_000.0, 1, "Sure! ").draws(2_010.0, "Sure!"), "beforeUseful"),
        (|page| _ = page.says(2_100.0, 1, USEFUL).draws(2_110.0, USEFUL), "streaming"),
    ];
    for length in 1..=steps.len() {
        let mut page = asked();
        for (step, _) in &steps[..length] {
            step(&mut page);
        }
        page.on(4_000.0, Event::Left { kept: false, tears: false });
        assert!(page.effects.urgent && page.effects.report);
        let turn = page.report();
        assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("abandoned"), &json!(steps[length - 1].1)));
        assert_eq!(turn["actions"], json!([{ "type": "leave", "at": 3000.0 }]));
        assert_eq!(turn["final"], true);
    }
}

/// Protects: somebody who leaves before the server answered anything is on record as well.
#[test]
fn leaving_before_any_answer_counts() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello")
        .open(1_005.0, 1, CHAT, Hint::POST)
        .on(9_000.0, Event::Left { kept: false, tears: false });
    let turn = page.report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("abandoned"), &json!("beforeFeedback")));
    assert!(number(&turn, "/waits/silent/total") >= 7_999.0);
}

/// Protects: who leaves when all of the answer is on screen has not given it up; who leaves while the page still holds text
/// back has; who leaves after a stop has stopped.
#[test]
fn leaving_after_the_answer_is_no_abandonment() {
    let whole = |page: &mut Page| _ = page.says(2_100.0, 1, USEFUL).draws(2_110.0, USEFUL);
    let held_back = |page: &mut Page| _ = page.says(2_400.0, 1, USEFUL);
    let stopped = |page: &mut Page| _ = page.says(2_100.0, 1, USEFUL).click(2_150.0, "Stop");
    type Step<'a> = &'a dyn Fn(&mut Page);
    for (step, end, outcome) in [
        (&whole as Step, End::Done, "completed"),
        (&held_back, End::Done, "abandoned"),
        (&stopped, End::Aborted, "stopped"),
    ] {
        for kept in [false, true] {
            let mut page = streaming();
            step(&mut page);
            if end == End::Done {
                page.finishes(2_500.0, 1, "stop");
            }
            page.close(2_501.0, 1, end).on(2_540.0, Event::Left { kept, tears: false });
            let turn = page.report();
            assert_eq!(turn["outcome"], outcome);
            assert_eq!(turn["timings"].get("finalRender").is_some(), outcome == "completed");
        }
    }
}

/// Protects: a stop before the server answered anything is a stop.
#[test]
fn a_stop_before_the_headers_is_a_stop() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, Hint::POST).click(2_000.0, "Stop");
    page.close(2_001.0, 1, End::Aborted);
    let turn = page.wait(4_000.0).report();
    assert_eq!((&turn["outcome"], &turn["phase"]), (&json!("stopped"), &json!("beforeFeedback")));
}

/// Protects: a hidden tab is reported open, and its time is neither a wait nor a final render.
#[test]
fn a_hidden_tab_is_open_then_honest() {
    let mut page = streaming();
    page.on(2_500.0, Event::Hidden);
    assert!(page.effects.urgent);
    let open = page.report();
    assert_eq!(
        (&open["outcome"], &open["final"], &open["revision"]),
        (&json!("open"), &json!(false), &json!(1))
    );
    page.says(3_000.0, 1, USEFUL).finishes(4_000.0, 1, "stop").close(4_000.0, 1, End::Done);
    let turn = page.wait(20_000.0).report();
    assert_eq!(turn["outcome"], "completed");
    assert_eq!(turn["revision"], 2);
    assert_eq!(turn["flags"], json!(["hidden"]));
    assert_eq!(turn["timings"].get("finalRender"), None);
    assert!(number(&turn, "/hidden/total") > 1_500.0);
    assert!(number(&turn, "/waits/silent/max") < 1_100.0, "{:#}", turn["waits"]);
}

/// Protects: a page that the browser keeps has been left all the same; only its return takes that back.
#[test]
fn a_kept_page_is_abandoned_unless_it_returns() {
    let mut page = streaming();
    page.on(2_500.0, Event::Left { kept: true, tears: false }).on(2_501.0, Event::Hidden);
    let left = page.reports().pop().expect("a report on leaving");
    assert_eq!((&left["outcome"], &left["final"]), (&json!("abandoned"), &json!(false)));
    assert_eq!(left["flags"], json!([]), "what was seen before was not seen hidden");
    page.on(9_000.0, Event::Shown).says(9_100.0, 1, USEFUL).draws(9_110.0, USEFUL);
    page.finishes(9_200.0, 1, "stop").close(9_200.0, 1, End::Done);
    let back = page.wait(12_000.0).report();
    assert_eq!(
        (&back["outcome"], &back["id"], &back["final"]),
        (&json!("completed"), &left["id"], &json!(true))
    );
    assert_eq!(back["flags"], json!(["hidden"]));
    let actions: Vec<&Value> =
        back["actions"].as_array().expect("actions").iter().map(|action| &action["type"]).collect();
    assert_eq!(actions, ["leave", "return"]);
}

/// Protects: an answer that vanishes with its address is a conversation left, unless it is drawn again at once.
#[test]
fn an_answer_that_vanishes_with_its_address_was_left() {
    for redrawn in [false, true] {
        let mut page = streaming();
        page.on(2_500.0, Event::Gone);
        if redrawn {
            page.says(2_550.0, 1, USEFUL).draws(2_600.0, USEFUL);
        }
        page.wait(3_600.0);
        let outcome = page.reports().pop().map(|turn| turn["outcome"].clone());
        assert_eq!(outcome, (!redrawn).then(|| json!("abandoned")));
    }
}

/// Protects: who comes back in time has not abandoned, and who does not has, after the horizon.
#[test]
fn hidden_and_never_back_is_silent_abandonment() {
    let mut page = streaming();
    page.on(2_500.0, Event::Hidden).on(60_000.0, Event::Shown);
    page.reports();
    page.on(61_000.0, Event::Hidden).wait(61_000.0 + 1_800_000.0);
    let reports = page.reports();
    let turn = reports.last().expect("a last report");
    assert_eq!((&turn["outcome"], &turn["final"]), (&json!("abandoned"), &json!(true)));
}

/// Protects: a new question while the answer streams supersedes it; both are on record.
#[test]
fn a_new_question_supersedes() {
    let mut page = streaming();
    page.enter(3_500.0, "Another one").open(3_505.0, 2, CHAT, ASKS);
    let before = page.report();
    assert_eq!((&before["outcome"], &before["phase"]), (&json!("superseded"), &json!("beforeUseful")));
    page.head(3_600.0, 2, 200, SSE).says(3_700.0, 2, USEFUL).draws(3_710.0, USEFUL);
    page.finishes(3_800.0, 2, "stop").close(3_800.0, 2, End::Done).close(3_810.0, 1, End::Aborted);
    let turn = page.wait(6_000.0).report();
    assert_eq!(turn["outcome"], "completed");
    assert_eq!(turn.get("regenerates"), None);
}

/// Protects: regenerate, retry and edit name the turn that they replace; the next action of that one is reported.
#[test]
fn what_replaces_a_turn_names_it() {
    for (label, trigger) in [("Regenerate response", "regenerate"), ("Try again", "retry")] {
        let mut page = streaming();
        page.finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done);
        let first = page.wait(4_000.0).report();
        page.click(9_000.0, label)
            .click(9_001.0, label)
            .open(9_010.0, 2, CHAT, ASKS)
            .head(9_100.0, 2, 200, SSE);
        page.says(9_200.0, 2, USEFUL).draws(9_210.0, USEFUL).finishes(9_300.0, 2, "stop").close(
            9_300.0,
            2,
            End::Done,
        );
        let reports = page.wait(12_000.0).reports();
        assert_eq!(reports.len(), 2, "{reports:#?}");
        assert_eq!((&reports[0]["id"], &reports[0]["revision"]), (&first["id"], &json!(2)));
        assert_eq!(reports[0]["timings"]["nextAction"], json!(8000.0));
        assert_eq!((&reports[1]["trigger"], &reports[1]["regenerates"]), (&json!(trigger), &first["id"]));
    }
}

/// Protects: who asks again before the answer has settled, or right after a refusal, replaces that very turn.
#[test]
fn asking_again_at_once_names_the_turn_before() {
    let mut page = streaming();
    page.finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done);
    page.click(2_150.0, "Regenerate").open(2_160.0, 2, CHAT, ASKS).head(2_200.0, 2, 429, "application/json");
    page.close(2_210.0, 2, End::Done);
    page.click(2_300.0, "Regenerate").open(2_310.0, 3, CHAT, ASKS).head(2_400.0, 3, 200, SSE);
    page.says(2_500.0, 3, USEFUL).draws(2_510.0, USEFUL).finishes(2_600.0, 3, "stop").close(
        2_600.0,
        3,
        End::Done,
    );
    let reports = page.wait(9_000.0).reports();
    let told: Vec<_> = reports.iter().map(|turn| (&turn["outcome"], &turn["regenerates"])).collect();
    assert_eq!(
        told.iter().map(|(outcome, _)| *outcome).collect::<Vec<_>>(),
        ["completed", "failed", "completed"]
    );
    assert_eq!((told[1].1, told[2].1), (&reports[0]["id"], &reports[1]["id"]));
    assert_eq!(reports[0]["timings"]["nextAction"], json!(1150.0));
}

/// Protects: an edited question is a turn by edit.
#[test]
fn an_edited_question_is_an_edit() {
    let mut page = streaming();
    page.finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done).wait(4_000.0).reports();
    page.click(5_000.0, "Edit message")
        .enter(9_000.0, "Why are there two tides?")
        .open(9_010.0, 2, CHAT, ASKS);
    page.head(9_100.0, 2, 200, SSE).says(9_200.0, 2, USEFUL).finishes(9_300.0, 2, "stop").close(
        9_300.0,
        2,
        End::Done,
    );
    let reports = page.wait(14_000.0).reports();
    assert_eq!(reports.last().map(|turn| &turn["trigger"]), Some(&json!("edit")));
}

/// Protects: Enter, click and submit of the same act are one turn, timed by the first.
#[test]
fn one_act_is_one_turn() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").click(1_002.0, "Send message").open(1_005.0, 1, CHAT, ASKS);
    page.head(1_100.0, 1, 200, SSE).says(1_200.0, 1, USEFUL).draws(1_210.0, USEFUL);
    page.finishes(1_300.0, 1, "stop").close(1_300.0, 1, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!(turn["timings"]["requestSent"], json!(5.0));
    assert_eq!(turn["actions"], json!([]));
}

/// Protects: what is no chat is no turn: API calls, a refused login, a feed of notifications, a file of text.
#[test]
fn other_traffic_is_no_turn() {
    let mut page = Page::new();
    page.click(500.0, "Log in").open(510.0, 1, "/login", Hint::POST).head(600.0, 1, 401, "application/json");
    page.open(700.0, 2, "/api/items", 0).head(710.0, 2, 200, "application/json");
    page.open(800.0, 3, "/feed", Hint::STREAM).head(810.0, 3, 200, SSE);
    page.chunk(900.0, 3, "data: {\"unread\":3}\n\n").chunk(950.0, 3, ": ping\n\n");
    page.open(1_000.0, 4, "/notes.txt", 0).head(1_010.0, 4, 200, "text/plain");
    page.chunk(1_020.0, 4, "Some notes\n").close(1_030.0, 4, End::Done);
    page.wait(60_000.0).on(61_000.0, Event::Left { kept: false, tears: false });
    assert_eq!(page.reports(), Vec::<Value>::new());
    assert!(!page.effects.watch, "nothing is left to watch for");
}

/// Protects: a stream beside the answer, progress for one, is not taken for a part of it.
#[test]
fn a_side_channel_is_no_part_of_the_turn() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").open(1_002.0, 1, "/api/progress/c1", 0).open(1_005.0, 2, CHAT, Hint::POST);
    page.head(1_010.0, 1, 200, SSE).chunk(1_020.0, 1, "event: progress\ndata: {\"step\":\"Searching\"}\n\n");
    page.head(1_100.0, 2, 200, SSE).says(1_200.0, 2, USEFUL).draws(1_210.0, USEFUL);
    page.finishes(1_300.0, 2, "stop").close(1_300.0, 2, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!((&turn["outcome"], turn["requests"].as_array().map(Vec::len)), (&json!("completed"), Some(1)));
}

/// Protects: a chat that nobody announced is found by its format, and counted from its request.
#[test]
fn a_stream_of_a_chat_format_is_a_turn_without_a_gesture() {
    let mut page = Page::new();
    page.open(1_000.0, 1, "/v1/run", 0).head(1_100.0, 1, 200, SSE).says(1_200.0, 1, USEFUL);
    assert!(page.effects.watch);
    page.draws(1_210.0, USEFUL).finishes(1_300.0, 1, "stop").close(1_300.0, 1, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!((&turn["trigger"], &turn["timings"]["requestSent"]), (&json!("auto"), &json!(0.0)));
    assert_eq!(turn["renderLag"]["first"], json!(43.0), "the text that proved it counts as read");
}

/// Protects: what was asked for as a stream is read as one, although its type is that of any JSON (Gemini's array).
#[test]
fn an_array_that_grows_is_the_answer() {
    let mut page = Page::new();
    page.enter(1_000.0, "Why are there tides?").open(1_008.0, 1, CHAT, ASKS);
    page.head(1_020.0, 1, 200, "application/json; charset=UTF-8");
    let element =
        json!({ "candidates": [{ "content": { "parts": [{ "text": USEFUL }] }, "finishReason": "STOP" }] });
    page.chunk(2_000.0, 1, &format!("[{element}")).draws(2_010.0, USEFUL);
    page.chunk(2_100.0, 1, "\n]").close(2_100.0, 1, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!(turn["outcome"], "completed", "{turn:#}");
    assert_eq!(turn["timings"]["firstVisibleToken"], json!(1043.0));
}

/// Protects: a POST that answers with JSON and a stream that follows are one turn from the gesture on.
#[test]
fn a_job_and_its_stream_are_one_turn() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").open(1_005.0, 1, "/jobs", Hint::POST).head(
        2_900.0,
        1,
        200,
        "application/json",
    );
    page.open(2_950.0, 2, "/jobs/42/stream", 0).head(3_000.0, 2, 200, SSE).says(3_100.0, 2, USEFUL);
    page.draws(3_110.0, USEFUL).finishes(3_200.0, 2, "stop").close(3_200.0, 2, End::Done);
    let turn = page.wait(6_000.0).report();
    assert_eq!(turn["timings"]["requestSent"], json!(1950.0));
    assert_eq!(turn["trigger"], "submit");
    assert_eq!(turn["requests"].as_array().map(Vec::len), Some(1));
}

/// Protects: a request after a tool call belongs to the turn that called it.
#[test]
fn a_tool_loop_is_one_turn() {
    let mut page = asked();
    page.finishes(1_500.0, 1, "tool_calls").close(1_500.0, 1, End::Done).wait(4_000.0);
    page.open(4_000.0, 2, CHAT, ASKS)
        .head(4_100.0, 2, 200, SSE)
        .says(4_200.0, 2, USEFUL)
        .draws(4_210.0, USEFUL);
    page.finishes(4_300.0, 2, "stop").close(4_300.0, 2, End::Done);
    let turn = page.wait(8_000.0).report();
    assert_eq!(turn["requests"].as_array().map(Vec::len), Some(2));
    assert_eq!(turn["timings"]["firstVisibleToken"], json!(3243.0));
}

/// Protects: an answer that is nowhere on the page is said to be so and not guessed.
#[test]
fn an_answer_that_is_not_found_is_flagged() {
    let mut page = asked();
    page.says(2_000.0, 1, USEFUL).finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done);
    let turn = page.wait(9_000.0).report();
    assert_eq!(turn["flags"], json!(["answerNotFound"]));
    assert_eq!(turn["outcome"], "completed");
    assert_eq!(turn["timings"].get("finalRender"), None);
}

/// Protects: malformed records are counted and flagged; the turn goes on.
#[test]
fn malformed_records_are_a_counted_fact() {
    let mut page = streaming();
    page.chunk(2_200.0, 1, "data: {\"choices\":[{\"delta\":{\"content\":\"cut\n\n");
    page.finishes(2_300.0, 1, "stop").close(2_300.0, 1, End::Done);
    let turn = page.wait(4_000.0).report();
    assert_eq!(turn["requests"][0]["malformed"], 1);
    assert!(turn["flags"].as_array().is_some_and(|flags| flags.contains(&json!("malformed"))));
}

/// Protects: a machine that slept, or a clock that was set, is flagged.
#[test]
fn a_clock_that_jumps_is_flagged() {
    let mut page = streaming();
    page.on(2_100.0, Event::Clock { wall: WALL + 2_100.0 + 28_800_000.0 });
    page.finishes(2_300.0, 1, "stop").close(2_300.0, 1, End::Done);
    assert_eq!(page.wait(4_000.0).report()["flags"], json!(["clockGap"]));
}

/// Protects: without consent to correlate no id of a request leaves the page.
#[test]
fn measuring_alone_sends_no_ids() {
    let mut page = Page::with(Config { seed: 7, consent: Consent::Measure, ..Config::default() });
    page.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page.says(1_200.0, 1, USEFUL).finishes(1_300.0, 1, "stop").close(1_300.0, 1, End::Done);
    let turn = page.wait(9_000.0).report();
    let request = turn["requests"][0].as_object().expect("a request");
    for id in ["requestId", "traceId", "spanId", "responseId"] {
        assert!(!request.contains_key(id), "{id}");
    }
    assert_eq!(request["model"], "m-1");
}

/// Protects: what the user did after a turn is told even if the application speaks of the next one in between.
#[test]
fn a_word_on_the_live_turn_keeps_what_is_untold_of_the_last() {
    use chat_vitals::core::event::Say;
    let mut page = streaming();
    page.finishes(2_100.0, 1, "stop").close(2_100.0, 1, End::Done);
    let first = page.wait(4_000.0).report();
    page.enter(6_000.0, "And the sun?").open(6_005.0, 2, CHAT, ASKS).on(6_100.0, Event::Say(Say::Complete));
    page.on(6_200.0, Event::Left { kept: false, tears: false });
    let reports = page.reports();
    let told = reports.iter().find(|turn| turn["id"] == first["id"]).expect("the first turn again");
    assert_eq!(told["timings"]["nextAction"], json!(5000.0));
}

/// Protects: what is not decided yet is kept with its ids, to be sent with or without them.
#[test]
fn pending_keeps_the_ids() {
    let mut page = Page::with(Config { seed: 7, consent: Consent::Pending, ..Config::default() });
    page.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page.says(1_200.0, 1, USEFUL).finishes(1_300.0, 1, "stop").close(1_300.0, 1, End::Done);
    let turn = page.wait(9_000.0).report();
    assert_eq!(turn["requests"][0]["requestId"], json!({ "x-request-id": "req-1" }));
}

/// Protects: quiet time after a stop, a failure or an answer that is nowhere is no wait of anyone.
#[test]
fn waits_end_when_the_waiting_ends() {
    let mut stopped = streaming();
    stopped.click(2_300.0, "Stop").close(2_301.0, 1, End::Aborted);
    let mut failed = streaming();
    failed.close(2_301.0, 1, End::Error);
    let mut nowhere = asked();
    nowhere.says(1_900.0, 1, USEFUL).finishes(4_000.0, 1, "stop").close(4_000.0, 1, End::Done);
    for (mut page, longest) in [(stopped, 1_043.0), (failed, 1_043.0), (nowhere, 900.0)] {
        let turn = page.wait(9_000.0).report();
        assert_eq!(number(&turn, "/waits/silent/max"), longest, "{:#}", turn["waits"]);
    }
}

/// Protects: what was drawn before anyone looked has no first moment; the rest of the turn is measured.
#[test]
fn an_engine_that_comes_late_guesses_nothing() {
    let mut page = Page::with(Config { seed: 7, born: 2_050.0, ..Config::default() });
    page.enter(1_000.0, "Hello").open(1_005.0, 1, CHAT, ASKS).head(1_100.0, 1, 200, SSE);
    page.says(2_000.0, 1, "Sure! ").draws(2_060.0, "Sure!").says(2_500.0, 1, USEFUL).draws(2_510.0, USEFUL);
    page.finishes(2_600.0, 1, "stop").close(2_600.0, 1, End::Done);
    let turn = page.wait(9_000.0).report();
    assert_eq!(turn["flags"], json!(["lateInstall"]));
    for first in ["firstFeedback", "firstVisibleToken", "firstUsefulContent"] {
        assert_eq!(turn["timings"].get(first), None, "{first}");
    }
    assert_eq!(turn["timings"]["finalRender"], json!(1543.0));
}

/// Protects: what came into view at once is one update, and what never did is no final render.
#[test]
fn out_of_view_is_not_rendered() {
    use chat_vitals::core::event::{Drawing, Place};
    use chat_vitals::core::useful::Shape;
    for seen in [false, true] {
        let mut page = asked();
        for (frame, characters) in [(1, 5), (2, 40), (3, 77)] {
            page.says(2_000.0 + f64::from(frame), 1, USEFUL);
            let drawing = Drawing {
                place: Place::Answer,
                frame,
                head: USEFUL,
                tail: USEFUL,
                characters,
                shape: Shape::NONE,
            };
            page.on(2_010.0 + f64::from(frame), Event::Drawn(drawing));
        }
        page.finishes(2_600.0, 1, "stop").close(2_600.0, 1, End::Done);
        if seen {
            page.on(2_900.0, Event::Painted { frame: 3, method: PaintMethod::Intersection });
        }
        let turn = page.wait(9_000.0).report();
        let expected = seen.then_some(&json!(1900.0)).cloned();
        assert_eq!(turn["timings"].get("finalRender").cloned(), expected);
        assert_eq!(turn["timings"].get("firstVisibleToken").cloned(), expected);
        assert_eq!(turn["updates"]["count"], json!(u32::from(seen)));
    }
}

/// Protects: a first try that was refused stays on record beside the one that was answered, and a request that
/// takes its time after the submit still belongs to it.
#[test]
fn a_refused_try_and_a_slow_request_belong_to_the_submit() {
    let mut page = Page::new();
    page.enter(1_000.0, "Hello").open(4_000.0, 1, CHAT, Hint::POST).head(4_100.0, 1, 503, "application/json");
    page.open(4_300.0, 2, CHAT, Hint::POST)
        .head(4_400.0, 2, 200, SSE)
        .says(4_500.0, 2, USEFUL)
        .draws(4_510.0, USEFUL);
    page.finishes(4_600.0, 2, "stop").close(4_600.0, 2, End::Done);
    let turn = page.wait(9_000.0).report();
    let status: Vec<&Value> =
        turn["requests"].as_array().expect("requests").iter().map(|r| &r["status"]).collect();
    assert_eq!(status, [503, 200]);
    assert_eq!((&turn["trigger"], &turn["outcome"]), (&json!("submit"), &json!("completed")));
    assert_eq!(turn["timings"]["requestSent"], json!(3000.0));
}

/// Protects: three stops within a second are rage, once.
#[test]
fn three_stops_in_a_second_are_rage() {
    let mut page = streaming();
    for at in [2_500.0, 2_700.0, 2_900.0, 3_100.0] {
        page.click(at, "Stop");
    }
    page.close(3_200.0, 1, End::Aborted);
    let turn = page.wait(6_000.0).report();
    let rage =
        turn["actions"].as_array().map(|actions| actions.iter().filter(|a| a["type"] == "rageStop").count());
    assert_eq!(rage, Some(1), "{:#}", turn["actions"]);
}

/// Protects: the application's own words: marks, useful, complete, attributes.
#[test]
fn the_application_has_its_say() {
    use chat_vitals::core::event::Say;
    use chat_vitals::core::label::Label;
    use chat_vitals::core::wire::Value as Declared;
    let mut page = streaming();
    let plan = Declared::Label(Label::new("pro").expect("a label"));
    page.on(2_100.0, Event::Say(Say::Mark("map drawn")));
    page.on(2_150.0, Event::Say(Say::Useful)).on(2_160.0, Event::Say(Say::Attribute("plan", plan)));
    page.on(2_170.0, Event::Say(Say::Mark("<b>not a label</b>")));
    page.finishes(2_300.0, 1, "stop").close(2_300.0, 1, End::Done).wait(4_000.0);
    page.on(9_000.0, Event::Say(Say::Complete)).on(9_500.0, Event::Left { kept: false, tears: false });
    let reports = page.reports();
    let turn = reports.last().expect("a report");
    assert_eq!(turn["marks"], json!({ "map drawn": 1100.0 }));
    assert_eq!(turn["attributes"], json!({ "plan": "pro" }));
    assert_eq!(
        (&turn["usefulMethod"], &turn["timings"]["firstUsefulContent"]),
        (&json!("app"), &json!(1150.0))
    );
    assert_eq!(
        (&turn["timings"]["taskComplete"], &turn["methods"]["taskComplete"]),
        (&json!(8000.0), &json!("app"))
    );
}
