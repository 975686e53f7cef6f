//! What a seat knows, taken from the table, so that its move can be computed elsewhere while the table continues.

use bots::{Course, Past};
use dealers::Dealer as _;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Faces, Known, Seat, Table};

use super::Kept;
use super::event::Event;
use super::playing::Playing;

/// Computes a computer's move. Takes long.
pub type Pondering = Box<dyn FnOnce() -> Option<Event> + Send>;

/// Everything that a decision in one seat depends on.
pub(crate) struct Mind<G: Kept> {
    pub(crate) seat: Seat,
    pub(crate) table: Table<G::Rules>,
    own: Faces,
    pub(crate) settings: G::Settings,
    pub(crate) deal: u32,
    past: Vec<Past<G::Rules>>,
    draws: [u8; 32],
}

impl<G: Kept> Mind<G> {
    pub(crate) fn known(&self) -> Known<'_> {
        Known::with(self.table.open(), &self.own)
    }

    pub(crate) fn course(&self) -> Course<'_, G> {
        Course { settings: &self.settings, deal: self.deal, past: &self.past }
    }

    pub(crate) fn rng(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::from_seed(self.draws)
    }
}

impl<G: Kept> Playing<G> {
    /// What this seat knows now; the random seed depends on the purpose.
    pub(crate) fn mind(&self, seat: Seat, what: &[u8]) -> Mind<G> {
        Mind {
            seat,
            table: self.running.table().clone(),
            own: self.house.own(seat).clone(),
            settings: self.settings.clone(),
            deal: self.running.deals(),
            past: self.past.clone(),
            draws: self.draws(seat, what),
        }
    }
}
