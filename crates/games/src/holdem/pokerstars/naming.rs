//! Cards and hands as the text has them.

use cards::{Card, Category, Rank, best_five, rank_cards};

/// `[Ah Kh]`.
pub(super) fn list(cards: &[Card]) -> String {
    format!("[{}]", cards.iter().map(one).collect::<Vec<_>>().join(" "))
}

/// `Ah`.
pub(super) fn one(card: &Card) -> String {
    let text = card.to_string();
    let mut letters = text.chars();
    let rank: String = letters.next().into_iter().collect();
    rank + &letters.as_str().to_lowercase()
}

/// What seven cards are: `two pair, Aces and Kings`.
pub(super) fn describe(cards: &[Card]) -> Option<String> {
    let rank = rank_cards(cards).ok()?;
    let [first, second, third, fourth, fifth] = best_five(cards).ok()?.map(|card| card.rank().unwrap_or(Rank::Two));
    // The wheel has its ace at the end of the five, however it is ordered.
    let low = if (first, second) == (Rank::Ace, Rank::Five) { first } else { fifth };
    let high = if low == first { second } else { first };
    Some(match rank.category() {
        Category::HighCard => format!("high card {}", name(first)),
        Category::Pair => format!("a pair of {}", many(first)),
        Category::TwoPair => format!("two pair, {} and {}", many(first), many(third)),
        Category::ThreeOfAKind => format!("three of a kind, {}", many(first)),
        Category::Straight => format!("a straight, {} to {}", name(low), name(high)),
        Category::Flush => format!("a flush, {} high", name(first)),
        Category::FullHouse => format!("a full house, {} full of {}", many(first), many(fourth)),
        Category::FourOfAKind => format!("four of a kind, {}", many(first)),
        Category::StraightFlush if high == Rank::Ace => "a Royal Flush".to_owned(),
        Category::StraightFlush => format!("a straight flush, {} to {}", name(low), name(high)),
    })
}

const fn name(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "Deuce",
        Rank::Three => "Three",
        Rank::Four => "Four",
        Rank::Five => "Five",
        Rank::Six => "Six",
        Rank::Seven => "Seven",
        Rank::Eight => "Eight",
        Rank::Nine => "Nine",
        Rank::Ten => "Ten",
        Rank::Jack => "Jack",
        Rank::Queen => "Queen",
        Rank::King => "King",
        Rank::Ace => "Ace",
    }
}

fn many(rank: Rank) -> String {
    format!("{}{}", name(rank), if rank == Rank::Six { "es" } else { "s" })
}
