//! Wrong codes: a code has six digits only, so anybody who may try for long enough finds every private table.
//!
//! Wrong codes are counted for the address they come from, for the wider networks that it is part of (one customer may
//! have 65,536 IPv6 networks of the size that a household needs), and for the whole server. Each wider count allows
//! more. Right codes cost nothing, but where a count is used up nobody is told whether a code is right.
//!
//! Caveat: guesses from many networks use up what the whole server allows, and then people who mistype nothing are
//! turned away, too. So invitations as links and QR codes do not go by the code, and people who have finished a match
//! here are not held up by what others used ([`Trust::Known`]).

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many wrong codes may be tried at once from one address: people mistype, and old links lead nowhere.
const AT_ONCE: u32 = 20;

/// How much more than one address a network of so many bits may try. The first is what one household has.
const V4: [(u8, u32); 3] = [(32, 1), (24, 4), (16, 16)];
const V6: [(u8, u32); 4] = [(64, 1), (56, 2), (48, 4), (32, 16)];
/// How much more than one address all of them together may.
const ALL: u32 = 25;

/// Addresses that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scope {
    /// Those that begin with the same bits.
    Network(IpAddr, u8),
    /// All there are.
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

/// Who tries a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trust {
    /// Somebody new, or nobody in particular.
    Stranger,
    /// Somebody who has finished a match here.
    Known,
}

/// Counts wrong codes.
pub(super) struct Guesses {
    /// After so long one wrong code of an address is forgotten; of a wider network more are.
    each: Duration,
    /// When all wrong codes are forgotten.
    until: Mutex<HashMap<Scope, Instant>>,
}

impl Guesses {
    /// So many of one address are forgotten in a minute.
    pub(super) fn new(a_minute: NonZeroU32) -> Self {
        Self { each: Duration::from_secs(60) / a_minute.get(), until: Mutex::default() }
    }

    /// May this address try another? If so it is used up, so nothing is gained by trying many at once, or by not
    /// waiting for the answer.
    ///
    /// # Errors
    /// Whose count is used up.
    pub(super) fn take(&self, from: IpAddr, trust: Trust, now: Instant) -> Result<(), Scope> {
        let mut until = self.until();
        let mut after = Vec::new();
        for (scope, more) in scopes(from, trust) {
            // The wider the network, the sooner one wrong code of it is forgotten.
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

    /// It was a right one, which costs nothing.
    pub(super) fn give_back(&self, from: IpAddr, trust: Trust) {
        let mut all = self.until();
        for (scope, more) in scopes(from, trust) {
            if let Some(until) = all.get_mut(&scope) {
                *until = until.checked_sub(self.each / more).unwrap_or(*until);
            }
        }
    }

    /// Forgets those whose wrong codes are all forgotten.
    pub(super) fn shrink(&self, now: Instant) {
        self.until().retain(|_, until| *until > now);
    }

    fn until(&self) -> std::sync::MutexGuard<'_, HashMap<Scope, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything that an address is counted in, and how much more than one address that may try.
fn scopes(from: IpAddr, trust: Trust) -> impl Iterator<Item = (Scope, u32)> {
    let networks: &[(u8, u32)] = if from.is_ipv4() { &V4 } else { &V6 };
    let networks = networks.iter().map(move |(bits, more)| (Scope::Network(first(from, *bits), *bits), *more));
    networks.chain((trust == Trust::Stranger).then_some((Scope::Server, ALL)))
}

/// The first address of the network of so many bits that an address is in.
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

    /// An address of the network 2001:db8::/32, in the so-many-th /48 and the so-many-th /64 of that.
    fn address(site: u16, household: u16) -> IpAddr {
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, site, household, 1, 2, 3, 4))
    }

    #[test]
    fn after_some_wrong_codes_there_is_one_now_and_then() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let after = |seconds| now + Duration::from_secs(seconds);
        assert_eq!((0..100).filter(|_| may(&guesses, HERE, now)).count(), 20);
        assert!(!may(&guesses, HERE, after(9)));
        assert!(may(&guesses, HERE, after(10)) && !may(&guesses, HERE, after(10)));
        assert!(may(&guesses, THERE, now), "others are not held up");
        let hour = after(3600);
        assert_eq!((0..100).filter(|_| may(&guesses, HERE, hour)).count(), 20, "no more for having waited");
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
        assert!(may(&guesses, address(2, 0), hour + Duration::from_secs(3600)), "another customer is not held up");
    }

    #[test]
    fn wider_networks_and_the_whole_server_come_to_an_end_too() {
        let (guesses, now) = (Guesses::new(SIX), Instant::now());
        let sites = (0..1000).filter(|n| may(&guesses, address(*n, 0), now)).count();
        assert_eq!(sites, 320, "all customers of one provider");
        let v4 = |n: u32| IpAddr::V4(Ipv4Addr::from_bits(0xc000_0000 + (n << 16)));
        let rest = (0..1000).filter(|n| may(&guesses, v4(*n), now)).count();
        assert_eq!(sites + rest, 500, "everybody together");
        assert_eq!(guesses.take(HERE, Trust::Stranger, now), Err(Scope::Server));
        assert_eq!(guesses.take(HERE, Trust::Known, now), Ok(()), "who has played here is not held up by others");
        let one = (1..100).filter(|_| guesses.take(HERE, Trust::Known, now).is_ok()).count();
        assert_eq!(one, 19, "but by what came from the same address");
        assert!(guesses.until().len() < 2000, "nothing is kept of what was refused");
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
        assert!(!may(&guesses, HERE, now), "not even a right one: it would say that it is");
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
