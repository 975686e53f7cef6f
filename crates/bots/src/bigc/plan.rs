//! A plan: all cards of a hand, grouped into hands to play one after another.
//!
//! The best plan is the one that costs the fewest turns, as [`Scale`] counts them. Hands of five come first;
//! the rest is played by rank.

use games::bigc::{Class, Hand};

use super::bag::{Bag, Place, hand_of, rank};
use super::scale::Scale;

/// The cost of a joker that goes with nothing.
const STUCK: f32 = 1.5;
/// The most hands of five in a plan.
const DEEPEST: usize = 4;

/// Cards that are played together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Group {
    cards: [Place; 5],
    pub(super) len: u8,
    pub(super) hand: Hand,
    /// The chance that nobody beats it.
    pub(super) strength: f32,
    pub(super) cost: f32,
}

impl Group {
    /// These cards, if they are a hand.
    pub(super) fn new(places: &[Place], scale: &Scale) -> Option<Self> {
        let hand = hand_of(places)?;
        let mut cards = [0; 5];
        cards.iter_mut().zip(places).for_each(|(to, place)| *to = *place);
        let len = hand.class().size();
        Some(Self { cards, len, hand, strength: scale.strength_of(&hand), cost: scale.cost_of(&hand) })
    }

    pub(super) fn places(&self) -> &[Place] {
        self.cards.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

/// How to play a hand.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Plan {
    pub(super) groups: Vec<Group>,
    /// Jokers that go with nothing.
    pub(super) jokers: u8,
    /// Turns that it costs.
    pub(super) cost: f32,
}

impl Plan {
    /// The best plan found, following `wide` options at each step.
    pub(super) fn new(bag: &Bag, scale: &Scale, wide: usize) -> Self {
        let mut best: (f32, Vec<[Place; 5]>) = (by_rank(bag, scale, |_| {}), Vec::new());
        let mut front: Vec<(f32, Bag, Vec<[Place; 5]>)> = vec![(0.0, *bag, Vec::new())];
        for _ in 0..DEEPEST {
            let mut next: Vec<(f32, f32, Bag, Vec<[Place; 5]>)> = Vec::new();
            for (spent, bag, fives) in &front {
                bag.fives(|five| {
                    let (Some(rest), Some(hand)) = (bag.without(&five), hand_of(&five)) else { return };
                    let spent = spent + scale.cost_of(&hand);
                    let whole = spent + by_rank(&rest, scale, |_| {});
                    let worst = if next.len() < wide { None } else { next.last().map(|last| last.0) };
                    if worst.is_some_and(|worst| whole >= worst) || next.iter().any(|(_, _, bag, _)| *bag == rest) {
                        return;
                    }
                    let mut fives = fives.clone();
                    fives.push(five);
                    let at = next.partition_point(|(other, ..)| *other <= whole);
                    next.insert(at, (whole, spent, rest, fives));
                    next.truncate(wide);
                });
            }
            if let Some((whole, _, _, fives)) = next.first().filter(|(whole, ..)| *whole < best.0) {
                best = (*whole, fives.clone());
            }
            if next.is_empty() {
                break;
            }
            front = next.into_iter().map(|(_, spent, bag, fives)| (spent, bag, fives)).collect();
        }
        let mut rest = *bag;
        let mut groups: Vec<Group> = Vec::with_capacity(16);
        for five in &best.1 {
            five.iter().for_each(|place| {
                rest.take(*place);
            });
            groups.extend(Group::new(five, scale));
        }
        let mut jokers = rest.jokers();
        by_rank(&rest, scale, |places| {
            jokers -= places.iter().filter(|place| **place == 0).count() as u8;
            groups.extend(Group::new(places, scale));
        });
        Self { groups, jokers, cost: best.0 }
    }

    /// Adds a card to the plan, with others of its rank if there are any.
    pub(super) fn add(&mut self, place: Place, scale: &Scale) {
        let fits = |group: &&mut Group| {
            let few = matches!(group.hand.class(), Class::Single | Class::Pair);
            few && (place == 0 || rank(group.hand.high()) == rank(place))
        };
        let beside = self.groups.iter_mut().filter(fits).max_by(|a, b| a.cost.total_cmp(&b.cost));
        let grown = beside.and_then(|group| {
            let mut cards = group.cards;
            *cards.get_mut(usize::from(group.len))? = place;
            *group = Group::new(cards.get(..=usize::from(group.len))?, scale)?;
            Some(())
        });
        if grown.is_none() {
            match Group::new(&[place], scale) {
                Some(single) => self.groups.push(single),
                None => self.jokers += 1,
            }
        }
    }
}

/// The cost of playing these cards by rank; calls `found` with each hand.
fn by_rank(bag: &Bag, scale: &Scale, mut found: impl FnMut(&[Place])) -> f32 {
    let mut jokers = bag.jokers();
    let mut cost = 0.0;
    let mut put = |places: &[Place]| {
        let high = places.iter().copied().max().unwrap_or(0);
        let class = match places.len() {
            1 => Class::Single,
            2 => Class::Pair,
            _ => Class::Triple,
        };
        cost += scale.cost(class, high);
        found(places);
    };
    for rank in 0u8..13 {
        let n = bag.in_rank(rank);
        if n == 0 {
            continue;
        }
        let mut cards = bag.rank_places(rank);
        let mut left = n;
        while left > 0 {
            // Four cards make two pairs; otherwise triples come first.
            let size = if left == 4 || left == 2 { 2 } else { left.min(3) };
            let mut group = [0; 3];
            group.iter_mut().take(usize::from(size)).for_each(|to| *to = cards.next().unwrap_or(0));
            left -= size;
            // Jokers go with the lowest singles first, then with pairs.
            let extra = usize::from(jokers > 0 && size < 3);
            jokers -= extra as u8;
            put(group.get(..usize::from(size) + extra).unwrap_or(&[]));
        }
    }
    cost + STUCK * f32::from(jokers)
}
