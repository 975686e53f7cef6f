//! Who has broken deals of a match off, and for whom the match is over because of that.

use serde::Serialize;

use crate::{Breakdown, Outcome, Seats};

/// What a match remembers of deals that were broken off.
///
/// A proven fault ends the match for its author. Silence costs the deal, and the seat may come back for the next one,
/// but not if it breaks a deal off for the second time or cannot pay what the first one costs the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Breaks {
    once: Seats,
}

impl Breaks {
    /// Counts the outcome of a deal, and says for whom the match is over now.
    pub fn count(&mut self, outcome: &Outcome) -> Seats {
        let Some(why) = outcome.broken_off else { return Seats::NONE };
        let all = Seats::first(outcome.result.players());
        let culprits = why.culprits() & all;
        let expelled = (why.proven() & all) | (culprits & (self.once | outcome.unpaid));
        if why != Breakdown::DealerFailed {
            self.once = self.once | culprits;
        }
        expelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chips, PerSeat, Seat};

    fn seats(list: &[u8]) -> Seats {
        list.iter().filter_map(|index| Seat::new(*index)).collect()
    }

    fn broken(why: Breakdown) -> Outcome {
        Outcome::broken(why, PerSeat::<Chips>::new(4))
    }

    #[test]
    fn silence_ends_the_match_only_the_second_time() {
        let mut breaks = Breaks::default();
        let silent = broken(Breakdown::Vanished(seats(&[1])));
        assert_eq!(breaks.count(&silent), Seats::NONE);
        assert_eq!(breaks.count(&broken(Breakdown::Vanished(seats(&[2])))), Seats::NONE, "somebody else");
        assert_eq!(breaks.count(&broken(Breakdown::DealerFailed)), Seats::NONE);
        assert_eq!(breaks.count(&Outcome::played("played", PerSeat::new(4))), Seats::NONE);
        assert_eq!(breaks.count(&silent), seats(&[1]));
    }

    #[test]
    fn a_proven_fault_ends_the_match_at_once() {
        let mut breaks = Breaks::default();
        let cheated = Breakdown::Cheated { proven: seats(&[0]), vanished: seats(&[3]) };
        assert_eq!(breaks.count(&broken(cheated)), seats(&[0]));
        assert_eq!(breaks.count(&broken(Breakdown::FalseClaim(seats(&[2])))), seats(&[2]));
        assert_eq!(breaks.count(&broken(Breakdown::Vanished(seats(&[3])))), seats(&[3]), "it was missing before");
    }

    #[test]
    fn one_who_cannot_pay_for_breaking_off_is_out() {
        let silent = broken(Breakdown::Vanished(seats(&[1, 2])));
        let outcome = Outcome { unpaid: seats(&[2]), ..silent };
        assert_eq!(Breaks::default().count(&outcome), seats(&[2]));
    }

    #[test]
    fn a_seat_that_the_table_does_not_have_is_not_counted() {
        assert_eq!(Breaks::default().count(&broken(Breakdown::FalseClaim(seats(&[5])))), Seats::NONE);
    }
}
