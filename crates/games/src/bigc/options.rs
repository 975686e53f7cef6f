//! The hands a seat can play, found without trying every five of its cards.
//!
//! Singles, pairs and triples are all found. Of five cards there can be thousands, so they are built class by
//! class in `fives.rs`: at least one of every class and key, and of every kind of footstool that it can make.
//! Whatever is built is classed and compared like any other hand before it counts.

use std::collections::BTreeSet;

use cards::Card;
use table::{Draw, Slot};

use super::score::place;
use super::{Class, Few, Footstool, Hand, classify, on_top};
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
    pub(super) naturals: Vec<Natural>,
    jokers: Vec<Slot>,
    /// Where each rank begins among the naturals, three being the first, and where the last one ends.
    starts: [usize; 14],
    pub(super) beat: Option<Hand>,
    pub(super) two_joker_triple_low: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Natural {
    slot: Slot,
    card: Card,
    pub(super) place: u8,
}

impl Natural {
    pub(super) fn rank(self) -> u8 {
        self.place.saturating_sub(1) / 4
    }

    pub(super) fn suit(self) -> u8 {
        self.place.saturating_sub(1) % 4
    }
}

/// Cards being put together.
#[derive(Clone, Copy)]
pub(super) struct Build {
    slots: Few,
    cards: [Card; 5],
}

impl Build {
    pub(super) const NONE: Self = Self { slots: Few::NONE, cards: [Card::JOKER; 5] };

    pub(super) fn with(mut self, naturals: &[Natural]) -> Self {
        for natural in naturals {
            if let Some(card) = self.cards.get_mut(usize::from(self.slots.len())) {
                *card = natural.card;
            }
            self.slots.push(natural.slot);
        }
        self
    }

    pub(super) fn with_jokers(mut self, jokers: &[Slot]) -> Self {
        jokers.iter().for_each(|slot| {
            self.slots.push(*slot);
        });
        self
    }

    /// How many so far.
    pub(super) fn len(&self) -> usize {
        usize::from(self.slots.len())
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
        match size {
            1..=3 => self.of_one_rank(usize::from(size), &mut |build| {
                self.try_build(build, &mut found);
            }),
            5 => {
                let least = self.beat.map_or(Class::TwoPair, |beat| beat.class());
                self.each_five(least, &mut |build, class| self.try_five(build, class, &mut found));
            }
            _ => {}
        }
    }

    /// Up to `most` different hands that can be played now, those of fewer cards first. Where there are more,
    /// every class and every kind of footstool is among them.
    pub fn list(&self, most: usize) -> Vec<Playable> {
        let mut list = Vec::new();
        let mut seen = BTreeSet::new();
        for size in [1, 2, 3, 5] {
            self.each(size, |playable| {
                let mut faces = playable.cards.as_slice().iter().filter_map(|slot| self.card(*slot)).map(Card::code);
                let mut codes = [0; 5].map(|none| faces.next().unwrap_or(none));
                codes.sort_unstable();
                if seen.insert(codes) {
                    list.push(playable);
                }
            });
        }
        if list.len() > most {
            let mut kinds = BTreeSet::new();
            let kind = |playable: &Playable| (playable.hand.class(), playable.footstool);
            let (mut kept, rest): (Vec<_>, Vec<_>) =
                list.into_iter().partition(|playable| kinds.insert(kind(playable)));
            kept.extend(rest.into_iter().take(most.saturating_sub(kept.len())));
            kept.truncate(most);
            kept.sort_by_key(|playable| playable.cards.len());
            list = kept;
        }
        list
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
        self.try_build(build.with_jokers(rest), &mut |playable| chosen = Some(playable));
        chosen.filter(|playable| playable.cards.len() == 5)
    }

    pub(super) fn of_rank(&self, rank: u8) -> &[Natural] {
        match self.starts.get(usize::from(rank)..) {
            Some([start, end, ..]) => self.naturals.get(*start..*end).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The ranks in the hand, with their cards.
    pub(super) fn ranks(&self) -> impl Iterator<Item = &[Natural]> {
        self.naturals.chunk_by(|a, b| a.rank() == b.rank())
    }

    /// This many jokers, if there are.
    pub(super) fn some_jokers(&self, n: usize) -> Option<&[Slot]> {
        self.jokers.get(..n)
    }

    /// Singles, pairs and triples, jokers included: all of them but for the choice between equal faces.
    fn of_one_rank(&self, size: usize, check: &mut dyn FnMut(Build)) {
        for rank in self.ranks() {
            for naturals in 1..=size.min(rank.len()) {
                let Some(jokers) = self.some_jokers(size - naturals) else { continue };
                subsets(rank, naturals, Build::NONE, &mut |build: Build| check(build.with_jokers(jokers)));
            }
        }
    }

    /// Hands on what was built if it can be played; says what it is.
    fn try_build(&self, build: Build, found: &mut impl FnMut(Playable)) -> Option<Class> {
        let hand = classify(build.cards()).ok()?;
        let footstool = match &self.beat {
            None => Some(Footstool::None),
            Some(beat) => on_top(&hand, beat, self.two_joker_triple_low),
        };
        if let Some(footstool) = footstool {
            found(Playable { cards: build.slots, hand, footstool });
        }
        Some(hand.class())
    }

    /// The same, if it is of the class that it was built for.
    fn try_five(&self, build: Build, class: Class, found: &mut impl FnMut(Playable)) -> bool {
        self.try_build(build, &mut |playable| {
            if playable.hand.class() == class {
                found(playable);
            }
        }) == Some(class)
    }
}

/// All ways to take `n` of these, equal faces being taken from the front.
pub(super) fn subsets(of: &[Natural], n: usize, build: Build, check: &mut dyn FnMut(Build)) {
    if n == 0 {
        return check(build);
    }
    let mut before = None;
    for (i, natural) in of.iter().enumerate() {
        if before != Some(natural.place) {
            subsets(of.get(i + 1..).unwrap_or(&[]), n - 1, build.with(core::slice::from_ref(natural)), &mut *check);
        }
        before = Some(natural.place);
    }
}
