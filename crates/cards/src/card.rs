//! The face of a card, a joker, or a lot, in one byte.
//!
//! A [`Card`] says what is printed on it and nothing else: the two sevens of spades of a double pack are equal.
//! To tell them apart, use [`PhysicalCard`](crate::PhysicalCard).
//!
//! | code | face |
//! |---|---|
//! | 0..=51 | a natural card, `suit * 13 + (rank - 2)` |
//! | 52 | a joker |
//! | 64..=127 | a lot (one side of a die, a drawn straw) with 0..=63 pips |

use core::num::NonZeroU8;

use crate::{Rank, Suit};

/// What is printed on a card, regardless of which copy it is.
///
/// ```
/// use cards::{Card, Rank, Suit};
///
/// let ace = Card::new(Rank::Ace, Suit::Spades);
/// assert_eq!(ace.code(), 51);
/// assert_eq!(ace.to_string(), "AS");
/// assert_eq!("A♠".parse(), Ok(ace));
/// assert_eq!(ace.natural(), Some((Rank::Ace, Suit::Spades)));
/// assert_eq!(Card::JOKER.natural(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(
    /// One more than the code, so that an `Option<Card>` fits in one byte too.
    NonZeroU8,
);

#[expect(clippy::indexing_slicing, reason = "a byte is always inside a table of 256")]
impl Card {
    /// The joker. All jokers of a pack have this face.
    pub const JOKER: Card = Card::coded(52);

    /// The most pips a lot can have.
    pub const MOST_PIPS: u8 = 63;

    /// The number of natural faces; their codes are below this.
    const NATURALS: u8 = 52;

    /// The code of the lot without pips.
    const FIRST_LOT: u8 = 64;

    #[inline]
    const fn coded(code: u8) -> Card {
        match NonZeroU8::new(code + 1) {
            Some(raw) => Card(raw),
            // Codes are at most 127.
            None => Card(NonZeroU8::MAX),
        }
    }

    /// The natural card of this rank and suit.
    #[inline]
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card::coded(suit.index() * 13 + rank.index())
    }

    /// The lot with this many pips, if there are at most [`Card::MOST_PIPS`].
    #[inline]
    pub const fn lot(pips: u8) -> Option<Card> {
        if pips <= Card::MOST_PIPS { Some(Card::coded(Card::FIRST_LOT + pips)) } else { None }
    }

    /// The card with this code, if there is one.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Card> {
        match code {
            0..=52 | 64..=127 => Some(Card::coded(code)),
            _ => None,
        }
    }

    /// The code of the card: 0 to 51 for naturals (`suit * 13 + (rank - 2)`), 52 for a joker, and
    /// from 64 on for lots by their pips.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0.get() - 1
    }

    /// Rank and suit of a natural card; `None` for a joker or a lot.
    #[inline]
    pub const fn natural(self) -> Option<(Rank, Suit)> {
        NATURALS[self.place()]
    }

    /// The rank of a natural card.
    #[inline]
    pub const fn rank(self) -> Option<Rank> {
        match NATURALS[self.place()] {
            Some((rank, _)) => Some(rank),
            None => None,
        }
    }

    /// The suit of a natural card.
    #[inline]
    pub const fn suit(self) -> Option<Suit> {
        match NATURALS[self.place()] {
            Some((_, suit)) => Some(suit),
            None => None,
        }
    }

    /// The place in a table of 256: the byte that the card is in memory, which saves counting down to its code.
    #[inline]
    #[expect(clippy::as_conversions, reason = "a byte always fits, and From cannot be used in a const fn")]
    pub(crate) const fn place(self) -> usize {
        self.0.get() as usize
    }

    /// Whether this is a joker.
    #[inline]
    pub const fn is_joker(self) -> bool {
        self.0.get() == Card::JOKER.0.get()
    }

    /// The pips of a lot.
    #[inline]
    pub const fn pips(self) -> Option<u8> {
        self.code().checked_sub(Card::FIRST_LOT)
    }

    /// The number of a natural card in a pack of 52, `suit * 13 + (rank - 2)`.
    #[inline]
    pub const fn id52(self) -> Option<u8> {
        if self.code() < Card::NATURALS { Some(self.code()) } else { None }
    }

    /// All 52 natural cards in ascending order of their codes.
    pub fn naturals() -> impl DoubleEndedIterator<Item = Card> + Clone {
        (0..Card::NATURALS).map(Card::coded)
    }
}

#[expect(clippy::indexing_slicing, reason = "checked when the program is built")]
/// Rank and suit by code: rules ask for suits and ranks all the time, and a lookup is cheaper than a division.
static NATURALS: [Option<(Rank, Suit)>; 256] = {
    let mut all = [None; 256];
    let mut s = 0;
    while s < Suit::ALL.len() {
        let mut r = 0;
        while r < Rank::ALL.len() {
            let (rank, suit) = (Rank::ALL[r], Suit::ALL[s]);
            all[Card::new(rank, suit).place()] = Some((rank, suit));
            r += 1;
        }
        s += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_natural_card_has_the_number_of_the_rule_book() {
        let mut expected = 0u8;
        for suit in Suit::ALL {
            for rank in Rank::ALL {
                let card = Card::new(rank, suit);
                assert_eq!(card.code(), expected);
                assert_eq!(card.id52(), Some(expected));
                assert_eq!(card.natural(), Some((rank, suit)));
                assert_eq!(card.pips(), None);
                expected += 1;
            }
        }
        assert_eq!(expected, 52);
        assert!(Card::naturals().map(Card::code).eq(0..52));
    }

    #[test]
    fn a_joker_and_a_lot_have_neither_rank_nor_suit() {
        let lots = (0..=63).map(|pips| Card::lot(pips).unwrap());
        for card in lots.chain([Card::JOKER]) {
            assert_eq!(card.rank(), None);
            assert_eq!(card.suit(), None);
            assert_eq!(card.natural(), None);
            assert_eq!(card.id52(), None);
        }
        assert!(Card::JOKER.is_joker());
        assert_eq!(Card::JOKER.pips(), None);
        assert_eq!(Card::lot(7).and_then(Card::pips), Some(7));
        assert_eq!(Card::lot(64), None);
    }

    #[test]
    fn every_code_gives_its_card_or_none() {
        for code in 0..=u8::MAX {
            let known = code <= 52 || (64..128).contains(&code);
            assert_eq!(Card::from_code(code).map(Card::code), known.then_some(code));
        }
    }
}
