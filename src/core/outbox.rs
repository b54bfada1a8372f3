//! Turns that wait to be sent: bounded, one revision each, in batches of a size that a beacon can carry.
//!
//! May touch: nothing. Entries are finished JSON, opaque here.

/// Bytes of turns in one batch (beacons share 64 KiB a page; 15 KiB a batch, less room for the envelope).
pub const BATCH_BYTES: usize = 13 * 1024;
/// Turns in one batch.
pub const BATCH_TURNS: usize = 20;
/// Turns that wait at most; the oldest goes first.
pub const WAITING: usize = 100;

/// A turn that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Id of the turn.
    pub id: u64,
    /// Its revision; a higher one replaces a lower one.
    pub revision: u32,
    /// The turn as JSON.
    pub json: String,
}

/// The queue.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    entries: Vec<Entry>,
    lost: u32,
    /// Turns in one batch, where the receiver took fewer than usual.
    most: Option<usize>,
}

impl Outbox {
    /// Adds a turn. An entry of the same turn stays if it is newer and is replaced otherwise.
    pub fn put(&mut self, entry: Entry) {
        if let Some(same) = self.entries.iter_mut().find(|same| same.id == entry.id) {
            if same.revision < entry.revision {
                *same = entry;
            }
            return;
        }
        if self.entries.len() == WAITING {
            self.entries.remove(0);
            self.lost += 1;
        }
        self.entries.push(entry);
    }

    /// Takes the turns of one batch, oldest first; at least one if any waits.
    pub fn take(&mut self) -> Vec<Entry> {
        let mut bytes = 0;
        let fits = |entry: &&Entry| {
            bytes += entry.json.len();
            bytes <= BATCH_BYTES
        };
        let count = self.entries.iter().take(self.most.unwrap_or(BATCH_TURNS)).take_while(fits).count();
        let rest = self.entries.split_off(count.max(1).min(self.entries.len()));
        core::mem::replace(&mut self.entries, rest)
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes back a batch that was too large for the receiver: from now on half as many go at once. One turn that is too
    /// large by itself is lost.
    pub fn split(&mut self, entries: Vec<Entry>) {
        if entries.len() < 2 {
            return self.lose(entries.len());
        }
        self.most = Some(entries.len() / 2);
        for entry in entries {
            self.put(entry);
        }
    }

    /// Turns that nobody will have.
    pub fn lose(&mut self, turns: usize) {
        self.lost += turns as u32;
    }

    /// Turns that were dropped because too many waited, or that the receiver refused.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: u64, revision: u32, bytes: usize) -> Entry {
        Entry { id, revision, json: "x".repeat(bytes) }
    }

    /// Protects: the receiver gets the newest revision only, whatever the order of arrival.
    #[test]
    fn keeps_the_newest_revision() {
        let mut outbox = Outbox::default();
        for revision in [2, 1, 3] {
            outbox.put(entry(7, revision, 10));
        }
        let taken = outbox.take();
        assert_eq!(taken.len(), 1);
        assert_eq!(taken.first().map(|entry| entry.revision), Some(3));
        assert!(outbox.is_empty());
    }

    /// Protects: a batch fits a beacon, and a turn that is too big for one still leaves.
    #[test]
    fn batches_by_size_and_never_blocks() {
        let mut outbox = Outbox::default();
        for (id, bytes) in [(1, 6_000), (2, 6_000), (3, 6_000), (4, 40_000)] {
            outbox.put(entry(id, 1, bytes));
        }
        let sizes: Vec<usize> =
            ::core::iter::from_fn(|| Some(outbox.take().len()).filter(|n| *n > 0)).collect();
        assert_eq!(sizes, [2, 1, 1]);
    }

    /// Protects: what is too large for the receiver is cut until it fits, and the turn that never does is counted.
    #[test]
    fn what_is_refused_as_too_large_is_halved() {
        let mut outbox = Outbox::default();
        for id in 0..5 {
            outbox.put(entry(id, 1, 10));
        }
        let mut sizes = Vec::new();
        loop {
            let batch = outbox.take();
            sizes.push(batch.len());
            match batch.len() {
                0 => break,
                _ if batch.iter().any(|entry| entry.id == 3) => outbox.split(batch),
                _ => {}
            }
        }
        assert_eq!((sizes.first(), sizes.get(1), outbox.lost()), (Some(&5), Some(&2), 1));
    }

    /// Protects: memory is bounded and what is dropped is counted.
    #[test]
    fn drops_the_oldest_and_counts_it() {
        let mut outbox = Outbox::default();
        for id in 0..WAITING as u64 + 5 {
            outbox.put(entry(id, 1, 1));
        }
        assert_eq!(outbox.lost(), 5);
        assert_eq!(outbox.take().first().map(|entry| entry.id), Some(5));
    }
}
