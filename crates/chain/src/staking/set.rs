//! Who decides blocks, and who can deal.

use core::cmp::Reverse;

use super::{Params, Sets, SetsKey, Standing, UnbondingOf, Validator, ValidatorOf};
use crate::store::Store;
use crate::units::{Address, Coins, Hash, hash};

/// Whether it is this one's turn to make the next block, of this height, in this round.
pub fn is_turn(store: &Store, height: u64, round: u32, consensus: &Address) -> bool {
    proposer(&sets(store).next, height, round) == Some(*consensus)
}

/// Whether this one is among those who decide the next block.
pub fn is_validator(store: &Store, consensus: &Address) -> bool {
    sets(store).next.iter().any(|(address, _)| address == consensus)
}

/// Who decides the next block (while a block is executed, that block), with their power: their stake when they were
/// chosen. In the order of their keys.
pub fn validators(store: &Store) -> Vec<(Address, Coins)> {
    sets(store).next.clone()
}

/// The hash of the validators who decide the block after the next, which the header of the next must name.
pub fn validators_hash(store: &Store) -> Hash {
    set_hash(&sets(store).after_next)
}

/// Who proposes in this round of this height: drawn by power, and nobody twice before all others have been.
///
/// Anybody can work it out long before. That is no harm: a proposer can leave out transactions, but never for longer than
/// its turn.
pub fn proposer(validators: &[(Address, Coins)], height: u64, round: u32) -> Option<Address> {
    let count = u32::try_from(validators.len()).ok().filter(|count| *count > 0)?;
    let mut left: Vec<&(Address, Coins)> = validators.iter().collect();
    let mut drawn = None;
    for round in 0..=round % count {
        let all: u64 = left.iter().map(|(_, power)| power.0.max(1)).sum();
        let [a, b, c, d, e, f, g, h, ..] =
            hash("fairdeal/chain/proposer/v1", &[&height.to_le_bytes(), &round.to_le_bytes()]);
        let mut at = u64::from_le_bytes([a, b, c, d, e, f, g, h]) % all.max(1);
        let place = left.iter().position(|(_, power)| {
            let here = at < power.0.max(1);
            at = at.saturating_sub(power.0.max(1));
            here
        });
        drawn = Some(left.remove(place?).0);
    }
    drawn
}

/// The first round of this height in which it is this one's turn; `None` if it is not a validator.
pub fn round_of(validators: &[(Address, Coins)], height: u64, consensus: &Address) -> Option<u32> {
    let count = u32::try_from(validators.len()).ok()?;
    (0..count).find(|round| proposer(validators, height, *round) == Some(*consensus))
}

/// Who can be drawn into a committee, with their stake: validators that are not leaving and not jailed for a fault. In
/// the order of their keys.
pub fn candidates(store: &Store) -> Vec<(Address, Coins)> {
    let chosen = choose(store, |validator| matches!(validator.standing, Standing::Free | Standing::Silenced { .. }));
    if chosen.is_empty() { validators(store) } else { chosen }
}

/// Whose stake counts in a vote of governance: all who have some and have not been removed. In the order of their keys.
pub fn voters(store: &Store) -> impl Iterator<Item = (Address, &Validator)> {
    let all = store.all::<ValidatorOf>().map(|(ValidatorOf(consensus), validator)| (consensus, validator));
    all.filter(|(_, validator)| validator.standing != Standing::Removed && validator.stake > Coins::ZERO)
}

/// What this validator has staked and can lose as long as it has a seat: also what it is taking out, if that waits for
/// the end of an epoch.
pub fn stake(store: &Store, consensus: &Address) -> Coins {
    let bonded = store.get(&ValidatorOf(*consensus)).map_or(Coins::ZERO, |validator| validator.stake);
    let waiting = unbonding(store, consensus).filter(|(key, _)| key.0 == UnbondingOf::WAITING);
    bonded + waiting.map(|(_, coins)| coins).sum()
}

/// Who is paid for what this validator does: its operator, or itself if it is none.
pub fn payee(store: &Store, consensus: &Address) -> Address {
    store.get(&ValidatorOf(*consensus)).map_or(*consensus, |validator| validator.operator)
}

/// Whether validators with more than a third of the stake have made blocks after this height. Before that, a duty that
/// began there may have been kept out of blocks, and nobody is late.
pub fn heard_since(store: &Store, height: u64) -> bool {
    let set = &sets(store).next;
    let proposed = |consensus: &Address| store.get(&ValidatorOf(*consensus)).map_or(0, |validator| validator.proposed);
    let all: Coins = set.iter().map(|(_, power)| *power).sum();
    let heard: Coins = set.iter().filter(|(consensus, _)| proposed(consensus) > height).map(|(_, power)| *power).sum();
    u128::from(heard.0) * 3 > u128::from(all.0)
}

/// What a validator is taking out.
pub(super) fn unbonding(store: &Store, consensus: &Address) -> impl Iterator<Item = (UnbondingOf, Coins)> {
    let all = store.all::<UnbondingOf>().filter(move |(key, _)| key.1 == *consensus);
    all.map(|(key, unbonding)| (key, unbonding.coins))
}

/// Whether somebody else could decide blocks without this one.
pub(super) fn others_are_left(store: &Store, consensus: &Address) -> bool {
    choose(store, is_free).iter().any(|(other, _)| other != consensus)
}

/// Ends a block: the sets move on by one block. Returns the new one if it is another. If nobody can be a validator,
/// those who are remain.
pub(super) fn advance(store: &mut Store) -> Option<Vec<(Address, Coins)>> {
    let before = sets(store).clone();
    let mut chosen = choose(store, is_free);
    if chosen.is_empty() {
        chosen.clone_from(&before.after_next);
    }
    let changed = (chosen != before.after_next).then(|| chosen.clone());
    let after = Sets { next: before.after_next.clone(), after_next: chosen };
    // Most blocks change nothing, and then nothing has to be hashed.
    if after != before {
        store.put(&SetsKey(), after);
    }
    changed
}

fn is_free(validator: &Validator) -> bool {
    validator.standing == Standing::Free
}

/// Those with the most stake, at least the least and as many as there may be; of equals, those with the lower key.
fn choose(store: &Store, may: impl Fn(&Validator) -> bool) -> Vec<(Address, Coins)> {
    let Params { least_stake, most_validators, .. } = crate::params::Params::of(store).staking;
    let mut chosen: Vec<(Address, Coins)> = store
        .all::<ValidatorOf>()
        .filter(|(_, validator)| validator.stake >= least_stake && may(validator))
        .map(|(ValidatorOf(consensus), validator)| (consensus, validator.stake))
        .collect();
    chosen.sort_by_key(|(consensus, stake)| (Reverse(*stake), *consensus));
    chosen.truncate(most_validators.into());
    chosen.sort();
    chosen
}

fn sets(store: &Store) -> &Sets {
    store.get(&SetsKey()).expect("the genesis sets the validators")
}

/// The hash of validators, as headers name those of the next block.
pub fn set_hash(set: &[(Address, Coins)]) -> Hash {
    hash("fairdeal/chain/validators/v1", &[&borsh::to_vec(set).expect("plain data can be written to memory")])
}
