//! Which poker hand is better: five to seven natural cards, of which the best five count.
//!
//! The lookup is done by the `pokers` crate, which trusts its caller: a duplicate or an eighth card would make
//! it read outside its tables. [`PokerHand`] guards it. Every card is checked when it is added, so it never
//! holds such a hand, and it does not rank fewer than five cards. Programs in a browser compute it instead (`plain`).

use std::error::Error;
use std::fmt;

#[cfg(any(test, target_family = "wasm"))]
mod plain;

#[cfg(target_family = "wasm")]
use plain::{CARDS, Hand};
#[cfg(not(target_family = "wasm"))]
use pokers::{CARDS, Hand};

use crate::{Card, CardSet, HandRank, Rank, Suit};

/// Ranks five to seven different natural cards by the best five among them.
///
/// ```
/// use cards::{Category, RankError, parse_cards, rank_cards};
///
/// let rank = rank_cards(&parse_cards("7sKcKdKs4s9c3c")?)?;
/// assert_eq!(rank.position(), 1715);
/// assert_eq!(rank.category(), Category::ThreeOfAKind);
///
/// let four = parse_cards("7sKcKdKs")?;
/// assert_eq!(rank_cards(&four), Err(RankError::Count { got: 4 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if there are fewer than five or more than seven cards, if one is a joker or a lot, or if one appears
/// twice.
#[inline(always)]
pub fn rank_cards(cards: &[Card]) -> Result<HandRank, RankError> {
    if !(5..=7).contains(&cards.len()) {
        return Err(RankError::Count { got: cards.len() });
    }
    let (hand, sum) = summed(Hand::default(), 0, cards);
    if sum == hand.get_mask() { Ok(HandRank::from_pokers(hand.evaluate())) } else { Err(why_not(cards)) }
}

#[cold]
fn why_not(cards: &[Card]) -> RankError {
    let got = cards.len();
    PokerHand::of(cards).and_then(PokerHand::rank).err().unwrap_or(RankError::Count { got })
}

/// Adds cards to a hand. The second sum equals the hand's mask exactly when all cards are natural and
/// different: a natural card adds its mask, which is one bit, and anything else a bit that no mask has. Seven
/// of either do not overflow; never pass more.
#[inline(always)]
fn summed(mut hand: Hand, mut sum: u64, cards: &[Card]) -> (Hand, u64) {
    for card in cards {
        hand += summand_of(*card);
        sum += check_of(*card);
    }
    (hand, sum)
}

/// Why cards are not a poker hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankError {
    /// A hand to be ranked has five, six or seven cards.
    Count {
        /// How many there are, or would be with the refused card.
        got: usize,
    },
    /// Jokers and lots have no place in a poker hand.
    NotNatural(Card),
    /// The card is already there.
    Duplicate(Card),
}

impl fmt::Display for RankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RankError::Count { got } => {
                write!(f, "expected a poker hand of five to seven cards, got {got}")
            }
            RankError::NotNatural(card) => {
                write!(f, "expected a card with rank and suit, got {card}")
            }
            RankError::Duplicate(card) => write!(f, "expected different cards, got {card} twice"),
        }
    }
}

impl Error for RankError {}

/// Up to seven different natural cards, ready to be ranked.
///
/// A hand is a small value: put the board together once and add each player's cards to a copy.
///
/// ```
/// use cards::{PokerHand, parse_cards};
///
/// let board = PokerHand::of(&parse_cards("Kd 7c 7s 2h 9d")?)?;
/// let ann = board.with_all(&parse_cards("Ks 3c")?)?;
/// let ben = board.with_all(&parse_cards("Ac Qc")?)?;
/// assert!(ann.rank()? > ben.rank()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PokerHand(
    /// Invariant: at most seven cards, all different.
    Hand,
);

impl PokerHand {
    /// The fewest cards that can be ranked.
    const LEAST: u8 = 5;

    /// The most cards in a hand.
    const MOST: u8 = 7;

    /// A hand without cards.
    #[inline]
    pub fn new() -> PokerHand {
        PokerHand(Hand::default())
    }

    /// A hand of these cards.
    ///
    /// # Errors
    ///
    /// The same as [`PokerHand::add`].
    #[inline]
    pub fn of(cards: &[Card]) -> Result<PokerHand, RankError> {
        PokerHand::new().with_all(cards)
    }

    /// Adds a card.
    ///
    /// # Errors
    ///
    /// Fails, and leaves the hand as it was, if the card is a joker or a lot, if it is already there, or if the
    /// hand has seven cards.
    #[inline]
    pub fn add(&mut self, card: Card) -> Result<(), RankError> {
        *self = self.with(card)?;
        Ok(())
    }

    /// The hand with one more card.
    ///
    /// # Errors
    ///
    /// The same as [`PokerHand::add`].
    #[inline]
    pub fn with(self, card: Card) -> Result<PokerHand, RankError> {
        if card.natural().is_none() {
            return Err(RankError::NotNatural(card));
        }
        let added = summand_of(card);
        if self.0.get_mask() & added.get_mask() != 0 {
            return Err(RankError::Duplicate(card));
        }
        if self.0.count() >= u32::from(PokerHand::MOST) {
            let got = usize::from(PokerHand::MOST) + 1;
            return Err(RankError::Count { got });
        }
        Ok(PokerHand(self.0 + added))
    }

    /// The hand with these cards added.
    ///
    /// # Errors
    ///
    /// The same as [`PokerHand::add`].
    #[inline]
    pub fn with_all(self, cards: &[Card]) -> Result<PokerHand, RankError> {
        if cards.len() > usize::from(PokerHand::MOST - self.len()) {
            return self.with_each(cards);
        }
        let (hand, sum) = summed(self.0, self.0.get_mask(), cards);
        if sum != hand.get_mask() {
            return self.with_each(cards);
        }
        Ok(PokerHand(hand))
    }

    /// Adds cards one by one, to find the first that does not fit.
    #[cold]
    fn with_each(self, cards: &[Card]) -> Result<PokerHand, RankError> {
        cards.iter().try_fold(self, |hand, card| hand.with(*card))
    }

    /// How many cards the hand has.
    #[inline]
    pub fn len(self) -> u8 {
        let [low, ..] = self.0.count().to_le_bytes();
        low
    }

    /// Whether the hand has no cards.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The cards.
    pub fn cards(self) -> CardSet {
        let held = |card: &Card| summand_of(*card).get_mask() & self.0.get_mask() != 0;
        Card::naturals().filter(held).collect()
    }

    /// How good the best five cards are.
    ///
    /// # Errors
    ///
    /// Fails if there are fewer than five cards.
    #[inline]
    pub fn rank(self) -> Result<HandRank, RankError> {
        if self.len() < PokerHand::LEAST {
            let got = usize::from(self.len());
            return Err(RankError::Count { got });
        }
        Ok(HandRank::from_pokers(self.0.evaluate()))
    }
}

impl Default for PokerHand {
    fn default() -> PokerHand {
        PokerHand::new()
    }
}

impl fmt::Debug for PokerHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PokerHand").field(&self.cards()).finish()
    }
}

/// What a card adds to a hand, by [`Card::place`]. A table of 256 entries needs no bounds check for a byte.
///
/// `pokers` numbers cards `4 * rank + suit`. Its suits have other letters than ours, but in poker any four
/// different suits will do.
static SUMMANDS: [Hand; 256] = tables().0;

/// What a card adds to the second sum: the mask of a natural card; for anything else a bit that no mask has, low enough
/// that seven of them do not overflow. Apart from the hands because entries of eight bytes are found without a shift.
static CHECKS: [u64; 256] = tables().1;

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, which refuses a wrong index")]
const fn tables() -> ([Hand; 256], [u64; 256]) {
    let (mut summands, mut checks) = ([CARDS[0]; 256], [1 << 61; 256]);
    let mut suit = 0;
    while suit < Suit::ALL.len() {
        let mut rank = 0;
        while rank < Rank::ALL.len() {
            let (place, hand) = (Card::new(Rank::ALL[rank], Suit::ALL[suit]).place(), CARDS[4 * rank + suit]);
            summands[place] = hand;
            checks[place] = hand.get_mask();
            rank += 1;
        }
        suit += 1;
    }
    (summands, checks)
}

#[inline]
#[expect(clippy::indexing_slicing, reason = "a byte is always inside a table of 256")]
fn summand_of(card: Card) -> Hand {
    SUMMANDS[card.place()]
}

#[inline]
#[expect(clippy::indexing_slicing, reason = "a byte is always inside a table of 256")]
fn check_of(card: Card) -> u64 {
    CHECKS[card.place()]
}

#[cfg(test)]
mod tests;
