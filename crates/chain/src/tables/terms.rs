//! What a table is created with.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use super::SEATS;
use crate::units::Coins;

/// The most bytes of a label.
const LONGEST_LABEL: usize = 64;
/// How long a player may have for an action, in seconds.
const ACTION_SECS: core::ops::RangeInclusive<u32> = 5..=600;
/// How long the dealer may have for a step, in seconds.
const DEALER_SECS: core::ops::RangeInclusive<u32> = 10..=1_800;

/// What a table is created with. It never changes.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// What people call it.
    pub label: String,
    /// How many can sit down; must be 9.
    pub max_players: u8,
    /// The small blind.
    pub small_blind: Coins,
    /// The big blind.
    pub big_blind: Coins,
    /// The smallest stack after buying chips.
    pub min_buy_in: Coins,
    /// The largest stack after buying chips.
    pub max_buy_in: Coins,
    /// What everybody deposits besides their chips, and loses a part of for every time-out.
    pub player_bond: Coins,
    /// How long a player has for an action, in seconds of the game clock.
    pub action_timeout_secs: u32,
    /// How long the dealer has for a step, in seconds of the game clock.
    pub dealer_timeout_secs: u32,
    /// What is taken from the pots, in ten-thousandths.
    pub rake_bps: u16,
}

impl Terms {
    /// A table for nine with small blinds and no rake.
    pub fn small(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            max_players: 9,
            small_blind: Coins(10),
            big_blind: Coins(20),
            min_buy_in: Coins(800),
            max_buy_in: Coins(2_000),
            player_bond: Coins(100_000),
            action_timeout_secs: 20,
            dealer_timeout_secs: 60,
            rake_bps: 0,
        }
    }
}

/// What is wrong with the terms of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadTerms {
    /// The label is too long.
    Label,
    /// Another number of seats.
    MaxPlayers,
    /// The small blind.
    SmallBlind,
    /// The big blind.
    BigBlind,
    /// The smallest buy-in.
    MinBuyIn,
    /// The largest buy-in.
    MaxBuyIn,
    /// The bond.
    PlayerBond,
    /// The time for an action.
    ActionTimeout,
    /// The time for the dealer.
    DealerTimeout,
    /// The rake.
    Rake {
        /// The most that governance allows.
        most: u16,
    },
}

impl fmt::Display for BadTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label => write!(f, "the label may have at most {LONGEST_LABEL} bytes"),
            Self::MaxPlayers => write!(f, "a table must have {SEATS} seats"),
            Self::SmallBlind => f.write_str("the small blind must be at least 1 and at most the big blind"),
            Self::BigBlind => f.write_str("the big blind may be at most the smallest buy-in"),
            Self::MinBuyIn => f.write_str("the smallest buy-in may be at most the largest"),
            Self::MaxBuyIn => write!(f, "the largest buy-in may be at most {}", Coins::MOST),
            Self::PlayerBond => write!(f, "the bond must be from one big blind to {}", Coins::MOST),
            Self::ActionTimeout => seconds(f, "an action", ACTION_SECS),
            Self::DealerTimeout => seconds(f, "the dealer", DEALER_SECS),
            Self::Rake { most } => write!(f, "the rake may be at most {most} ten-thousandths"),
        }
    }
}

fn seconds(f: &mut fmt::Formatter<'_>, of: &str, range: core::ops::RangeInclusive<u32>) -> fmt::Result {
    write!(f, "the time for {of} must be from {} to {} seconds", range.start(), range.end())
}

impl core::error::Error for BadTerms {}

impl Terms {
    /// Checks the terms of a new table.
    pub fn check(&self, most_rake_bps: u16) -> Result<(), BadTerms> {
        let rules = [
            (self.label.len() <= LONGEST_LABEL, BadTerms::Label),
            (self.max_players == SEATS, BadTerms::MaxPlayers),
            (self.small_blind > Coins::ZERO && self.small_blind <= self.big_blind, BadTerms::SmallBlind),
            (self.big_blind <= self.min_buy_in, BadTerms::BigBlind),
            (self.min_buy_in <= self.max_buy_in, BadTerms::MinBuyIn),
            (self.max_buy_in <= Coins::MOST, BadTerms::MaxBuyIn),
            // Without a bond a time-out would cost nothing, and the first one would end in an ejection.
            ((self.big_blind..=Coins::MOST).contains(&self.player_bond), BadTerms::PlayerBond),
            (ACTION_SECS.contains(&self.action_timeout_secs), BadTerms::ActionTimeout),
            (DEALER_SECS.contains(&self.dealer_timeout_secs), BadTerms::DealerTimeout),
            (self.rake_bps <= most_rake_bps, BadTerms::Rake { most: most_rake_bps }),
        ];
        rules.into_iter().find(|(kept, _)| !kept).map_or(Ok(()), |(_, why)| Err(why))
    }

    /// How long a player has for an action, in milliseconds.
    pub fn action_timeout(&self) -> u64 {
        u64::from(self.action_timeout_secs) * 1_000
    }

    /// How long the dealer has for a step, in milliseconds.
    pub fn dealer_timeout(&self) -> u64 {
        u64::from(self.dealer_timeout_secs) * 1_000
    }
}
