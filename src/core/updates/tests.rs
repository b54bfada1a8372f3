#![allow(clippy::unwrap_used, clippy::indexing_slicing)]
use super::*;
use proptest::prelude::*;

fn updates(start: Ms, times: &[Ms]) -> Updates {
    let mut updates = Updates::new(start);
    times.iter().for_each(|at| updates.push(*at));
    updates
}

/// Protects: the published worked example of metric 14.
#[test]
fn fluidity_of_the_worked_example_is_five_sixths() {
    let seen = updates(0.0, &[800.0, 1000.0, 1200.0, 2000.0, 2100.0, 2200.0]).summary();
    assert_eq!(seen.fluidity, Some(5.0 / 6.0));
    assert_eq!(seen.count, 6);
    assert_eq!(seen.max, Some(800.0));
}

/// Protects: a value that needs more updates than there were is absent, not 0.
#[test]
fn few_updates_tell_little() {
    let none = Updates::new(0.0).summary();
    assert_eq!(none, UpdatesSummary::default());
    let one = updates(0.0, &[500.0]).summary();
    assert_eq!((one.count, one.p50, one.max, one.fluidity), (1, None, None, None));
    let two = updates(0.0, &[500.0, 600.0]).summary();
    assert_eq!((two.count, two.max, two.fluidity), (2, Some(100.0), None));
    assert_eq!(two.p50, Some(100.0), "the middle of the bucket is capped by the longest gap");
}

/// Protects: hidden time makes no gap, no stall and no late update, and is counted.
#[test]
fn a_gap_that_spans_hidden_time_is_dropped_and_counted() {
    let mut seen = updates(0.0, &[100.0, 200.0, 300.0]);
    seen.interrupt();
    seen.push(90_000.0);
    seen.push(90_100.0);
    let summary = seen.summary();
    assert_eq!((summary.count, summary.dropped, summary.max), (5, 1, Some(100.0)));
    assert_eq!(summary.fluidity, Some(1.0));
    assert_eq!(seen.stalls().count, 0);
}

/// Protects: hidden time before the first update makes no gap (there was none to drop).
#[test]
fn hidden_before_the_first_update_drops_no_gap() {
    let mut seen = Updates::new(0.0);
    seen.interrupt();
    seen.push(70_000.0);
    seen.push(70_100.0);
    assert_eq!((seen.summary().dropped, seen.summary().max), (0, Some(100.0)));
}

/// Protects: the threshold of a stall (metric 10) and its sums.
#[test]
fn a_stall_is_a_gap_above_one_second() {
    let seen = updates(0.0, &[6000.0, 7000.0, 9800.0, 9900.0]);
    assert_eq!(seen.stalls(), WaitSummary { count: 1, total: 2800.0, max: 2800.0 });
}

/// Protects: a time that is none, or that runs backwards, spoils nothing.
#[test]
fn odd_times_are_harmless() {
    let seen = updates(0.0, &[f64::NAN, 500.0, 400.0, f64::INFINITY, 600.0]).summary();
    assert_eq!((seen.count, seen.max), (3, Some(100.0)));
}

/// Protects: counts that are full leave the quantiles where they were.
#[test]
fn a_full_bucket_does_not_overflow() {
    let mut seen = Updates::new(0.0);
    (0..70_000).for_each(|i| seen.push(f64::from(i) * 16.0));
    let summary = seen.summary();
    assert_eq!(summary.count, 70_000);
    assert_eq!(summary.p95, Some(16.0));
}

proptest! {
    /// Protects: the promised precision of the quantiles against the exact order statistic.
    #[test]
    fn quantiles_are_within_the_promised_error(gaps in prop::collection::vec(1.0f64..900_000.0, 1..200)) {
        let mut seen = Updates::new(0.0);
        let mut at = 0.0;
        seen.push(at);
        for gap in &gaps {
            at += gap;
            seen.push(at);
        }
        let mut sorted = gaps.clone();
        sorted.sort_by(f64::total_cmp);
        for (q, estimate) in [(0.50, seen.summary().p50), (0.95, seen.summary().p95)] {
            let exact = sorted[(q * (sorted.len() - 1) as f64) as usize];
            let estimate = estimate.unwrap();
            prop_assert!((estimate - exact).abs() <= exact * 0.016, "{q}: {estimate} for {exact}");
        }
    }
}

/// Protects: the published worked example of metric 13 (characters as they are added: 20, 40, 40, 100).
#[test]
fn starvation_of_the_worked_example() {
    let mut reader = Starvation::default();
    for (at, visible) in [(800.0, 20), (2800.0, 60), (3000.0, 100), (6000.0, 200)] {
        reader.read(at, visible);
    }
    assert!((reader.total(6000.0) - 1159.664).abs() < 0.001, "{}", reader.total(6000.0));
}

/// Protects: nobody starves before there is something to read, nor while the page is hidden.
#[test]
fn only_visible_time_after_the_first_character_starves() {
    let mut reader = Starvation::default();
    reader.read(500.0, 0);
    assert_eq!(reader.total(9000.0), 0.0);
    reader.read(10_000.0, 1);
    reader.interrupt(10_500.0);
    reader.resume(60_000.0);
    let expected = 1000.0 - 1000.0 / 23.8;
    assert!((reader.total(60_500.0) - expected).abs() < 0.001);
}

/// Protects: a redrawn, shorter text is not read twice.
#[test]
fn text_that_was_taken_back_is_not_read_again() {
    let mut reader = Starvation::default();
    for visible in [238, 10, 238] {
        reader.read(0.0, visible);
    }
    assert!((reader.total(11_000.0) - 1000.0).abs() < 0.001);
}
