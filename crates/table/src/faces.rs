//! What a player or a table knows about the faces of cards.

use cards::Card;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Seat, Slot};

/// Something in which the face of a slot can be looked up.
pub trait Look {
    /// The face, if it is known here.
    fn face(&self, slot: Slot) -> Option<Card>;
}

/// A partial map from slots to faces: the faces opened at a table, or those dealt to one seat.
///
/// Only a handful of decks are in use at a time, so they are kept in a short list of plain arrays. Memory is
/// reused from deal to deal.
#[derive(Clone, Default)]
pub struct Faces {
    /// In order of their numbers.
    decks: Vec<Deck>,
    /// Emptied decks, kept to reuse their memory.
    spare: Vec<Vec<Option<Card>>>,
}

#[derive(Clone)]
struct Deck {
    number: u32,
    cards: Vec<Option<Card>>,
}

impl Faces {
    /// Nothing known.
    #[inline]
    pub const fn new() -> Self {
        Self { decks: Vec::new(), spare: Vec::new() }
    }

    /// The face in a slot, if known.
    #[inline]
    pub fn get(&self, slot: Slot) -> Option<Card> {
        *self.deck(slot.deck)?.cards.get(usize::from(slot.index))?
    }

    /// The known faces of one deck, by place; for looking at many of its cards.
    #[inline]
    pub fn of_deck(&self, number: u32) -> &[Option<Card>] {
        self.deck(number).map_or(&[], |deck| &deck.cards)
    }

    #[inline]
    fn deck(&self, number: u32) -> Option<&Deck> {
        // It is nearly always the newest deck.
        match self.decks.last() {
            Some(last) if last.number == number => Some(last),
            _ => self.decks.iter().find(|d| d.number == number),
        }
    }

    /// Notes the face in a slot.
    #[inline]
    pub fn insert(&mut self, slot: Slot, card: Card) {
        *self.place(slot) = Some(card);
    }

    /// Where the face in a slot is noted.
    #[inline]
    fn place(&mut self, slot: Slot) -> &mut Option<Card> {
        let place = usize::from(slot.index);
        // It is nearly always the newest deck, which already has its full size.
        let at = match self.decks.last() {
            Some(last) if last.number == slot.deck && place < last.cards.len() => self.decks.len() - 1,
            _ => self.make_room(slot),
        };
        let deck = self.decks.get_mut(at).expect("the deck was found or made just now");
        deck.cards.get_mut(place).expect("the deck has room for this place")
    }

    /// The position of the slot's deck, which is grown to have room for it.
    #[cold]
    fn make_room(&mut self, slot: Slot) -> usize {
        let at = self.decks.iter().position(|d| d.number == slot.deck).unwrap_or_else(|| {
            let at = self.decks.partition_point(|d| d.number < slot.deck);
            let cards = self.spare.pop().unwrap_or_default();
            self.decks.insert(at, Deck { number: slot.deck, cards });
            at
        });
        if let Some(deck) = self.decks.get_mut(at) {
            // Whole packs at a time, so that a deck grows once, not card by card.
            let room = (usize::from(slot.index) + 1).next_multiple_of(64);
            deck.cards.resize(room.max(deck.cards.len()), None);
        }
        at
    }

    /// Forgets the face in a slot.
    pub fn remove(&mut self, slot: Slot) {
        let deck = self.decks.iter_mut().find(|d| d.number == slot.deck);
        if let Some(known) = deck.and_then(|d| d.cards.get_mut(usize::from(slot.index))) {
            *known = None;
        }
    }

    /// Forgets every deck with a number below `deck`.
    #[inline]
    pub fn forget_before(&mut self, deck: u32) {
        let spare = &mut self.spare;
        self.decks.retain_mut(|d| {
            let keep = d.number >= deck;
            if !keep {
                d.cards.clear();
                spare.push(core::mem::take(&mut d.cards));
            }
            keep
        });
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        self.forget_before(u32::MAX);
        self.decks.clear();
    }

    /// All known faces, in order of deck and place.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Slot, Card)> {
        self.decks
            .iter()
            .flat_map(|d| (0..u16::MAX).zip(&d.cards).filter_map(|(i, card)| Some((Slot::new(d.number, i), (*card)?))))
    }

    /// How many faces are known.
    #[inline]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether nothing is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl Look for Faces {
    #[inline]
    fn face(&self, slot: Slot) -> Option<Card> {
        self.get(slot)
    }
}

impl PartialEq for Faces {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Faces {}

impl core::fmt::Debug for Faces {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl FromIterator<(Slot, Card)> for Faces {
    fn from_iter<I: IntoIterator<Item = (Slot, Card)>>(iter: I) -> Self {
        let mut faces = Self::new();
        iter.into_iter().for_each(|(slot, card)| faces.insert(slot, card));
        faces
    }
}

impl Serialize for Faces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (slot, card) in self.iter() {
            map.serialize_entry(&slot, &card)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Faces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> serde::de::Visitor<'de> for Entries {
            type Value = Faces;
            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("a map from slots to cards")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Faces, A::Error> {
                let mut faces = Faces::new();
                while let Some((slot, card)) = map.next_entry::<Slot, Card>()? {
                    if slot.index >= MOST_PLACES || faces.decks.len() > MOST_DECKS {
                        return Err(serde::de::Error::custom(format!("no deck has a place {slot}")));
                    }
                    if faces.get(slot).is_some() {
                        return Err(serde::de::Error::custom(format!("slot {slot} is named twice")));
                    }
                    faces.insert(slot, card);
                }
                Ok(faces)
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// No deck is larger, so a file cannot make us allocate more.
const MOST_PLACES: u16 = 512;
/// No single step opens cards of more decks.
const MOST_DECKS: usize = 32;

/// Who is looking at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eye {
    /// A player.
    Seat(Seat),
    /// Everybody, including spectators.
    Public,
}

impl Eye {
    /// Whether it is this player.
    #[inline]
    pub fn is(self, seat: Seat) -> bool {
        self == Self::Seat(seat)
    }
}

/// The faces one viewer knows: the open ones, and those dealt to it alone.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Seen by everybody.
    pub open: &'a Faces,
    /// Seen by this seat alone; empty for spectators.
    pub own: &'a Faces,
}

static NOTHING: Faces = Faces::new();

impl<'a> Known<'a> {
    /// What everybody knows.
    #[inline]
    pub const fn public(open: &'a Faces) -> Self {
        Self { open, own: &NOTHING }
    }

    /// What everybody knows, and one seat's own cards.
    #[inline]
    pub const fn with(open: &'a Faces, own: &'a Faces) -> Self {
        Self { open, own }
    }

    /// The face in a slot, if this viewer has seen it.
    #[inline]
    pub fn face(&self, slot: Slot) -> Option<Card> {
        self.own.get(slot).or_else(|| self.open.get(slot))
    }
}

impl Look for Known<'_> {
    #[inline]
    fn face(&self, slot: Slot) -> Option<Card> {
        Known::face(self, slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_listed_by_deck_in_whatever_order_they_became_known() {
        let known = [(7, 3), (2, 60), (9, 0), (2, 1), (8, 64), (7, 0)];
        let mut faces: Faces =
            known.iter().map(|(deck, index)| (Slot::new(*deck, *index), "AS".parse().unwrap())).collect();
        let slots = |faces: &Faces| faces.iter().map(|(slot, _)| (slot.deck, slot.index)).collect::<Vec<_>>();
        assert_eq!(slots(&faces), [(2, 1), (2, 60), (7, 0), (7, 3), (8, 64), (9, 0)]);
        faces.forget_before(8);
        faces.insert(Slot::new(7, 5), "KH".parse().unwrap());
        assert_eq!(slots(&faces), [(7, 5), (8, 64), (9, 0)]);
        assert_eq!(faces.len(), 3);
    }
}
