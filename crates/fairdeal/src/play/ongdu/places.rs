//! The nine places that somebody lays his cards on: three layers of three, the top one first.

use cards::Card;
use games::Held;
use games::ongdu::{Arrangement, HandRank, Illegal, LayerRank, Preset, best_arrangement, rank_hand, rank_layer};
use table::Slot;

/// What the layers are called.
pub(super) const LAYERS: [&str; 3] = ["top", "middle", "bottom"];

/// Where cards lie so far, and the place that was picked last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Places {
    at: [Option<Slot>; 9],
    /// Picked, to be exchanged with what is picked next.
    pub(super) picked: Option<usize>,
}

/// The places with all that was done on them, so that it can be undone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Laying {
    /// As they are.
    pub(super) now: Places,
    before: Vec<Places>,
}

impl Laying {
    /// Something was done.
    pub(super) fn change(&mut self, to: Places) {
        if to.at != self.now.at {
            self.before.push(self.now);
        }
        self.now = to;
    }

    /// Takes back what was done last with the cards of this hand.
    pub(super) fn undo(&mut self, hand: &[Held]) {
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
    /// The places with nothing but cards of this hand: those of earlier deals are gone.
    pub(super) fn within(self, hand: &[Held]) -> Self {
        let own = |slot: Option<Slot>| slot.filter(|slot| hand.iter().any(|held| held.slot == *slot));
        Self { at: self.at.map(own), picked: self.picked }
    }

    /// As an arrangement says.
    pub(super) fn of(arrangement: &Arrangement) -> Self {
        let mut places = Self::default();
        for (place, slot) in places.at.iter_mut().zip(arrangement.layers().as_flattened()) {
            *place = Some(*slot);
        }
        places
    }

    /// The card on a place.
    pub(super) fn card(&self, place: usize) -> Option<Slot> {
        self.at.get(place).copied().flatten()
    }

    /// Does the card lie somewhere?
    pub(super) fn has(&self, slot: Slot) -> bool {
        self.at.contains(&Some(slot))
    }

    /// How many cards lie somewhere.
    pub(super) fn count(&self) -> usize {
        self.at.iter().flatten().count()
    }

    /// Lays a card on a place. What lay there goes back to the hand, or to where the card came from.
    pub(super) fn put(&mut self, slot: Slot, place: usize) {
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
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        if a < self.at.len() && b < self.at.len() {
            self.at.swap(a, b);
        }
    }

    /// Lays cards on the free places of a layer; how many found none.
    pub(super) fn fill(&mut self, layer: usize, slots: &[Slot]) -> usize {
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
    pub(super) fn take_back(&mut self, place: usize) {
        if let Some(at) = self.at.get_mut(place) {
            *at = None;
        }
    }

    /// Takes all cards back.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The cards of a layer.
    pub(super) fn layer(&self, layer: usize) -> [Option<Slot>; 3] {
        [0, 1, 2].map(|n| self.card(layer * 3 + n))
    }

    /// The faces of a layer, if it is complete.
    fn faces(&self, layer: usize, hand: &[Held]) -> Option<[Card; 3]> {
        let [a, b, c] = self.layer(layer).map(|slot| face(hand, slot?));
        Some([a?, b?, c?])
    }

    /// How good a layer is, once it is complete.
    pub(super) fn rank(&self, layer: usize, hand: &[Held], preset: Preset) -> Option<LayerRank> {
        rank_layer(self.faces(layer, hand)?, preset)
    }

    /// How good everything is, once it is complete.
    pub(super) fn whole(&self, hand: &[Held], preset: Preset) -> Option<HandRank> {
        rank_hand([self.faces(0, hand)?, self.faces(1, hand)?, self.faces(2, hand)?], preset)
    }

    /// Two complete layers in the wrong order, if there are any: the upper one is better.
    pub(super) fn disorder(&self, hand: &[Held], preset: Preset) -> Option<(usize, usize)> {
        let rank = |layer| self.rank(layer, hand, preset);
        [(0, 1), (1, 2), (0, 2)].into_iter().find(|(upper, lower)| match (rank(*upper), rank(*lower)) {
            (Some(upper), Some(lower)) => upper > lower,
            _ => false,
        })
    }

    /// Puts complete layers in order of strength.
    pub(super) fn order(&mut self, hand: &[Held], preset: Preset) {
        let mut layers = [0, 1, 2].map(|layer| (self.rank(layer, hand, preset), self.layer(layer)));
        if layers.iter().all(|(rank, _)| rank.is_some()) {
            layers.sort_by_key(|(rank, _)| *rank);
            let slots = layers.iter().flat_map(|(_, slots)| *slots);
            self.at.iter_mut().zip(slots).for_each(|(at, slot)| *at = slot);
        }
    }

    /// The arrangement, or which layer is not complete.
    pub(super) fn arrangement(&self) -> Result<Arrangement, Illegal> {
        let [top, middle, bottom] =
            [0, 1, 2].map(|layer| self.layer(layer).into_iter().flatten().collect::<Vec<Slot>>());
        Arrangement::new(&top, &middle, &bottom)
    }
}

/// The best way to lay these cards, and of ten the one to lay aside.
pub(super) fn best(hand: &[Held], preset: Preset) -> Option<(Option<Slot>, Places)> {
    let faces: Option<Vec<Card>> = hand.iter().map(|held| held.card).collect();
    let best = best_arrangement(&faces?, preset)?;
    let mut rest = hand.to_vec();
    let mut take = |card: Card| {
        let at = rest.iter().position(|held| held.card == Some(card))?;
        Some(rest.swap_remove(at).slot)
    };
    let discard = best.discard.and_then(&mut take);
    let mut places = Places::default();
    for (place, card) in places.at.iter_mut().zip(best.layers.as_flattened()) {
        *place = take(*card);
    }
    Some((discard, places))
}

fn face(hand: &[Held], slot: Slot) -> Option<Card> {
    hand.iter().find(|held| held.slot == slot).and_then(|held| held.card)
}
