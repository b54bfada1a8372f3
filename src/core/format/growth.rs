//! How far values have grown that a stream tells as a whole again and again: only what is new counts.
use super::reading::DISTINCT_LIMIT;

/// The largest size seen of each value, by the fingerprint of its name.
#[derive(Debug, Default)]
pub(super) struct Growth(Vec<(u64, u32)>);

impl Growth {
    /// The size that was known before. Of a value over the limit all is taken as known.
    pub(super) fn advance(&mut self, key: u64, size: u32) -> u32 {
        if let Some((_, known)) = self.0.iter_mut().find(|(known, _)| *known == key) {
            let before = *known;
            *known = before.max(size);
            return before;
        }
        if self.0.len() == DISTINCT_LIMIT {
            return size;
        }
        self.0.push((key, size));
        0
    }

    /// The value grows by this size.
    pub(super) fn add(&mut self, key: u64, size: u32) {
        let before = self.advance(key, 0);
        self.advance(key, before.saturating_add(size));
    }
}
