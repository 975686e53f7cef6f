//! Whom the table waits for, and since when.
//!
//! After every event, the questions that are open now are compared with those before it ([`Room::note`]). A seat that
//! gets a new question starts with its full time, no matter which event caused it; a seat with the same question keeps
//! the time that is left. Nothing else keeps or changes these times, so no event can forget them.

use std::collections::BTreeMap;

use dealers::house;
use table::{Height, Seat};

use super::playing::Awaited;
use super::{Chair, Play, Room};
use crate::ids::Millis;

/// All open questions: to seats, or to nobody in particular.
pub(super) type Clock = BTreeMap<Option<Seat>, Asked>;

/// An open question, and since when it is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) since: Millis,
}

/// The question, as far as it matters for whether it is still the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    deal: u32,
    /// The number of moves in the deal before it: a seat that acts twice in a row gets two questions.
    done: usize,
    pub(super) what: What,
}

/// The kind of question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A seat must act or choose.
    Move(Sits),
    /// A seat must commit to a seed for this deck, or reveal it.
    Seed(u32, house::Asked),
    /// The house is about to continue dealing.
    Deal(Height),
    /// Everybody is looking at how the deal ended.
    Look {
        /// Whether one of them is present.
        any: bool,
        /// Whether one has asked for the next deal.
        ready: bool,
    },
}

/// The occupant who must move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sits {
    Person,
    Computer,
    /// A player who is away, or nobody.
    Absent,
}

impl Room {
    /// Notes since when each question is open. Called once after every event of any kind.
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

    /// Since when this seat has its current question.
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

    /// Whether somebody is there to see how the deal ended. A player who is out of the match never gets a turn, so
    /// nobody knows until they ask for the next deal.
    fn is_looked_at(&self, play: &dyn Play) -> bool {
        let is_there = |seat: Seat| !self.is_away(seat) && (play.takes_part(seat) || self.ready.contains(seat));
        self.chairs().any(|(seat, chair)| chair.player().is_some() && is_there(seat))
    }
}
