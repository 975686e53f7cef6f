//! Wrong codes: a code has six digits only, so whoever may try for long enough finds every private table.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many wrong codes may be tried at once: people mistype, and old links lead nowhere.
const AT_ONCE: u32 = 20;

/// Counts wrong codes by address.
pub(super) struct Guesses {
    /// After so long one of them is forgotten.
    each: Duration,
    /// When all of an address are forgotten.
    until: Mutex<HashMap<IpAddr, Instant>>,
}

impl Guesses {
    /// So many are forgotten in a minute.
    pub(super) fn new(a_minute: NonZeroU32) -> Self {
        Self { each: Duration::from_secs(60) / a_minute.get(), until: Mutex::default() }
    }

    /// May this address try another? Whoever may has used it up: so nothing is gained by trying many at once, or
    /// by not waiting for the answer.
    pub(super) fn take(&self, from: IpAddr, now: Instant) -> bool {
        let mut until = self.until();
        let before = until.get(&from).map_or(now, |until| now.max(*until));
        if before - now > self.each * (AT_ONCE - 1) {
            return false;
        }
        until.insert(from, before + self.each);
        true
    }

    /// It was a right one, which costs nothing.
    pub(super) fn give_back(&self, from: IpAddr) {
        if let Some(until) = self.until().get_mut(&from) {
            *until = until.checked_sub(self.each).unwrap_or(*until);
        }
    }

    /// Forgets those whose wrong codes are all forgotten.
    pub(super) fn shrink(&self, now: Instant) {
        self.until().retain(|_, until| *until > now);
    }

    fn until(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: NonZeroU32 = NonZeroU32::new(6).unwrap();
    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 2));

    #[test]
    fn after_some_wrong_codes_there_is_one_now_and_then() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        assert_eq!((0..100).filter(|_| guesses.take(HERE, now)).count(), 20);
        assert!(!guesses.take(HERE, after(9)));
        assert!(guesses.take(HERE, after(10)) && !guesses.take(HERE, after(10)));
        assert!(guesses.take(THERE, now), "others are not held up");
        let hour = after(3600);
        assert_eq!((0..100).filter(|_| guesses.take(HERE, hour)).count(), 20, "no more for having waited");
    }

    #[test]
    fn right_codes_cost_nothing() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        for _ in 0..100 {
            assert!(guesses.take(HERE, now));
            guesses.give_back(HERE);
        }
        assert_eq!((0..100).filter(|_| guesses.take(HERE, now)).count(), 20);
        assert!(!guesses.take(HERE, now), "not even a right one: it would say that it is");
    }

    #[test]
    fn who_has_waited_is_forgotten() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        assert!(guesses.take(HERE, now));
        guesses.shrink(now);
        assert_eq!(guesses.until().len(), 1);
        guesses.shrink(now + Duration::from_secs(11));
        assert_eq!(guesses.until().len(), 0);
    }
}
