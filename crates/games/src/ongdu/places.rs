//! Laying cards out before an arrangement is chosen: nine places in three layers of three, the top one first.
//!
//! This is for screens and pages; no rule depends on it. Places may come from a browser, so they
//! are only ever looked at together with a hand ([`Places::within`]).

use cards::Card;
use serde::{Deserialize, Serialize};
use table::Slot;

use super::{Arrangement, HandRank, Illegal, LayerRank, Preset, best_arrangement, rank_hand, rank_layer};
use crate::Held;

/// What can be taken back at most, so that it stays small enough to be sent about.
const MOST_UNDONE: usize = 16;

/// Where cards lie so far, and the place that was picked last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Places {
    at: [Option<Slot>; 9],
    /// Picked, to be exchanged with what is picked next.
    pub picked: Option<usize>,
}

/// The places with all that was done on them, so that it can be undone.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Laying {
    /// As they are.
    pub now: Places,
    before: Vec<Places>,
}

impl Laying {
    /// Something was done.
    pub fn change(&mut self, to: Places) {
        if to.at != self.now.at {
            let over = (self.before.len() + 1).saturating_sub(MOST_UNDONE);
            self.before.drain(..over.min(self.before.len()));
            self.before.push(self.now);
        }
        self.now = to;
    }

    /// Is there anything to take back?
    pub const fn can_undo(&self) -> bool {
        self.now.picked.is_some() || !self.before.is_empty()
    }

    /// Takes back what was done last with the cards of this hand.
    pub fn undo(&mut self, hand: &[Held]) {
        if self.now.picked.take().is_some() {
            return;
        }
        let now = self.now.within(hand);
        while let Some(before) = self.before.pop() {
            self.now = Places { picked: None, ..before };
            if self.now.within(hand) != now {
                return;
            }
        }
    }
}

impl Places {
    /// The places with nothing but cards of this hand, each once: those of earlier deals are gone.
    pub fn within(self, hand: &[Held]) -> Self {
        let mut places = Self { at: [None; 9], picked: self.picked.filter(|place| *place < self.at.len()) };
        for (to, slot) in self.at.into_iter().enumerate() {
            let own = slot.filter(|slot| hand.iter().any(|held| held.slot == *slot) && !places.has(*slot));
            if let (Some(slot), Some(at)) = (own, places.at.get_mut(to)) {
                *at = Some(slot);
            }
        }
        places
    }

    /// As an arrangement says.
    pub fn of(arrangement: &Arrangement) -> Self {
        let mut places = Self::default();
        for (place, slot) in places.at.iter_mut().zip(arrangement.layers().as_flattened()) {
            *place = Some(*slot);
        }
        places
    }

    /// The best way to lay these cards, and of ten the one to lay aside.
    pub fn best(hand: &[Held], preset: Preset) -> Option<(Option<Slot>, Self)> {
        let faces: Option<Vec<Card>> = hand.iter().map(|held| held.card).collect();
        let best = best_arrangement(&faces?, preset)?;
        let mut rest = hand.to_vec();
        let mut take = |card: Card| {
            let at = rest.iter().position(|held| held.card == Some(card))?;
            Some(rest.swap_remove(at).slot)
        };
        let discard = best.discard.and_then(&mut take);
        let mut places = Self::default();
        for (place, card) in places.at.iter_mut().zip(best.layers.as_flattened()) {
            *place = take(*card);
        }
        Some((discard, places))
    }

    /// The card on a place.
    pub fn card(&self, place: usize) -> Option<Slot> {
        self.at.get(place).copied().flatten()
    }

    /// Does the card lie somewhere?
    pub fn has(&self, slot: Slot) -> bool {
        self.at.contains(&Some(slot))
    }

    /// How many cards lie somewhere.
    pub fn count(&self) -> usize {
        self.at.iter().flatten().count()
    }

    /// Lays a card on a place. What lay there goes back to the hand, or to where the card came from.
    pub fn put(&mut self, slot: Slot, place: usize) {
        let from = self.at.iter().position(|at| *at == Some(slot));
        let was = self.card(place);
        if let Some(from) = from.and_then(|from| self.at.get_mut(from)) {
            *from = was;
        }
        if let Some(to) = self.at.get_mut(place) {
            *to = Some(slot);
        }
    }

    /// Exchanges what lies on two places.
    pub fn swap(&mut self, a: usize, b: usize) {
        if a < self.at.len() && b < self.at.len() {
            self.at.swap(a, b);
        }
    }

    /// Lays cards on the free places of a layer; how many found none.
    pub fn fill(&mut self, layer: usize, slots: &[Slot]) -> usize {
        let mut left = slots.iter();
        for place in layer * 3..layer * 3 + 3 {
            if self.card(place).is_none() {
                let Some(slot) = left.next() else { break };
                self.put(*slot, place);
            }
        }
        left.len()
    }

    /// Takes the card on a place back.
    pub fn take_back(&mut self, place: usize) {
        if let Some(at) = self.at.get_mut(place) {
            *at = None;
        }
    }

    /// Takes all cards back.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The cards of a layer.
    pub fn layer(&self, layer: usize) -> [Option<Slot>; 3] {
        [0, 1, 2].map(|n| self.card(layer * 3 + n))
    }

    /// The faces of a layer, if it is complete.
    fn faces(&self, layer: usize, hand: &[Held]) -> Option<[Card; 3]> {
        let [a, b, c] = self.layer(layer).map(|slot| face(hand, slot?));
        Some([a?, b?, c?])
    }

    /// How good a layer is, once it is complete.
    pub fn rank(&self, layer: usize, hand: &[Held], preset: Preset) -> Option<LayerRank> {
        rank_layer(self.faces(layer, hand)?, preset)
    }

    /// How good everything is, once it is complete.
    pub fn whole(&self, hand: &[Held], preset: Preset) -> Option<HandRank> {
        rank_hand([self.faces(0, hand)?, self.faces(1, hand)?, self.faces(2, hand)?], preset)
    }

    /// Two complete layers in the wrong order, if there are any: the upper one is better.
    pub fn disorder(&self, hand: &[Held], preset: Preset) -> Option<(usize, usize)> {
        let rank = |layer| self.rank(layer, hand, preset);
        [(0, 1), (1, 2), (0, 2)].into_iter().find(|(upper, lower)| match (rank(*upper), rank(*lower)) {
            (Some(upper), Some(lower)) => upper > lower,
            _ => false,
        })
    }

    /// A place is chosen while these cards are marked: they are laid there, or the place is picked, or what lies
    /// there is exchanged with what was picked before. Gives the cards that found no place.
    pub fn choose(&mut self, place: usize, marked: &[Slot]) -> Vec<Slot> {
        let place = place.min(self.at.len() - 1);
        match (marked.split_first(), self.picked.take()) {
            (Some((first, others)), _) => {
                self.put(*first, place);
                self.fill(place / 3, others);
            }
            (None, Some(other)) => self.swap(other, place),
            (None, None) => self.picked = Some(place),
        }
        marked.iter().copied().filter(|slot| !self.has(*slot)).collect()
    }

    /// Puts complete layers in order of strength.
    pub fn order(&mut self, hand: &[Held], preset: Preset) {
        let mut layers = [0, 1, 2].map(|layer| (self.rank(layer, hand, preset), self.layer(layer)));
        if layers.iter().all(|(rank, _)| rank.is_some()) {
            layers.sort_by_key(|(rank, _)| *rank);
            let slots = layers.iter().flat_map(|(_, slots)| *slots);
            self.at.iter_mut().zip(slots).for_each(|(at, slot)| *at = slot);
        }
    }

    /// The arrangement, or which layer is not complete.
    pub fn arrangement(&self) -> Result<Arrangement, Illegal> {
        let [top, middle, bottom] =
            [0, 1, 2].map(|layer| self.layer(layer).into_iter().flatten().collect::<Vec<Slot>>());
        Arrangement::new(&top, &middle, &bottom)
    }
}

fn face(hand: &[Held], slot: Slot) -> Option<Card> {
    hand.iter().find(|held| held.slot == slot).and_then(|held| held.card)
}
