//! The thread of a desk: hears the log, stores it, says what has to be said, and passes on what is seen.
//!
//! In this order, so that nothing is done that could be forgotten:
//!
//! 1. entries are heard, and added to the log on the disk;
//! 2. what only this player knows is stored;
//! 3. envelopes are sent;
//! 4. the screen is told.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::peer::frame::From;
use ::peer::{Aside, Begun, Beside, Body, Entry, Fresh, Guest, Head, Heard, NotNext, Seated, Session};
use table::{Game, Seat, Seats};

use super::{Desk, Now, Over, Told, Waiting, Want, Wants};
use crate::collection::Store;
use crate::failure::Failure;
use crate::keyring::random;
use crate::peer::commands::new_rematch;
use crate::peer::entrance::Rest;
use crate::peer::files::{Folder, STANDBY};
use crate::peer::own::{Listening, Opened, OwnHub};
use crate::peer::post::{Got, Post};
use crate::peer::robots::Robots;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);
/// How often the screen is told how long the table has waited.
const REPEAT: Duration = Duration::from_secs(5);
/// After the end of a match, players who are not connected have this long to come back and sign.
const TO_SIGN: Duration = Duration::from_secs(60);
/// After a match that is finished, a hub that was lost has this long to come back.
const TO_RETURN: Duration = Duration::from_secs(15);
/// The last entries are on their way for this long after everybody has said that they have everything.
const TO_ARRIVE: Duration = Duration::from_millis(500);

/// How long a player who could not run a hub waits before they try again.
const AGAIN: Duration = Duration::from_secs(10);

/// What a match begins with.
pub(in crate::peer) struct Start {
    pub(in crate::peer) guest: Guest,
    pub(in crate::peer) begun: (Begun, Heard),
    pub(in crate::peer) rest: Vec<Rest>,
    pub(in crate::peer) robots: Robots,
    pub(in crate::peer) post: Post,
    pub(in crate::peer) hub: Option<OwnHub>,
    pub(in crate::peer) folder: Folder,
    pub(in crate::peer) data: Option<PathBuf>,
}

/// Starts the thread.
pub(in crate::peer) fn begin<G: Game>(start: Start) -> Result<Desk<G>, Failure> {
    let (tell, told) = channel();
    let (sender, wants) = channel();
    let (waker, way_back) = (start.post.waker(), start.folder.way_back());
    let thread = std::thread::Builder::new().name("table".to_owned()).spawn(move || {
        if let Err(why) = run::<G>(start, &tell, &wants) {
            let _ = tell.send(Told::Failed(why));
        }
    });
    let thread = thread.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?;
    Ok(Desk { told, want: Wants { sender, waker }, way_back, thread: Some(thread) })
}

fn run<G: Game>(start: Start, tell: &Sender<Told<G>>, wants: &Receiver<Want<G>>) -> Result<(), Failure> {
    let Start { guest, begun: (begun, heard), rest, robots, post, hub, folder, data } = start;
    let at = folder.kept.ticket().map(|ticket| ticket.at).unwrap_or_default();
    let mut seated = guest.sit::<G>(begun, &heard, 0).map_err(Failure::input)?;
    seated.see();
    let patience = Duration::from_secs(folder.kept.patience);
    post.may_be_replaced(&seated.session().begun().start.successors, patience);
    let mut sitting = Sitting {
        seated,
        robots,
        post,
        hub,
        folder,
        data,
        clock: Instant::now(),
        told: Instant::now(),
        here_in: 0,
        left: false,
        at,
        patience,
        standby: None,
        stood: None,
        rematch: None,
        told_again: false,
        end: End::default(),
        tell,
    };
    sitting.again(rest)?;
    sitting.play(wants)?;
    sitting.stop();
    Ok(())
}

/// A player at the table.
struct Sitting<'a, G: Game> {
    seated: Seated<G>,
    robots: Robots,
    post: Post,
    /// After the connection, which ends before its hub does.
    hub: Option<OwnHub>,
    folder: Folder,
    data: Option<PathBuf>,
    clock: Instant,
    /// When the screen was last told how things are.
    told: Instant,
    /// The number of the last deal in which this player said that they are back.
    here_in: u32,
    /// This player has conceded the match.
    left: bool,
    /// Where the hub is.
    at: String,
    /// How long a hub may be silent.
    patience: Duration,
    /// The hub that this player runs because another one is lost.
    standby: Option<OwnHub>,
    /// When this player last tried to run it.
    stood: Option<Instant>,
    /// The hub of a rematch, until this player goes there.
    rematch: Option<OwnHub>,
    /// The screen knows the way to a rematch.
    told_again: bool,
    end: End,
    tell: &'a Sender<Told<G>>,
}

/// What has been done since the end of the match.
#[derive(Default)]
struct End {
    since: Option<Instant>,
    /// How many signatures the stored result has.
    signatures: Option<usize>,
    stored: Option<PathBuf>,
    /// This player has said that they have everything.
    said: bool,
    /// The keys are erased.
    done: bool,
    /// Who had not said so when the screen was told last.
    lacking: Vec<Seat>,
}

/// Whether somebody still listens.
struct Gone;

impl<G: Game> Sitting<'_, G> {
    /// What was heard before a restart, or while the match began.
    fn again(&mut self, rest: Vec<Rest>) -> Result<(), Failure> {
        let (mut stored, mut new) = (Vec::new(), Vec::new());
        for entry in rest {
            let (entry, into) = match entry {
                Rest::Stored(entry) => (entry, &mut stored),
                Rest::New(entry) => (entry, &mut new),
            };
            if let Some(head) = self.hear(&entry)? {
                into.push((entry, head));
            }
        }
        self.post.stored(&stored, self.seated.member())?;
        self.store(&new)?;
        self.stand_by()?;
        self.post.connect()
    }

    fn play(&mut self, wants: &Receiver<Want<G>>) -> Result<(), Failure> {
        let mut changed = true;
        loop {
            self.tick()?;
            self.speak()?;
            if self.tell_all()?.is_err() {
                return Ok(());
            }
            // The end of the match may have left something to say.
            self.speak()?;
            if changed || self.told.elapsed() >= REPEAT {
                self.told = Instant::now();
                if self.tell.send(Told::Now(Box::new(self.state()))).is_err() {
                    return Ok(());
                }
            }
            let got = self.post.collect(TICK);
            changed = !got.is_empty();
            self.take(got)?;
            for want in wants.try_iter() {
                changed = true;
                match want {
                    Want::Decide(decided) => drop(self.seated.decide(decided)),
                    Want::Leave => {
                        self.robots.leave();
                        self.seated.leave();
                    }
                    Want::Abandon => self.seated.abandon(),
                    Want::Chat(text) => self.chat(&text)?,
                    Want::Again => self.play_again()?,
                    Want::Quit => return self.speak(),
                }
            }
        }
    }

    /// Time has passed.
    fn tick(&mut self) -> Result<(), Failure> {
        let now = self.now();
        let caught_up = self.post.caught_up();
        let connected = caught_up.map_or(now, |since| millis(since.saturating_duration_since(self.clock)));
        self.seated.tick(connected, now);
        self.come_back();
        self.stand_by()?;
        if self.seated.is_gathering() {
            self.seated.convene(self.post.here(), clock(), &random()?);
        }
        Ok(())
    }

    /// Runs a hub if the one in office has been silent for half of what it may be, or if this one is in office.
    fn stand_by(&mut self) -> Result<(), Failure> {
        let Some((key, listen)) = self.folder.kept.standing().filter(|_| self.standby.is_none()) else { return Ok(()) };
        let successors = &self.seated.session().begun().start.successors;
        let listed = successors.iter().any(|standby| standby.hub == key.public());
        let in_office = *self.seated.member().chain().hub() == key.public();
        let again = self.stood.is_none_or(|at| at.elapsed() > AGAIN);
        if !listed || !again || !(in_office || self.post.is_lost_for(self.patience / 2)) {
            return Ok(());
        }
        self.stood = Some(Instant::now());
        let Some(ticket) = self.folder.kept.ticket() else { return Ok(()) };
        let entries = self.folder.entries()?;
        let opened = Opened::new(&self.folder.join(STANDBY), Listening::At(listen));
        // Somebody else may listen there by now; then another player has to run the hub.
        self.standby = opened
            .and_then(|opened| {
                opened.stand_by(&ticket, &key, &entries)?;
                opened.run()
            })
            .ok();
        Ok(())
    }

    /// Whether the hub in office is in this program.
    fn is_hub(&self) -> bool {
        let office = *self.seated.member().chain().hub();
        let standing = self.folder.kept.standing().filter(|_| self.standby.is_some());
        match standing {
            Some((key, _)) if key.public() == office => true,
            _ => self.hub.is_some() && self.seated.member().chain().changes() == 0,
        }
    }

    /// A player who was late, and is connected again, says so.
    fn come_back(&mut self) {
        let session = self.seated.session();
        let deal = session.deals();
        if session.is_out() && !self.left && self.here_in < deal && self.post.caught_up().is_some() {
            self.here_in = deal;
            self.seated.come_back();
        }
    }

    fn take(&mut self, got: Vec<Got>) -> Result<(), Failure> {
        let mut heard = Vec::new();
        let mut pledged = false;
        for one in got {
            match one {
                Got::Entry(bytes) => {
                    let entry = read_entry(&bytes)?;
                    match self.hear(&entry)? {
                        Some(head) => heard.push((entry, head)),
                        None => pledged = true,
                    }
                }
                Got::Connection(online) => {
                    if let (Ok(()), Some(hub)) = (&online, self.post.hub()) {
                        self.seated.send_again();
                        self.seated.connected(hub);
                    }
                    let _ = self.tell.send(Told::Connection(online));
                }
                // Nothing more is needed of a hub that is gone.
                Got::Ended(why) if !self.end.done => return Err(Failure::input(why)),
                Got::Beside { from: From::Member(from), words } => pledged |= self.overhear(from, &words)?,
                Got::Ended(_) | Got::Beside { .. } | Got::Here => {}
            }
        }
        self.store(&heard)?;
        // What was not heard comes again through another connection.
        if pledged && self.stood.is_none_or(|at| at.elapsed() > AGAIN) {
            self.post.reconnect()?;
        }
        Ok(())
    }

    /// Hears an entry; returns the head after it, or nothing if this player has signed that another hub should continue.
    fn hear(&mut self, entry: &Entry) -> Result<Option<Head>, Failure> {
        let now = self.now();
        let (heard, _) = match self.seated.hear(entry, now) {
            Err(NotNext::Pledged) => return Ok(None),
            heard => heard.map_err(not_next)?,
        };
        if heard.change.is_some() {
            self.post.in_office(*self.seated.member().chain().hub());
        }
        if heard.body == Some(Body::Leave) && Some(heard.number) == self.seated.member().number() {
            self.left = true;
        }
        Ok(Some(heard.head))
    }

    fn store(&mut self, heard: &[(Entry, Head)]) -> Result<(), Failure> {
        let entries: Vec<Entry> = heard.iter().map(|(entry, _)| entry.clone()).collect();
        self.folder.append(&entries)?;
        self.post.stored(heard, self.seated.member())?;
        Ok(())
    }

    fn chat(&mut self, text: &str) -> Result<(), Failure> {
        // A text that cannot be said is refused by the screen; a spectator only reads.
        if let Ok(words) = self.seated.chat(text, clock(), &fresh()?) {
            self.post.beside(0, words);
        }
        Ok(())
    }

    /// Words beside the log; returns whether what this player has signed about a hub can no longer happen.
    fn overhear(&mut self, from: u8, words: &[u8]) -> Result<bool, Failure> {
        let chat = match dealing::decode(words) {
            Ok(Beside::Chat(chat)) => chat,
            Ok(Beside::Ballot(ballot)) => return Ok(self.seated.ballot(from, &ballot, &random()?)),
            Ok(Beside::Knock(_)) | Err(_) => return Ok(false),
        };
        if let Ok(said) = self.seated.overhear(&chat) {
            let players = &self.seated.session().begun().players;
            let from = players.iter().find(|player| player.number == said.author);
            let from = from.map(|player| player.join.name.clone()).unwrap_or_default();
            let _ = self.tell.send(Told::Chat { from, text: said.text });
        }
        Ok(false)
    }

    /// Invites the others to a rematch at a new table, whose hub waits there until this player goes there.
    fn play_again(&mut self) -> Result<(), Failure> {
        let session = self.seated.session();
        let invited = session.ended().is_none_or(|ended| ended.again().is_some());
        let (Some(data), false, Some(_)) = (&self.data, invited || self.rematch.is_some(), session.me()) else {
            return Ok(());
        };
        let (ticket, hub) = new_rematch(&self.folder, data, session.begun(), &self.at, self.hub.is_some())?;
        if self.seated.again(ticket) {
            self.rematch = hub;
        }
        Ok(())
    }

    /// Stores what only this player knows, then sends what is not in the log.
    fn speak(&mut self) -> Result<(), Failure> {
        // After everything is erased, nothing secret is left to store.
        if let Some(private) = self.seated.to_store().filter(|_| !self.end.done) {
            self.folder.store(private)?;
        }
        for aside in self.seated.take_asides() {
            match (aside, self.folder.kept.standing()) {
                (Aside::Words(words), _) => self.post.beside(0, words),
                (Aside::Install(change), Some((key, _))) => self.post.install(change, &key)?,
                (Aside::Install(_), None) => {}
            }
        }
        self.post.deliver(&mut self.seated)
    }

    /// Tells what was seen, and how the match ended.
    fn tell_all(&mut self) -> Result<Result<(), Gone>, Failure> {
        for seen in self.seated.take_seen() {
            if self.tell.send(Told::Seen(Box::new(seen))).is_err() {
                return Ok(Err(Gone));
            }
        }
        let again = self.seated.session().ended().and_then(|ended| ended.again());
        if let (Some((_, ticket)), false) = (again, self.told_again) {
            self.told_again = true;
            let _ = self.tell.send(Told::Again(ticket.to_string()));
        }
        let Some(over) = self.ended()? else { return Ok(Ok(())) };
        Ok(self.tell.send(Told::Over(Box::new(over))).map_err(|_| Gone))
    }

    /// Stores the result, and what has changed since the screen was told last.
    fn ended(&mut self) -> Result<Option<Over>, Failure> {
        let session = self.seated.session();
        let Some(ended) = session.ended() else { return Ok(None) };
        let since = *self.end.since.get_or_insert_with(Instant::now);
        let unsigned = ended.unsigned();
        let signatures = ended.result().map_or(0, |result| result.signatures().iter().flatten().count());
        let mut changed = self.end.signatures != Some(signatures);
        if let (true, Some(data), Some(result)) = (changed, &self.data, ended.result()) {
            let store = Store::new(data.clone());
            let (_, path) = store.keep(&result.clone().check())?;
            if let Some(export) = ended.export().filter(|_| unsigned.is_empty()) {
                store.keep(&export.clone().check())?;
            }
            self.end.stored = Some(path);
        }
        self.end.signatures = Some(signatures);
        let complete = ended.is_complete();
        let gone = |seat: &Seat| self.number(*seat).is_none_or(|number| !self.post.is_here(number));
        let given_up = since.elapsed() > TO_SIGN && unsigned.iter().all(gone);
        let finished = complete || ended.result().is_none() || given_up;
        let players = Seats::first(u8::try_from(session.begun().players.len()).unwrap_or(0));
        let lacking: Vec<Seat> = match self.is_hub() {
            true => (players - ended.informed).iter().filter(|seat| !(given_up && gone(seat))).collect(),
            false => Vec::new(),
        };
        if finished && !self.end.said {
            self.end.said = true;
            // A spectator says nothing, and after a restart it has been said.
            if session.me().is_some_and(|me| !ended.informed.contains(me)) {
                self.seated.come_back();
                return Ok(None);
            }
        }
        // A hub that is gone has everything that was needed, or nobody is left who could ask for it.
        let said = self.seated.member().unsaid() == 0 || self.post.is_lost_for(TO_RETURN);
        let done = finished && self.end.said && lacking.is_empty() && said;
        if done && !self.end.done {
            self.end.done = true;
            changed = true;
            self.folder.erase()?;
        }
        changed |= self.end.lacking != lacking;
        self.end.lacking = lacking;
        Ok(if changed { self.over() } else { None })
    }

    fn over(&self) -> Option<Over> {
        let session = self.seated.session();
        let ended = session.ended()?;
        Some(Over {
            game: session.begun().start.game,
            names: names(session),
            me: session.me(),
            why: ended.why,
            standing: ended.standing.clone(),
            deals: ended.deals,
            result: ended.result().cloned(),
            unsigned: ended.unsigned(),
            complete: ended.is_complete(),
            lacking: self.end.lacking.clone(),
            done: self.end.done,
            stored: self.end.stored.clone(),
            log: self.folder.log(),
        })
    }

    fn state(&self) -> Now<G> {
        let session = self.seated.session();
        let (now, waits, preparing) = (self.now(), session.waits(), session.preparing());
        let waiting = waits.all().iter().map(|(seat, wait)| Waiting {
            seat: *seat,
            duty: wait.duty,
            for_ms: now.saturating_sub(wait.heard),
            limit_ms: waits.limit(wait.duty),
        });
        let longest = waits.all().values().map(|wait| now.saturating_sub(wait.heard)).max();
        let players = u8::try_from(session.begun().players.len()).unwrap_or(0);
        let here = |seat: &Seat| self.number(*seat).is_some_and(|number| self.post.is_here(number));
        Now {
            me: session.me(),
            names: names(session),
            settings: session.settings().clone(),
            table: session.table().cloned(),
            own: session.known().map(|known| known.own.clone()).unwrap_or_default(),
            asked: session.is_asked().is_some(),
            deal: session.deals(),
            standing: session.standing(),
            waits: waiting.collect(),
            thinking: waits.thinking(),
            here: Seats::first(players).iter().filter(here).collect(),
            seeds: session.seeds(),
            keys: preparing.keys,
            shuffled: preparing.shuffled,
            ahead: preparing.ahead,
            hopeless: longest.is_some_and(|longest| longest >= ::peer::ABANDON),
            online: self.post.online().clone(),
        }
    }

    fn number(&self, seat: Seat) -> Option<u8> {
        let players = &self.seated.session().begun().players;
        players.get(usize::from(seat.index())).map(|player| player.number)
    }

    /// Milliseconds by this program's own clock.
    fn now(&self) -> u64 {
        millis(self.clock.elapsed())
    }

    /// The computers end, then the connection, then the hub. Their keys are erased if nothing remains to be done.
    fn stop(self) {
        let is_hub = self.is_hub();
        let Self { robots, post, hub, standby, rematch, told_again, folder, end, .. } = self;
        drop(rematch);
        robots.stop(end.done);
        if end.done && is_hub {
            // The way to a rematch is not acknowledged by anybody.
            std::thread::sleep(if told_again { TO_ARRIVE * 4 } else { TO_ARRIVE });
        }
        drop(post);
        drop((hub, standby));
        if end.done {
            folder.clear();
        }
    }
}

fn names<G: Game>(session: &Session<G>) -> Vec<String> {
    session.begun().players.iter().map(|player| player.join.name.clone()).collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds since 1970.
pub(in crate::peer) fn clock() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// Randomness for one message.
pub(in crate::peer) fn fresh() -> Result<Fresh, Failure> {
    Ok(Fresh { nonce: random()?, aux: random()? })
}

/// An entry as a hub sends it.
pub(in crate::peer) fn read_entry(bytes: &[u8]) -> Result<Entry, Failure> {
    dealing::decode(bytes).map_err(|_| Failure::Check("the hub sent something that is not an entry".to_owned()))
}

/// An entry that cannot come next.
pub(in crate::peer) fn not_next(why: NotNext) -> Failure {
    Failure::Check(format!("the hub sent an entry that does not belong there: {why}"))
}
