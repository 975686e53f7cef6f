//! Notices that this device has slept, and that a hub has fallen silent.
//!
//! Both look the same to a page: nothing happens. Somebody who has slept must not call others late for it, and neither must
//! somebody whose connection has been dead without anybody saying so.
//!
//! A tab in the background is called once a second, and in some browsers once a minute; what the hub sends arrives all the
//! same. Such a tab loses its vote about who is late, and keeps its connection.

use super::Around;

/// Who is called this much later than they asked for has slept. In a match they ask for half a second, and in the
/// background get a whole one.
const SLEPT: u64 = 2_500;
/// A hub shows every five seconds that it is there. One that is silent for this long is gone.
const SILENT: u64 = 15_000;
/// After sleep it has this long to be heard: what came meanwhile comes at once, and the next sign of life soon.
const TO_BE_HEARD: u64 = 7_000;

/// What is known about time.
pub(super) struct Awake {
    /// The clocks at the last call: that of the page, which may stand still in sleep, and the time of day.
    now: u64,
    clock: u64,
    /// In how many milliseconds the page was to call again.
    wake: u64,
    /// When the hub must have been heard.
    due: u64,
}

impl Awake {
    pub(super) const fn new(around: &Around) -> Self {
        let (now, clock) = (around.now, around.clock);
        Self { now, clock, wake: 0, due: now.saturating_add(SILENT) }
    }

    /// A call: whether the device has slept since the last one. A jump of the time of day looks the same, and does no harm.
    pub(super) fn has_slept(&mut self, around: &Around) -> bool {
        let gap = around.now.saturating_sub(self.now).max(around.clock.saturating_sub(self.clock));
        (self.now, self.clock) = (around.now, around.clock);
        let slept = gap > self.wake.saturating_add(SLEPT);
        if slept {
            // That nothing was heard may be this device's own doing.
            self.due = self.due.max(around.now.saturating_add(TO_BE_HEARD));
        }
        slept
    }

    /// The page was asked to call again after this many milliseconds.
    pub(super) const fn asked(&mut self, wake: u64) {
        self.wake = wake;
    }

    /// The hub was heard, or a connection is opened then.
    pub(super) const fn heard(&mut self, at: u64) {
        self.due = at.saturating_add(SILENT);
    }

    pub(super) const fn is_silent(&self, now: u64) -> bool {
        now > self.due
    }
}
