//! What a page tells the core, as bytes: the whole core under any events in any order.
//!
//! Events have a record separator (U+001E) between them: a letter for what it is, one for the request, one for the time
//! that passes before it, and what belongs to it. What can't be read so is no event.
use super::allocations::Use;
use super::cuts::Cuts;
use chat_vitals::core::Core;
use chat_vitals::core::config::Config;
use chat_vitals::core::event::*;
use chat_vitals::core::framing::BUFFER_LIMIT;
use chat_vitals::core::useful::Shape;
use serde_json::Value;

/// What the core may hold beside the buffers of its streams: turns, their texts as far as they are kept, tables.
const SPARE: usize = 4 << 20;

/// Any events: nothing panics, the cuts of chunks change nothing, memory is bounded, and what is reported are numbers.
pub fn core(script: &[u8]) {
    let whole = run(script, Cuts::whole());
    for turn in &whole {
        assert_eq!(turn["outcome"].as_str().map(str::is_empty), Some(false), "{turn:#}");
        let timings = turn["timings"].as_object().into_iter().flatten();
        for (name, time) in timings {
            assert!(time.as_f64().is_some_and(|time| time >= 0.0), "{name} is {time}: {turn:#}");
        }
    }
    for cuts in Cuts::some(script) {
        assert_eq!(run(script, cuts), whole, "{cuts:?}");
    }
    let used = Use::of(|| drop(run(script, Cuts::small())));
    used.is_within(BUFFER_LIMIT.min(64 * script.len()) + SPARE, 4000 * script.len() + 16 * SPARE);
}

/// The turns that are reported.
fn run(script: &[u8], cuts: Cuts) -> Vec<Value> {
    let mut page = Page {
        core: Core::new(Config { seed: 7, ..Config::default() }),
        now: 1_000.0,
        wake: None,
        frame: 0,
        opened: 0,
        streams: [0, 1, 2, 3, 4, 5, 6, 7],
        answered: Vec::new(),
        turns: Vec::new(),
    };
    page.on(Event::Clock { wall: 1_796_059_156_000.0 });
    for step in script.split(|byte| *byte == 0x1E) {
        if let [what, stream, time, rest @ ..] = step {
            page.passes(f64::from(*time) * f64::from(*time) / 10.0);
            let stream = page.stream(*what, stream % 8);
            page.step(*what, stream, rest, cuts);
        }
    }
    page.passes(60_000.0);
    page.on(Event::Left { kept: false, tears: false });
    page.turns
}

struct Page {
    core: Core,
    now: Ms,
    wake: Option<Ms>,
    frame: u32,
    /// How many requests went out.
    opened: u32,
    /// The latest of those that have each of the names in a script.
    streams: [u32; 8],
    /// Those whose response began.
    answered: Vec<u32>,
    turns: Vec<Value>,
}

impl Page {
    fn on(&mut self, event: Event<'_>) {
        self.wake = self.core.on(self.now, event).wake;
        let turns = self.core.take_reports();
        self.turns.extend(turns.iter().map(|turn| serde_json::to_value(turn).expect("a turn is JSON")));
    }

    /// Lets the core have the wake-ups that it asks for; one that asks for the same again and again would never end.
    fn passes(&mut self, time: Ms) {
        let until = self.now + time;
        let mut wakes = 0;
        while let Some(wake) = self.wake.filter(|wake| *wake <= until) {
            self.now = self.now.max(wake);
            self.on(Event::Tick);
            wakes += 1;
            assert!(wakes < 1000, "it is woken for nothing");
        }
        self.now = until;
    }

    /// The number of the request that is meant: taps give each its own.
    fn stream(&mut self, what: u8, name: u8) -> u32 {
        let number = &mut self.streams[usize::from(name)];
        if what == b'O' {
            self.opened += 1;
            *number = (self.opened << 3) | u32::from(name);
        }
        *number
    }

    fn step(&mut self, what: u8, stream: u32, rest: &[u8], cuts: Cuts) {
        let text = String::from_utf8_lossy(rest);
        let text = text.as_ref();
        let (first, behind) = text.split_once(' ').unwrap_or((text, ""));
        let number = first.parse::<u32>().unwrap_or(u32::from(rest.first().copied().unwrap_or(0)));
        match what {
            b'O' => {
                let (transport, hint) = (Transport::from_number(number >> 4), Hint(number));
                let method = if hint.has(Hint::POST) { "POST" } else { "GET" };
                self.on(Event::Opened { stream, transport, method, url: behind, hint });
            }
            b'H' if !self.answered.contains(&stream) => {
                self.answered.push(stream); // a response begins once
                let headers = [("x-request-id", "req-1"), ("retry-after", "1")];
                let (status, content_type) = (number as u16, behind);
                self.on(Event::Head { stream, status, content_type, headers: &headers });
            }
            b'C' => cuts.of(rest).for_each(|bytes| self.on(Event::Chunk { stream, bytes })),
            b'M' => self.on(Event::Message { stream, event: first, data: behind }),
            b'S' => self.on(Event::Skipped { stream, length: f64::from(number) }),
            b'R' => self.on(Event::Reconnected { stream }),
            b'o' => self.on(Event::OutOfReach { stream }),
            b'i' => self.on(Event::AbortIgnored { stream }),
            b'T' => self.on(Event::Transferred { stream, end: self.now }),
            b'X' => self.on(Event::Closed { stream, end: End::from_number(number % 5), error_type: behind }),
            b'G' => self.gesture(number, behind),
            b'A' => self.on(Event::Appeared { text, role: Role::parse(first) }),
            b'F' => self.on(Event::Followed { before: first, text: behind }),
            b'D' => self.draw(number, behind),
            b'N' => self.on(Event::Noticed(Look { text, animated: stream & 7 == 1, ..Look::default() })),
            b'L' => self.on(Event::Left { kept: stream & 1 == 1, tears: stream & 2 == 2 }),
            b'Y' => self.say(number, behind),
            b'Q' => self.captured(stream, number, behind),
            b'w' => self.on(Event::Clock { wall: 1_796_059_156_000.0 + f64::from(number) }),
            b'm' => self.on(Event::Mistaken),
            b'g' => self.on(Event::Gone),
            b'I' => self.on(Event::IndicatorGone),
            b'f' => self.on(Event::Offscreen),
            b'h' => self.on(Event::Hidden),
            b's' => self.on(Event::Shown),
            b'v' => self.on(Event::Overflowed),
            _ => self.on(Event::Tick),
        }
    }

    fn gesture(&mut self, bits: u32, text: &str) {
        let is = |bit: u32| bits & bit != 0;
        let (label, composer) = if is(4) { ("", text) } else { (text, "") };
        let gesture = Gesture {
            touch: Touch::from_number(bits % 4),
            label,
            role: Role::parse(label),
            in_composer: is(8),
            by_composer: is(16),
            by_answer: is(32),
            composer,
        };
        self.on(Event::Gesture(gesture));
    }

    fn draw(&mut self, bits: u32, text: &str) {
        self.frame += 1;
        let (frame, characters) = (self.frame, text.encode_utf16().count() as u32);
        let place = if bits & 1 == 0 { Place::Answer } else { Place::Reasoning };
        let shape = if bits & 2 == 0 { Shape::NONE } else { Shape::CODE };
        self.on(Event::Drawn(Drawing { place, frame, head: text, tail: text, characters, shape }));
        self.passes(33.0);
        let method = match bits % 3 {
            0 => PaintMethod::Raf2,
            1 => PaintMethod::ElementTiming,
            _ => PaintMethod::Intersection,
        };
        self.on(Event::Painted { frame, method });
    }

    fn say(&mut self, number: u32, text: &str) {
        self.on(Event::Say(match number % 8 {
            0 => Say::Mark(text),
            1 => Say::Useful,
            2 => Say::Progress,
            3 => Say::Finish,
            4 => Say::Complete,
            5 => Say::Stop,
            6 => Say::Left,
            _ => Say::Attribute(text, chat_vitals::core::wire::Value::Number(f64::from(number))),
        }));
    }

    fn captured(&mut self, stream: u32, number: u32, content_type: &str) {
        let captured = Captured {
            transport: Transport::from_number(stream & 7),
            url: "https://example.com/api/chat",
            hint: Hint(stream & 7),
            start: (self.now - f64::from(number)).max(0.0),
            response_start: self.now,
            response_end: self.now,
            status: 200,
            content_type,
            bytes: 7.0,
        };
        self.on(Event::Captured(captured));
    }
}
