//! One connection to a hub, as the member's end hears it: greeting, then entries and words.

use results::{Public, Secret};

use crate::entry::Head;
use crate::frame::{From, FromHub, Hello, ToHub, Why};
use crate::seal::{TableId, TableKey};

/// Who connects.
#[derive(Clone, Copy, Debug)]
pub enum Caller<'a> {
    /// Somebody with a ticket.
    Member {
        /// The table's key.
        table: &'a TableKey,
        /// What they have stored of the log.
        have: Head,
        /// Their number and the key that signs their entries, once their first entry is stored.
        member: Option<(u8, &'a Secret)>,
    },
    /// Somebody without a ticket, who knocks.
    Knock(TableId),
}

/// What a frame means for the member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// The hub has to be answered with this.
    Greet(ToHub),
    /// The hub has let them in.
    Open {
        /// The hub's key.
        hub: Public,
        /// The end of its log.
        head: Head,
    },
    /// An entry of the log.
    Entry {
        /// The height of the log with it.
        height: u64,
        /// The entry.
        bytes: Vec<u8>,
    },
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
    /// The hub lacks everything after this head: it gets it back.
    Behind(Head),
}

/// Why a connection has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// There is no hub at the other end.
    NotAHub,
    /// It is another hub than the ticket says.
    OtherHub,
    /// The hub ends it.
    Closed(Why),
}

impl End {
    /// Whether it makes no sense to connect again.
    pub const fn is_final(self) -> bool {
        match self {
            Self::NotAHub | Self::Closed(Why::TooMuch(_) | Why::Closing | Why::Storage | Why::TimeUp) => false,
            Self::OtherHub
            | Self::Closed(
                Why::NoTable
                | Why::NotAdmitted
                | Why::Unfit
                | Why::Malformed
                | Why::Replaced
                | Why::Full
                | Why::NotInOffice,
            ) => true,
        }
    }
}

impl core::fmt::Display for End {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotAHub => f.write_str("this is no hub of private tables"),
            Self::OtherHub => {
                f.write_str("the hub has another key than the ticket says: it is not the one you were invited to")
            }
            Self::Closed(Why::Unfit) => f.write_str(
                "the hub has a different log of this table: it is not the one you were invited to, or its log was replaced",
            ),
            Self::Closed(why) => why.fmt(f),
        }
    }
}

/// The pauses before a lost connection is opened again: each twice as long as the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pauses(u64);

impl Default for Pauses {
    fn default() -> Self {
        Self(Self::FIRST)
    }
}

impl Pauses {
    const FIRST: u64 = 250;
    const LONGEST: u64 = 8_000;

    /// The next pause, in milliseconds, after a connection in which the hub had let them in, or not. With a random number
    /// it is between half of that and all of it, so that not everybody comes back at the same moment.
    pub fn next(&mut self, greeted: bool, random: u32) -> u64 {
        self.0 = if greeted { Self::FIRST } else { (self.0 * 2).min(Self::LONGEST) };
        self.0 / 2 + self.0 / 2 * u64::from(random % 1000) / 1000
    }
}

/// A connection that has just been opened, and what has been heard through it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The key that the hub must have; unknown to somebody who knocks.
    hub: Option<Public>,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The hub has to send a challenge.
    Silent,
    /// It has to let them in. The height of what they have.
    Greeted(u64),
    /// The height of the log as far as it has come.
    Open(u64),
}

impl Line {
    /// A new connection to the hub with this key.
    pub const fn new(hub: Option<Public>) -> Self {
        Self { hub, stage: Stage::Silent }
    }

    /// Whether the hub has let them in.
    pub const fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Open(_))
    }

    /// The next frame. `aux` are random bytes, for the greeting. After an error the connection is over.
    pub fn hear(&mut self, frame: FromHub, caller: Caller<'_>, aux: &[u8; 32]) -> Result<Said, End> {
        Ok(match (self.stage, frame) {
            (_, FromHub::Closed(why)) => return Err(End::Closed(why)),
            (Stage::Silent, FromHub::Challenge(challenge)) => {
                let (greeting, height) = match caller {
                    Caller::Member { table, have, member } => {
                        (ToHub::Hello(Hello::new(table, have, member, &challenge, aux)), have.height)
                    }
                    Caller::Knock(table) => (ToHub::Knock(table), 0),
                };
                self.stage = Stage::Greeted(height);
                Said::Greet(greeting)
            }
            (Stage::Greeted(height), FromHub::Welcome { hub, head }) => {
                if self.hub.is_some_and(|right| right != hub) {
                    return Err(End::OtherHub);
                }
                self.stage = Stage::Open(height);
                Said::Open { hub, head }
            }
            (Stage::Open(height), FromHub::Entry(bytes)) => {
                let height = height.saturating_add(1);
                self.stage = Stage::Open(height);
                Said::Entry { height, bytes }
            }
            (Stage::Open(_), FromHub::Refused { sequence, why }) => Said::Refused { sequence, why },
            (Stage::Open(_), FromHub::Beside { from, words }) => Said::Beside { from, words },
            (Stage::Open(_), FromHub::Here(members)) => Said::Here(members),
            (Stage::Open(_), FromHub::Behind(head)) => Said::Behind(head),
            (Stage::Silent | Stage::Greeted(_) | Stage::Open(_), _) => return Err(End::NotAHub),
        })
    }
}
