//! The hands a seat can play, found without trying every five of its cards.
//!
//! Singles, pairs and triples are all found. Of five cards there can be thousands, so they are built class
//! by class from the ranks and suits in the hand, with a few variants each (lowest and highest cards,
//! cheapest fifth card). Whatever is built is classed and compared like any other hand before it counts.

use cards::Card;
use table::{Draw, Slot};

use super::class::straights;
use super::score::place;
use super::{Few, Footstool, Hand, classify, on_top};
use crate::Held;

/// A hand a seat can play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playable {
    /// The cards to lay down.
    pub cards: Few,
    /// What they are.
    pub hand: Hand,
    /// What they do to the hand on the table.
    pub footstool: Footstool,
}

/// The cards of a seat in its turn, and what they must beat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Everything but jokers, in card order.
    naturals: Vec<Natural>,
    jokers: Vec<Slot>,
    /// Where each rank begins among the naturals, three being the first, and where the last one ends.
    starts: [usize; 14],
    beat: Option<Hand>,
    pub(super) two_joker_triple_low: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Natural {
    slot: Slot,
    card: Card,
    place: u8,
}

impl Natural {
    fn rank(self) -> u8 {
        self.place.saturating_sub(1) / 4
    }

    fn suit(self) -> u8 {
        self.place.saturating_sub(1) % 4
    }
}

/// Cards being put together.
#[derive(Clone, Copy)]
struct Build {
    slots: Few,
    cards: [Card; 5],
}

impl Build {
    const NONE: Self = Self { slots: Few::NONE, cards: [Card::JOKER; 5] };

    fn with(mut self, naturals: &[Natural]) -> Self {
        for natural in naturals {
            if let Some(card) = self.cards.get_mut(usize::from(self.slots.len())) {
                *card = natural.card;
            }
            self.slots.push(natural.slot);
        }
        self
    }

    fn with_jokers(mut self, jokers: &[Slot]) -> Self {
        jokers.iter().for_each(|slot| {
            self.slots.push(*slot);
        });
        self
    }

    fn cards(&self) -> &[Card] {
        self.cards.get(..usize::from(self.slots.len())).unwrap_or(&[])
    }
}

impl Options {
    /// The options of a hand against the one on the table.
    pub(super) fn new(hand: impl Iterator<Item = Held>, beat: Option<Hand>, two_joker_triple_low: bool) -> Self {
        let mut naturals = Vec::with_capacity(24);
        let mut jokers = Vec::new();
        for held in hand {
            match held.card {
                Some(card) if card.is_joker() => jokers.push(held.slot),
                Some(card) => naturals.push(Natural { slot: held.slot, card, place: place(card) }),
                None => {}
            }
        }
        naturals.sort_unstable_by_key(|natural| natural.place);
        let mut starts = [0; 14];
        for natural in &naturals {
            starts.iter_mut().skip(usize::from(natural.rank()) + 1).for_each(|start| *start += 1);
        }
        Self { naturals, jokers, starts, beat, two_joker_triple_low }
    }

    /// The hand to beat; absent for a chooser.
    pub const fn beat(&self) -> Option<&Hand> {
        self.beat.as_ref()
    }

    /// Has the seat a card that is no joker?
    pub fn has_naturals(&self) -> bool {
        !self.naturals.is_empty()
    }

    /// Calls `found` with hands of 1, 2, 3 or 5 cards that can be played now.
    pub fn each(&self, size: u8, mut found: impl FnMut(Playable)) {
        if self.beat.is_some_and(|beat| beat.class().size() != size) {
            return;
        }
        let mut check = |build: Build| {
            found_if_legal(self, build, &mut found);
        };
        match size {
            1..=3 => self.of_one_rank(usize::from(size), &mut check),
            5 => {
                self.kinds(&mut check);
                self.two_ranks(&mut check);
                self.rows(&mut check);
                self.flushes(&mut check);
            }
            _ => {}
        }
    }

    /// Up to `most` different hands that can be played now, those of fewer cards first.
    pub fn list(&self, most: usize) -> Vec<Playable> {
        let mut list: Vec<(Playable, Vec<Card>)> = Vec::new();
        for size in [1, 2, 3, 5] {
            self.each(size, |playable| {
                if list.len() < most {
                    let mut faces: Vec<Card> = playable.cards.iter().filter_map(|slot| self.card(slot)).collect();
                    faces.sort_unstable();
                    if !list.iter().any(|(_, before)| *before == faces) {
                        list.push((playable, faces));
                    }
                }
            });
        }
        list.into_iter().map(|(playable, _)| playable).collect()
    }

    /// The face of a card in the hand.
    pub fn card(&self, slot: Slot) -> Option<Card> {
        let natural = self.naturals.iter().find(|natural| natural.slot == slot).map(|natural| natural.card);
        natural.or_else(|| self.jokers.contains(&slot).then_some(Card::JOKER))
    }

    /// Any one hand of this size, every one that is found having the same chance.
    pub(super) fn any(&self, size: u8, draw: &mut impl Draw) -> Option<Playable> {
        let (mut chosen, mut seen) = (None, 0);
        self.each(size, |playable| {
            seen += 1;
            if draw.one_in(seen) {
                chosen = Some(playable);
            }
        });
        chosen
    }

    /// Five cards at random, if they happen to be a hand: reaches those that [`Options::each`] leaves out.
    pub(super) fn lucky_five(&self, draw: &mut impl Draw) -> Option<Playable> {
        let jokers = self.jokers.len().min(2);
        let mut build = Build::NONE;
        let mut left = u32::try_from(self.naturals.len() + jokers).unwrap_or(0);
        let mut wanted = 5;
        for natural in &self.naturals {
            if draw.below(left) < wanted {
                build = build.with(&[*natural]);
                wanted -= 1;
            }
            left -= 1;
        }
        let rest = self.jokers.get(..usize::try_from(wanted).unwrap_or(0)).unwrap_or(&[]);
        let mut chosen = None;
        found_if_legal(self, build.with_jokers(rest), &mut |playable| chosen = Some(playable));
        chosen.filter(|playable| playable.cards.len() == 5)
    }

    fn of_rank(&self, rank: u8) -> &[Natural] {
        match self.starts.get(usize::from(rank)..) {
            Some([start, end, ..]) => self.naturals.get(*start..*end).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The ranks in the hand, with their cards.
    fn ranks(&self) -> impl Iterator<Item = &[Natural]> {
        self.naturals.chunk_by(|a, b| a.rank() == b.rank())
    }

    /// The lowest card of a rank other than these.
    fn spare(&self, not: [u8; 2]) -> &[Natural] {
        let at = self.naturals.iter().position(|natural| !not.contains(&natural.rank()));
        at.and_then(|at| self.naturals.get(at..=at)).unwrap_or(&[])
    }

    /// This many jokers, if there are.
    fn some_jokers(&self, n: usize) -> Option<&[Slot]> {
        self.jokers.get(..n)
    }

    /// Singles, pairs and triples, jokers included: all of them but for the choice between equal faces.
    fn of_one_rank(&self, size: usize, check: &mut impl FnMut(Build)) {
        for rank in self.ranks() {
            for naturals in 1..=size.min(rank.len()) {
                let Some(jokers) = self.some_jokers(size - naturals) else { continue };
                subsets(rank, naturals, Build::NONE, &mut |build: Build| check(build.with_jokers(jokers)));
            }
        }
    }

    /// Four and five of a kind.
    fn kinds(&self, check: &mut impl FnMut(Build)) {
        for rank in self.ranks() {
            let number = rank.first().map_or(0, |natural| natural.rank());
            let spare = self.spare([number; 2]);
            for size in [4, 5] {
                for naturals in 1..=size.min(rank.len()) {
                    let Some(jokers) = self.some_jokers(size - naturals) else { continue };
                    for end in [naturals, rank.len()] {
                        let part = Build::NONE.with(rank.get(end - naturals..end).unwrap_or(&[]));
                        let spare = if size == 4 { spare } else { &[] };
                        check(part.with(spare).with_jokers(jokers));
                    }
                }
            }
        }
    }

    /// Full houses and two pair.
    fn two_ranks(&self, check: &mut impl FnMut(Build)) {
        for (i, low) in self.ranks().enumerate() {
            for high in self.ranks().skip(i + 1) {
                let number = |rank: &[Natural]| rank.first().map_or(0, |natural| natural.rank());
                let spare = self.spare([number(low), number(high)]);
                // Each part of so many naturals, with jokers where one is missing.
                for (lows, highs, jokers, spares) in
                    [(3, 2, 0, 0), (2, 3, 0, 0), (2, 2, 1, 0), (2, 2, 0, 1), (1, 2, 1, 1), (2, 1, 1, 1), (1, 1, 2, 1)]
                {
                    let parts = low.first_chunk_of(lows).zip(high.first_chunk_of(highs));
                    let (Some((a, b)), Some(jokers)) = (parts, self.some_jokers(jokers)) else { continue };
                    let spare = if spares > 0 { spare } else { &[] };
                    check(Build::NONE.with(a).with(b).with(spare).with_jokers(jokers));
                    let (top_a, top_b) = (low.last_chunk_of(lows), high.last_chunk_of(highs));
                    if (top_a, top_b) != (Some(a), Some(b)) {
                        let (top_a, top_b) = (top_a.unwrap_or(a), top_b.unwrap_or(b));
                        check(Build::NONE.with(top_a).with(top_b).with(spare).with_jokers(jokers));
                    }
                }
            }
        }
    }

    /// Straights, and straights of one suit.
    fn rows(&self, check: &mut impl FnMut(Build)) {
        for straight in straights() {
            let ranks = (0..13u8).filter(|rank| straight & (1 << rank) != 0).map(|rank| self.of_rank(rank));
            let missing = ranks.clone().filter(|rank| rank.is_empty()).count();
            let Some(jokers) = self.some_jokers(missing) else { continue };
            let lowest = ranks.clone().filter_map(|rank| rank.first_chunk_of(1));
            check(lowest.fold(Build::NONE, Build::with).with_jokers(jokers));
            let highest = ranks.clone().filter_map(|rank| rank.last_chunk_of(1));
            check(highest.fold(Build::NONE, Build::with).with_jokers(jokers));
            for suit in 0..4 {
                let of_suit = ranks.clone().filter_map(|rank| rank.iter().find(|natural| natural.suit() == suit));
                let build = of_suit.fold(Build::NONE, |build, natural| build.with(&[*natural]));
                if let Some(jokers) = self.some_jokers(usize::from(5 - build.slots.len())) {
                    check(build.with_jokers(jokers));
                }
            }
        }
    }

    /// Flushes, one for each high card at least.
    fn flushes(&self, check: &mut impl FnMut(Build)) {
        for suit in 0..4 {
            let of_suit: Vec<Natural> = self.naturals.iter().filter(|n| n.suit() == suit).copied().collect();
            for naturals in 3..=5 {
                let Some(jokers) = self.some_jokers(5 - naturals) else { continue };
                of_suit.windows(naturals).for_each(|cards| check(Build::NONE.with(cards).with_jokers(jokers)));
            }
        }
    }
}

/// Hands on what was built if it can be played.
fn found_if_legal(options: &Options, build: Build, found: &mut impl FnMut(Playable)) {
    let Ok(hand) = classify(build.cards()) else { return };
    let footstool = match &options.beat {
        None => Some(Footstool::None),
        Some(beat) => on_top(&hand, beat, options.two_joker_triple_low),
    };
    if let Some(footstool) = footstool {
        found(Playable { cards: build.slots, hand, footstool });
    }
}

/// All ways to take `n` of these, equal faces being taken from the front.
fn subsets(of: &[Natural], n: usize, build: Build, check: &mut impl FnMut(Build)) {
    if n == 0 {
        return check(build);
    }
    let mut before = None;
    for (i, natural) in of.iter().enumerate() {
        if before != Some(natural.place) {
            subsets(of.get(i + 1..).unwrap_or(&[]), n - 1, build.with(&[*natural]), &mut *check);
        }
        before = Some(natural.place);
    }
}

/// The first or last few of a list.
trait Chunk {
    fn first_chunk_of(&self, n: usize) -> Option<&[Natural]>;
    fn last_chunk_of(&self, n: usize) -> Option<&[Natural]>;
}

impl Chunk for [Natural] {
    fn first_chunk_of(&self, n: usize) -> Option<&[Natural]> {
        self.get(..n)
    }
    fn last_chunk_of(&self, n: usize) -> Option<&[Natural]> {
        self.get(self.len().checked_sub(n)?..)
    }
}
