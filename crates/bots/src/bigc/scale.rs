//! How good a hand is against a number of opponents: the chance that nobody beats it, and the cost of getting
//! rid of it.

use games::bigc::{Class, Hand};

/// The measure for one table.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// The chance that nobody beats a single, a pair, a triple, by the place of its highest card.
    few: [[f32; 64]; 3],
    /// The same for five cards, by class.
    fives: [f32; 7],
}

impl Scale {
    /// The scale for this many opponents.
    pub(super) fn new(others: usize) -> Self {
        let others = others.max(1) as f32;
        let reach = |base: f32| {
            core::array::from_fn(|place| (-(52.0 - place.min(52) as f32) / (base / others.powf(0.7))).exp())
        };
        let fives = [0.35f32, 0.5, 0.6, 0.75, 0.92, 0.97, 0.99].map(|chance| chance.powf(others.powf(0.5)));
        Self { few: [reach(10.0), reach(18.0), reach(30.0)], fives }
    }

    /// The chance that nobody beats it.
    pub(super) fn strength(&self, class: Class, high: u8) -> f32 {
        match class.stratum() {
            Some(stratum) => {
                let own = self.fives.get(usize::from(stratum)).copied().unwrap_or(1.0);
                let next = self.fives.get(usize::from(stratum) + 1).copied().unwrap_or(1.0);
                // Within a class the high card decides.
                own + (next - own) * 0.8 * f32::from(high) / 52.0
            }
            None => {
                let table = self.few.get(usize::from(class.size()) - 1);
                table.and_then(|table| table.get(usize::from(high))).copied().unwrap_or(0.0)
            }
        }
    }

    /// The cost, in turns, of a hand still to be played: a strong one wins the lead back, a middling one can
    /// beat others, a weak one needs the lead.
    pub(super) fn cost(&self, class: Class, high: u8) -> f32 {
        let fits = match class.stratum() {
            Some(stratum) => f32::from(stratum) / 6.0,
            None => f32::from(high) / 52.0,
        };
        1.0 - 0.9 * self.strength(class, high) - 0.6 * fits
    }

    pub(super) fn cost_of(&self, hand: &Hand) -> f32 {
        self.cost(hand.class(), hand.high())
    }

    pub(super) fn strength_of(&self, hand: &Hand) -> f32 {
        self.strength(hand.class(), hand.high())
    }
}
