//! Coins for newcomers, on chains to try out.
//!
//! A node with the key of an account for it ([`Home::faucet_key`](crate::home::Home::faucet_key)) sends coins to whoever
//! asks: enough for several seats with their bonds. An account gets some only if it has little, and not at once again;
//! all accounts together get only so many times in a minute.

use core::fmt;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chain::bank::{self, AccountOf};
use chain::client::Wallet;
use chain::{Address, Coins, Hash};

use crate::core::Shared;
use crate::pool::NotLetIn;

/// What somebody gets.
pub const GIFT: Coins = Coins(1_000_000);
/// Who has more than this gets nothing.
const RICH: Coins = Coins(500_000);
/// How long an account waits before it gets something again.
const PAUSE: Duration = Duration::from_secs(60);
/// How many gifts there are in a minute, for all together.
const PER_MINUTE: usize = 60;
/// After this long, a gift that no block has taken is taken for lost.
const LOST: Duration = Duration::from_secs(20);

/// Gives coins away.
#[derive(Debug)]
pub struct Faucet {
    wallet: Wallet,
    given: Mutex<Given>,
}

#[derive(Debug, Default)]
struct Given {
    /// When somebody got something, within the last minute.
    times: VecDeque<Instant>,
    /// When each account got something last.
    last: BTreeMap<Address, Instant>,
    /// The nonce of the next gift, and when the last one was made: several can wait for a block.
    next: Option<(u64, Instant)>,
}

/// Why somebody gets nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoGift {
    /// This node gives nothing away.
    Closed,
    /// They have enough.
    Rich,
    /// They just got something.
    Again,
    /// Too many have asked.
    Busy,
    /// Nothing is left.
    Empty,
    /// The transaction was not let in.
    NotLetIn(NotLetIn),
}

impl fmt::Display for NoGift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("this node gives no coins away; ask somebody who has some to send you some"),
            Self::Rich => write!(f, "this account has more than {RICH} coins, which is enough to play"),
            Self::Again => write!(f, "this account just got coins: try again in {} seconds", PAUSE.as_secs()),
            Self::Busy => f.write_str("too many have asked for coins: try again in a minute"),
            Self::Empty => f.write_str("the node has no coins left to give away"),
            Self::NotLetIn(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for NoGift {}

impl Faucet {
    /// Gives from the account of this key.
    pub fn new(secret: &[u8; 32]) -> Self {
        Self { wallet: Wallet::new(secret), given: Mutex::default() }
    }

    /// Sends coins to this account; the id of the transaction.
    pub fn give(&self, shared: &Shared, to: Address) -> Result<Hash, NoGift> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        given.may_get(to, now)?;
        let signed = shared.look(|state| {
            let store = state.store();
            if bank::balance(store, &to) > RICH {
                return Err(NoGift::Rich);
            }
            let account = store.get_or_default(&AccountOf(self.wallet.address()));
            if account.balance < GIFT + GIFT {
                return Err(NoGift::Empty);
            }
            let waiting = given.next.filter(|(_, since)| now.duration_since(*since) < LOST);
            let nonce = waiting.map_or(account.nonce, |(next, _)| next.max(account.nonce));
            let send = bank::Tx::Transfer { to, coins: GIFT };
            Ok((nonce, self.wallet.pay_at(store, state.tip().chain, nonce, send.into())))
        });
        let (nonce, signed) = signed?;
        let id = shared.submit(signed).map_err(NoGift::NotLetIn)?;
        given.next = Some((nonce.saturating_add(1), now));
        given.times.push_back(now);
        given.last.insert(to, now);
        Ok(id)
    }
}

impl Given {
    /// Whether an account may get something now.
    fn may_get(&mut self, to: Address, now: Instant) -> Result<(), NoGift> {
        let fresh = |since: &Instant| now.duration_since(*since) < PAUSE;
        self.times.retain(fresh);
        self.last.retain(|_, since| fresh(since));
        if self.last.contains_key(&to) {
            return Err(NoGift::Again);
        }
        if self.times.len() >= PER_MINUTE { Err(NoGift::Busy) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_gets_something_once_in_a_minute_and_all_together_so_many_times() {
        let (mut given, now) = (Given::default(), Instant::now());
        let give = |given: &mut Given, to: u8, now: Instant| {
            let to = Address([to; 32]);
            given.may_get(to, now)?;
            given.times.push_back(now);
            given.last.insert(to, now);
            Ok(())
        };
        assert_eq!(give(&mut given, 0, now), Ok(()));
        assert_eq!(give(&mut given, 0, now), Err(NoGift::Again));
        for to in 1..u8::try_from(PER_MINUTE).unwrap() {
            assert_eq!(give(&mut given, to, now), Ok(()));
        }
        assert_eq!(give(&mut given, 200, now), Err(NoGift::Busy));
        assert_eq!(give(&mut given, 0, now + PAUSE), Ok(()));
    }
}
