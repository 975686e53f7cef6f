//! When the house publishes its seeds, and why a seat is left out.

use serde::{Deserialize, Serialize};
use table::Game;

/// When the house publishes its seeds, as a table setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RevealSeed {
    /// As soon as a deck is used up, if that opens nothing that the rules keep closed; otherwise never.
    #[default]
    Auto,
    /// As soon as a deck is used up, which also opens cards that the rules keep closed.
    AfterDeal,
    /// When the match is over, which also opens cards that the rules keep closed.
    AfterMatch,
}

impl RevealSeed {
    /// What this means in a game.
    pub const fn in_game<G: Game>(self) -> Publish {
        match self {
            Self::Auto if G::KEEPS_CLOSED => Publish::Never,
            Self::Auto | Self::AfterDeal => Publish::AfterDeal,
            Self::AfterMatch => Publish::AfterMatch,
        }
    }
}

/// When the house publishes its seeds. It commits to this together with each seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Publish {
    /// Never: only cards that become public are opened, one by one.
    Never,
    /// After the last deal in which the deck can be used.
    AfterDeal,
    /// When the session is over.
    AfterMatch,
}

impl Publish {
    const ALL: [Self; 3] = [Self::Never, Self::AfterDeal, Self::AfterMatch];

    pub(super) fn code(self) -> u8 {
        match self {
            Self::Never => 0,
            Self::AfterDeal => 1,
            Self::AfterMatch => 2,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|publish| publish.code() == code)
    }
}

/// Why a seat's seed is not used for a deck, according to the house.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// It was asked and sent no commitment in time.
    NoCommitment,
    /// It committed and did not reveal in time.
    NoSeed,
    /// Its seed did not match its commitment.
    Mismatch,
    /// The house's own computer plays it, and its seed would add nothing to that of the house.
    Computer,
    /// It did not answer for an earlier deck and has not been heard from since, so it was not asked.
    Silent,
    /// It said that it sends no seeds.
    Declined,
    /// Its player has left the table.
    Gone,
}

impl LeftOut {
    pub(super) const ALL: [Self; 7] =
        [Self::NoCommitment, Self::NoSeed, Self::Mismatch, Self::Computer, Self::Silent, Self::Declined, Self::Gone];

    pub(super) fn code(self) -> u8 {
        match self {
            Self::NoCommitment => 0,
            Self::NoSeed => 1,
            Self::Mismatch => 2,
            Self::Computer => 3,
            Self::Silent => 4,
            Self::Declined => 5,
            Self::Gone => 6,
        }
    }

    pub(super) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.code() == code)
    }

    /// Can a seat that has committed, or has not, be left out for this?
    pub(super) const fn fits(self, committed: bool) -> bool {
        match self {
            Self::NoCommitment | Self::Silent | Self::Declined => !committed,
            Self::NoSeed | Self::Mismatch => committed,
            Self::Computer | Self::Gone => true,
        }
    }
}
