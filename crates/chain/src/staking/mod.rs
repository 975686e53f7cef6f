//! Validators, their stake, and what they lose.
//!
//! An operator registers a consensus key with a stake. Those with the most stake are the *validators*, who decide
//! blocks; those who may be drawn into a committee that deals are *candidates*. A change of stake counts for the block
//! after the next, since the header of the next names who decides the one after it.
//!
//! # What a validator can lose
//!
//! Every offence costs a part of the stake, also of what is being unbonded, and may jail:
//!
//! - *silence* (when something was due from it, or when it was its turn to make a block) keeps a validator from proposing and voting, but takes no seat of a committee away;
//! - a *fault* also keeps it from being drawn into committees;
//! - signing twice, and too many faults, remove it for good.
//!
//! Silence may be the network's fault, so nobody is jailed for it once a third of the stake is jailed: they only pay.
//! The last validator is never jailed. Jail lasts longer for those who offend again.
//!
//! # Leaving
//!
//! Stake that is unbonded stays liable. Its delay begins when the last epoch that the validator has a seat in is over,
//! and outlasts the age that evidence may have.

mod data;
mod event;
mod evidence;
mod execute;
mod keys;
mod params;
mod penalty;
mod set;
#[cfg(test)]
mod tests;
mod turns;

pub use data::{Sets, Standing, Unbonding, Validator};
pub use event::Event;
pub use evidence::{Evidence, Kind, Vote, possession};
pub use execute::{Refused, Tx, begin, bind, end_block, execute, held, release};
pub use keys::{SetsKey, UnbondingOf, ValidatorOf};
pub use params::{Params, Penalties, Penalty, Split};
pub use penalty::{Offence, has_paid_lately, price, slash};
pub use set::{
    candidates, heard_since, is_turn, is_validator, payee, proposer, round_of, set_hash, stake, validators,
    validators_hash, voters,
};
pub use turns::begin_block;
