//! A private table before a match, as one member's program sees it: who is there, and how the match begins.

use core::fmt;

use games::AnyGame;
use results::Callsign;
use table::Map;

use crate::body::{Body, RunBy};
use crate::chain::NotNext;
use crate::chat::Chat;
use crate::entry::{Entry, Head};
use crate::lobby::{Begun, Void};
use crate::member::Heard;
use crate::peer::{Guest, News};
use crate::start::BadStart;

/// A place at a table before a match.
pub struct Foyer {
    /// This program's half of the log, and the lobby.
    pub guest: Guest,
    /// Everybody's name, also of those who have left.
    names: Map<u8, String>,
    /// This player has introduced themselves.
    introduced: bool,
    /// This player has accepted the match on offer, and that is not in the log yet.
    accepting: bool,
    begun: Option<(Begun, Heard)>,
    rest: Vec<Rest>,
}

/// An entry that belongs to the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// It is on the disk.
    Stored(Entry),
    /// It is not.
    New(Entry),
}

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happened {
    /// Somebody has joined.
    Joined(String),
    /// Somebody has left.
    Left(String),
    /// The host has started a match, which everybody has to accept.
    Offered,
    /// Somebody has accepted it.
    Accepted(String),
    /// The match on offer is none any more, because somebody has left.
    Withdrawn,
}

/// What the host wants to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The game.
    pub game: AnyGame,
    /// Settings that differ from the usual ones.
    pub settings: Vec<(String, String)>,
    /// How many play.
    pub seats: u8,
}

/// Why a match cannot start yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CannotStart {
    /// Only the host can start.
    NotTheHost,
    /// At least this many players are needed.
    TooFew(u8),
    /// The settings do not fit, or the like.
    Bad(BadStart),
}

impl fmt::Display for CannotStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTheHost => f.write_str("only the host can start"),
            Self::TooFew(least) => write!(f, "{least} players are needed"),
            Self::Bad(why) => why.fmt(f),
        }
    }
}

/// Why an entry ends this program's stay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unheard {
    /// It cannot come next in the log.
    NotNext(NotNext),
    /// This player's introduction has no effect.
    Void(Void),
}

/// Somebody at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Their number.
    pub number: u8,
    /// Their name.
    pub name: String,
    /// What their key makes them be called.
    pub callsign: String,
    /// For a computer: the name of the player who runs it.
    pub computer_of: Option<String>,
    /// Whether they are connected.
    pub here: bool,
    /// Whether they are the host.
    pub host: bool,
    /// Whether they have accepted the match on offer.
    pub accepted: bool,
}

impl Foyer {
    /// Somebody who has heard nothing yet.
    pub fn new(guest: Guest) -> Self {
        let (names, rest) = (Map::new(), Vec::new());
        Self { guest, names, introduced: false, accepting: false, begun: None, rest }
    }

    /// An entry from the disk, after a restart; returns the head after it, or `None` if it belongs to the match.
    pub fn recall(&mut self, entry: Entry) -> Result<Option<Head>, NotNext> {
        if self.begun.is_some() {
            self.rest.push(Rest::Stored(entry));
            return Ok(None);
        }
        match self.guest.hear(&entry)? {
            News::Lobby(heard, _) => self.note_name(&heard),
            News::Begun(begun, heard) => self.begun = Some((*begun, heard)),
        }
        self.introduced = self.guest.member().number().is_some();
        Ok(Some(self.guest.member().chain().head()))
    }

    /// The next entry of the log; returns the head after it and what has happened, or `None` if the match has begun: then
    /// the entry is kept for it.
    pub fn hear(&mut self, entry: &Entry) -> Result<Option<(Head, Vec<Happened>)>, Unheard> {
        if self.begun.is_some() {
            self.rest.push(Rest::New(entry.clone()));
            return Ok(None);
        }
        let offered = self.guest.lobby().offered().map(|offered| offered.id);
        let (heard, effect) = match self.guest.hear(entry).map_err(Unheard::NotNext)? {
            News::Lobby(heard, effect) => (heard, effect),
            News::Begun(begun, heard) => {
                let head = heard.head;
                self.begun = Some((*begun, heard));
                return Ok(Some((head, Vec::new())));
            }
        };
        self.note_name(&heard);
        let own = Some(heard.number) == self.guest.member().number();
        let name = self.name(heard.number);
        let mut happened = Vec::new();
        match (&heard.body, effect) {
            (Some(Body::Join(_)), Ok(())) => happened.push(Happened::Joined(name)),
            (Some(Body::Join(_)), Err(why @ Void::SameIdentity)) if own => return Err(Unheard::Void(why)),
            (Some(Body::Leave), Ok(())) => {
                happened.push(Happened::Left(name));
                if offered.is_some() && self.guest.lobby().offered().is_none() {
                    happened.push(Happened::Withdrawn);
                    self.accepting = false;
                }
            }
            (Some(Body::Start(_)), Ok(())) => {
                self.accepting = false;
                happened.push(Happened::Offered);
            }
            (Some(Body::SeedHash { .. }), Ok(())) => {
                self.accepting &= !own;
                happened.push(Happened::Accepted(name));
            }
            // It has no effect, so nobody needs to know.
            _ => {}
        }
        Ok(Some((heard.head, happened)))
    }

    /// Entries that have come and are not stored come again.
    pub fn forget_new(&mut self) {
        self.rest.retain(|rest| matches!(rest, Rest::Stored(_)));
    }

    /// Introduces this player, once, when the whole log is known. The same `fresh` bytes after a restart make the same
    /// introduction.
    pub fn introduce(&mut self, name: &str, run_by: Option<RunBy>, fresh: [u8; 32]) {
        if !self.introduced && self.guest.member().number().is_none() {
            self.guest.join(name, run_by, fresh, &fresh);
            self.introduced = true;
        }
    }

    /// Accepts the match on offer.
    pub fn accept(&mut self) {
        if self.has_to_accept() {
            self.accepting = self.guest.accept();
        }
    }

    /// Gives up the seat.
    pub fn leave(&mut self) {
        if self.guest.member().number().is_some() {
            self.guest.leave();
        }
    }

    /// Starts the match with everybody who is there, if this player is the host.
    pub fn start(&mut self, offer: &Offer, runs_hub: bool) -> Result<(), CannotStart> {
        let members = self.members_to_play(offer)?;
        let runs_hub = self.guest.member().number().filter(|_| runs_hub);
        let start = self.guest.lobby().start(offer.game, offer.settings.clone(), &members, runs_hub);
        self.guest.start(start.map_err(CannotStart::Bad)?);
        Ok(())
    }

    /// Those who would play if the host started now: the first to come, and no more than there are seats.
    pub fn members_to_play(&self, offer: &Offer) -> Result<Vec<u8>, CannotStart> {
        if !self.is_host() {
            return Err(CannotStart::NotTheHost);
        }
        let members: Vec<u8> = self.guest.lobby().joined().keys().copied().take(offer.seats.into()).collect();
        let least = games::with_game!(offer.game, G => *<G as table::Game>::PLAYERS.start());
        if members.len() < usize::from(least) {
            return Err(CannotStart::TooFew(least));
        }
        Ok(members)
    }

    /// Whether this player is the host, who starts.
    pub fn is_host(&self) -> bool {
        let number = self.guest.member().number();
        number.is_some() && self.guest.lobby().host() == number
    }

    /// Whether this player sits in the match on offer, and has not accepted it.
    pub fn has_to_accept(&self) -> bool {
        let (Some(offered), Some(number)) = (self.guest.lobby().offered(), self.guest.member().number()) else {
            return false;
        };
        let seated = offered.start.seats.iter().any(|(seat, _)| *seat == number);
        seated && !self.accepting && !offered.accepted.contains_key(&number)
    }

    /// One member answers those who knock: the first person who is connected.
    pub fn answers_knocks(&self, is_here: impl Fn(u8) -> bool) -> bool {
        let people = self.guest.lobby().joined().iter().filter(|(_, joined)| joined.join.run_by.is_none());
        let first = people.map(|(number, _)| *number).find(|number| is_here(*number));
        first.is_some() && first == self.guest.member().number()
    }

    /// Somebody chats: their name and what they say, if it can be believed.
    pub fn overhear(&mut self, chat: &Chat) -> Option<(String, String)> {
        let said = self.guest.overhear(chat).ok()?;
        Some((self.name(said.author), said.text))
    }

    /// Everybody at the table, the computers included.
    pub fn people(&self, is_here: impl Fn(u8) -> bool) -> Vec<Person> {
        let lobby = self.guest.lobby();
        let offered = lobby.offered();
        let people = lobby.joined().iter().map(|(number, joined)| Person {
            number: *number,
            name: self.name(*number),
            callsign: Callsign::of_player(&joined.join.identity).to_string(),
            computer_of: joined.join.run_by.map(|run_by| self.name(run_by.number)),
            here: is_here(*number),
            host: lobby.host() == Some(*number),
            accepted: offered.is_some_and(|offered| offered.accepted.contains_key(number)),
        });
        people.collect()
    }

    /// The match that has begun.
    pub fn begun(&self) -> Option<&Begun> {
        self.begun.as_ref().map(|(begun, _)| begun)
    }

    /// What the match begins with, once it has: the guest who sits down, the match, and the entries that followed.
    pub fn into_match(self) -> Option<(Guest, (Begun, Heard), Vec<Rest>)> {
        Some((self.guest, self.begun?, self.rest))
    }

    fn name(&self, number: u8) -> String {
        self.names.get(&number).cloned().unwrap_or_default()
    }

    /// Notes what somebody is called. Names are checked: nothing in them steers a terminal.
    fn note_name(&mut self, heard: &Heard) {
        if let Some(Body::Join(join)) = &heard.body {
            let shown = join.name.chars().filter(|c| !c.is_control()).collect();
            self.names.or_insert_with(heard.number, || shown);
        }
    }
}
