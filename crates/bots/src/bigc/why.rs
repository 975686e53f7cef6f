//! Reasons for a move in Big-C.

use core::fmt;

use games::bigc::{Class, Footstool};

use super::hard::{Thought, Tried};

/// A reason for a piece of advice.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// The last cards are played.
    GoesOut {
        /// How many they are.
        cards: u8,
    },
    /// It is a footstool: the owner of the hand on the table draws cards.
    Footstool {
        /// How many cards.
        draws: u8,
    },
    /// Nobody else has this many cards.
    Unanswerable {
        /// How many cards.
        cards: u8,
    },
    /// No higher single is out.
    Highest,
    /// An opponent is about to go out.
    Short {
        /// How many cards they have left.
        cards: u8,
    },
    /// The rest can be played in this many hands.
    Rest {
        /// How many.
        hands: usize,
    },
    /// A playable hand is kept for later.
    Keeps(Class),
    /// Nothing fits.
    Nothing,
    /// Passing costs cards.
    PassDraws {
        /// How many.
        cards: u8,
    },
    /// How often it won.
    Wins {
        /// In how many of 100 deals.
        percent: u8,
    },
    /// How often the next best won.
    Instead {
        /// In how many of 100 deals.
        percent: u8,
    },
    /// Only jokers are left.
    OnlyJokers,
    /// The lowest card shown plays first.
    First,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoesOut { cards: 1 } => f.write_str("this is your last card: you go out"),
            Self::GoesOut { .. } => f.write_str("these are your last cards: you go out"),
            Self::Footstool { draws: 1 } => {
                f.write_str("it is one step above the last hand, so its owner draws a card")
            }
            Self::Footstool { draws } => write!(f, "it equals the last hand, so its owner draws {draws} cards"),
            Self::Unanswerable { cards } => write!(f, "nobody else has {cards} cards left to answer with"),
            Self::Highest => f.write_str("no higher card is still out"),
            Self::Short { cards: 1 } => f.write_str("another player has only one card left"),
            Self::Short { cards } => write!(f, "another player has only {cards} cards left"),
            Self::Rest { hands: 1 } => f.write_str("the rest can then go out as one hand"),
            Self::Rest { hands } => write!(f, "the rest can then be played as {hands} hands"),
            Self::Keeps(class) => write!(f, "the {class} you could play is worth more later"),
            Self::Nothing => f.write_str("you have nothing that beats it"),
            Self::PassDraws { cards: 1 } => f.write_str("passing would cost you a card"),
            Self::PassDraws { cards } => write!(f, "passing would cost you {cards} cards"),
            Self::Wins { percent } => write!(f, "it won {percent} % of simulated deals"),
            Self::Instead { percent } => write!(f, "the next best move won {percent} %"),
            Self::OnlyJokers => f.write_str("jokers cannot be played on their own"),
            Self::First => f.write_str("the lowest card plays first, and the first player gets rid of more cards"),
        }
    }
}

/// The reasons for the best move tried, the most important first.
pub(super) fn reasons(thought: &Thought) -> Vec<Why> {
    let mut all = thought.tried.iter();
    let Some(best) = all.next() else { return vec![Why::OnlyJokers] };
    let next = all.next();
    let mut why = match &best.candidate {
        Some(_) => played(thought, best),
        None => passed(thought),
    };
    if !matches!(why.first(), Some(Why::GoesOut { .. })) && next.is_some_and(|next| percent(next) < percent(best)) {
        why.truncate(2);
        why.push(Why::Wins { percent: percent(best) });
        if why.len() < 3 {
            why.extend(next.map(|next| Why::Instead { percent: percent(next) }));
        }
    }
    why.truncate(3);
    why
}

fn played(thought: &Thought, best: &Tried) -> Vec<Why> {
    let Some(candidate) = &best.candidate else { return Vec::new() };
    let (memory, playable) = (&thought.memory, &candidate.playable);
    let cards = playable.cards.len();
    if u16::from(cards) == memory.hand.len() {
        return vec![Why::GoesOut { cards }];
    }
    let mut why = Vec::new();
    if playable.footstool != Footstool::None {
        why.push(Why::Footstool { draws: playable.footstool.penalty() });
    }
    if memory.most() < cards {
        why.push(Why::Unanswerable { cards });
    } else if playable.hand.class() == Class::Single && memory.out.iter().all(|place| *place <= playable.hand.high()) {
        why.push(Why::Highest);
    }
    if memory.least() <= 2 {
        why.push(Why::Short { cards: memory.least() });
    }
    if thought.answers && memory.terms.pass_draws > 0 {
        why.push(Why::PassDraws { cards: memory.terms.pass_draws });
    }
    if best.plan.jokers == 0 {
        why.push(Why::Rest { hands: best.plan.groups.len() });
    }
    why
}

fn passed(thought: &Thought) -> Vec<Why> {
    let other = thought.tried.iter().find_map(|tried| tried.candidate.as_ref());
    vec![other.map_or(Why::Nothing, |other| Why::Keeps(other.playable.hand.class()))]
}

fn percent(tried: &Tried) -> u8 {
    (tried.wins * 100.0).round() as u8
}
