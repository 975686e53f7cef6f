//! The connection of a member, a spectator or somebody who knocks to a hub, in a thread of its own.
//!
//! ```text
//! owner -- commands: append, beside, close ----------------------------> thread <-- frames --> hub
//! owner <-- events: connected, entry, refused, beside, here, lost ----- thread
//! owner -- what is on the disk: entries, head, own number -> Held ----> thread
//! ```
//!
//! A lost connection is opened again, after a pause that grows, for as long as the owner wants. Everything the hub has
//! put into the log meanwhile is sent then. The owner writes again what is not in the log: an envelope that was on its
//! way when the connection was lost may be in the log or not. A hub that has lost entries gets them back from here.
//!
//! Once the owner has said who could replace the hub, a hub that is silent for too long is given up for the next one in
//! that order, and after the last comes the first again. The owner says which of them is in office: with that one the
//! connection stays; with another it lasts as long as people may take to agree on it.
//!
//! There is no logic of a session here: entries are bytes, and whether they are right is for the owner to check.

mod held;
mod line;
mod turn;

use std::fmt;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::peer::frame::{From, Why};
use ::peer::place;
use ::peer::{Change, Head, TableId, Ticket, installation};
use results::{Public, Secret, Signature};
use tokio::sync::mpsc as channel;

pub use held::Held;
use line::begin;

use super::{At, Unreachable};

/// How long the owner waits for the end of a connection.
const TO_CLOSE: Duration = Duration::from_millis(2500);

/// Who connects.
#[derive(Clone, Debug)]
pub enum Who {
    /// Somebody with a ticket, and the key that signs their entries. A spectator never writes with it.
    Member {
        /// The ticket.
        ticket: Ticket,
        /// The key.
        key: Secret,
    },
    /// Somebody without a ticket, who knocks.
    Knock {
        /// Where the hub is.
        at: At,
        /// The table.
        table: TableId,
    },
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The hub has let them in. What is not in the log has to be sent again.
    Connected {
        /// The hub's key; for members it is the one in the ticket, or that of a successor.
        hub: Public,
        /// The end of the hub's log.
        head: Head,
    },
    /// The connection is lost, and will be opened again.
    Lost(String),
    /// The connection is over for good.
    Ended(Ended),
    /// The next entry of the log.
    Entry(Vec<u8>),
    /// An envelope was not taken.
    Refused {
        /// The author's sequence number, as far as the hub could read it.
        sequence: u32,
        /// Why.
        why: Why,
    },
    /// Words beside the log.
    Beside {
        /// Who said them.
        from: From,
        /// The words.
        words: Vec<u8>,
    },
    /// The members who are connected, one bit each.
    Here(u64),
    /// The owner was woken by a [`Waker`].
    Woken,
}

/// Why there will be no connection any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The hub says so.
    Hub(Why),
    /// The hub has another key than the ticket says.
    OtherHub,
    /// The address leads to no private table.
    Address(Unreachable),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hub(why) => place::End::Closed(*why).fmt(f),
            Self::OtherHub => place::End::OtherHub.fmt(f),
            Self::Address(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Ended {}

/// What the owner wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Send an envelope. Without a connection it is dropped: the owner sends it again when there is one.
    Append(Vec<u8>),
    /// Send words beside the log: to everybody (0), or to somebody who knocks.
    Beside {
        /// The number of a knock; 0 means everybody.
        to: u32,
        /// The words.
        words: Vec<u8>,
    },
    /// Hand the owner's own hub the change that puts it into office.
    Install {
        /// What people have signed.
        change: Box<Change>,
        /// The signature of the hub's key.
        signature: Signature,
    },
    /// End the connection.
    Close,
}

impl Command {
    /// Hands the owner's own hub, which has this key, the change that puts it into office. `aux` are random bytes.
    pub fn install(table: TableId, change: Box<Change>, hub: &Secret, aux: &[u8; 32]) -> Self {
        let signature = hub.sign(&installation(change.proposal.after(table)), aux);
        Self::Install { change, signature }
    }
}

/// A connection to a hub. Dropping it closes it.
#[derive(Debug)]
pub struct Link {
    commands: channel::UnboundedSender<Command>,
    tell: mpsc::Sender<Event>,
    events: mpsc::Receiver<Event>,
    thread: Option<JoinHandle<()>>,
}

/// Wakes the owner of a link who waits for its events.
#[derive(Clone, Debug)]
pub struct Waker(mpsc::Sender<Event>);

impl Waker {
    /// Wakes somebody who waits at the other end of this channel.
    pub const fn new(tell: mpsc::Sender<Event>) -> Self {
        Self(tell)
    }

    /// Sends them [`Event::Woken`].
    pub fn wake(&self) {
        let _ = self.0.send(Event::Woken);
    }
}

impl Link {
    /// Connects, and stays connected.
    ///
    /// # Errors
    /// Fails if the address is none, or no thread can be started.
    pub fn open(who: Who, held: Held) -> Result<Self, Unreachable> {
        Self::telling(mpsc::channel(), who, held)
    }

    /// The same with a channel that is there already.
    ///
    /// # Errors
    /// As [`Link::open`].
    pub fn telling(
        (tell, events): (mpsc::Sender<Event>, mpsc::Receiver<Event>),
        who: Who,
        held: Held,
    ) -> Result<Self, Unreachable> {
        let (commands, thread) = begin(who, held, tell.clone())?;
        Ok(Self { commands, tell, events, thread: Some(thread) })
    }

    /// Connects anew, for instance as somebody else. What the old connection brought and nobody has looked at is
    /// dropped; it comes again.
    ///
    /// # Errors
    /// As [`Link::open`]; the old connection is closed then.
    pub fn reopen(&mut self, who: Who, held: Held) -> Result<(), Unreachable> {
        self.close();
        while self.events.try_recv().is_ok() {}
        let (commands, thread) = begin(who, held, self.tell.clone())?;
        (self.commands, self.thread) = (commands, Some(thread));
        Ok(())
    }

    /// What was sent before is written; a connection that is just being opened is not waited for.
    fn close(&mut self) {
        self.send(Command::Close);
        let Some(thread) = self.thread.take() else { return };
        let until = Instant::now() + TO_CLOSE;
        while !thread.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tells the connection to do something. After its end nothing happens.
    pub fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// What has happened, in order. Nothing follows after [`Event::Ended`].
    pub const fn events(&self) -> &mpsc::Receiver<Event> {
        &self.events
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.close();
    }
}
