//! Shares with their uncertainty.
use serde::Serialize;

/// 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    pub count: usize,
    pub n: usize,
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

/// `count` of `n` with the Wilson score interval (95 %); nothing for an empty sample.
pub fn wilson(count: usize, n: usize) -> Option<Share> {
    if n == 0 {
        return None;
    }
    let (size, p) = (n as f64, count as f64 / n as f64);
    let weight = Z * Z / size;
    let centre = (p + weight / 2.0) / (1.0 + weight);
    let half = Z * (p * (1.0 - p) / size + weight / (4.0 * size)).sqrt() / (1.0 + weight);
    Some(Share { count, n, share: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the formula, by published and computed known answers.
    #[test]
    fn wilson_has_the_known_answers() {
        let known = [
            (81, 263, 0.255_289, 0.366_210),
            (15, 148, 0.062_386, 0.160_487),
            (0, 20, 0.0, 0.161_125),
            (1, 29, 0.006_113, 0.171_755),
            (120, 1000, 0.101_299, 0.141_609),
        ];
        for (count, n, low, high) in known {
            let share = wilson(count, n).expect("a share");
            assert!((share.low - low).abs() < 1e-6 && (share.high - high).abs() < 1e-6, "{share:?}");
        }
        assert_eq!(wilson(0, 0), None);
    }
}
