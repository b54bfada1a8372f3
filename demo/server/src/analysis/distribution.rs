//! Quantiles of a sample, and a histogram on a logarithmic axis.
use serde::Serialize;

/// Quantile of type 7 (linear between the order statistics); `sorted` must be in order.
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    let (a, b) = (*sorted.get(low)?, *sorted.get(high)?);
    Some(a + (place - low as f64) * (b - a))
}

/// Why the tail of a small sample says little.
pub fn warning(count: usize) -> Option<&'static str> {
    match count {
        0 => None,
        1..20 => Some("p95 and p99 from fewer than 20 turns"),
        20..100 => Some("p99 from fewer than 100 turns"),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bin {
    pub from: f64,
    pub to: f64,
    pub count: usize,
}

const BINS_PER_DECADE: f64 = 8.0;

/// Bins from the first to the last filled one. What is under 1 is counted with 1: below the clock's resolution.
pub fn bins(sorted: &[f64]) -> Vec<Bin> {
    let index = |value: f64| (value.max(1.0).log10() * BINS_PER_DECADE).floor() as i32;
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let edge = |index: i32| 10_f64.powf(f64::from(index) / BINS_PER_DECADE);
    let first = index(*first);
    let mut bins: Vec<_> =
        (first..=index(*last)).map(|at| Bin { from: edge(at), to: edge(at + 1), count: 0 }).collect();
    for value in sorted {
        if let Some(bin) = usize::try_from(index(*value) - first).ok().and_then(|at| bins.get_mut(at)) {
            bin.count += 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the stated method, by the known answer of the specification.
    #[test]
    fn quantiles_are_of_type_7() {
        let sample = [0.82, 0.95, 1.10, 1.40, 2.25];
        assert_eq!(quantile(&sample, 0.5), Some(1.10));
        assert!((quantile(&sample, 0.95).expect("a value") - 2.08).abs() < 1e-12);
        assert_eq!(quantile(&[7.0], 0.99), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    /// Protects: no p95 under 20 and no p99 under 100 turns without a word.
    #[test]
    fn small_samples_carry_a_warning() {
        assert!(warning(19).is_some_and(|text| text.contains("p95")));
        assert!(warning(20).is_some_and(|text| !text.contains("p95")));
        assert!(warning(99).is_some() && warning(100).is_none() && warning(0).is_none());
    }

    /// Protects: each value is in the bin whose borders hold it, and none is lost.
    #[test]
    fn bins_hold_every_value() {
        let values = [0.4, 1.0, 9.9, 10.0, 1000.0, 1001.0];
        let bins = bins(&values);
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), values.len());
        assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
        let last = bins.last().expect("a bin");
        assert!(last.from <= 1000.0 + 1e-9 && last.to > 1001.0 && last.count == 2);
    }
}
