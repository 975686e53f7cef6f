//! A match at a private table: a thread that holds the peer, its connection and its files, and two channels to somebody
//! who looks on and decides.
//!
//! ```text
//! screen or computer <- told: seen, now, chat, over -- thread: Seated, Post, Folder -- hub
//! screen or computer -- want: decide, chat, leave  -> thread
//! ```
//!
//! Cards are encrypted and shuffled in the thread, so a person can think meanwhile.

mod elsewhere;
mod ending;
mod standing;
mod state;
mod thread;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender};
use std::thread::JoinHandle;

use ::peer::{MoveOf, Seen, Why};
use games::AnyGame;
use results::Signed;
use table::{Game, Seat, Standing};

use super::net::Waker;
use crate::failure::Failure;

pub use ::peer::place::{Now, Waiting};
pub(super) use thread::{Start, begin, clock, fresh, millis, not_next, read_entry};

/// A place at a table where a match is played, or watched. Dropping it ends the connection and waits for the thread.
pub struct Desk<G: Game> {
    /// What happens, in order. It ends when the thread does.
    pub told: Receiver<Told<G>>,
    /// What the player wants.
    pub want: Wants<G>,
    /// The command that continues the match.
    pub way_back: String,
    thread: Option<JoinHandle<()>>,
}

/// What a player is told.
pub enum Told<G: Game> {
    /// Something happened. After a restart, everything that happened before comes again first.
    Seen(Box<Seen<G>>),
    /// How things are now, after some entries of the log.
    Now(Box<Now<G>>),
    /// Somebody said something, beside the log.
    Chat {
        /// Their name.
        from: String,
        /// What.
        text: String,
    },
    /// Something that the person should know.
    Note(String),
    /// The connection works, or why not.
    Connection(Result<(), String>),
    /// The match is over; sent again when another signature comes.
    Over(Box<Over>),
    /// This table continues as another one: its ticket.
    Again(String),
    /// It cannot go on. Nothing follows.
    Failed(Failure),
}

/// How a match ended.
#[derive(Clone, Debug)]
pub struct Over {
    /// The game.
    pub game: AnyGame,
    /// Everybody's name, by seat.
    pub names: Vec<String>,
    /// This player's seat.
    pub me: Option<Seat>,
    /// Why it ended.
    pub why: Why,
    /// How it stood.
    pub standing: Option<Standing>,
    /// How many deals were begun.
    pub deals: u32,
    /// The result with the signatures so far; a match that never began has none.
    pub result: Option<Signed>,
    /// The seats that have not signed.
    pub unsigned: Vec<Seat>,
    /// Whether everybody has signed.
    pub complete: bool,
    /// The players who may not have the complete result yet, if this program runs the hub: it should stay until
    /// there are none.
    pub lacking: Vec<Seat>,
    /// Nothing remains to be done: everything is stored, everybody who can be waited for has everything, and all keys
    /// are erased.
    pub done: bool,
    /// Where the result is kept.
    pub stored: Option<PathBuf>,
    /// Where the log is kept.
    pub log: PathBuf,
}

/// What a player wants.
pub enum Want<G: Game> {
    /// To make this move.
    Decide(MoveOf<G>),
    /// To say something, beside the log.
    Chat(String),
    /// To concede the match.
    Leave,
    /// To end a match that nobody can finish.
    Abandon,
    /// To play once more with the same people.
    Again,
    /// To stop the program. The match can be continued later.
    Quit,
}

/// Where a player says what they want.
pub struct Wants<G: Game> {
    sender: Sender<Want<G>>,
    waker: Waker,
}

impl<G: Game> Wants<G> {
    /// Tells the thread. After its end nothing happens.
    pub fn send(&self, want: Want<G>) {
        let _ = self.sender.send(want);
        self.waker.wake();
    }
}

impl<G: Game> Drop for Desk<G> {
    fn drop(&mut self) {
        self.want.send(Want::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
