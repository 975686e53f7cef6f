//! What becomes of a deal when somebody is late or has cheated.
//!
//! With a threshold, and with a committee, the deal goes on without them: the seat leaves it, and the game plays on for
//! it by moves that need no secret, if it has to. If every player is needed, or too few are left, the deal is broken off
//! at the price the rules set.

use table::record::By;
use table::{Awaiting, Breakdown, Leaving, Rules, Seat, Seats};

use super::Replica;
use crate::joint::fault::Why;
use crate::joint::terms::Keepers;

impl<R: Rules> Replica<R> {
    /// Everybody who was caught or given up.
    pub fn blamed(&self) -> Vec<By> {
        let broken = self.table.outcome().and_then(|outcome| outcome.broken_off);
        let culprits = broken.map_or(Seats::NONE, Breakdown::culprits);
        let mut blamed: Vec<By> = self.node.ledger().left_out().chain(culprits.iter().map(By::Seat)).collect();
        blamed.sort_unstable();
        blamed.dedup();
        blamed
    }

    /// The seats that were proven to have cheated when dealing: the match is over for them.
    pub fn proven(&self) -> Seats {
        let terms = self.node.ledger().terms();
        self.node.ledger().faults().iter().filter_map(|fault| terms.is_player(fault.by)).collect()
    }

    /// Takes those out of the deal who have been left out of the keys; `true` if the table has changed.
    pub(super) fn drop_left_out(&mut self) -> bool {
        let before = self.table.height();
        for seat in (self.left_out() - self.dropped).iter() {
            self.dropped.insert(seat);
            let how = self.leaving(seat);
            let forfeits = matches!(how, Leaving::Withheld | Leaving::Misopened);
            // If every player is needed, the deal is broken off; but first a hidden choice gets its price.
            if self.node.ledger().terms().keepers != Keepers::EveryPlayer || forfeits {
                // A seat that is out of this deal already, and a deal that is over, need not change.
                let _ = self.table.leave(self.table.height(), seat, how);
            }
        }
        if self.node.ledger().is_lost() {
            self.break_off();
        }
        self.table.height() != before
    }

    /// Players who have been left out of the keys.
    fn left_out(&self) -> Seats {
        let terms = self.node.ledger().terms();
        self.node.ledger().left_out().filter_map(|by| terms.is_player(by)).collect()
    }

    fn leaving(&self, seat: Seat) -> Leaving {
        let fault = self.node.ledger().faults().iter().find(|fault| fault.by == By::Seat(seat));
        match fault {
            Some(fault) if fault.why == Why::BadReveal => Leaving::Misopened,
            Some(_) => Leaving::Left,
            None if self.withheld.contains(seat) => Leaving::Withheld,
            None => Leaving::Away,
        }
    }

    pub(super) fn break_off(&mut self) {
        if self.table.awaiting() == Awaiting::Over {
            return;
        }
        let (seats, proven) = (self.left_out(), self.proven());
        let why = match self.node.ledger().terms().keepers {
            // Whatever players did before, that the committee fails is not their fault.
            Keepers::Committee { .. } => Breakdown::DealerFailed,
            _ if seats.is_empty() => Breakdown::DealerFailed,
            _ if proven.is_empty() => Breakdown::Vanished(seats),
            _ => Breakdown::Cheated { proven, vanished: seats - proven },
        };
        // Refused only if the deal is over.
        let _ = self.table.break_off(self.table.height(), why);
    }
}
