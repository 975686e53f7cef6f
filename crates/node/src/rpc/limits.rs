//! How much one address may ask.

use core::net::IpAddr;
use core::num::NonZeroU32;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Requests in a second, and at once.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(500).expect("not zero");
/// Open lines from one address: several nodes and players may share one.
const LINES: usize = 128;

/// What has been asked lately, by address.
#[derive(Debug)]
pub(super) struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    lines: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests: RateLimiter::keyed(Quota::per_second(PER_SECOND)), lines: Arc::default() }
    }
}

/// An open line. Counts until it is dropped.
pub(super) struct Seat {
    from: IpAddr,
    lines: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = lines.get_mut(&self.from) {
            *open = open.saturating_sub(1);
        }
        lines.retain(|_, open| *open > 0);
    }
}

impl Limits {
    /// Whether this address may ask now.
    pub(super) fn allow(&self, from: IpAddr) -> bool {
        if self.requests.len() > 10_000 {
            self.requests.retain_recent();
        }
        self.requests.check_key(&from).is_ok()
    }

    /// Another line from this address, if it has not too many.
    pub(super) fn seat(&self, from: IpAddr) -> Option<Seat> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let open = lines.entry(from).or_default();
        (*open < LINES).then(|| {
            *open += 1;
            Seat { from, lines: Arc::clone(&self.lines) }
        })
    }
}
