//! Computers that play Big-C.

mod bag;
mod hard;
mod memory;
mod normal;
mod plan;
mod scale;
mod simple;
mod why;
mod world;

#[cfg(test)]
mod tests;

use games::bigc::{BigC, Moves};
use table::{Draw, Move};

pub use why::Why;

use crate::{Advice, Computer, Decision, Sight};

impl Computer for BigC {
    type Why = Why;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        normal::decide(sight)
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        match sight.moves {
            Moves::None => None,
            Moves::Show(cards) => Some(Move::Choose(normal::show(cards))),
            Moves::Lead(_) | Moves::Answer { .. } => {
                hard::think(sight, draw).map(|thought| Move::Act(thought.action()))
            }
        }
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        match sight.moves {
            Moves::None => None,
            Moves::Show(cards) => Some(Advice { best: Move::Choose(normal::show(cards)), why: vec![Why::First] }),
            Moves::Lead(_) | Moves::Answer { .. } => {
                let thought = hard::think(sight, draw)?;
                Some(Advice { best: Move::Act(thought.action()), why: why::reasons(&thought) })
            }
        }
    }
}
