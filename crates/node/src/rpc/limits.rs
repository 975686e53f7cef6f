//! How much may be asked: by one address, and by everybody together.
//!
//! Connections are of three kinds, each with room of its own, so that a flood of one kind does not keep the others out:
//! those that ask single questions, lines of players, and lines of other nodes. Each kind also has its own threads to work
//! in. Addresses that the settings name as other nodes have room that strangers cannot take.

use core::net::{IpAddr, Ipv6Addr};
use core::num::NonZeroU32;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::Semaphore;

/// Requests of an address in a second, and at once.
const PER_SECOND: NonZeroU32 = NonZeroU32::new(500).expect("not zero");
/// Checking a transaction that is nonsense counts as so many requests.
const NONSENSE: usize = 20;
/// Open connections of a stranger's address, of all kinds: several players may share one.
const EACH: usize = 64;
/// Of these, lines of other nodes: a stranger has one node, or a few.
const EACH_NODE: usize = 4;
/// The same for the address of another node, whatever they are for.
const EACH_KNOWN: usize = 256;
/// Addresses whose requests are remembered.
const REMEMBERED: usize = 10_000;

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Single questions.
    Asking,
    /// A player's line.
    Line,
    /// Another node's line.
    Node,
}

impl Kind {
    /// The most connections of strangers, and how many more there may be from the addresses of other nodes.
    const fn most(self) -> (usize, usize) {
        match self {
            Self::Asking => (192, 64),
            Self::Line => (256, 32),
            Self::Node => (32, 64),
        }
    }

    const fn index(self) -> usize {
        match self {
            Self::Asking => 0,
            Self::Line => 1,
            Self::Node => 2,
        }
    }
}

/// What has been asked lately, and what is open.
#[derive(Debug)]
pub(super) struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    open: Arc<Mutex<Open>>,
    known: BTreeSet<IpAddr>,
    threads: [Arc<Semaphore>; 3],
}

#[derive(Debug, Default)]
struct Open {
    by: HashMap<IpAddr, [usize; 3]>,
    kinds: [usize; 3],
}

/// An open connection. Counts until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    from: IpAddr,
    kind: Kind,
    open: Arc<Mutex<Open>>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Open { by, kinds } = &mut *open;
        if let Some(count) = kinds.get_mut(self.kind.index()) {
            *count = count.saturating_sub(1);
        }
        if let Some(counts) = by.get_mut(&self.from) {
            if let Some(count) = counts.get_mut(self.kind.index()) {
                *count = count.saturating_sub(1);
            }
            if *counts == [0; 3] {
                by.remove(&self.from);
            }
        }
    }
}

impl Limits {
    /// With room for these addresses of other nodes.
    pub(super) fn new(known: impl IntoIterator<Item = IpAddr>) -> Self {
        // Blocks need a processor, too.
        let threads = std::thread::available_parallelism().map_or(1, |all| (all.get() / 2).max(1));
        Self {
            requests: RateLimiter::keyed(Quota::per_second(PER_SECOND)),
            open: Arc::default(),
            known: known.into_iter().map(one).collect(),
            threads: core::array::from_fn(|_| Arc::new(Semaphore::new(threads))),
        }
    }

    /// Whether this address may ask now.
    pub(super) fn allow(&self, from: IpAddr) -> bool {
        if self.requests.len() > REMEMBERED {
            self.requests.retain_recent();
        }
        self.requests.check_key(&one(from)).is_ok()
    }

    /// This address has made the node work for nothing.
    pub(super) fn nonsense(&self, from: IpAddr) {
        let taken = (0..NONSENSE).take_while(|_| self.allow(from)).count();
        tracing::debug!(%from, taken, "a transaction was nonsense");
    }

    /// Another connection from this address, if there are not too many.
    pub(super) fn seat(&self, from: IpAddr, kind: Kind) -> Option<Seat> {
        let from = one(from);
        let known = self.known.contains(&from);
        let (strangers, more) = kind.most();
        let (each, most) = if known { (EACH_KNOWN, strangers + more) } else { (EACH, strangers) };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Open { by, kinds } = &mut *open;
        let counts = by.get(&from).copied().unwrap_or_default();
        let (of_kind, all) = (counts.get(kind.index()).copied()?, kinds.get_mut(kind.index())?);
        let too_many_nodes = kind == Kind::Node && !known && of_kind >= EACH_NODE;
        if counts.iter().sum::<usize>() >= each || too_many_nodes || *all >= most {
            return None;
        }
        *all += 1;
        if let Some(count) = by.entry(from).or_default().get_mut(kind.index()) {
            *count += 1;
        }
        Some(Seat { from, kind, open: Arc::clone(&self.open) })
    }

    /// How many connections of this kind are open.
    pub(super) fn open(&self, kind: Kind) -> usize {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.kinds.get(kind.index()).copied().unwrap_or(0)
    }

    /// Works in a thread of its own, so that nothing else has to wait; at most a few of each kind at a time. `None` if it
    /// failed.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        kind: Kind,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let threads = self.threads.get(kind.index())?;
        let _permit = threads.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }
}

/// Addresses that count as one: those of an IPv6 network belong to one customer.
fn one(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn one_address_cannot_take_all_the_room() {
        let limits = Limits::new([]);
        let seats: Vec<Seat> = (0..1_000).map_while(|_| limits.seat(address(1), Kind::Line)).collect();
        assert_eq!(seats.len(), EACH);
        assert!(limits.seat(address(1), Kind::Asking).is_none(), "of all kinds together");
        assert!(limits.seat(address(2), Kind::Line).is_some());
        drop(seats);
        assert_eq!(limits.open(Kind::Line), 0);
        assert!(limits.seat(address(1), Kind::Asking).is_some(), "what is closed does not count");
    }

    #[test]
    fn strangers_leave_room_for_other_nodes_and_other_kinds() {
        let limits = Limits::new([address(200)]);
        let flood: Vec<Seat> = (0..100).flat_map(|last| limits.seat(address(last), Kind::Node)).collect();
        assert_eq!(flood.len(), Kind::Node.most().0);
        assert!(limits.seat(address(201), Kind::Node).is_none());
        assert!(limits.seat(address(200), Kind::Node).is_some(), "it is another node's");
        assert!(limits.seat(address(201), Kind::Line).is_some(), "players have room of their own");
    }

    #[test]
    fn a_stranger_cannot_take_the_lines_of_other_strangers_nodes() {
        let limits = Limits::new([address(200)]);
        let lines = |last: u8| (0..100).map_while(|_| limits.seat(address(last), Kind::Node)).collect::<Vec<Seat>>();
        let (stranger, known) = (lines(1), lines(200));
        assert_eq!(stranger.len(), EACH_NODE);
        assert!(known.len() > EACH_NODE);
        assert!(limits.seat(address(1), Kind::Asking).is_some(), "questions are counted apart");
        drop(known);
        assert!(limits.seat(address(2), Kind::Node).is_some());
    }

    #[test]
    fn a_network_of_version_six_counts_as_one_address() {
        let limits = Limits::new([]);
        let within = |last: u16| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last));
        let seats = (0..500).filter_map(|last| limits.seat(within(last), Kind::Asking)).collect::<Vec<_>>();
        assert_eq!(seats.len(), EACH);
    }

    #[test]
    fn nonsense_costs_more_than_a_question() {
        let limits = Limits::new([]);
        limits.nonsense(address(1));
        let left = (0..1_000).take_while(|_| limits.allow(address(1))).count();
        let most = usize::try_from(PER_SECOND.get()).unwrap_or(0);
        // A slow machine may give some back meanwhile.
        assert!(left < most, "{left} of {most}");
    }
}
