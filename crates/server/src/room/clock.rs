//! Since when the table waits, and for whom.
//!
//! After every event, what is asked now is compared with what was asked before it ([`Room::note`]). A seat that is asked
//! something new starts with all of its time, whatever made the table ask; one that is still asked the same goes on with
//! what is left. Nothing else keeps or changes these times, so no way of changing the table can forget them.

use std::collections::BTreeMap;

use dealers::house;
use table::{Height, Seat};

use super::playing::Awaited;
use super::{Chair, Play, Room};
use crate::ids::Millis;

/// Everything that is asked now: of seats, or of nobody in particular.
pub(super) type Clock = BTreeMap<Option<Seat>, Asked>;

/// Something that is asked, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) since: Millis,
}

/// What is asked, as far as it matters whether it is still the same question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    deal: u32,
    /// How much was done in the deal before: a seat that acts twice in a row is asked twice.
    done: usize,
    pub(super) what: What,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A seat is to act or to choose.
    Move(Sits),
    /// A seat is to commit to a seed for this deck, or to reveal it.
    Seed(u32, house::Asked),
    /// The house is about to deal on.
    Deal(Height),
    /// Everybody is to see how the deal ended.
    Look {
        /// Is one of them there?
        any: bool,
        /// Has one asked for the next deal?
        ready: bool,
    },
}

/// Who is asked to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sits {
    Person,
    Computer,
    /// Somebody who is away, or nobody.
    Absent,
}

impl Room {
    /// Notes since when what is asked now is asked. Called once after every event, whatever it was.
    pub(super) fn note(&mut self, at: Millis) {
        let before = core::mem::take(&mut self.clock);
        let same = |who, question| before.get(&who).filter(|asked: &&Asked| asked.question == question);
        let since = |who, question| same(who, question).map_or(at, |asked| asked.since);
        self.clock = self
            .questions()
            .into_iter()
            .map(|(who, question)| (who, Asked { question, since: since(who, question) }))
            .collect();
    }

    /// Since when this seat is asked what it is asked now.
    pub fn since(&self, seat: Seat) -> Option<Millis> {
        self.clock.get(&Some(seat)).map(|asked| asked.since)
    }

    fn questions(&self) -> Vec<(Option<Seat>, Question)> {
        let Some(play) = self.play() else { return Vec::new() };
        let question = |what| Question { deal: play.deal(), done: play.done(), what };
        let awaited = play.awaited();
        match awaited {
            Awaited::Nothing => Vec::new(),
            Awaited::House => vec![(None, question(What::Deal(play.height())))],
            Awaited::Looking => {
                let (any, ready) = (self.is_looked_at(play), !self.ready.is_empty() && play.seconds().is_none());
                vec![(None, question(What::Look { any, ready }))]
            }
            Awaited::Seeds(deck, asked, seats) => {
                seats.iter().map(|seat| (Some(seat), question(What::Seed(deck, asked)))).collect()
            }
            Awaited::Turn(_) | Awaited::Choices(_) => {
                let seats = awaited.seats();
                seats.iter().map(|seat| (Some(seat), question(What::Move(self.sits(seat))))).collect()
            }
        }
    }

    fn sits(&self, seat: Seat) -> Sits {
        match self.chair(seat) {
            Some(chair) if chair.computer().is_some() => Sits::Computer,
            Some(Chair { who: Some(_), .. }) if !self.is_away(seat) => Sits::Person,
            _ => Sits::Absent,
        }
    }

    /// Is somebody there to see how the deal ended? A player who is out of the match is never asked, so nobody knows
    /// until they ask for the next deal.
    fn is_looked_at(&self, play: &dyn Play) -> bool {
        let is_there = |seat: Seat| !self.is_away(seat) && (play.takes_part(seat) || self.ready.contains(seat));
        self.chairs().any(|(seat, chair)| chair.player().is_some() && is_there(seat))
    }
}
