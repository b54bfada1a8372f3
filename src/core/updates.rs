//! How smoothly an answer appears: gaps between visible updates (metrics 9, 10 and 14) and
//! how long a reader had nothing left to read (metric 13).
//!
//! May touch: `histogram`, `waits`; times come in, sums go out. Memory is O(1): no list of gaps is kept,
//! since a list would say much about the answer itself.
use super::event::Ms;
use super::histogram::Histogram;
use super::waits::WaitSummary;

/// Deadline of the first update, from the start of the turn.
const FIRST_DEADLINE: Ms = 1000.0;
/// Deadline of each later update, from the one before.
const DEADLINE: Ms = 250.0;

/// The gaps between the visible updates of one answer.
#[derive(Clone, Debug)]
pub struct Updates {
    count: u32,
    last: Ms,
    interrupted: bool,
    dropped: u32,
    gaps: Histogram,
    stalls: WaitSummary,
    fluidity: Fluidity,
}

/// What [`Updates`] tells; nothing that would need more updates than there were is told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UpdatesSummary {
    /// Visible updates, the first one included.
    pub count: u32,
    /// Median gap, within 1.6 %.
    pub p50: Option<Ms>,
    /// 95th percentile of the gaps, within 1.6 %.
    pub p95: Option<Ms>,
    /// Longest gap.
    pub max: Option<Ms>,
    /// Share of updates that were in time (etalon's fluidity index); from 3 updates on.
    pub fluidity: Option<f64>,
    /// Gaps that were not measured because the page was hidden meanwhile.
    pub dropped: u32,
}

impl Updates {
    /// Begins with the turn: the first update is expected from `start` on.
    pub fn new(start: Ms) -> Self {
        Self {
            count: 0,
            last: start,
            interrupted: false,
            dropped: 0,
            gaps: Histogram::default(),
            stalls: WaitSummary::default(),
            fluidity: Fluidity::default(),
        }
    }

    /// The answer was seen to change.
    pub fn push(&mut self, at: Ms) {
        if !at.is_finite() {
            return;
        }
        let gap = (at - self.last).max(0.0);
        let first = self.count == 0;
        if !self.interrupted {
            self.fluidity.push(gap, if first { FIRST_DEADLINE } else { DEADLINE });
        }
        if !first {
            self.gap(gap);
        }
        self.interrupted = false;
        self.count = self.count.saturating_add(1);
        self.last = self.last.max(at);
    }

    fn gap(&mut self, gap: Ms) {
        if self.interrupted {
            self.dropped = self.dropped.saturating_add(1);
        } else {
            self.gaps.push(gap);
            self.stalls.add(gap);
        }
    }

    /// The page was hidden: the gap that spans this moment says nothing about the answer.
    pub fn interrupt(&mut self) {
        self.interrupted = true;
    }

    /// The gaps so far.
    pub fn summary(&self) -> UpdatesSummary {
        UpdatesSummary {
            count: self.count,
            p50: self.gaps.quantile(0.50),
            p95: self.gaps.quantile(0.95),
            max: self.gaps.max(),
            fluidity: self.fluidity.index(),
            dropped: self.dropped,
        }
    }

    /// The gaps that a user notices as a stall.
    pub fn stalls(&self) -> WaitSummary {
        self.stalls
    }
}

/// etalon's fluidity index, online: time saved by early updates pays for late ones.
#[derive(Clone, Copy, Debug, Default)]
struct Fluidity {
    judged: u32,
    in_time: u32,
    slack: Ms,
}

impl Fluidity {
    fn push(&mut self, gap: Ms, deadline: Ms) {
        let in_time = gap <= deadline + self.slack;
        self.slack = if in_time { self.slack + deadline - gap } else { 0.0 };
        self.judged = self.judged.saturating_add(1);
        self.in_time = self.in_time.saturating_add(u32::from(in_time));
    }

    fn index(&self) -> Option<f64> {
        (self.judged >= 3).then(|| f64::from(self.in_time) / f64::from(self.judged))
    }
}

/// Silent reading speed in characters per millisecond: 238 words a minute of 6 characters.
const READING_SPEED: f64 = 23.8 / 1000.0;

/// A reader who takes in what is visible at a steady speed, and sometimes has to wait for more.
///
/// Reading starts with the first character. Hidden time neither reads nor waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starvation {
    reading: bool,
    hidden: bool,
    now: Ms,
    unread: f64,
    visible: u32,
    starved: Ms,
}

impl Starvation {
    /// `visible` characters of the answer are on screen in all. Text that was taken back stays read.
    pub fn read(&mut self, at: Ms, visible: u32) {
        self.advance(at);
        if !self.reading && visible > 0 && at.is_finite() {
            self.reading = true;
            self.now = at;
        }
        self.unread += f64::from(visible.saturating_sub(self.visible));
        self.visible = self.visible.max(visible);
    }

    /// The page was hidden.
    pub fn interrupt(&mut self, at: Ms) {
        self.advance(at);
        self.hidden = true;
    }

    /// The page is visible again.
    pub fn resume(&mut self, at: Ms) {
        self.advance(at);
        self.hidden = false;
    }

    /// Time with nothing left to read up to `now`.
    pub fn total(&self, now: Ms) -> Ms {
        let mut then = *self;
        then.advance(now);
        then.starved
    }

    fn advance(&mut self, at: Ms) {
        if !self.reading || !at.is_finite() || at <= self.now {
            return;
        }
        let elapsed = at - self.now;
        self.now = at;
        if !self.hidden {
            let busy = (self.unread / READING_SPEED).min(elapsed);
            self.unread = (self.unread - busy * READING_SPEED).max(0.0);
            self.starved += elapsed - busy;
        }
    }
}

#[cfg(test)]
mod tests;
