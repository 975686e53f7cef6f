//! What happens in a match, for those who look on: a screen, or a computer that remembers.
//!
//! Off unless [asked for](super::Session::see), so that checking a log costs no copies of tables.

use table::{Awaiting, Faces, Game, Outcome, Rules, Seat, Series as _, Standing, Table};

use super::{Fault, Phase, Session};

/// A game's actions.
pub type ActionOf<G> = <<G as Game>::Rules as Rules>::Action;
/// A game's secret choices.
pub type ChoiceOf<G> = <<G as Game>::Rules as Rules>::Choice;

/// Something that happened, with the table as it was before it.
pub enum Seen<G: Game> {
    /// A deal begins.
    Deal {
        /// Its number, from 1.
        number: u32,
        /// The table.
        table: Table<G::Rules>,
        /// How the match stands.
        standing: Standing,
    },
    /// A seat acted.
    Acted {
        /// The table before.
        table: Table<G::Rules>,
        /// Who.
        seat: Seat,
        /// What.
        action: ActionOf<G>,
    },
    /// Secret choices are open.
    Chose {
        /// The table before.
        table: Table<G::Rules>,
        /// By seat.
        choices: Vec<(Seat, ChoiceOf<G>)>,
    },
    /// A deal is over.
    DealOver {
        /// The table at its end.
        table: Table<G::Rules>,
        /// What this player knew.
        own: Faces,
        /// How it ended.
        outcome: Outcome,
        /// How the match stands now.
        standing: Standing,
    },
    /// A seat did not answer in time.
    Late(Seat),
    /// A seat that was late is back.
    Back(Seat),
    /// A seat conceded the match.
    Left(Seat),
    /// A player did something wrong.
    Fault(Fault),
}

impl<G: Game> Session<G> {
    /// From now on, everything that happens is kept for [`Session::take_seen`].
    pub fn see(&mut self) {
        self.seen.turn_on();
    }

    /// What has happened since the last call.
    pub fn take_seen(&mut self) -> Vec<Seen<G>> {
        self.seen.take()
    }

    pub(super) fn see_deal(&mut self) {
        let Phase::Playing(playing, _) = &self.phase else { return };
        let deal = || Seen::Deal {
            number: playing.deals,
            table: playing.replica.table().clone(),
            standing: playing.series.standing(),
        };
        self.seen.push(deal);
    }

    /// A copy of the table, if somebody looks on and seats choose in secret.
    pub(super) fn choosing(&self) -> Option<Table<G::Rules>> {
        let table = self.table().filter(|table| matches!(table.awaiting(), Awaiting::Choices(_)))?;
        self.seen.copy(table)
    }
}

/// What was seen since it was last taken; nothing is kept if nobody looks on.
pub(super) struct Seeing<G: Game>(Option<Vec<Seen<G>>>);

impl<G: Game> Seeing<G> {
    pub(super) const fn off() -> Self {
        Self(None)
    }

    pub(super) fn turn_on(&mut self) {
        self.0.get_or_insert_default();
    }

    pub(super) fn take(&mut self) -> Vec<Seen<G>> {
        self.0.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// A copy of something, if somebody looks on.
    pub(super) fn copy<T: Clone>(&self, of: &T) -> Option<T> {
        self.0.as_ref().map(|_| of.clone())
    }

    pub(super) fn push(&mut self, seen: impl FnOnce() -> Seen<G>) {
        if let Some(kept) = &mut self.0 {
            kept.push(seen());
        }
    }
}
