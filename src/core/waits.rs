//! Waiting without feedback: how long nothing informative happened on the screen (metrics 11 and 12).
//!
//! May touch: nothing; times come in, sums go out. Memory is O(1).
//!
//! *Silent* time ends with news: content, a status text, determinate progress, the echo of the prompt.
//! *Static* time ends also with an indicator, for as long as it is on screen. Both run on the
//! visible clock: hidden time stops them, it is nobody's wait.
use super::event::Ms;

/// A gap is a wait when it is longer than this: the limit of an unbroken flow of thought.
pub const NOTICEABLE: Ms = 1000.0;

/// Gaps that were long enough to be noticed, and the longest of all gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaitSummary {
    /// Gaps longer than [`NOTICEABLE`].
    pub count: u32,
    /// Their sum.
    pub total: Ms,
    /// The longest gap, noticeable or not.
    pub max: Ms,
}

impl WaitSummary {
    /// Takes one gap into account.
    pub fn add(&mut self, gap: Ms) {
        self.max = self.max.max(gap);
        if gap > NOTICEABLE {
            self.count = self.count.saturating_add(1);
            self.total += gap;
        }
    }
}

/// Both kinds of waiting of one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaitsSummary {
    /// Nothing new was shown.
    pub silent: WaitSummary,
    /// Nothing new was shown and no indicator was on screen either.
    pub r#static: WaitSummary,
}

/// Follows the feedback of one turn from submit to final render.
///
/// Clone it and [`finish`](Self::finish) the clone to see the sums of a turn that still runs.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    phase: Phase,
    now: Ms,
    hidden: bool,
    /// Visible time since the last news.
    silent: Ms,
    /// Visible time since the last news or indicator.
    still: Ms,
    indicator: bool,
    summary: WaitsSummary,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    #[default]
    Before,
    Running,
    Finished,
}

impl Waits {
    /// The wait begins: the prompt was submitted. A second start is ignored.
    pub fn start(&mut self, at: Ms) {
        if self.phase == Phase::Before && at.is_finite() {
            self.phase = Phase::Running;
            self.now = at;
        }
    }

    /// Something new was shown.
    pub fn informative(&mut self, at: Ms) {
        if self.advance(at) {
            self.close_silent();
            self.close_static();
        }
    }

    /// An indicator (spinner, skeleton, animated label) appeared or went away.
    pub fn indicator(&mut self, at: Ms, on: bool) {
        if self.advance(at) {
            if on {
                self.close_static();
            }
            self.indicator = on;
        }
    }

    /// The page was hidden: the clock of the user's wait stops.
    pub fn interrupt(&mut self, at: Ms) {
        self.advance(at);
        self.hidden = true;
    }

    /// The page is visible again.
    pub fn resume(&mut self, at: Ms) {
        self.advance(at);
        self.hidden = false;
    }

    /// The wait is over; what comes later is ignored.
    pub fn finish(&mut self, at: Ms) {
        if self.advance(at) {
            self.close_silent();
            self.close_static();
            self.phase = Phase::Finished;
        }
    }

    /// The gaps that have ended so far.
    pub fn summary(&self) -> WaitsSummary {
        self.summary
    }

    /// Moves the clock; events out of order happen "now". Tells whether the turn is running.
    fn advance(&mut self, at: Ms) -> bool {
        if self.phase != Phase::Running {
            return false;
        }
        if at > self.now && at.is_finite() {
            if !self.hidden {
                self.silent += at - self.now;
                self.still += if self.indicator { 0.0 } else { at - self.now };
            }
            self.now = at;
        }
        true
    }

    fn close_silent(&mut self) {
        self.summary.silent.add(self.silent);
        self.silent = 0.0;
    }

    fn close_static(&mut self) {
        self.summary.r#static.add(self.still);
        self.still = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Submit 0, echo 100, animated "Thinking" 400, status "Searching" 5400, tokens 6000, 6200, 9000, final 9100.
    fn worked_example() -> Waits {
        let mut waits = Waits::default();
        waits.start(0.0);
        waits.informative(100.0);
        waits.informative(400.0);
        waits.indicator(400.0, true);
        waits.informative(5400.0);
        waits.indicator(6000.0, false);
        for at in [6000.0, 6200.0, 9000.0] {
            waits.informative(at);
        }
        waits.finish(9100.0);
        waits
    }

    /// Protects: the published worked example of metrics 11 and 12.
    #[test]
    fn the_worked_example_gives_its_known_answer() {
        let summary = worked_example().summary();
        assert_eq!(summary.silent, WaitSummary { count: 2, total: 7800.0, max: 5000.0 });
        assert_eq!(summary.r#static, WaitSummary { count: 1, total: 2800.0, max: 2800.0 });
    }

    /// Protects: a spinner alone is no news, but it is feedback.
    #[test]
    fn an_indicator_ends_static_time_only() {
        let mut waits = Waits::default();
        waits.start(0.0);
        waits.indicator(1500.0, true);
        waits.indicator(4000.0, false);
        waits.finish(6000.0);
        assert_eq!(waits.summary().silent, WaitSummary { count: 1, total: 6000.0, max: 6000.0 });
        assert_eq!(waits.summary().r#static, WaitSummary { count: 2, total: 3500.0, max: 2000.0 });
    }

    /// Protects: an indicator that flickers off for less than noticed is not a chain of fresh starts.
    #[test]
    fn static_time_starts_again_when_an_indicator_appears() {
        let mut waits = Waits::default();
        waits.start(0.0);
        waits.indicator(900.0, true);
        waits.indicator(2000.0, false);
        waits.indicator(2900.0, true);
        waits.finish(3000.0);
        assert_eq!(waits.summary().r#static, WaitSummary { count: 0, total: 0.0, max: 900.0 });
    }

    /// Protects: hidden time is taken out of a gap, what was visible before and after is kept.
    #[test]
    fn hidden_time_does_not_wait() {
        let mut waits = Waits::default();
        waits.start(0.0);
        waits.interrupt(700.0);
        waits.resume(60_000.0);
        waits.informative(60_800.0);
        waits.interrupt(61_000.0);
        waits.finish(99_000.0);
        assert_eq!(waits.summary().silent, WaitSummary { count: 1, total: 1500.0, max: 1500.0 });
    }

    /// Protects: a short wait is no wait, but its length is known.
    #[test]
    fn the_longest_gap_is_kept_even_when_nobody_noticed() {
        let mut waits = Waits::default();
        waits.start(50.0);
        waits.informative(857.0);
        waits.finish(1000.0);
        assert_eq!(waits.summary().silent, WaitSummary { count: 0, total: 0.0, max: 807.0 });
    }

    /// Protects: nothing is counted before the start or after the end.
    #[test]
    fn events_outside_the_turn_are_ignored() {
        let mut waits = Waits::default();
        waits.informative(5000.0);
        assert_eq!(waits.summary(), WaitsSummary::default());
        let mut ended = worked_example();
        ended.informative(50_000.0);
        ended.finish(90_000.0);
        assert_eq!(ended.summary(), worked_example().summary());
    }

    fn any_time() -> impl Strategy<Value = f64> {
        prop_oneof![8 => 0.0..20_000.0, 1 => Just(f64::NAN), 1 => Just(f64::INFINITY), 1 => Just(-1.0)]
    }

    proptest! {
        /// Protects: in any order and at any time, sums stay consistent and within the turn.
        #[test]
        fn any_order_of_events_keeps_the_sums_consistent(events in prop::collection::vec((0u8..6, any_time()), 0..60)) {
            let mut waits = Waits::default();
            waits.start(0.0);
            for (kind, at) in events {
                match kind {
                    0 => waits.informative(at),
                    1 => waits.indicator(at, true),
                    2 => waits.indicator(at, false),
                    3 => waits.interrupt(at),
                    4 => waits.resume(at),
                    _ => waits.start(at),
                }
            }
            waits.finish(20_000.0);
            let WaitsSummary { silent, r#static } = waits.summary();
            for wait in [silent, r#static] {
                prop_assert!(wait.total.is_finite() && wait.max.is_finite());
                prop_assert!(wait.count == 0 || wait.total >= wait.max);
                prop_assert!(wait.total >= f64::from(wait.count) * NOTICEABLE);
                prop_assert_eq!(wait.count > 0, wait.max > NOTICEABLE);
                prop_assert!(wait.total <= 20_000.0 + 1e-6);
            }
            prop_assert!(r#static.total <= silent.total + 1e-6, "what is static is silent too");
        }
    }
}
