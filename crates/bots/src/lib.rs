//! Computer players: from what a seat sees and can do to what it does.
//!
//! - `random`: any legal move.
//! - `simple`: a few rules of thumb, so that matches end as people's would. One file per game.
//!
//! A bot is given the seat's own view and moves, never the table: it cannot see what its seat cannot.

mod bigc;
mod blackjack;
mod blackout;
mod holdem;
mod ongdu;
mod romme;

use table::{Draw, Known, Move, Moves as _, Rules, Seat, Table, Value};

table::words! {
    /// How a computer plays.
    pub enum Kind {
        /// Any legal move.
        Random = "random",
        /// A few rules of thumb.
        Simple = "simple",
    }
}

/// What a bot decides: a move, or nothing, which leaves it to the game's default.
pub type Decision<R> = Option<Move<<R as Rules>::Action, <R as Rules>::Choice>>;

/// A game that computers can play by rules of thumb.
pub trait Simple: Rules {
    /// What a beginner who knows the rules would do.
    fn simple(seat: Seat, view: &Self::View, moves: &Self::Moves, draw: &mut impl Draw) -> Decision<Self>;
}

impl Kind {
    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        <Self as Value>::parse(name)
    }

    /// What a computer of this kind does in this seat, which knows these faces.
    #[inline]
    pub fn decide<R: Simple>(
        self,
        table: &Table<R>,
        seat: Seat,
        known: Known<'_>,
        draw: &mut impl Draw,
    ) -> Decision<R> {
        let moves = table.rules().moves(known, seat);
        match self {
            Self::Random => moves.pick(draw),
            Self::Simple => {
                let view = table.rules().view(known, table::Eye::Seat(seat));
                R::simple(seat, &view, &moves, draw)
            }
        }
    }
}
