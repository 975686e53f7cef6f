//! How much anybody may ask for.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::ids::PlayerId;

/// Limits on requests, messages and tables.
pub struct Limits {
    requests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    messages: Option<DefaultKeyedRateLimiter<PlayerId>>,
    tables: Option<DefaultKeyedRateLimiter<IpAddr>>,
    sockets: Arc<Semaphore>,
}

impl Limits {
    /// So many requests a second from one address, messages a second of one player, and new tables a minute from
    /// one address; 0 is without a limit. Bursts of ten seconds' worth are fine.
    pub fn new(requests: u32, messages: u32, tables: u32) -> Self {
        let second = |rate: u32| {
            let rate = NonZeroU32::new(rate)?;
            Some(Quota::per_second(rate).allow_burst(rate.saturating_mul(NonZeroU32::new(10)?)))
        };
        Self {
            requests: second(requests).map(RateLimiter::keyed),
            messages: second(messages).map(RateLimiter::keyed),
            tables: NonZeroU32::new(tables).map(Quota::per_minute).map(RateLimiter::keyed),
            sockets: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
        }
    }

    /// The same with so many sockets at most.
    #[must_use]
    pub fn with_sockets(mut self, most: usize) -> Self {
        self.sockets = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        self
    }

    /// A place for a socket, if there is one; it is given back when dropped.
    pub(crate) fn socket(&self) -> Option<OwnedSemaphorePermit> {
        self.sockets.clone().try_acquire_owned().ok()
    }

    /// May this address ask once more?
    pub(crate) fn request(&self, from: IpAddr) -> bool {
        self.requests.as_ref().is_none_or(|limit| limit.check_key(&network(from)).is_ok())
    }

    /// May this player send once more?
    pub(crate) fn message(&self, from: PlayerId) -> bool {
        self.messages.as_ref().is_none_or(|limit| limit.check_key(&from).is_ok())
    }

    /// May this address make another table?
    pub(crate) fn table(&self, from: IpAddr) -> bool {
        self.tables.as_ref().is_none_or(|limit| limit.check_key(&network(from)).is_ok())
    }

    /// Forgets those who have not asked for a while.
    pub fn shrink(&self) {
        if let Some(limit) = &self.requests {
            limit.retain_recent();
        }
        if let Some(limit) = &self.messages {
            limit.retain_recent();
        }
        if let Some(limit) = &self.tables {
            limit.retain_recent();
        }
    }
}

/// One household has a whole network of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        },
    }
}
