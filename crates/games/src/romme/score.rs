//! What cards are worth, left in a hand or laid in a meld.

use cards::{Card, Rank, Suit};

/// The result of a seat that broke a deal. Points are bad in Rommé, and no match has a higher target, so
/// nobody can be better off for it; the match then places them last in any case.
pub const PENALTY: i64 = 1000;

/// Points of a card left in hand: a joker 20, an ace 11, court cards 10, others what they show.
#[inline]
pub fn in_hand(card: Card) -> u16 {
    if card.is_joker() { 20 } else { card.rank().map_or(0, of_rank) }
}

/// Points of a rank in a set: as in hand, so an ace is 11.
#[inline]
pub(super) fn of_rank(rank: Rank) -> u16 {
    match rank {
        Rank::Ace => 11,
        Rank::Jack | Rank::Queen | Rank::King => 10,
        _ => u16::from(rank.number()),
    }
}

/// Points of a place in a run, counted from the low ace: only there is an ace 1.
#[inline]
pub(super) const fn of_place(place: u32) -> u16 {
    match place {
        0 => 1,
        1 => 2,
        2 => 3,
        3 => 4,
        4 => 5,
        5 => 6,
        6 => 7,
        7 => 8,
        8 => 9,
        13 => 11,
        _ => 10,
    }
}

/// What is thrown away first when nobody decides: the highest points, of these the highest rank, then
/// clubs before diamonds, hearts and spades. Jokers come last of all.
pub(super) fn default_order(card: Card) -> (u16, u8, u8) {
    match card.natural() {
        Some((rank, suit)) => (of_rank(rank), rank.index(), Suit::Spades.index() - suit.index()),
        None => (0, 0, 0),
    }
}
