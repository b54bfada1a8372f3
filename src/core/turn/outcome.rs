//! How a turn ends, and how far it had come.
//!
//! May touch: the turn. The definitions are metrics.md 3, #15 and the paragraph on abandonment.
use super::super::event::Ms;
use super::super::wire::{Outcome, Phase};
use super::Turn;

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
    /// The outcome of a turn whose streams are over and whose screen is quiet.
    pub fn outcome(&self) -> Outcome {
        if self.was_stopped() && (self.was_broken_off() || !self.is_finished()) {
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
