//! How much each client may ask for.
//!
//! - `crowd`: how many of one kind are here at once
//! - `guesses`: wrong codes
//! - `chat`: messages at tables
//! - `flood`: a socket that sends too much
//! - `seldom`: frequent events that are logged rarely

mod chat;
mod crowd;
mod flood;
mod guesses;
mod seldom;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Instant;

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::patience::Patience;
use crate::ids::{PlayerId, TableId};
use chat::Chat;
use crowd::{Crowd, Entered};
use guesses::Guesses;

pub(crate) use flood::{Flood, Verdict};
pub(crate) use guesses::{Scope, Trust};
pub(crate) use seldom::Seldom;

/// A whole school may be behind one address: messages of this many players may come from it.
const PLAYERS_BEHIND: NonZeroU32 = NonZeroU32::new(20).expect("it is not 0");
/// Computing a hint is expensive, so this is the limit per player and second.
const HINTS: NonZeroU32 = NonZeroU32::new(2).expect("it is not 0");
/// The most sockets of one player: tables in tabs, and bots that share a key.
const SOCKETS_OF_ONE: usize = 200;

/// Limits on requests, messages, tables, codes and connections, and how long the server waits for clients.
pub struct Limits {
    requests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    messages: Option<Messages>,
    tables: Option<DefaultKeyedRateLimiter<IpAddr>>,
    guesses: Option<Guesses>,
    sockets: Arc<Semaphore>,
    each: Option<Each>,
    patience: Patience,
}

/// Limits on messages over sockets. Anybody can create players, but not addresses.
struct Messages {
    of_player: DefaultKeyedRateLimiter<PlayerId>,
    from_address: DefaultKeyedRateLimiter<IpAddr>,
    hints: DefaultKeyedRateLimiter<PlayerId>,
    chat: Chat,
    /// Messages per second of one player.
    rate: NonZeroU32,
}

/// How many of each are here.
struct Each {
    connections: Crowd<IpAddr>,
    sockets: Crowd<IpAddr>,
    players: Crowd<PlayerId>,
}

/// A place for a connection, given back when dropped.
pub(crate) struct Connected {
    _place: Option<Entered<IpAddr>>,
}

/// A place for a socket, given back when dropped.
pub(crate) struct Place {
    _all: OwnedSemaphorePermit,
    _address: Option<Entered<IpAddr>>,
    _player: Option<Entered<PlayerId>>,
}

/// How much one connection may send that belongs to no player.
pub(crate) struct Sender(Option<DefaultDirectRateLimiter>);

impl Limits {
    /// Limits on requests per second from one address, messages per second from one player, and new tables per minute
    /// from one address; 0 means no limit. Bursts of ten seconds' worth are fine.
    pub fn new(requests: u32, messages: u32, tables: u32) -> Self {
        Self {
            requests: NonZeroU32::new(requests).map(second).map(RateLimiter::keyed),
            messages: NonZeroU32::new(messages).map(|rate| Messages {
                of_player: RateLimiter::keyed(second(rate)),
                from_address: RateLimiter::keyed(second(rate.saturating_mul(PLAYERS_BEHIND))),
                hints: RateLimiter::keyed(second(HINTS)),
                chat: Chat::new(),
                rate,
            }),
            tables: NonZeroU32::new(tables).map(Quota::per_minute).map(RateLimiter::keyed),
            guesses: None,
            sockets: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
            each: None,
            patience: Patience::default(),
        }
    }

    /// The same with this many sockets at most.
    #[must_use]
    pub fn with_sockets(mut self, most: usize) -> Self {
        self.sockets = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        self
    }

    /// The same with this many connections, and this many sockets, from one address at once; 0 means no limit.
    #[must_use]
    pub fn with_each(mut self, most: usize) -> Self {
        self.each = (most > 0).then(|| Each {
            connections: Crowd::new(most),
            sockets: Crowd::new(most),
            players: Crowd::new(most.min(SOCKETS_OF_ONE)),
        });
        self
    }

    /// The same with this many wrong codes per minute from one address, once the first few are used up; 0 means no
    /// limit.
    #[must_use]
    pub fn with_wrong_codes(mut self, a_minute: u32) -> Self {
        self.guesses = NonZeroU32::new(a_minute).map(Guesses::new);
        self
    }

    /// The same with other waiting times.
    #[must_use]
    pub const fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// How long the server waits for clients.
    pub(crate) const fn patience(&self) -> Patience {
        self.patience
    }

    /// A place for a connection from this address, if there is one. `None` is not counted.
    pub(crate) fn connection(&self, from: Option<IpAddr>) -> Option<Connected> {
        let (Some(each), Some(from)) = (&self.each, from) else { return Some(Connected { _place: None }) };
        Some(Connected { _place: Some(each.connections.enter(network(from))?) })
    }

    /// A place for a socket of this player, if there is one. Without an address, only the player is counted.
    pub(crate) fn socket(&self, player: PlayerId, from: Option<IpAddr>) -> Option<Place> {
        let mut place = self.socket_from(from)?;
        if let Some(each) = &self.each {
            place._player = Some(each.players.enter(player)?);
        }
        Some(place)
    }

    /// A place for a socket that belongs to no player, if there is one.
    pub(crate) fn socket_from(&self, from: Option<IpAddr>) -> Option<Place> {
        let all = self.sockets.clone().try_acquire_owned().ok()?;
        let address = match (&self.each, from) {
            (Some(each), Some(from)) => Some(each.sockets.enter(network(from))?),
            _ => None,
        };
        Some(Place { _all: all, _address: address, _player: None })
    }

    /// For a connection that belongs to no player: it may send as much as one.
    pub(crate) fn sender(&self) -> Sender {
        Sender(self.messages.as_ref().map(|limit| RateLimiter::direct(second(limit.rate))))
    }

    /// Whether this connection from this address may send another message.
    pub(crate) fn message_of(&self, sender: &Sender, from: IpAddr) -> bool {
        sender.0.as_ref().is_none_or(|own| own.check().is_ok())
            && self.messages.as_ref().is_none_or(|limit| limit.from_address.check_key(&network(from)).is_ok())
    }

    /// Whether this address may make another request.
    pub(crate) fn request(&self, from: IpAddr) -> bool {
        self.requests.as_ref().is_none_or(|limit| limit.check_key(&network(from)).is_ok())
    }

    /// Whether this player at this address may send another message.
    pub(crate) fn message(&self, player: PlayerId, from: IpAddr) -> bool {
        self.messages.as_ref().is_none_or(|limit| {
            limit.of_player.check_key(&player).is_ok() && limit.from_address.check_key(&network(from)).is_ok()
        })
    }

    /// The number of messages per second one player may send; the maximum if there is no limit.
    pub(crate) fn message_rate(&self) -> u32 {
        self.messages.as_ref().map_or(u32::MAX, |limit| limit.rate.get())
    }

    /// Whether this player at this address may say something more at a table, as a player or a spectator.
    pub(crate) fn remark(&self, player: PlayerId, from: IpAddr, table: TableId, seated: bool) -> bool {
        self.messages.as_ref().is_none_or(|limit| limit.chat.take(player, network(from), table, seated))
    }

    /// Whether this player may have another hint.
    pub(crate) fn hint(&self, player: PlayerId) -> bool {
        self.messages.as_ref().is_none_or(|limit| limit.hints.check_key(&player).is_ok())
    }

    /// Whether this address may create another table.
    pub(crate) fn table(&self, from: IpAddr) -> bool {
        self.tables.as_ref().is_none_or(|limit| limit.check_key(&network(from)).is_ok())
    }

    /// Whether this address may try a code. It counts as a wrong one until [`Limits::guessed`].
    ///
    /// # Errors
    /// Returns whose limit is used up.
    pub(crate) fn guess(&self, from: IpAddr, trust: Trust) -> Result<(), Scope> {
        self.guesses.as_ref().map_or(Ok(()), |guesses| guesses.take(from.to_canonical(), trust, Instant::now()))
    }

    /// The code was not a wrong one.
    pub(crate) fn guessed(&self, from: IpAddr, trust: Trust) {
        if let Some(guesses) = &self.guesses {
            guesses.give_back(from.to_canonical(), trust);
        }
    }

    /// Forgets clients that have made no request for a while.
    pub fn shrink(&self) {
        for limit in [&self.requests, &self.tables].into_iter().flatten() {
            limit.retain_recent();
        }
        if let Some(limit) = &self.messages {
            limit.of_player.retain_recent();
            limit.from_address.retain_recent();
            limit.hints.retain_recent();
            limit.chat.shrink();
        }
        if let Some(guesses) = &self.guesses {
            guesses.shrink(Instant::now());
        }
    }
}

/// This many a second, and ten seconds' worth at once.
fn second(rate: NonZeroU32) -> Quota {
    let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(9));
    Quota::per_second(rate).allow_burst(burst)
}

/// One household has a whole network of IPv6 addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        v4 @ IpAddr::V4(_) => v4,
        v6 @ IpAddr::V6(_) => guesses::first(v6, 64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Far more is tried than is granted, no matter how slow the machine is.
    const TRIES: u64 = 10_000;
    const FEW: usize = 1_000;

    #[test]
    fn many_players_at_one_address_are_limited_together() {
        let limits = Limits::new(0, 1, 0);
        let name = |n: u64| PlayerId([n.to_be_bytes(), [0; 8]].concat().try_into().unwrap());
        let sent = |from: &str| (0..TRIES).filter(|n| limits.message(name(*n), ip(from))).count();
        let many = sent("2001:db8::1");
        assert!((200..FEW).contains(&many), "ten seconds' worth of twenty players: {many}");
        assert!(sent("2001:db8::2") < FEW, "the same network");
        assert!(limits.message(name(TRIES), ip("2001:db8:0:1::2")), "another");
    }

    #[test]
    fn connections_without_a_player_are_limited_each_and_together() {
        let limits = Limits::new(0, 1, 0);
        let one = limits.sender();
        let sent = (0..TRIES).filter(|_| limits.message_of(&one, ip("198.51.100.1"))).count();
        assert!((10..FEW).contains(&sent), "{sent}");
        assert!(limits.message_of(&limits.sender(), ip("198.51.100.1")), "another connection");
        let many = (0..TRIES).filter(|_| limits.message_of(&limits.sender(), ip("198.51.100.2"))).count();
        assert!((200..FEW).contains(&many), "{many}");
    }

    #[test]
    fn one_player_is_limited_at_every_address() {
        let limits = Limits::new(0, 1, 0);
        let one = PlayerId([1; 16]);
        let from = |n: u64| IpAddr::from(u128::from(n).to_be_bytes());
        let sent = (0..TRIES).filter(|n| limits.message(one, from(n << 32))).count();
        assert!((10..FEW).contains(&sent), "{sent}");
        assert!(limits.message(PlayerId([2; 16]), ip("198.51.100.1")));
        let hints = (0..TRIES).filter(|_| limits.hint(one)).count();
        assert!((20..FEW).contains(&hints), "{hints}");
    }

    #[test]
    fn places_are_counted_by_address_and_by_player_and_given_back() {
        let limits = Limits::new(0, 0, 0).with_each(2);
        let (one, other) = (PlayerId([1; 16]), PlayerId([2; 16]));
        let (here, there) = (Some(ip("198.51.100.1")), Some(ip("198.51.100.2")));
        let held = [limits.socket(one, here), limits.socket(other, here)];
        assert!(held.iter().all(Option::is_some));
        assert!(limits.socket(other, here).is_none(), "the address has no more");
        let third = limits.socket(one, there);
        assert!(third.is_some() && limits.socket(one, there).is_none(), "the player has no more");
        assert!(limits.socket(one, None).is_none(), "nor behind a proxy");
        drop(held);
        assert!(limits.socket(one, here).is_some());
        let held = [limits.connection(here), limits.connection(here)];
        assert!(limits.connection(here).is_none() && limits.connection(there).is_some());
        assert!(limits.connection(None).is_some());
        drop(held);
        assert!(limits.connection(here).is_some());
    }

    #[test]
    fn without_limits_nothing_is_counted() {
        let limits = Limits::new(0, 0, 0).with_each(0).with_wrong_codes(0);
        let from = ip("198.51.100.1");
        let held: Vec<_> = (0..1000).map(|_| limits.socket(PlayerId([1; 16]), Some(from))).collect();
        assert!(held.iter().all(Option::is_some));
        assert!((0..1000).all(|_| limits.guess(from, Trust::Stranger).is_ok() && limits.hint(PlayerId([1; 16]))));
        assert!((0..1000).all(|_| limits.remark(PlayerId([1; 16]), from, TableId(1), false)));
    }
}
