//! Computers that play Blackout.

mod count;
mod guess;
mod hard;
mod memory;
mod normal;
mod round;
mod set;
mod simple;
mod thumb;

use games::blackout::Blackout;
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};

impl Computer for Blackout {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let thought = hard::think(sight, draw)?;
        thought.tried.first().map(|best| Move::Act(best.action))
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
