//! How a turn ends, and how far it had come.
//!
//! May touch: the turn. The definitions are in docs/measures.md.
use super::super::config::limits;
use super::super::event::{End, Ms};
use super::super::wire::{ActionType, Outcome, Phase};
use super::Turn;
use super::request::Request;
use super::screen::Moment;

/// The end of a turn.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// When.
    pub at: Ms,
    /// How.
    pub outcome: Outcome,
}

impl Ending {
    /// Whether the answer came to its end.
    pub fn completed(&self) -> bool {
        self.outcome == Outcome::Completed
    }
}

impl Turn {
    /// When this turn ends if nothing else happens; nothing while it is running.
    pub fn due(&self) -> Option<Ms> {
        let ended = self.streams_ended()?;
        if self.finished_by_app || self.has_failed() || self.was_stopped() {
            return Some(ended + self.patience());
        }
        let wait = if self.expects_more() {
            limits::TOOL
        } else if self.texts.first_read.is_some() && !self.found {
            limits::UNSEEN
        } else {
            limits::QUIET
        };
        let quiet = self.screen.changed.map_or(ended, |changed| ended.max(changed)) + limits::QUIET;
        Some(quiet.max(ended + wait))
    }

    /// How long a turn that came to nothing may still become something else.
    pub fn patience(&self) -> Ms {
        // The page goes when the next one answers, and only then is it sure that it was left.
        if self.requests.iter().any(|request| request.is_torn(self.leaving)) {
            limits::LEAVING
        } else {
            limits::QUIET
        }
    }

    /// The page is left indeed: streams that it tore had no end of their own. Whether there were any.
    pub fn mend(&mut self) -> bool {
        let leaving = self.leaving;
        let mut torn = false;
        for request in self.requests.iter_mut().filter(|request| request.is_torn(leaving)) {
            request.reopen();
            torn = true;
        }
        torn
    }

    /// Until when the user waited: to the final render; to the stop, or the end of a stream that came to nothing; of an
    /// answer that is nowhere on the page, to the text that it would have shown.
    pub fn waited_until(&self, now: Ms) -> Ms {
        let ended = self.ending.map_or(now, |ending| ending.at);
        if let Some(last) = self.final_render() {
            return last.at;
        }
        let unseen = self.texts.first_read.filter(|_| !self.found);
        let stopped = self.actions.iter().find(|(kind, _)| *kind == ActionType::Stop).map(|(_, at)| *at);
        let over = match self.ending.map(|ending| ending.outcome) {
            Some(Outcome::Stopped) => stopped.or(self.streams_ended()),
            Some(Outcome::Failed | Outcome::Completed) => self.streams_ended(),
            _ => None,
        };
        [unseen, over].into_iter().flatten().fold(ended, f64::min)
    }

    /// The frame of the last change of an answer that was drawn to its end in sight.
    pub fn final_render(&self) -> Option<Moment> {
        let completed = self.ending.as_ref().is_some_and(Ending::completed);
        self.screen.last.filter(|_| completed && !self.ends_hidden && !self.screen.is_pending())
    }

    /// The outcome of a turn whose streams are over and whose screen is quiet.
    pub fn outcome(&self) -> Outcome {
        let is_unknown = |request: &Request| matches!(request.end, Some((_, End::Unknown)));
        if self.requests.last().is_some_and(is_unknown) && !self.was_stopped() {
            Outcome::Open
        } else if self.was_stopped() && (self.was_broken_off() || !self.is_finished()) {
            Outcome::Stopped
        } else if self.has_failed() || self.was_broken_off() {
            // An abort without a gesture is not a stop: the application gave up, a timeout for one.
            Outcome::Failed
        } else {
            Outcome::Completed
        }
    }

    /// How far it had come.
    pub fn phase(&self) -> Phase {
        let screen = &self.screen;
        if screen.useful.is_some() || screen.is_late && screen.last.is_some() {
            Phase::Streaming
        } else if screen.token.is_some() {
            Phase::BeforeUseful
        } else if screen.feedback.is_some() || screen.reasoning.is_some() {
            Phase::BeforeToken
        } else {
            Phase::BeforeFeedback
        }
    }

    fn is_finished(&self) -> bool {
        self.requests.last().and_then(|request| request.facts()).is_some_and(|facts| facts.finished)
    }
}
