//! A hand of cards as counts, and the hands of five that it holds.
//!
//! A card is its place in the order of Big-C, 1 to 52, or 0 for a joker; equal cards of several packs are
//! counted.

use cards::{Card, Rank, Suit};
use games::bigc::{Hand, classify};

/// A card by its place in the order, with 0 for a joker.
pub(super) type Place = u8;

/// Cards without an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bag {
    counts: [u8; 53],
    len: u16,
}

/// The rank of a card that is not a joker, with 0 for the three.
pub(super) const fn rank(place: Place) -> u8 {
    place.saturating_sub(1) / 4
}

const fn suit(place: Place) -> u8 {
    place.saturating_sub(1) % 4
}

/// The face at a place.
pub(super) fn face(place: Place) -> Card {
    let suit = match suit(place) {
        0 => Suit::Diamonds,
        1 => Suit::Clubs,
        2 => Suit::Hearts,
        _ => Suit::Spades,
    };
    let rank = if place == 0 { None } else { Rank::from_index((rank(place) + 1) % 13) };
    rank.map_or(Card::JOKER, |rank| Card::new(rank, suit))
}

/// The hand these cards make, if any.
pub(super) fn hand_of(places: &[Place]) -> Option<Hand> {
    let mut faces = [Card::JOKER; 5];
    faces.iter_mut().zip(places).for_each(|(to, place)| *to = face(*place));
    classify(faces.get(..places.len())?).ok()
}

impl Bag {
    /// No card.
    pub(super) const NONE: Self = Self { counts: [0; 53], len: 0 };

    pub(super) fn add(&mut self, place: Place) {
        if let Some(count) = self.counts.get_mut(usize::from(place)) {
            *count += 1;
            self.len += 1;
        }
    }

    /// Takes a card out; `false` if there is none.
    pub(super) fn take(&mut self, place: Place) -> bool {
        match self.counts.get_mut(usize::from(place)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                self.len -= 1;
                true
            }
            _ => false,
        }
    }

    /// The rest without these; `None` if one is missing.
    pub(super) fn without(&self, places: &[Place]) -> Option<Self> {
        let mut rest = *self;
        places.iter().all(|place| rest.take(*place)).then_some(rest)
    }

    pub(super) fn count(&self, place: Place) -> u8 {
        self.counts.get(usize::from(place)).copied().unwrap_or(0)
    }

    pub(super) const fn len(&self) -> u16 {
        self.len
    }

    pub(super) fn jokers(&self) -> u8 {
        self.count(0)
    }

    /// The number of cards at each of the four places of a rank.
    fn of_rank(&self, rank: u8) -> [u8; 4] {
        let first = usize::from(rank) * 4 + 1;
        self.counts.get(first..first + 4).and_then(|four| four.try_into().ok()).unwrap_or([0; 4])
    }

    /// How many cards of a rank.
    pub(super) fn in_rank(&self, rank: u8) -> u8 {
        self.of_rank(rank).iter().sum()
    }

    /// The cards of a rank, lowest first.
    pub(super) fn rank_places(&self, rank: u8) -> impl Iterator<Item = Place> {
        let four = self.of_rank(rank);
        (rank * 4 + 1..).zip(four).flat_map(|(place, n)| core::iter::repeat_n(place, usize::from(n)))
    }

    /// All cards, jokers first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Place> {
        (0u8..).zip(self.counts).flat_map(|(place, n)| core::iter::repeat_n(place, usize::from(n)))
    }

    /// Calls `found` with hands of five cards: for each kind those that break up the least.
    pub(super) fn fives(&self, mut found: impl FnMut([Place; 5])) {
        if self.len < 5 {
            return;
        }
        let mut sizes = [0u8; 13];
        (0u8..).zip(&mut sizes).for_each(|(rank, size)| *size = self.in_rank(rank));
        self.kinds(&sizes, &mut found);
        self.two_ranks(&sizes, &mut found);
        self.rows(&mut found);
        self.flushes(&sizes, &mut found);
    }

    /// The most expendable card of a rank other than these.
    fn spare(&self, sizes: &[u8; 13], not: [u8; 2]) -> Option<Place> {
        let ranks = (0u8..).zip(sizes).filter(|(rank, size)| **size > 0 && !not.contains(rank));
        let (rank, _) = ranks.min_by_key(|(rank, size)| (**size != 1, *rank))?;
        self.rank_places(rank).next()
    }

    fn kinds(&self, sizes: &[u8; 13], found: &mut impl FnMut([Place; 5])) {
        for (rank, size) in (0u8..).zip(sizes) {
            let mut cards = self.rank_places(rank);
            let mut five = [0; 5];
            let jokers = self.jokers().min(2);
            if size + jokers >= 5 && *size >= 3 {
                five.iter_mut().zip(cards).for_each(|(to, place)| *to = place);
                found(five);
            } else if size + jokers >= 4 && *size >= 2 {
                let Some(spare) = self.spare(sizes, [rank; 2]) else { continue };
                let naturals = usize::from((*size).min(4));
                five.iter_mut().take(naturals).for_each(|to| *to = cards.next().unwrap_or(0));
                if let Some(last) = five.last_mut() {
                    *last = spare;
                }
                found(five);
            }
        }
    }

    /// Full houses and two pair.
    fn two_ranks(&self, sizes: &[u8; 13], found: &mut impl FnMut([Place; 5])) {
        for (a, size_a) in (0u8..).zip(sizes).filter(|(_, size)| **size >= 2) {
            // The two lowest pairs are enough: others would only cost better cards.
            let others = (0u8..).zip(sizes).filter(|(b, size)| *b != a && **size >= 2);
            for (b, size_b) in others.take(3) {
                let pairs = self.rank_places(a).take(2).chain(self.rank_places(b).take(2));
                let mut five = [0; 5];
                five.iter_mut().zip(pairs).for_each(|(to, place)| *to = place);
                let fifth = if *size_a >= 3 {
                    self.rank_places(a).nth(2)
                } else if self.jokers() > 0 && *size_b == 2 {
                    Some(0)
                } else {
                    None
                };
                let mut put = |place| {
                    if let Some(last) = five.last_mut() {
                        *last = place;
                    }
                    found(five);
                };
                fifth.into_iter().for_each(&mut put);
                if *size_a == 2 && *size_b == 2 && a < b {
                    self.spare(sizes, [a, b]).into_iter().for_each(&mut put);
                }
            }
        }
    }

    fn rows(&self, found: &mut impl FnMut([Place; 5])) {
        for low in 0u8..11 {
            // From ace, two, three, four, five up: the two places below the three are ace and two.
            let ranks: [u8; 5] = core::array::from_fn(|i| (low + 11 + i as u8) % 13);
            let missing = ranks.iter().filter(|rank| self.in_rank(**rank) == 0).count();
            if missing <= usize::from(self.jokers().min(1)) {
                found(ranks.map(|rank| self.rank_places(rank).next().unwrap_or(0)));
            }
            for suit in 0u8..4 {
                let of_suit =
                    ranks.map(|rank| if self.count(rank * 4 + suit + 1) > 0 { rank * 4 + suit + 1 } else { 0 });
                let missing = of_suit.iter().filter(|place| **place == 0).count();
                if missing <= usize::from(self.jokers().min(2)) {
                    found(of_suit);
                }
            }
        }
    }

    /// Flushes: the lowest five, and those that break the fewest pairs.
    fn flushes(&self, sizes: &[u8; 13], found: &mut impl FnMut([Place; 5])) {
        for suit in 0u8..4 {
            let places = || (0u8..13).map(move |rank| rank * 4 + suit + 1).filter(|place| self.count(*place) > 0);
            let have = places().count();
            if have + usize::from(self.jokers().min(1)) < 5 {
                continue;
            }
            let take = |ordered: &mut dyn Iterator<Item = Place>| {
                let mut five = [0; 5];
                five.iter_mut().zip(ordered).for_each(|(to, place)| *to = place);
                five
            };
            let lowest = take(&mut places());
            found(lowest);
            let alone = |place: &Place| sizes.get(usize::from(rank(*place))).is_some_and(|size| *size == 1);
            let loose = take(&mut places().filter(alone).chain(places().filter(|place| !alone(place))));
            if loose != lowest {
                found(loose);
            }
        }
    }
}

impl FromIterator<Place> for Bag {
    fn from_iter<I: IntoIterator<Item = Place>>(iter: I) -> Self {
        let mut bag = Self::NONE;
        iter.into_iter().for_each(|place| bag.add(place));
        bag
    }
}
