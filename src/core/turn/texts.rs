//! The texts of a turn: what its streams delivered, to be recognised on the page.
//!
//! May touch: `answer`, the turn. Requests that run at once speak with a *voice* each: two models side by side.
use super::super::answer::{Echo, Match, StreamText};
use super::super::event::{Ms, Role, Verdict};
use super::super::wire::Flag;
use super::Turn;

/// Voices kept apart; more share the last one.
const VOICES: usize = 4;

/// What the streams of a turn delivered. It stays in memory, bounded, and is never reported.
#[derive(Debug, Default)]
pub struct Texts {
    voices: [Voice; VOICES],
    /// When the first visible character was read.
    pub first_read: Option<Ms>,
    /// When the last one was.
    pub last_read: Option<Ms>,
}

#[derive(Debug, Default)]
struct Voice {
    answer: StreamText,
    reasoning: StreamText,
}

impl Texts {
    /// Takes in what a record of a voice added.
    pub fn push(&mut self, at: Ms, voice: usize, text: &str, reasoning: &str) {
        let Some(voice) = self.voices.get_mut(voice.min(VOICES - 1)) else { return };
        if !text.is_empty() {
            voice.answer.push(at, text);
        }
        if !text.trim().is_empty() {
            self.first_read.get_or_insert(at);
            self.last_read = Some(at);
        }
        if !reasoning.is_empty() {
            voice.reasoning.push(at, reasoning);
        }
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        self.voices.iter().filter(|voice| !voice.answer.is_empty()).count()
    }

    /// What a text of the page is, and whether that is no accident.
    pub fn judge(&self, text: &str, echo: Option<&Echo>) -> (Verdict, bool) {
        let is_echo = echo.is_some_and(|echo| echo.is_echo(text));
        let mut best = (Match::None, Verdict::Nothing);
        for Voice { answer, reasoning } in &self.voices {
            best = best.max((reasoning.matches_start(text), Verdict::Reasoning));
            if echo.and_then(|echo| echo.is_passed(answer, text)).unwrap_or(!is_echo) {
                best = best.max((answer.matches_start(text), Verdict::Answer));
            }
        }
        match best {
            (Match::None, _) if is_echo => (Verdict::Echo, false),
            (Match::None, _) => (Verdict::Nothing, false),
            (found, verdict) => (verdict, found == Match::Strong),
        }
    }

    /// Whether `text` goes on where `before` stops; of an empty one, whether `text` is a piece of an answer.
    pub fn continues(&self, before: &str, text: &str) -> bool {
        self.voices.iter().any(|Voice { answer, .. }| answer.continues(before, text))
    }

    /// When the text that ends with `tail` was delivered.
    pub fn arrival_of(&self, tail: &str) -> Option<Ms> {
        self.voices.iter().find_map(|voice| voice.answer.arrival_of(tail))
    }
}

impl Turn {
    /// What a text that appeared on the page is to this turn, and whether that is sure.
    pub fn judge(&self, text: &str, role: Option<Role>) -> (Verdict, bool) {
        let verdict = match role {
            Some(Role::Answer | Role::Useful) if self.texts.first_read.is_some() => Verdict::Answer,
            Some(Role::Reasoning) => Verdict::Reasoning,
            Some(Role::User) => Verdict::Echo,
            Some(_) => Verdict::Nothing,
            None => return self.texts.judge(text, self.beginning.echo.as_ref()),
        };
        (verdict, true)
    }

    /// Whether a text of the page goes on where `before` stops, which is of the answer.
    pub fn continues(&self, before: &str, text: &str) -> bool {
        self.texts.continues(before, text)
    }

    /// How many answers its streams deliver.
    pub fn answers(&self) -> usize {
        self.texts.answers()
    }

    /// What was taken for the answer is none: nothing of an answer was seen yet.
    pub fn forget_answer(&mut self) {
        self.found = false;
        self.flags.lower(Flag::Offscreen);
        self.screen.forget_answer(self.beginning.at);
    }
}
