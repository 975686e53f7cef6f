//! A place at a table of a chain: a thread that follows the table, keeps the player's cards, and says what they want.
//!
//! ```text
//! screen or computer <- told: now, over, note, lost -- thread: Following -- node
//! screen or computer -- want: decide, leave, …      -> thread
//! ```
//!
//! What is decided there, and checked, is [`remote::follow`]; here is the thread, its words, and what it keeps.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::chain::client::Player;
use remote::Sockets;
use remote::follow::{self, Following, Note, Stopped};
use tokio::sync::mpsc as channels;

use super::contact::Contact;
use super::files::Files;
use super::screen::note_in_words;
use crate::failure::Failure;

pub(super) use remote::follow::{Ended, Now, Parting, Want, is_complete, own_faces};

/// How often what is trusted is kept.
const KEEP: Duration = Duration::from_secs(15);

/// What is told.
pub(super) enum Told {
    /// How things are.
    Now(Box<Now>),
    /// A hand is over.
    Over(Box<Ended>),
    /// The player has no seat any more.
    Gone(Parting),
    /// Something that the person should know.
    Note(String),
    /// The connection is lost, or a node lies; it is tried again.
    Lost(String),
    /// It cannot go on. Nothing follows.
    Failed(Failure),
}

/// A place at a table, or beside it. Dropping it ends the thread.
pub(super) struct Desk {
    pub(super) told: Receiver<Told>,
    /// `None` to stop.
    want: channels::UnboundedSender<Option<Want>>,
    thread: Option<JoinHandle<()>>,
}

impl Desk {
    /// Follows a table; with a player, who sits there, also plays.
    pub(super) fn begin(contact: Contact, table: u64, player: Option<Player>) -> Result<Self, Failure> {
        let (tell, told) = channel();
        let (want, wants) = channels::unbounded_channel();
        let (runtime, remote, files) = contact.into_parts();
        let following = Following::new(remote, table, player);
        let mut thread = Thread { following, files, tell, kept: Instant::now() };
        let thread = std::thread::Builder::new().name("table".to_owned()).spawn(move || {
            runtime.block_on(thread.run(wants));
            // Looking up a name may still hang; nobody waits for that.
            runtime.shutdown_background();
        });
        let thread = thread.map_err(|why| Failure::input(format!("no thread can be started: {why}")))?;
        Ok(Self { told, want, thread: Some(thread) })
    }

    /// Tells the thread. After its end nothing happens.
    pub(super) fn want(&self, want: Want) {
        let _ = self.want.send(Some(want));
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.want.send(None);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Thread {
    following: Following<Sockets>,
    files: Files,
    tell: Sender<Told>,
    kept: Instant,
}

/// The screen is gone, or has been told that nothing follows.
struct Closed;

impl Thread {
    async fn run(&mut self, mut wants: channels::UnboundedReceiver<Option<Want>>) {
        while let Ok(()) = self.step(&mut wants).await {}
        let _ = self.files.keep_anchor(self.following.remote().anchor());
    }

    /// One look at the table, or one wish.
    async fn step(&mut self, wants: &mut channels::UnboundedReceiver<Option<Want>>) -> Result<(), Closed> {
        let looked = tokio::select! {
            biased;
            want = wants.recv() => Err(want.flatten().ok_or(Closed)?),
            looked = self.following.look() => Ok(looked),
        };
        let done = match looked {
            Ok(looked) => self.following.saw(looked).await,
            Err(want) => self.following.want(want).await,
        };
        for told in self.following.told() {
            self.tell(told)?;
        }
        let pause = match done {
            Ok(pause) => pause,
            Err(stopped) => return self.fail(stopped_in_words(&stopped)),
        };
        if self.kept.elapsed() >= KEEP {
            self.kept = Instant::now();
            if let Err(why) = self.files.keep_anchor(self.following.remote().anchor()) {
                return self.fail(why);
            }
        }
        tokio::time::sleep(pause).await;
        Ok(())
    }

    fn tell(&mut self, told: follow::Told) -> Result<(), Closed> {
        let told = match told {
            follow::Told::Now(now) => Told::Now(now),
            follow::Told::Over(ended) => Told::Over(ended),
            follow::Told::Gone(parting) => {
                let (chain, table) = (self.following.remote().chain(), self.following.table());
                self.files.forget_seats(&chain, table);
                Told::Gone(parting)
            }
            follow::Told::Note(Note::Trouble(why)) => Told::Note(why.to_string()),
            follow::Told::Note(note) => Told::Note(note_in_words(&note)),
            follow::Told::Lost(why) => Told::Lost(why.to_string()),
        };
        self.tell.send(told).map_err(|_| Closed)
    }

    fn fail(&self, why: Failure) -> Result<(), Closed> {
        let _ = self.tell.send(Told::Failed(why));
        Err(Closed)
    }
}

fn stopped_in_words(stopped: &Stopped) -> Failure {
    match stopped {
        Stopped::NoTable(table) => Failure::input(format!("there is no table {table}")),
        Stopped::Chain(why) => super::contact::failed(why),
    }
}
