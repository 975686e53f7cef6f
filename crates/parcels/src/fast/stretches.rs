//! Bytes of a stream that came in any order.

use std::collections::BTreeMap;

/// Stretches of bytes, by the number of the first; what follows without a gap is together.
#[derive(Debug, Default)]
pub(super) struct Stretches(BTreeMap<u32, Vec<u8>>);

impl Stretches {
    /// Puts bytes to those that are there; the first that came for a number counts.
    pub(super) fn add(&mut self, from: u32, bytes: &[u8]) {
        let before = self.0.range(..=from).next_back().map(|(at, there)| (*at, end(*at, there)));
        let (at, mut whole) = match before.filter(|(_, end)| *end >= from) {
            Some((at, _)) => (at, self.0.remove(&at).unwrap_or_default()),
            None => (from, Vec::new()),
        };
        whole.extend_from_slice(bytes.get(place(end(at, &whole) - from)..).unwrap_or_default());
        while let Some(next) = self.0.range(at..=end(at, &whole)).next().map(|(next, _)| *next) {
            let later = self.0.remove(&next).unwrap_or_default();
            let rest = whole.split_off(place(next - at).min(whole.len()));
            whole.extend_from_slice(&later);
            whole.extend_from_slice(rest.get(later.len()..).unwrap_or_default());
        }
        self.0.insert(at, whole);
    }

    /// Takes the first stretch if it begins there.
    pub(super) fn take(&mut self, from: u32) -> Option<Vec<u8>> {
        self.0.first_entry().filter(|first| *first.key() == from).map(|first| first.remove())
    }

    /// The bytes `from..to`, if all are there.
    pub(super) fn get(&self, from: u32, to: u32) -> Option<&[u8]> {
        let (at, bytes) = self.0.range(..=from).next_back()?;
        bytes.get(place(from - at)..place(to.checked_sub(*at)?))
    }

    /// The stretches that begin there or later: where each begins and ends.
    pub(super) fn from(&self, from: u32) -> impl Iterator<Item = (u32, u32)> {
        self.0.range(from..).map(|(at, bytes)| (*at, end(*at, bytes)))
    }

    /// What is missing of the bytes `from..to`.
    pub(super) fn missing(&self, mut from: u32, to: u32) -> Vec<(u32, u32)> {
        let mut missing = Vec::new();
        let first = self.0.range(..=from).next_back().map_or(from, |(at, _)| *at);
        for (at, end) in self.from(first) {
            if at >= to {
                break;
            }
            if at > from {
                missing.push((from, at));
            }
            from = from.max(end);
        }
        if from < to {
            missing.push((from, to));
        }
        missing
    }

    /// Forgets bytes until at most so many are left, in at most so many stretches: first those before `wanted`, then the
    /// last; without it, the first.
    pub(super) fn forget(&mut self, most: usize, stretches: usize, wanted: Option<u32>) {
        while self.kept() > most || self.0.len() > stretches {
            let surplus = self.kept().saturating_sub(most);
            let Some((at, bytes)) = self.0.first_key_value() else { return };
            if let Some(wanted) = wanted.filter(|wanted| *wanted < end(*at, bytes)) {
                let before = place(wanted.saturating_sub(*at));
                if surplus > 0 && before > 0 {
                    self.forget_first(surplus.min(before), usize::MAX);
                } else {
                    self.forget_last(surplus, stretches);
                }
            } else {
                self.forget_first(surplus, stretches);
            }
        }
    }

    /// Forgets so many bytes of the first stretch, or all of it if there are too many stretches.
    fn forget_first(&mut self, surplus: usize, stretches: usize) {
        let Some((at, mut bytes)) = self.0.pop_first() else { return };
        if self.0.len() < stretches && surplus < bytes.len() {
            let left = bytes.split_off(surplus);
            self.0.insert(at.saturating_add(u32::try_from(surplus).unwrap_or(u32::MAX)), left);
        }
    }

    /// The same at the end of the last stretch.
    fn forget_last(&mut self, surplus: usize, stretches: usize) {
        let Some((at, mut bytes)) = self.0.pop_last() else { return };
        if self.0.len() < stretches && surplus < bytes.len() {
            bytes.truncate(bytes.len() - surplus);
            self.0.insert(at, bytes);
        }
    }

    /// Forgets the bytes `from..to`, and what is together with them.
    pub(super) fn remove(&mut self, from: u32, to: u32) {
        self.0.retain(|at, bytes| *at >= to || end(*at, bytes) <= from);
    }

    /// How many stretches there are, and how many bytes.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn kept(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }
}

/// The number of the first byte after these.
pub(super) fn end(from: u32, bytes: &[u8]) -> u32 {
    from.saturating_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX))
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_grow_together_and_say_what_is_missing() {
        let mut there = Stretches::default();
        there.add(10, b"abcde");
        there.add(20, b"fg");
        assert_eq!(there.missing(0, 30), [(0, 10), (15, 20), (22, 30)]);
        assert_eq!(there.missing(11, 14), []);
        assert_eq!(there.missing(12, 21), [(15, 20)]);
        assert_eq!((there.get(11, 14), there.get(11, 16), there.get(0, 1)), (Some(&b"bcd"[..]), None, None));
        there.add(13, b"XXXXXXXXX!");
        assert_eq!((there.count(), there.get(10, 23)), (1, Some(&b"abcdeXXXXXfg!"[..])), "the first counts");
        assert_eq!((there.take(11), there.take(10).map(|all| all.len())), (None, Some(13)));
        assert_eq!((there.count(), there.kept()), (0, 0));
    }

    #[test]
    fn the_oldest_is_forgotten() {
        let mut there = Stretches::default();
        for at in 0..10 {
            there.add(at * 10, b"12345");
        }
        there.forget(12, 5, None);
        assert_eq!((there.count(), there.kept()), (3, 12));
        assert_eq!(there.get(73, 75), Some(&b"45"[..]));
        there.forget(12, 1, None);
        assert_eq!((there.count(), there.kept()), (1, 5));
        there.remove(94, 99);
        assert_eq!(there.count(), 0);
    }

    #[test]
    fn what_is_wanted_is_not_forgotten() {
        let mut there = Stretches::default();
        for at in 0..10 {
            there.add(at * 10, b"12345");
        }
        there.forget(42, 99, Some(13));
        assert_eq!((there.kept(), there.get(13, 15), there.get(90, 95)), (42, Some(&b"45"[..]), Some(&b"12345"[..])));
        there.forget(12, 99, Some(13));
        assert_eq!((there.kept(), there.get(13, 15), there.get(20, 25)), (12, Some(&b"45"[..]), Some(&b"12345"[..])));
        assert_eq!(there.get(30, 31), Some(&b"1"[..]));
        there.forget(99, 2, Some(13));
        assert_eq!((there.count(), there.get(13, 15), there.get(30, 31)), (2, Some(&b"45"[..]), None));
        there.forget(1, 99, Some(13));
        assert_eq!((there.kept(), there.get(13, 14)), (1, Some(&b"4"[..])));
    }
}
