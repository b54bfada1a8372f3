//! How a turn ends, and how far it had come.
//!
//! May touch: the turn. The definitions are in docs/measures.md.
use super::super::config::limits;
use super::super::event::{End, Hint, Ms};
use super::super::label::Id;
use super::super::wire::{ActionType, Flag, Outcome, Phase, Trigger};
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
    /// Whether nobody asked for it and nothing was answered: a page that looks for what is new makes such requests.
    pub fn is_idle(&self) -> bool {
        let is_idle = |request: &Request| {
            let has_come = request.is_read() || request.was_broken_off();
            has_come && !request.has_answered() && !request.has_failed() && !request.hint.has(Hint::MATCHED)
        };
        self.beginning.trigger == Trigger::Auto && self.requests.iter().all(is_idle)
    }

    /// When this turn ends if nothing else happens; nothing while it is running.
    pub fn due(&self) -> Option<Ms> {
        let ended = self.streams_ended()?;
        if self.finished_by_app || self.has_failed() || self.was_stopped() {
            return Some((ended + limits::QUIET).max(self.retries_until().unwrap_or_default()));
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

    /// Until when its client may ask again by itself; then it was one turn with one wait.
    pub fn retries_until(&self) -> Option<Ms> {
        let ends = self.finished_by_app || self.was_stopped();
        self.requests.last().filter(|_| !ends)?.retries_until()
    }

    /// When it is told of as failed although it may be asked for again.
    pub fn tells(&self) -> Option<Ms> {
        let told = self.streams_ended()? + limits::QUIET;
        self.retries_until().filter(|until| !self.is_told && told < *until).map(|_| told)
    }

    /// Whether a request of this way would ask again for what failed.
    pub fn is_retried_by(&self, at: Ms, method: &Id, route: &Id) -> bool {
        let same = |request: &Request| request.method == *method && request.route == *route;
        self.retries_until().is_some_and(|until| at <= until) && self.requests.last().is_some_and(same)
    }

    /// Streams that broke from `since` on were torn by leaving and had no end of their own. Whether there were any.
    pub fn mend(&mut self, since: Ms) -> bool {
        let mut torn = false;
        for request in self.requests.iter_mut().filter(|request| request.is_torn(since)) {
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
        let over = match self.ending.map(|ending| ending.outcome) {
            Some(Outcome::Stopped) => self.stopped_at().or(self.streams_ended()),
            Some(Outcome::Failed | Outcome::Completed) => self.streams_ended(),
            None if self.is_told => self.streams_ended(),
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
        } else if self.was_stopped() && (self.was_broken_off() || !self.is_finished() || self.obeyed()) {
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

    /// Whether the page broke it off for what the user asked for at `since`. A stop of that very moment was none.
    pub fn makes_way(&mut self, since: Ms) -> bool {
        let broken =
            |request: &Request| request.was_broken_off() && request.end.is_some_and(|(at, _)| at >= since);
        let makes_way =
            self.stopped_at().is_none_or(|stop| stop >= since) && self.requests.iter().any(broken);
        if makes_way {
            self.actions.retain(|(kind, _)| *kind != ActionType::Stop);
        }
        makes_way
    }

    /// When the user stopped it first.
    fn stopped_at(&self) -> Option<Ms> {
        self.actions.iter().find(|(kind, _)| *kind == ActionType::Stop).map(|(_, at)| *at)
    }

    /// Whether the server carried out the stop: the last word came after it, gives no reason of the model's own, and what
    /// was still said was on its way.
    fn obeyed(&self) -> bool {
        let Some((stop, request)) = self.stopped_at().zip(self.requests.last()) else { return false };
        request.last_chunk.is_some_and(|last| last >= stop)
            && self.texts.last_read.is_none_or(|last| last <= stop + limits::STOPPED)
            && !request.has_reason()
    }

    fn is_finished(&self) -> bool {
        self.requests.last().and_then(|request| request.facts()).is_some_and(|facts| facts.finished)
    }

    /// Ends the turn. Requests that still run are left open in the record.
    pub fn end(&mut self, ending: Ending) {
        self.ends_hidden = self.count_hidden(ending.at);
        if self.texts.first_read.is_some() && !self.found {
            self.flags.raise(Flag::AnswerNotFound);
        }
        let facts = || self.requests.iter().filter_map(Request::facts);
        if facts().any(|facts| facts.malformed > 0) {
            self.flags.raise(Flag::Malformed);
        }
        if ending.completed() && self.ended_without_a_word() {
            self.flags.raise(Flag::Unfinished);
        }
        if self.requests.iter().any(|request| self.went_on(request)) {
            self.flags.raise(Flag::StopIgnored);
        }
        self.ending = Some(ending);
    }

    /// Whether more of it came although it was stopped.
    fn went_on(&self, request: &Request) -> bool {
        let Some(last) = request.last_chunk else { return false };
        let misses = |stop: Ms| stop > request.sent && last - stop > limits::STOPPED;
        self.actions.iter().any(|(kind, at)| *kind == ActionType::Stop && misses(*at))
    }

    /// The connection ended although the format has an end that never came.
    fn ended_without_a_word(&self) -> bool {
        let Some(request) = self.requests.last() else { return false };
        request
            .facts()
            .is_some_and(|facts| facts.format.has_end() && !facts.finished && facts.finish_reason.is_none())
            && matches!(request.end, Some((_, End::Done)))
    }
}
