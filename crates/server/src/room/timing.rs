//! What is due without anybody doing anything, and when.

use bots::Kind;
use table::Seat;

use super::event::Event;
use super::mind::Pondering;
use super::playing::{Awaited, Stage};
use super::{Chair, Phase, Room};
use crate::ids::Millis;

/// How long people have to look how a deal ended.
pub const SECONDS_TO_LOOK: i64 = 30;
/// The same where there is no limit on time, once somebody is ready.
const SECONDS_TO_LOOK_WITHOUT_LIMIT: i64 = 90;
/// How long it takes to play for somebody who is not there.
const MILLIS_FOR_ABSENT: i64 = 700;

/// How long a computer waits after whatever happened last, at least: those that never wait would only fill the log.
const LEAST_PACE: i64 = 50;

/// Something that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// When.
    pub at: Millis,
    /// Does a person lose something by it? Then he gets some time more after the server has been away.
    pub costs: bool,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Seeds,
    Computer(Seat, Kind),
    Expiry(Seat),
    Next,
}

impl Due {
    /// Is it a computer's move?
    pub const fn takes_thought(&self) -> bool {
        matches!(self.what, What::Computer(..))
    }

    /// Is it the same as this, whenever it is due?
    pub fn is_like(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Room {
    /// What is due next, and when.
    pub fn due(&self) -> Option<Due> {
        let Phase::Match(play) = &self.phase else { return None };
        let since = play.since();
        let due = |after: i64, costs: bool, what: What| Some(Due { at: since.plus(after), costs, what });
        let awaited = play.awaited();
        let pace = i64::from(self.terms.pace);
        match awaited {
            Awaited::Nothing => None,
            Awaited::Seeds(..) => {
                let seconds = i64::try_from(dealers::house::SECONDS_TO_ANSWER).unwrap_or(10);
                due(seconds * 1000, true, What::Seeds)
            }
            Awaited::Looking => {
                // Whoever is out of the match is never asked, so nobody knows whether he is there until he says so.
                let is_there = |seat: Seat| !self.is_away(seat) && (play.takes_part(seat) || self.ready.contains(seat));
                // Nobody is: it goes on when one of them is back, or wants to see the next deal.
                if !self.chairs().any(|(seat, chair)| chair.player().is_some() && is_there(seat)) {
                    return None;
                }
                if play.seconds().is_some() {
                    return due(SECONDS_TO_LOOK * 1000, false, What::Next);
                }
                if self.ready.is_empty() { None } else { due(SECONDS_TO_LOOK_WITHOUT_LIMIT * 1000, false, What::Next) }
            }
            Awaited::Turn(_) | Awaited::Choices(_) => {
                let mut first: Option<Due> = None;
                for seat in awaited.seats().iter() {
                    let this = match self.chair(seat) {
                        Some(chair) if chair.computer().is_some() => {
                            let kind = chair.computer().unwrap_or(Kind::Easy);
                            let least = self.at.plus(LEAST_PACE);
                            due(pace, false, What::Computer(seat, kind)).map(|due| Due { at: due.at.max(least), ..due })
                        }
                        Some(Chair { who: Some(_), .. }) if !self.is_away(seat) => {
                            let seconds = play.seconds().and_then(|seconds| i64::try_from(seconds).ok());
                            seconds.and_then(|seconds| due(seconds * 1000, true, What::Expiry(seat)))
                        }
                        _ => due(MILLIS_FOR_ABSENT.min(pace.max(1)), false, What::Expiry(seat)),
                    };
                    first = match (first, this) {
                        (Some(a), Some(b)) if b.at < a.at => Some(b),
                        (None, b) => b,
                        (a, _) => a,
                    };
                }
                first
            }
        }
    }

    /// What has to be thought about before what is due can be done; nothing, if it can be done at once.
    pub fn pondering(&self, due: &Due) -> Option<Pondering> {
        match due.what {
            What::Computer(seat, kind) => Some(self.play()?.ponder(seat, kind)),
            What::Seeds | What::Next | What::Expiry(_) => None,
        }
    }

    /// The event that is due by now. It takes long where somebody has to think ([`Due::takes_thought`]).
    pub fn tick(&self, due: &Due) -> Option<Event> {
        let play = self.play()?;
        match due.what {
            What::Seeds => Some(Event::SeedsDue),
            What::Next => (play.stage() == Stage::Between).then_some(Event::Next),
            What::Computer(seat, kind) => play.ponder(seat, kind)(),
            What::Expiry(seat) => play.default_event(seat).or(Some(Event::Stood { seat })),
        }
    }
}
