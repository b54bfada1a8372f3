//! A bounded memory of names that were used.
use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

const LIMIT: usize = 10_000;

#[derive(Debug, Default)]
pub struct Seen(Mutex<(HashSet<String>, VecDeque<String>)>);

impl Seen {
    /// Whether the name is new; the oldest are forgotten first.
    pub fn insert(&self, name: &str) -> bool {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (names, order) = &mut *guard;
        if !names.insert(name.to_owned()) {
            return false;
        }
        order.push_back(name.to_owned());
        if order.len() > LIMIT
            && let Some(oldest) = order.pop_front()
        {
            names.remove(&oldest);
        }
        true
    }
}
