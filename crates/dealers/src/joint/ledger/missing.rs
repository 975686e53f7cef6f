//! Whom the table waits for, and for what.

use core::fmt;

use table::record::By;
use table::{Awaiting, Order, Rules, Table};

use super::Ledger;
use crate::joint::decks::Shuffling;
use crate::joint::keys::Phase;

/// What somebody has to say next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Duty {
    /// Its keys.
    Key,
    /// Its part in the key generation.
    Dealing,
    /// Its complaints in the key generation, or that it has none.
    Ready,
    /// Its share of the random number that decides the order of shufflers.
    Beacon,
    /// Its shuffle of a deck.
    Shuffle,
    /// Its shares of cards.
    Shares,
    /// Its action.
    Act,
    /// Its choice, or the commitment to it.
    Choose,
    /// The choice that it has committed to.
    Reveal,
}

impl fmt::Display for Duty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Key => "keys",
            Self::Dealing => "a part in the key generation",
            Self::Ready => "complaints in the key generation, or that there are none",
            Self::Beacon => "a share of the random number that decides who shuffles first",
            Self::Shuffle => "a shuffle",
            Self::Shares => "shares of cards",
            Self::Act => "an action",
            Self::Choose => "a choice",
            Self::Reveal => "the choice committed to",
        })
    }
}

impl Ledger {
    /// Whom the table waits for, and for what; nobody, if it is over or everything it ordered is there.
    pub fn missing<R: Rules>(&self, table: &Table<R>) -> Vec<(By, Duty)> {
        if table.awaiting() == Awaiting::Over {
            return Vec::new();
        }
        if let Some(missing) = self.missing_keys() {
            return missing;
        }
        match table.awaiting() {
            Awaiting::Dealer => {}
            Awaiting::Choices(_) => {
                let (seats, closed) = self.choosing.missing();
                let duty = if closed && !R::CHOICES_NAME_SLOTS { Duty::Reveal } else { Duty::Choose };
                return seats.iter().map(|seat| (By::Seat(seat), duty)).collect();
            }
            Awaiting::Turn(seat) => return vec![(By::Seat(seat), Duty::Act)],
            Awaiting::Over => return Vec::new(),
        }
        for order in table.orders() {
            if let Order::Shuffle { deck, .. } = order
                && let Some(missing) = self.decks.get(deck).and_then(|deck| self.missing_shuffle(deck))
            {
                return missing;
            }
        }
        let docket = self.docket_at(table.height().0);
        let missing = docket.map_or_else(Vec::new, |docket| docket.missing(&self.terms, &self.members()));
        missing.into_iter().map(|by| (by, Duty::Shares)).collect()
    }

    /// Whom the keys and the prepared decks wait for, and for what.
    pub fn missing_ahead(&self) -> Vec<(By, Duty)> {
        let shuffles = || self.prepared.keys().filter_map(|deck| self.missing_shuffle(self.decks.get(*deck)?)).next();
        self.missing_keys().or_else(shuffles).unwrap_or_default()
    }

    /// Who holds up the keys; `None` once they are there, or never will be.
    fn missing_keys(&self) -> Option<Vec<(By, Duty)>> {
        let left_out = &self.left_out;
        let (missing, duty) = match self.keys.phase(left_out) {
            Phase::Announcing => (self.keys.missing_keys(&self.terms, left_out), Duty::Key),
            Phase::Dealing(_, generation) => (generation.missing_dealings(left_out), Duty::Dealing),
            Phase::Complaining(_, generation) => (generation.missing_ready(left_out), Duty::Ready),
            Phase::Failed | Phase::Done => return None,
        };
        Some(missing.into_iter().map(|by| (by, duty)).collect())
    }

    /// Who holds up a deck; `None` if it is finished.
    fn missing_shuffle(&self, deck: &Shuffling) -> Option<Vec<(By, Duty)>> {
        if deck.needs_order() {
            let silent = self.members().into_iter().filter(|by| !deck.beacon.contains_key(by));
            return Some(silent.map(|by| (by, Duty::Beacon)).collect());
        }
        deck.turn(&self.left_out).map(|by| vec![(by, Duty::Shuffle)])
    }
}
