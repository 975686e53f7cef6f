//! What people look at while they think: how much they can bet.

use super::{Moves, View};
use crate::desk::Amount;

/// What can be bet or raised to, as totals for the street.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// All of it, beginning with half the pot.
    pub amount: Amount,
    /// Half the pot, as it is once the call is in; the nearest amount that is allowed.
    pub half_pot: i64,
    /// The same for the whole pot.
    pub pot: i64,
}

impl Moves {
    /// What can be bet or raised to; `None` where nothing can.
    pub fn sizes(&self, view: &View) -> Option<Sizes> {
        let (least, most) = self.min_to.zip(self.max_to)?;
        let pot = view.pot + self.to_call;
        let [half_pot, pot] = [pot.0 / 2, pot.0].map(|raise| (view.bet_to.0 + raise).clamp(least.0, most.0));
        let step = view.big_blind.0.max(1);
        Some(Sizes { amount: Amount { least: least.0, most: most.0, step, start: half_pot }, half_pot, pot })
    }
}
