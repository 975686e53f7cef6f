//! What a hand costs that is broken off, so that breaking off never pays, not even in league with others.
//!
//! Nobody can say who would have won, so everybody who could have won is treated as if they had:
//!
//! 1. Everybody else gets back what they put in. What the culprits put in is divided among the live players (if no
//!    live player is without blame, among the others of this hand).
//! 2. Every live player without blame is owed the most they could have won of what was put in, less what they put in
//!    themselves and what they got by 1. The culprits pay that from the chips they have left. If these do not
//!    suffice, everybody gets the same part of what they are owed.
//!
//! Without the second step a player who has folded could void a hand that a friend is losing.

use table::{Breakdown, Chips, Outcome, PerSeat, Seat, Seats};

use super::score::{in_proportion, split};
use super::state::Deal;

impl Deal {
    pub(super) fn broken_off(&self, why: Breakdown) -> Outcome {
        let culprits = why.culprits() & self.contributors();
        let mut result = PerSeat::new(self.setup().players);
        let live = self.betting.live - culprits;
        let heirs = if live.is_empty() { self.contributors() - culprits } else { live };
        if heirs.is_empty() {
            return Outcome::broken(why, result);
        }
        let forfeited: Chips = culprits.iter().map(|seat| self.contribution(seat)).sum();
        split(forfeited, heirs, self.button, &mut result);
        culprits.iter().for_each(|seat| result[seat] = -self.contribution(seat));

        let mut owed = PerSeat::new(self.setup().players);
        for seat in live.iter() {
            owed[seat] = (self.most(seat) - self.contribution(seat) - result[seat]).max(Chips::ZERO);
        }
        let mut left = PerSeat::new(self.setup().players);
        culprits.iter().for_each(|seat| left[seat] = self.betting.stacks[seat]);
        let (sum, funds): (Chips, Chips) = (owed.iter().copied().sum(), left.iter().copied().sum());
        let paid = sum.min(funds);
        in_proportion(paid, &owed, live, self.button, |seat, part| result[seat] += part);
        in_proportion(paid, &left, culprits, self.button, |seat, part| result[seat] -= part);
        let unpaid = if paid < sum { culprits } else { Seats::NONE };
        Outcome { unpaid, ..Outcome::broken(why, result) }
    }

    /// The most a live player could win of what has been put in: as much from everybody as that player can match.
    fn most(&self, seat: Seat) -> Chips {
        let reach = self.betting.total[seat] + self.betting.stacks[seat];
        let matched: Chips = self.betting.total.iter().map(|put| (*put).min(reach)).sum();
        matched + self.dead.iter().copied().sum()
    }
}
