//! How a deal of Big-C begins.

use cards::Pack;
use serde::{Deserialize, Serialize};
use table::{BadSetting, Seats};

use super::OrderBy;

/// How a deal begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many chairs there are.
    pub players: u8,
    /// Packs of 54 cards shuffled together.
    pub decks: u8,
    /// Cards each.
    pub hand_size: u8,
    /// How the order of play is decided.
    #[serde(default)]
    pub order: OrderBy,
    /// Cards a player draws for passing.
    #[serde(default)]
    pub pass_draws: u8,
    /// When a player plays their last cards, the next player may still answer.
    #[serde(default)]
    pub last_chance: bool,
    /// A triple with two jokers is below every other triple of its rank.
    #[serde(default)]
    pub two_joker_triple_low: bool,
    /// Seats whose players have left the match; they get no cards.
    #[serde(default)]
    pub gone: Seats,
    /// The number of the first deck.
    #[serde(default)]
    pub first_deck: u32,
}

impl Setup {
    pub(super) fn pack(&self) -> Pack {
        Pack::Cards { decks: self.decks, jokers: self.jokers() }
    }

    /// How many jokers there are in all.
    pub(super) fn jokers(&self) -> u8 {
        self.decks.saturating_mul(2)
    }

    pub(super) fn check(&self) -> Result<(), BadSetting> {
        let (n, all) = (self.players, Seats::first(self.players));
        if !(2..=12).contains(&n) {
            return Err(BadSetting::new("players", "from 2 to 12"));
        }
        if !(2..=6).contains(&self.decks) {
            return Err(BadSetting::new("decks", "from 2 to 6"));
        }
        // A quarter of the cards at least is left to be drawn.
        let most = self.pack().len() * 3 / 4 / u16::from(n);
        if !(5..=most.min(20)).contains(&u16::from(self.hand_size)) {
            let expected = format!("from 5 to {} with {n} players and {} decks", most.min(20), self.decks);
            return Err(BadSetting::new("hand_size", expected));
        }
        if self.pass_draws > 2 {
            return Err(BadSetting::new("pass_draws", "from 0 to 2"));
        }
        if !(self.gone - all).is_empty() || (all - self.gone).len() < 2 {
            return Err(BadSetting::new("gone", format!("seats from 0 to {}, at least two staying", n - 1)));
        }
        crate::check_first_deck(self.first_deck)
    }
}
