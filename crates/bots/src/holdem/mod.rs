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

use games::holdem::Holdem;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};

impl Computer for Holdem {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight, draw).map(Move::Act)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let outlook = hard::weigh(sight, draw)?;
        outlook.moves.first().map(|tried| Move::Act(tried.action))
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
