//! What cards count, what a hand is paid, and who gained ground on whom.

use core::cmp::Ordering;

use cards::{Card, Rank};
use serde::Serialize;
use table::{Chips, Seat};

use super::BlackjackPays;

/// What the cards of a hand count together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Total {
    /// The points.
    pub points: u8,
    /// An ace counts 11.
    pub soft: bool,
    /// 21 with two cards. A hand that comes from a split has no naturals.
    pub natural: bool,
}

/// What a card counts: its number, 10 for court cards, 1 for an ace.
#[inline]
pub(super) fn value(card: Card) -> u8 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) => rank.number().min(10),
        None => 0,
    }
}

/// What a hand gets back of the stake that was taken, and on top of it.
pub(super) fn payout(hand: Total, bank: Total, stake: Chips, added: Chips, pays: BlackjackPays) -> Chips {
    if hand.points > 21 {
        return Chips::ZERO;
    }
    match (hand.natural, bank.natural) {
        (true, true) => stake,
        (true, false) => stake + pays.premium(stake),
        // Nobody has looked at the bank's second card, so nobody loses by it what they added to their bet.
        (false, true) => added,
        (false, false) if bank.points > 21 => stake * 2,
        (false, false) => match hand.points.cmp(&bank.points) {
            Ordering::Greater => stake * 2,
            Ordering::Equal => stake,
            Ordering::Less => Chips::ZERO,
        },
    }
}

impl BlackjackPays {
    /// What a natural wins, in whole chips.
    fn premium(self, stake: Chips) -> Chips {
        match self {
            Self::ThreeToTwo => Chips((stake * 3).0 / 2),
            Self::SixToFive => Chips((stake * 6).0 / 5),
            Self::OneToOne => stake,
        }
    }
}

/// How a player did in a round, compared with the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Ground {
    /// Better than the others on average.
    #[serde(rename = "gained ground")]
    Gained,
    /// Worse than the others on average.
    #[serde(rename = "lost ground")]
    Lost,
    /// Neither, or all have lost.
    #[serde(rename = "no change")]
    Same,
}

/// How a player did, given what everybody who took part has won or lost.
pub(super) fn ground(results: &[(Seat, Chips)], seat: Seat) -> Ground {
    let own = results.iter().find(|(other, _)| *other == seat).map_or(Chips::ZERO, |(_, chips)| *chips);
    if results.iter().all(|(_, chips)| *chips < Chips::ZERO) {
        return Ground::Same;
    }
    // Comparing with the mean of the others, without a division.
    let others = i64::try_from(results.len()).unwrap_or(0) - 1;
    let sum: Chips = results.iter().map(|(_, chips)| *chips).sum();
    match (own * others).cmp(&(sum - own)) {
        Ordering::Greater => Ground::Gained,
        Ordering::Less => Ground::Lost,
        Ordering::Equal => Ground::Same,
    }
}
