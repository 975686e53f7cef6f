//! What operators can do, and what happens by itself.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use super::evidence::is_signed;
use super::set::{advance, others_are_left, unbonding};
use super::{
    Event, Evidence, Offence, Sets, SetsKey, Standing, Unbonding, UnbondingOf, Validator, ValidatorOf, possession,
    slash,
};
use crate::bank;
use crate::execute::Cx;
use crate::genesis::Genesis;
use crate::store::Store;
use crate::units::{Address, Coins};

/// The most amounts that a validator can be taking out at a time.
const MOST_UNBONDINGS: usize = 16;

/// The work of checking a signature, in microseconds.
const SIGNATURE: u64 = 50;

/// What one can ask. Validators are named by their consensus keys.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Tx {
    /// Registers a consensus key with a stake.
    Register {
        /// The key.
        consensus: Address,
        /// How much is staked.
        stake: Coins,
        /// Its signature over [`possession`](super::possession).
        proof: [u8; 64],
    },
    /// Stakes more.
    Bond {
        /// For whom.
        consensus: Address,
        /// How much more.
        coins: Coins,
    },
    /// Takes stake out, after a delay.
    Unbond {
        /// From whom.
        consensus: Address,
        /// How much.
        coins: Coins,
    },
    /// Releases a validator whose time in jail is over. After silence, its own consensus key can ask for it too.
    Unjail {
        /// Whom.
        consensus: Address,
    },
    /// Reports that a validator has signed twice.
    DoubleSign {
        /// What it signed.
        evidence: Box<Evidence>,
    },
}

impl Tx {
    /// The work of carrying it out, in microseconds, besides checking its own signature.
    pub const fn work(&self) -> u64 {
        match self {
            Self::Register { .. } => SIGNATURE + 20,
            Self::Bond { .. } | Self::Unbond { .. } | Self::Unjail { .. } => 20,
            Self::DoubleSign { .. } => 2 * SIGNATURE + 20,
        }
    }
}

/// Why it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no such validator.
    Unknown,
    /// There is one with this consensus key already.
    Taken,
    /// It is somebody else's.
    NotOperator {
        /// Whose.
        operator: Address,
    },
    /// The consensus key has not signed that it belongs to this operator.
    Possession,
    /// At least one coin must be moved.
    Nothing,
    /// The stake is too low.
    Stake {
        /// At least.
        least: Coins,
    },
    /// There is not that much staked.
    NotStaked {
        /// What is staked.
        stake: Coins,
    },
    /// It would leave less than the least stake, but not nothing.
    Remainder {
        /// The least that can be left, other than nothing.
        least: Coins,
    },
    /// Nobody would be left to make blocks.
    LastValidator,
    /// Too many amounts are being taken out already.
    Unbondings {
        /// The most.
        most: usize,
    },
    /// It is not jailed.
    NotJailed,
    /// It is jailed for longer.
    Jailed {
        /// The game clock from which it can be released.
        until: u64,
    },
    /// It was removed for good.
    Removed,
    /// The evidence is too old, or about a block that is not there yet.
    Age {
        /// The least height that it can be about.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// It has paid for that already.
    Convicted,
    /// The evidence does not show two different statements by this validator in one place.
    Evidence,
    /// Not enough in the account.
    Bank(bank::Refused),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("there is no validator with this consensus key"),
            Self::Taken => f.write_str("there is a validator with this consensus key already"),
            Self::NotOperator { operator } => write!(f, "only {operator} can do this with the validator"),
            Self::Possession => f.write_str("the consensus key must sign that it belongs to this operator"),
            Self::Nothing => f.write_str("it must be at least one coin"),
            Self::Stake { least } => write!(f, "the stake must be at least {least}"),
            Self::NotStaked { stake } => write!(f, "only {stake} coins are staked"),
            Self::Remainder { least } => write!(f, "at least {least} coins must stay staked, or none"),
            Self::LastValidator => f.write_str("the last validator must stay"),
            Self::Unbondings { most } => write!(f, "at most {most} amounts can be taken out at a time"),
            Self::NotJailed => f.write_str("the validator is not jailed"),
            Self::Jailed { until } => write!(f, "the validator is jailed until {until} on the game clock"),
            Self::Removed => f.write_str("the validator was removed for good"),
            Self::Age { least, most } => write!(f, "the evidence must be about a height from {least} to {most}"),
            Self::Convicted => f.write_str("the validator has paid for signing twice already"),
            Self::Evidence => f.write_str("two different statements must be signed by the validator in one place"),
            Self::Bank(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Refused {}

/// The validators at the beginning, as they are.
pub fn begin(store: &mut Store, genesis: &Genesis) {
    for first in &genesis.validators {
        store.put(&ValidatorOf(first.consensus), Validator::new(first.operator, first.stake));
    }
    let set: Vec<_> =
        store.all::<ValidatorOf>().map(|(ValidatorOf(consensus), validator)| (consensus, validator.stake)).collect();
    store.put(&SetsKey(), Sets { next: set.clone(), after_next: set });
}

/// Carries out a transaction.
pub fn execute(cx: &mut Cx<'_>, from: Address, tx: &Tx) -> Result<(), Refused> {
    match tx {
        Tx::Register { consensus, stake, proof } => register(cx, from, *consensus, *stake, proof),
        Tx::Bond { consensus, coins } => bond(cx, from, *consensus, *coins),
        Tx::Unbond { consensus, coins } => unbond(cx, from, *consensus, *coins),
        Tx::Unjail { consensus } => unjail(cx, from, *consensus),
        Tx::DoubleSign { evidence } => double_sign(cx, from, evidence),
    }
}

/// What happens by itself: stake that is due is paid back, and the validators move on by one block.
pub fn end_block(cx: &mut Cx<'_>) {
    let clock = cx.now.parent_clock;
    let due = cx.store.all::<UnbondingOf>().map(|(key, _)| key).take_while(|key| key.0 <= clock);
    for key in due.collect::<Vec<_>>() {
        pay_back(cx, key);
    }
    if let Some(set) = advance(cx.store) {
        let count = u32::try_from(set.len()).unwrap_or(u32::MAX);
        let power = set.iter().map(|(_, power)| *power).sum();
        cx.emit(Event::ValidatorsChanged { count, power });
    }
}

/// This validator has a seat in the committee of this epoch: its stake cannot be taken out before the epoch is over.
pub fn bind(cx: &mut Cx<'_>, consensus: &Address, epoch: u64) {
    cx.store.edit(&ValidatorOf(*consensus), |validator| {
        if !validator.epochs.contains(&epoch) {
            validator.epochs.push(epoch);
        }
    });
}

/// This epoch is over for good: the delay of what has waited for it begins.
pub fn release(cx: &mut Cx<'_>, epoch: u64) {
    let seated = cx.store.all::<ValidatorOf>().filter(|(_, validator)| validator.epochs.contains(&epoch));
    for key in seated.map(|(key, _)| key).collect::<Vec<_>>() {
        cx.store.edit(&key, |validator| validator.epochs.retain(|seated| *seated != epoch));
    }
    let due = cx.now.clock.saturating_add(cx.params().staking.unbonding);
    let waiting = cx.store.all::<UnbondingOf>().map(|(key, _)| key).filter(|key| key.0 == UnbondingOf::WAITING);
    for key in waiting.collect::<Vec<_>>() {
        let Some(mut unbonding) = cx.store.remove(&key) else { continue };
        unbonding.epochs.retain(|awaited| *awaited != epoch);
        let due = if unbonding.epochs.is_empty() { due } else { UnbondingOf::WAITING };
        cx.store.put(&UnbondingOf(due, key.1, key.2), unbonding);
    }
}

/// All coins that staking keeps.
pub fn held(store: &Store) -> Coins {
    let bonded: Coins = store.all::<ValidatorOf>().map(|(_, validator)| validator.stake).sum();
    bonded + store.all::<UnbondingOf>().map(|(_, unbonding)| unbonding.coins).sum()
}

fn register(
    cx: &mut Cx<'_>,
    operator: Address,
    consensus: Address,
    stake: Coins,
    proof: &[u8; 64],
) -> Result<(), Refused> {
    if cx.store.get(&ValidatorOf(consensus)).is_some() {
        return Err(Refused::Taken);
    }
    let least = cx.params().staking.least_stake;
    if stake < least {
        return Err(Refused::Stake { least });
    }
    if !is_signed(&consensus, &possession(&cx.now.chain, &operator, &consensus), proof) {
        return Err(Refused::Possession);
    }
    bank::debit(cx, operator, stake).map_err(Refused::Bank)?;
    cx.store.put(&ValidatorOf(consensus), Validator::new(operator, stake));
    cx.emit(Event::ValidatorRegistered { consensus, operator, stake });
    Ok(())
}

fn bond(cx: &mut Cx<'_>, from: Address, consensus: Address, coins: Coins) -> Result<(), Refused> {
    let mut validator = operated(cx, from, consensus)?;
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    if validator.standing == Standing::Removed {
        return Err(Refused::Removed);
    }
    bank::debit(cx, from, coins).map_err(Refused::Bank)?;
    validator.stake += coins;
    cx.store.put(&ValidatorOf(consensus), validator);
    cx.emit(Event::Bonded { consensus, coins });
    Ok(())
}

fn unbond(cx: &mut Cx<'_>, from: Address, consensus: Address, coins: Coins) -> Result<(), Refused> {
    let mut validator = operated(cx, from, consensus)?;
    if coins == Coins::ZERO {
        return Err(Refused::Nothing);
    }
    let params = &cx.params().staking;
    let (least, delay) = (params.least_stake, params.unbonding);
    let left = validator.stake.minus(coins).ok_or(Refused::NotStaked { stake: validator.stake })?;
    if left > Coins::ZERO && left < least {
        return Err(Refused::Remainder { least });
    }
    if left == Coins::ZERO && !others_are_left(cx.store, &consensus) {
        return Err(Refused::LastValidator);
    }
    if unbonding(cx.store, &consensus).count() >= MOST_UNBONDINGS {
        return Err(Refused::Unbondings { most: MOST_UNBONDINGS });
    }
    let due = if validator.epochs.is_empty() { cx.now.clock.saturating_add(delay) } else { UnbondingOf::WAITING };
    cx.store
        .put(&UnbondingOf(due, consensus, validator.unbondings), Unbonding { coins, epochs: validator.epochs.clone() });
    validator.stake = left;
    validator.unbondings += 1;
    cx.store.put(&ValidatorOf(consensus), validator);
    cx.emit(Event::UnbondingBegun { consensus, coins });
    Ok(())
}

fn unjail(cx: &mut Cx<'_>, from: Address, consensus: Address) -> Result<(), Refused> {
    let known = cx.store.get(&ValidatorOf(consensus)).ok_or(Refused::Unknown)?;
    // Whoever was away is back: its node can tell. After a fault its operator has to look.
    let itself = from == consensus && matches!(known.standing, Standing::Silenced { .. });
    let mut validator = if itself { known.clone() } else { operated(cx, from, consensus)? };
    let until = match validator.standing {
        Standing::Free => return Err(Refused::NotJailed),
        Standing::Removed => return Err(Refused::Removed),
        Standing::Silenced { until } | Standing::Jailed { until } => until,
    };
    if cx.now.parent_clock < until {
        return Err(Refused::Jailed { until });
    }
    let least = cx.params().staking.least_stake;
    if validator.stake < least {
        return Err(Refused::Stake { least });
    }
    validator.standing = Standing::Free;
    cx.store.put(&ValidatorOf(consensus), validator);
    cx.emit(Event::ValidatorReleased { consensus });
    Ok(())
}

fn double_sign(cx: &mut Cx<'_>, reporter: Address, evidence: &Evidence) -> Result<(), Refused> {
    let consensus = evidence.consensus;
    let validator = cx.store.get(&ValidatorOf(consensus)).ok_or(Refused::Unknown)?;
    if validator.signed_twice {
        return Err(Refused::Convicted);
    }
    let most = cx.now.height;
    let least = most.saturating_sub(cx.params().staking.evidence_blocks);
    if !(least..=most).contains(&evidence.height()) {
        return Err(Refused::Age { least, most });
    }
    if !evidence.convicts(&cx.now.chain) {
        return Err(Refused::Evidence);
    }
    cx.store.edit(&ValidatorOf(consensus), |validator| validator.signed_twice = true);
    slash(cx, &consensus, Offence::DoubleSign, Some(reporter), &[]);
    Ok(())
}

/// The validator, if it is this one's.
fn operated(cx: &Cx<'_>, from: Address, consensus: Address) -> Result<Validator, Refused> {
    let validator = cx.store.get(&ValidatorOf(consensus)).ok_or(Refused::Unknown)?;
    let operator = validator.operator;
    if operator == from { Ok(validator.clone()) } else { Err(Refused::NotOperator { operator }) }
}

fn pay_back(cx: &mut Cx<'_>, key: UnbondingOf) {
    let UnbondingOf(_, consensus, _) = key;
    let Some(validator) = cx.store.get(&ValidatorOf(consensus)).cloned() else { return };
    let Some(Unbonding { coins, .. }) = cx.store.remove(&key) else { return };
    bank::credit(cx, validator.operator, coins);
    cx.emit(Event::Unbonded { consensus, coins });
    let left = unbonding(cx.store, &consensus).next().is_some();
    // A validator that is gone is forgotten, unless that would wipe its record.
    let blank = Validator { proposed: 0, missed: 0, unbondings: 0, offended: 0, ..validator };
    if !left && blank == Validator::new(blank.operator, Coins::ZERO) {
        cx.store.remove(&ValidatorOf(consensus));
    }
}
