//! Limits on chat: per player, per address, and per table.
//!
//! Keys cost nothing, so a limit per player is not enough: addresses and tables have their own. At a table, players
//! and spectators are counted separately, so that no outsider can silence a table.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::ids::{PlayerId, TableId};

/// Per player: this many messages at once, and then one in this many milliseconds.
const OF_PLAYER: (u32, u64) = (8, 2000);
/// Per address, where a whole school may be.
const FROM_ADDRESS: (u32, u64) = (40, 500);
/// For all players at one table together.
const AT_TABLE: (u32, u64) = (60, 200);
/// For all spectators at one table together.
const BESIDE_TABLE: (u32, u64) = (10, 2000);

/// Counts messages.
pub(super) struct Chat {
    of_player: DefaultKeyedRateLimiter<PlayerId>,
    from_address: DefaultKeyedRateLimiter<IpAddr>,
    at_table: DefaultKeyedRateLimiter<TableId>,
    beside_table: DefaultKeyedRateLimiter<TableId>,
}

impl Chat {
    pub(super) fn new() -> Self {
        Self {
            of_player: RateLimiter::keyed(quota(OF_PLAYER)),
            from_address: RateLimiter::keyed(quota(FROM_ADDRESS)),
            at_table: RateLimiter::keyed(quota(AT_TABLE)),
            beside_table: RateLimiter::keyed(quota(BESIDE_TABLE)),
        }
    }

    /// Whether this player, in this network, may say something more at a table.
    pub(super) fn take(&self, player: PlayerId, network: IpAddr, table: TableId, seated: bool) -> bool {
        let at_table = if seated { &self.at_table } else { &self.beside_table };
        self.of_player.check_key(&player).is_ok()
            && self.from_address.check_key(&network).is_ok()
            && at_table.check_key(&table).is_ok()
    }

    /// Forgets those who have not spoken for a while.
    pub(super) fn shrink(&self) {
        self.of_player.retain_recent();
        self.from_address.retain_recent();
        self.at_table.retain_recent();
        self.beside_table.retain_recent();
    }
}

fn quota((at_once, millis): (u32, u64)) -> Quota {
    let at_once = NonZeroU32::new(at_once).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(Duration::from_millis(millis));
    quota.unwrap_or(Quota::per_second(NonZeroU32::MIN)).allow_burst(at_once)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: TableId = TableId(1);

    fn name(n: u32) -> PlayerId {
        PlayerId([n.to_be_bytes(), [0; 4], [0; 4], [0; 4]].concat().try_into().unwrap())
    }

    fn address(n: u32) -> IpAddr {
        IpAddr::V4(std::net::Ipv4Addr::from_bits(n))
    }

    /// Far more is tried than is granted, no matter how slow the machine is.
    const TRIES: u32 = 5_000;

    #[test]
    fn one_player_is_limited_wherever_they_talk() {
        let chat = Chat::new();
        let said = (0..TRIES).filter(|n| chat.take(name(0), address(*n), TableId(u64::from(*n)), true)).count();
        assert!((8..50).contains(&said), "{said}");
        assert!(chat.take(name(1), address(0), TABLE, true), "others may talk");
    }

    #[test]
    fn many_keys_at_one_address_are_limited_together() {
        let chat = Chat::new();
        let said = (0..TRIES).filter(|n| chat.take(name(*n), address(7), TableId(u64::from(*n)), true)).count();
        assert!((40..150).contains(&said), "{said}");
        assert!(chat.take(name(TRIES), address(8), TABLE, true), "others may talk");
    }

    #[test]
    fn many_spectators_cannot_silence_the_players() {
        let chat = Chat::new();
        let said = (0..TRIES).filter(|n| chat.take(name(*n), address(*n), TABLE, false)).count();
        assert!((10..50).contains(&said), "{said}");
        assert!(chat.take(name(TRIES), address(TRIES), TABLE, true));
        assert!(chat.take(name(TRIES), address(TRIES), TableId(2), false), "nor other tables");
    }
}
