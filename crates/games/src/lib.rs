//! The six rule sets.
//!
//! Each game is a folder with the same files:
//!
//! - `mod.rs`: the game as a whole, what its settings are and how a match begins.
//! - `action.rs`: what a seat can do, claim or choose, and why it may be refused.
//! - `state.rs`: one deal as a state machine ([`table::Rules`]).
//! - `score.rs`: which cards are better and what that is worth.
//! - `view.rs`: what each seat sees and can do.
//! - `series.rs`: a match.
//!
//! [`holdem::phh`] reads and writes published hands, [`holdem::pokerstars`] writes them as programs of players read them.
//!
//! [`desk`] is what terminals and pages have in common where somebody is asked.
//!
//! [`AnyGame`] names a game at run time; [`with_game!`] turns such a name back into a type.

mod lots;
mod registry;

pub mod bigc;
pub mod blackjack;
pub mod blackout;
pub mod desk;
pub mod holdem;
pub mod ongdu;
pub mod romme;

registry::games! {
    holdem::Holdem,
    blackjack::Blackjack,
    romme::Romme,
    bigc::BigC,
    ongdu::Ongdu,
    blackout::Blackout,
}

/// Checks the number of a deal's first deck: the numbers after it must not run out.
pub(crate) fn check_first_deck(first_deck: u32) -> Result<(), table::BadSetting> {
    const MOST: u32 = u32::MAX / 2;
    if first_deck <= MOST {
        return Ok(());
    }
    Err(table::BadSetting::new("first_deck", format!("from 0 to {MOST}")))
}

/// A card in somebody's hand: which it is, and its face as far as the looker knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Held {
    /// Which card.
    pub slot: table::Slot,
    /// Its face; absent where the looker has not seen it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<cards::Card>,
}
