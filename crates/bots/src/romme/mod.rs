//! Computers that play Rommé.
//!
//! `seen` knows which cards can still come and which fit on the table. `worth` says what cards cost until they are
//! laid, and `layout` finds the cheapest way to divide up a hand. `thought` adds what the others may do, `danger`
//! what they can do with a discard. `normal` and `hard` decide by these, and `why` gives the reasons.

mod danger;
mod hard;
mod layout;
mod normal;
mod seen;
mod shapes;
mod simple;
mod thought;
mod why;
mod worth;

#[cfg(test)]
mod tests;

use games::romme::{Action, Moves, Romme};
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight};
use hard::Decided;
use thought::Thought;

pub use why::Why;

/// One useful discard in this many is left, so that two players cannot pass each other the same cards forever.
const LEAVES: u32 = 40;

impl Computer for Romme {
    type Why = Why;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let thought = Thought::new(sight);
        let action = match sight.moves {
            Moves::None => return None,
            Moves::Draw(drawing) => thought.draws_plainly(drawing, draw),
            Moves::Play(play) => thought.plays_plainly(play)?,
        };
        Some(Move::Act(action))
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let (action, _) = decide(sight)?;
        let leaves = action == Action::DrawDiscard && draw.one_in(LEAVES);
        Some(Move::Act(if leaves { Action::DrawStock } else { action }))
    }

    fn advice(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Option<Advice<Self>> {
        let (action, why) = decide(sight)?;
        Some(Advice { best: Move::Act(action), why })
    }
}

/// What `hard` does, and why.
fn decide(sight: &Sight<'_, Romme>) -> Option<Decided> {
    let thought = Thought::new(sight);
    match sight.moves {
        Moves::None => None,
        Moves::Draw(drawing) => Some(thought.draws(drawing)),
        Moves::Play(play) => thought.plays(play),
    }
}
