//! What happens in a match, for those who look on.
//!
//! A room tells nothing in words. It keeps what happened, with the table before it, until somebody
//! [takes](super::Playing::take_seen) it; and only if somebody wants it ([`Keep::seen`](super::Keep::seen)), so that
//! reading a log costs no copies of tables.

use games::desk::Made;
use table::{Game, Outcome, Rules, Seat, Standing, Table};

use super::Kept;
use super::playing::Playing;

/// Something that happened.
pub enum Seen<G: Game> {
    /// A deal begins.
    Deal {
        /// Its number, from 1.
        number: u32,
        /// The table.
        table: Table<G::Rules>,
        /// The score of the match before it.
        standing: Standing,
    },
    /// A seat acted.
    Acted {
        /// The table before.
        table: Table<G::Rules>,
        /// The seat.
        seat: Seat,
        /// The action.
        action: <G::Rules as Rules>::Action,
        /// Who made it.
        made: Made,
    },
    /// Secret choices were revealed.
    Chose {
        /// The table before.
        table: Table<G::Rules>,
        /// The choices, and who made them.
        choices: Vec<(Seat, <G::Rules as Rules>::Choice, Made)>,
    },
    /// The house dealt or opened cards.
    Dealt {
        /// The table before.
        table: Table<G::Rules>,
    },
    /// The table changed without a move: a seat left it, or the deal was broken off.
    Changed {
        /// The table before.
        before: Table<G::Rules>,
        /// The table after.
        after: Table<G::Rules>,
    },
    /// A deal is over.
    Over {
        /// The table at its end.
        table: Table<G::Rules>,
        /// What each seat won or lost.
        outcome: Outcome,
        /// The score of the match after it.
        standing: Standing,
    },
    /// A seat got a hint.
    Hinted(Seat),
}

impl<G: Kept> Playing<G> {
    /// What has happened since the last call.
    pub fn take_seen(&mut self) -> Vec<Seen<G>> {
        self.seen.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// Something happened.
    pub(super) fn see(&mut self, seen: impl FnOnce() -> Seen<G>) {
        if let Some(kept) = &mut self.seen {
            kept.push(seen());
        }
    }

    /// The table has changed without a move.
    pub(super) fn see_change(&mut self, before: Option<Table<G::Rules>>) {
        if let Some((before, after)) = before.zip(self.copy()) {
            self.see(|| Seen::Changed { before, after });
        }
    }

    /// A copy of the table, if somebody looks on.
    pub(super) fn copy(&self) -> Option<Table<G::Rules>> {
        self.seen.as_ref().map(|_| self.running.table().clone())
    }
}
