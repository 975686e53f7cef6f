//! Cards as ciphertexts: ElGamal over points, and decks of them.
//!
//! A card is a point `M` that stands for it, encrypted under a key `Y` as `(c1, c2) = (rB, M + rY)`. The full
//! secret of `Y` gives `M = c2 - y·c1` back; a part of it gives a share. `(0, M)` is a ciphertext too, with
//! randomness 0: an open card that can be shuffled as it is.
//!
//! ```
//! use dealing::{Ciphertext, Deck, Secret, card_point};
//! use rand::SeedableRng;
//!
//! let rng = &mut rand::rngs::ChaCha20Rng::seed_from_u64(1);
//! let secret = Secret::random(rng);
//! let card = Ciphertext::encrypt(&secret.public(), card_point(b"52 cards", 7).point(), &Secret::random(rng));
//! assert_eq!(card.decrypt(&secret), *card_point(b"52 cards", 7).point());
//! assert_eq!(Deck::fresh(b"52 cards", 52)?.get(7), Some(&Ciphertext::open(card_point(b"52 cards", 7))));
//! # Ok::<(), dealing::Malformed>(())
//! ```

use sha2::{Digest, Sha256};

use crate::element::times_base;
use crate::{Element, Malformed, Point, Reader, Secret, Wire, write_counted};

/// The fewest cards in a deck: fewer cannot be shuffled.
pub const LEAST_CARDS: usize = 2;
/// The most cards in a deck: six packs with jokers, and room for a few more.
pub const MOST_CARDS: usize = 512;

/// An encrypted card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ciphertext {
    /// The randomness times the base point.
    pub c1: Element,
    /// The card's point and the randomness times the key.
    pub c2: Element,
}

impl Ciphertext {
    /// An open card: encrypted without randomness.
    pub fn open(card: Element) -> Self {
        Self { c1: Element::identity(), c2: card }
    }

    /// A card under a key.
    pub fn encrypt(key: &Element, card: &Point, randomness: &Secret) -> Self {
        let c2 = card + key.point() * randomness.scalar();
        Self { c1: times_base(randomness.scalar()).into(), c2: c2.into() }
    }

    /// The card, decrypted with the full secret of the key.
    pub fn decrypt(&self, secret: &Secret) -> Point {
        self.c2.point() - self.c1.point() * secret.scalar()
    }
}

impl Wire for Ciphertext {
    fn write(&self, out: &mut Vec<u8>) {
        self.c1.write(out);
        self.c2.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { c1: Element::read(from)?, c2: Element::read(from)? })
    }
}

/// The point that stands for a card of a pack. No relation between any two of them is known.
pub fn card_point(pack: &[u8], index: u16) -> Element {
    Element::hashed("fairdeal/card/v1", &[pack, &index.to_le_bytes()])
}

/// From 2 to 512 ciphertexts, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck(Vec<Ciphertext>);

impl Deck {
    /// These cards. Some may be open, as in a deck made from piles of cards already played.
    pub fn new(cards: Vec<Ciphertext>) -> Result<Self, Malformed> {
        if (LEAST_CARDS..=MOST_CARDS).contains(&cards.len()) {
            Ok(Self(cards))
        } else {
            Err(Malformed::Length { least: LEAST_CARDS, most: MOST_CARDS })
        }
    }

    /// The deck that every shuffle of a pack begins with: its cards, open and in order.
    pub fn fresh(pack: &[u8], len: u16) -> Result<Self, Malformed> {
        if usize::from(len) > MOST_CARDS {
            return Err(Malformed::Length { least: LEAST_CARDS, most: MOST_CARDS });
        }
        Self::new((0..len).map(|index| Ciphertext::open(card_point(pack, index))).collect())
    }

    /// The card in this place, counted from 0.
    pub fn get(&self, place: u16) -> Option<&Ciphertext> {
        self.0.get(usize::from(place))
    }

    /// How many cards it has.
    pub fn len(&self) -> u16 {
        u16::try_from(self.0.len()).expect("a deck has at most 512 cards")
    }

    /// Never: a deck has at least two cards.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Its cards in order.
    pub fn iter(&self) -> core::slice::Iter<'_, Ciphertext> {
        self.0.iter()
    }

    /// A hash of all of it.
    pub fn hash(&self) -> [u8; 32] {
        let mut bytes = b"fairdeal/deck/v1".to_vec();
        self.write(&mut bytes);
        Sha256::digest(bytes).into()
    }
}

impl<'a> IntoIterator for &'a Deck {
    type Item = &'a Ciphertext;
    type IntoIter = core::slice::Iter<'a, Ciphertext>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Wire for Deck {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.0, out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.counted(LEAST_CARDS, MOST_CARDS).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha20Rng;

    use super::*;
    use crate::{decode, encode};

    #[test]
    fn the_secret_decrypts_the_card() {
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let (secret, other, card) = (Secret::random(rng), Secret::random(rng), card_point(b"pack", 3));
        let closed = Ciphertext::encrypt(&secret.public(), card.point(), &Secret::random(rng));
        assert_eq!(closed.decrypt(&secret), *card.point());
        assert_ne!(closed.decrypt(&other), *card.point());
        assert_eq!(Ciphertext::open(card).decrypt(&other), *card.point());
    }

    #[test]
    fn cards_of_a_pack_and_of_two_packs_all_differ() {
        let points: std::collections::BTreeSet<Element> =
            (0..512).flat_map(|i| [card_point(b"one", i), card_point(b"two", i)]).collect();
        assert_eq!(points.len(), 1024);
    }

    #[test]
    fn a_deck_has_from_2_to_512_cards() {
        let refused = Err(Malformed::Length { least: 2, most: 512 });
        for len in [0, 1, 513, u16::MAX] {
            assert_eq!(Deck::fresh(b"pack", len), refused, "{len}");
        }
        let card = Ciphertext::open(card_point(b"pack", 0));
        for len in [0, 1, 513] {
            assert_eq!(Deck::new(vec![card; len]), refused, "{len}");
            let mut bytes = u16::try_from(len).unwrap().to_le_bytes().to_vec();
            (0..len).for_each(|_| card.write(&mut bytes));
            assert_eq!(decode::<Deck>(&bytes), refused, "{len}");
        }
        for len in [2, 512] {
            let deck = Deck::fresh(b"pack", len).unwrap();
            assert_eq!((deck.len(), deck.iter().len()), (len, usize::from(len)));
            assert_eq!(decode(&encode(&deck)), Ok(deck));
        }
    }

    #[test]
    fn a_deck_is_decoded_only_from_its_own_bytes() {
        let deck = Deck::fresh(b"pack", 5).unwrap();
        let bytes = encode(&deck);
        assert_eq!(bytes.len(), 2 + 5 * 64);
        for len in 0..bytes.len() {
            assert!(decode::<Deck>(&bytes[..len]).is_err(), "{len}");
        }
        assert_eq!(decode::<Deck>(&[&bytes[..], &[0]].concat()), Err(Malformed::Trailing));
        // 2^255 - 19 is zero written differently, and the largest field element is not a point.
        let mut zero = [0xff; 32];
        (zero[0], zero[31]) = (0xed, 0x7f);
        for bad in [zero, [0xff; 32]] {
            let mut bytes = bytes.clone();
            bytes[2..34].copy_from_slice(&bad);
            assert_eq!(decode::<Deck>(&bytes), Err(Malformed::Point));
        }
    }

    #[test]
    fn the_hash_of_a_deck_depends_on_order_and_cards() {
        let deck = Deck::fresh(b"pack", 3).unwrap();
        let turned = Deck::new(deck.iter().rev().copied().collect()).unwrap();
        assert_ne!(deck.hash(), turned.hash());
        assert_ne!(deck.hash(), Deck::fresh(b"pack", 4).unwrap().hash());
        assert_eq!(deck.hash(), deck.clone().hash());
    }
}
