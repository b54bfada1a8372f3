//! Properties of the core that hold whatever a page, a server and a user do.
use chat_vitals::core::Core;
use chat_vitals::core::config::Config;
use chat_vitals::core::event::*;
use chat_vitals::core::useful::Shape;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

const WALL: f64 = 1_796_059_156_000.0;
/// Words that stand for what people write and read; none of them may ever come out.
const SECRETS: [&str; 6] = [
    "Wellensittich",
    "krankenkasse",
    "Zugspitze",
    "https://bank.example/konto/8812?pin=4711",
    "größtenteils",
    "<b>",
];

/// One thing that happens, after some time.
#[derive(Clone, Debug)]
struct Step {
    after: f64,
    what: u8,
    stream: u32,
    secret: usize,
    number: u32,
}

fn step() -> impl Strategy<Value = Step> {
    (0.0..4_000.0, 0u8..28, 0u32..4, 0..SECRETS.len(), 0u32..400)
        .prop_map(|(after, what, stream, secret, number)| Step { after, what, stream, secret, number })
}

fn play(core: &mut Core, at: Ms, step: &Step) -> Effects {
    let secret = SECRETS[step.secret];
    let stream = step.stream;
    let chunk = format!(
        "data: {{\"object\":\"chat.completion.chunk\",\"model\":\"{secret}\",\"id\":\"{secret}\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{secret} \"}}}}]}}\n\n"
    );
    let gesture = |touch, label, in_composer| Gesture {
        touch,
        label,
        role: None,
        in_composer,
        by_composer: !in_composer,
        by_answer: in_composer,
        composer: secret,
    };
    let event = match step.what {
        0 => Event::Gesture(gesture(Touch::Enter, "", true)),
        1 => Event::Gesture(gesture(Touch::Click, "Stop", false)),
        2 => Event::Gesture(gesture(Touch::Click, "Regenerate", false)),
        3 => Event::Gesture(gesture(Touch::Click, secret, false)),
        4 | 5 => Event::Opened {
            stream,
            transport: Transport::Fetch,
            method: "POST",
            url: secret,
            hint: Hint(step.number % 8),
        },
        6 | 7 => Event::Head {
            stream,
            status: 200 + (step.number as u16 % 3) * 150,
            content_type: if step.number.is_multiple_of(2) { "text/event-stream" } else { secret },
            headers: &[("x-request-id", secret), ("server-timing", secret), ("traceparent", secret)],
        },
        8..=11 => Event::Chunk { stream, bytes: chunk.as_bytes() },
        12 => Event::Closed { stream, end: End::from_number(step.number % 5), error_type: secret },
        13 => Event::Drawn(Drawing {
            place: if step.number.is_multiple_of(3) { Place::Reasoning } else { Place::Answer },
            frame: step.number,
            head: secret,
            tail: secret,
            characters: step.number,
            shape: Shape::from_bits(step.number as u8),
        }),
        14 | 15 => Event::Painted { frame: step.number, method: PaintMethod::Raf2 },
        16 => Event::Painted { frame: step.number, method: PaintMethod::ElementTiming },
        17 => Event::Noticed(Look {
            text: secret,
            animated: true,
            width: 50.0,
            height: 20.0,
            ..Look::default()
        }),
        18 => Event::Hidden,
        19 => Event::Shown,
        20 => Event::Say(Say::Mark(secret)),
        21 => Event::Appeared { text: secret, role: None },
        22 => Event::Clock { wall: WALL + at },
        23 => Event::OutOfReach { stream },
        24 => Event::AbortIgnored { stream },
        25 => Event::Transferred { stream, end: at - f64::from(step.number) / 10.0 },
        26 => Event::Captured(Captured {
            transport: Transport::Fetch,
            url: secret,
            hint: Hint(step.number % 2),
            start: at - f64::from(step.number),
            response_start: if step.number.is_multiple_of(3) {
                0.0
            } else {
                at - f64::from(step.number) / 2.0
            },
            response_end: at,
            status: 200,
            content_type: if step.number.is_multiple_of(5) { "text/event-stream" } else { secret },
            bytes: f64::from(step.number),
        }),
        _ => Event::Tick,
    };
    core.on(at, event)
}

/// Plays the steps, with every wake-up that the core asks for, and leaves.
fn reports(steps: &[Step]) -> Vec<Value> {
    let mut core = Core::new(Config { seed: 1, ..Config::default() });
    core.on(0.0, Event::Clock { wall: WALL });
    let (mut at, mut effects, mut all) = (0.0, Effects::default(), Vec::new());
    for step in steps {
        let until = at + step.after;
        while let Some(wake) = effects.wake.filter(|wake| *wake <= until) {
            at = wake.max(at);
            effects = core.on(at, Event::Tick);
            assert_ne!(effects.wake, Some(wake), "a wake-up that is due again at once never ends");
        }
        at = until;
        effects = play(&mut core, at, step);
        all.extend(core.take_reports());
    }
    core.on(at + 1.0, Event::Left { kept: false, tears: false });
    all.extend(core.take_reports());
    all.iter().map(|turn| serde_json::to_value(turn).expect("a turn is JSON")).collect()
}

fn number(turn: &Value, path: &str) -> Option<f64> {
    turn.pointer(path).and_then(Value::as_f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Protects: no text of the page, the prompt, the answer, a header or a URL is in any report, whatever happens.
    #[test]
    fn no_text_leaves(steps in vec(step(), 1..60)) {
        for turn in reports(&steps) {
            let json = turn.to_string().to_lowercase();
            for secret in ["bank.example", "pin=", "pin:", "größ", "<b>"] {
                prop_assert!(!json.contains(secret), "{secret} in {json}");
            }
        }
    }

    /// Protects: revisions of a turn rise by one, and a final turn says how it ended.
    #[test]
    fn revisions_rise_and_ends_are_named(steps in vec(step(), 1..60)) {
        let mut last = std::collections::HashMap::new();
        for turn in reports(&steps) {
            let id = turn["id"].as_str().unwrap_or_default().to_string();
            let revision = turn["revision"].as_u64().unwrap_or_default();
            prop_assert_eq!(revision, last.get(&id).copied().unwrap_or(0) + 1);
            last.insert(id, revision);
            // What failed may be asked for again by its client: it is told of before that is known.
            let is_told = turn["outcome"] == "failed";
            prop_assert!(is_told || (turn["final"] == true) == (turn["outcome"] != "open"), "{}", turn["outcome"]);
            // What nobody watched ended nowhere on screen.
            let is_seen = turn.get("waits").is_some();
            prop_assert_eq!(turn.get("phase").is_some(), is_seen && turn["outcome"] != "completed");
        }
    }

    /// Protects: no time is negative or missing where it was reached, and milestones keep their order.
    #[test]
    fn times_are_in_order(steps in vec(step(), 1..60)) {
        for turn in reports(&steps) {
            let timings = turn["timings"].as_object().expect("timings");
            prop_assert!(timings.values().all(|value| value.as_f64().is_some_and(|ms| ms >= 0.0)), "{turn:#}");
            for (before, after) in [
                ("requestSent", "responseStart"),
                ("requestSent", "firstChunk"),
                ("firstChunk", "lastChunk"),
                ("firstVisibleToken", "finalRender"),
            ] {
                let (Some(a), Some(b)) = (number(&turn, &format!("/timings/{before}")), number(&turn, &format!("/timings/{after}"))) else {
                    continue;
                };
                prop_assert!(a <= b + 0.1, "{before} {a} after {after} {b}");
            }
            for wait in ["silent", "static", "stalls"].into_iter().filter(|_| turn.get("waits").is_some()) {
                let (total, max) = (number(&turn, &format!("/waits/{wait}/total")), number(&turn, &format!("/waits/{wait}/max")));
                let count = number(&turn, &format!("/waits/{wait}/count"));
                prop_assert!(count == Some(0.0) && total == Some(0.0) || total >= max, "{}", turn["waits"]);
            }
        }
    }

    /// Protects: the same events give the same reports.
    #[test]
    fn the_core_is_a_function(steps in vec(step(), 1..40)) {
        prop_assert_eq!(reports(&steps), reports(&steps));
    }
}
