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
mod why;

#[cfg(test)]
mod tests;

use games::blackout::Blackout;
use table::{Draw, Move};

pub use why::Why;

use crate::{Advice, Computer, Decision, Sight};

impl Computer for Blackout {
    type Why = Why;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let thought = hard::think(sight, draw)?;
        thought.tried.first().map(|best| Move::Act(best.action))
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let thought = hard::think(sight, draw)?;
        let best = thought.tried.first()?.action;
        Some(Advice { best: Move::Act(best), why: why::reasons(&thought) })
    }
}
