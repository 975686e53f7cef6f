//! What a legal meld is.
//!
//! A [`Shape`] says everything about a meld but which physical cards lie in it; a [`Meld`] adds those.
//! The natural cards alone tell sets from runs, because every meld has at least two of them: of equal
//! rank they make a set, of equal suit a run.

use core::fmt;

use cards::{Card, Rank, Suit};
use serde::Serialize;
use table::{Seat, Slot};

use super::score;
use super::slots::Slots;

/// The longest run.
pub(super) const LONGEST: usize = 13;

/// A meld without its owner and slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Three or four cards of one rank, all of different suits.
    Set {
        /// Their rank.
        rank: Rank,
        /// The suits that lie there as natural cards, one bit each.
        suits: u8,
        /// How many jokers stand for missing suits.
        jokers: u8,
    },
    /// Three to thirteen cards of one suit in a row.
    Run {
        /// Their suit.
        suit: Suit,
        /// The places that are filled, one bit each: 0 is the ace below the two, 12 the king, 13 the ace
        /// above it.
        places: u16,
        /// Those of them that jokers fill.
        jokers: u16,
    },
}

/// A card to be laid, with its face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which card.
    pub slot: Slot,
    /// What is printed on it.
    pub face: Card,
    /// What it stands for, being a joker in a run.
    pub stands_for: Option<Card>,
}

/// Why cards make no meld.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Fewer than three cards.
    TooShort,
    /// More than four cards in a set, or thirteen in a run.
    TooLong,
    /// More jokers than natural cards.
    TooManyJokers,
    /// Neither of one rank nor of one suit.
    NoSetNoRun,
    /// A suit is twice in a set.
    SuitTwice(Suit),
    /// A card is twice in a run.
    CardTwice(Card),
    /// The cards of a run do not follow each other; an ace is never in the middle.
    Gap,
    /// Two jokers lie side by side in a run.
    JokersSideBySide,
    /// A joker in a run must say which card of its suit it stands for.
    JokerWithoutName,
    /// A joker in a set stands for any missing suit and names no card.
    JokerWithName,
    /// Only a joker stands for another card.
    NotAJoker(Card),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("a meld has at least three cards"),
            Self::TooLong => f.write_str("a set has at most four cards, a run thirteen"),
            Self::TooManyJokers => f.write_str("more jokers than natural cards"),
            Self::NoSetNoRun => f.write_str("the cards share neither rank nor suit"),
            Self::SuitTwice(suit) => write!(f, "suit {suit} appears twice"),
            Self::CardTwice(card) => write!(f, "{card} appears twice"),
            Self::Gap => f.write_str("the cards are not in sequence"),
            Self::JokersSideBySide => f.write_str("two jokers are next to each other"),
            Self::JokerWithoutName => f.write_str("a joker in a run must name the card of its suit that it stands for"),
            Self::JokerWithName => f.write_str("a joker in a set stands for no particular card"),
            Self::NotAJoker(card) => write!(f, "{card} is not a joker and stands only for itself"),
        }
    }
}

impl core::error::Error for Flaw {}

impl Shape {
    /// The meld that these cards make, or why they make none. Their order does not matter.
    pub fn new(parts: &[Part]) -> Result<Self, Flaw> {
        match parts.len() {
            0..3 => return Err(Flaw::TooShort),
            3..=LONGEST => {}
            _ => return Err(Flaw::TooLong),
        }
        let jokers = parts.iter().filter(|p| p.face.is_joker()).count();
        if jokers > parts.len() - jokers {
            return Err(Flaw::TooManyJokers);
        }
        let mut naturals = parts.iter().filter_map(|p| p.face.natural());
        let (rank, suit) = naturals.next().ok_or(Flaw::NoSetNoRun)?;
        let (same_rank, same_suit) =
            naturals.fold((true, true), |(ranks, suits), (r, s)| (ranks && r == rank, suits && s == suit));
        let empty = match (same_rank, same_suit) {
            (true, _) => Self::Set { rank, suits: 0, jokers: 0 },
            (false, true) => Self::Run { suit, places: 0, jokers: 0 },
            (false, false) => return Err(Flaw::NoSetNoRun),
        };
        empty.with(parts)
    }

    /// The meld with these cards added, or why that is none.
    pub fn with(self, parts: &[Part]) -> Result<Self, Flaw> {
        match self {
            Self::Set { rank, suits, jokers } => set_with(rank, suits, jokers, parts),
            Self::Run { suit, places, jokers } => run_with(suit, places, jokers, parts),
        }
    }

    /// The meld with a natural card in place of the joker that stands for it, if one does.
    pub fn swapped(self, card: Card) -> Option<Self> {
        let (card_rank, card_suit) = card.natural()?;
        match self {
            Self::Set { rank, suits, jokers } => {
                let bit = suit_bit(card_suit);
                let stands = card_rank == rank && suits & bit == 0 && jokers > 0;
                stands.then(|| Self::Set { rank, suits: suits | bit, jokers: jokers - 1 })
            }
            Self::Run { suit, places, jokers } => {
                let bit = place_bits(card_rank) & jokers;
                (card_suit == suit && bit != 0).then_some(Self::Run { suit, places, jokers: jokers & !bit })
            }
        }
    }

    /// Points towards the opening: jokers count as what they stand for.
    pub fn points(self) -> u16 {
        match self {
            Self::Set { rank, .. } => score::of_rank(rank) * u16::from(self.len()),
            Self::Run { places, .. } => bits(places).map(score::of_place).sum(),
        }
    }

    /// How many cards.
    #[expect(clippy::len_without_is_empty, reason = "a meld is never empty")]
    #[inline]
    pub fn len(self) -> u8 {
        match self {
            Self::Set { suits, jokers, .. } => small(suits.count_ones()) + jokers,
            Self::Run { places, .. } => small(places.count_ones()),
        }
    }

    /// How many of them are jokers.
    #[inline]
    pub fn jokers(self) -> u8 {
        match self {
            Self::Set { jokers, .. } => jokers,
            Self::Run { jokers, .. } => small(jokers.count_ones()),
        }
    }

    /// Its cards in the order in which they lie: the natural card, or a joker and what it stands for
    /// where that is one exact card. In a set jokers come last.
    #[inline]
    pub fn cards(self) -> impl Iterator<Item = Place> {
        let (rank, suit, places, jokers) = match self {
            Self::Set { rank, suits, jokers } => (Some(rank), Suit::Clubs, u16::from(suits), u16::from(jokers)),
            Self::Run { suit, places, jokers } => (None, suit, places, jokers),
        };
        let placed = bits(places).filter_map(move |bit| match rank {
            Some(rank) => Some(Place::Natural(Card::new(rank, Suit::from_index(small(bit))?))),
            None => {
                let card = card_at(suit, bit)?;
                Some(if jokers & (1 << bit) == 0 { Place::Natural(card) } else { Place::Joker(Some(card)) })
            }
        });
        let unnamed = if rank.is_some() { jokers } else { 0 };
        placed.chain((0..unnamed).map(|_| Place::Joker(None)))
    }

    /// The cards that a joker of a set may stand for: its rank in the missing suits. None for a run.
    #[inline]
    pub fn missing(self) -> impl Iterator<Item = Card> {
        let (rank, suits) = match self {
            Self::Set { rank, suits, .. } => (Some(rank), suits),
            Self::Run { .. } => (None, 0),
        };
        let missing = Suit::ALL.into_iter().filter(move |suit| suits & suit_bit(*suit) == 0);
        missing.filter_map(move |suit| Some(Card::new(rank?, suit)))
    }

    /// The cards just below a run and just above it, each with the card beyond, where it can still grow.
    #[inline]
    pub(super) fn ends(self) -> [(Option<Card>, Option<Card>); 2] {
        let Self::Run { suit, places, .. } = self else { return [(None, None); 2] };
        let below = |by| places.trailing_zeros().checked_sub(by).and_then(|place| card_at(suit, place));
        let above = |by| card_at(suit, u16::BITS - places.leading_zeros() + by);
        [(below(1), below(2)), (above(0), above(1))]
    }

    /// The order of a card within this meld.
    #[inline]
    fn key(self, part: &Part) -> u8 {
        let value = part.stands_for.unwrap_or(part.face);
        match (self, value.natural()) {
            (Self::Set { .. }, Some((_, suit))) => suit.index(),
            (Self::Set { .. }, None) => JOKER_KEY,
            (Self::Run { places, .. }, value) => {
                value.map_or(0, |(rank, _)| small((place_bits(rank) & places).trailing_zeros()))
            }
        }
    }

    /// The keys of its cards, in order.
    #[inline]
    fn keys(self) -> impl Iterator<Item = u8> {
        let (places, jokers) = match self {
            Self::Set { suits, jokers, .. } => (u16::from(suits), jokers),
            Self::Run { places, .. } => (places, 0),
        };
        bits(places).map(small).chain((0..jokers).map(|_| JOKER_KEY))
    }
}

/// Jokers come last in a set.
const JOKER_KEY: u8 = 4;

/// What lies at one place of a meld.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// This card.
    Natural(Card),
    /// A joker, for this card, or for any missing suit of a set.
    Joker(Option<Card>),
}

fn set_with(rank: Rank, mut suits: u8, mut jokers: u8, parts: &[Part]) -> Result<Shape, Flaw> {
    for part in parts {
        match (part.face.natural(), part.stands_for) {
            (None, None) if part.face.is_joker() => jokers = jokers.saturating_add(1),
            (None, Some(_)) if part.face.is_joker() => return Err(Flaw::JokerWithName),
            (_, Some(_)) => return Err(Flaw::NotAJoker(part.face)),
            (Some((r, suit)), None) if r == rank => {
                if suits & suit_bit(suit) != 0 {
                    return Err(Flaw::SuitTwice(suit));
                }
                suits |= suit_bit(suit);
            }
            (_, None) => return Err(Flaw::NoSetNoRun),
        }
    }
    let naturals = small(suits.count_ones());
    match naturals.saturating_add(jokers) {
        0..3 => Err(Flaw::TooShort),
        _ if jokers > naturals => Err(Flaw::TooManyJokers),
        3..=4 => Ok(Shape::Set { rank, suits, jokers }),
        _ => Err(Flaw::TooLong),
    }
}

fn run_with(suit: Suit, mut places: u16, mut jokers: u16, parts: &[Part]) -> Result<Shape, Flaw> {
    // An ace can lie at either end; which one only shows once the others lie.
    let mut ace = None;
    for part in parts {
        let value = match (part.face.is_joker(), part.stands_for) {
            (true, Some(card)) => card,
            (true, None) => return Err(Flaw::JokerWithoutName),
            (false, None) => part.face,
            (false, Some(_)) => return Err(Flaw::NotAJoker(part.face)),
        };
        let rank = match value.natural() {
            Some((rank, of)) if of == suit => rank,
            _ if part.face.is_joker() => return Err(Flaw::JokerWithoutName),
            _ => return Err(Flaw::NoSetNoRun),
        };
        let bit = place_bits(rank);
        if places & bit != 0 || (rank == Rank::Ace && ace.is_some()) {
            return Err(Flaw::CardTwice(value));
        }
        if rank == Rank::Ace {
            ace = Some(part.face.is_joker());
        } else {
            places |= bit;
            jokers |= if part.face.is_joker() { bit } else { 0 };
        }
    }
    let Some(joker) = ace else { return checked_run(suit, places, jokers) };
    let with_ace = |bit: u16| checked_run(suit, places | bit, jokers | if joker { bit } else { 0 });
    // With all thirteen ranks both ends fit; the low one is taken unless only the high one is legal.
    with_ace(ACE_LOW).or_else(|low| with_ace(ACE_HIGH).map_err(|high| if high == Flaw::Gap { low } else { high }))
}

fn checked_run(suit: Suit, places: u16, jokers: u16) -> Result<Shape, Flaw> {
    let len = places.count_ones();
    let from_bottom = places.checked_shr(places.trailing_zeros()).unwrap_or(0);
    if len < 3 {
        Err(Flaw::TooShort)
    } else if from_bottom & from_bottom.wrapping_add(1) != 0 {
        Err(Flaw::Gap)
    } else if len > 13 {
        Err(Flaw::TooLong)
    } else if jokers & (jokers << 1) != 0 {
        Err(Flaw::JokersSideBySide)
    } else if jokers.count_ones() * 2 > len {
        Err(Flaw::TooManyJokers)
    } else {
        Ok(Shape::Run { suit, places, jokers })
    }
}

const ACE_LOW: u16 = 1;
const ACE_HIGH: u16 = 1 << 13;

/// Where a rank can lie in a run: one place, for an ace two.
#[inline]
pub(super) const fn place_bits(rank: Rank) -> u16 {
    match rank {
        Rank::Ace => ACE_LOW | ACE_HIGH,
        _ => 2 << rank.index(),
    }
}

#[inline]
pub(super) const fn suit_bit(suit: Suit) -> u8 {
    1 << suit.index()
}

/// The card at a place of a run; none beyond the high ace.
#[inline]
pub(super) fn card_at(suit: Suit, place: u32) -> Option<Card> {
    let index = match place {
        0 => Rank::Ace.index(),
        _ => small(place - 1),
    };
    Rank::from_index(index).map(|rank| Card::new(rank, suit))
}

#[inline]
fn bits(set: u16) -> impl Iterator<Item = u32> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (bit < u16::BITS).then_some(bit)
    })
}

/// Counts of bits and places always fit.
#[inline]
fn small(n: u32) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

/// A meld on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Meld {
    pub(super) owner: Seat,
    pub(super) shape: Shape,
    /// In the order of [`Shape::cards`].
    pub(super) slots: Slots<LONGEST>,
}

impl Meld {
    /// A new meld.
    pub(super) fn new(owner: Seat, parts: &[Part]) -> Result<Self, Flaw> {
        let shape = Shape::new(parts)?;
        Ok(Self { owner, shape, slots: merged(core::iter::empty(), shape, parts) })
    }

    /// The meld with these cards added.
    pub(super) fn with(&self, parts: &[Part]) -> Result<Self, Flaw> {
        let shape = self.shape.with(parts)?;
        let lying = self.shape.keys().zip(self.slots.iter());
        Ok(Self { owner: self.owner, shape, slots: merged(lying, shape, parts) })
    }

    /// The meld with a natural card in place of this joker, if it stands for that.
    pub(super) fn swapped(&self, card: Card, slot: Slot, joker: Slot) -> Option<Self> {
        if !self.jokers_for(card).any(|j| j == joker) {
            return None;
        }
        let shape = self.shape.swapped(card)?;
        let part = Part { slot, face: card, stands_for: None };
        let lying = self.shape.keys().zip(self.slots.iter()).filter(|(_, slot)| *slot != joker);
        Some(Self { owner: self.owner, shape, slots: merged(lying, shape, &[part]) })
    }

    /// The jokers that stand for this card: one of a run, any of a set.
    #[inline]
    pub(super) fn jokers_for(&self, card: Card) -> impl Iterator<Item = Slot> {
        let stands = self.shape.swapped(card).is_some();
        self.shape.cards().zip(self.slots.iter()).filter_map(move |(place, slot)| match place {
            Place::Joker(named) if stands && named.is_none_or(|named| named == card) => Some(slot),
            Place::Joker(_) | Place::Natural(_) => None,
        })
    }
}

/// The slots that lie there and the new ones, in order.
fn merged(lying: impl Iterator<Item = (u8, Slot)>, shape: Shape, parts: &[Part]) -> Slots<LONGEST> {
    let mut keyed = [(u8::MAX, Slot::default()); LONGEST];
    let added = parts.iter().map(|part| (shape.key(part), part.slot));
    keyed.iter_mut().zip(lying.chain(added)).for_each(|(place, with)| *place = with);
    // Stable, so that jokers of a set keep their order; unused places sort last.
    keyed.sort_by_key(|(key, _)| *key);
    keyed.iter().filter(|(key, _)| *key != u8::MAX).map(|(_, slot)| *slot).collect()
}
