//! The turn: one submit of the user and the answer to it, over as many requests as it takes.
//!
//! May touch: the rest of the core but not `wire` beyond its enumerations, `report` or `outbox`.
//! A turn knows nothing of other turns; [`super::Core`] decides which turn an event belongs to.
mod flags;
pub mod outcome;
pub mod request;
pub mod screen;
mod texts;
mod thinking;

use super::answer::Echo;
use super::config::limits;
use super::event::{Drawing, Ms, PaintMethod, Place};
use super::label::Label;
use super::signal::Record;
use super::useful;
use super::wire::{ActionType, Flag, Method, Trigger, Value};
pub use flags::Flags;
use outcome::Ending;
use request::{Request, Standing};
use screen::{Change, Screen};
use texts::Texts;

/// How a turn began.
#[derive(Debug)]
pub struct Beginning {
    /// The gesture's time, else the request's.
    pub at: Ms,
    /// What it was.
    pub trigger: Trigger,
    /// Whether a trusted gesture began it.
    pub by_gesture: bool,
    /// What the user had written, to tell the echo from the answer.
    pub echo: Option<Echo>,
    /// The turn whose answer this one replaces.
    pub regenerates: Option<u64>,
}

/// One turn.
#[derive(Debug)]
pub struct Turn {
    /// Its id on the wire.
    pub id: u64,
    /// Its number on this page, for the shell.
    pub number: u32,
    /// How often it was reported.
    pub revision: u32,
    /// How it began.
    pub beginning: Beginning,
    /// Epoch milliseconds of its start.
    pub started_at: f64,
    /// Its requests, in the order they went out.
    pub requests: Vec<Request>,
    /// What of it is on screen.
    pub screen: Screen,
    /// What the user did, at times of the page.
    pub actions: Vec<(ActionType, Ms)>,
    /// Moments that the application named.
    pub marks: Vec<(Label, Ms)>,
    /// Attributes that the application gave it.
    pub attributes: Vec<(Label, Value)>,
    /// What a reader of the numbers has to know.
    pub flags: Flags,
    /// Time out of sight so far.
    pub hidden_total: Ms,
    /// Since when it is out of sight.
    pub hidden_since: Option<Ms>,
    /// The page was left, but the browser keeps it: abandoned unless the user comes back.
    pub is_left: bool,
    /// When a control by the composer was pressed last while it ran.
    pub pressed: Option<Ms>,
    /// Whether a control began it that may as well have refreshed something else.
    pub refreshes: bool,
    /// Whether something was sent off: by a form, or by a control of that name.
    pub is_sent: bool,
    /// Whether it was told of as failed, and may still be asked for again.
    pub is_told: bool,
    /// Since when its answer is off a page whose address changed.
    pub gone_since: Option<Ms>,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
    /// The application said that the answer is drawn.
    pub finished_by_app: bool,
    /// When the task was done, and by whose word.
    pub task_complete: Option<(Ms, Method)>,
    /// The user's next action.
    pub next_action: Option<Ms>,
    texts: Texts,
    found: bool,
    /// Whether any request went out on its account, chat or not.
    pub had_requests: bool,
    ends_hidden: bool,
}

impl Turn {
    /// A turn that just began.
    pub fn new(id: u64, number: u32, beginning: Beginning, started_at: f64) -> Self {
        Self {
            id,
            number,
            revision: 0,
            started_at,
            requests: Vec::new(),
            screen: Screen::new(beginning.at),
            beginning,
            actions: Vec::new(),
            marks: Vec::new(),
            attributes: Vec::new(),
            flags: Flags::default(),
            hidden_total: 0.0,
            hidden_since: None,
            is_left: false,
            pressed: None,
            refreshes: false,
            is_sent: false,
            is_told: false,
            gone_since: None,
            ending: None,
            finished_by_app: false,
            task_complete: None,
            next_action: None,
            texts: Texts::default(),
            found: false,
            had_requests: false,
            ends_hidden: false,
        }
    }

    /// Whether any of its requests is a chat for sure, or likely enough to be worth a record.
    pub fn is_chat(&self) -> bool {
        self.requests.iter().any(|request| request.standing >= Standing::Likely)
    }

    /// Whether a request is still running.
    pub fn is_streaming(&self) -> bool {
        self.requests.iter().any(Request::is_open)
    }

    /// Whether the turn had begun at `sent`. One that no gesture began begins with its earliest request.
    pub fn began_by(&mut self, sent: Ms) -> bool {
        let before = self.beginning.at - sent;
        if before > 0.0 && !self.beginning.by_gesture {
            self.beginning.at = sent;
            self.started_at -= before;
        }
        self.beginning.at <= sent
    }

    /// Adds a request; over the limit it is flagged, not kept.
    pub fn add(&mut self, mut request: Request) {
        self.had_requests = true;
        let speaks =
            |voice: &usize| !self.requests.iter().any(|other| other.is_open() && other.voice == *voice);
        request.voice = (0..limits::REQUESTS).find(speaks).unwrap_or_default();
        self.is_told = false;
        if self.requests.len() < limits::REQUESTS {
            self.requests.push(request);
        } else {
            self.flags.raise(Flag::Truncated);
        }
    }

    /// The request of this stream.
    pub fn request(&mut self, stream: u32) -> Option<&mut Request> {
        self.requests.iter_mut().find(|request| request.stream == stream)
    }

    /// Runs `step` on the request of this stream; records that come out move the turn.
    pub fn stream(
        &mut self,
        at: Ms,
        stream: u32,
        step: impl FnOnce(&mut Request, &mut dyn FnMut(&Record<'_>)),
    ) {
        let Some(request) = self.requests.iter_mut().find(|request| request.stream == stream) else { return };
        let (texts, voice) = (&mut self.texts, request.voice);
        step(request, &mut |record| texts.push(at, voice, record.text, record.reasoning));
        // Buttons without a name stop as well: where send was, with nothing written, and the page broke off at once.
        let stops =
            |pressed: &Ms| request.was_broken_off() && (0.0..=limits::GESTURE).contains(&(at - pressed));
        if let Some(pressed) = self.pressed.take_if(|pressed| stops(pressed)) {
            self.act(ActionType::Stop, pressed);
        }
    }

    /// When the first of its requests will have ended without a word.
    pub fn concludes(&self) -> Option<Ms> {
        self.requests.iter().filter_map(|request| Some(request.conclusion()?.0)).reduce(f64::min)
    }

    /// Ends the requests whose ends nobody tells.
    pub fn conclude(&mut self, at: Ms) {
        let texts = &mut self.texts;
        let due = |request: &&mut Request| request.conclusion().is_some_and(|(due, _, _)| due <= at);
        for request in self.requests.iter_mut().filter(due) {
            let voice = request.voice;
            request.conclude(&mut |record| texts.push(at, voice, record.text, record.reasoning));
            if request.is_lost {
                self.flags.raise(Flag::BodyOutOfReach);
            }
        }
    }

    /// Text that a stream delivered before it was known to belong here.
    pub fn deliver(&mut self, at: Ms, stream: u32, text: &str, reasoning: &str) {
        let voice = self.request(stream).map_or(0, |request| request.voice);
        self.texts.push(at, voice, text, reasoning);
    }

    /// Text at a known place changed.
    pub fn drawn(&mut self, at: Ms, drawing: &Drawing<'_>, limits: &useful::Limits) {
        if drawing.characters == 0 {
            return;
        }
        let mut change = Change { frame: drawing.frame, characters: drawing.characters, ..Change::default() };
        if drawing.place == Place::Reasoning {
            change.reasoning = true;
        } else {
            self.found = true;
            self.gone_since = None;
            if drawing.characters == self.screen.characters {
                return;
            }
            change.answer = true;
            change.read_at = self.texts.arrival_of(drawing.tail);
            if !self.screen.is_useful() {
                change.useful = useful::useful(drawing.head, drawing.shape, limits);
            }
        }
        self.screen.change(at, change);
    }

    /// A frame was painted.
    pub fn painted(&mut self, at: Ms, frame: u32, method: PaintMethod) {
        if method == PaintMethod::Intersection {
            self.flags.raise(Flag::Offscreen);
        }
        self.screen.painted(at, frame, method);
    }

    /// Notes what the user did. A key, a click and a submit of the same act are one action; stops are counted one by one.
    pub fn act(&mut self, kind: ActionType, at: Ms) {
        let again = |(before, when): &(ActionType, Ms)| *before == kind && at - when < limits::SAME_ACT;
        let repeats = kind != ActionType::Stop && self.actions.last().is_some_and(again);
        if !repeats && self.actions.len() < limits::ACTIONS {
            self.actions.push((kind, at));
        }
    }

    /// Gives the turn an attribute; the same key again replaces its value.
    pub fn set_attribute(&mut self, key: &str, value: Value) {
        let Some(key) = Label::new(key) else { return };
        if let Some((_, old)) = self.attributes.iter_mut().find(|(name, _)| *name == key) {
            *old = value;
        } else if self.attributes.len() < limits::ATTRIBUTES {
            self.attributes.push((key, value));
        }
    }

    /// The tab went out of sight.
    pub fn hide(&mut self, at: Ms) {
        if self.ending.is_some() || self.hidden_since.is_some() {
            return;
        }
        self.hidden_since = Some(at);
        self.flags.raise(Flag::Hidden);
        self.screen.interrupt(at);
        self.act(ActionType::Hide, at);
    }

    /// The page was left and may come back: time out of sight counts only if it does.
    pub fn put_away(&mut self, at: Ms) {
        if self.ending.is_some() {
            return;
        }
        self.is_left = true;
        self.hidden_since.get_or_insert(at);
        self.screen.interrupt(at);
        self.act(ActionType::Leave, at);
    }

    /// The tab is back.
    pub fn show(&mut self, at: Ms) {
        if self.count_hidden(at) {
            self.flags.raise(Flag::Hidden);
            self.act(ActionType::Return, at);
        }
        self.is_left = false;
    }

    /// Closes the time out of sight; whether there was any.
    fn count_hidden(&mut self, at: Ms) -> bool {
        let Some(since) = self.hidden_since.take() else { return false };
        self.hidden_total += (at - since).max(0.0);
        self.screen.resume(at);
        true
    }

    /// When the last request ended; nothing while one is running or none went out.
    pub fn streams_ended(&self) -> Option<Ms> {
        let mut last = None;
        for request in &self.requests {
            let (at, _) = request.end?;
            last = Some(last.map_or(at, |last: Ms| last.max(at)));
        }
        last
    }

    /// Whether the last request ended in a call of a tool that the page has to run.
    pub fn expects_more(&self) -> bool {
        let facts = self.requests.last().and_then(Request::facts);
        let reason = facts.and_then(|facts| facts.finish_reason.as_ref());
        reason.is_some_and(|reason| matches!(reason.as_str(), "tool_calls" | "tool_use" | "tool-calls"))
    }

    /// Whether its last request failed.
    pub fn has_failed(&self) -> bool {
        self.requests.last().is_some_and(Request::has_failed)
    }

    /// Whether the user or the application stopped it.
    pub fn was_stopped(&self) -> bool {
        self.actions.iter().any(|(kind, _)| *kind == ActionType::Stop)
    }

    /// Whether the page broke off a request that was not done.
    pub fn was_broken_off(&self) -> bool {
        self.requests.iter().any(Request::was_broken_off)
    }

    /// Whether the user wrote the message that began it.
    pub fn is_written(&self) -> bool {
        self.beginning.echo.is_some()
    }

    /// Whether somebody asked for something: wrote a message, or sent off what stands in a field, which is not looked at.
    pub fn is_asked(&self) -> bool {
        self.is_written() || self.is_sent
    }

    /// Text that was read before the engine was there may have been drawn before it, too: the first moments on
    /// screen are not known then.
    pub fn began_unseen(&mut self, born: Ms) {
        if self.texts.first_read.is_some_and(|read| read < born) {
            self.flags.raise(Flag::LateInstall);
            self.screen.forget_beginning();
        }
    }

    /// When the first visible character was read.
    pub fn first_text_read(&self) -> Option<Ms> {
        self.texts.first_read
    }

    /// Whether everything that the streams delivered is on screen.
    pub fn is_all_shown(&self) -> bool {
        let shown = self.screen.shown_up_to.unwrap_or(f64::NEG_INFINITY);
        // The end of a text is looked up by its letters: a last mark alone may be a chunk of its own.
        self.found && self.texts.last_read.is_none_or(|last| last - shown < limits::SAME_ACT)
    }

    /// Whether the answer was found on the page.
    pub fn is_found(&self) -> bool {
        self.found
    }
}
