//! The functional core: bytes and times in, values out.
//!
//! May touch: nothing but memory. No clock, no timer, no socket, no global, no web type.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable,
        clippy::todo
    )
)]

pub mod answer;
pub mod config;
pub mod controls;
pub mod correlation;
pub mod engine_name;
pub mod event;
pub mod format;
pub mod histogram;
pub mod intent;
pub mod label;
pub mod notice;
pub mod outbox;
pub mod report;
pub mod route;
pub mod signal;
pub mod summary;
pub mod turn;
pub mod turns;
pub mod updates;
pub mod useful;
pub mod waits;
pub mod wire;

pub use chat_vitals_records::{framing, json, text};

use config::{Config, Consent};
use event::{Effects, Event, Ms, Say, Verdict};
use label::Label;
use summary::Summary;
use turn::screen::{Change, Moment};
use turns::Turns;
use wire::{FeedbackKind, Method};

/// The core: everything that is known of the chats of one page.
#[derive(Debug)]
pub struct Core {
    turns: Turns,
    summary: Summary,
    /// The turn that it took in last: later revisions are of that one.
    summed_up: Option<u64>,
    /// The last time seen; time never runs back.
    now: Ms,
}

impl Core {
    /// A core that has seen nothing.
    pub fn new(config: Config) -> Self {
        Self { turns: Turns::new(config), summary: Summary::default(), summed_up: None, now: 0.0 }
    }

    /// The only door: something happened at a time of the page's clock.
    pub fn on(&mut self, at: Ms, event: Event<'_>) -> Effects {
        self.now = self.now.max(at);
        let mut effects = Effects::default();
        match event {
            Event::Appeared { text, role } => {
                (effects.verdict, effects.sure) = self.turns.appeared(at, text, role);
            }
            Event::Followed { before, text } => {
                if self.turns.active().is_some_and(|turn| turn.continues(before, text)) {
                    effects.verdict = Verdict::Answer;
                }
            }
            Event::Hidden => {
                self.turns.hide(at);
                effects.urgent = true;
            }
            Event::Left { kept, tears } => {
                self.turns.leave(at, kept, tears);
                effects.urgent = true;
            }
            other => self.handle(at, other),
        }
        self.turns.tick(self.now);
        self.state(effects)
    }

    fn handle(&mut self, at: Ms, event: Event<'_>) {
        let turns = &mut self.turns;
        match event {
            Event::Opened { stream, transport, method, url, hint } => {
                turns.opened(at, stream, transport, method, url, hint);
            }
            Event::Sent { stream, name, value } => {
                turns.stream(at, stream, &mut |request, _| request.correlation.sent(name, value));
            }
            Event::Head { stream, status, content_type, headers } => {
                turns.head(at, stream, status, content_type, headers);
            }
            Event::Chunk { stream, bytes } => {
                turns.stream(at, stream, &mut |request, sink| request.chunk(at, bytes, sink));
            }
            Event::Message { stream, event, data } => {
                turns.stream(at, stream, &mut |request, sink| request.message(at, event, data, sink));
            }
            Event::Skipped { stream, length } => {
                turns.stream(at, stream, &mut |request, _| request.skipped(at, length));
            }
            Event::Reconnected { stream } => {
                turns.stream(at, stream, &mut |request, _| request.reconnects += 1);
            }
            Event::Closed { stream, end, error_type } => {
                turns.stream(at, stream, &mut |request, sink| request.close(at, end, error_type, sink));
            }
            Event::OutOfReach { stream } => {
                turns.stream(at, stream, &mut |request, _| request.is_lost = true);
            }
            Event::Transferred { stream, end } => {
                turns.stream(at, stream, &mut |request, _| request.transferred = Some(end));
            }
            Event::AbortIgnored { stream } => turns.flag(stream, wire::Flag::AbortIgnored),
            Event::Captured(captured) => turns.captured(at, &captured),
            Event::Gesture(gesture) => turns.gesture(at, &gesture),
            Event::Clock { wall } => turns.clock(at, wall),
            Event::Shown => turns.show(at),
            Event::Say(say) => self.say(at, say),
            other => self.screen(at, other),
        }
    }

    fn screen(&mut self, at: Ms, event: Event<'_>) {
        let useful = self.turns.config().useful;
        let Some(turn) = self.turns.active() else { return };
        match event {
            Event::Drawn(drawing) => turn.drawn(at, &drawing, &useful),
            Event::DrawnUseful { frame, method } => {
                let change = Change { frame, useful: Some(method), ..Change::default() };
                turn.screen.change(at, change);
            }
            Event::Painted { frame, method } => turn.painted(at, frame, method),
            Event::Noticed(look) => {
                if let Some(kind) = notice::kind(&look) {
                    turn.screen.notice(at, kind, Method::Raf2);
                }
            }
            Event::Overflowed => turn.flags.raise(wire::Flag::Truncated),
            Event::Mistaken => turn.forget_answer(),
            Event::Gone => _ = turn.gone_since.get_or_insert(at),
            Event::IndicatorGone => turn.screen.waits.indicator(at, false),
            Event::Offscreen => turn.flags.raise(wire::Flag::Offscreen),
            _ => {}
        }
    }

    fn say(&mut self, at: Ms, say: Say<'_>) {
        if let Say::Complete = say {
            self.turns.complete(at);
            return;
        }
        if let Say::Left = say {
            self.turns.leave_conversation(at);
            return;
        }
        let Some(turn) = self.turns.live.as_deref_mut() else { return };
        match say {
            Say::Mark(name) => {
                if let Some(name) = Label::new(name).filter(|_| turn.marks.len() < config::limits::ACTIONS) {
                    turn.marks.push((name, at));
                }
            }
            Say::Useful => {
                turn.screen.useful.get_or_insert((Moment::new(at, Method::App), useful::Method::App));
            }
            Say::Progress => turn.screen.notice(at, FeedbackKind::Status, Method::App),
            Say::Finish => turn.finished_by_app = true,
            Say::Stop => turn.act(wire::ActionType::Stop, at),
            Say::Attribute(key, value) => turn.set_attribute(key, value),
            Say::Complete | Say::Left => {}
        }
    }

    /// Turns that ended or have to be told as they stand; each is given out once.
    pub fn take_reports(&mut self) -> Vec<wire::Turn> {
        let reports = ::core::mem::take(&mut self.turns.reports);
        for turn in reports.iter().filter(|turn| turn.is_final) {
            if self.summed_up.replace(turn.id.0) != Some(turn.id.0) {
                self.summary.add(turn);
            }
        }
        reports
    }

    /// The turn that runs, as it stands.
    pub fn snapshot(&self, now: Ms) -> Option<wire::Turn> {
        self.turns.snapshot(now)
    }

    /// Percentiles of the turns of this page.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// What the user agreed to, from now on.
    pub fn set_consent(&mut self, consent: Consent) {
        self.turns.config().consent = consent;
    }

    fn state(&mut self, mut effects: Effects) -> Effects {
        effects.wake = self.turns.wake();
        effects.report = !self.turns.reports.is_empty();
        if let Some(turn) = self.turns.active() {
            effects.watch = true;
            effects.turn = turn.number;
            effects.wants_text = !turn.screen.is_useful();
            effects.answers = turn.answers();
            effects.unseen =
                !turn.screen.is_late && (turn.screen.token.is_none() || turn.screen.useful.is_none());
        }
        effects
    }
}

impl Verdict {
    /// Whether the element is a place of this turn.
    pub fn is_place(self) -> bool {
        matches!(self, Self::Answer | Self::Reasoning)
    }
}
