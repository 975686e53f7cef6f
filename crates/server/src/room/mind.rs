//! What a seat knows, taken from the table, so that its move can be computed elsewhere while the table continues.

use bots::{Course, Kind, Past};
use dealers::Dealer as _;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Faces, Known, Seat, Table};

use super::event::Event;
use super::playing::Playing;
use super::sight::event;
use crate::page::Page;

/// Computes a computer's move. Takes long.
pub type Pondering = Box<dyn FnOnce() -> Option<Event> + Send>;

/// Everything that a decision in one seat depends on.
pub(super) struct Mind<G: Page> {
    pub(super) seat: Seat,
    pub(super) table: Table<G::Rules>,
    own: Faces,
    pub(super) settings: G::Settings,
    pub(super) deal: u32,
    past: Vec<Past<G::Rules>>,
    draws: [u8; 32],
}

impl<G: Page> Mind<G> {
    pub(super) fn known(&self) -> Known<'_> {
        Known::with(self.table.open(), &self.own)
    }

    pub(super) fn course(&self) -> Course<'_, G> {
        Course { settings: &self.settings, deal: self.deal, past: &self.past }
    }

    pub(super) fn rng(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::from_seed(self.draws)
    }
}

impl<G: Page> Playing<G> {
    /// What this seat knows now; the random seed depends on the purpose.
    pub(super) fn mind(&self, seat: Seat, what: &[u8]) -> Mind<G> {
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

    /// The job of computing a computer's move in this seat.
    pub(super) fn ponder(&self, seat: Seat, kind: Kind) -> Pondering {
        let mind = self.mind(seat, b"computer");
        Box::new(move || {
            let decided = kind.decide(mind.course(), &mind.table, seat, mind.known(), &mut mind.rng());
            event(seat, mind.table.height(), &decided?, false)
        })
    }
}
