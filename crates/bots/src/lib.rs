//! Computer players: from what a seat sees and can do to the move it makes.
//!
//! - `random`: any legal move.
//! - `easy`, also called `simple`: a few rules of thumb, so that matches end as they would among people.
//! - `normal`: what an experienced player would do.
//! - `hard`: as well as a few milliseconds of computing allow, with the reasons ([`Computer::advice`]).
//!
//! Every game has a folder. A computer gets a [`Sight`]: public facts and its own cards, so it sees only what
//! its seat can see.

pub mod bigc;
pub mod blackjack;
pub mod blackout;
pub mod holdem;
pub mod ongdu;
pub mod protocol;
pub mod romme;
mod sight;
#[cfg(test)]
mod trial;

use core::fmt;

use table::{Draw, Game, Known, Move, Moves as _, Rules, Seat, Table, Value};

pub use sight::{Course, Past, Sight};

table::words! {
    /// How a computer plays.
    pub enum Kind {
        /// Any legal move.
        Random = "random",
        /// A few rules of thumb.
        Easy = "easy",
        /// Like an experienced player.
        Normal = "normal",
        /// As strongly as it can.
        Hard = "hard",
    }
}

/// What a bot decides: a move, or `None` for the game's default.
pub type Decision<R> = Option<Move<<R as Rules>::Action, <R as Rules>::Choice>>;

/// A game that computers can play by rules of thumb.
pub trait Simple: Rules {
    /// What a beginner who knows the rules would do.
    fn simple(seat: Seat, view: &Self::View, moves: &Self::Moves, draw: &mut impl Draw) -> Decision<Self>;
}

/// What a strong player would do, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice<G: Computer> {
    /// What.
    pub best: Move<<G::Rules as Rules>::Action, <G::Rules as Rules>::Choice>,
    /// Why, the most important first.
    pub why: Vec<G::Why>,
}

/// A game that computers can play well.
pub trait Computer: Game<Rules: Simple> {
    /// A reason for a piece of advice; shown in a sentence without a full stop: "you have two pair".
    type Why: Clone + PartialEq + fmt::Debug + fmt::Display;

    /// What an experienced player would do.
    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules>;

    /// As strongly as it can.
    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules>;

    /// What a strong player would do here, and why; `None` if it is not the seat's turn.
    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>>;
}

impl Kind {
    /// The kind with this name; `simple` is another name for `easy`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "simple" { Some(Self::Easy) } else { <Self as Value>::parse(name) }
    }

    /// What a computer of this kind does in this seat, knowing these faces.
    #[inline]
    pub fn decide<G: Computer>(
        self,
        course: Course<'_, G>,
        table: &Table<G::Rules>,
        seat: Seat,
        known: Known<'_>,
        draw: &mut impl Draw,
    ) -> Decision<G::Rules> {
        let moves = table.rules().moves(known, seat);
        if self == Self::Random {
            return moves.pick(draw);
        }
        let view = table.rules().view(known, table::Eye::Seat(seat));
        let sight = Sight { seat, view: &view, moves: &moves, known, rules: table.rules(), course };
        match self {
            Self::Random | Self::Easy => G::Rules::simple(seat, &view, &moves, draw),
            Self::Normal => G::normal(&sight, draw),
            Self::Hard => G::hard(&sight, draw),
        }
    }
}
