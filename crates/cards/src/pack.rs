//! Which cards a game is played with.
//!
//! A pack lists its cards in ascending order of their ids, `copy * 55 + base`: the 52 naturals of
//! the first copy, its jokers (base 52 to 54), the naturals of the second copy, and so on. An
//! *index* counts the cards of the pack without gaps; an *id* leaves room for absent jokers.

use serde::{Deserialize, Serialize};

use crate::{Card, PhysicalCard};

/// The cards a game is played with, before any shuffle.
///
/// ```
/// use cards::{Card, Pack};
///
/// let double = Pack::cards(2, 3).ok_or("no such pack")?;
/// assert_eq!(double.len(), 107);
/// assert_eq!(double.face(53), Some(Card::JOKER));
/// assert_eq!(double.id(54), Some(55));
/// assert_eq!(double.physical(106).map(|card| card.to_string()), Some("JK#3".into()));
/// # Ok::<(), &str>(())
/// ```
///
/// The fields are public, and a pack may come from a file or a peer. No method panics on impossible numbers,
/// but play only with packs that are [valid](Pack::is_valid).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pack {
    /// Playing cards.
    Cards {
        /// Copies of the 52 natural cards, 1 to 8.
        decks: u8,
        /// Jokers in total, at most 3 for each copy. They are spread over the copies as evenly as
        /// possible; the earlier copies get one more.
        jokers: u8,
    },
    /// Lots with 1, 2, 3, … pips, one of each: a die, or straws to draw.
    Lots {
        /// The number of different lots, 1 to 63.
        faces: u8,
    },
}

impl Pack {
    /// One pack of 52 cards.
    pub const STANDARD: Pack = Pack::Cards { decks: 1, jokers: 0 };

    /// The pack of Ongdu: 52 cards and three jokers.
    pub const ONGDU: Pack = Pack::Cards { decks: 1, jokers: 3 };

    /// The most copies of the 52 natural cards.
    pub const MOST_DECKS: u8 = 8;

    /// The most jokers in one copy; an id leaves room for no more.
    const JOKERS_PER_COPY: u8 = 3;

    /// Natural cards in one copy.
    const NATURALS: u16 = 52;

    /// How far apart the ids of two copies of one card are.
    const ID_STRIDE: u16 = 55;

    /// A pack of `decks` copies (1 to 8) with `jokers` in total (at most 3 per copy).
    pub const fn cards(decks: u8, jokers: u8) -> Option<Pack> {
        Pack::Cards { decks, jokers }.checked()
    }

    /// A pack of `faces` (1 to 63) different lots.
    pub const fn lots(faces: u8) -> Option<Pack> {
        Pack::Lots { faces }.checked()
    }

    /// Whether [`Pack::cards`] and [`Pack::lots`] would accept these numbers.
    pub const fn is_valid(self) -> bool {
        match self {
            Pack::Cards { decks, jokers } => {
                decks >= 1 && decks <= Pack::MOST_DECKS && jokers <= decks.saturating_mul(Pack::JOKERS_PER_COPY)
            }
            Pack::Lots { faces } => faces >= 1 && faces <= Card::MOST_PIPS,
        }
    }

    /// How many cards there are.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a valid pack is never empty; see is_valid")]
    pub fn len(self) -> u16 {
        match self {
            Pack::Cards { decks, .. } => u16::from(decks) * Pack::NATURALS + u16::from(self.jokers()),
            Pack::Lots { faces } => u16::from(faces.min(Card::MOST_PIPS)),
        }
    }

    /// What is printed on the card at `index`.
    #[inline]
    pub fn face(self, index: u16) -> Option<Card> {
        self.place(index).map(|place| place.face)
    }

    /// The id of the card at `index`: `copy * 55 + base`. For lots it is the index itself.
    #[inline]
    pub fn id(self, index: u16) -> Option<u16> {
        let place = self.place(index)?;
        Some(u16::from(place.copy) * Pack::ID_STRIDE + place.base)
    }

    /// The card at `index` with its copy number: `7S#2`, or `JK#4` for the fourth joker by id.
    pub fn physical(self, index: u16) -> Option<PhysicalCard> {
        let place = self.place(index)?;
        let before = if place.face.is_joker() {
            let of_this_copy = u8::try_from(place.base.checked_sub(Pack::NATURALS)?).ok()?;
            self.jokers_before(place.copy).checked_add(of_this_copy)?
        } else {
            place.copy
        };
        Some(PhysicalCard { face: place.face, copy: before.checked_add(1)? })
    }

    /// All faces by ascending index.
    pub fn faces(self) -> impl Iterator<Item = Card> {
        (0..self.len()).filter_map(move |index| self.face(index))
    }

    /// How many cards have this face.
    #[inline]
    pub fn count(self, card: Card) -> u16 {
        match self {
            Pack::Cards { decks, .. } => match card.id52() {
                Some(_) => u16::from(decks),
                None if card.is_joker() => u16::from(self.jokers()),
                None => 0,
            },
            Pack::Lots { faces } => match card.pips() {
                Some(pips) => u16::from(pips >= 1 && pips <= faces),
                None => 0,
            },
        }
    }

    /// The pack itself, if its numbers are possible.
    const fn checked(self) -> Option<Pack> {
        if self.is_valid() { Some(self) } else { None }
    }

    /// Jokers in total. Any beyond three per copy have no id and do not count.
    #[inline]
    fn jokers(self) -> u8 {
        match self {
            Pack::Cards { decks, jokers } => jokers.min(decks.saturating_mul(Pack::JOKERS_PER_COPY)),
            Pack::Lots { .. } => 0,
        }
    }

    /// Jokers in the copies before this one.
    fn jokers_before(self, copy: u8) -> u8 {
        match self {
            Pack::Cards { decks, .. } => {
                let each = self.jokers().checked_div(decks).unwrap_or(0);
                let one_more = self.jokers().checked_rem(decks).unwrap_or(0);
                each.saturating_mul(copy).saturating_add(one_more.min(copy))
            }
            Pack::Lots { .. } => 0,
        }
    }

    /// Finds the card at `index`.
    #[inline]
    fn place(self, index: u16) -> Option<Place> {
        match self {
            Pack::Cards { decks, .. } => {
                let jokers = self.jokers();
                let small = Pack::NATURALS + u16::from(jokers.checked_div(decks)?);
                let large = small + 1;
                let large_copies = u16::from(jokers.checked_rem(decks)?);
                let in_large = large_copies * large;
                let (copy, base) = match index.checked_sub(in_large) {
                    None => (index / large, index % large),
                    Some(index) => (large_copies + index / small, index % small),
                };
                let copy = u8::try_from(copy).ok().filter(|copy| *copy < decks)?;
                let face = Card::from_code(u8::try_from(base.min(Pack::NATURALS)).ok()?)?;
                Some(Place { copy, base, face })
            }
            Pack::Lots { faces } => {
                let before = u8::try_from(index).ok().filter(|index| *index < faces)?;
                Some(Place { copy: 0, base: index, face: Card::lot(before.checked_add(1)?)? })
            }
        }
    }
}

/// Where a card is found in its pack.
struct Place {
    /// Which copy, counted from 0.
    copy: u8,
    /// Its number in the copy.
    base: u16,
    face: Card,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn valid_packs() -> impl Iterator<Item = Pack> {
        let cards = (0..=9).flat_map(|decks| (0..=30).map(move |jokers| (decks, jokers)));
        cards.filter_map(|(decks, jokers)| Pack::cards(decks, jokers)).chain((0..=80).filter_map(Pack::lots))
    }

    #[test]
    fn only_possible_packs_can_be_made() {
        assert_eq!(Pack::cards(1, 0), Some(Pack::STANDARD));
        assert_eq!(Pack::cards(1, 3), Some(Pack::ONGDU));
        assert_eq!(Pack::cards(1, 4), None);
        assert_eq!(Pack::cards(0, 0), None);
        assert_eq!(Pack::cards(9, 0), None);
        assert!(Pack::cards(8, 24).is_some());
        assert_eq!(Pack::lots(0), None);
        assert_eq!(Pack::lots(64), None);
        assert_eq!(valid_packs().count(), 8 + 3 * 36 + 63);
    }

    #[test]
    fn ids_ascend_and_no_physical_card_appears_twice() {
        for pack in valid_packs() {
            let indexes = 0..pack.len();
            let ids: Vec<u16> = indexes.clone().map(|i| pack.id(i).unwrap()).collect();
            assert!(ids.is_sorted_by(|a, b| a < b), "{pack:?}");
            let physical: BTreeSet<PhysicalCard> = indexes.map(|i| pack.physical(i).unwrap()).collect();
            assert_eq!(physical.len(), usize::from(pack.len()), "{pack:?}");
            assert_eq!(pack.face(pack.len()), None);
            assert_eq!(pack.id(pack.len()), None);
            assert_eq!(pack.physical(pack.len()), None);
        }
    }

    #[test]
    fn counts_agree_with_the_faces() {
        for pack in valid_packs() {
            let cards = (0..=u8::MAX).filter_map(Card::from_code);
            let counted = cards.map(|card| {
                let found = pack.faces().filter(|face| *face == card).count();
                assert_eq!(usize::from(pack.count(card)), found, "{card} in {pack:?}");
                pack.count(card)
            });
            assert_eq!(counted.sum::<u16>(), pack.len());
        }
    }

    #[test]
    fn earlier_copies_get_the_odd_jokers() {
        let pack = Pack::cards(3, 5).unwrap();
        let jokers: Vec<(u16, String)> = (0..pack.len())
            .filter(|i| pack.face(*i) == Some(Card::JOKER))
            .map(|i| (pack.id(i).unwrap(), pack.physical(i).unwrap().to_string()))
            .collect();
        let expected = [(52, "JK#1"), (53, "JK#2"), (107, "JK#3"), (108, "JK#4"), (162, "JK#5")];
        assert_eq!(jokers, expected.map(|(id, text)| (id, text.to_owned())));
    }

    #[test]
    fn a_standard_pack_is_the_naturals_in_order() {
        assert!(Pack::STANDARD.faces().eq(Card::naturals()));
        assert_eq!(Pack::STANDARD.id(51), Some(51));
        assert_eq!(Pack::ONGDU.len(), 55);
        assert_eq!(Pack::lots(6).unwrap().face(0), Card::lot(1));
        assert_eq!(Pack::lots(6).unwrap().face(5), Card::lot(6));
    }

    #[test]
    fn impossible_numbers_do_not_panic() {
        for a in 0..=u8::MAX {
            for b in [0, 1, 3, 4, 63, 64, 200, 255] {
                for pack in [Pack::Cards { decks: a, jokers: b }, Pack::Lots { faces: a }] {
                    assert_eq!(pack.faces().count(), usize::from(pack.len()), "{pack:?}");
                    for index in [0, 51, 52, 13_000, pack.len().saturating_sub(1), u16::MAX] {
                        let there = index < pack.len();
                        assert_eq!(pack.id(index).is_some(), there);
                        assert_eq!(pack.physical(index).is_some(), there, "{pack:?} {index}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_pack_is_written_as_its_numbers() {
        let text = serde_json::to_string(&Pack::ONGDU).unwrap();
        assert_eq!(text, r#"{"cards":{"decks":1,"jokers":3}}"#);
        assert_eq!(serde_json::from_str::<Pack>(&text).unwrap(), Pack::ONGDU);
    }
}
