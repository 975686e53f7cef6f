//! How a round of Blackjack Duel begins.

use serde::{Deserialize, Serialize};
use table::{BadSetting, Chips, PerSeat, Seat, Seats};

use super::{BlackjackPays, Shoe, Soft17};

/// How a round begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How many chairs.
    pub players: u8,
    /// The chips of each seat; a seat without is out.
    pub chips: PerSeat<Chips>,
    /// The seat that gets the first card and the first turn, or else the next one clockwise that plays.
    pub first: Seat,
    /// The smallest bet.
    pub min_bet: Chips,
    /// The largest bet.
    pub max_bet: Chips,
    /// Packs in the shoe.
    pub decks: u8,
    /// What the bank does on a soft 17.
    pub soft17: Soft17,
    /// The most hands a player can have after splitting.
    pub max_split_hands: u8,
    /// Any two cards of the same value can be split.
    #[serde(default)]
    pub split_by_value: bool,
    /// A hand that comes from a split can be doubled.
    pub double_after_split: bool,
    /// What a natural pays.
    pub blackjack_pays: BlackjackPays,
    /// The shoe of the rounds before; a new one where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shoe: Option<Shoe>,
    /// Seats that take no part, whatever their chips: they have left, or wait while others break a tie.
    #[serde(default)]
    pub out: Seats,
    /// The number of the first deck that this round makes.
    #[serde(default)]
    pub first_deck: u32,
}

impl Setup {
    /// The seats that play.
    #[inline]
    pub fn playing(&self) -> Seats {
        let rich = self.chips.seats().filter(|(_, chips)| **chips > Chips::ZERO);
        rich.map(|(seat, _)| seat).collect::<Seats>() - self.out
    }

    /// The bets a seat can make: within the limits, or else all it has.
    pub(super) fn bets(&self, seat: Seat) -> (Chips, Chips) {
        let chips = self.chips[seat];
        (self.min_bet.min(chips), self.max_bet.min(chips))
    }

    /// Checks every field.
    pub(super) fn check(&self) -> Result<(), BadSetting> {
        let n = self.players;
        let bad = |field, expected: String| Err(BadSetting::new(field, expected));
        if !(2..=4).contains(&n) {
            return bad("players", "from 2 to 4".to_owned());
        }
        if self.chips.players() != n || !self.chips.iter().all(|chips| (Chips::ZERO..=Chips::MOST).contains(chips)) {
            return bad("chips", format!("{n} numbers from 0 to {}", Chips::MOST));
        }
        if self.first.index() >= n {
            return bad("first", format!("a seat from 0 to {}", n - 1));
        }
        if !(Chips(1)..=Chips::MOST).contains(&self.max_bet) {
            return bad("max_bet", format!("from 1 to {}", Chips::MOST));
        }
        if !(Chips(1)..=self.max_bet).contains(&self.min_bet) {
            return bad("min_bet", format!("from 1 to {}, the largest bet", self.max_bet));
        }
        if !(1..=8).contains(&self.decks) {
            return bad("decks", "from 1 to 8".to_owned());
        }
        if !(2..=4).contains(&self.max_split_hands) {
            return bad("max_split_hands", "from 2 to 4".to_owned());
        }
        if !(self.out - Seats::first(n)).is_empty() {
            return bad("out", format!("seats from 0 to {}", n - 1));
        }
        if self.playing().is_empty() {
            return bad("chips", "more than 0 for a seat that is not out".to_owned());
        }
        crate::check_first_deck(self.first_deck)?;
        // Two cards for each player and the bank must be left.
        let most = 52 * u16::from(self.decks) - 2 * (u16::from(n) + 1);
        let usable = |shoe: Shoe| shoe.deck < self.first_deck && (1..=most).contains(&shoe.used);
        if !self.shoe.is_none_or(usable) {
            return bad("shoe", format!("a deck before {} with 1 to {most} cards used", self.first_deck));
        }
        Ok(())
    }
}
