//! How many new results are taken in a day.
//!
//! Whoever makes up keys can make up matches, too, and sign them. Nothing in a result shows that, so what a station can do
//! is not to be filled with them: each address brings some new matches in a day, and all together bring some. What is known
//! already costs nothing, so players may send all their results again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many new matches one address brings, and all of them. A club night has about a hundred.
const EACH: u32 = 200;
const ALL: u32 = 5_000;
const DAY: Duration = Duration::from_secs(86_400);

/// New matches, counted from the first of each day on.
pub(super) struct Intake(Mutex<Counted>);

struct Counted {
    since: Instant,
    all: u32,
    each: HashMap<IpAddr, u32>,
}

impl Intake {
    pub(super) fn new(now: Instant) -> Self {
        Self(Mutex::new(Counted { since: now, all: 0, each: HashMap::new() }))
    }

    /// Whether this address may bring another match.
    pub(super) fn may_bring(&self, from: IpAddr, now: Instant) -> bool {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(counted.since) >= DAY {
            *counted = Counted { since: now, all: 0, each: HashMap::new() };
        }
        counted.all < ALL && counted.each.get(&from).is_none_or(|count| *count < EACH)
    }

    /// It has brought one.
    pub(super) fn has_brought(&self, from: IpAddr) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counted.all = counted.all.saturating_add(1);
        let each = counted.each.entry(from).or_default();
        *each = each.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_brings_some_matches_in_a_day_and_all_together_bring_some() {
        let now = Instant::now();
        let intake = Intake::new(now);
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        for _ in 0..EACH {
            assert!(intake.may_bring(one, now));
            intake.has_brought(one);
        }
        assert!(!intake.may_bring(one, now) && intake.may_bring(other, now));
        let many = (0..ALL - EACH).map(|number| IpAddr::from((0xC633_6400 + number).to_be_bytes()));
        many.for_each(|from| intake.has_brought(from));
        assert!(!intake.may_bring(other, now), "a whole network has filled the day");
        assert!(intake.may_bring(one, now + DAY));
    }
}
