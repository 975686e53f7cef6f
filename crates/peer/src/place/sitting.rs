//! A match, as one member's program goes through it: what it does by itself, and how it ends.

use std::collections::BTreeSet;

use table::{Game, Seat, Seats};

use super::Post;
use crate::beside::Beside;
use crate::body::Body;
use crate::chain::NotNext;
use crate::entry::{Entry, Head};
use crate::peer::Seated;
use crate::waits::{ABANDON, Wait};

/// After the end of a match, players who are not connected have this long to come back and sign.
pub const TO_SIGN: u64 = 60_000;
/// After a match that is finished, a hub that was lost has this long to come back.
pub const TO_RETURN: u64 = 15_000;

/// Two clocks of one device may differ by this much without any sleep.
const DRIFT: u64 = 1_000;

/// A place at a table where a match is played or watched.
pub struct Place<G: Game> {
    /// The match, and this program's half of the log.
    pub seated: Seated<G>,
    /// The number of the last deal in which this player said that they are back.
    here_in: u32,
    /// This player has conceded the match.
    left: bool,
    /// The clocks at the last tick: this program's own, and the time of day.
    looked: Option<(u64, u64)>,
    /// Since when this program has not known the whole log, while it does not.
    away: Option<u64>,
    end: End,
}

/// What has been done since the end of the match.
#[derive(Default)]
struct End {
    since: Option<u64>,
    /// This player has said that they have everything.
    said: bool,
    done: bool,
}

/// What became of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hearing {
    /// It was heard.
    Heard {
        /// The head after it.
        head: Head,
        /// Another hub is in office from here on.
        changed: bool,
    },
    /// Not yet: this player has signed that another hub should continue.
    Pledged,
    /// Not yet, but from the next connection on: that other hub can no longer continue.
    Released,
}

/// What words beside the log were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Overheard {
    /// Somebody said something.
    Chat {
        /// Their name.
        from: String,
        /// What.
        text: String,
    },
    /// What this player has signed about a hub can no longer happen: they connect anew.
    Released,
    /// Nothing for a person.
    Nothing,
}

/// What remains to be done after the end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closing {
    /// How many signatures the result has; `None` if there is no result.
    pub signatures: usize,
    /// The players who may not have the complete result yet, if this program runs the hub: it should stay until there
    /// are none.
    pub lacking: Vec<Seat>,
    /// Nothing remains to be done: what is secret can be erased.
    pub done: bool,
}

impl<G: Game> Place<G> {
    /// Somebody who has sat down.
    pub fn new(seated: Seated<G>) -> Self {
        Self { seated, here_in: 0, left: false, looked: None, away: None, end: End::default() }
    }

    /// The log was read again after a restart: the table has waited meanwhile. `clock` is in milliseconds since 1970.
    pub fn resumed(&mut self, now: u64, clock: u64) {
        self.seated.set_back(|wait| clock.saturating_sub(wait.clock), now);
        self.away = Some(now);
    }

    /// Time has passed. `clock` is in milliseconds since 1970; `aux` are random bytes.
    pub fn tick(&mut self, post: &Post, now: u64, clock: u64, aux: &[u8; 32]) {
        self.catch_up(post, now, clock);
        if post.caught_up().is_some() {
            self.seated.caught_up();
        }
        self.seated.tick(post.caught_up().unwrap_or(now), now);
        self.come_back(post);
        if self.seated.is_gathering() {
            self.seated.convene(post.here(), clock, aux);
        }
    }

    /// The others' clocks have not stopped while this program was asleep or had no connection, so neither may its own:
    /// otherwise the others call a player late who still has time by their own clock.
    fn catch_up(&mut self, post: &Post, now: u64, clock: u64) {
        if let Some((looked, at)) = self.looked.replace((now, clock)) {
            // Where the own clock stands still while a device sleeps, the time of day does not.
            let missed = clock.saturating_sub(at).saturating_sub(now.saturating_sub(looked));
            if missed > DRIFT {
                self.seated.set_back(|wait| if wait.heard <= looked { missed } else { 0 }, now);
            }
        }
        if post.caught_up().is_none() {
            self.away.get_or_insert(now);
        } else if let Some(away) = self.away.take() {
            // What was heard before is known already; the rest has come late, with the hub's clock in it.
            let unseen = |wait: &Wait| clock.saturating_sub(wait.clock).saturating_sub(wait.passed(now));
            self.seated.set_back(|wait| if wait.heard >= away { unseen(wait) } else { 0 }, now);
        }
    }

    /// A player who was late, and is connected again, says so.
    fn come_back(&mut self, post: &Post) {
        let session = self.seated.session();
        let deal = session.deals();
        if session.is_out() && !self.left && self.here_in < deal && post.caught_up().is_some() {
            self.here_in = deal;
            self.seated.come_back();
        }
    }

    /// The next entry of the log. An error changes nothing.
    pub fn hear(&mut self, entry: &Entry, now: u64) -> Result<Hearing, NotNext> {
        let (heard, _) = match self.seated.hear(entry, now) {
            Err(NotNext::Pledged) => return Ok(Hearing::Pledged),
            Err(NotNext::Released) => return Ok(Hearing::Released),
            heard => heard?,
        };
        if heard.body == Some(Body::Leave) && Some(heard.number) == self.seated.member().number() {
            self.left = true;
        }
        Ok(Hearing::Heard { head: heard.head, changed: heard.change.is_some() })
    }

    /// Words of a member beside the log; `aux` are random bytes.
    pub fn overhear(&mut self, from: u8, words: &[u8], aux: &[u8; 32]) -> Overheard {
        let chat = match dealing::decode(words) {
            Ok(Beside::Chat(chat)) => chat,
            Ok(Beside::Ballot(ballot)) => {
                let released = self.seated.ballot(from, &ballot, aux);
                return if released { Overheard::Released } else { Overheard::Nothing };
            }
            Ok(Beside::Knock(_)) | Err(_) => return Overheard::Nothing,
        };
        let Ok(said) = self.seated.overhear(&chat) else { return Overheard::Nothing };
        let players = &self.seated.session().begun().players;
        let from = players.iter().find(|player| player.number == said.author);
        let from = from.map(|player| player.join.name.clone()).unwrap_or_default();
        Overheard::Chat { from, text: said.text }
    }

    /// Whether the others could replace this hub without this player. Of two people neither can.
    pub fn is_replaceable(&self) -> bool {
        let begun = self.seated.session().begun();
        let office = *self.seated.member().chain().hub();
        let people: BTreeSet<u8> = begun.players.iter().map(|player| player.person).collect();
        people.len() > 2 && begun.start.successors.iter().any(|standby| standby.hub != office)
    }

    /// Whether nobody else is at this hub, although the others could have replaced it. What is said to a hub that was
    /// replaced is lost, and a player who has said it cannot go back to the others: so somebody who is alone says nothing.
    pub fn is_alone(&self, post: &Post, now: u64) -> bool {
        let session = self.seated.session();
        let players = &session.begun().players;
        let own = self.seated.member().number();
        let own = players.iter().find(|player| Some(player.number) == own).map(|player| player.person);
        let hopeless = |heard: u64| now.saturating_sub(heard) >= ABANDON;
        self.is_replaceable()
            && session.ended().is_none()
            && !session.waits().all().values().any(|wait| hopeless(wait.heard))
            && !players.iter().any(|player| Some(player.person) != own && post.is_here(player.number))
    }

    /// What remains to be done; `None` before the end of the match, and while there is something to say first. A program
    /// asks again whenever something has happened, and now and then.
    pub fn close(&mut self, post: &Post, is_hub: bool, now: u64) -> Option<Closing> {
        let session = self.seated.session();
        let ended = session.ended()?;
        let since = *self.end.since.get_or_insert(now);
        let signatures = ended.result().map_or(0, |result| result.signatures().iter().flatten().count());
        let players = &session.begun().players;
        let gone = |seat: &Seat| {
            let player = players.get(usize::from(seat.index()));
            player.is_none_or(|player| !post.is_here(player.number))
        };
        let given_up = now.saturating_sub(since) > TO_SIGN && ended.unsigned().iter().all(gone);
        let finished = ended.is_complete() || ended.result().is_none() || given_up;
        let seats = Seats::first(u8::try_from(players.len()).unwrap_or(0));
        let lacking: Vec<Seat> = match is_hub {
            true => (seats - ended.informed).iter().filter(|seat| !(given_up && gone(seat))).collect(),
            false => Vec::new(),
        };
        if finished && !self.end.said {
            self.end.said = true;
            // A spectator says nothing, and after a restart it has been said.
            if session.me().is_some_and(|me| !ended.informed.contains(me)) {
                self.seated.come_back();
                return None;
            }
        }
        // A hub that is gone has everything that was needed, or nobody is left who could ask for it.
        let said = self.seated.member().unsaid() == 0 || post.is_lost_for(TO_RETURN, now);
        self.end.done |= finished && self.end.said && lacking.is_empty() && said;
        Some(Closing { signatures, lacking, done: self.end.done })
    }

    /// Whether nothing remains to be done.
    pub const fn is_done(&self) -> bool {
        self.end.done
    }
}
