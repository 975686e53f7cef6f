//! A match over the log: from the seeds to the signed result.
//!
//! A session hears the entries of a log and nothing else, so everybody who has heard the same entries is in the same
//! state: players, spectators, and somebody who verifies the match years later. A player's session also says what its
//! table orders, and what its player decides.
//!
//! 1. **Seeds.** Everybody opens the seed they committed to. The mixture is bound into every later proof.
//! 2. **Deals.** Keys, shuffles, cards, moves: [`dealers::joint`], with every message in the log.
//! 3. **Result.** The entry that ends the match decides the result. Everybody signs it in the log.
//!
//! What has no effect where it is ([`Effect::Void`]) is nobody's fault: it came too late, or twice. A fault is only what
//! its author alone can have done.

mod advancing;
mod effect;
mod ending;
mod playing;
mod private;
mod seen;
mod state;
mod taking;

use results::{Hash, Secret};
use table::{Game, Map, Move, Rules as _, Seat, Seats, Settings as _};

use crate::body::Body;
use crate::lobby::{Begun, settings};
use crate::member::Heard;
use crate::start::BadStart;
use crate::waits::{People, Wait, Waits};

pub use effect::{Effect, Fault, Nothing, Wrong};
pub use ending::{Ended, Why};
use playing::Playing;
pub use playing::Preparing;
pub(crate) use private::Pledge;
pub use private::Private;
use seen::Seeing;
pub use seen::{ActionOf, ChoiceOf, Seen};

/// A match, as one player or spectator sees it.
pub struct Session<G: Game> {
    begun: Begun,
    settings: G::Settings,
    me: Option<Seat>,
    identity: Option<Secret>,
    private: Private,
    people: People,
    waits: Waits,
    phase: Phase<G>,
    faults: Vec<Fault>,
    /// The hub's clock when the match began.
    began: u64,
    /// Who wants to abandon the match.
    abandon: Vec<u8>,
    /// When this program last called a seat late.
    called: Map<Seat, u64>,
    outbox: Vec<Body>,
    seen: Seeing<G>,
}

enum Phase<G: Game> {
    Seeding(Map<Seat, [u8; 32]>),
    Playing(Box<Playing<G>>, Hash),
    Ended(Box<Ended>),
}

/// Whose session it is.
#[derive(Debug)]
pub struct Who {
    /// The number of the member; `None` for a spectator.
    pub number: Option<u8>,
    /// Signs the result.
    pub identity: Option<Secret>,
    /// What only they know.
    pub private: Private,
}

impl<G: Game> Session<G> {
    /// A match that has just begun, with the entry that completed its start.
    pub fn new(begun: Begun, who: Who, heard: &Heard, now: u64) -> Result<Self, BadStart> {
        let settings = settings::<G>(&begun.start)?;
        let seat = |number: u8| begun.players.iter().position(|player| player.number == number).and_then(to_seat);
        let players = u8::try_from(begun.players.len()).unwrap_or(u8::MAX);
        let people = People {
            by_seat: begun.players.iter().map(|player| player.person).collect(),
            still_in: Seats::first(players),
            hub: begun.start.hub_run_by,
        };
        let thinking = settings.action_timeout().map(|seconds| seconds.saturating_mul(1000));
        let mut session = Self {
            me: who.number.and_then(seat),
            begun,
            settings,
            identity: who.identity,
            private: who.private,
            people,
            waits: Waits::new(thinking),
            phase: Phase::Seeding(Map::new()),
            faults: Vec::new(),
            began: heard.clock,
            abandon: Vec::new(),
            called: Map::new(),
            outbox: Vec::new(),
            seen: Seeing::off(),
        };
        if session.me.is_some() && session.private.has_seed() {
            session.outbox.push(Body::Seed(*session.private.seed()));
        }
        session.watch(heard, now);
        Ok(session)
    }

    /// What to store before anything is sent; `None` if nothing has changed.
    pub fn to_store(&mut self) -> Option<&Private> {
        self.private.take_changed().then_some(&self.private)
    }

    /// The log is read to its end, with this many changes of the hub: a player who had [lost](Private::lost) their
    /// secrets takes part in all later keys.
    pub fn caught_up(&mut self, changes: u32) {
        self.private.caught_up(changes);
    }

    /// What must be kept about a new hub.
    pub(crate) const fn private(&mut self) -> &mut Private {
        &mut self.private
    }

    /// What to say, since the last call.
    pub fn take_outbox(&mut self) -> Vec<Body> {
        core::mem::take(&mut self.outbox)
    }

    /// This player decides; `false` if they are not asked, or the rules forbid it.
    pub fn decide(
        &mut self,
        decided: Move<<G::Rules as table::Rules>::Action, <G::Rules as table::Rules>::Choice>,
    ) -> bool {
        if self.is_asked().is_none() {
            return false;
        }
        let Phase::Playing(playing, _) = &mut self.phase else { return false };
        let height = playing.replica.table().height().0;
        let choice = if let Move::Choose(choice) = &decided { serde_json::to_vec(choice).ok() } else { None };
        let said = playing.replica.decide(decided);
        if let Some(choice) = choice.filter(|_| said) {
            self.private.choose(height, choice);
        }
        playing.collect();
        self.collect();
        said
    }

    /// The next entry of the log; `now` is this program's own clock, in milliseconds.
    pub fn hear(&mut self, heard: &Heard, now: u64) -> Effect {
        if let Some(change) = &heard.change {
            self.people.hub = Some(change.successor);
            // Everybody gets their full time to find the new hub.
            self.waits.renew();
            self.watch(heard, now);
            return Effect::Counts;
        }
        let seat = self.begun.players.iter().position(|player| player.number == heard.number).and_then(to_seat);
        let choosing = self.choosing();
        let effect = match (&heard.body, seat) {
            (None, _) => Effect::Void(Nothing::Unreadable),
            (Some(_), None) => Effect::Void(Nothing::NotAPlayer),
            (Some(body), Some(seat)) => self.take(seat, body, heard),
        };
        if let (Some(table), Phase::Playing(playing, _)) = (choosing, &mut self.phase)
            && let Some(choices) = playing.replica.take_choices()
        {
            self.seen.push(|| Seen::Chose { table, choices });
        }
        if let Effect::Fault(fault) = &effect {
            self.faults.push((**fault).clone());
            self.seen.push(|| Seen::Fault((**fault).clone()));
        }
        self.advance(heard);
        self.choose_again();
        self.collect();
        self.watch(heard, now);
        effect
    }

    /// Time has passed. `connected` is when this program has last caught up with the log.
    pub fn tick(&mut self, connected: u64, now: u64) {
        if self.me.is_none() || self.ended().is_some() {
            return;
        }
        for (seat, since) in self.waits.late(connected, now) {
            let number = self.begun.players.get(usize::from(seat.index())).map(|player| player.number);
            let again = self.called.get(&seat).is_none_or(|at| now.saturating_sub(*at) >= CALL_AGAIN);
            if let (Some(who), true, true) = (number, again, Some(seat) != self.me) {
                self.called.insert(seat, now);
                self.outbox.push(Body::Overdue { who, since });
            }
        }
        if let Some(seat) = self.is_asked()
            && let Some(wait) = self.waits.all().get(&seat)
            && self.waits.thinking().is_some_and(|time| wait.passed(now) >= time)
        {
            self.decide_by_default();
        }
    }

    /// How much of the time that the table has waited this program has not seen: see [`Waits::set_back`].
    pub(crate) fn set_back(&mut self, by: impl Fn(&Wait) -> u64, now: u64) {
        self.waits.set_back(by, now);
    }

    /// Makes the move that the game makes for somebody who does not decide.
    pub fn decide_by_default(&mut self) -> bool {
        let Phase::Playing(playing, _) = &self.phase else { return false };
        let Some(seat) = playing.is_asked() else { return false };
        let decided = playing.replica.table().rules().default_move(playing.replica.known(), seat);
        decided.is_some_and(|decided| self.decide(decided))
    }
}

/// A vote that did not count is repeated after this long, in milliseconds.
const CALL_AGAIN: u64 = 5_000;

fn to_seat(place: usize) -> Option<Seat> {
    u8::try_from(place).ok().and_then(Seat::new)
}
