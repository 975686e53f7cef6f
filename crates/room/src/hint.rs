//! Who may ask what a strong player would do, and who has asked.
//!
//! The table's terms say who may ask; and a hint is given only once the log says so, where the others can read it.

use table::{Height, Seat};

use super::event::Hints;
use super::play::{Input, Play as _};
use super::playing::Playing;
use super::refusal::Refusal;
use super::seen::Seen;
use super::{Kept, Room};
use crate::ids::Millis;

/// The hints that a seat was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Given {
    count: u32,
    last: Option<Height>,
}

impl Room {
    /// Whether the players here may ask for hints.
    pub fn allows_hints(&self) -> bool {
        let people = self.chairs().filter(|(_, chair)| chair.player().is_some()).count();
        match self.terms.hints {
            Hints::Alone => people <= 1,
            Hints::On => true,
            Hints::Off => false,
        }
    }

    /// The number of hints a seat was given in this match.
    pub fn hints(&self, seat: Seat) -> u32 {
        self.given(seat).count
    }

    /// Whether a seat has already been given a hint at this height. Then the others know.
    pub fn was_hinted(&self, seat: Seat, height: Height) -> bool {
        self.given(seat).last == Some(height)
    }

    fn given(&self, seat: Seat) -> Given {
        self.hints.get(usize::from(seat.index())).copied().unwrap_or_default()
    }

    pub(super) fn note_hint(&mut self, seat: Seat, height: Height, at: Millis) -> Result<(), Refusal> {
        if !self.allows_hints() {
            return Err(Refusal::NoHints);
        }
        self.chair(seat).filter(|chair| chair.player().is_some()).ok_or(Refusal::NotSeated)?;
        if self.was_hinted(seat, height) {
            return Err(Refusal::HintedAlready);
        }
        self.running()?.take(&Input::Hint(seat, height), at)?;
        if let Some(given) = self.hints.get_mut(usize::from(seat.index())) {
            *given = Given { count: given.count.saturating_add(1), last: Some(height) };
        }
        Ok(())
    }
}

impl<G: Kept> Playing<G> {
    /// A seat gets a hint, and the others are told that it did.
    pub(super) fn hinted(&mut self, seat: Seat, height: Height) -> Result<(), Refusal> {
        self.at_height(height)?;
        if !self.asks(seat) {
            return Err(Refusal::NotAsked);
        }
        self.see(|| Seen::Hinted(seat));
        Ok(())
    }
}
