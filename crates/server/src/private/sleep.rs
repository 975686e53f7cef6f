//! Notices that this computer has slept.
//!
//! While a computer sleeps, players may replace its hub. When it wakes, its connections look as if nothing had happened,
//! and what was on its way to it arrives. None of that may be put in order: nobody else would hear it. So every
//! connection from before ends, and those who are still with this hub connect again.
//!
//! Most clocks of a program stand still meanwhile. The time of day does not; a jump of it looks like sleep, which does no
//! harm.

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::watch;

use super::lock;
use crate::clock::now;

/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// Who has not looked at the clock for this many milliseconds has slept. Players wait longer before they replace a hub.
const SLEPT: i64 = 3000;

/// Somebody who looks at the clock often.
#[derive(Debug)]
pub struct Sleeper {
    looked: i64,
}

impl Sleeper {
    /// Awake.
    pub fn awake() -> Self {
        Self { looked: now().0 }
    }

    /// Whether the computer has slept since the last look at the clock.
    pub fn has_slept(&mut self) -> bool {
        self.has_slept_until(now().0)
    }

    fn has_slept_until(&mut self, now: i64) -> bool {
        now - std::mem::replace(&mut self.looked, now) > SLEPT
    }
}

/// How often this server has slept.
pub(super) struct Naps {
    sleeper: Mutex<Sleeper>,
    count: watch::Sender<u64>,
}

impl Naps {
    pub(super) fn none() -> Self {
        Self { sleeper: Mutex::new(Sleeper::awake()), count: watch::Sender::new(0) }
    }

    /// Their number, after a look at the clock.
    pub(super) fn count(&self) -> u64 {
        self.count_until(now().0)
    }

    fn count_until(&self, now: i64) -> u64 {
        // The lock is held until it is counted: nobody else may look in between and find nothing.
        let mut sleeper = lock(&self.sleeper);
        if sleeper.has_slept_until(now) {
            self.count.send_modify(|count| *count += 1);
        }
        *self.count.borrow()
    }

    /// Tells when it has slept.
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Looks at the clock again and again.
    pub(super) async fn notice(&self) {
        loop {
            self.count();
            tokio::time::sleep(LOOK).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_not_looked_at_the_clock_for_long_has_slept() {
        let mut sleeper = Sleeper { looked: 10_000 };
        let looks = [10_500, 13_500, 16_501, 16_600, 9_000, 9_500, 100_000].map(|now| sleeper.has_slept_until(now));
        assert_eq!(looks, [false, false, true, false, false, false, true], "a clock that was set back is no sleep");
    }

    #[test]
    fn every_nap_is_counted_once_and_told() {
        let naps = Naps { sleeper: Mutex::new(Sleeper { looked: 0 }), count: watch::Sender::new(0) };
        let watch = naps.watch();
        assert_eq!([1_000, 9_000, 9_000, 9_001, 60_000].map(|now| naps.count_until(now)), [0, 1, 1, 1, 2]);
        assert_eq!(*watch.borrow(), 2);
        assert!(watch.has_changed().unwrap());
    }
}
