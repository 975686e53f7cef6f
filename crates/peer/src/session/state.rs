//! How a match is, for whoever looks at it.

use cards::Card;
use results::Uuid;
use table::{Game, Known, Seat, Seats, Series as _, Slot, Standing, Table};

use super::{Ended, Fault, Phase, Preparing, Session};
use crate::lobby::Begun;
use crate::waits::Waits;

impl<G: Game> Session<G> {
    /// How the match began.
    pub const fn begun(&self) -> &Begun {
        &self.begun
    }

    /// Its settings.
    pub const fn settings(&self) -> &G::Settings {
        &self.settings
    }

    /// This player's seat.
    pub const fn me(&self) -> Option<Seat> {
        self.me
    }

    /// The deal on the table, once there is one.
    pub fn table(&self) -> Option<&Table<G::Rules>> {
        match &self.phase {
            Phase::Playing(playing, _) => Some(playing.replica.table()),
            Phase::Seeding(_) | Phase::Ended(_) => None,
        }
    }

    /// What this player knows about its cards.
    pub fn known(&self) -> Option<Known<'_>> {
        match &self.phase {
            Phase::Playing(playing, _) => Some(playing.replica.known()),
            Phase::Seeding(_) | Phase::Ended(_) => None,
        }
    }

    /// The face of a card that everybody can open, on the table or on its way there.
    pub(crate) fn opened(&self, slot: Slot) -> Option<Card> {
        match &self.phase {
            Phase::Playing(playing, _) => playing.replica.node().ledger().opened().get(slot),
            Phase::Seeding(_) | Phase::Ended(_) => None,
        }
    }

    /// How many deals have begun.
    pub fn deals(&self) -> u32 {
        match &self.phase {
            Phase::Seeding(_) => 0,
            Phase::Playing(playing, _) => playing.deals,
            Phase::Ended(ended) => ended.deals,
        }
    }

    /// How the match stands.
    pub fn standing(&self) -> Option<Standing> {
        match &self.phase {
            Phase::Seeding(_) => None,
            Phase::Playing(playing, _) => Some(playing.series.standing()),
            Phase::Ended(ended) => ended.standing.clone(),
        }
    }

    /// How the match ended, if it has.
    pub fn ended(&self) -> Option<&Ended> {
        match &self.phase {
            Phase::Ended(ended) => Some(ended),
            Phase::Seeding(_) | Phase::Playing(..) => None,
        }
    }

    /// Whom everybody waits for.
    pub const fn waits(&self) -> &Waits {
        &self.waits
    }

    /// What players did wrong so far.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// This player's seat, if they have to decide now.
    pub fn is_asked(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Playing(playing, _) => playing.is_asked(),
            Phase::Seeding(_) | Phase::Ended(_) => None,
        }
    }

    /// The id of the match in results.
    pub fn id(&self) -> Uuid {
        Uuid::from_hash(&self.begun.id)
    }

    /// The seats that have opened their seeds.
    pub fn seeds(&self) -> Seats {
        match &self.phase {
            Phase::Seeding(seeds) => seeds.keys().copied().collect(),
            Phase::Playing(..) | Phase::Ended(_) => Seats::first(u8::try_from(self.begun.players.len()).unwrap_or(0)),
        }
    }

    /// How far the cards of this deal are, and those of the next.
    pub fn preparing(&self) -> Preparing {
        match &self.phase {
            Phase::Playing(playing, _) => playing.preparing(),
            Phase::Seeding(_) | Phase::Ended(_) => Preparing::default(),
        }
    }

    /// Whether this player was late, and has to say that they are here before they play again.
    pub fn is_out(&self) -> bool {
        match (&self.phase, self.me) {
            (Phase::Playing(playing, _), Some(seat)) => playing.is_out(seat),
            _ => false,
        }
    }
}
