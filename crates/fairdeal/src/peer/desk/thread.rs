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
use ::peer::place::{Closing, Hearing, Overheard, Place, Rest};
use ::peer::{Aside, Begun, Entry, Fresh, Guest, Head, Heard, NotNext};
use server::private::Sleeper;
use table::Game;

use super::elsewhere::Elsewhere;
use super::{Desk, Told, Want, Wants};
use crate::failure::Failure;
use crate::keyring::random;
use crate::peer::files::Folder;
use crate::peer::own::OwnHub;
use crate::peer::post::{Got, Post};
use crate::peer::robots::Robots;

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);
/// How often the screen is told how long the table has waited.
const REPEAT: Duration = Duration::from_secs(5);
/// The last entries are on their way for this long after everybody has said that they have everything.
const TO_ARRIVE: Duration = Duration::from_millis(500);

/// How long a player who could not run a hub waits before they try again.
pub(super) const AGAIN: Duration = Duration::from_secs(10);

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
    /// Something that the person should know.
    pub(in crate::peer) notes: Vec<String>,
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
    let Start { guest, begun: (begun, heard), rest, robots, post, hub, folder, data, notes } = start;
    let at = folder.kept.ticket().map(|ticket| ticket.at).unwrap_or_default();
    let mut seated = guest.sit::<G>(begun, &heard, post.now()).map_err(Failure::input)?;
    seated.see();
    let patience = Duration::from_secs(folder.kept.patience);
    post.may_be_replaced(&seated.session().begun().start.successors, patience);
    let mut sitting = Sitting {
        place: Place::new(seated),
        robots,
        post,
        hub,
        folder,
        data,
        told: Instant::now(),
        notes,
        at,
        patience,
        standby: None,
        stood: None,
        elsewhere: Elsewhere::default(),
        sleeper: Sleeper::awake(),
        slept: false,
        invited: false,
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
pub(super) struct Sitting<'a, G: Game> {
    pub(super) place: Place<G>,
    pub(super) robots: Robots,
    pub(super) post: Post,
    /// After the connection, which ends before its hub does.
    pub(super) hub: Option<OwnHub>,
    pub(super) folder: Folder,
    pub(super) data: Option<PathBuf>,
    /// When the screen was last told how things are.
    pub(super) told: Instant,
    /// What the screen has not been told, and the person should know.
    pub(super) notes: Vec<String>,
    /// Where the hub is.
    pub(super) at: String,
    /// How long a hub may be silent.
    pub(super) patience: Duration,
    /// The hub that this player runs because another one is lost.
    pub(super) standby: Option<OwnHub>,
    /// When this player last tried to run it.
    pub(super) stood: Option<Instant>,
    /// Whether the others have gone on without this hub.
    pub(super) elsewhere: Elsewhere,
    /// Notices that the computer has slept.
    pub(super) sleeper: Sleeper,
    /// It has, and nothing is heard or said before others are asked.
    pub(super) slept: bool,
    /// This player has invited the others to a rematch.
    pub(super) invited: bool,
    /// The screen knows the way to a rematch.
    pub(super) told_again: bool,
    pub(super) end: End,
    pub(super) tell: &'a Sender<Told<G>>,
}

/// What the screen has been told about the end of the match.
#[derive(Default)]
pub(super) struct End {
    /// What remained to be done then.
    pub(super) told: Option<Closing>,
    pub(super) stored: Option<PathBuf>,
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
            if let Hearing::Heard { head, .. } = self.hear(&entry)? {
                into.push((entry, head));
            }
        }
        self.post.stored(&stored, self.place.seated.member())?;
        self.store(&new)?;
        self.stand_by()?;
        if !stored.is_empty() {
            let now = self.now();
            self.place.resumed(now, clock());
            self.ask_before_own();
        }
        self.post.connect()
    }

    fn play(&mut self, wants: &Receiver<Want<G>>) -> Result<(), Failure> {
        let mut changed = true;
        self.sleeper = Sleeper::awake();
        loop {
            self.wake()?;
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
            self.notes.extend(self.robots.take_troubles());
            for note in self.notes.drain(..) {
                let _ = self.tell.send(Told::Note(note));
            }
            let got = self.post.collect(TICK);
            changed = !got.is_empty();
            self.take(got)?;
            for want in wants.try_iter() {
                changed = true;
                match want {
                    Want::Decide(decided) => drop(self.place.seated.decide(decided)),
                    Want::Leave => {
                        self.robots.leave();
                        self.place.seated.leave();
                    }
                    Want::Abandon => self.place.seated.abandon(),
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
        self.place.tick(self.post.known(), now, clock(), &random()?);
        self.stand_by()?;
        self.look_elsewhere()
    }

    fn take(&mut self, got: Vec<Got>) -> Result<(), Failure> {
        let mut heard = Vec::new();
        let (mut pledged, mut released) = (false, false);
        for one in got {
            match one {
                // It comes again.
                Got::Entry(_) if released || self.has_slept() => {}
                Got::Entry(bytes) => {
                    let entry = read_entry(&bytes)?;
                    match self.hear(&entry)? {
                        Hearing::Heard { head, .. } => heard.push((entry, head)),
                        Hearing::Pledged => pledged = true,
                        Hearing::Released => released = true,
                    }
                }
                Got::Connection(online) => {
                    if let (Ok(()), Some(hub)) = (&online, self.post.hub()) {
                        self.place.seated.send_again();
                        self.place.seated.connected(hub);
                    }
                    let _ = self.tell.send(Told::Connection(online));
                }
                // Nothing more is needed of a hub that is gone.
                Got::Ended(why) if !self.place.is_done() => return Err(Failure::input(why)),
                Got::Beside { from: From::Member(from), words } => pledged |= self.overhear(from, &words)?,
                Got::Ended(_) | Got::Beside { .. } | Got::Here => {}
            }
        }
        self.store(&heard)?;
        // What was not heard comes again through another connection.
        if released || pledged && self.stood.is_none_or(|at| at.elapsed() > AGAIN) {
            if let Some(private) = self.place.seated.to_store() {
                self.folder.store(private)?;
            }
            self.post.reconnect()?;
        }
        Ok(())
    }

    fn hear(&mut self, entry: &Entry) -> Result<Hearing, Failure> {
        let now = self.now();
        let heard = self.place.hear(entry, now).map_err(not_next)?;
        if matches!(heard, Hearing::Heard { changed: true, .. }) {
            self.post.in_office(*self.place.seated.member().chain().hub());
        }
        Ok(heard)
    }

    fn store(&mut self, heard: &[(Entry, Head)]) -> Result<(), Failure> {
        let entries: Vec<Entry> = heard.iter().map(|(entry, _)| entry.clone()).collect();
        self.folder.append(&entries)?;
        self.post.stored(heard, self.place.seated.member())?;
        Ok(())
    }

    fn chat(&mut self, text: &str) -> Result<(), Failure> {
        // A text that cannot be said is refused by the screen; a spectator only reads.
        if let Ok(words) = self.place.seated.chat(text, clock(), &fresh()?) {
            self.post.beside(0, words);
        }
        Ok(())
    }

    /// Words beside the log; returns whether what this player has signed about a hub can no longer happen.
    fn overhear(&mut self, from: u8, words: &[u8]) -> Result<bool, Failure> {
        match self.place.overhear(from, words, &random()?) {
            Overheard::Released => return Ok(true),
            Overheard::Chat { from, text } => drop(self.tell.send(Told::Chat { from, text })),
            Overheard::Nothing => {}
        }
        Ok(false)
    }

    /// Stores what only this player knows, then sends what is not in the log.
    fn speak(&mut self) -> Result<(), Failure> {
        // After everything is erased, nothing secret is left to store.
        let done = self.place.is_done();
        if let Some(private) = self.place.seated.to_store().filter(|_| !done) {
            self.folder.store(private)?;
        }
        for aside in self.place.seated.take_asides() {
            match (aside, self.folder.kept.standing()) {
                (Aside::Words(words), _) => self.post.beside(0, words),
                (Aside::Install(change), Some((key, _))) => self.post.install(change, &key)?,
                (Aside::Install(_), None) => {}
            }
        }
        if self.is_alone() || self.has_slept() { Ok(()) } else { self.post.deliver(&mut self.place.seated) }
    }

    /// Tells what was seen, and how the match ended.
    fn tell_all(&mut self) -> Result<Result<(), Gone>, Failure> {
        for seen in self.place.seated.take_seen() {
            if self.tell.send(Told::Seen(Box::new(seen))).is_err() {
                return Ok(Err(Gone));
            }
        }
        let again = self.place.seated.session().ended().and_then(|ended| ended.again());
        if let (Some((_, ticket)), false) = (again, self.told_again) {
            self.told_again = true;
            let _ = self.tell.send(Told::Again(ticket.to_string()));
        }
        let Some(over) = self.ended()? else { return Ok(Ok(())) };
        Ok(self.tell.send(Told::Over(Box::new(over))).map_err(|_| Gone))
    }

    /// Milliseconds by this program's own clock.
    pub(super) fn now(&self) -> u64 {
        self.post.now()
    }

    /// The computers end, then the connection, then the hub. Their keys are erased if nothing remains to be done.
    fn stop(self) {
        let is_hub = self.is_hub();
        let done = self.place.is_done();
        let Self { robots, post, hub, standby, told_again, folder, .. } = self;
        robots.stop(done);
        if done && is_hub {
            // The way to a rematch is not acknowledged by anybody.
            std::thread::sleep(if told_again { TO_ARRIVE * 4 } else { TO_ARRIVE });
        }
        drop(post);
        drop((hub, standby));
        if done {
            folder.clear();
        }
    }
}

pub(in crate::peer) fn millis(time: Duration) -> u64 {
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
