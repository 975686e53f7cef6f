//! The deal that ended last, which people look at before the next one.

use bots::Past;
use dealers::house::Opening;
use table::{Eye, Faces, Game, Known, Outcome, Seat, Standing, Table, TieBreak};

/// A deal that is over.
pub struct Ended<G: Game> {
    /// The table at its end.
    pub table: Table<G::Rules>,
    /// What each seat won or lost.
    pub outcome: Outcome,
    /// The score of the match after it.
    pub after: Standing,
    /// Why a seat ranks ahead of the next one, if the totals do not show it.
    pub ties: Vec<(Seat, TieBreak)>,
    /// Its number, from 1.
    pub deal: u32,
    /// The cards that each seat saw.
    pub(super) own: Vec<Faces>,
    /// The proofs of the cards, by seat; empty if nobody reads them.
    pub(super) openings: Vec<Vec<Opening>>,
    /// The moves of the seats in it.
    pub past: Vec<Past<G::Rules>>,
}

impl<G: Game> Ended<G> {
    /// What a viewer knows of it.
    pub fn known_to(&self, eye: Eye) -> Known<'_> {
        let own = match eye {
            Eye::Seat(seat) => self.own.get(usize::from(seat.index())),
            Eye::Public => None,
        };
        match own {
            Some(own) => Known::with(self.table.open(), own),
            None => Known::public(self.table.open()),
        }
    }
}
