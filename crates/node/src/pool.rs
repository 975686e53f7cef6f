//! Transactions that wait for a block.
//!
//! Two kinds wait here, and neither can push out the other:
//!
//! - *duties*, which are free: those of members of committees, and the action of whoever is to act. Each sender has room
//!   for a few.
//! - *ordinary* transactions, which pay: in the order of their fees, and those of one account in the order of their
//!   nonces. When there is no room, the one that pays the least has to go.
//!
//! What is let in is likely to be carried out, but it need not be: that shows in a block.

use core::cmp::Reverse;
use core::fmt;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chain::bank::{self, AccountOf, Room, gas};
use chain::store::Store;
use chain::tx::MOST_BYTES;
use chain::{Address, Coins, Hash, Params, Receipt, Signed};

/// The most duties of one sender.
const DUTIES_EACH: usize = 128;
/// The most bytes of all duties.
const DUTY_BYTES: usize = 32 << 20;
/// The most ordinary transactions of one account.
const ORDINARY_EACH: usize = 64;
/// The most bytes of all ordinary transactions.
const ORDINARY_BYTES: usize = 32 << 20;
/// A duty is dropped after this many blocks: whoever has it says it again.
const DUTY_AGE: u64 = 10;
/// An ordinary transaction is dropped after this many blocks.
const ORDINARY_AGE: u64 = 3_600;
/// How many names of transactions are remembered, so that none goes round in circles.
const SEEN: usize = 65_536;
/// A transaction replaces another with its nonce if it pays this much more, in percent.
const RAISE: u64 = 10;

/// Why a transaction is not let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLetIn {
    /// It is here already, or was a moment ago.
    Known,
    /// It is for another chain.
    Chain,
    /// It is too long.
    Bytes,
    /// The signature is not its author's.
    Signature,
    /// A duty has no nonce and no fee.
    NotFree,
    /// Nobody waits for anything from this sender.
    NotAwaited,
    /// The nonce has been used, or is too far ahead.
    Nonce {
        /// The next one.
        next: u64,
    },
    /// The fee is too low.
    Fee {
        /// At least.
        least: Coins,
    },
    /// The account cannot pay the fee.
    Poor,
    /// There is no room, or too much of this sender's waits already.
    Full,
}

impl fmt::Display for NotLetIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known => f.write_str("the transaction is known already"),
            Self::Chain => f.write_str("the transaction is for another chain"),
            Self::Bytes => write!(f, "a transaction has at most {MOST_BYTES} bytes"),
            Self::Signature => f.write_str("the signature is not by the author"),
            Self::NotFree => f.write_str("a duty is free: its nonce and fee must be 0"),
            Self::NotAwaited => f.write_str("nobody waits for this"),
            Self::Nonce { next } => write!(f, "the next nonce of this account is {next}"),
            Self::Fee { least } => write!(f, "the fee must be at least {least}"),
            Self::Poor => f.write_str("the account cannot pay the fee"),
            Self::Full => f.write_str("too many transactions are waiting: try again later, or pay more"),
        }
    }
}

impl core::error::Error for NotLetIn {}

/// A transaction that its author has signed.
#[derive(Clone, Debug)]
pub struct Authentic(Signed);

impl Authentic {
    /// Checks the signature, which takes a while.
    pub fn check(signed: Signed) -> Result<Self, NotLetIn> {
        if signed.is_authentic() { Ok(Self(signed)) } else { Err(NotLetIn::Signature) }
    }

    /// The transaction.
    pub const fn get(&self) -> &Signed {
        &self.0
    }
}

/// A transaction that waits.
#[derive(Clone, Debug)]
struct Waiting {
    signed: Signed,
    id: Hash,
    bytes: usize,
    /// The height at which it came.
    since: u64,
}

impl Waiting {
    /// What it pays for its work, in millionths of a coin.
    fn price(&self) -> u128 {
        u128::from(self.signed.tx.fee.0) * 1_000_000 / u128::from(gas(&self.signed).max(1))
    }
}

/// The pool.
#[derive(Debug, Default)]
pub struct Pool {
    /// In the order in which they came: a shuffle may build on one before it.
    duties: VecDeque<Waiting>,
    duty_bytes: usize,
    /// By account and nonce.
    ordinary: BTreeMap<(Address, u64), Waiting>,
    ordinary_bytes: usize,
    seen: BTreeSet<Hash>,
    /// In the order in which they came.
    oldest: VecDeque<Hash>,
}

impl Pool {
    /// Whether there is room for a transaction like this, if its author has signed it. What is the node's `own` need not
    /// share the room of its sender with what others pass on.
    pub fn fits(&self, store: &Store, signed: &Signed, own: bool) -> Result<(), NotLetIn> {
        if self.seen.contains(&signed.id()) {
            return Err(NotLetIn::Known);
        }
        if store.get(&chain::execute::TipKey()).is_none_or(|tip| signed.tx.chain != tip.chain) {
            return Err(NotLetIn::Chain);
        }
        let bytes = signed.size();
        if bytes > MOST_BYTES {
            return Err(NotLetIn::Bytes);
        }
        if signed.tx.is_duty() { self.fits_duty(signed, bytes, own) } else { self.fits_ordinary(store, signed) }
    }

    /// Lets a transaction in. `awaited` tells whether the chain may wait for a duty like this.
    pub fn add(&mut self, store: &Store, signed: Authentic, awaited: bool, own: bool) -> Result<(), NotLetIn> {
        let Authentic(signed) = signed;
        self.fits(store, &signed, own)?;
        let since = store.get(&chain::execute::TipKey()).map_or(0, |tip| tip.height);
        let waiting = Waiting { bytes: signed.size(), id: signed.id(), since, signed };
        let id = waiting.id;
        if waiting.signed.tx.is_duty() {
            if !awaited {
                return Err(NotLetIn::NotAwaited);
            }
            self.duty_bytes += waiting.bytes;
            self.duties.push_back(waiting);
        } else {
            self.add_ordinary(waiting)?;
        }
        self.saw(id);
        Ok(())
    }

    fn saw(&mut self, id: Hash) {
        self.seen.insert(id);
        self.oldest.push_back(id);
        if self.oldest.len() > SEEN
            && let Some(old) = self.oldest.pop_front()
        {
            self.seen.remove(&old);
        }
    }

    fn fits_duty(&self, signed: &Signed, bytes: usize, own: bool) -> Result<(), NotLetIn> {
        let tx = &signed.tx;
        if tx.nonce != 0 || tx.fee != Coins::ZERO {
            return Err(NotLetIn::NotFree);
        }
        let many = self.duties.iter().filter(|one| one.signed.tx.from == tx.from).count() >= DUTIES_EACH;
        if !own && (many || self.duty_bytes + bytes > DUTY_BYTES) {
            return Err(NotLetIn::Full);
        }
        Ok(())
    }

    fn fits_ordinary(&self, store: &Store, signed: &Signed) -> Result<(), NotLetIn> {
        let tx = &signed.tx;
        let used = store.get(&AccountOf(tx.from)).map_or(0, |account| account.nonce);
        // Without gaps: what cannot be carried out must not take room from others.
        let mine = self.ordinary.range((tx.from, used)..=(tx.from, u64::MAX)).count();
        let next = used.saturating_add(u64::try_from(mine).unwrap_or(u64::MAX));
        if !(used..=next).contains(&tx.nonce) {
            return Err(NotLetIn::Nonce { next });
        }
        if mine >= ORDINARY_EACH && tx.nonce == next {
            return Err(NotLetIn::Full);
        }
        let least = Coins(Params::of(store).bank.gas_price.0.saturating_mul(gas(signed)));
        if tx.fee < least {
            return Err(NotLetIn::Fee { least });
        }
        let mine = self.ordinary.range((tx.from, 0)..=(tx.from, u64::MAX));
        let promised: u64 = mine.filter(|((_, nonce), _)| *nonce != tx.nonce).map(|(_, one)| one.signed.tx.fee.0).sum();
        if bank::balance(store, &tx.from).0 < promised.saturating_add(tx.fee.0) {
            return Err(NotLetIn::Poor);
        }
        if let Some(before) = self.ordinary.get(&(tx.from, tx.nonce)) {
            let fee = before.signed.tx.fee.0;
            let least = Coins(fee.saturating_add((fee / 100).saturating_mul(RAISE)).saturating_add(1));
            if tx.fee < least {
                return Err(NotLetIn::Fee { least });
            }
        }
        Ok(())
    }

    fn add_ordinary(&mut self, waiting: Waiting) -> Result<(), NotLetIn> {
        let key = (waiting.signed.tx.from, waiting.signed.tx.nonce);
        let replaced = self.ordinary.get(&key).map_or(0, |before| before.bytes);
        let cheaper = self.cheaper(waiting.price(), (self.ordinary_bytes + waiting.bytes).saturating_sub(replaced));
        for cheapest in cheaper.ok_or(NotLetIn::Full)? {
            self.remove_ordinary(&cheapest);
        }
        self.remove_ordinary(&key);
        self.ordinary_bytes += waiting.bytes;
        self.ordinary.insert(key, waiting);
        Ok(())
    }

    /// Those that have to go so that there are no more bytes than there may be: they pay less than this. `None` if that is
    /// not enough. Of an account, the last ones go.
    fn cheaper(&self, price: u128, bytes: usize) -> Option<Vec<(Address, u64)>> {
        let mut over = bytes.saturating_sub(ORDINARY_BYTES);
        if over == 0 {
            return Some(Vec::new());
        }
        let mut by_price: Vec<_> = self.ordinary.iter().map(|(key, one)| (one.price(), Reverse(key.1), *key)).collect();
        by_price.sort_unstable();
        let mut gone = Vec::new();
        for (_, _, key) in by_price.into_iter().take_while(|(paid, ..)| *paid < price) {
            let after = self.ordinary.range(key..=(key.0, u64::MAX));
            for (key, one) in after.filter(|(key, _)| !gone.contains(*key)).collect::<Vec<_>>() {
                over = over.saturating_sub(one.bytes);
                gone.push(*key);
            }
            if over == 0 {
                return Some(gone);
            }
        }
        None
    }

    fn remove_ordinary(&mut self, key: &(Address, u64)) {
        if let Some(waiting) = self.ordinary.remove(key) {
            self.ordinary_bytes -= waiting.bytes;
            self.seen.remove(&waiting.id);
        }
    }

    /// The transactions of the next block: duties first, in the order in which they came; then the others, those that
    /// pay most first, but each account's in order.
    pub fn fill(&self, store: &Store) -> Vec<Signed> {
        let mut room = Room::new(&Params::of(store).bank);
        let mut taken: Vec<Signed> = Vec::new();
        for waiting in &self.duties {
            if room.take(&waiting.signed).is_ok() {
                taken.push(waiting.signed.clone());
            }
        }
        let first = self.ordinary.keys().map(|(from, _)| *from).collect::<BTreeSet<_>>();
        let mut ready: BTreeSet<(Reverse<u128>, Address, u64)> = BTreeSet::new();
        for from in first {
            let nonce = store.get(&AccountOf(from)).map_or(0, |account| account.nonce);
            ready.extend(self.ordinary.get(&(from, nonce)).map(|one| (Reverse(one.price()), from, nonce)));
        }
        let mut left: BTreeMap<Address, u64> = BTreeMap::new();
        while let Some((_, from, nonce)) = ready.pop_first() {
            let Some(waiting) = self.ordinary.get(&(from, nonce)) else { continue };
            let left = left.entry(from).or_insert_with(|| bank::balance(store, &from).0);
            let Some(after) = left.checked_sub(waiting.signed.tx.fee.0) else { continue };
            if room.take(&waiting.signed).is_err() {
                // Another account's may be smaller; of this one, nothing else can follow.
                continue;
            }
            *left = after;
            taken.push(waiting.signed.clone());
            ready.extend(self.ordinary.get(&(from, nonce + 1)).map(|one| (Reverse(one.price()), from, nonce + 1)));
        }
        taken
    }

    /// Those of a block's transactions that wait here, by name. Their signatures have been checked: nothing else is let in.
    pub fn authentic(&self, transactions: &[Signed]) -> BTreeSet<Hash> {
        let duties: BTreeSet<Hash> = self.duties.iter().map(|waiting| waiting.id).collect();
        let waits = |signed: &Signed, id: &Hash| {
            let ordinary = || self.ordinary.get(&(signed.tx.from, signed.tx.nonce));
            duties.contains(id) || ordinary().is_some_and(|waiting| waiting.id == *id)
        };
        transactions
            .iter()
            .map(|signed| (signed, signed.id()))
            .filter(|(signed, id)| waits(signed, id))
            .map(|(_, id)| id)
            .collect()
    }

    /// Everything that waits, as it can be let in elsewhere: duties in the order in which they came, then each account's by nonce.
    pub fn everything(&self) -> Vec<Signed> {
        self.duties.iter().chain(self.ordinary.values()).map(|waiting| waiting.signed.clone()).collect()
    }

    /// Duties that wait, in order.
    pub fn duties(&self) -> Vec<Signed> {
        self.duties.iter().map(|waiting| waiting.signed.clone()).collect()
    }

    /// A block was executed: what was in it, and what has become useless, is gone.
    pub fn executed(&mut self, store: &Store, height: u64, transactions: &[Signed], receipts: &[Receipt]) {
        let gone: BTreeSet<Hash> = transactions.iter().map(Signed::id).collect();
        let (seen, bytes) = (&mut self.seen, &mut self.duty_bytes);
        self.duties.retain(|one| {
            let stays = !gone.contains(&one.id) && one.since + DUTY_AGE > height;
            if !stays {
                *bytes -= one.bytes;
                // It may be said again: not everything that is in a block counts there.
                seen.remove(&one.id);
            }
            stays
        });
        let used = |(from, nonce): &(Address, u64)| store.get(&AccountOf(*from)).is_some_and(|a| a.nonce > *nonce);
        let dead = |(key, one): &(&(Address, u64), &Waiting)| {
            gone.contains(&one.id) || used(key) || one.since + ORDINARY_AGE <= height
        };
        for key in self.ordinary.iter().filter(dead).map(|(key, _)| *key).collect::<Vec<_>>() {
            // What comes after one that is gone without having counted would have to wait for ever.
            let after: Vec<_> = self.ordinary.range(key..=(key.0, u64::MAX)).map(|(key, _)| *key).collect();
            let broken = !used(&key);
            for key in after.into_iter().take(if broken { usize::MAX } else { 1 }) {
                self.remove_ordinary(&key);
            }
        }
        // What has counted need not be heard again, whoever sends it.
        for (signed, receipt) in transactions.iter().zip(receipts) {
            if !signed.tx.is_duty() || *receipt == Receipt::Done {
                self.saw(signed.id());
            }
        }
    }

    /// How many duties and other transactions wait.
    pub fn len(&self) -> (usize, usize) {
        (self.duties.len(), self.ordinary.len())
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.duties.is_empty() && self.ordinary.is_empty()
    }
}

#[cfg(test)]
mod tests;
