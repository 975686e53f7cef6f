//! Computers that play Hold'em.

mod chance;
mod combos;
mod habits;
mod hard;
mod normal;
mod preflop;
mod reading;
mod simple;
mod strength;
mod trial;
mod why;

use games::holdem::Holdem;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};
pub use why::Why;

impl Computer for Holdem {
    type Why = Why;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight, draw).map(Move::Act)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        hard::decide(sight, draw).map(Move::Act)
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let outlook = hard::explain(sight, draw)?;
        Some(Advice { best: Move::Act(outlook.best), why: why::reasons(&outlook, &sight.view.board) })
    }
}
