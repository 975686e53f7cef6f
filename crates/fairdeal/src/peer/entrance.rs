//! A private table before a match: who is there, who knocks, and how the match begins.
//!
//! A screen polls it in its own loop, since nothing here takes long. When a match begins, it becomes a [`Desk`].

mod door;
mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::peer::frame::From;
use ::peer::{Begun, Beside, Body, Entry, Guest, Head, Heard, RunBy, Ticket, Void};
use results::Secret;
use table::Game;

use super::desk::{self, Desk};
use super::files::{Folder, Found, Part};
use super::nearby::Announced;
use super::own::{OwnHub, reachable};
use super::post::{Got, Post};
use super::robots::Robots;
use crate::failure::Failure;

use door::Door;
pub use view::{Knock, Person, View};

/// How long an introduction may take before others may come first.
const TO_INTRODUCE: Duration = Duration::from_secs(20);

/// What a player is told whose secrets are lost: in a match, and before one that they have accepted.
pub(super) const WATCHING: &str = "Your secrets are lost: you watch until there are new keys, then play again.";
const SEED_LOST: &str = "Your secrets are lost: the host has to start this match once more.";

/// A place at a table before a match.
pub struct Entrance {
    guest: Guest,
    robots: Robots,
    post: Post,
    /// After the connection, which ends before its hub does.
    hub: Option<OwnHub>,
    announced: Option<Announced>,
    folder: Folder,
    ticket: Ticket,
    key: Secret,
    /// For a computer: who runs it.
    run_by: Option<RunBy>,
    /// Where results are kept.
    data: Option<PathBuf>,
    door: Door,
    /// Everybody's name, also of those who have left.
    names: BTreeMap<u8, String>,
    /// This player has introduced themselves.
    introduced: bool,
    /// This player has said that they could run a hub.
    stood: bool,
    /// This player has accepted the match on offer, and that is not in the log yet.
    accepting: bool,
    begun: Option<(Begun, Heard)>,
    /// Something that the person should know in the match.
    notes: Vec<String>,
    /// Entries after the one that began the match.
    rest: Vec<Rest>,
    news: Vec<News>,
}

/// An entry that belongs to the match.
pub(super) enum Rest {
    /// It is on the disk.
    Stored(Entry),
    /// It is not.
    New(Entry),
}

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
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
    /// Somebody knocks, or the words to compare with them are known: see [`View::knocks`].
    Knock(u32),
    /// Somebody said something.
    Chat {
        /// Their name.
        from: String,
        /// What.
        text: String,
    },
    /// The connection works, or why not.
    Connection(Result<(), String>),
    /// Something that the person should know.
    Note(String),
    /// The match begins: time for [`Entrance::sit`].
    Begun,
}

/// What it takes to go to a table.
pub(super) struct Coming {
    pub(super) found: Found,
    /// `None` for a spectator.
    pub(super) identity: Option<Secret>,
    pub(super) run_by: Option<RunBy>,
    /// Where results are kept; a computer keeps none.
    pub(super) data: Option<PathBuf>,
    pub(super) hub: Option<OwnHub>,
    pub(super) announced: Option<Announced>,
    /// Something that the person should know.
    pub(super) notes: Vec<String>,
}

impl Entrance {
    pub(super) fn open(coming: Coming) -> Result<Self, Failure> {
        let Coming { found, identity, run_by, data, hub, announced, mut notes } = coming;
        let Found { folder, entries, private, lost } = found;
        let damaged = || Failure::input(format!("{}: damaged", folder.join("table.json").display()));
        let (ticket, key) = folder.kept.ticket().zip(folder.kept.key()).ok_or_else(damaged)?;
        let mut guest = Guest::new(ticket.key.clone(), key.clone(), ticket.hub, identity, private);
        let (mut begun, mut rest, mut heard) = (None, Vec::new(), Vec::new());
        let mut names = BTreeMap::new();
        for entry in entries {
            if begun.is_some() {
                rest.push(Rest::Stored(entry));
                continue;
            }
            let wrong = |why| Failure::input(format!("{}: {why}", folder.log().display()));
            match guest.hear(&entry).map_err(wrong)? {
                ::peer::News::Lobby(heard, _) => note_name(&mut names, &heard),
                ::peer::News::Begun(match_, heard) => begun = Some((*match_, heard)),
            }
            heard.push((entry, guest.member().chain().head()));
        }
        let number = guest.member().number();
        if lost && folder.kept.part == Part::Player {
            let accepted = guest.lobby().offered().map(|offered| &offered.accepted);
            let accepted = accepted.zip(number).is_some_and(|(accepted, number)| accepted.contains_key(&number));
            let note = if begun.is_some() { Some(WATCHING) } else { accepted.then_some(SEED_LOST) };
            notes.extend(note.map(str::to_owned));
        }
        let (notes, news) = match &begun {
            Some(_) => (notes, Vec::new()),
            None => (Vec::new(), notes.into_iter().map(News::Note).collect()),
        };
        let reached =
            Ticket { at: hub.as_ref().map_or_else(|| ticket.at.clone(), OwnHub::seen_from_here), ..ticket.clone() };
        let mut post = Post::new(&reached, &key);
        post.stored(&heard, guest.member())?;
        // A match that has begun is heard to the end of what is stored first.
        if begun.is_none() {
            post.connect()?;
        }
        let door = Door::new(ticket.table())?;
        let mut entrance = Self {
            guest,
            robots: Robots::default(),
            post,
            hub,
            announced,
            folder,
            ticket,
            key,
            run_by,
            data,
            door,
            names,
            introduced: number.is_some(),
            stood: false,
            accepting: false,
            begun,
            notes,
            rest,
            news,
        };
        entrance.start_robots()?;
        Ok(entrance)
    }

    /// What has happened; waits for something at most this long.
    ///
    /// # Errors
    /// Fails if the table cannot be reached for good, or something cannot be stored.
    pub fn poll(&mut self, wait: Duration) -> Result<Vec<News>, Failure> {
        let mut news = std::mem::take(&mut self.news);
        if self.begun.is_none() {
            self.speak()?;
            let got = self.post.collect(if news.is_empty() { wait } else { Duration::ZERO });
            self.take(got, &mut news)?;
            self.start_robots()?;
            self.speak()?;
        }
        news.extend(self.robots.take_troubles().into_iter().map(News::Note));
        if let Some((begun, _)) = &self.begun {
            let number = self.guest.member().number();
            if self.plays() && !begun.players.iter().any(|player| Some(player.number) == number) {
                return Err(Failure::input("the match at this table has begun without you; --watch shows it"));
            }
            self.announced = None;
            news.push(News::Begun);
        }
        Ok(news)
    }

    /// Waits until this player's introduction is in the log: the first person there is the host.
    pub(super) fn introduce(&mut self) -> Result<(), Failure> {
        let until = Instant::now() + TO_INTRODUCE;
        let mut news = Vec::new();
        while self.begun.is_none() && self.guest.member().number().is_none() && Instant::now() < until {
            news.extend(self.poll(Duration::from_millis(50))?);
        }
        self.news = news;
        Ok(())
    }

    /// Starts the match with everybody who is there, if this player is the host.
    ///
    /// # Errors
    /// Says why the match cannot start.
    pub fn start(&mut self) -> Result<(), String> {
        let members = self.members_to_play()?;
        let hosting = self.folder.kept.hosting.as_ref().ok_or("only the host can start")?;
        let game = hosting.game().ok_or("this game is unknown")?;
        let runs_hub = self.hub.is_some().then(|| self.guest.member().number()).flatten();
        let start = self.guest.lobby().start(game, hosting.settings(), &members, runs_hub);
        self.guest.start(start.map_err(|why| why.to_string())?);
        Ok(())
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

    /// Whether everything this player has said is in the log.
    pub fn is_quiet(&self) -> bool {
        self.guest.member().unsaid() == 0
    }

    /// Lets somebody in whose words are the same.
    pub fn admit(&mut self, knock: u32) -> Result<(), Failure> {
        self.door.admit(knock, &self.ticket.key, &self.post)
    }

    /// Does not.
    pub fn turn_away(&mut self, knock: u32) {
        self.door.turn_away(knock, &self.post);
    }

    /// Says something to everybody, beside the log.
    ///
    /// # Errors
    /// Says why it cannot be said.
    pub fn chat(&mut self, text: &str) -> Result<(), String> {
        let fresh = desk::fresh().map_err(|_| "there is no randomness to be had".to_owned())?;
        let words = self.guest.chat(text, desk::clock(), &fresh).map_err(|why| why.to_string())?;
        self.post.beside(0, words);
        Ok(())
    }

    /// The game of the match that has begun.
    pub fn begun(&self) -> Option<games::AnyGame> {
        self.begun.as_ref().map(|(begun, _)| begun.start.game)
    }

    /// Sits down at the match that has begun.
    ///
    /// # Errors
    /// Fails if no match has begun, or no thread can be started.
    pub fn sit<G: Game>(self) -> Result<Desk<G>, Failure> {
        let Self { guest, robots, post, hub, folder, data, begun, notes, rest, .. } = self;
        let begun = begun.ok_or_else(|| Failure::input("no match has begun"))?;
        desk::begin(desk::Start { guest, begun, rest, robots, post, hub, folder, data, notes })
    }

    fn plays(&self) -> bool {
        self.folder.kept.part == Part::Player
    }

    /// Whether this player sits in the match on offer, and has not accepted it.
    fn has_to_accept(&self) -> bool {
        let (Some(offered), Some(number)) = (self.guest.lobby().offered(), self.guest.member().number()) else {
            return false;
        };
        let seated = offered.start.seats.iter().any(|(seat, _)| *seat == number);
        seated && !self.accepting && !offered.accepted.contains_key(&number)
    }

    /// Those who would play if the host started now: the first to come, and no more than there are seats.
    fn members_to_play(&self) -> Result<Vec<u8>, String> {
        let Some(hosting) = self.folder.kept.hosting.as_ref().filter(|_| self.is_host()) else {
            return Err("only the host can start".to_owned());
        };
        let members = self.guest.lobby().joined().keys().copied().take(hosting.seats.into());
        let members: Vec<u8> = members.collect();
        let game = hosting.game().ok_or("this game is unknown")?;
        let least = games::with_game!(game, G => *G::PLAYERS.start());
        if members.len() < usize::from(least) {
            return Err(format!("{least} players are needed"));
        }
        Ok(members)
    }

    fn is_host(&self) -> bool {
        let number = self.guest.member().number();
        number.is_some() && self.guest.lobby().host() == number
    }

    /// Introduces this player once the whole log is known, and sends what is not in it.
    fn speak(&mut self) -> Result<(), Failure> {
        if self.plays() && !self.introduced && self.post.caught_up().is_some() && self.guest.member().number().is_none()
        {
            let damaged = || Failure::input(format!("{}: damaged", self.folder.join("table.json").display()));
            let fresh = self.folder.kept.fresh().ok_or_else(damaged)?;
            // The same introduction after a restart, signature and all.
            self.guest.join(&self.folder.kept.name, self.run_by, fresh, &fresh);
            self.introduced = true;
        }
        self.stand();
        if self.post.caught_up().is_some() {
            self.guest.caught_up();
        }
        if let Some(private) = self.guest.to_store() {
            self.folder.store(private)?;
        }
        self.post.deliver(&mut self.guest)
    }

    /// Says that this player could run a hub if this one is lost.
    fn stand(&mut self) {
        let (lobby, number) = (self.guest.lobby(), self.guest.member().number());
        let joined =
            number.filter(|number| lobby.joined().contains_key(number) && !lobby.standing().contains_key(number));
        let standing = self.folder.kept.standing().filter(|_| joined.is_some() && !self.stood);
        if let Some((key, listen)) = standing {
            self.stood = true;
            self.guest.stand(key.public(), &format!("http://{}", reachable(listen)));
        }
    }

    fn start_robots(&mut self) -> Result<(), Failure> {
        let number = self.guest.member().number();
        let Some(number) = number.filter(|number| self.guest.lobby().joined().contains_key(number)) else {
            return Ok(());
        };
        let at = self.hub.as_ref().map(OwnHub::seen_from_here);
        self.robots.start(&self.folder, &self.ticket, at, number, &self.key)
    }

    fn take(&mut self, got: Vec<Got>, news: &mut Vec<News>) -> Result<(), Failure> {
        let mut heard: Vec<(Entry, Head)> = Vec::new();
        for one in got {
            match one {
                Got::Entry(bytes) => {
                    let entry = desk::read_entry(&bytes)?;
                    if self.begun.is_some() {
                        self.rest.push(Rest::New(entry));
                    } else {
                        let head = self.hear(&entry, news)?;
                        heard.push((entry, head));
                    }
                }
                Got::Connection(online) => {
                    if online.is_ok() {
                        self.guest.send_again();
                    }
                    news.push(News::Connection(online));
                }
                Got::Ended(why) => return Err(Failure::input(why)),
                Got::Beside { from: From::Knock(number), words } => {
                    if self.answers_knocks() && self.door.heard(number, &words, &self.post)? {
                        news.push(News::Knock(number));
                    }
                }
                Got::Beside { from: From::Member(_), words } => {
                    if let Ok(Beside::Chat(chat)) = dealing::decode(&words)
                        && let Ok(said) = self.guest.overhear(&chat)
                    {
                        let from = self.names.get(&said.author).cloned().unwrap_or_default();
                        news.push(News::Chat { from, text: said.text });
                    }
                }
                Got::Here => {}
            }
        }
        let entries: Vec<Entry> = heard.iter().map(|(entry, _)| entry.clone()).collect();
        self.folder.append(&entries)?;
        if !self.post.stored(&heard, self.guest.member())? {
            self.rest.retain(|rest| matches!(rest, Rest::Stored(_)));
        }
        Ok(())
    }

    /// Hears an entry; returns the head after it.
    fn hear(&mut self, entry: &Entry, news: &mut Vec<News>) -> Result<Head, Failure> {
        let offered = self.guest.lobby().offered().map(|offered| offered.id);
        let (heard, effect) = match self.guest.hear(entry).map_err(desk::not_next)? {
            ::peer::News::Lobby(heard, effect) => (heard, effect),
            ::peer::News::Begun(begun, heard) => {
                let head = heard.head;
                self.begun = Some((*begun, heard));
                return Ok(head);
            }
        };
        note_name(&mut self.names, &heard);
        let own = Some(heard.number) == self.guest.member().number();
        let name = self.names.get(&heard.number).cloned().unwrap_or_default();
        match (&heard.body, effect) {
            (Some(Body::Join(_)), Ok(())) => news.push(News::Joined(name)),
            (Some(Body::Join(_)), Err(why @ Void::SameIdentity)) if own => return Err(Failure::input(why)),
            (Some(Body::Leave), Ok(())) => {
                news.push(News::Left(name));
                if offered.is_some() && self.guest.lobby().offered().is_none() {
                    news.push(News::Withdrawn);
                    self.accepting = false;
                }
            }
            (Some(Body::Start(_)), Ok(())) => {
                self.accepting = false;
                news.push(News::Offered);
            }
            (Some(Body::SeedHash { .. }), Ok(())) => {
                self.accepting &= !own;
                news.push(News::Accepted(name));
            }
            // It has no effect, so nobody needs to know.
            _ => {}
        }
        Ok(heard.head)
    }

    /// One member answers those who knock: the first person who is connected.
    fn answers_knocks(&self) -> bool {
        let people = self.guest.lobby().joined().iter().filter(|(_, joined)| joined.join.run_by.is_none());
        let first = people.map(|(number, _)| *number).find(|number| self.post.is_here(*number));
        first.is_some() && first == self.guest.member().number()
    }
}

/// Notes what somebody is called. Names are checked: nothing in them steers a terminal.
fn note_name(names: &mut BTreeMap<u8, String>, heard: &Heard) {
    if let Some(Body::Join(join)) = &heard.body {
        let shown = join.name.chars().filter(|c| !c.is_control()).collect();
        names.entry(heard.number).or_insert(shown);
    }
}
