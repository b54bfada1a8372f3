//! Which variant a unit (user, session, page) sees: the same one every time, without storing anything.
//!
//! May touch: nothing. The loader computes the same before the engine is there, so the test
//! vectors of [`assign`] hold for both.

/// Buckets that units are spread over.
const BUCKETS: u32 = 10_000;

/// The index of the variant of `unit` in the experiment `name`, by weight.
///
/// FNV-1a (32 bits) over the UTF-8 of `name`, `:` and `unit`, modulo 10 000, gives the bucket;
/// variants take the buckets in their order, each its share of the sum of weights. Without
/// weights, or if all are 0, the answer is 0.
///
/// | name | unit | bucket | weights | variant |
/// |---|---|---|---|---|
/// | `progress` | `1` | 4047 | 1, 1 | 0 |
/// | `progress` | `3` | 9285 | 1, 1 | 1 |
/// | `progress` | `6f9619ff-8b86-d011-b42d-00c04fc96401` | 8487 | 1, 1, 1, 1 | 3 |
/// | `indicator` | `user-17` | 9974 | 90, 10 | 1 |
/// | `tone` | `größe` | 8654 | 50, 30, 20 | 2 |
/// | (empty) | (empty) | 8253 | 1, 2, 3 | 2 |
pub fn assign(name: &str, unit: &str, weights: &[u32]) -> usize {
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let bucket = u64::from(bucket(name, unit));
    let mut upper = 0;
    weights
        .iter()
        .position(|weight| {
            upper += u64::from(*weight);
            bucket * total < upper * u64::from(BUCKETS)
        })
        .unwrap_or(0)
}

fn bucket(name: &str, unit: &str) -> u32 {
    let bytes = name.bytes().chain([b':']).chain(unit.bytes());
    bytes.fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)) % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the published vectors, which the loader has to agree with.
    #[test]
    fn the_published_vectors_hold() {
        for (name, unit, expected, weights, variant) in [
            ("progress", "1", 4047, &[1, 1][..], 0),
            ("progress", "3", 9285, &[1, 1][..], 1),
            ("progress", "6f9619ff-8b86-d011-b42d-00c04fc96401", 8487, &[1, 1, 1, 1][..], 3),
            ("indicator", "user-17", 9974, &[90, 10][..], 1),
            ("tone", "größe", 8654, &[50, 30, 20][..], 2),
            ("", "", 8253, &[1, 2, 3][..], 2),
        ] {
            assert_eq!(bucket(name, unit), expected, "{name}:{unit}");
            assert_eq!(assign(name, unit, weights), variant, "{name}:{unit}");
        }
    }

    /// Protects: shares follow the weights, also for units that differ in one digit only.
    #[test]
    fn shares_follow_the_weights() {
        let weights = [50, 30, 20];
        let mut counts = [0u32; 3];
        for unit in 0..20_000 {
            let variant = assign("progress", &unit.to_string(), &weights);
            counts.iter_mut().skip(variant).take(1).for_each(|count| *count += 1);
        }
        for (count, weight) in counts.iter().zip(weights) {
            let expected = weight * 200;
            // Five standard deviations of a binomial share.
            assert!(count.abs_diff(expected) < 350, "{counts:?}");
        }
    }

    /// Protects: two experiments do not put the same units together.
    #[test]
    fn experiments_are_independent() {
        let both = (0..20_000).filter(|unit| {
            let unit = unit.to_string();
            assign("progress", &unit, &[1, 1]) == 1 && assign("tone", &unit, &[1, 1]) == 1
        });
        assert!(both.count().abs_diff(5000) < 310);
    }

    /// Protects: odd weights do no harm.
    #[test]
    fn odd_weights_are_harmless() {
        assert_eq!(assign("a", "b", &[]), 0);
        assert_eq!(assign("a", "b", &[0, 0]), 0);
        assert_eq!(assign("a", "b", &[0, 7, 0]), 1);
        assert!(assign("a", "b", &[u32::MAX; 3]) < 3);
    }
}
