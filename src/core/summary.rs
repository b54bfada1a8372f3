//! Percentiles of this page's turns, for `vitals.summary()`.
//!
//! May touch: `wire`. Exact quantiles (type 7) of the last turns; at most [`KEPT`] values a measure.
use super::wire::{Millis, Turn, record};

/// Values kept of each measure.
pub const KEPT: usize = 256;

/// The measures that are summed up.
pub const MEASURES: usize = 7;

record!(
    /// Percentiles of one measure.
    #[derive(Copy)]
    #[allow(missing_docs)]
    Percentiles {
        count: u32 = "count",
        p50: Millis = "p50",
        p75: Millis = "p75",
        p95: Millis = "p95",
        p99: Millis = "p99",
    }
);

/// Values of the turns so far.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    values: [Vec<f64>; MEASURES],
}

impl Summary {
    /// Takes in a turn that ended. What was out of sight is no wait of anyone and stays out.
    pub fn add(&mut self, turn: &Turn) {
        if turn.hidden.total.get() > 0.0 {
            return;
        }
        let measures = [
            turn.timings.first_feedback,
            turn.timings.first_reasoning,
            turn.timings.first_visible_token,
            turn.timings.first_useful_content,
            turn.timings.final_render,
            turn.render_lag.first,
            turn.waits.as_ref().map(|waits| waits.silent.total),
        ];
        for (values, measure) in self.values.iter_mut().zip(measures) {
            let Some(value) = measure else { continue };
            if values.len() == KEPT {
                values.remove(0);
            }
            values.push(value.get());
        }
    }

    /// Percentiles by measure; a measure without a value is absent.
    pub fn percentiles(&self) -> Vec<(&'static str, Percentiles)> {
        const NAMES: [&str; MEASURES] = [
            "firstFeedback",
            "firstReasoning",
            "firstVisibleToken",
            "firstUsefulContent",
            "finalRender",
            "renderLag",
            "silent",
        ];
        let named = NAMES.into_iter().zip(&self.values);
        named.filter_map(|(name, values)| Some((name, percentiles(values)?))).collect()
    }
}

fn percentiles(values: &[f64]) -> Option<Percentiles> {
    // By insertion: a general sort is a hundred times the code.
    let mut sorted = Vec::with_capacity(values.len());
    for value in values {
        let place = sorted.iter().position(|other| other > value).unwrap_or(sorted.len());
        sorted.insert(place, *value);
    }
    let at = |q| quantile(&sorted, q).map(Millis::new);
    Some(Percentiles {
        count: sorted.len() as u32,
        p50: at(0.5)?,
        p75: at(0.75)?,
        p95: at(0.95)?,
        p99: at(0.99)?,
    })
}

/// Hyndman and Fan's type 7: linear between the closest ranks.
fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let rank = q * sorted.len().checked_sub(1)? as f64;
    let below = *sorted.get(rank as usize)?;
    let above = sorted.get(rank as usize + 1).copied().unwrap_or(below);
    Some(below + (above - below) * (rank - (rank as usize) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the known answer of the definition , computed by hand.
    #[test]
    fn quantiles_are_type_7() {
        let data = [0.82, 0.95, 1.10, 1.40, 2.25];
        assert_eq!(quantile(&data, 0.5), Some(1.10));
        assert!((quantile(&data, 0.95).unwrap_or_default() - 2.08).abs() < 1e-9);
        assert_eq!(quantile(&[], 0.5), None);
    }
}
