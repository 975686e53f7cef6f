//! What a hub and a member say to each other through a socket: one frame per message, the same for every hub.
//!
//! ```text
//! hub     -> challenge                      32 fresh bytes
//! member  -> hello                          table, what they have of the log, proof of ticket and of membership
//! hub     -> welcome, then entries          from what they have to the end, and every new one
//! member  -> append                         an envelope; answered by its entry, or by refused
//! both    -> beside                         sealed words that are not kept: chat, signs of life
//! hub     -> here                           which members are connected
//! hub     -> behind, member -> entry        a hub restored from a backup takes back what it had signed; a hub that
//!                                           may replace another gets what that one had signed
//! member  -> install                        the member who runs a hub hands it the change that puts it into office
//! ```
//!
//! A newcomer without a ticket says `knock` instead of `hello`, and `beside` carries what they and a member need to
//! agree on a key (see [`Knock`](crate::Knock)).

use dealing::{Malformed, Reader, Wire};
use results::{Public, Secret, Signature};

use crate::change::Change;
use crate::entry::{Head, MOST_ENTRY, MOST_ENVELOPE, read_key, read_signature};
use crate::hash::hash;
use crate::hub::installation;
use crate::seal::TableId;

/// The version of this protocol.
pub const VERSION: u8 = 1;
/// The longest frame.
pub const MOST_FRAME: usize = MOST_ENTRY + 16;
/// The longest message beside the log.
pub const MOST_BESIDE: usize = 2048;

/// What a member says to a hub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToHub {
    /// The first frame.
    Hello(Hello),
    /// The first frame of somebody without a ticket.
    Knock(TableId),
    /// An envelope for the log.
    Append(Vec<u8>),
    /// Words for the others that are not kept; for everybody, or for one who knocked.
    Beside {
        /// The number of a knock; 0 means everybody.
        to: u32,
        /// The words.
        words: Vec<u8>,
    },
    /// An entry that the hub signed and has lost.
    Entry(Vec<u8>),
    /// People have agreed on a change of the hub.
    Install {
        /// What they have signed.
        change: Change,
        /// The signature of the hub's key over [`installation`] of the head after it.
        signature: Signature,
    },
}

/// What a hub says to a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromHub {
    /// The first frame: what the hello must sign.
    Challenge([u8; 32]),
    /// The hello is fine.
    Welcome {
        /// The hub's key.
        hub: Public,
        /// The end of its log.
        head: Head,
    },
    /// The next entry of the log.
    Entry(Vec<u8>),
    /// An envelope was not taken.
    Refused {
        /// The author's sequence number, as far as it could be read.
        sequence: u32,
        /// Why.
        why: Why,
    },
    /// Words that are not kept.
    Beside {
        /// The number of a member, or of a knock.
        from: From,
        /// The words.
        words: Vec<u8>,
    },
    /// The members who are connected, one bit each.
    Here(u64),
    /// The hub has less of the log than this member.
    Behind(Head),
    /// The hub ends the connection.
    Closed(Why),
}

/// Who words beside the log are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// A member.
    Member(u8),
    /// Somebody at the door, by the number of their knock.
    Knock(u32),
}

/// A member's first frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The table.
    pub table: TableId,
    /// What they have of its log.
    pub have: Head,
    /// The signature of [`TableKey::access`](crate::TableKey::access) over the challenge.
    pub ticket: Signature,
    /// Their number, and the signature of their key over the challenge; absent before they have joined, and for
    /// spectators.
    pub member: Option<(u8, Signature)>,
}

/// Why a hub refuses or ends a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// There is no such table.
    NoTable,
    /// The ticket or membership was not proven.
    NotAdmitted,
    /// The envelope has no place in the log; the author should read on and try again.
    Unfit,
    /// Too much was sent; try again after this many milliseconds.
    TooMuch(u32),
    /// The frame is malformed.
    Malformed,
    /// The same member has connected again.
    Replaced,
    /// The hub shuts down.
    Closing,
    /// The log could not be stored.
    Storage,
    /// The table is full.
    Full,
    /// Another hub puts the log in order, until people agree on this one.
    NotInOffice,
    /// The hub has waited long enough for a hello, or for somebody who answers a knock.
    TimeUp,
}

impl core::fmt::Display for Why {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoTable => f.write_str("there is no such table"),
            Self::NotAdmitted => f.write_str("the ticket does not fit this table"),
            Self::Unfit => f.write_str("the entry does not fit the log"),
            Self::TooMuch(wait) => write!(f, "too much was sent; try again in {wait} ms"),
            Self::Malformed => f.write_str("the message is malformed"),
            Self::Replaced => f.write_str("the same player has connected from somewhere else"),
            Self::Closing => f.write_str("the hub is shutting down"),
            Self::Storage => f.write_str("the hub could not store the entry"),
            Self::Full => f.write_str("the table is full"),
            Self::NotInOffice => f.write_str("another hub puts this log in order"),
            Self::TimeUp => f.write_str("the hub has waited for too long"),
        }
    }
}

impl ToHub {
    /// Hands a change to the hub that this member runs.
    pub fn install(table: TableId, change: Change, hub: &Secret, aux: &[u8; 32]) -> Self {
        let signature = hub.sign(&installation(change.proposal.after(table)), aux);
        Self::Install { change, signature }
    }
}

impl Hello {
    /// Proves knowledge of the ticket, and membership.
    pub fn new(
        table: &crate::TableKey,
        have: Head,
        member: Option<(u8, &Secret)>,
        challenge: &[u8; 32],
        aux: &[u8; 32],
    ) -> Self {
        let id = table.table();
        Self {
            table: id,
            have,
            ticket: table.access().sign(&ticket_hash(id, challenge), aux),
            member: member.map(|(number, key)| (number, key.sign(&member_hash(id, number, challenge), aux))),
        }
    }

    /// Whether the ticket is proven.
    pub fn has_ticket(&self, access: &Public, challenge: &[u8; 32]) -> bool {
        access.verify(&ticket_hash(self.table, challenge), &self.ticket)
    }

    /// The member who says it; `Err` if membership is claimed and not proven.
    pub fn member(&self, key: impl Fn(u8) -> Option<Public>, challenge: &[u8; 32]) -> Result<Option<u8>, Why> {
        let Some((number, signature)) = &self.member else { return Ok(None) };
        let key = key(*number).ok_or(Why::NotAdmitted)?;
        let proven = key.verify(&member_hash(self.table, *number, challenge), signature);
        if proven { Ok(Some(*number)) } else { Err(Why::NotAdmitted) }
    }
}

fn ticket_hash(table: TableId, challenge: &[u8; 32]) -> [u8; 32] {
    hash("hello/ticket", &[&table.0, challenge])
}

fn member_hash(table: TableId, number: u8, challenge: &[u8; 32]) -> [u8; 32] {
    hash("hello/member", &[&table.0, &[number], challenge])
}

impl Wire for ToHub {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello(hello) => {
                out.extend([1, VERSION]);
                hello.table.0.write(out);
                hello.have.write(out);
                out.extend_from_slice(&hello.ticket.0);
                match &hello.member {
                    None => u8::MAX.write(out),
                    Some((number, signature)) => {
                        number.write(out);
                        out.extend_from_slice(&signature.0);
                    }
                }
            }
            Self::Knock(table) => {
                out.extend([2, VERSION]);
                table.0.write(out);
            }
            Self::Append(envelope) => {
                out.push(3);
                write_bytes(envelope, out);
            }
            Self::Beside { to, words } => {
                out.push(4);
                to.write(out);
                write_bytes(words, out);
            }
            Self::Entry(entry) => {
                out.push(5);
                write_bytes(entry, out);
            }
            Self::Install { change, signature } => {
                out.push(6);
                change.write(out);
                out.extend_from_slice(&signature.0);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let version = |from: &mut Reader<'_>| match u8::read(from)? {
            VERSION => Ok(()),
            other => Err(Malformed::Unknown(other)),
        };
        Ok(match u8::read(from)? {
            1 => {
                version(from)?;
                let (table, have, ticket) = (TableId(from.array()?), Head::read(from)?, read_signature(from)?);
                let member = match u8::read(from)? {
                    u8::MAX => None,
                    number => Some((number, read_signature(from)?)),
                };
                Self::Hello(Hello { table, have, ticket, member })
            }
            2 => {
                version(from)?;
                Self::Knock(TableId(from.array()?))
            }
            3 => Self::Append(read_bytes(from, MOST_ENVELOPE)?),
            4 => Self::Beside { to: u32::read(from)?, words: read_bytes(from, MOST_BESIDE)? },
            5 => Self::Entry(read_bytes(from, MOST_ENTRY)?),
            6 => Self::Install { change: Change::read(from)?, signature: read_signature(from)? },
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

impl Wire for FromHub {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Challenge(challenge) => {
                out.extend([1, VERSION]);
                challenge.write(out);
            }
            Self::Welcome { hub, head } => {
                out.push(2);
                hub.bytes().write(out);
                head.write(out);
            }
            Self::Entry(entry) => {
                out.push(3);
                write_bytes(entry, out);
            }
            Self::Refused { sequence, why } => {
                out.push(4);
                sequence.write(out);
                why.write(out);
            }
            Self::Beside { from, words } => {
                out.push(5);
                match from {
                    From::Member(number) => u32::from(*number).write(out),
                    From::Knock(number) => (number | KNOCKED).write(out),
                }
                write_bytes(words, out);
            }
            Self::Here(members) => {
                out.push(6);
                members.write(out);
            }
            Self::Behind(head) => {
                out.push(7);
                head.write(out);
            }
            Self::Closed(why) => {
                out.push(8);
                why.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            1 => match u8::read(from)? {
                VERSION => Self::Challenge(from.array()?),
                other => return Err(Malformed::Unknown(other)),
            },
            2 => Self::Welcome { hub: read_key(from)?, head: Head::read(from)? },
            3 => Self::Entry(read_bytes(from, MOST_ENTRY)?),
            4 => Self::Refused { sequence: u32::read(from)?, why: Why::read(from)? },
            5 => {
                let number = u32::read(from)?;
                let from_whom = match u8::try_from(number) {
                    Ok(member) => From::Member(member),
                    Err(_) if number & KNOCKED != 0 => From::Knock(number & !KNOCKED),
                    Err(_) => return Err(Malformed::Unknown(u8::MAX)),
                };
                Self::Beside { from: from_whom, words: read_bytes(from, MOST_BESIDE)? }
            }
            6 => Self::Here(u64::read(from)?),
            7 => Self::Behind(Head::read(from)?),
            8 => Self::Closed(Why::read(from)?),
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

/// Set in the number of somebody who knocked.
const KNOCKED: u32 = 1 << 31;

impl Wire for Why {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::NoTable => out.push(1),
            Self::NotAdmitted => out.push(2),
            Self::Unfit => out.push(3),
            Self::TooMuch(wait) => {
                out.push(4);
                wait.write(out);
            }
            Self::Malformed => out.push(5),
            Self::Replaced => out.push(6),
            Self::Closing => out.push(7),
            Self::Storage => out.push(8),
            Self::Full => out.push(9),
            Self::NotInOffice => out.push(10),
            Self::TimeUp => out.push(11),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            1 => Self::NoTable,
            2 => Self::NotAdmitted,
            3 => Self::Unfit,
            4 => Self::TooMuch(u32::read(from)?),
            5 => Self::Malformed,
            6 => Self::Replaced,
            7 => Self::Closing,
            8 => Self::Storage,
            9 => Self::Full,
            10 => Self::NotInOffice,
            11 => Self::TimeUp,
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).write(out);
    out.extend_from_slice(bytes);
}

fn read_bytes(from: &mut Reader<'_>, most: usize) -> Result<Vec<u8>, Malformed> {
    let len = usize::try_from(u32::read(from)?).unwrap_or(usize::MAX);
    if len > most {
        return Err(Malformed::Length { least: 0, most });
    }
    from.take(len).map(<[u8]>::to_vec)
}
