//! What of a turn is on screen: changes wait for the frame that shows them.
//!
//! May touch: `updates`, `waits`, `wire` enumerations. A change is noted when the DOM changes and counts
//! when its frame was painted; the engine's own presentation time corrects it when it comes later.
use super::super::config::limits;
use super::super::event::{Ms, PaintMethod};
use super::super::histogram::Histogram;
use super::super::updates::{Starvation, Updates};
use super::super::useful;
use super::super::waits::Waits;
use super::super::wire::{FeedbackKind, Method};

/// A moment on screen.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// When.
    pub at: Ms,
    /// How it was taken.
    pub method: Method,
    frame: u32,
}

impl Moment {
    /// A moment that does not wait for a frame.
    pub fn new(at: Ms, method: Method) -> Self {
        Self { at, method, frame: 0 }
    }
}

/// What changed in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// The frame that will show it; numbered from 1.
    pub frame: u32,
    /// Text of the answer is in it.
    pub answer: bool,
    /// Text of the reasoning is in it.
    pub reasoning: bool,
    /// It makes the answer useful.
    pub useful: Option<useful::Method>,
    /// Characters of the answer drawn so far.
    pub characters: u32,
    /// When the last of them was read.
    pub read_at: Option<Ms>,
}

impl Change {
    /// Both changes as one, shown by the later frame.
    fn and(self, later: Self) -> Self {
        Self {
            frame: self.frame.max(later.frame),
            answer: self.answer | later.answer,
            reasoning: self.reasoning | later.reasoning,
            useful: self.useful.or(later.useful),
            characters: self.characters.max(later.characters),
            read_at: later.read_at.or(self.read_at),
        }
    }
}

/// The screen side of a turn.
#[derive(Debug)]
pub struct Screen {
    /// The first sign that something is happening.
    pub feedback: Option<(Moment, FeedbackKind)>,
    /// The first reasoning.
    pub reasoning: Option<Moment>,
    /// The first character of the answer.
    pub token: Option<Moment>,
    /// The first useful content.
    pub useful: Option<(Moment, useful::Method)>,
    /// The last change of the answer.
    pub last: Option<Moment>,
    /// The rhythm of updates.
    pub updates: Updates,
    /// The waits.
    pub waits: Waits,
    /// A reader with nothing left to read.
    pub starvation: Starvation,
    /// From the read of a chunk to its frame.
    pub lag: Histogram,
    /// When the text was read that is on screen up to its end.
    pub shown_up_to: Option<Ms>,
    /// When the DOM last changed in the answer.
    pub changed: Option<Ms>,
    /// Characters of the answer on screen or about to be.
    pub characters: u32,
    /// Whether the beginning was drawn before anyone looked.
    pub is_late: bool,
    pending: Vec<Change>,
    presented: Vec<(u32, Ms)>,
}

impl Screen {
    /// A screen of a turn that started at `started`.
    pub fn new(started: Ms) -> Self {
        let mut waits = Waits::default();
        waits.start(started);
        Self {
            feedback: None,
            reasoning: None,
            token: None,
            useful: None,
            last: None,
            updates: Updates::new(started),
            waits,
            starvation: Starvation::default(),
            lag: Histogram::default(),
            shown_up_to: None,
            changed: None,
            characters: 0,
            is_late: false,
            pending: Vec::new(),
            presented: Vec::new(),
        }
    }

    /// The DOM changed; the change counts when its frame is painted.
    pub fn change(&mut self, at: Ms, change: Change) {
        if change.answer {
            self.changed = Some(at);
            self.characters = change.characters;
        }
        let is_full = self.pending.len() >= limits::CHANGES;
        match self.pending.last_mut() {
            Some(last) if is_full || last.frame == change.frame => *last = last.and(change),
            _ => self.pending.push(change),
        }
    }

    /// Whether some change still makes the answer useful, painted or not.
    pub fn is_useful(&self) -> bool {
        self.useful.is_some() || self.pending.iter().any(|change| change.useful.is_some())
    }

    /// Whether changes wait for their frame.
    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// A frame was painted: everything changed up to it is on screen.
    pub fn painted(&mut self, at: Ms, frame: u32, method: PaintMethod) {
        if method == PaintMethod::ElementTiming {
            self.present(at, frame);
            return;
        }
        let wire = if method == PaintMethod::Intersection { Method::Intersection } else { Method::Raf2 };
        let due = self.pending.iter().take_while(|change| change.frame <= frame).count();
        let later = self.pending.split_off(due);
        let mut due = core::mem::replace(&mut self.pending, later);
        if method == PaintMethod::Intersection {
            // What came into view at once is one update.
            due = due.into_iter().reduce(Change::and).into_iter().collect();
        }
        for change in due {
            let moment = match self.presented.iter().find(|(presented, _)| *presented == change.frame) {
                Some((_, presented)) if method == PaintMethod::Raf2 => {
                    Moment { at: *presented, method: Method::ElementTiming, frame: change.frame }
                }
                _ => Moment { at, method: wire, frame: change.frame },
            };
            self.show(moment, change);
        }
    }

    /// Text or a card of a source came up; an informative change that is not the answer.
    pub fn notice(&mut self, at: Ms, kind: FeedbackKind, method: Method) {
        if kind == FeedbackKind::Indicator || kind == FeedbackKind::Skeleton {
            self.waits.indicator(at, true);
        } else {
            self.waits.informative(at);
        }
        if !self.is_late && self.feedback.is_none() && self.token.is_none() {
            self.feedback = Some((Moment::new(at, method), kind));
        }
    }

    /// The first moments are not known: none is told.
    pub fn forget_beginning(&mut self) {
        self.is_late = true;
    }

    /// What was taken for the answer is none; what else was seen of the turn that began at `started` stays.
    pub fn forget_answer(&mut self, started: Ms) {
        *self = Self {
            feedback: self.feedback.filter(|(_, kind)| *kind != FeedbackKind::Content),
            reasoning: self.reasoning,
            waits: core::mem::take(&mut self.waits),
            is_late: self.is_late,
            ..Self::new(started)
        };
    }

    /// Out of sight: gaps that span it are not waits.
    pub fn interrupt(&mut self, at: Ms) {
        self.waits.interrupt(at);
        self.starvation.interrupt(at);
        self.updates.interrupt();
    }

    /// Back in sight.
    pub fn resume(&mut self, at: Ms) {
        self.waits.resume(at);
        self.starvation.resume(at);
    }

    fn show(&mut self, moment: Moment, change: Change) {
        let at = moment.at;
        self.waits.informative(at);
        if !self.is_late {
            self.show_first(moment, change);
        }
        if change.answer {
            self.last = Some(moment);
            self.updates.push(at);
            self.starvation.read(at, change.characters);
            if let Some(read_at) = change.read_at {
                self.shown_up_to = Some(read_at);
                self.lag.push((at - read_at).max(0.0));
            }
        }
    }

    fn show_first(&mut self, moment: Moment, change: Change) {
        if change.reasoning {
            self.reasoning.get_or_insert(moment);
        }
        if change.reasoning || change.answer {
            self.feedback.get_or_insert((moment, FeedbackKind::Content));
        }
        if let Some(method) = change.useful {
            self.useful.get_or_insert((moment, method));
        }
        if change.answer {
            self.token.get_or_insert(moment);
        }
    }

    /// The engine tells when a frame was presented; it may do so before or after the second animation frame.
    fn present(&mut self, at: Ms, frame: u32) {
        const REMEMBERED: usize = 8;
        if self.presented.len() == REMEMBERED {
            self.presented.remove(0);
        }
        self.presented.push((frame, at));
        let correct = |moment: &mut Moment| {
            if moment.frame == frame && moment.method == Method::Raf2 {
                *moment = Moment { at, method: Method::ElementTiming, frame };
            }
        };
        self.reasoning.as_mut().map(correct);
        self.token.as_mut().map(correct);
        self.last.as_mut().map(correct);
        if let Some((moment, _)) = &mut self.useful {
            correct(moment);
        }
        if let Some((moment, _)) = &mut self.feedback {
            correct(moment);
        }
    }
}
