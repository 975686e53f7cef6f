//! Computers that play Blackjack Duel.

mod bet;
mod expect;
mod hard;
mod normal;
mod odds;
mod rounds;
mod simple;

use games::blackjack::{Action, Bet, Blackjack, Moves};
use table::{Chips, Draw, Move};

use crate::{Advice, Computer, Decision, Sight};

/// How a hand of Blackjack Duel is played best if nothing but its chips counts: as `hard` plays it before the last
/// round. `None` if the seat is not to play a hand.
pub fn for_chips(sight: &Sight<'_, Blackjack>) -> Option<Action> {
    match sight.moves {
        Moves::None | Moves::Bet { .. } => None,
        Moves::Turn(can) if can.bust => Some(Action::Bust),
        Moves::Turn(can) => hard::in_chips(sight, can)?.ways.first().map(|(action, _)| *action),
    }
}

impl Computer for Blackjack {
    type Why = &'static str;

    fn normal(sight: &Sight<'_, Self>, _: &mut impl Draw) -> Decision<Self::Rules> {
        match *sight.moves {
            Moves::None => None,
            Moves::Bet { least, most } => {
                let setup = sight.rules.setup();
                let others = setup.playing().iter().filter(|seat| *seat != sight.seat).map(|seat| setup.chips[seat]);
                let others = others.max().unwrap_or(Chips::ZERO);
                let last = i64::from(sight.course.deal) >= sight.course.settings.rounds;
                Some(Move::Choose(Bet(normal::bet(setup.chips[sight.seat], others, last, least, most))))
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
        let best: Move<_, _> = Self::hard(sight, draw)?;
        Some(Advice { best, why: Vec::new() })
    }
}
