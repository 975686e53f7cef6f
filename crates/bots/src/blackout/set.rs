//! Sets of cards as bits, for trying out thousands of rounds.
//!
//! A card is a number, 16 times its suit plus its rank, so each suit has its own 16 bits and "the higher cards
//! of this suit" is a mask.

use cards::{Card, Rank, Suit};

/// A card as a number below 64.
pub(super) type Place = u8;

/// The suit number of "no suit": no trump, or nothing led yet.
pub(super) const NO_SUIT: u8 = 4;

/// A set of cards of one pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Set(pub(super) u64);

/// Where a card is in a set; `None` for a joker.
pub(super) fn place(card: Card) -> Option<Place> {
    let (rank, suit) = card.natural()?;
    Some(suit.index() * 16 + rank.index())
}

/// The card at a place.
pub(super) fn card(place: Place) -> Option<Card> {
    Some(Card::new(Rank::from_index(place & 15)?, Suit::from_index(suit(place))?))
}

/// The suit of a card, 0 to 3.
#[inline]
pub(super) const fn suit(place: Place) -> u8 {
    place >> 4
}

impl Set {
    /// No card.
    pub(super) const NONE: Self = Self(0);
    /// The whole pack.
    pub(super) const PACK: Self = Self(0x1fff_1fff_1fff_1fff);

    /// Just this card.
    #[inline]
    pub(super) const fn one(place: Place) -> Self {
        Self(1 << (place & 63))
    }

    /// All cards of a suit; none of [`NO_SUIT`].
    #[inline]
    pub(super) const fn suit(suit: u8) -> Self {
        if suit < NO_SUIT { Self(0x1fff << (suit * 16)) } else { Self::NONE }
    }

    /// The higher cards of the same suit.
    #[inline]
    pub(super) const fn above(place: Place) -> Self {
        let up_to = (2u64 << (place & 63)).wrapping_sub(1);
        Self(Self::suit(suit(place)).0 & !up_to)
    }

    /// The lower cards of the same suit.
    #[inline]
    pub(super) const fn below(place: Place) -> Self {
        Self(Self::suit(suit(place)).0 & ((1 << (place & 63)) - 1))
    }

    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub(super) const fn has(self, place: Place) -> bool {
        self.0 >> (place & 63) & 1 == 1
    }

    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first card: the lowest, if all are of one suit.
    #[inline]
    pub(super) const fn lowest(self) -> Option<Place> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// All cards, by suit and rank.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Place> {
        let mut rest = self;
        core::iter::from_fn(move || {
            let place = rest.lowest()?;
            rest.0 &= rest.0 - 1;
            Some(place)
        })
    }
}

impl FromIterator<Place> for Set {
    fn from_iter<I: IntoIterator<Item = Place>>(iter: I) -> Self {
        iter.into_iter().fold(Self::NONE, |set, place| set.or(Self::one(place)))
    }
}

/// A value for each seat. Large enough that a seat can always be looked up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Each<T>([T; 8]);

#[expect(clippy::indexing_slicing, reason = "a number below eight is always inside")]
impl<T> core::ops::Index<u8> for Each<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: u8) -> &T {
        &self.0[usize::from(seat & 7)]
    }
}

#[expect(clippy::indexing_slicing, reason = "a number below eight is always inside")]
impl<T> core::ops::IndexMut<u8> for Each<T> {
    #[inline]
    fn index_mut(&mut self, seat: u8) -> &mut T {
        &mut self.0[usize::from(seat & 7)]
    }
}
