//! What validators lose for what they do wrong.

use borsh::{BorshDeserialize, BorshSerialize};

use super::set::{others_are_left, unbonding};
use super::{Event, Params, Split, Standing, Validator, ValidatorOf};
use crate::bank::{self, TREASURY};
use crate::execute::Cx;
use crate::store::Store;
use crate::units::{Address, Coins};

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
    /// It missed most of its turns to make a block.
    Absent,
}

impl Offence {
    /// Whether it consists in silence, which may be the network's fault.
    pub const fn is_silence(self) -> bool {
        matches!(self, Self::SilentInKeys | Self::Silent | Self::Withheld | Self::Absent)
    }
}

/// Takes a part of a validator's stake for an offence, and jails it as the offence asks. The part is divided between
/// the reporter, these players (in equal parts), the treasury and nobody.
pub fn slash(cx: &mut Cx<'_>, consensus: &Address, offence: Offence, reporter: Option<Address>, players: &[Address]) {
    let params = cx.params().staking.clone();
    let Some(mut validator) = cx.store.get(&ValidatorOf(*consensus)).cloned() else { return };
    let bps = params.penalties.of(offence).bps;
    let mut lost = validator.stake.bps(bps);
    validator.stake = Coins(validator.stake.0 - lost.0);
    let leaving: Vec<_> = unbonding(cx.store, consensus).collect();
    for (key, coins) in leaving {
        let part = coins.bps(bps);
        cx.store.edit(&key, |unbonding| unbonding.coins = Coins(coins.0 - part.0));
        lost += part;
    }
    cx.emit(Event::ValidatorSlashed { consensus: *consensus, offence, lost });
    let operator = validator.operator;
    punish(cx, consensus, validator, offence, &params);
    divide(cx, lost, &params.split, operator, reporter, players);
}

/// What a seat with this much stake behind it would lose for this offence, for certain: the parts for the reporter and
/// the players do not count, because they may be its friends.
pub fn price(store: &Store, stake: Coins, offence: Offence) -> Coins {
    let Params { penalties, split, .. } = &crate::params::Params::of(store).staking;
    let lost = stake.bps(penalties.of(offence).bps);
    let back = lost.bps(split.reporter_bps) + lost.bps(split.players_bps);
    lost.minus(back).unwrap_or(Coins::ZERO)
}

/// Whether this validator has paid for something so lately that its silence now is part of the same outage. However many
/// decks wait for it, an outage must not cost more than a little.
pub fn has_paid_lately(store: &Store, consensus: &Address, clock: u64) -> bool {
    let within = crate::params::Params::of(store).staking.penalties.silent.jail;
    let paid = store.get(&ValidatorOf(*consensus)).map_or(0, |validator| validator.offended);
    paid > 0 && clock < paid.saturating_add(within)
}

/// Jails or removes a validator, and stores it.
fn punish(cx: &mut Cx<'_>, consensus: &Address, mut validator: Validator, offence: Offence, params: &Params) {
    let clock = cx.now.clock;
    if clock.saturating_sub(validator.offended) > params.forget {
        (validator.faults, validator.silences) = (0, 0);
    }
    validator.offended = clock;
    let spared = !others_are_left(cx.store, consensus) || (offence.is_silence() && !may_silence(cx.store, consensus));
    if !spared {
        let before = validator.standing;
        validator.standing = sentence(&mut validator, offence, clock, params);
        match validator.standing {
            after if after == before => {}
            Standing::Free => {}
            Standing::Silenced { until } | Standing::Jailed { until } => {
                cx.emit(Event::ValidatorJailed { consensus: *consensus, offence, until });
            }
            Standing::Removed => cx.emit(Event::ValidatorRemoved { consensus: *consensus, offence }),
        }
    }
    cx.store.put(&ValidatorOf(*consensus), validator);
}

/// What an offender may do from now on. Silence while it is jailed is no new silence: one outage counts once.
fn sentence(validator: &mut Validator, offence: Offence, clock: u64, params: &Params) -> Standing {
    let before = validator.standing;
    let jail = params.penalties.of(offence).jail;
    match (offence, before) {
        (Offence::DoubleSign, _) | (_, Standing::Removed) => Standing::Removed,
        (Offence::Silent | Offence::SilentInKeys | Offence::Absent, Standing::Free) if jail > 0 => {
            validator.silences = validator.silences.saturating_add(1);
            Standing::Silenced { until: clock.saturating_add(longer(jail, validator.silences)) }
        }
        (Offence::Silent | Offence::SilentInKeys | Offence::Absent, _)
        | (Offence::Withheld, Standing::Jailed { .. }) => before,
        (Offence::BadKeys | Offence::BadProof | Offence::Withheld, _) => {
            validator.faults = validator.faults.saturating_add(1);
            if validator.faults >= params.faults_to_remove {
                return Standing::Removed;
            }
            let until = clock.saturating_add(longer(jail, validator.faults));
            match before {
                _ if jail == 0 => before,
                Standing::Jailed { until: earlier } => Standing::Jailed { until: until.max(earlier) },
                Standing::Free | Standing::Silenced { .. } | Standing::Removed => Standing::Jailed { until },
            }
        }
    }
}

/// The n-th time, jail lasts twice as long as the time before.
fn longer(jail: u64, times: u16) -> u64 {
    jail.saturating_mul(2_u64.pow(u32::from(times.saturating_sub(1).min(10))))
}

/// Whether jailing this one for silence leaves two thirds of the stake free.
fn may_silence(store: &Store, consensus: &Address) -> bool {
    let (mut all, mut jailed) = (0_u128, 0_u128);
    for (ValidatorOf(other), validator) in store.all::<ValidatorOf>() {
        let stake = u128::from(validator.stake.0);
        match validator.standing {
            Standing::Removed => {}
            Standing::Free if other != *consensus => all += stake,
            Standing::Free | Standing::Silenced { .. } | Standing::Jailed { .. } => {
                all += stake;
                jailed += stake;
            }
        }
    }
    jailed * 3 <= all
}

/// Gives away what a validator has lost. Its own operator gets nothing of it.
fn divide(
    cx: &mut Cx<'_>,
    lost: Coins,
    split: &Split,
    operator: Address,
    reporter: Option<Address>,
    players: &[Address],
) {
    let mut rest = lost;
    let mut take = |coins: Coins| {
        let taken = coins.min(rest);
        rest = Coins(rest.0 - taken.0);
        taken
    };
    if let Some(reporter) = reporter.filter(|reporter| *reporter != operator) {
        let part = take(lost.bps(split.reporter_bps));
        bank::credit(cx, reporter, part);
    }
    let count = u64::try_from(players.len()).unwrap_or(u64::MAX);
    let each = Coins(lost.bps(split.players_bps).0.checked_div(count).unwrap_or(0));
    for player in players.iter().filter(|player| **player != operator) {
        let part = take(each);
        bank::credit(cx, *player, part);
    }
    let burned = take(lost.bps(split.burned_bps));
    bank::burn(cx, burned);
    bank::credit(cx, TREASURY, rest);
}
