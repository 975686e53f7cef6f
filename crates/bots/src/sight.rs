//! What a computer may look at.

use core::fmt;

use table::{Game, Known, Rules, Seat};

/// What a seat sees on its turn. It contains only what a person in this seat could know.
pub struct Sight<'a, G: Game> {
    /// The seat.
    pub seat: Seat,
    /// What it sees.
    pub view: &'a <G::Rules as Rules>::View,
    /// What it can do.
    pub moves: &'a <G::Rules as Rules>::Moves,
    /// The faces it knows: open ones, including those of earlier tricks and piles, and its own.
    pub known: Known<'a>,
    /// The public state, for simulating what may come.
    pub rules: &'a G::Rules,
    /// The match and the deal so far.
    pub course: Course<'a, G>,
}

/// The match around a decision, and what has happened in this deal.
pub struct Course<'a, G: Game> {
    /// The settings of the match.
    pub settings: &'a G::Settings,
    /// The number of the deal in its match, from 1.
    pub deal: u32,
    /// What the seats did in this deal, in order.
    pub past: &'a [Past<G::Rules>],
}

/// Something a seat did that everybody saw.
pub enum Past<R: Rules> {
    /// It acted.
    Did(Seat, R::Action),
    /// It chose, together with others.
    Chose(Seat, R::Choice),
}

impl<G: Game> Clone for Course<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Course<'_, G> {}

impl<R: Rules> Clone for Past<R> {
    fn clone(&self) -> Self {
        match self {
            Self::Did(seat, action) => Self::Did(*seat, action.clone()),
            Self::Chose(seat, choice) => Self::Chose(*seat, choice.clone()),
        }
    }
}

impl<R: Rules> fmt::Debug for Past<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Did(seat, action) => write!(f, "{seat}: {action:?}"),
            Self::Chose(seat, choice) => write!(f, "{seat}: {choice:?}"),
        }
    }
}
