//! What a block does to the state.

use core::fmt;
use std::collections::BTreeSet;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::block::{Block, Header, transactions_hash};
use crate::dealer::Verified;
use crate::event::{Event, Events};
use crate::genesis::Genesis;
use crate::params::{Params, ParamsKey};
use crate::store::{Changes, Mark, Store, key};
use crate::tx::{Body, MOST_BYTES, Signed, Tx};
use crate::units::{Address, Coins, Hash};
use crate::{bank, dealer, governance, staking, tables};

/// The game clock advances at most this much per block, so that no proposer can let deadlines pass by a wrong time.
pub(crate) const MOST_PER_BLOCK: u64 = 2_000;

/// A block is at most this much later than the one before; after a longer pause, several blocks catch up.
pub const MOST_AHEAD: u64 = 3_600_000;

/// Where the chain is.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Tip {
    /// The chain.
    pub chain: Hash,
    /// The height of the last block.
    pub height: u64,
    /// Its hash; zeros before the first.
    pub hash: Hash,
    /// Its time.
    pub time: u64,
    /// The game clock, in milliseconds: what deadlines are measured by.
    pub clock: u64,
    /// The cursor of the next event.
    pub cursor: u64,
}

key! {
    /// Where the chain is.
    pub struct TipKey() => Tip, in 0x02;
}

/// The block being executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Now {
    /// The chain.
    pub chain: Hash,
    /// Its height.
    pub height: u64,
    /// The game clock after the block before: what deadlines are judged by.
    pub parent_clock: u64,
    /// The game clock in this block: what new deadlines begin with.
    pub clock: u64,
    /// The hash of the block before.
    pub parent: Hash,
    /// Who made it.
    pub proposer: Address,
    /// The round in which it was first proposed.
    pub round: u32,
}

/// What a transaction, or the end of a block, works on.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The state.
    pub store: &'a mut Store,
    /// What has happened in this block.
    pub events: &'a mut Vec<Event>,
    /// The block.
    pub now: &'a Now,
    /// Proofs that have been checked already.
    pub verified: &'a Verified,
}

impl Cx<'_> {
    /// Notes that something happened.
    pub fn emit(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    /// The parameters in force.
    pub fn params(&self) -> &Params {
        Params::of(self.store)
    }

    /// A point that can be gone back to.
    fn mark(&self) -> (Mark, usize) {
        (self.store.mark(), self.events.len())
    }

    fn undo(&mut self, (mark, events): (Mark, usize)) {
        self.store.undo(mark);
        self.events.truncate(events);
    }
}

/// The chain at some height.
#[derive(Clone, Debug)]
pub struct State {
    store: Store,
}

/// What became of a transaction.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// It was carried out.
    Done,
    /// It failed, and paid its fee.
    Failed(String),
    /// It did not count: it could not even pay its fee, or nobody waited for it.
    Void(String),
}

/// What a block did.
#[derive(Clone, Debug)]
pub struct Executed {
    /// What became of each transaction.
    pub receipts: Vec<Receipt>,
    /// What happened.
    pub events: Events,
    /// The root of the state after it.
    pub root: Hash,
    /// The entries of the state that changed, for those who store them.
    pub changes: Changes,
}

/// Why a block cannot be the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadBlock {
    /// It is for another chain.
    Chain,
    /// Its height is not the next.
    Height {
        /// The next.
        expected: u64,
    },
    /// It does not follow the last block.
    Parent,
    /// Its time is not after that of the last block, or too long after it: one proposer with a wrong clock must not leave
    /// everybody else behind.
    Time,
    /// Its proposer is not the validator whose turn it was in its round.
    Proposer,
    /// It begins with another state.
    Root,
    /// It names other validators for the next block.
    NextValidators,
    /// Its transactions are not those of its header.
    Transactions,
    /// It is too large.
    Bytes {
        /// The most bytes of all transactions together.
        most: u64,
    },
    /// Its transactions are too much work.
    Gas {
        /// The most.
        most: u64,
    },
    /// Its ordinary transactions take room that is reserved for duties.
    Reserve {
        /// The most bytes of ordinary transactions.
        bytes: u64,
        /// The most gas of ordinary transactions.
        gas: u64,
    },
    /// From this height on, rules are in force that this program does not know.
    Rules {
        /// The version in force.
        version: u32,
        /// The newest known one.
        known: u32,
    },
}

impl fmt::Display for BadBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain => f.write_str("the block is for another chain"),
            Self::Height { expected } => write!(f, "the block must have height {expected}"),
            Self::Parent => f.write_str("the block does not follow the last one"),
            Self::Time => f.write_str("the block must be later than the last one, and at most an hour"),
            Self::Proposer => f.write_str("the block was not made by the validator whose turn it was"),
            Self::Root => f.write_str("the block begins with another state"),
            Self::NextValidators => f.write_str("the block names the wrong validators for the next one"),
            Self::Transactions => f.write_str("the block has other transactions than its header says"),
            Self::Bytes { most } => write!(f, "the transactions of a block have at most {most} bytes"),
            Self::Gas { most } => write!(f, "the transactions of a block may use at most {most} gas"),
            Self::Reserve { bytes, gas } => {
                write!(f, "ordinary transactions of a block have at most {bytes} bytes and use at most {gas} gas")
            }
            Self::Rules { version, known } => {
                write!(f, "rules of version {version} are in force, but this program knows them only up to {known}")
            }
        }
    }
}

impl core::error::Error for BadBlock {}

/// Why a transaction is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is for another chain.
    Chain,
    /// It is too long.
    Bytes {
        /// At most.
        most: usize,
    },
    /// The signature is not its author's.
    Signature,
    /// A duty has no nonce and no fee.
    NotFree,
    /// Not the next nonce of the account.
    Nonce {
        /// The next.
        expected: u64,
    },
    /// The fee is too low.
    Fee {
        /// At least.
        least: Coins,
    },
    /// By the bank.
    Bank(bank::Refused),
    /// By staking.
    Staking(staking::Refused),
    /// By governance.
    Governance(governance::Refused),
    /// By a table.
    Tables(tables::Refused),
    /// By the dealer.
    Dealer(dealer::Refused),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain => f.write_str("the transaction is for another chain"),
            Self::Bytes { most } => write!(f, "a transaction has at most {most} bytes"),
            Self::Signature => f.write_str("the signature is not by the author"),
            Self::NotFree => f.write_str("a duty is free: its nonce and fee must be 0"),
            Self::Nonce { expected } => write!(f, "the next nonce of this account is {expected}"),
            Self::Fee { least } => write!(f, "the fee must be at least {least}"),
            Self::Bank(why) => why.fmt(f),
            Self::Staking(why) => why.fmt(f),
            Self::Governance(why) => why.fmt(f),
            Self::Tables(why) => why.fmt(f),
            Self::Dealer(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Refused {}

impl State {
    /// The state before the first block.
    pub fn new(genesis: &Genesis) -> Self {
        let mut store = Store::default();
        store.put(&ParamsKey(), genesis.params.clone());
        let (chain, time) = (genesis.chain(), genesis.time);
        store.put(&TipKey(), Tip { chain, height: 0, hash: [0; 32], time, clock: 0, cursor: 0 });
        bank::begin(&mut store, genesis);
        staking::begin(&mut store, genesis);
        dealer::begin(&mut store, genesis);
        store.commit();
        Self { store }
    }

    /// From a stored state.
    pub const fn from_store(store: Store) -> Self {
        Self { store }
    }

    /// The entries of the state.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Where the chain is.
    pub fn tip(&self) -> &Tip {
        self.store.get(&TipKey()).expect("the genesis sets the tip")
    }

    /// Executes the next block. A block that cannot be the next one changes nothing.
    pub fn execute(&mut self, block: &Block) -> Result<Executed, BadBlock> {
        self.execute_knowing(block, BTreeSet::new())
    }

    /// The same for somebody who has checked the signatures of some transactions before, and names those that are
    /// correct. This only saves time.
    pub fn execute_knowing(&mut self, block: &Block, authentic: BTreeSet<Hash>) -> Result<Executed, BadBlock> {
        self.check(block)?;
        let verified = Verified::check_knowing(&self.store, &block.transactions, authentic);
        let (tip, header) = (self.tip().clone(), &block.header);
        let now = Now {
            chain: tip.chain,
            height: header.height,
            parent_clock: tip.clock,
            clock: tip.clock + (header.time - tip.time).min(MOST_PER_BLOCK),
            parent: tip.hash,
            proposer: header.proposer,
            round: header.round,
        };
        let mut list = Vec::new();
        let mut cx = Cx { store: &mut self.store, events: &mut list, now: &now, verified: &verified };
        staking::begin_block(&mut cx);
        let receipts = block.transactions.iter().map(|signed| execute(&mut cx, signed)).collect();
        dealer::end_block(&mut cx);
        tables::end_block(&mut cx);
        staking::end_block(&mut cx);
        governance::end_block(&mut cx);
        let events = Events { first: tip.cursor, list };
        let cursor = tip.cursor + u64::try_from(events.list.len()).unwrap_or(u64::MAX);
        let (height, time, clock) = (header.height, header.time, now.clock);
        self.store.put(&TipKey(), Tip { height, hash: header.hash(), time, clock, cursor, ..tip });
        let (root, changes) = self.store.commit();
        Ok(Executed { receipts, events, root, changes })
    }

    /// The header of the next block with these transactions, by this proposer in this round at this time.
    pub fn next_header(&self, proposer: Address, round: u32, time: u64, transactions: &[Signed]) -> Header {
        let tip = self.tip();
        Header {
            chain: tip.chain,
            height: tip.height + 1,
            parent: tip.hash,
            time,
            proposer,
            round,
            root: self.store.root(),
            next_validators: staking::validators_hash(&self.store),
            transactions: transactions_hash(transactions),
        }
    }

    /// Would this transaction be carried out in the next block? Tries it and undoes it: check and execute are one.
    pub fn check_tx(&mut self, signed: &Signed, proposer: Address) -> Result<(), Refused> {
        let tip = self.tip().clone();
        let now = Now {
            chain: tip.chain,
            height: tip.height + 1,
            parent_clock: tip.clock,
            clock: tip.clock,
            parent: tip.hash,
            proposer,
            round: 0,
        };
        let (mut events, verified) = (Vec::new(), Verified::default());
        let mut cx = Cx { store: &mut self.store, events: &mut events, now: &now, verified: &verified };
        let mark = cx.mark();
        let result = admit(&mut cx, signed).and_then(|()| perform(&mut cx, &signed.tx));
        cx.undo(mark);
        result
    }

    /// Whether this can be the next block. If so, executing it cannot fail.
    pub fn check(&self, block: &Block) -> Result<(), BadBlock> {
        let (tip, header) = (self.tip(), &block.header);
        if header.chain != tip.chain {
            return Err(BadBlock::Chain);
        }
        if header.height != tip.height + 1 {
            return Err(BadBlock::Height { expected: tip.height + 1 });
        }
        // Before anything that the new rules may see differently.
        let version = governance::rules_version(&self.store, header.height);
        if version > governance::KNOWN_VERSION {
            return Err(BadBlock::Rules { version, known: governance::KNOWN_VERSION });
        }
        if header.parent != tip.hash {
            return Err(BadBlock::Parent);
        }
        if header.time <= tip.time || header.time > tip.time.saturating_add(MOST_AHEAD) {
            return Err(BadBlock::Time);
        }
        if !staking::is_turn(&self.store, header.height, header.round, &header.proposer) {
            return Err(BadBlock::Proposer);
        }
        if header.root != self.store.root() {
            return Err(BadBlock::Root);
        }
        if header.next_validators != staking::validators_hash(&self.store) {
            return Err(BadBlock::NextValidators);
        }
        let limits = &Params::of(&self.store).bank;
        let mut room = bank::Room::new(limits);
        block.transactions.iter().try_for_each(|signed| room.take(signed))?;
        if header.transactions != transactions_hash(&block.transactions) {
            return Err(BadBlock::Transactions);
        }
        Ok(())
    }
}

/// Executes one transaction. One that fails changes nothing but fee and nonce.
fn execute(cx: &mut Cx<'_>, signed: &Signed) -> Receipt {
    if let Err(why) = admit(cx, signed) {
        return Receipt::Void(why.to_string());
    }
    let mark = cx.mark();
    match perform(cx, &signed.tx) {
        Ok(()) => Receipt::Done,
        Err(why) => {
            cx.undo(mark);
            if signed.tx.is_duty() { Receipt::Void(why.to_string()) } else { Receipt::Failed(why.to_string()) }
        }
    }
}

/// Whether a transaction may be tried at all; takes its fee and its nonce.
fn admit(cx: &mut Cx<'_>, signed: &Signed) -> Result<(), Refused> {
    let tx = &signed.tx;
    if tx.chain != cx.now.chain {
        return Err(Refused::Chain);
    }
    if signed.size() > MOST_BYTES {
        return Err(Refused::Bytes { most: MOST_BYTES });
    }
    if !cx.verified.is_authentic(&signed.id()) && !signed.is_authentic() {
        return Err(Refused::Signature);
    }
    if tx.is_duty() {
        return if tx.nonce == 0 && tx.fee == Coins::ZERO { Ok(()) } else { Err(Refused::NotFree) };
    }
    bank::take_fee(cx, signed)
}

fn perform(cx: &mut Cx<'_>, tx: &Tx) -> Result<(), Refused> {
    match &tx.body {
        Body::Bank(body) => bank::execute(cx, tx.from, body).map_err(Refused::Bank),
        Body::Staking(body) => staking::execute(cx, tx.from, body).map_err(Refused::Staking),
        Body::Governance(body) => governance::execute(cx, tx.from, body).map_err(Refused::Governance),
        Body::Tables(body) => tables::execute(cx, tx.from, body).map_err(Refused::Tables),
        Body::Dealer(body) => dealer::execute(cx, tx.from, body).map_err(Refused::Dealer),
    }
}
