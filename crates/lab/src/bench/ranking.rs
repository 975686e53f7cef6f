//! Ranking seven cards: ours, and the crate `pokers` that ours stands on.

use std::hint::black_box;

use cards::{Card, HandRank, PokerHand, rank_cards};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::Draw;

use super::{Batch, Bench, Unit};

/// Random hands in a batch: more than a processor can learn by heart, few enough to stay near it.
const HANDS: usize = 1 << 15;

pub(super) fn benches() -> Vec<Bench> {
    let unit = Unit::PerSecond("hands/s");
    let bench =
        |name: &str, ready: fn() -> Batch| Bench { name: name.to_owned(), unit, ready: Box::new(move || Ok(ready())) };
    vec![bench("rank7_random", random), bench("rank7_sequential", sequential), bench("pokers_random", pokers_random)]
}

/// Hands as somebody has them: seven cards each.
fn random() -> Batch {
    let hands = random_hands();
    Box::new(move || {
        // Seven cards each, which the compiler may know, as it does in a showdown.
        let ranks = hands.iter().map(|hand| rank_cards(black_box::<&[Card; 7]>(hand)));
        black_box(ranks.fold(HandRank::WORST, |best, rank| rank.map_or(best, |rank| rank.max(best))));
        Ok(count(hands.len()))
    })
}

/// The same hands, put together and looked up without a check. Ours is the slower one by what it costs to make sure
/// that seven cards are different and natural, which `pokers` leaves to its caller.
fn pokers_random() -> Batch {
    // `pokers` numbers cards rank by rank, we suit by suit; in bytes like ours, or reading them would be part of it.
    let number = |card: Card| card.code() % 13 * 4 + card.code() / 13;
    let hands: Vec<[u8; 7]> = random_hands().into_iter().map(|hand| hand.map(number)).collect();
    Box::new(move || {
        let ranks = hands.iter().map(|hand| {
            let cards = black_box(hand).iter().filter_map(|card| pokers::CARDS.get(usize::from(*card)));
            cards.fold(pokers::Hand::default(), |hand, card| hand + *card).evaluate()
        });
        black_box(ranks.fold(0, u16::max));
        Ok(count(hands.len()))
    })
}

/// All hands that begin with two certain cards, one pair of cards after the other.
fn sequential() -> Batch {
    let cards: Vec<Card> = Card::naturals().collect();
    let mut first = 0;
    Box::new(move || {
        // Of the later beginnings there are too few hands to tell anything.
        first = (first + 1) % 20;
        let rest = cards.get(first..).unwrap_or_default();
        let (mut units, mut best) = (0, HandRank::WORST);
        if let [a, b, rest @ ..] = rest {
            let hand = PokerHand::of(&[*a, *b]).map_err(|e| e.to_string())?;
            descend(5, hand, rest, &mut units, &mut best);
        }
        black_box(best);
        Ok(units)
    })
}

/// Adds `left` more cards in every possible way, each to a hand that is kept.
fn descend(left: u8, hand: PokerHand, cards: &[Card], units: &mut u64, best: &mut HandRank) {
    if left == 1 {
        for card in cards {
            if let Ok(rank) = hand.with(*card).and_then(PokerHand::rank) {
                *best = rank.max(*best);
            }
        }
        *units += count(cards.len());
        return;
    }
    let mut rest = cards;
    while let [card, after @ ..] = rest {
        if let Ok(hand) = hand.with(*card) {
            descend(left - 1, hand, after, units, best);
        }
        rest = after;
    }
}

fn random_hands() -> Vec<[Card; 7]> {
    let mut rng = Xoshiro256PlusPlus::from_seed([7; 32]);
    let pack: Vec<Card> = Card::naturals().collect();
    let mut hand = || {
        let mut hand: Vec<Card> = Vec::with_capacity(7);
        while hand.len() < 7 {
            hand.extend(rng.any(&pack).filter(|card| !hand.contains(card)).copied());
        }
        <[Card; 7]>::try_from(hand).ok()
    };
    (0..HANDS).filter_map(|_| hand()).collect()
}

fn count(hands: usize) -> u64 {
    u64::try_from(hands).unwrap_or(u64::MAX)
}
