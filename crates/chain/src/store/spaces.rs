//! All spaces of the state in one place, for those who read a state that they did not make.

use super::Key;
use crate::bank::{AccountOf, Burned};
use crate::dealer::{AheadOf, BeaconKey, CeremonyKey, CourseKey, DeckOf, EpochOf, KeysOf, MissedOf, RecordOf};
use crate::execute::TipKey;
use crate::governance::{NextProposal, PlanKey, ProposalOf, VoteOf};
use crate::params::ParamsKey;
use crate::staking::{SetsKey, UnbondingOf, ValidatorOf};
use crate::tables::{HandOf, RingOf, Tables};

/// A space of the state.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// The first byte of its keys.
    pub byte: u8,
    /// The name of its key.
    pub name: &'static str,
    /// Whether this is a key of the space, with a value that can be decoded.
    pub fits: fn(key: &[u8], value: &[u8]) -> bool,
}

macro_rules! spaces {
    ($($key:ident),* $(,)?) => {
        /// Every space that a state can have, in the order of their bytes.
        pub const SPACES: &[Space] = &[$(Space { byte: $key::SPACE, name: stringify!($key), fits: fits::<$key> }),*];
    };
}

spaces! {
    ParamsKey, TipKey,
    AccountOf, Burned,
    ValidatorOf, UnbondingOf, SetsKey,
    ProposalOf, VoteOf, NextProposal, PlanKey,
    RingOf,
    HandOf,
    Tables,
    CourseKey,
    BeaconKey,
    CeremonyKey,
    EpochOf,
    AheadOf,
    DeckOf,
    RecordOf,
    MissedOf,
    KeysOf,
}

fn fits<K: Key>(key: &[u8], value: &[u8]) -> bool {
    K::read(key).is_some() && borsh::from_slice::<K::Value>(value).is_ok()
}

/// Whether this is an entry that a state can have.
pub(super) fn is_entry(key: &[u8], value: &[u8]) -> bool {
    let space = key.first().and_then(|byte| SPACES.iter().find(|space| space.byte == *byte));
    space.is_some_and(|space| (space.fits)(key, value))
}
