//! One program at a private table: its half of the log, the lobby, and then the match.
//!
//! A [`Guest`] reads the log until a match begins, and then [sits down](Guest::sit) to play or to watch it. Which game
//! it is, is known only then, so a [`Seated`] peer is a type of its own.
//!
//! Both are fed with entries and asked for envelopes; sockets, clocks, randomness and files belong to their caller:
//!
//! 1. store an entry, then let it be heard;
//! 2. store what [`Seated::to_store`] returns;
//! 3. send what [`Guest::write`] or [`Seated::write`] returns.

mod aside;
mod hubs;

use results::{Public, Secret, Uuid, seed_hash};
use table::{Game, Move, Rules};

use crate::body::{Body, Join, RunBy};
use crate::chain::NotNext;
use crate::change::Roster;
use crate::entry::{Entry, Envelope, Fresh};
use crate::gathering::Gathering;
use crate::lobby::{Begun, Lobby, Void};
use crate::member::{Heard, Member};
use crate::seal::TableKey;
use crate::session::{Effect, Private, Seen, Session, Who};
use crate::start::{BadStart, Start};
use crate::waits::Wait;

/// A program at a table where no match has begun.
#[derive(Debug)]
pub struct Guest {
    member: Member,
    lobby: Lobby,
    identity: Option<Secret>,
    private: Private,
}

/// What a guest has heard.
#[derive(Debug)]
pub enum News {
    /// Something was said in the lobby, with or without effect.
    Lobby(Heard, Result<(), Void>),
    /// The match begins: time to sit down.
    Begun(Box<Begun>, Heard),
}

impl Guest {
    /// Somebody at this table who signs entries with `key`; without an identity they only watch.
    pub fn new(table: TableKey, key: Secret, hub: Public, identity: Option<Secret>, private: Private) -> Self {
        let lobby = Lobby::new(table.table(), hub);
        Self { member: Member::new(table, key, hub), lobby, identity, private }
    }

    /// The same for a program that has one game: see [`Lobby::only`].
    pub fn only<G: Game>(
        table: TableKey,
        key: Secret,
        hub: Public,
        identity: Option<Secret>,
        private: Private,
    ) -> Self {
        let lobby = Lobby::only::<G>(table.table(), hub);
        Self { member: Member::new(table, key, hub), lobby, identity, private }
    }

    /// This program's half of the log.
    pub const fn member(&self) -> &Member {
        &self.member
    }

    /// Everybody at the table.
    pub const fn lobby(&self) -> &Lobby {
        &self.lobby
    }

    /// Joins, as a person or as a computer that somebody runs. Spectators do not join.
    pub fn join(&mut self, name: &str, run_by: Option<RunBy>, fresh: [u8; 32], aux: &[u8; 32]) {
        let Some(identity) = &self.identity else { return };
        let (table, key) = (self.member.table().table(), self.member.key().public());
        let join = Join::new(table, &key, identity, name, run_by, fresh, aux);
        self.member.say(&Body::Join(Box::new(join)));
    }

    /// Starts the match, if this is the host.
    pub fn start(&mut self, start: Start) {
        self.member.say(&Body::Start(Box::new(start)));
    }

    /// Accepts the match on offer; `false` if there is none, or this player is not in it or has accepted it before.
    pub fn accept(&mut self) -> bool {
        let (Some(offered), Some(identity)) = (self.lobby.offered(), &self.identity) else { return false };
        let Some(number) = self.member.number() else { return false };
        let seated = offered.start.seats.iter().any(|(seat, _)| *seat == number);
        // The first commitment counts, and may be to a seed that is lost.
        if !seated || offered.accepted.contains_key(&number) {
            return false;
        }
        self.private.commit();
        let hash = seed_hash(&Uuid::from_hash(&offered.id), &identity.public(), self.private.seed()).0;
        self.member.say(&Body::SeedHash { of: offered.id, hash });
        true
    }

    /// Gives up their seat.
    pub fn leave(&mut self) {
        self.member.say(&Body::Leave);
    }

    /// The next entry of the log. An error changes nothing.
    pub fn hear(&mut self, entry: &Entry) -> Result<News, NotNext> {
        let heard = self.member.hear(entry)?;
        let key = self.member.chain().member(heard.number).copied();
        let (Some(body), Some(key)) = (&heard.body, key) else { return Ok(News::Lobby(heard, Err(Void::NotNow))) };
        Ok(match self.lobby.take(heard.number, &key, body) {
            Ok(Some(begun)) => {
                self.member.begin(Roster::of(&begun));
                News::Begun(Box::new(begun), heard)
            }
            Ok(None) => News::Lobby(heard, Ok(())),
            Err(why) => News::Lobby(heard, Err(why)),
        })
    }

    /// What only this player knows.
    pub const fn private(&self) -> &Private {
        &self.private
    }

    /// What to store before anything is sent; `None` if nothing has changed.
    pub fn to_store(&mut self) -> Option<&Private> {
        self.private.take_changed().then_some(&self.private)
    }

    /// The next envelope to send.
    pub fn write(&mut self, fresh: &Fresh) -> Option<Envelope> {
        self.member.write(fresh)
    }

    /// What was sent may be lost: it is written again.
    pub fn send_again(&mut self) {
        self.member.send_again();
    }

    /// Sits down to play, or to watch, the match that has begun.
    pub fn sit<G: Game>(self, begun: Begun, heard: &Heard, now: u64) -> Result<Seated<G>, BadStart> {
        let plays = self.identity.is_some();
        let number = self.member.number().filter(|_| plays);
        let mut member = self.member;
        if let Some(pledge) = self.private.pledged() {
            member.remember(pledge);
        }
        let who = Who { number, identity: self.identity, private: self.private };
        let session = Session::new(begun, who, heard, now)?;
        let mut seated = Seated { member, session, gathering: Gathering::default() };
        seated.pass_on();
        Ok(seated)
    }
}

/// A program at a table where a match is played.
pub struct Seated<G: Game> {
    member: Member,
    session: Session<G>,
    /// How people agree on a new hub, while they do.
    gathering: Gathering,
}

/// A move in a game.
pub type MoveOf<G> = Move<<<G as Game>::Rules as Rules>::Action, <<G as Game>::Rules as Rules>::Choice>;

impl<G: Game> Seated<G> {
    /// The match.
    pub const fn session(&self) -> &Session<G> {
        &self.session
    }

    /// From now on, everything that happens is kept for [`Seated::take_seen`].
    pub fn see(&mut self) {
        self.session.see();
    }

    /// What has happened since the last call.
    pub fn take_seen(&mut self) -> Vec<Seen<G>> {
        self.session.take_seen()
    }

    /// This program's half of the log.
    pub const fn member(&self) -> &Member {
        &self.member
    }

    /// The next entry of the log; `now` is this program's own clock, in milliseconds. An error changes nothing about the
    /// log and the match.
    pub fn hear(&mut self, entry: &Entry, now: u64) -> Result<(Heard, Effect), NotNext> {
        let heard = match self.member.hear(entry) {
            Err(NotNext::Released) => {
                self.session.private().pledge(None);
                return Err(NotNext::Released);
            }
            other => other?,
        };
        let effect = self.session.hear(&heard, now);
        self.heard_while_gathering(&heard);
        self.pass_on();
        Ok((heard, effect))
    }

    /// Time has passed. `connected` is when this program has last caught up with the log.
    pub fn tick(&mut self, connected: u64, now: u64) {
        self.session.tick(connected, now);
        self.pass_on();
    }

    /// How much of the time that the table has waited this program has not seen.
    pub(crate) fn set_back(&mut self, by: impl Fn(&Wait) -> u64, now: u64) {
        self.session.set_back(by, now);
    }

    /// The player decides; `false` if they are not asked, or the rules forbid it.
    pub fn decide(&mut self, decided: MoveOf<G>) -> bool {
        let said = self.session.decide(decided);
        self.pass_on();
        said
    }

    /// Concedes the match.
    pub fn leave(&mut self) {
        self.member.say(&Body::Leave);
    }

    /// Is back after having been late; after the match: has the complete result.
    pub fn come_back(&mut self) {
        self.member.say(&Body::Here);
    }

    /// Wants to end a match that nobody can finish.
    pub fn abandon(&mut self) {
        self.member.say(&Body::Abandon);
    }

    /// What to store before anything is sent; `None` if nothing has changed.
    pub fn to_store(&mut self) -> Option<&Private> {
        self.session.to_store()
    }

    /// The next envelope to send; nothing while people agree on a new hub.
    pub fn write(&mut self, fresh: &Fresh) -> Option<Envelope> {
        if self.is_gathering() {
            return None;
        }
        self.member.write(fresh)
    }

    /// What was sent may be lost: it is written again.
    pub fn send_again(&mut self) {
        self.member.send_again();
    }

    fn pass_on(&mut self) {
        for body in self.session.take_outbox() {
            self.member.say(&body);
        }
    }
}
