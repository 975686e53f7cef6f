//! Reasons for a move in Hold'em.

use core::fmt;

use cards::{Card, Category, rank_cards};
use games::holdem::Action;
use table::Chips;

use super::hard::Outlook;

/// A reason for a move. Fractions are in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Before the flop: how many hands are better.
    Better {
        /// Of all hands.
        percent: u32,
    },
    /// The category of the hand.
    Have(Category),
    /// The board has it too: the hole cards add nothing.
    OnlyTheBoard(Category),
    /// How often the hand wins, against hands that fit what the others did.
    Wins {
        /// Ties count half.
        percent: u32,
    },
    /// What a call costs, and how often it must win.
    Price {
        /// The price of the call.
        cost: Chips,
        /// The pot to be won.
        pot: Chips,
        /// How often it must win.
        percent: u32,
    },
    /// Checking is free.
    Free,
    /// How often everybody folds to this bet.
    Folds {
        /// Of all times.
        percent: u32,
    },
    /// The stack is too short for anything but all-in or fold.
    Short {
        /// The stack, in big blinds.
        blinds: u32,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Better { percent: 0 } => f.write_str("no hand is better before the flop"),
            Self::Better { percent } => write!(f, "{percent} % of all hands are better before the flop"),
            Self::Have(category) => write!(f, "you have {}", Named(*category)),
            Self::OnlyTheBoard(category) => {
                write!(f, "you have {}, but it is on the board, so everybody has it", Named(*category))
            }
            Self::Wins { percent } => write!(f, "{percent} % to win against likely hands"),
            Self::Price { cost, pot, percent } => {
                write!(f, "calling {cost} into a pot of {pot} needs {percent} % to win")
            }
            Self::Free => f.write_str("checking is free"),
            Self::Folds { percent } => write!(f, "everybody folds about {percent} % of the time"),
            Self::Short { blinds } => write!(f, "{blinds} big blinds are too few to wait for a better chance"),
        }
    }
}

/// A hand as people say it: "a pair", "two pair".
struct Named(Category);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self.0 {
            Category::HighCard => return f.write_str("no pair"),
            Category::Pair | Category::Straight | Category::Flush | Category::FullHouse | Category::StraightFlush => {
                "a "
            }
            Category::TwoPair | Category::ThreeOfAKind | Category::FourOfAKind => "",
        };
        write!(f, "{article}{}", self.0)
    }
}

/// Up to three reasons for the best move of an outlook, the most important first.
pub(super) fn reasons(outlook: &Outlook, board: &[Card]) -> Vec<Why> {
    let percent = |part: f64| (part * 100.0).round() as u32;
    let spot = &outlook.spot;
    let hand = match made(&outlook.hole, board) {
        Some(hand) => hand,
        None => Why::Better { percent: percent(f64::from(outlook.better)) },
    };
    let wins = Why::Wins { percent: percent(outlook.chance) };
    let price = Why::Price { cost: spot.to_call, pot: spot.pot, percent: percent(f64::from(spot.price())) };
    match outlook.best {
        Action::Fold | Action::Call => vec![wins, price, hand],
        Action::Check => vec![hand, wins, Why::Free],
        Action::AllIn if board.is_empty() && spot.depth <= 10.0 => {
            vec![Why::Short { blinds: spot.depth.round() as u32 }, hand, Why::Folds { percent: percent(outlook.folds) }]
        }
        Action::AllIn if spot.range.is_none() => vec![wins, price, hand],
        Action::AllIn | Action::RaiseTo(_) => vec![hand, wins, Why::Folds { percent: percent(outlook.folds) }],
    }
}

/// The made hand from the flop on, and whether the hole cards are part of it.
fn made(hole: &[Card], board: &[Card]) -> Option<Why> {
    let all: Vec<Card> = hole.iter().chain(board).copied().collect();
    let category = rank_cards(&all).ok()?.category();
    let ranks = |cards: &[Card]| cards.iter().filter_map(|card| card.rank()).collect::<Vec<_>>();
    let (own, open) = (ranks(hole), ranks(board));
    let pocket = own.first().is_some_and(|first| own.iter().skip(1).any(|rank| rank == first));
    let takes_part = pocket || own.iter().any(|rank| open.contains(rank));
    let shared = match category {
        Category::HighCard => false,
        Category::Pair | Category::TwoPair | Category::ThreeOfAKind | Category::FourOfAKind => !takes_part,
        // Only five open cards can be one of these.
        Category::Straight | Category::Flush | Category::FullHouse | Category::StraightFlush => {
            rank_cards(board).is_ok_and(|rank| rank.category() == category && rank_cards(&all) == Ok(rank))
        }
    };
    Some(if shared { Why::OnlyTheBoard(category) } else { Why::Have(category) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cards::parse_cards;

    #[test]
    fn a_hand_on_the_board_belongs_to_everybody() {
        let of = |hole: &str, board: &str| made(&parse_cards(hole).unwrap(), &parse_cards(board).unwrap());
        assert_eq!(of("As Kd", ""), None);
        assert_eq!(of("As Kd", "7c 7d 2h"), Some(Why::OnlyTheBoard(Category::Pair)));
        assert_eq!(of("As Kd", "7c Kh 2h"), Some(Why::Have(Category::Pair)));
        assert_eq!(of("9s 9d", "7c Kh 2h"), Some(Why::Have(Category::Pair)));
        assert_eq!(of("As Kd", "7c Qh 2h"), Some(Why::Have(Category::HighCard)));
        assert_eq!(of("2s 3d", "9h Th Jh Qh Kh"), Some(Why::OnlyTheBoard(Category::StraightFlush)));
        assert_eq!(of("2s Ah", "9h Th Jh Qh Kh"), Some(Why::Have(Category::StraightFlush)));
    }

    #[test]
    fn reasons_read_as_sentences() {
        let said = |why: Why| why.to_string();
        assert_eq!(said(Why::Have(Category::TwoPair)), "you have two pair");
        assert_eq!(said(Why::Have(Category::Straight)), "you have a straight");
        assert_eq!(said(Why::Wins { percent: 71 }), "71 % to win against likely hands");
        let price = Why::Price { cost: Chips(40), pot: Chips(120), percent: 25 };
        assert_eq!(said(price), "calling 40 into a pot of 120 needs 25 % to win");
    }
}
