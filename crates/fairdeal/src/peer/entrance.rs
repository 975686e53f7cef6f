//! A private table before a match: who is there, who knocks, and how the match begins.
//!
//! A screen polls it in its own loop, since nothing here takes long. When a match begins, it becomes a [`Desk`].

mod view;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ::peer::frame::From;
use ::peer::place::{Door, Foyer, Happened, Offer, Unheard};
use ::peer::{Beside, Entry, Guest, Head, RunBy, Ticket};
use relays::address::Through;
use results::Secret;
use table::Game;

use super::desk::{self, Desk};
use super::files::{Folder, Found, Part};
use super::nearby::Announced;
use super::own::{OwnHub, reachable};
use super::post::{Got, Post};
use super::robots::Robots;
use crate::failure::Failure;
use crate::keyring::random;

pub use ::peer::place::{AtDoor as Knock, Person};
pub use view::View;

/// How long an introduction may take before others may come first.
const TO_INTRODUCE: Duration = Duration::from_secs(20);

/// What a player is told whose secrets are lost: in a match, and before one that they have accepted.
pub(super) const WATCHING: &str = "Your secrets are lost: you watch until there are new keys, then play again.";
const SEED_LOST: &str = "Your secrets are lost: the host has to start this match once more.";

/// A place at a table before a match.
pub struct Entrance {
    foyer: Foyer,
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
    /// This player has said that they could run a hub.
    stood: bool,
    /// Something that the person should know in the match.
    notes: Vec<String>,
    news: Vec<News>,
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

impl std::convert::From<Happened> for News {
    fn from(happened: Happened) -> Self {
        match happened {
            Happened::Joined(name) => Self::Joined(name),
            Happened::Left(name) => Self::Left(name),
            Happened::Offered => Self::Offered,
            Happened::Accepted(name) => Self::Accepted(name),
            Happened::Withdrawn => Self::Withdrawn,
        }
    }
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
        let mut foyer = Foyer::new(Guest::new(ticket.key.clone(), key.clone(), ticket.hub, identity, private));
        let mut heard = Vec::new();
        for entry in entries {
            let wrong = |why| Failure::input(format!("{}: {why}", folder.log().display()));
            let head = foyer.recall(entry.clone()).map_err(wrong)?;
            heard.extend(head.map(|head| (entry, head)));
        }
        let guest = &foyer.guest;
        let begun = foyer.begun().is_some();
        let number = guest.member().number();
        if lost && folder.kept.part == Part::Player {
            let accepted = guest.lobby().offered().map(|offered| &offered.accepted);
            let accepted = accepted.zip(number).is_some_and(|(accepted, number)| accepted.contains_key(&number));
            let note = if begun { Some(WATCHING) } else { accepted.then_some(SEED_LOST) };
            notes.extend(note.map(str::to_owned));
        }
        let (notes, news) = match begun {
            true => (notes, Vec::new()),
            false => (Vec::new(), notes.into_iter().map(News::Note).collect()),
        };
        let reached =
            Ticket { at: hub.as_ref().map_or_else(|| ticket.at.clone(), OwnHub::seen_from_here), ..ticket.clone() };
        let mut post = Post::new(&reached, &key);
        post.stored(&heard, guest.member())?;
        // A match that has begun is heard to the end of what is stored first.
        if !begun {
            post.connect()?;
        }
        let door = Door::new(ticket.table(), random()?);
        let mut entrance = Self {
            foyer,
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
            stood: false,
            notes,
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
        if self.foyer.begun().is_none() {
            self.speak()?;
            self.door.forget(self.post.now());
            let got = self.post.collect(if news.is_empty() { wait } else { Duration::ZERO });
            self.take(got, &mut news)?;
            self.start_robots()?;
            self.speak()?;
        }
        news.extend(self.robots.take_troubles().into_iter().map(News::Note));
        if let Some(begun) = self.foyer.begun() {
            let number = self.foyer.guest.member().number();
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
        while self.foyer.begun().is_none() && self.foyer.guest.member().number().is_none() && Instant::now() < until {
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
        let offer = self.offer().ok_or("only the host can start")?;
        self.foyer.start(&offer, self.hub.is_some()).map_err(|why| why.to_string())
    }

    /// Accepts the match on offer.
    pub fn accept(&mut self) {
        self.foyer.accept();
    }

    /// Gives up the seat.
    pub fn leave(&mut self) {
        self.foyer.leave();
    }

    /// Whether everything this player has said is in the log.
    pub fn is_quiet(&self) -> bool {
        self.foyer.guest.member().unsaid() == 0
    }

    /// Lets somebody in whose words are the same.
    pub fn admit(&mut self, knock: u32) -> Result<(), Failure> {
        if let Some(words) = self.door.admit(knock, &self.ticket.key, random()?) {
            self.post.beside(knock, words);
        }
        Ok(())
    }

    /// Does not.
    pub fn turn_away(&mut self, knock: u32) {
        if let Some(words) = self.door.turn_away(knock) {
            self.post.beside(knock, words);
        }
    }

    /// Says something to everybody, beside the log.
    ///
    /// # Errors
    /// Says why it cannot be said.
    pub fn chat(&mut self, text: &str) -> Result<(), String> {
        let fresh = desk::fresh().map_err(|_| "there is no randomness to be had".to_owned())?;
        let words = self.foyer.guest.chat(text, desk::clock(), &fresh).map_err(|why| why.to_string())?;
        self.post.beside(0, words);
        Ok(())
    }

    /// The game of the match that has begun.
    pub fn begun(&self) -> Option<games::AnyGame> {
        self.foyer.begun().map(|begun| begun.start.game)
    }

    /// Sits down at the match that has begun.
    ///
    /// # Errors
    /// Fails if no match has begun, or no thread can be started.
    pub fn sit<G: Game>(self) -> Result<Desk<G>, Failure> {
        let Self { foyer, robots, post, hub, folder, data, notes, .. } = self;
        let (guest, begun, rest) = foyer.into_match().ok_or_else(|| Failure::input("no match has begun"))?;
        desk::begin(desk::Start { guest, begun, rest, robots, post, hub, folder, data, notes })
    }

    fn plays(&self) -> bool {
        self.folder.kept.part == Part::Player
    }

    /// What this player hosts, if they do.
    fn offer(&self) -> Option<Offer> {
        let hosting = self.folder.kept.hosting.as_ref()?;
        Some(Offer { game: hosting.game()?, settings: hosting.settings(), seats: hosting.seats })
    }

    /// Introduces this player once the whole log is known, and sends what is not in it.
    fn speak(&mut self) -> Result<(), Failure> {
        if self.plays() && self.post.is_caught_up() {
            let damaged = || Failure::input(format!("{}: damaged", self.folder.join("table.json").display()));
            let fresh = self.folder.kept.fresh().ok_or_else(damaged)?;
            self.foyer.introduce(&self.folder.kept.name, self.run_by, fresh);
        }
        self.stand();
        if self.post.is_caught_up() {
            self.foyer.guest.caught_up();
        }
        if let Some(private) = self.foyer.guest.to_store() {
            self.folder.store(private)?;
        }
        self.post.deliver(&mut self.foyer.guest)
    }

    /// Says that this player could run a hub if this one is lost.
    fn stand(&mut self) {
        let (lobby, number) = (self.foyer.guest.lobby(), self.foyer.guest.member().number());
        let joined =
            number.filter(|number| lobby.joined().contains_key(number) && !lobby.standing().contains_key(number));
        let standing = self.folder.kept.standing().filter(|_| joined.is_some() && !self.stood);
        if let Some((key, listen)) = standing {
            self.stood = true;
            let at = match self.folder.kept.behind() {
                Some((relay, key)) => Through { relay, key: key.public() }.to_string(),
                None => format!("http://{}", reachable(listen)),
            };
            self.foyer.guest.stand(key.public(), &at);
        }
    }

    fn start_robots(&mut self) -> Result<(), Failure> {
        let number = self.foyer.guest.member().number();
        let Some(number) = number.filter(|number| self.foyer.guest.lobby().joined().contains_key(number)) else {
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
                    if let Some(head) = self.hear(&entry, news)? {
                        heard.push((entry, head));
                    }
                }
                Got::Connection(online) => {
                    if online.is_ok() {
                        self.foyer.guest.send_again();
                    }
                    news.push(News::Connection(online));
                }
                Got::Ended(why) => return Err(Failure::input(why)),
                Got::Beside { from: From::Knock(number), words } => {
                    if self.foyer.answers_knocks(|number| self.post.is_here(number)) {
                        let (is_new, answer) = self.door.heard(number, &words, self.post.now());
                        news.extend(is_new.then_some(News::Knock(number)));
                        if let Some(answer) = answer {
                            self.post.beside(number, answer);
                        }
                    }
                }
                Got::Beside { from: From::Member(_), words } => {
                    if let Ok(Beside::Chat(chat)) = dealing::decode(&words)
                        && let Some((from, text)) = self.foyer.overhear(&chat)
                    {
                        news.push(News::Chat { from, text });
                    }
                }
                Got::Here => {}
            }
        }
        let entries: Vec<Entry> = heard.iter().map(|(entry, _)| entry.clone()).collect();
        self.folder.append(&entries)?;
        if !self.post.stored(&heard, self.foyer.guest.member())? {
            self.foyer.forget_new();
        }
        Ok(())
    }

    /// Hears an entry; returns the head after it, or nothing if it belongs to the match.
    fn hear(&mut self, entry: &Entry, news: &mut Vec<News>) -> Result<Option<Head>, Failure> {
        let heard = self.foyer.hear(entry).map_err(|why| match why {
            Unheard::NotNext(why) => desk::not_next(why),
            Unheard::Void(why) => Failure::input(why),
        })?;
        let Some((head, happened)) = heard else { return Ok(None) };
        news.extend(happened.into_iter().map(News::from));
        Ok(Some(head))
    }
}
