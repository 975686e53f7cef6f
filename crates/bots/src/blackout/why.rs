//! Reasons for a move in Blackout.

use core::fmt;

use cards::Card;
use games::blackout::Action;

use super::hard::{Thought, Tried};
use super::set::{Place, Set, card, suit};

/// A reason for a piece of advice.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// The value of the hand, counted card by card.
    Worth {
        /// Tricks.
        tricks: f32,
    },
    /// How often this bid is made exactly.
    Comes {
        /// The bid.
        bid: u8,
        /// In how many of 100 deals.
        percent: u8,
    },
    /// How often the next best bid is.
    Other {
        /// That bid.
        bid: u8,
        /// In how many of 100 deals.
        percent: u8,
    },
    /// The hook rule forbids a bid.
    Forbidden {
        /// Which.
        bid: u8,
    },
    /// Nothing else may be played.
    Only,
    /// Tricks are missing.
    Needs {
        /// How many.
        tricks: u8,
        /// Cards left in the hand.
        cards: u8,
    },
    /// No trick is missing.
    HasAll,
    /// The bid can no longer be made.
    Lost,
    /// How often the bid is made with this card.
    Makes {
        /// In how many of 100 deals.
        percent: u8,
    },
    /// How often with the next best card.
    Instead {
        /// That card.
        card: Card,
        /// In how many of 100 deals.
        percent: u8,
    },
    /// No higher card of its suit is still out.
    Highest,
    /// It does not take this trick.
    Ducks,
    /// Nobody else can take this trick.
    Takes,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worth { tricks } => write!(f, "counted card by card, your hand is worth about {tricks:.1} tricks"),
            Self::Comes { bid, percent } => {
                write!(f, "a bid of {bid} worked in {percent} % of simulated rounds")
            }
            Self::Other { bid, percent } => write!(f, "a bid of {bid} worked in {percent} %"),
            Self::Forbidden { bid } => write!(f, "the hook rule forbids a bid of {bid}"),
            Self::Only => f.write_str("it is the only card you can play"),
            Self::Needs { tricks: 1, cards } => write!(f, "you need one more trick, with {cards} cards left"),
            Self::Needs { tricks, cards } => write!(f, "you need {tricks} more tricks, with {cards} cards left"),
            Self::HasAll => f.write_str("you have all the tricks you bid, so take no more"),
            Self::Lost => f.write_str("your bid is lost, so spoil the others' bids"),
            Self::Makes { percent } => {
                write!(f, "you made your bid with it in {percent} % of simulated rounds")
            }
            Self::Instead { card, percent } => write!(f, "with {card} you made it in {percent} %"),
            Self::Highest => f.write_str("no higher card of its suit is still out"),
            Self::Ducks => f.write_str("it does not take this trick"),
            Self::Takes => f.write_str("it takes this trick for certain"),
        }
    }
}

/// The reasons for the best move tried, the most important first.
pub(super) fn reasons(thought: &Thought) -> Vec<Why> {
    let mut all = thought.tried.iter();
    let Some(best) = all.next() else { return Vec::new() };
    let next = all.next();
    match best.action {
        Action::Bid(bid) => bid_reasons(thought, best, bid, next),
        Action::Play(_) => best.place.map(|place| play_reasons(thought, best, place, next)).unwrap_or_default(),
    }
}

fn bid_reasons(thought: &Thought, best: &Tried, bid: u8, next: Option<&Tried>) -> Vec<Why> {
    let memory = &thought.memory;
    let tricks = thought.count.tricks(memory.round.hands[memory.me], memory.me == memory.leader);
    let mut why = Vec::new();
    if next.is_some() {
        why.push(Why::Comes { bid, percent: percent(best.exact) });
    }
    if let Some((Action::Bid(bid), exact)) = next.map(|next| (next.action, next.exact)) {
        why.push(Why::Other { bid, percent: percent(exact) });
    }
    why.push(match thought.forbidden {
        // Worth saying only if it may have mattered.
        Some(forbidden) if (f32::from(forbidden) - tricks).abs() < 1.0 => Why::Forbidden { bid: forbidden },
        _ => Why::Worth { tricks },
    });
    why
}

fn play_reasons(thought: &Thought, best: &Tried, place: Place, next: Option<&Tried>) -> Vec<Why> {
    let memory = &thought.memory;
    let round = &memory.round;
    let hand = round.hands[memory.me];
    if round.legal().len() == 1 {
        return vec![Why::Only];
    }
    let (need, left) = (round.need(memory.me), hand.len());
    let lost = need < 0 || i64::from(need) > i64::from(left);
    let mut why = vec![match u8::try_from(need) {
        Ok(0) => Why::HasAll,
        Ok(tricks) if !lost => Why::Needs { tricks, cards: left as u8 },
        Ok(_) | Err(_) => Why::Lost,
    }];
    let out = Set::PACK.without(round.seen).without(hand);
    if round.laid > 0 && !round.beats(place) {
        why.push(Why::Ducks);
    } else if round.laid > 0 && round.after_me() == 0 {
        why.push(Why::Takes);
    } else if out.and(Set::above(place)).is_empty() && (round.laid == 0 || suit(place) == suit(round.best)) {
        why.push(Why::Highest);
    }
    if let Some(next) = next.filter(|next| !lost && percent(next.exact) < percent(best.exact)) {
        why.push(Why::Makes { percent: percent(best.exact) });
        if why.len() < 3 {
            let other = next.place.and_then(card);
            why.extend(other.map(|card| Why::Instead { card, percent: percent(next.exact) }));
        }
    }
    why
}

fn percent(share: f32) -> u8 {
    (share * 100.0).round() as u8
}
