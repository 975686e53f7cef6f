//! How much one member may send: a bucket of bytes and one of entries that refill with time.

use core::fmt;

/// What is left of somebody's budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    rate: Rate,
    /// Thousandths of entries, so that slow refilling loses nothing.
    entries: u64,
    bytes: u64,
    /// When it was last refilled, in milliseconds.
    at: u64,
}

/// How fast a budget refills, and how much it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rate {
    entries_per_second: u64,
    most_entries: u64,
    bytes_per_second: u64,
    most_bytes: u64,
}

/// Somebody has sent too much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exceeded {
    /// There is room again after this many milliseconds.
    pub wait: u64,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "too much was sent; there is room again in {} ms", self.wait)
    }
}

impl core::error::Error for Exceeded {}

impl Budget {
    /// For a member. An eight-pack shoe is shuffled in one message of 67 kB, and a quick deal takes a dozen messages
    /// a second.
    pub const fn member() -> Self {
        Self::full(Rate {
            entries_per_second: 30,
            most_entries: 300,
            bytes_per_second: 128 * 1024,
            most_bytes: 1 << 20,
        })
    }

    /// For all newcomers together: joining takes one small message.
    pub const fn newcomers() -> Self {
        Self::full(Rate { entries_per_second: 2, most_entries: 64, bytes_per_second: 8 * 1024, most_bytes: 256 * 1024 })
    }

    /// For words beside the log: a person types, and a program says that it is there.
    pub const fn beside() -> Self {
        Self::full(Rate { entries_per_second: 2, most_entries: 20, bytes_per_second: 4 * 1024, most_bytes: 40 * 1024 })
    }

    const fn full(rate: Rate) -> Self {
        Self { rate, entries: rate.most_entries * 1000, bytes: rate.most_bytes * 1000, at: 0 }
    }

    /// Takes one entry of this length out of the budget. An error takes nothing.
    pub fn charge(&mut self, bytes: usize, now: u64) -> Result<(), Exceeded> {
        let (rate, passed) = (self.rate, now.saturating_sub(self.at));
        // A clock that was set back refills nothing.
        self.at = self.at.max(now);
        let refill = |left: u64, per_second: u64, most: u64| {
            left.saturating_add(passed.saturating_mul(per_second)).min(most * 1000)
        };
        self.entries = refill(self.entries, rate.entries_per_second, rate.most_entries);
        self.bytes = refill(self.bytes, rate.bytes_per_second, rate.most_bytes);
        let needed = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1000);
        let wait = |left: u64, needed: u64, per_second: u64| needed.saturating_sub(left).div_ceil(per_second);
        match (self.entries.checked_sub(1000), self.bytes.checked_sub(needed)) {
            (Some(entries), Some(bytes)) => {
                (self.entries, self.bytes) = (entries, bytes);
                Ok(())
            }
            _ => {
                let entries = wait(self.entries, 1000, rate.entries_per_second);
                Err(Exceeded { wait: entries.max(wait(self.bytes, needed, rate.bytes_per_second)) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_fine_and_a_flood_is_not() {
        let mut budget = Budget::member();
        assert_eq!((0..1000).take_while(|_| budget.charge(100, 5_000).is_ok()).count(), 300);
        let Err(Exceeded { wait }) = budget.charge(100, 5_000) else { panic!("nothing is left") };
        assert_eq!(budget.charge(100, 5_000 + wait - 1), Err(Exceeded { wait: 1 }));
        assert_eq!(budget.charge(100, 5_000 + wait), Ok(()));
        let second = (0..1000).take_while(|_| budget.charge(100, 6_000 + wait).is_ok()).count();
        assert_eq!(second, 30);
    }

    #[test]
    fn large_messages_use_up_bytes() {
        let mut budget = Budget::member();
        assert_eq!((0..1000).take_while(|_| budget.charge(64 * 1024, 0).is_ok()).count(), 16);
        assert_eq!(budget.charge(64 * 1024, 0), Err(Exceeded { wait: 500 }));
        assert_eq!(budget.charge(64 * 1024, 500), Ok(()));
    }

    #[test]
    fn words_beside_the_log_come_as_fast_as_a_person_types() {
        let mut budget = Budget::beside();
        assert_eq!((0..1000).take_while(|_| budget.charge(50, 0).is_ok()).count(), 20);
        assert_eq!((0..1000).take_while(|_| budget.charge(50, 1_000).is_ok()).count(), 2);
        let mut budget = Budget::beside();
        assert_eq!((0..1000).take_while(|_| budget.charge(4096, 0).is_ok()).count(), 10, "bytes count as well");
    }

    #[test]
    fn a_clock_that_jumps_gives_nothing_away() {
        let mut budget = Budget::newcomers();
        assert_eq!((0..1000).take_while(|_| budget.charge(1, u64::MAX).is_ok()).count(), 64);
        assert!(budget.charge(1, 0).is_err());
        assert!(budget.charge(usize::MAX, u64::MAX).is_err());
    }
}
