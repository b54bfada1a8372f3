//! Durations by size, in a fixed amount of memory.
//!
//! May touch: nothing. The exponent and the first bits of the mantissa of a float *are* the bucket,
//! so no logarithm is needed; quantiles are within 1.6 %.
use super::event::Ms;

const MANTISSA_BITS: u32 = 5;
/// 1 ms to 2^23 ms (2 h 20 min) in steps of 1/32 of an octave.
const BUCKETS: usize = 23 << MANTISSA_BITS;
/// Bits of 1.0 above the part of the mantissa that is not looked at.
const OFFSET: u64 = 1.0f64.to_bits() >> (f64::MANTISSA_DIGITS - 1 - MANTISSA_BITS);

/// Counts of durations.
#[derive(Clone, Debug)]
pub struct Histogram {
    count: u32,
    max: Ms,
    buckets: [u16; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { count: 0, max: 0.0, buckets: [0; BUCKETS] }
    }
}

impl Histogram {
    /// Counts a duration; shorter than a millisecond counts as one.
    pub fn push(&mut self, duration: Ms) {
        if !duration.is_finite() {
            return;
        }
        self.max = self.max.max(duration);
        let bits = duration.max(1.0).to_bits() >> (f64::MANTISSA_DIGITS - 1 - MANTISSA_BITS);
        let index = bits.saturating_sub(OFFSET).min(BUCKETS as u64 - 1) as usize;
        if let Some(bucket) = self.buckets.get_mut(index).filter(|bucket| **bucket < u16::MAX) {
            *bucket += 1;
            self.count += 1;
        }
    }

    /// How many were counted.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The longest.
    pub fn max(&self) -> Option<Ms> {
        (self.count > 0).then_some(self.max)
    }

    /// The value at rank ⌊1 + q (n − 1)⌋, never above the longest.
    pub fn quantile(&self, q: f64) -> Option<Ms> {
        let before = (q * f64::from(self.count.checked_sub(1)?)) as u32;
        let mut seen = 0;
        for (index, bucket) in (0u64..).zip(self.buckets) {
            seen += u32::from(bucket);
            if seen > before {
                return Some(middle(index).min(self.max));
            }
        }
        None
    }
}

fn middle(index: u64) -> Ms {
    let halves = ((index + OFFSET) << 1) | 1;
    f64::from_bits(halves << (f64::MANTISSA_DIGITS - 2 - MANTISSA_BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: quantiles over the whole range are within 1.6 % of the exact ones.
    #[test]
    fn quantiles_are_close_from_a_millisecond_to_an_hour() {
        let mut value = 1.0;
        while value < 3_600_000.0 {
            let mut histogram = Histogram::default();
            histogram.push(value);
            histogram.push(value * 2.0);
            let p0 = histogram.quantile(0.0).unwrap_or_default();
            assert!((p0 / value - 1.0).abs() <= 0.016, "{value}: {p0}");
            value *= 1.37;
        }
    }

    /// Protects: an empty histogram says nothing, and no quantile is above the longest duration.
    #[test]
    fn says_nothing_of_nothing_and_never_more_than_it_saw() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.quantile(0.5), histogram.max()), (None, None));
        histogram.push(10.1);
        assert_eq!(histogram.quantile(0.95), Some(10.1));
    }
}
