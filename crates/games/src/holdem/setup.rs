//! How a hand of Hold'em begins.

use serde::{Deserialize, Serialize};
use table::{BadSetting, Chips, PerSeat, Seat, Seats};

/// How a hand begins. Nothing is checked before [`Deal`](super::Deal) is made of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Chairs at the table, empty ones included.
    pub players: u8,
    /// The stack of each; a seat with nothing is not in this hand.
    pub stacks: PerSeat<Chips>,
    /// Who has the button; drawn by lot among the stacks where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<Seat>,
    /// The small blind.
    pub small_blind: Chips,
    /// The big blind.
    pub big_blind: Chips,
    /// Who posts the blinds, where that does not follow from the button.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blind_seats: Option<BlindSeats>,
    /// Forced bets of the seats left of the big blind, in order; 0 for a seat without one.
    ///
    /// Left of the last and largest forced bet acts first. A negative amount is posted by a player who
    /// comes back to the table: a live bet of that size which does not change who acts first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub straddles: Vec<Chips>,
    /// Chips paid before the cards, besides the blinds.
    #[serde(default)]
    pub antes: Antes,
    /// The least bet, and the least first raise; the big blind where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_bet: Option<Chips>,
    /// When a player who has acted may raise again.
    #[serde(default)]
    pub reopen: Reopen,
    /// Live hands are shown as soon as nobody can bet any more, before the rest of the board.
    #[serde(default)]
    pub early_allin_reveal: bool,
    /// The number of the first deck.
    #[serde(default)]
    pub first_deck: u32,
}

/// Who posts the blinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlindSeats {
    /// The small one.
    pub small: Seat,
    /// The big one.
    pub big: Seat,
}

/// Chips paid before the cards, besides the blinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Antes {
    /// None.
    #[default]
    None,
    /// Each player pays this. It counts like a bet: who has less plays for as much of the others'.
    Each(Chips),
    /// The big blind pays this for everybody, after the blind. It belongs to the main pot, and can be won by all.
    BigBlind(Chips),
    /// As stated for each seat, before the blinds.
    Seats {
        /// By seat.
        amounts: PerSeat<Chips>,
        /// Whether they belong to the main pot in full, or count like bets.
        dead: bool,
    },
}

table::words! {
    /// When a player who has acted may raise again.
    #[derive(Default)]
    pub enum Reopen {
        /// Once the bet has grown by a full raise since, be it in several short all-ins.
        #[default]
        Tda = "tda",
        /// After every all-in above the bet.
        Any = "any",
    }
}

impl Setup {
    /// A hand with these stacks and blinds, everything else as usual.
    pub fn new(stacks: &[Chips], button: Option<Seat>, small_blind: Chips, big_blind: Chips) -> Self {
        let stacks = PerSeat::from_slice(stacks).unwrap_or_else(|| PerSeat::new(0));
        Self {
            players: stacks.players(),
            stacks,
            button,
            small_blind,
            big_blind,
            blind_seats: None,
            straddles: Vec::new(),
            antes: Antes::None,
            min_bet: None,
            reopen: Reopen::Tda,
            early_allin_reveal: true,
            first_deck: 0,
        }
    }

    /// The least bet: at least one chip.
    pub(super) fn least_bet(&self) -> Chips {
        self.min_bet.unwrap_or(self.big_blind).max(Chips(1))
    }

    pub(super) fn check(&self) -> Result<(), BadSetting> {
        let n = self.players;
        // A match has nine at most, but hands of ten have been published.
        if !(2..=10).contains(&n) {
            return Err(BadSetting::new("players", "from 2 to 10"));
        }
        if self.stacks.players() != n {
            return Err(BadSetting::new("stacks", format!("one for each of {n} seats")));
        }
        each_amount("stacks", &self.stacks)?;
        let funded: Seats = self.stacks.seats().filter(|(_, stack)| stack.0 > 0).map(|(seat, _)| seat).collect();
        if funded.len() < 2 {
            return Err(BadSetting::new("stacks", "above 0 for at least two seats"));
        }
        if self.button.is_some_and(|button| button.index() >= n) {
            return Err(BadSetting::new("button", format!("a seat from 0 to {}", n - 1)));
        }
        amount("big_blind", self.big_blind, Chips::ZERO, Chips::MOST)?;
        amount("small_blind", self.small_blind, Chips::ZERO, self.big_blind)?;
        if let Some(BlindSeats { small, big }) = self.blind_seats
            && (small == big || !funded.contains(small) || !funded.contains(big))
        {
            return Err(BadSetting::new("blind_seats", "two different seats with chips"));
        }
        if self.straddles.len() > usize::from(funded.len() - 2) {
            let most = funded.len() - 2;
            return Err(BadSetting::new("straddles", format!("at most {most}, one for each seat without a blind")));
        }
        self.straddles.iter().try_for_each(|s| amount("straddles", *s, -Chips::MOST, Chips::MOST))?;
        match &self.antes {
            Antes::None => {}
            Antes::Each(ante) | Antes::BigBlind(ante) => amount("antes", *ante, Chips::ZERO, Chips::MOST)?,
            Antes::Seats { amounts, .. } if amounts.players() != n => {
                return Err(BadSetting::new("antes", format!("one for each of {n} seats")));
            }
            Antes::Seats { amounts, .. } => each_amount("antes", amounts)?,
        }
        self.min_bet.map_or(Ok(()), |min_bet| amount("min_bet", min_bet, Chips(1), Chips::MOST))?;
        crate::check_first_deck(self.first_deck)
    }
}

fn amount(field: &'static str, got: Chips, least: Chips, most: Chips) -> Result<(), BadSetting> {
    if (least..=most).contains(&got) {
        return Ok(());
    }
    Err(BadSetting::new(field, format!("from {least} to {most}")))
}

fn each_amount(field: &'static str, of: &PerSeat<Chips>) -> Result<(), BadSetting> {
    of.iter().try_for_each(|got| amount(field, *got, Chips::ZERO, Chips::MOST))
}
