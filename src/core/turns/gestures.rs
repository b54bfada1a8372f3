//! What a gesture does to the turns: it begins one, ends one, or follows one.
//!
//! May touch: `turn`, `intent`.
use super::super::answer::Echo;
use super::super::config::limits;
use super::super::event::{Gesture, Ms};
use super::super::intent::{Intent, intent};
use super::super::turn::{Beginning, Turn};
use super::super::wire::{ActionType, Method, Trigger};
use super::Turns;

impl Turns {
    /// The user did something.
    pub fn gesture(&mut self, at: Ms, gesture: &Gesture<'_>) {
        self.touched = at;
        let Some(intent) = intent(gesture) else { return };
        if intent != Intent::Stop {
            self.conclude(at);
        }
        self.note(at, intent);
        if gesture.by_composer && gesture.composer.trim().is_empty() {
            let running = [&mut self.live, &mut self.draft].into_iter().flatten();
            for turn in running.filter(|turn| turn.is_streaming() && !turn.was_stopped()) {
                turn.pressed = matches!(intent, Intent::Press | Intent::Submit).then_some(at);
            }
        }
        let trigger = match intent {
            Intent::Submit | Intent::Press if self.editing => Trigger::Edit,
            Intent::Submit | Intent::Press => Trigger::Submit,
            Intent::Regenerate | Intent::Refresh => Trigger::Regenerate,
            Intent::Retry => Trigger::Retry,
            Intent::Edit => {
                self.editing = true;
                return;
            }
            Intent::NewConversation => return self.leave_conversation(at),
            Intent::Stop | Intent::Copy | Intent::Feedback => return,
        };
        self.begin_draft(at, trigger, gesture);
        if let Some(draft) = &mut self.draft {
            draft.refreshes = intent == Intent::Refresh;
            draft.is_sent |= intent == Intent::Submit;
        }
    }

    fn begin_draft(&mut self, at: Ms, trigger: Trigger, gesture: &Gesture<'_>) {
        let echo = (!gesture.composer.trim().is_empty()).then(|| Echo::new(gesture.composer));
        if let Some(draft) = &mut self.draft {
            // Enter, click and submit of one and the same act: the first has the hardware time.
            if at - draft.beginning.at < limits::GESTURE && draft.beginning.trigger == trigger {
                draft.beginning.echo = draft.beginning.echo.take().or(echo);
                return;
            }
            // Who sent a message and presses something else while it is on its way has not sent another.
            if echo.is_none() && trigger == Trigger::Submit && draft.is_written() && draft.is_streaming() {
                return;
            }
        }
        // A try that has failed is a turn of its own, and the one that this gesture repeats.
        if self.draft.as_deref().is_some_and(|draft| draft.streams_ended().is_some()) {
            self.settle_draft(at);
        }
        let replaces = matches!(trigger, Trigger::Regenerate | Trigger::Retry | Trigger::Edit);
        let last = self.live.as_deref().map(|turn| turn.id).or(self.last_id);
        let regenerates = last.filter(|_| replaces);
        let beginning = Beginning { at, trigger, by_gesture: true, echo, regenerates };
        self.forget_draft();
        self.draft = Some(self.make(beginning));
    }

    /// What the gesture is to the turn that runs, or to the one before.
    fn note(&mut self, at: Ms, intent: Intent) {
        let action = match intent {
            Intent::Stop => ActionType::Stop,
            Intent::Regenerate => ActionType::Regenerate,
            Intent::Retry => ActionType::Retry,
            Intent::Edit => ActionType::Edit,
            Intent::Copy => ActionType::Copy,
            Intent::Submit => ActionType::Submit,
            Intent::NewConversation => ActionType::Leave,
            Intent::Refresh => return,
            Intent::Press | Intent::Feedback => return self.follow(at, None, intent),
        };
        if let Some(turn) = &mut self.live {
            // The submit that began the turn is not something done during it.
            if action != ActionType::Submit || turn.is_streaming() && at - turn.beginning.at > limits::GESTURE
            {
                turn.act(action, at);
            }
            // All has come, and what is drawn only has to settle: the user is a step ahead.
            if action != ActionType::Stop && turn.streams_ended().is_some() {
                turn.next_action.get_or_insert(at);
            }
            if action == ActionType::Stop && is_rage(turn, at) {
                turn.act(ActionType::RageStop, at);
            }
        } else if intent != Intent::Stop {
            self.follow(at, Some(action), intent);
        } else if let Some(draft) = self.draft.as_deref_mut().filter(|draft| draft.is_streaming()) {
            draft.act(action, at);
        }
        if matches!(intent, Intent::Regenerate | Intent::Retry) {
            self.count_regeneration(at);
        }
    }

    fn follow(&mut self, at: Ms, action: Option<ActionType>, intent: Intent) {
        let Some(turn) = &mut self.settled else { return };
        if let Some(action) = action {
            turn.act(action, at);
            turn.next_action.get_or_insert(at);
            self.unreported = true;
        }
        // Proxies of a finished task (docs/measures.md, `taskComplete`).
        if matches!(intent, Intent::Copy | Intent::Feedback) && turn.task_complete.is_none() {
            turn.task_complete = Some((at, Method::Mutation));
            self.unreported = true;
        }
    }

    /// What was pressed by the answer did ask for another one.
    pub(super) fn regenerated(&mut self, at: Ms) {
        match &mut self.live {
            Some(turn) => turn.act(ActionType::Regenerate, at),
            None => self.follow(at, Some(ActionType::Regenerate), Intent::Regenerate),
        }
        self.count_regeneration(at);
    }

    fn count_regeneration(&mut self, at: Ms) {
        self.regenerations.retain(|before| at - before <= limits::RAGE_REGENERATE);
        self.regenerations.push(at);
        if self.regenerations.len() >= 3
            && let Some(turn) = self.live.as_deref_mut().or(self.settled.as_deref_mut())
        {
            turn.act(ActionType::RageRegenerate, at);
        }
    }

    /// The application says that the task is done.
    pub fn complete(&mut self, at: Ms) {
        if let Some(turn) = self.live.as_deref_mut().or(self.settled.as_deref_mut()) {
            turn.task_complete = Some((at, Method::App));
            self.unreported |= self.live.is_none();
        }
    }
}

fn is_rage(turn: &Turn, at: Ms) -> bool {
    let stops = turn
        .actions
        .iter()
        .filter(|(kind, when)| *kind == ActionType::Stop && at - when <= limits::RAGE_STOP);
    stops.count() == 3
}
