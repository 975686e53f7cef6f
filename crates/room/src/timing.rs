//! What is due without anybody doing anything, and when.

use bots::Kind;
use table::Seat;

use super::Room;
use super::clock::{Asked, Sits, What};
use super::event::Event;
use super::mind::Pondering;
use super::playing::Stage;
use crate::ids::Millis;

/// How long people have to look at how a deal ended.
pub const SECONDS_TO_LOOK: i64 = 30;
/// The same if there is no time limit, counted from when a player has asked for the next deal.
const SECONDS_TO_LOOK_WITHOUT_LIMIT: i64 = 90;
/// How long it takes until a move is made for a player who is away.
const MILLIS_FOR_ABSENT: i64 = 700;
/// The longest time anything stays visible before cards are opened over it, and the extra time for a finished trick or
/// round.
const LONGEST_BEAT: i64 = 1_500;

/// The shortest time a computer waits after any event: computers that never wait would only fill the log.
const LEAST_PACE: i64 = 50;

/// The least time a person has after the table could not be played for a while.
const GRACE: i64 = 10_000;

/// Something that is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// When.
    pub at: Millis,
    /// Since when the table waits for it.
    pub since: Millis,
    /// Whether a person loses something by it. Then they get extra time after the table could not be played.
    pub costs: bool,
    what: Tick,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tick {
    Seeds,
    Computer(Seat, Kind),
    Expiry(Seat),
    Deal,
    Next,
}

/// How much time is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Countdown {
    /// When it is up.
    pub due: Due,
    /// Whether it is the viewer's own time.
    pub mine: bool,
}

impl Due {
    /// Whether it is a computer's move.
    pub const fn takes_thought(&self) -> bool {
        matches!(self.what, Tick::Computer(..))
    }

    /// When it is due at a table that has been playable since then: nobody loses the time in which it was not.
    pub fn granted(&self, since: Millis) -> Millis {
        if self.costs && self.since < since { self.at.max(since.plus(GRACE)) } else { self.at }
    }

    /// Whether it is the same as this, apart from when it is due.
    pub fn is_like(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl Room {
    /// What is due next, and when.
    pub fn due(&self) -> Option<Due> {
        let all = self.clock.iter().filter_map(|(who, asked)| self.due_for(*who, asked));
        all.min_by_key(|due| due.at)
    }

    /// The running time for a viewer in this seat: their own, or the one that is up first, or the time until the next
    /// deal. Computers that think and browsers that send seeds show no clock.
    pub fn countdown(&self, seat: Option<Seat>) -> Option<Countdown> {
        let runs = |(who, asked): (&Option<Seat>, &Asked)| {
            let due = self.due_for(*who, asked)?;
            let shown = matches!(due.what, Tick::Next) || due.costs && !matches!(due.what, Tick::Seeds);
            shown.then_some(Countdown { due, mine: who.is_some() && *who == seat })
        };
        self.clock.iter().filter_map(runs).min_by_key(|one| (!one.mine, one.due.at))
    }

    fn due_for(&self, who: Option<Seat>, asked: &Asked) -> Option<Due> {
        let Asked { question, since } = *asked;
        let due = |after: i64, costs: bool, what: Tick| Some(Due { at: since.plus(after), since, costs, what });
        let seconds = self.play()?.seconds().and_then(|seconds| i64::try_from(seconds).ok());
        match (question.what, who) {
            (What::Seed(..), _) => {
                let seconds = i64::try_from(dealers::house::SECONDS_TO_ANSWER).unwrap_or(10);
                due(seconds * 1000, true, Tick::Seeds)
            }
            (What::Deal(_), _) => due(self.beat(), false, Tick::Deal),
            // It continues when one of them is back, or wants to see the next deal.
            (What::Look { any: false, .. }, _) => None,
            (What::Look { ready, .. }, _) => match seconds {
                // Nobody sees the result before the last cards.
                Some(_) => due(SECONDS_TO_LOOK * 1000 + self.run_out(), false, Tick::Next),
                None if ready => due(SECONDS_TO_LOOK_WITHOUT_LIMIT * 1000, false, Tick::Next),
                None => None,
            },
            (What::Move(Sits::Computer), Some(seat)) => {
                let kind = self.chair(seat)?.computer()?;
                let least = self.at.plus(LEAST_PACE);
                let due = due(self.pace() + self.lingers(), false, Tick::Computer(seat, kind));
                due.map(|due| Due { at: due.at.max(least), ..due })
            }
            (What::Move(Sits::Person), Some(seat)) => due(seconds? * 1000, true, Tick::Expiry(seat)),
            (What::Move(Sits::Absent), Some(seat)) => {
                due(MILLIS_FOR_ABSENT.min(self.pace().max(1)) + self.lingers(), false, Tick::Expiry(seat))
            }
            (What::Move(_), None) => None,
        }
    }

    fn pace(&self) -> i64 {
        i64::from(self.terms.pace)
    }

    /// How long a move or opened cards stay visible before the house opens more. A table whose computers move at once
    /// does not wait.
    pub fn beat(&self) -> i64 {
        (self.pace() * 3 / 4).min(LONGEST_BEAT)
    }

    /// How long pages take to show the cards that ended the deal.
    fn run_out(&self) -> i64 {
        self.play().map_or(0, |play| i64::from(play.streets()) * self.beat())
    }

    /// How much longer a computer waits if its move would cover a trick or round that has just ended.
    fn lingers(&self) -> i64 {
        if self.play().is_some_and(|play| play.lingers()) { self.pace().min(LONGEST_BEAT) } else { 0 }
    }

    /// The job that must be computed before what is due can be done; `None` if it can be done at once.
    pub fn pondering(&self, due: &Due) -> Option<Pondering> {
        match due.what {
            Tick::Computer(seat, kind) => Some(self.play()?.ponder(seat, kind)),
            Tick::Seeds | Tick::Deal | Tick::Next | Tick::Expiry(_) => None,
        }
    }

    /// The event that is due by now. Takes long if something must be computed ([`Due::takes_thought`]).
    pub fn tick(&self, due: &Due) -> Option<Event> {
        let play = self.play()?;
        match due.what {
            Tick::Seeds => Some(Event::SeedsDue),
            Tick::Deal => Some(Event::Dealt),
            Tick::Next => (play.stage() == Stage::Between).then_some(Event::Next),
            Tick::Computer(seat, kind) => play.ponder(seat, kind)(),
            Tick::Expiry(seat) => play.default_event(seat).or(Some(Event::Stood { seat })),
        }
    }
}
