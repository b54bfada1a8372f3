//! A page as the core sees it: what a shell would tell, in a few words.
use chat_vitals::core::Core;
use chat_vitals::core::config::Config;
use chat_vitals::core::event::*;
use chat_vitals::core::useful::Shape;
use chat_vitals::core::wire;
use serde_json::{Value, json};

pub const WALL: f64 = 1_796_059_156_000.0;

pub struct Page {
    pub core: Core,
    pub effects: Effects,
    frame: u32,
    drawn: String,
}

impl Page {
    pub fn new() -> Self {
        Self::with(Config { seed: 7, ..Config::default() })
    }

    pub fn with(config: Config) -> Self {
        let mut page =
            Self { core: Core::new(config), effects: Effects::default(), frame: 0, drawn: String::new() };
        page.on(0.0, Event::Clock { wall: WALL });
        page
    }

    pub fn on(&mut self, at: Ms, event: Event<'_>) -> &mut Self {
        self.effects = self.core.on(at, event);
        self
    }

    pub fn click(&mut self, at: Ms, label: &str) -> &mut Self {
        self.on(
            at,
            Event::Gesture(Gesture {
                touch: Touch::Click,
                label,
                role: None,
                in_composer: false,
                by_composer: false,
                by_answer: false,
                composer: "",
            }),
        )
    }

    pub fn enter(&mut self, at: Ms, text: &str) -> &mut Self {
        self.drawn.clear();
        let gesture = Gesture {
            touch: Touch::Enter,
            label: "",
            role: None,
            in_composer: true,
            by_composer: false,
            by_answer: false,
            composer: text,
        };
        self.on(at, Event::Gesture(gesture))
    }

    pub fn open(&mut self, at: Ms, stream: u32, url: &str, hint: u32) -> &mut Self {
        let hint = Hint(hint);
        let method = if hint.has(Hint::POST) { "POST" } else { "GET" };
        self.on(at, Event::Opened { stream, transport: Transport::Fetch, method, url, hint })
    }

    pub fn head(&mut self, at: Ms, stream: u32, status: u16, content_type: &str) -> &mut Self {
        let headers = [("x-request-id", "req-1"), ("server-timing", "queue;dur=12.5, prefill;dur=80")];
        self.on(at, Event::Head { stream, status, content_type, headers: &headers })
    }

    pub fn chunk(&mut self, at: Ms, stream: u32, bytes: &str) -> &mut Self {
        self.on(at, Event::Chunk { stream, bytes: bytes.as_bytes() })
    }

    /// The server says `text` in the words of OpenAI Chat.
    pub fn says(&mut self, at: Ms, stream: u32, text: &str) -> &mut Self {
        self.delta(at, stream, json!({ "content": text }))
    }

    pub fn thinks(&mut self, at: Ms, stream: u32, text: &str) -> &mut Self {
        self.delta(at, stream, json!({ "reasoning_content": text }))
    }

    fn delta(&mut self, at: Ms, stream: u32, delta: Value) -> &mut Self {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-1",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": null }],
        });
        self.chunk(at, stream, &format!("data: {chunk}\n\n"))
    }

    pub fn finishes(&mut self, at: Ms, stream: u32, reason: &str) -> &mut Self {
        let chunk = json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-1",
            "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }],
        });
        self.chunk(at, stream, &format!("data: {chunk}\n\ndata: [DONE]\n\n"))
    }

    pub fn close(&mut self, at: Ms, stream: u32, end: End) -> &mut Self {
        let error_type = if end == End::Aborted { "AbortError" } else { "" };
        self.on(at, Event::Closed { stream, end, error_type })
    }

    /// The page draws `text` after what it drew before; the frame is painted two frames later.
    pub fn draws(&mut self, at: Ms, text: &str) -> &mut Self {
        self.place(at, Place::Answer, text)
    }

    pub fn draws_reasoning(&mut self, at: Ms, text: &str) -> &mut Self {
        self.place(at, Place::Reasoning, text)
    }

    fn place(&mut self, at: Ms, place: Place, text: &str) -> &mut Self {
        self.frame += 1;
        let whole = if place == Place::Answer {
            self.drawn.push_str(text);
            self.drawn.clone()
        } else {
            text.to_string()
        };
        let tail: String = whole.chars().rev().take(48).collect::<Vec<_>>().into_iter().rev().collect();
        let drawing = Drawing {
            place,
            frame: self.frame,
            head: &whole,
            tail: &tail,
            characters: whole.trim().chars().count() as u32,
            shape: Shape::NONE,
        };
        self.on(at, Event::Drawn(drawing));
        self.on(at + 33.0, Event::Painted { frame: self.frame, method: PaintMethod::Raf2 })
    }

    pub fn notices(&mut self, at: Ms, text: &str, animated: bool) -> &mut Self {
        let look = Look { text, animated, width: 100.0, height: 20.0, ..Look::default() };
        self.on(at, Event::Noticed(look))
    }

    /// Lets the core have every wake-up that it asks for up to `until`.
    pub fn wait(&mut self, until: Ms) -> &mut Self {
        while let Some(wake) = self.effects.wake.filter(|wake| *wake <= until) {
            self.on(wake, Event::Tick);
        }
        self.on(until, Event::Tick)
    }

    pub fn reports(&mut self) -> Vec<Value> {
        let turns: Vec<wire::Turn> = self.core.take_reports();
        turns.iter().map(|turn| serde_json::to_value(turn).expect("a turn is JSON")).collect()
    }

    /// The one report that there is.
    pub fn report(&mut self) -> Value {
        let mut reports = self.reports();
        assert_eq!(reports.len(), 1, "{reports:#?}");
        reports.remove(0)
    }
}
