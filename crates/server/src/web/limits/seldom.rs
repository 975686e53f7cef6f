//! A frequent event that is logged rarely: a log must not grow with what a client sends.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Decides when it is time to log something again.
pub(crate) struct Seldom {
    every: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    told: Option<Instant>,
    times: u64,
}

impl Seldom {
    /// At most once in this time.
    pub(crate) const fn every(every: Duration) -> Self {
        Self { every, state: Mutex::new(State { told: None, times: 0 }) }
    }

    /// It has happened once more: returns how often since it was last reported, if it should be reported now.
    pub(crate) fn now(&self) -> Option<u64> {
        self.at(Instant::now())
    }

    fn at(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.times += 1;
        if state.told.is_some_and(|told| now.saturating_duration_since(told) < self.every) {
            return None;
        }
        state.told = Some(now);
        Some(std::mem::take(&mut state.times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_reported_at_once_and_the_rest_together() {
        let (seldom, now) = (Seldom::every(Duration::from_secs(60)), Instant::now());
        assert_eq!(seldom.at(now), Some(1));
        assert!((0..59).all(|second| seldom.at(now + Duration::from_secs(second)).is_none()));
        assert_eq!(seldom.at(now + Duration::from_secs(60)), Some(60));
        assert_eq!(seldom.at(now + Duration::from_secs(61)), None);
    }
}
