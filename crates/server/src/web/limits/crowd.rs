//! How many of one kind are here at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

type Counts<K> = Arc<Mutex<HashMap<K, usize>>>;

/// Counts who is here, by a shared key; there is a limit for each key.
pub(super) struct Crowd<K: Hash + Eq> {
    most: usize,
    here: Counts<K>,
}

/// A place that is taken until this is dropped.
pub(super) struct Entered<K: Hash + Eq> {
    key: K,
    here: Counts<K>,
}

impl<K: Hash + Eq + Copy> Crowd<K> {
    pub(super) fn new(most: usize) -> Self {
        Self { most, here: Counts::default() }
    }

    /// Takes a place for this key, if there is one.
    pub(super) fn enter(&self, key: K) -> Option<Entered<K>> {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        let count = here.get(&key).copied().unwrap_or(0);
        if count >= self.most {
            return None;
        }
        here.insert(key, count + 1);
        Some(Entered { key, here: self.here.clone() })
    }
}

impl<K: Hash + Eq> Drop for Entered<K> {
    fn drop(&mut self) {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = here.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                here.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_about_those_who_have_gone() {
        let crowd = Crowd::new(2);
        let (first, second) = (crowd.enter('a'), crowd.enter('a'));
        assert!(first.is_some() && second.is_some() && crowd.enter('a').is_none());
        assert!(crowd.enter('b').is_some());
        drop(first);
        assert!(crowd.enter('a').is_some());
        drop(second);
        assert!(crowd.here.lock().unwrap().is_empty());
    }
}
