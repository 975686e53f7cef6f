//! Validators, their stake, and what they lose.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::execute::Cx;
use crate::genesis::Genesis;
use crate::store::{Store, key};
use crate::units::{Address, Coins, Hash, hash};

/// What one can ask.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Tx {
    Nothing,
}

/// Why it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Refused {
    Nothing,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

/// What happened.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    Nothing,
}

/// Stake and penalties.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {}

/// A validator, by its consensus key.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Validator {
    /// Whose stake it is.
    pub operator: Address,
    /// How much it is.
    pub stake: Coins,
    /// The height of the last block it made.
    pub proposed: u64,
}

key! {
    /// A validator, by its consensus key.
    pub struct ValidatorOf(Address) => Validator, in 0x20;
}

/// What a validator did wrong.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offence {
    /// It signed two different things in one place of consensus.
    DoubleSign,
    /// A message about a key generation was wrong, and that is proven.
    BadKeys,
    /// A shuffle or a share was wrong, and that is proven.
    BadProof,
    /// It was silent in a key generation.
    SilentInKeys,
    /// It was silent when a hand waited for it.
    Silent,
    /// A hand was aborted because it and others were silent.
    Withheld,
}

/// The validators at the beginning.
pub fn begin(store: &mut Store, genesis: &Genesis) {
    for first in &genesis.validators {
        let (operator, stake) = (first.operator, first.stake);
        store.put(&ValidatorOf(first.consensus), Validator { operator, stake, proposed: 0 });
    }
}

/// Carries out a transaction.
pub fn execute(_cx: &mut Cx<'_>, _from: Address, tx: &Tx) -> Result<(), Refused> {
    let Tx::Nothing = tx;
    Ok(())
}

/// Notes who made the block.
pub fn begin_block(cx: &mut Cx<'_>) {
    let (height, proposer) = (cx.now.height, cx.now.proposer);
    cx.store.edit(&ValidatorOf(proposer), |validator| validator.proposed = height);
}

/// What happens by itself.
pub fn end_block(_cx: &mut Cx<'_>) {}

/// Whether this one may make blocks now.
pub fn is_validator(store: &Store, consensus: &Address) -> bool {
    validators(store).iter().any(|(address, _)| address == consensus)
}

/// Who decides the next block, with their power (their stake).
pub fn validators(store: &Store) -> Vec<(Address, Coins)> {
    store.all::<ValidatorOf>().map(|(ValidatorOf(address), validator)| (address, validator.stake)).collect()
}

/// The hash of the validators who decide the next block.
pub fn validators_hash(store: &Store) -> Hash {
    hash("fairdeal/chain/validators/v1", &[&borsh::to_vec(&validators(store)).expect("plain data can be written")])
}

/// Who can be drawn into a committee, with their stake: validators that are not leaving and not jailed for a fault.
pub fn candidates(store: &Store) -> Vec<(Address, Coins)> {
    validators(store)
}

/// What this validator has staked, and can still lose.
pub fn stake(store: &Store, consensus: &Address) -> Coins {
    store.get(&ValidatorOf(*consensus)).map_or(Coins::ZERO, |validator| validator.stake)
}

/// Whether validators with more than a third of the stake have made blocks after this height. Before that, a duty that
/// began there may have been kept out of blocks, and nobody is late.
pub fn heard_since(store: &Store, height: u64) -> bool {
    let all: u128 = store.all::<ValidatorOf>().map(|(_, validator)| u128::from(validator.stake.0)).sum();
    let heard = store.all::<ValidatorOf>().filter(|(_, validator)| validator.proposed > height);
    heard.map(|(_, validator)| u128::from(validator.stake.0)).sum::<u128>() * 3 > all
}

/// Takes a part of a validator's stake for an offence, and jails it as the offence asks. The part is divided between
/// the reporter, these players (in proportion) and the treasury.
pub fn slash(
    _cx: &mut Cx<'_>,
    _consensus: &Address,
    _offence: Offence,
    _reporter: Option<Address>,
    _players: &[Address],
) {
}

/// What a seat with this much stake behind it would lose for this offence.
pub fn price(_store: &Store, stake: Coins, _offence: Offence) -> Coins {
    stake.bps(1_000)
}

/// This validator has a seat in the committee of this epoch: its stake cannot be taken out before the epoch is over.
pub fn bind(_cx: &mut Cx<'_>, _consensus: &Address, _epoch: u64) {}

/// This epoch is over for good.
pub fn release(_cx: &mut Cx<'_>, _epoch: u64) {}

/// All coins that staking keeps.
pub fn held(store: &Store) -> Coins {
    store.all::<ValidatorOf>().map(|(_, validator)| validator.stake).sum()
}
