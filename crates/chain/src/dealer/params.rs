//! How a chain deals.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, in_range};
use crate::units::Coins;

/// How a chain deals.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// How many seats a committee has, from 4 to 64. More than two thirds of them are needed to open a card.
    pub members: u8,
    /// How many blocks an epoch deals before the next one is prepared.
    pub epoch_blocks: u64,
    /// How long a member may take for a step of a key generation or for the beacon, in milliseconds of the game clock.
    pub keys_timeout: u64,
    /// After so many blocks a member who should shuffle a deck that no hand uses yet loses its turn.
    pub shuffle_blocks: u64,
    /// How many decks a table has ahead at most.
    pub decks_ahead: u8,
    /// How many decks are shuffled at the same time at most, for all tables.
    pub decks_at_once: u16,
    /// What a table pays for a deck.
    pub deck_price: Coins,
    /// How many missed deadlines abort a hand.
    pub missed_deadlines: u8,
    /// How many records of hands a table keeps.
    pub records: u32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            members: 16,
            epoch_blocks: 3_600,
            keys_timeout: 30_000,
            shuffle_blocks: 10,
            decks_ahead: 2,
            decks_at_once: 32,
            deck_price: Coins::ZERO,
            missed_deadlines: 3,
            records: 1_000,
        }
    }
}

impl Params {
    /// How many members are needed to open a card: more than two thirds.
    pub fn threshold(&self) -> u8 {
        threshold(self.members)
    }

    /// Whether a chain can live with these. How many seats are needed follows from how many there are: at least three
    /// of four.
    pub fn check(&self) -> Result<(), OutOfRange> {
        in_range("members", self.members.into(), 4, 64)?;
        in_range("epoch_blocks", self.epoch_blocks, 10, 10_000_000)?;
        in_range("keys_timeout", self.keys_timeout, 2_000, 24 * 3_600_000)?;
        in_range("shuffle_blocks", self.shuffle_blocks, 1, 1_000)?;
        in_range("decks_ahead", self.decks_ahead.into(), 1, 10)?;
        in_range("decks_at_once", self.decks_at_once.into(), 1, 10_000)?;
        in_range("deck_price", self.deck_price.0, 0, Coins::MOST.0 / 1_000)?;
        in_range("missed_deadlines", self.missed_deadlines.into(), 1, 100)?;
        in_range("records", self.records.into(), 0, 1_000_000)
    }
}

/// How many of these members are needed to open a card: more than two thirds.
pub fn threshold(members: u8) -> u8 {
    u8::try_from(u16::from(members) * 2 / 3 + 1).unwrap_or(u8::MAX)
}
