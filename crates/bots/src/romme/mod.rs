//! Computers that play Rommé.

mod danger;
mod hard;
mod layout;
mod normal;
mod seen;
mod simple;
mod worth;

use games::romme::{Action, Moves, Romme};
use table::{Draw, Move};

use crate::{Advice, Computer, Decision, Sight, Simple};

impl Computer for Romme {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let own = sight.view.players.get(usize::from(sight.seat.index()));
        match sight.moves {
            Moves::Draw(drawing) => {
                let takes = normal::takes(drawing, sight.view, own.is_some_and(|own| own.opened)) && !draw.one_in(16);
                Some(Move::Act(if takes { Action::DrawDiscard } else { Action::DrawStock }))
            }
            Moves::None => None,
            Moves::Play(play) => hard::Thought::new(sight).normal(play).map(Move::Act),
        }
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        let thought = hard::Thought::new(sight);
        let action = match sight.moves {
            Moves::None => return None,
            Moves::Draw(drawing) if thought.takes(drawing) && !draw.one_in(40) => Action::DrawDiscard,
            Moves::Draw(_) => Action::DrawStock,
            Moves::Play(play) => thought.plays(play)?,
        };
        Some(Move::Act(action))
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
