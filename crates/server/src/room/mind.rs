//! What somebody in a seat knows, taken from the table: thought about elsewhere, while the table goes on.

use bots::{Course, Kind, Past};
use dealers::Dealer as _;
use rand::SeedableRng as _;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Faces, Known, Seat, Table};

use super::event::Event;
use super::playing::Playing;
use super::sight::event;
use crate::page::Page;

/// Thinks about a computer's move. It takes long.
pub type Pondering = Box<dyn FnOnce() -> Option<Event> + Send>;

/// Everything that a decision in one seat follows from.
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
    /// What somebody in this seat knows now; what they draw depends on what it is for.
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

    /// What a computer in this seat is to think about.
    pub(super) fn ponder(&self, seat: Seat, kind: Kind) -> Pondering {
        let mind = self.mind(seat, b"computer");
        Box::new(move || {
            let decided = kind.decide(mind.course(), &mind.table, seat, mind.known(), &mut mind.rng());
            event(seat, mind.table.height(), &decided?, false)
        })
    }
}
