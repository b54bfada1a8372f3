//! Whole turns through the only door, as pages and people make them.
use crate::core::Core;
use crate::core::config::Config;
use crate::core::event::{
    Drawing, Effects, End, Event, Gesture, Hint, Look, Ms, PaintMethod, Place, Touch, Transport, Verdict,
};
use crate::core::useful::Shape;
use crate::core::wire::{self, ActionType, FeedbackKind, Flag, Method, Outcome, Phase, Trigger};

const QUESTION: &str = "Why are there tides at the coast?";
const USEFUL: &str = "The tide follows the moon because gravity pulls the water into two bulges.";

/// A page with a chat on it.
struct Page {
    core: Core,
    frame: u32,
    drawn: String,
}

impl Page {
    fn new() -> Self {
        Self { core: Core::new(Config { seed: 7, ..Config::default() }), frame: 0, drawn: String::new() }
    }

    fn on(&mut self, at: Ms, event: Event<'_>) -> Effects {
        self.core.on(at, event)
    }

    /// Enter in the composer, and the request that follows.
    fn ask(&mut self, at: Ms, stream: u32) {
        self.drawn.clear();
        self.touch(at, Touch::Enter, "", QUESTION);
        self.open(at + 5.0, stream);
    }

    fn touch(&mut self, at: Ms, touch: Touch, label: &str, composer: &str) {
        let in_composer = touch == Touch::Enter;
        self.on(at, Event::Gesture(Gesture { touch, label, role: None, in_composer, composer }));
    }

    fn open(&mut self, at: Ms, stream: u32) {
        let hint = Hint(Hint::POST);
        let (method, url) = ("POST", "https://chat.test/api/chat");
        self.on(at, Event::Opened { stream, transport: Transport::Fetch, method, url, hint });
    }

    fn head(&mut self, at: Ms, stream: u32, status: u16) {
        let content_type = if status < 400 { "text/event-stream" } else { "application/json" };
        self.on(at, Event::Head { stream, status, content_type, headers: &[] });
    }

    fn chunk(&mut self, at: Ms, stream: u32, text: &str) {
        let data = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
        self.on(at, Event::Chunk { stream, bytes: data.as_bytes() });
    }

    fn done(&mut self, at: Ms, stream: u32) {
        self.on(at, Event::Chunk { stream, bytes: b"data: [DONE]\n\n" });
        self.on(at, Event::Closed { stream, end: End::Done, error_type: "" });
    }

    /// The page draws `text` after what is there, and the frame with it is painted 10 ms later.
    fn draw(&mut self, at: Ms, text: &str) {
        self.frame += 1;
        self.drawn.push_str(text);
        let (frame, drawn) = (self.frame, self.drawn.clone());
        let verdict = self.on(at, Event::Appeared { text: &drawn, role: None }).verdict;
        assert_eq!(verdict, Verdict::Answer, "the answer is recognised");
        let characters = drawn.len() as u32;
        let place = Place::Answer;
        let (head, tail, shape) = (drawn.as_str(), drawn.as_str(), Shape::default());
        self.on(at, Event::Drawn(Drawing { place, frame, head, tail, characters, shape }));
        self.on(at + 10.0, Event::Painted { frame, method: PaintMethod::Raf2 });
    }

    fn spinner(&mut self, at: Ms) {
        let look = Look { animated: true, width: 20.0, height: 20.0, ..Look::default() };
        self.on(at, Event::Noticed(look));
    }

    /// An answer from head to useful text, still open.
    fn stream_to_useful(&mut self, at: Ms, stream: u32) {
        self.head(at, stream, 200);
        self.chunk(at + 10.0, stream, USEFUL);
        self.draw(at + 12.0, USEFUL);
    }

    fn tick(&mut self, at: Ms) {
        self.on(at, Event::Tick);
    }

    fn report(&mut self) -> wire::Turn {
        self.core.take_reports().pop().expect("a report")
    }
}

fn actions(turn: &wire::Turn) -> Vec<ActionType> {
    turn.actions.iter().map(|action| action.kind).collect()
}

/// Protects: a page that the browser keeps has been left all the same; only its return takes that back.
#[test]
fn leaving_a_kept_page_abandons_unless_it_returns() {
    let mut page = Page::new();
    page.ask(0.0, 1);
    page.stream_to_useful(100.0, 1);
    page.on(500.0, Event::Left { kept: true });
    page.on(501.0, Event::Hidden);
    let left = page.report();
    assert_eq!(
        (left.outcome, left.phase, left.is_final),
        (Outcome::Abandoned, Some(Phase::Streaming), false)
    );
    assert_eq!(left.flags, [], "what was seen before was not seen hidden");
    assert_eq!(actions(&left), [ActionType::Leave]);

    page.on(9_000.0, Event::Shown);
    page.done(9_100.0, 1);
    page.tick(12_000.0);
    let returned = page.report();
    assert_eq!((returned.outcome, returned.is_final), (Outcome::Completed, true));
    assert_eq!(returned.id.0, left.id.0);
    assert!(returned.revision > left.revision);
    assert_eq!(returned.flags, [Flag::Hidden]);
    assert_eq!(actions(&returned), [ActionType::Leave, ActionType::Return]);
}

/// Protects: who leaves when the whole answer is on screen gave up nothing, whether the browser keeps the page or not.
#[test]
fn leaving_after_the_answer_is_no_abandonment() {
    for kept in [true, false] {
        let mut page = Page::new();
        page.ask(0.0, 1);
        page.stream_to_useful(100.0, 1);
        page.done(150.0, 1);
        page.on(300.0, Event::Left { kept });
        let turn = page.report();
        assert_eq!((turn.outcome, turn.is_final), (Outcome::Completed, true), "kept: {kept}");
    }
}

/// Protects: an ordinary turn has its milestones at their times and no phase.
#[test]
fn a_completed_turn() {
    let mut page = Page::new();
    page.ask(0.0, 1);
    page.spinner(20.0);
    page.stream_to_useful(100.0, 1);
    page.done(200.0, 1);
    page.tick(5_000.0);
    let turn = page.report();
    assert_eq!((turn.outcome, turn.phase, turn.trigger), (Outcome::Completed, None, Trigger::Submit));
    assert_eq!(turn.feedback_kind, Some(FeedbackKind::Indicator));
    assert_eq!(turn.methods.final_render, Some(Method::Raf2));
    let json = serde_json::to_value(&turn.timings).expect("serialises");
    let times = ["requestSent", "responseStart", "firstChunk", "firstVisibleToken", "firstUsefulContent"];
    assert_eq!(times.map(|name| json[name].as_f64().expect(name)), [5.0, 100.0, 110.0, 122.0, 122.0]);
}

/// Protects: a rate limit is a failed turn, and the retry replaces it.
#[test]
fn a_rate_limit_and_its_retry() {
    let mut page = Page::new();
    page.ask(0.0, 1);
    page.spinner(20.0);
    page.head(100.0, 1, 429);
    page.tick(2_000.0);
    let failed = page.report();
    assert_eq!((failed.outcome, failed.phase), (Outcome::Failed, Some(Phase::BeforeToken)));
    page.touch(3_000.0, Touch::Click, "Retry", "");
    page.open(3_010.0, 2);
    page.stream_to_useful(3_100.0, 2);
    page.done(3_200.0, 2);
    page.tick(6_000.0);
    let retry = page.report();
    assert_eq!((retry.outcome, retry.trigger), (Outcome::Completed, Trigger::Retry));
    assert_eq!(retry.regenerates.map(|id| id.0), Some(failed.id.0));
}
