//! Poker hands in words, the five cards that count, and which of them beats another hand.

use std::cmp::Reverse;

use serde::Serialize;

use crate::{Card, Category, HandRank, Rank, RankError, rank_cards};

/// The five of five to seven cards that make the hand, the most important first.
///
/// Groups of one rank come before the kickers, and higher ranks before lower; the ace of a low straight comes
/// last. If several suits would do, the higher one is taken.
///
/// ```
/// use cards::{CardList, best_five, parse_cards};
///
/// let five = best_five(&parse_cards("7s Kc 9h Kd 7c 7h 2d")?)?;
/// assert_eq!(CardList(&five).to_string(), "7S,7H,7C,KD,KC");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same as [`rank_cards`].
pub fn best_five(cards: &[Card]) -> Result<[Card; 5], RankError> {
    let rank = rank_cards(cards)?;
    let mut descending = cards.to_vec();
    descending.sort_by_key(|card| Reverse((card.rank(), card.suit())));
    let five = choose_five(&descending, rank);
    // The cards rank as their best five, so some five of them have that rank.
    let mut five = five.ok_or(RankError::Count { got: cards.len() })?;
    order_by_importance(&mut five, rank.category());
    Ok(five)
}

/// The best hand among five to seven cards in words.
///
/// ```
/// use cards::{describe, parse_cards};
///
/// let say = |text| Ok::<_, Box<dyn std::error::Error>>(describe(&parse_cards(text)?)?);
/// assert_eq!(say("Kc Kd 7s 7h 2d 3c 9h")?, "two pair, kings and sevens");
/// assert_eq!(say("9c 9d 9s 4h 4d 3c 2h")?, "full house, nines over fours");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same as [`rank_cards`].
pub fn describe(cards: &[Card]) -> Result<String, RankError> {
    let rank = rank_cards(cards)?;
    let [first, _, third, fourth, _] = best_five(cards)?.map(rank_of);
    let category = rank.category();
    Ok(match category {
        Category::HighCard => format!("{category}, {}", first.name()),
        Category::Pair => format!("{category} of {}", first.plural()),
        Category::TwoPair => format!("{category}, {} and {}", first.plural(), third.plural()),
        Category::ThreeOfAKind | Category::FourOfAKind => {
            format!("{category}, {}", first.plural())
        }
        Category::FullHouse => format!("{category}, {} over {}", first.plural(), fourth.plural()),
        Category::StraightFlush if rank == HandRank::BEST => "royal flush".to_owned(),
        Category::Straight | Category::Flush | Category::StraightFlush => {
            format!("{category}, {} high", first.name())
        }
    })
}

/// The best hand among five to seven cards as it stands in a sentence, after "with" or "has".
///
/// ```
/// use cards::{describe_in_sentence, parse_cards};
///
/// let say = |text| Ok::<_, Box<dyn std::error::Error>>(describe_in_sentence(&parse_cards(text)?)?);
/// assert_eq!(say("As Ah 2c 7d 9h Jd Kc")?, "a pair of aces");
/// assert_eq!(say("As Kh 2c 7d 9h Jd 4c")?, "ace high");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same as [`rank_cards`].
pub fn describe_in_sentence(cards: &[Card]) -> Result<String, RankError> {
    let hand = describe(cards)?;
    let [first, ..] = best_five(cards)?.map(rank_of);
    Ok(match rank_cards(cards)?.category() {
        Category::HighCard => format!("{} high", first.name()),
        Category::TwoPair | Category::ThreeOfAKind | Category::FourOfAKind => hand,
        Category::Pair | Category::Straight | Category::Flush | Category::FullHouse | Category::StraightFlush => {
            format!("a {hand}")
        }
    })
}

/// How one poker hand beats another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decided {
    /// By what the hand is called: a straight beats a pair, a pair of aces beats a pair of kings.
    Hand,
    /// Both are called the same, and this card beside it is higher.
    Kicker(Rank),
    /// Both are flushes with the same highest card, and this lower one is higher. All five cards make a flush, so
    /// players do not call it a kicker.
    FlushCard(Rank),
    /// Not at all: they are equal.
    Equal,
}

/// How the better of two hands, each of five to seven cards, beats the other.
///
/// ```
/// use cards::{Decided, Rank, decided, parse_cards};
///
/// let [anna, bert] = [parse_cards("As Kd 2c Ah 9h Jd 4c")?, parse_cards("Ad Qd 2c Ah 9h Jd 4c")?];
/// assert_eq!(decided(&anna, &bert)?, Decided::Kicker(Rank::King));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same as [`rank_cards`], for either hand.
pub fn decided(one: &[Card], other: &[Card]) -> Result<Decided, RankError> {
    let ranks = [rank_cards(one)?, rank_cards(other)?];
    let [better, worse] = if ranks.is_sorted() { [other, one] } else { [one, other] };
    let [better, worse] = [best_five(better)?.map(rank_of), best_five(worse)?.map(rank_of)];
    let [category, another] = ranks.map(HandRank::category);
    // How many of the five the hand's name tells of.
    let named = match category {
        Category::HighCard | Category::Flush => 1,
        Category::Pair => 2,
        Category::ThreeOfAKind => 3,
        Category::TwoPair | Category::FourOfAKind => 4,
        Category::Straight | Category::FullHouse | Category::StraightFlush => 5,
    };
    let differs = (0..).zip(better).zip(worse).find(|((_, better), worse)| better != worse);
    Ok(match differs {
        _ if category != another => Decided::Hand,
        None => Decided::Equal,
        Some(((place, _), _)) if place < named => Decided::Hand,
        Some(((_, card), _)) if category == Category::Flush => Decided::FlushCard(card),
        Some(((_, card), _)) => Decided::Kicker(card),
    })
}

/// Tries every choice of five, earlier cards first, until one has the wanted rank.
fn choose_five(cards: &[Card], wanted: HandRank) -> Option<[Card; 5]> {
    let choices = 0u8..1 << cards.len();
    choices.filter_map(|choice| pick(cards, choice)).find(|five| rank_cards(five) == Ok(wanted))
}

/// The cards whose bits are set in `choice`, if there are five.
fn pick(cards: &[Card], choice: u8) -> Option<[Card; 5]> {
    let chosen = cards.iter().enumerate();
    let chosen = chosen.filter(|(place, _)| choice >> place & 1 == 1);
    let chosen: Vec<Card> = chosen.map(|(_, card)| *card).collect();
    chosen.try_into().ok()
}

fn order_by_importance(five: &mut [Card; 5], category: Category) {
    let cards = *five;
    let alike = |card: Card| cards.iter().filter(|c| c.rank() == card.rank()).count();
    five.sort_by_key(|card| Reverse((alike(*card), card.rank(), card.suit())));
    let straight = matches!(category, Category::Straight | Category::StraightFlush);
    let ranks = five.map(rank_of);
    if straight && matches!(ranks, [Rank::Ace, Rank::Five, ..]) {
        five.rotate_left(1);
    }
}

/// The rank of a card that has already been ranked, so it is natural.
fn rank_of(card: Card) -> Rank {
    card.rank().unwrap_or(Rank::Two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CardList, parse_cards};

    fn five(text: &str) -> String {
        CardList(&best_five(&parse_cards(text).unwrap()).unwrap()).to_string()
    }

    fn say(text: &str) -> String {
        describe(&parse_cards(text).unwrap()).unwrap()
    }

    #[test]
    fn the_most_important_cards_come_first() {
        assert_eq!(five("2c 3d 9s Kh Kd 5s 7c"), "KH,KD,9S,7C,5S");
        assert_eq!(five("As 2d 3c 4s 5h Kd Kc"), "5H,4S,3C,2D,AS");
        assert_eq!(five("4c 4d 4h 4s 9c 9d 9h"), "4S,4H,4D,4C,9H");
        assert_eq!(five("2s 4s 6s 8s Ts Qs Ks"), "KS,QS,TS,8S,6S");
        assert_eq!(five("3d 4d 5d 6d 7d 8d 8s"), "8D,7D,6D,5D,4D");
        assert_eq!(five("KC KD 7S 7H 3C 3H QD"), "KD,KC,7S,7H,QD");
    }

    #[test]
    fn every_category_is_put_into_words() {
        assert_eq!(say("2c 3d 9s Kh Ad 5s 7c"), "high card, ace");
        assert_eq!(say("2c 6d 6s Kh Ad"), "pair of sixes");
        assert_eq!(say("Kc Kd 7s 7h 3c 3h"), "two pair, kings and sevens");
        assert_eq!(say("Kc Kd Ks 7h 3c"), "three of a kind, kings");
        assert_eq!(say("6c 7d 8s 9h Tc"), "straight, ten high");
        assert_eq!(say("Ac 2d 3s 4h 5c"), "straight, five high");
        assert_eq!(say("Ah 2h 9h 4h 6h"), "flush, ace high");
        assert_eq!(say("9c 9d 9s 4h 4c"), "full house, nines over fours");
        assert_eq!(say("9c 9d 9s 9h 4c"), "four of a kind, nines");
        assert_eq!(say("Ah 2h 3h 4h 5h"), "straight flush, five high");
        assert_eq!(say("Ah Kh Qh Jh Th"), "royal flush");
    }

    #[test]
    fn a_hand_in_a_sentence_has_its_article() {
        let say = |text: &str| describe_in_sentence(&parse_cards(text).unwrap()).unwrap();
        assert_eq!(say("2c 3d 9s Kh Ad 5s 7c"), "ace high");
        assert_eq!(say("Kc Kd 7s 7h 3c 3h"), "two pair, kings and sevens");
        assert_eq!(say("Ah Kh Qh Jh Th"), "a royal flush");
    }

    #[test]
    fn a_showdown_is_decided_by_the_hand_a_kicker_a_flush_card_or_not_at_all() {
        let between = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|text| parse_cards(text).unwrap());
            let found = decided(&one, &other).unwrap();
            assert_eq!(decided(&other, &one).unwrap(), found, "whichever comes first");
            found
        };
        let board = |hole: &str, rest: &str| format!("{hole} {rest}");
        let pair = |hole: &str| board(hole, "Ah Tc 7d 4s 2c");
        assert_eq!(between(&pair("As Kd"), &pair("Ad Qd")), Decided::Kicker(Rank::King));
        assert_eq!(between(&pair("As 8d"), &pair("Ad 6d")), Decided::Kicker(Rank::Eight), "the third kicker");
        assert_eq!(between(&pair("As 3d"), &pair("Ad 3h")), Decided::Equal, "neither three plays");
        assert_eq!(between(&pair("As 3d"), &pair("Ts 9h")), Decided::Hand);
        assert_eq!(between(&pair("As 3d"), &pair("As Th")), Decided::Hand, "two pair beats a pair");
        let high = |hole: &str| board(hole, "Ah Tc 7d 4s 2c");
        assert_eq!(between(&high("Kd 9s"), &high("Qd 9h")), Decided::Kicker(Rank::King));
        let two_pair = |hole: &str| board(hole, "Kh Kc 7d 7s 2c");
        assert_eq!(between(&two_pair("As 3d"), &two_pair("Qs 3h")), Decided::Kicker(Rank::Ace));
        assert_eq!(between(&two_pair("8s 8d"), &two_pair("Qs 3h")), Decided::Hand, "eights instead of sevens");
        let trips = |hole: &str| board(hole, "Kh Kc Ks 7s 2c");
        assert_eq!(between(&trips("As 3d"), &trips("Qs Jh")), Decided::Kicker(Rank::Ace));
        let quads = |hole: &str| board(hole, "Kh Kc Ks Kd 2c");
        assert_eq!(between(&quads("As 3d"), &quads("Qs Jh")), Decided::Kicker(Rank::Ace));
        let flush = |hole: &str| board(hole, "Ah Th 7h 4s 2c");
        assert_eq!(between(&flush("Kh 3h"), &flush("Qh Jh")), Decided::FlushCard(Rank::King));
        let straight = |hole: &str| board(hole, "9h 8c 7d 6s 2c");
        assert_eq!(between(&straight("Td 3h"), &straight("5h 3d")), Decided::Hand);
        assert_eq!(between(&straight("Td 3h"), &straight("Th 3d")), Decided::Equal);
    }
}
