//! Computers that play Blackjack Duel.
//!
//! `odds` has the chances of cards and of the bank, given the cards seen; from them `expect` computes the value of
//! every way to play a hand. `rounds` simulates whole rounds, and `bet` whole endings of a match. `hard` decides by
//! these, and `why` gives the reasons. `normal` plays by rules that experienced players know by heart.

mod bet;
mod expect;
mod hard;
mod normal;
mod odds;
mod rounds;
mod simple;
mod why;

#[cfg(test)]
mod tests;

use games::blackjack::{Action, Bet, Blackjack, Moves};
use table::{Chips, Draw, Move};

pub use why::Why;

use crate::{Advice, Computer, Decision, Sight};

/// The best way to play a hand of Blackjack Duel if only chips count, as `hard` plays it before the last round.
/// `None` if the seat has no hand to play.
pub fn for_chips(sight: &Sight<'_, Blackjack>) -> Option<Action> {
    match sight.moves {
        Moves::None | Moves::Bet { .. } => None,
        Moves::Turn(can) if can.bust => Some(Action::Bust),
        Moves::Turn(can) => hard::in_chips(sight, can)?.ways.first().map(|(action, _)| *action),
    }
}

impl Computer for Blackjack {
    type Why = Why;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        match *sight.moves {
            Moves::None => None,
            Moves::Bet { least, most } => {
                let setup = sight.rules.setup();
                let others = setup.playing().iter().filter(|seat| *seat != sight.seat).map(|seat| setup.chips[seat]);
                let others = others.max().unwrap_or(Chips::ZERO);
                let late = i64::from(sight.course.deal) + 1 >= sight.course.settings.rounds;
                Some(Move::Choose(Bet(normal::bet(setup.chips[sight.seat], others, late, least, most))))
            }
            Moves::Turn(can) => Some(Move::Act(normal::action(&can, sight.view))),
        }
    }

    fn hard(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Decision<Self::Rules> {
        match sight.moves {
            Moves::None => None,
            Moves::Bet { .. } => bet::bets(sight, draw).first().map(|tried| Move::Choose(Bet(tried.bet))),
            Moves::Turn(can) if can.bust => Some(Move::Act(Action::Bust)),
            Moves::Turn(can) => hard::weigh(sight, can, draw)?.ways.first().map(|(action, _)| Move::Act(*action)),
        }
    }

    fn advice(sight: &Sight<'_, Self>, draw: &mut impl Draw) -> Option<Advice<Self>> {
        match sight.moves {
            Moves::None => None,
            Moves::Bet { .. } => {
                let tried = bet::bets(sight, draw);
                let best = Move::Choose(Bet(tried.first()?.bet));
                Some(Advice { best, why: why::of_bet(sight, &tried) })
            }
            Moves::Turn(can) if can.bust => Some(Advice { best: Move::Act(Action::Bust), why: vec![Why::Only] }),
            Moves::Turn(can) => {
                let weighed = hard::weigh(sight, can, draw)?;
                Some(Advice { best: Move::Act(weighed.ways.first()?.0), why: why::of_hand(&weighed) })
            }
        }
    }
}
