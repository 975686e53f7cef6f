//! Wrong codes: a code has only six digits, so anyone who may guess for long enough finds every private table.
//!
//! Wrong codes are counted for the address they come from, for the wider networks it is part of (one customer may have
//! 65,536 IPv6 networks of the size that a household needs), and for the whole server. Each wider count allows more.
//! Right codes cost nothing, but once a count is used up, nobody there is told whether a code is right.
//!
//! Caveat: guesses from many networks use up the whole server's count, and then people who mistype nothing are
//! rejected, too. So invitations as links and QR codes do not use the code, and people who have finished a match here
//! are not affected by others' guesses ([`Trust::Known`]).

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many wrong codes one address may try at once: people mistype, and old links lead nowhere.
const AT_ONCE: u32 = 20;

/// How many times as much as one address a network of this many bits may try. The first is one household.
const V4: [(u8, u32); 3] = [(32, 1), (24, 4), (16, 16)];
const V6: [(u8, u32); 4] = [(64, 1), (56, 2), (48, 4), (32, 16)];
/// How many times as much as one address all of them together may try.
const ALL: u32 = 25;

/// Addresses that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scope {
    /// Those that begin with the same bits.
    Network(IpAddr, u8),
    /// All addresses.
    Server,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(first, bits) => write!(f, "{first}/{bits}"),
            Self::Server => f.write_str("everywhere"),
        }
    }
}

/// The trust in a visitor who tries a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    /// A new or unknown visitor.
    Stranger,
    /// A player who has finished a match here.
    Known,
}

/// Counts wrong codes.
pub(super) struct Guesses {
    /// How long it takes until one wrong code of an address is forgotten; for a wider network it is shorter.
    each: Duration,
    /// When all wrong codes are forgotten.
    until: Mutex<HashMap<Scope, Instant>>,
}

impl Guesses {
    /// This many wrong codes of one address are forgotten per minute.
    pub(super) fn new(a_minute: NonZeroU32) -> Self {
        Self { each: Duration::from_secs(60) / a_minute.get(), until: Mutex::default() }
    }

    /// Whether this address may try another code. If so, it is counted at once, so nothing is gained by trying many in
    /// parallel, or by not waiting for the answer.
    ///
    /// # Errors
    /// Returns whose count is used up.
    pub(super) fn take(&self, from: IpAddr, trust: Trust, now: Instant) -> Result<(), Scope> {
        let mut until = self.until();
        let mut after = Vec::new();
        for (scope, more) in scopes(from, trust) {
            // The wider the network, the sooner one of its wrong codes is forgotten.
            let each = self.each / more;
            let before = until.get(&scope).map_or(now, |until| now.max(*until));
            if before - now > each * (AT_ONCE * more - 1) {
                return Err(scope);
            }
            after.push((scope, before + each));
        }
        until.extend(after);
        Ok(())
    }

    /// The code was right, which costs nothing.
    pub(super) fn give_back(&self, from: IpAddr, trust: Trust) {
        let mut all = self.until();
        for (scope, more) in scopes(from, trust) {
            if let Some(until) = all.get_mut(&scope) {
                *until = until.checked_sub(self.each / more).unwrap_or(*until);
            }
        }
    }

    /// Drops addresses whose wrong codes are all forgotten.
    pub(super) fn shrink(&self, now: Instant) {
        self.until().retain(|_, until| *until > now);
    }

    fn until(&self) -> std::sync::MutexGuard<'_, HashMap<Scope, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every group that an address is counted in, and how many times as much as one address it may try.
fn scopes(from: IpAddr, trust: Trust) -> impl Iterator<Item = (Scope, u32)> {
    let networks: &[(u8, u32)] = if from.is_ipv4() { &V4 } else { &V6 };
    let networks = networks.iter().map(move |(bits, more)| (Scope::Network(first(from, *bits), *bits), *more));
    networks.chain((trust == Trust::Stranger).then_some((Scope::Server, ALL)))
}

/// The first address of the network of this many bits that an address is in.
pub(super) fn first(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits.min(32))).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits.min(128))).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: NonZeroU32 = NonZeroU32::new(6).unwrap();
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));
    const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 2));

    fn may(guesses: &Guesses, from: IpAddr, now: Instant) -> bool {
        guesses.take(from, Trust::Stranger, now).is_ok()
    }

    /// An address in the network 2001:db8::/32, by the numbers of its /48 and of the /64 in that.
    fn address(site: u16, household: u16) -> IpAddr {
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, site, household, 1, 2, 3, 4))
    }

    #[test]
    fn after_some_wrong_codes_one_more_is_allowed_now_and_then() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        assert_eq!((0..100).filter(|_| may(&guesses, HERE, now)).count(), 20);
        assert!(!may(&guesses, HERE, after(9)));
        assert!(may(&guesses, HERE, after(10)) && !may(&guesses, HERE, after(10)));
        assert!(may(&guesses, THERE, now), "others are not affected");
        let hour = after(3600);
        assert_eq!((0..100).filter(|_| may(&guesses, HERE, hour)).count(), 20, "waiting does not add more");
    }

    #[test]
    fn somebody_with_65536_networks_does_not_get_65536_times_as_many() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let tried = (0..=u16::MAX).filter(|n| may(&guesses, address(1, *n), now)).count();
        assert_eq!(tried, 80, "four times as many as one household");
        assert_eq!(
            guesses.take(address(1, 9999), Trust::Stranger, now),
            Err(Scope::Network(first(address(1, 0), 48), 48))
        );
        let hour = now + Duration::from_secs(3600);
        let seconds = (0..3600).map(|second| hour + Duration::from_secs(second));
        let slowly = seconds.flat_map(|at| (0..10_u16).map(move |n| (at, n)));
        let tried = slowly.filter(|(at, n)| may(&guesses, address(1, n * 256), *at)).count();
        assert!((1500..1600).contains(&tried), "80 and then 24 a minute: {tried}");
        assert!(may(&guesses, address(2, 0), hour + Duration::from_secs(3600)), "another customer is not affected");
    }

    #[test]
    fn wider_networks_and_the_whole_server_have_limits_too() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let sites = (0..1000).filter(|n| may(&guesses, address(*n, 0), now)).count();
        assert_eq!(sites, 320, "all customers of one provider");
        let v4 = |n: u32| IpAddr::V4(Ipv4Addr::from_bits(0xc000_0000 + (n << 16)));
        let rest = (0..1000).filter(|n| may(&guesses, v4(*n), now)).count();
        assert_eq!(sites + rest, 500, "everybody together");
        assert_eq!(guesses.take(HERE, Trust::Stranger, now), Err(Scope::Server));
        assert_eq!(
            guesses.take(HERE, Trust::Known, now),
            Ok(()),
            "a player who has played here is not affected by others"
        );
        let one = (1..100).filter(|_| guesses.take(HERE, Trust::Known, now).is_ok()).count();
        assert_eq!(one, 19, "but by guesses from the same address");
        assert!(guesses.until().len() < 2000, "refused guesses are not kept");
    }

    #[test]
    fn neighbours_in_a_small_network_are_counted_together_only_when_they_are_many() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let v4 = |last: u8| IpAddr::V4(Ipv4Addr::new(203, 0, 113, last));
        let tried = (0..=255).flat_map(|last| (0..20).map(move |_| v4(last))).filter(|from| may(&guesses, *from, now));
        assert_eq!(tried.count(), 80);
        assert_eq!(guesses.take(v4(7), Trust::Stranger, now).unwrap_err().to_string(), "203.0.113.0/24");
    }

    #[test]
    fn right_codes_cost_nothing() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        for _ in 0..10_000 {
            assert!(may(&guesses, HERE, now));
            guesses.give_back(HERE, Trust::Stranger);
        }
        assert_eq!((0..100).filter(|_| may(&guesses, HERE, now)).count(), 20);
        assert!(!may(&guesses, HERE, now), "not even a right one: the answer would reveal that it is right");
    }

    #[test]
    fn those_who_have_waited_are_forgotten() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        assert!(may(&guesses, HERE, now));
        guesses.shrink(now);
        assert_eq!(guesses.until().len(), 4);
        guesses.shrink(now + Duration::from_secs(11));
        assert_eq!(guesses.until().len(), 0);
    }
}
