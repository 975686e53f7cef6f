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

mod effect;
mod ending;
mod playing;
mod private;
mod seen;

use std::collections::BTreeMap;

use cards::Card;
use dealers::joint;
use results::{Hash, Secret, Uuid};
use table::record::By;
use table::{
    Awaiting, Breakdown, Game, Known, Move, Rules as _, Seat, Seats, Series as _, Settings as _, Slot, Standing, Table,
};

use crate::body::Body;
use crate::hash::hash;
use crate::lobby::{Begun, settings};
use crate::member::Heard;
use crate::start::BadStart;
use crate::waits::{Duty, NoVote, People, Verdict, Waits};

pub use effect::{Effect, Fault, Nothing, Wrong};
pub use ending::{Ended, Why};
pub use playing::Preparing;
use playing::{Next, Own, Playing};
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
    called: BTreeMap<Seat, u64>,
    outbox: Vec<Body>,
    seen: Seeing<G>,
}

enum Phase<G: Game> {
    Seeding(BTreeMap<Seat, [u8; 32]>),
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
            phase: Phase::Seeding(BTreeMap::new()),
            faults: Vec::new(),
            began: heard.clock,
            abandon: Vec::new(),
            called: BTreeMap::new(),
            outbox: Vec::new(),
            seen: Seeing::off(),
        };
        if session.me.is_some() && session.private.has_seed() {
            session.outbox.push(Body::Seed(*session.private.seed()));
        }
        session.watch(heard, now);
        Ok(session)
    }

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

    /// This player's seat, if they have to decide now.
    pub fn is_asked(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Playing(playing, _) => playing.is_asked(),
            Phase::Seeding(_) | Phase::Ended(_) => None,
        }
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
            && self.waits.thinking().is_some_and(|time| now.saturating_sub(wait.heard) >= time)
        {
            self.decide_by_default();
        }
    }

    /// Makes the move that the game makes for somebody who does not decide.
    pub fn decide_by_default(&mut self) -> bool {
        let Phase::Playing(playing, _) = &self.phase else { return false };
        let Some(seat) = playing.is_asked() else { return false };
        let decided = playing.replica.table().rules().default_move(playing.replica.known(), seat);
        decided.is_some_and(|decided| self.decide(decided))
    }

    fn take(&mut self, seat: Seat, body: &Body, heard: &Heard) -> Effect {
        let void = Effect::Void(Nothing::NotNow);
        match (&mut self.phase, body) {
            (Phase::Seeding(seeds), Body::Seed(seed)) if !seeds.contains_key(&seat) => {
                if !opens(&self.begun, seat, seed) {
                    return fault(seat, heard, Wrong::Seed);
                }
                seeds.insert(seat, *seed);
                Effect::Counts
            }
            (Phase::Playing(playing, _), Body::Dealing { set, message }) => {
                judged(seat, heard, playing.dealing(seat, *set, (**message).clone()))
            }
            (Phase::Playing(playing, _), Body::Act { height, on, action }) => {
                let Ok(action) = serde_json::from_slice(action) else { return Effect::Void(Nothing::Unreadable) };
                let before = self.seen.copy(playing.replica.table()).zip(self.seen.copy(&action));
                let said = joint::Said::Act { height: *height, on: *on, action };
                let verdict = playing.replica.receive(By::Seat(seat), said);
                playing.collect();
                if let (Some((table, action)), joint::Verdict::Valid) = (before, &verdict) {
                    self.seen.push(|| Seen::Acted { table, seat, action });
                }
                judged(seat, heard, verdict)
            }
            (Phase::Playing(playing, _), Body::Leave) => {
                playing.series.concede(seat);
                playing.replica.leave(By::Seat(seat));
                playing.collect();
                self.seen.push(|| Seen::Left(seat));
                Effect::Counts
            }
            (Phase::Playing(playing, _), Body::Here) => {
                if playing.is_out(seat) {
                    self.seen.push(|| Seen::Back(seat));
                }
                playing.come_back(seat);
                Effect::Counts
            }
            (Phase::Ended(ended), Body::Here) => {
                ended.informed.insert(seat);
                Effect::Counts
            }
            (Phase::Seeding(_) | Phase::Playing(..), Body::Overdue { who, since }) => {
                self.overdue(seat, *who, *since, heard)
            }
            (Phase::Playing(..), Body::Abandon) => self.abandon(seat, heard),
            (Phase::Ended(ended), Body::Sign { result, export }) => match ended.sign(seat, *result, *export) {
                Some(true) => Effect::Counts,
                Some(false) => fault(seat, heard, Wrong::Signature),
                None => void,
            },
            (Phase::Ended(ended), Body::Again(ticket)) => match ended.invite(seat, ticket, self.begun.table) {
                Ok(()) => Effect::Counts,
                Err(why) => Effect::Void(why),
            },
            _ => void,
        }
    }

    fn overdue(&mut self, by: Seat, who: u8, since: u64, heard: &Heard) -> Effect {
        let accused = self.begun.players.iter().position(|player| player.number == who).and_then(to_seat);
        let (Some(seat), Some(person)) = (accused, self.people.of(by)) else {
            return Effect::Void(Nothing::Vote(NoVote::NotAwaited));
        };
        match self.waits.vote(&self.people, person, seat, since, heard.clock) {
            Err(why) => return Effect::Void(Nothing::Vote(why)),
            Ok(Verdict::Counted) => {}
            Ok(Verdict::Disputed) => self.end(Why::Disputed { by: by.index(), seat }, heard),
            Ok(Verdict::Late) => match &mut self.phase {
                Phase::Playing(playing, _) => {
                    playing.replica.late(By::Seat(seat));
                    playing.collect();
                    self.seen.push(|| Seen::Late(seat));
                }
                Phase::Seeding(_) => self.end(Why::NotBegun { seat }, heard),
                Phase::Ended(_) => {}
            },
        }
        Effect::Counts
    }

    fn abandon(&mut self, by: Seat, heard: &Heard) -> Effect {
        let Some(person) = self.people.of(by).filter(|_| self.waits.is_hopeless(heard.clock)) else {
            return Effect::Void(Nothing::NotNow);
        };
        if !self.abandon.contains(&person) {
            self.abandon.push(person);
        }
        let awaited: Seats = self.waits.all().keys().copied().collect();
        let left = (self.people.still_in - awaited).iter().filter_map(|seat| self.people.of(seat));
        if left.into_iter().all(|person| self.abandon.contains(&person)) {
            self.end(Why::Abandoned, heard);
        }
        Effect::Counts
    }

    /// Advances wherever nothing is missing.
    fn advance(&mut self, heard: &Heard) {
        if let Some(seat) = self.faults.iter().find(|fault| fault.what == Wrong::Seed).map(|fault| fault.seat)
            && matches!(self.phase, Phase::Seeding(_))
        {
            self.end(Why::NotBegun { seat }, heard);
        }
        if let Phase::Seeding(seeds) = &self.phase
            && seeds.len() == self.begun.players.len()
        {
            self.begin(heard);
        }
        loop {
            let Phase::Playing(playing, _) = &mut self.phase else { return };
            let mut own = Own { seat: self.me, private: &mut self.private, start: &self.begun.start };
            if playing.replica.table().awaiting() != Awaiting::Over {
                playing.look_ahead(&mut own);
                return;
            }
            let outcome = playing.replica.table().outcome();
            if let Some(Breakdown::FalseClaim(seats)) = outcome.and_then(|outcome| outcome.broken_off) {
                for seat in seats.iter() {
                    let fault = Fault { seat, height: heard.head.height, what: Wrong::Claim };
                    self.seen.push(|| Seen::Fault(fault.clone()));
                    self.faults.push(fault);
                }
            }
            let elapsed = heard.clock.saturating_sub(self.began) / 1000;
            let last = self.seen.copy(playing.replica.table()).zip(self.seen.copy(playing.replica.known().own));
            let next = playing.next_deal(elapsed, &mut own);
            if let Some((table, own)) = last
                && let Some(outcome) = table.outcome().cloned()
            {
                let standing = playing.series.standing();
                self.seen.push(|| Seen::DealOver { table, own, outcome, standing });
            }
            match next {
                Some(Next::Deal) => self.see_deal(),
                Some(Next::Over) | None => {
                    self.end(Why::Over, heard);
                    return;
                }
            }
        }
    }

    /// All seeds are open.
    fn begin(&mut self, heard: &Heard) {
        let Phase::Seeding(seeds) = &self.phase else { return };
        let seeds: Vec<[u8; 32]> = seeds.values().copied().collect();
        let combined = results::combined(&self.id(), &seeds);
        let ground = hash("ground", &[&self.begun.id, &combined.0]);
        let players = u8::try_from(self.begun.players.len()).unwrap_or(u8::MAX);
        let mut own = Own { seat: self.me, private: &mut self.private, start: &self.begun.start };
        let series = G::start(&self.settings, players).ok();
        let playing = series.and_then(|series| Playing::new(series, ground, &mut own));
        self.began = heard.clock;
        match playing {
            Some(playing) => {
                self.phase = Phase::Playing(Box::new(playing), combined);
                self.see_deal();
            }
            // The settings were checked before; a match without a first deal is over.
            None => self.end(Why::Abandoned, heard),
        }
    }

    /// The id of the match in results.
    pub fn id(&self) -> Uuid {
        Uuid::from_hash(&self.begun.id)
    }

    /// The match is over, whatever comes later.
    fn end(&mut self, why: Why, heard: &Heard) {
        let (standing, deals, combined) = match &self.phase {
            Phase::Seeding(_) => (None, 0, None),
            Phase::Playing(playing, combined) => (Some(playing.series.standing()), playing.deals, Some(*combined)),
            Phase::Ended(_) => return,
        };
        let ended = Ended::new(&self.begun, why, standing, deals, combined, heard);
        if let (Some(seat), Some(identity)) = (self.me, &self.identity) {
            self.outbox.extend(ended.signature(seat, identity));
        }
        self.phase = Phase::Ended(Box::new(ended));
        self.private.finish();
    }

    /// A choice that was hidden in the log before a restart is made again.
    fn choose_again(&mut self) {
        let Phase::Playing(playing, _) = &mut self.phase else { return };
        let height = playing.replica.table().height().0;
        let (Some(_), Some(choice)) = (playing.is_asked(), self.private.chosen(height)) else { return };
        if let Ok(choice) = serde_json::from_slice(choice) {
            playing.replica.decide(Move::Choose(choice));
            playing.collect();
        }
    }

    /// What the table makes this player say.
    fn collect(&mut self) {
        let Phase::Playing(playing, _) = &mut self.phase else { return };
        for (set, message) in playing.take_dealing() {
            self.outbox.push(Body::Dealing { set, message: Box::new(message) });
        }
        for (height, on, action) in playing.take_acts() {
            self.outbox.push(Body::Act { height, on, action: serde_json::to_vec(&action).unwrap_or_default() });
        }
        if self.me.is_none() {
            self.outbox.clear();
        }
    }

    /// Notes whom everybody waits for now.
    fn watch(&mut self, heard: &Heard, now: u64) {
        if let Phase::Playing(playing, _) = &self.phase {
            self.people.still_in = playing.still_in();
        }
        let duties: BTreeMap<Seat, Duty> = match &self.phase {
            Phase::Seeding(seeds) => {
                let silent = self.people.still_in.iter().filter(|seat| !seeds.contains_key(seat));
                silent.map(|seat| (seat, Duty::Seed)).collect()
            }
            Phase::Playing(playing, _) => {
                let height = playing.replica.table().height().0;
                let missing = playing.replica.missing().into_iter();
                let by_seat = missing.filter_map(|(by, duty)| match by {
                    By::Seat(seat) => Some((seat, Duty::Play(duty, height))),
                    By::House | By::Member(_) => None,
                });
                by_seat.collect()
            }
            Phase::Ended(ended) => ended.unsigned().into_iter().map(|seat| (seat, Duty::Sign)).collect(),
        };
        self.waits.update(&duties, heard.head.height, heard.clock, now);
    }
}

/// A vote that did not count is repeated after this long, in milliseconds.
const CALL_AGAIN: u64 = 5_000;

fn to_seat(place: usize) -> Option<Seat> {
    u8::try_from(place).ok().and_then(Seat::new)
}

fn opens(begun: &Begun, seat: Seat, seed: &[u8; 32]) -> bool {
    let place = usize::from(seat.index());
    let (Some(player), Some(hash)) = (begun.players.get(place), begun.seed_hashes.get(place)) else { return false };
    results::seed_hash(&Uuid::from_hash(&begun.id), &player.join.identity, seed).0 == *hash
}

fn fault(seat: Seat, heard: &Heard, what: Wrong) -> Effect {
    Effect::Fault(Box::new(Fault { seat, height: heard.head.height, what }))
}

fn judged(seat: Seat, heard: &Heard, verdict: joint::Verdict) -> Effect {
    match verdict {
        joint::Verdict::Valid => Effect::Counts,
        joint::Verdict::Void(why) => Effect::Void(Nothing::Dealing(why)),
        // A complaint may show that somebody else did wrong.
        joint::Verdict::Fault(found) => {
            let seat = if let By::Seat(guilty) = found.by { guilty } else { seat };
            fault(seat, heard, Wrong::Dealing(found.why))
        }
    }
}
