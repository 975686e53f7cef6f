//! A set of natural cards of a single pack, in one machine word.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::{Card, Suit};

/// A set of natural cards: bit `n` stands for the card with code `n`.
///
/// A set holds a card at most once, so it suits games with one pack of 52. It never holds jokers or lots.
///
/// ```
/// use cards::{Card, CardSet, Rank, Suit};
///
/// let hand: CardSet = cards::parse_cards("AS 7H 2S")?.into_iter().collect();
/// assert_eq!(hand.len(), 3);
/// assert!(hand.has_suit(Suit::Spades));
/// let spades = hand.of_suit(Suit::Spades);
/// assert_eq!(spades.highest(), Some(Card::new(Rank::Ace, Suit::Spades)));
/// assert_eq!(hand - spades, cards::parse_cards("7H")?.into_iter().collect());
/// # Ok::<(), cards::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);

    /// All 52 natural cards.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// The bits of the first suit.
    const SUIT: u64 = (1 << 13) - 1;

    /// The empty set.
    #[inline]
    pub const fn new() -> CardSet {
        CardSet::EMPTY
    }

    /// The set with these bits, if each stands for a natural card.
    #[inline]
    pub const fn from_bits(bits: u64) -> Option<CardSet> {
        if bits & !CardSet::FULL.0 == 0 { Some(CardSet(bits)) } else { None }
    }

    /// The bits of the set: bit `n` for the card with code `n`.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Adds a card and returns whether it is new. Does not add a joker or a lot.
    #[inline]
    pub const fn insert(&mut self, card: Card) -> bool {
        let bit = bit(card);
        let new = bit & !self.0 != 0;
        self.0 |= bit;
        new
    }

    /// Removes a card and returns whether it was there.
    #[inline]
    pub const fn remove(&mut self, card: Card) -> bool {
        let bit = bit(card);
        let there = bit & self.0 != 0;
        self.0 &= !bit;
        there
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & bit(card) != 0
    }

    /// How many cards are in the set.
    #[inline]
    pub const fn len(self) -> u8 {
        low_byte(self.0.count_ones())
    }

    /// Whether the set has no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in either set.
    #[inline]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards in both sets.
    #[inline]
    pub const fn intersection(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards of this set that are not in the other.
    #[inline]
    pub const fn difference(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// Whether no card is in both sets.
    #[inline]
    pub const fn is_disjoint(self, other: CardSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether every card of this set is in the other.
    #[inline]
    pub const fn is_subset(self, other: CardSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The cards of one suit.
    #[inline]
    pub const fn of_suit(self, suit: Suit) -> CardSet {
        CardSet(self.0 & (CardSet::SUIT << (suit.index() * 13)))
    }

    /// Whether there is a card of this suit.
    #[inline]
    pub const fn has_suit(self, suit: Suit) -> bool {
        !self.of_suit(suit).is_empty()
    }

    /// The ranks held in one suit: bit 0 for the two, bit 12 for the ace.
    #[inline]
    pub const fn suit_bits(self, suit: Suit) -> u16 {
        let ranks = (self.0 >> (suit.index() * 13)) & CardSet::SUIT;
        let [low, high, ..] = ranks.to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// The card with the lowest code.
    #[inline]
    pub const fn lowest(self) -> Option<Card> {
        if self.is_empty() { None } else { Card::from_code(low_byte(self.0.trailing_zeros())) }
    }

    /// The card with the highest code.
    #[inline]
    pub const fn highest(self) -> Option<Card> {
        match self.0.checked_ilog2() {
            Some(code) => Card::from_code(low_byte(code)),
            None => None,
        }
    }

    /// The cards in ascending order of their codes.
    #[inline]
    pub const fn iter(self) -> CardSetIter {
        CardSetIter(self)
    }
}

/// The bit of a natural card; none for a joker or a lot.
#[inline]
const fn bit(card: Card) -> u64 {
    match card.id52() {
        Some(id) => 1 << id,
        None => 0,
    }
}

/// Bit counts and positions of a word are at most 64, so they fit in the low byte.
#[inline]
const fn low_byte(number: u32) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}

/// The cards of a [`CardSet`] in ascending order; from the back, descending.
#[derive(Clone, Debug)]
pub struct CardSetIter(CardSet);

impl Iterator for CardSetIter {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.lowest()?;
        self.0.remove(card);
        Some(card)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.0.len());
        (left, Some(left))
    }
}

impl DoubleEndedIterator for CardSetIter {
    #[inline]
    fn next_back(&mut self) -> Option<Card> {
        let card = self.0.highest()?;
        self.0.remove(card);
        Some(card)
    }
}

impl ExactSizeIterator for CardSetIter {}

impl FusedIterator for CardSetIter {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = CardSetIter;

    #[inline]
    fn into_iter(self) -> CardSetIter {
        self.iter()
    }
}

/// Collects the natural cards; jokers and lots are left out.
impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::new();
        set.extend(cards);
        set
    }
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        for card in cards {
            self.insert(card);
        }
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> CardSet {
        CardSet(bit(card))
    }
}

impl BitOr for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitor(self, other: CardSet) -> CardSet {
        self.union(other)
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitand(self, other: CardSet) -> CardSet {
        self.intersection(other)
    }
}

impl Sub for CardSet {
    type Output = CardSet;

    #[inline]
    fn sub(self, other: CardSet) -> CardSet {
        self.difference(other)
    }
}

impl BitXor for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitxor(self, other: CardSet) -> CardSet {
        CardSet(self.0 ^ other.0)
    }
}

/// The natural cards that are not in the set.
impl Not for CardSet {
    type Output = CardSet;

    #[inline]
    fn not(self) -> CardSet {
        CardSet::FULL.difference(self)
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: CardSet) {
        *self = *self | other;
    }
}

impl BitAndAssign for CardSet {
    #[inline]
    fn bitand_assign(&mut self, other: CardSet) {
        *self = *self & other;
    }
}

impl SubAssign for CardSet {
    #[inline]
    fn sub_assign(&mut self, other: CardSet) {
        *self = *self - other;
    }
}

impl BitXorAssign for CardSet {
    #[inline]
    fn bitxor_assign(&mut self, other: CardSet) {
        *self = *self ^ other;
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rank, parse_cards};

    fn set(text: &str) -> CardSet {
        parse_cards(text).unwrap().into_iter().collect()
    }

    #[test]
    fn a_card_is_in_the_set_at_most_once() {
        let ace = Card::new(Rank::Ace, Suit::Spades);
        let mut hand = CardSet::new();
        assert!(hand.insert(ace));
        assert!(!hand.insert(ace));
        assert!(hand.contains(ace));
        assert_eq!(hand.len(), 1);
        assert!(hand.remove(ace));
        assert!(!hand.remove(ace));
        assert!(hand.is_empty());
    }

    #[test]
    fn jokers_and_lots_stay_outside() {
        let mut full = CardSet::FULL;
        for card in [Card::JOKER, Card::lot(0).unwrap(), Card::lot(63).unwrap()] {
            assert!(!full.contains(card));
            assert!(!full.insert(card));
            assert!(!full.remove(card));
        }
        assert_eq!(full, CardSet::FULL);
        assert_eq!(CardSet::from_bits(1 << 52), None);
        assert_eq!(CardSet::from_bits(full.bits()), Some(full));
    }

    #[test]
    fn cards_come_in_ascending_order() {
        assert!(CardSet::FULL.iter().eq(Card::naturals()));
        assert!(CardSet::FULL.iter().rev().eq(Card::naturals().rev()));
        assert_eq!(CardSet::FULL.iter().len(), 52);
        let hand = set("AS 2C 7H");
        assert_eq!(format!("{hand:?}"), "{2C, 7H, AS}");
        assert_eq!(hand.lowest(), "2C".parse().ok());
        assert_eq!(hand.highest(), "AS".parse().ok());
        assert_eq!(CardSet::EMPTY.lowest(), None);
        assert_eq!(CardSet::EMPTY.highest(), None);
    }

    #[test]
    fn suits_are_found_by_their_bits() {
        let hand = set("2D AD 3S");
        assert_eq!(hand.of_suit(Suit::Diamonds), set("2D AD"));
        assert_eq!(hand.suit_bits(Suit::Diamonds), 0b1_0000_0000_0001);
        assert_eq!(hand.suit_bits(Suit::Spades), 0b10);
        assert!(hand.has_suit(Suit::Spades));
        assert!(!hand.has_suit(Suit::Hearts));
        for suit in Suit::ALL {
            assert_eq!(CardSet::FULL.of_suit(suit).len(), 13);
            assert_eq!(CardSet::FULL.suit_bits(suit), 0x1fff);
        }
    }

    #[test]
    fn sets_combine() {
        let (a, b) = (set("2C 3C"), set("3C 4C"));
        assert_eq!(a | b, set("2C 3C 4C"));
        assert_eq!(a & b, set("3C"));
        assert_eq!(a - b, set("2C"));
        assert_eq!(a ^ b, set("2C 4C"));
        assert_eq!(!a | a, CardSet::FULL);
        assert!((!a).is_disjoint(a));
        assert!(set("2C").is_subset(a));
        let mut c = a;
        c |= b;
        c -= a;
        assert_eq!(c, set("4C"));
        c ^= b;
        c &= a;
        assert_eq!(c, CardSet::from(Card::new(Rank::Three, Suit::Clubs)));
    }
}
