//! Which turn an event belongs to: the turn that runs, the one that may be beginning, the one before.
//!
//! May touch: `turn`, `intent`, `route`, `report`. A *draft* is a turn that a gesture may have begun; it becomes
//! the running turn when one of its requests proves to be a chat, and is forgotten otherwise.
mod gestures;
mod streams;

use super::config::{Config, limits};
use super::event::{Ms, Role, Verdict};
use super::label::Id;
use super::report;
use super::turn::outcome::Ending;
use super::turn::request::Request;
use super::turn::{Beginning, Turn};
use super::wire::{self, ActionType, Flag, Outcome};

/// All turns of a page.
#[derive(Debug, Default)]
pub struct Turns {
    /// The turn that runs.
    pub live: Option<Box<Turn>>,
    /// A turn that may be beginning.
    pub draft: Option<Box<Turn>>,
    /// When a person last did something.
    pub touched: Ms,
    /// The turn before, kept for what the user does next.
    pub settled: Option<Box<Turn>>,
    /// Reports that nobody took yet.
    pub reports: Vec<wire::Turn>,
    loose: Vec<Request>,
    forgotten: Vec<Beginning>,
    routes: Vec<(Id, Id)>,
    config: Config,
    random: u64,
    begun: u32,
    clock: Clock,
    editing: bool,
    hidden: bool,
    unreported: bool,
    last_id: Option<u64>,
    regenerations: Vec<Ms>,
}

/// The wall clock beside the monotonic one.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    offset: Option<f64>,
}

impl Turns {
    /// No turn yet.
    pub fn new(config: Config) -> Self {
        Self { random: config.seed, config, ..Self::default() }
    }

    /// The settings.
    pub fn config(&mut self) -> &mut Config {
        &mut self.config
    }

    /// The turn that the page's changes belong to.
    pub fn active(&mut self) -> Option<&mut Turn> {
        self.live.as_deref_mut().or(self.draft.as_deref_mut())
    }

    /// A reading of the wall clock. A jump against the monotonic clock flags the running turn.
    pub fn clock(&mut self, at: Ms, wall: f64) {
        let offset = wall - at;
        let jumped = self.clock.offset.is_some_and(|before| (offset - before).abs() > limits::CLOCK_GAP);
        self.clock.offset = Some(offset);
        if jumped && let Some(turn) = &mut self.live {
            turn.flags.raise(Flag::ClockGap);
        }
    }

    /// What the user does next: a stream that has said its last word is over, whether or not its end was read.
    fn conclude(&mut self, at: Ms) {
        if let Some(turn) = &mut self.live {
            turn.conclude(at + limits::UNSEEN);
        }
    }

    /// The user went on to another conversation.
    pub fn leave_conversation(&mut self, at: Ms) {
        self.conclude(at);
        self.draft = None;
        self.end(at, self.outcome_if_left());
    }

    /// Text appeared somewhere.
    pub fn appeared(&mut self, at: Ms, text: &str, role: Option<Role>) -> (Verdict, bool) {
        let Some(turn) = self.active() else { return Default::default() };
        let (verdict, sure) = turn.judge(text, role);
        if verdict == Verdict::Echo {
            turn.screen.waits.informative(at);
        }
        (verdict, sure)
    }

    /// The tab went out of sight; what runs is reported as it stands.
    pub fn hide(&mut self, at: Ms) {
        self.hidden = true;
        for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
            turn.hide(at);
        }
        self.report_live(at);
        self.report_settled();
    }

    /// The tab is back.
    pub fn show(&mut self, at: Ms) {
        self.hidden = false;
        for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
            turn.show(at);
        }
    }

    /// The page is being left; `kept` if the browser may bring it back. Then the turn goes on in case it does,
    /// and is abandoned as far as anyone has heard.
    pub fn leave(&mut self, at: Ms, kept: bool, tears: bool) {
        let mut is_torn = false;
        // Whoever touched the page after a stream broke may have left because of it.
        let since = if tears { self.touched.max(at - limits::LEAVING) } else { Ms::INFINITY };
        for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
            is_torn |= turn.mend(since);
        }
        self.conclude(at);
        // Somebody wrote a message, sent it, and left before any answer: that is a wait that was given up.
        let waiting = |draft: &Turn| draft.beginning.echo.is_some() && draft.is_streaming();
        if self.draft.as_deref().is_some_and(waiting) {
            self.promote(at);
        }
        self.hidden |= kept;
        // A torn answer does not go on, even if the page comes back.
        if kept && !is_torn && self.outcome_if_left() == Outcome::Abandoned {
            for turn in [&mut self.live, &mut self.draft].into_iter().flatten() {
                turn.put_away(at);
            }
            self.report_live(at);
        } else {
            if let Some(turn) = &mut self.live {
                turn.act(ActionType::Leave, at);
            }
            self.end(at, self.outcome_if_left());
        }
        self.report_settled();
    }

    /// How the running turn ends if the user goes away now. Who left after the stop, or after the whole answer was
    /// on screen, has not given up a wait.
    fn outcome_if_left(&self) -> Outcome {
        match &self.live {
            Some(turn) if turn.was_stopped() => Outcome::Stopped,
            Some(turn) if turn.streams_ended().is_some() && (turn.has_failed() || turn.is_all_shown()) => {
                turn.outcome()
            }
            _ => Outcome::Abandoned,
        }
    }

    /// Time passed.
    pub fn tick(&mut self, at: Ms) {
        if let Some(turn) = &mut self.live {
            turn.conclude(at);
        }
        if self.live.as_deref().and_then(Turn::due).is_some_and(|due| due <= at)
            && let Some(outcome) = self.live.as_deref().map(Turn::outcome)
        {
            self.end(at, outcome);
        }
        let left = |turn: &Turn| turn.gone_since.is_some_and(|since| since + limits::REDRAWN <= at);
        if self.live.as_deref().is_some_and(left) {
            self.leave_conversation(at);
        }
        let gone = |turn: &Turn| turn.hidden_since.is_some_and(|since| since + limits::HORIZON <= at);
        if self.live.as_deref().is_some_and(gone) {
            self.end(at, Outcome::Abandoned);
        }
        if self.draft.as_deref().and_then(draft_due).is_some_and(|due| due <= at) {
            self.settle_draft(at);
        }
        // What failed is told of at once, as it stands: its client may ask again by itself.
        if let Some(turn) = self.live.as_deref_mut().filter(|turn| turn.tells().is_some_and(|due| due <= at))
        {
            turn.is_told = true;
            self.report_live(at);
        }
    }

    /// When [`Turns::tick`] has something to do.
    pub fn wake(&self) -> Option<Ms> {
        let horizon =
            self.live.as_deref().and_then(|turn| turn.hidden_since).map(|since| since + limits::HORIZON);
        let left = self.live.as_deref().and_then(|turn| turn.gone_since).map(|since| since + limits::REDRAWN);
        let due = self.live.as_deref().and_then(Turn::due);
        let draft = self.draft.as_deref().and_then(draft_due);
        let concluded = self.live.as_deref().and_then(Turn::concludes);
        let tells = self.live.as_deref().and_then(Turn::tells);
        [horizon, left, due, draft, concluded, tells].into_iter().flatten().reduce(f64::min)
    }

    /// Ends the running turn.
    pub fn end(&mut self, at: Ms, outcome: Outcome) {
        let Some(mut turn) = self.live.take_if(|turn| !turn.is_idle()) else {
            self.live = None;
            return;
        };
        turn.end(Ending { at, outcome });
        self.report_settled();
        self.last_id = Some(turn.id);
        self.settled = Some(turn);
        self.unreported = true;
        self.report_settled();
    }

    /// Puts what is new of the settled turn among the reports.
    pub fn report_settled(&mut self) {
        if !::core::mem::take(&mut self.unreported) {
            return;
        }
        let Some(turn) = &mut self.settled else { return };
        turn.revision += 1;
        let ended = turn.ending.map_or(0.0, |ending| ending.at);
        self.reports.push(report::report(turn, ended, self.config.consent));
    }

    /// The running turn as it stands; looking does not make a revision.
    pub fn snapshot(&self, now: Ms) -> Option<wire::Turn> {
        self.live.as_deref().map(|turn| report::report(turn, now, self.config.consent))
    }

    fn report_live(&mut self, at: Ms) {
        if let Some(turn) = self.live.as_deref_mut().filter(|turn| !turn.is_idle()) {
            turn.revision += 1;
            self.reports.push(report::report(turn, at, self.config.consent));
        }
    }

    /// The draft is a turn indeed.
    fn promote(&mut self, at: Ms) {
        if let Some(turn) = self.draft.take() {
            if turn.refreshes {
                self.regenerated(turn.beginning.at);
            }
            self.start(at, turn);
        }
    }

    fn start(&mut self, at: Ms, turn: Box<Turn>) {
        self.conclude(at);
        if let Some(before) = &mut self.live {
            let is_replaced = turn.beginning.by_gesture && before.makes_way(turn.beginning.at);
            let outcome = match before.due() {
                Some(_) if is_replaced => Outcome::Superseded,
                Some(_) => before.outcome(),
                None if before.was_stopped() => Outcome::Stopped,
                None => Outcome::Superseded,
            };
            self.end(at, outcome);
        }
        self.editing = false;
        self.live = Some(turn);
    }

    /// No request of the draft proved to be a chat in time.
    fn settle_draft(&mut self, at: Ms) {
        let outcome = match &self.draft {
            Some(draft) if !draft.is_written() => None,
            Some(draft) if draft.was_stopped() => Some(Outcome::Stopped),
            Some(draft) if draft.has_failed() || draft.was_broken_off() => Some(Outcome::Failed),
            _ => None,
        };
        match outcome {
            Some(outcome) => {
                self.promote(at);
                // Its client may ask again by itself.
                if self.live.as_deref().and_then(Turn::tells).is_none() {
                    self.end(at, outcome);
                }
            }
            None => self.forget_draft(),
        }
    }

    fn make(&mut self, beginning: Beginning) -> Box<Turn> {
        self.begun += 1;
        let started_at = beginning.at + self.clock.offset.unwrap_or_default();
        let mut turn = Box::new(Turn::new(split_mix(&mut self.random), self.begun, beginning, started_at));
        if self.hidden {
            let at = turn.beginning.at;
            turn.hide(at);
        }
        turn
    }
}

/// When a draft has to be settled one way or the other.
fn draft_due(draft: &Turn) -> Option<Ms> {
    if draft.is_streaming() {
        return None;
    }
    if draft.has_failed() || draft.was_stopped() || draft.was_broken_off() {
        return draft.streams_ended().map(|ended| ended + limits::QUIET);
    }
    let wait = if draft.had_requests || draft.is_written() { limits::PROVISIONAL } else { limits::GESTURE };
    Some(draft.beginning.at + wait)
}

/// SplitMix64 (Steele, Lea, Flood 2014): ids need to differ, not to be secret.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
