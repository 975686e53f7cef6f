//! What is said at a private table: the bodies of entries.
//!
//! | verb | by | says |
//! |---|---|---|
//! | join | a newcomer | who they are, signed with their own key |
//! | leave | a member | they give up their seat, or concede the match |
//! | stand | a person | they could run a hub if this one is lost: its key, and where it could be reached |
//! | start | the host | game, settings, seats and order of hubs; its hash is the match |
//! | seed hash | a player | accepts the match, and commits to a seed |
//! | seed | a player | that seed |
//! | dealing | a player | a message of the joint dealing, in one of its key sets |
//! | act | a player | a move on their turn |
//! | overdue | a player | somebody has not answered in time |
//! | sign | a player | their signature under the result |
//! | abandon | a player | too few are left to continue |
//! | here | a player | they are back |
//! | again | a player | a ticket for a rematch, after the match |
//!
//! Every body has one encoding. Decoding checks lengths before anything is allocated.

use dealers::joint::Message;
use dealing::{Malformed, Reader, Wire, write_counted};
use results::{Public, Secret, Signature};

use crate::entry::{read_key, read_signature};
use crate::hash::hash;
use crate::seal::TableId;
use crate::start::Start;
use crate::ticket::{Ticket, read_address};

/// The longest name, in bytes.
pub const MOST_NAME: usize = 48;
/// The longest action, as JSON.
pub const MOST_ACTION: usize = 4096;

/// What somebody says.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// A newcomer introduces themselves.
    Join(Box<Join>),
    /// A member gives up their seat, or concedes the match.
    Leave,
    /// A person could run a hub if this one is lost.
    Stand {
        /// The key it would sign with.
        hub: Public,
        /// Where it could be reached: `http://host:port`, as in a ticket.
        at: String,
    },
    /// The host starts the match.
    Start(Box<Start>),
    /// A player accepts the match with this id and commits to a seed.
    SeedHash {
        /// The match.
        of: [u8; 32],
        /// The commitment.
        hash: [u8; 32],
    },
    /// That seed.
    Seed([u8; 32]),
    /// A message of the joint dealing.
    Dealing {
        /// Its key set.
        set: u32,
        /// The message.
        message: Box<Message>,
    },
    /// A move on the author's turn.
    Act {
        /// The table's height that it answers.
        height: u64,
        /// The table's state that it answers.
        on: [u8; 32],
        /// The move, as JSON.
        action: Vec<u8>,
    },
    /// A member has not answered in time.
    Overdue {
        /// The number of the member.
        who: u8,
        /// The log's height since which the table has waited for them.
        since: u64,
    },
    /// The author's signatures under the result, in both of its forms.
    Sign {
        /// Under the canonical form.
        result: Signature,
        /// Under the form for exchange.
        export: Signature,
    },
    /// The author wants to end the match because too few are left.
    Abandon,
    /// The author is back, and plays from the next keys on.
    Here,
    /// The match is over, and the author invites everybody to a new table.
    Again(Box<Ticket>),
}

/// A newcomer, as they introduce themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// Who they are everywhere: their NOSTR key.
    pub identity: Public,
    /// What they want to be called.
    pub name: String,
    /// Fresh randomness, so that no two matches have the same id.
    pub fresh: [u8; 32],
    /// For a computer: who runs it.
    pub run_by: Option<RunBy>,
    /// The signature of [`Join::identity`] over all of it, the table and the key that signs their entries.
    pub proof: Signature,
}

/// The member who runs a computer, and their word for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunBy {
    /// Their number.
    pub number: u8,
    /// Their signature over the computer's key.
    pub proof: Signature,
}

impl RunBy {
    /// The member with this number and key runs the computer that signs its entries with `computer`.
    pub fn new(table: TableId, number: u8, key: &Secret, computer: &Public, aux: &[u8; 32]) -> Self {
        Self { number, proof: key.sign(&Self::signed(table, computer), aux) }
    }

    /// Checks that the owner of `key` runs this computer.
    pub fn check(&self, table: TableId, key: &Public, computer: &Public) -> Result<(), BadJoin> {
        if key.verify(&Self::signed(table, computer), &self.proof) { Ok(()) } else { Err(BadJoin) }
    }

    fn signed(table: TableId, computer: &Public) -> [u8; 32] {
        hash("computer", &[&table.0, computer.bytes()])
    }
}

/// A join whose signature or name is not right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadJoin;

impl Join {
    /// Introduces the owner of an identity, who signs entries with `key`.
    pub fn new(
        table: TableId,
        key: &Public,
        identity: &Secret,
        name: &str,
        run_by: Option<RunBy>,
        fresh: [u8; 32],
        aux: &[u8; 32],
    ) -> Self {
        let mut join =
            Self { identity: identity.public(), name: name.to_owned(), fresh, run_by, proof: Signature([0; 64]) };
        join.proof = identity.sign(&join.signed(table, key), aux);
        join
    }

    /// Checks that the identity's owner wrote it for this table and this key, and that the name can be shown.
    pub fn check(&self, table: TableId, key: &Public) -> Result<(), BadJoin> {
        let signed = self.identity.verify(&self.signed(table, key), &self.proof);
        if is_readable(&self.name) && signed { Ok(()) } else { Err(BadJoin) }
    }

    fn signed(&self, table: TableId, key: &Public) -> [u8; 32] {
        let run_by = self.run_by.map_or(vec![], |run_by| vec![run_by.number]);
        let (key, identity) = (key.bytes(), self.identity.bytes());
        hash("join", &[&table.0, key, identity, self.name.as_bytes(), &self.fresh, &run_by])
    }
}

const JOIN: u8 = 1;
const LEAVE: u8 = 2;
const START: u8 = 3;
const SEED_HASH: u8 = 4;
const SEED: u8 = 5;
const DEALING: u8 = 6;
const ACT: u8 = 7;
const OVERDUE: u8 = 8;
const SIGN: u8 = 9;
const ABANDON: u8 = 10;
const HERE: u8 = 11;
const AGAIN: u8 = 12;
const STAND: u8 = 13;

impl Wire for Body {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Join(join) => {
                JOIN.write(out);
                join.write(out);
            }
            Self::Leave => LEAVE.write(out),
            Self::Stand { hub, at } => {
                STAND.write(out);
                hub.bytes().write(out);
                write_counted(at.as_bytes(), out);
            }
            Self::Start(start) => {
                START.write(out);
                start.write(out);
            }
            Self::SeedHash { of, hash } => {
                SEED_HASH.write(out);
                of.write(out);
                hash.write(out);
            }
            Self::Seed(seed) => {
                SEED.write(out);
                seed.write(out);
            }
            Self::Dealing { set, message } => {
                DEALING.write(out);
                set.write(out);
                message.write(out);
            }
            Self::Act { height, on, action } => {
                ACT.write(out);
                height.write(out);
                on.write(out);
                write_counted(action, out);
            }
            Self::Overdue { who, since } => {
                OVERDUE.write(out);
                who.write(out);
                since.write(out);
            }
            Self::Sign { result, export } => {
                SIGN.write(out);
                out.extend_from_slice(&result.0);
                out.extend_from_slice(&export.0);
            }
            Self::Abandon => ABANDON.write(out),
            Self::Here => HERE.write(out),
            Self::Again(ticket) => {
                AGAIN.write(out);
                ticket.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            JOIN => Self::Join(Box::new(Join::read(from)?)),
            LEAVE => Self::Leave,
            STAND => Self::Stand { hub: read_key(from)?, at: read_address(from)? },
            START => Self::Start(Box::new(Start::read(from)?)),
            SEED_HASH => Self::SeedHash { of: from.array()?, hash: from.array()? },
            SEED => Self::Seed(from.array()?),
            DEALING => Self::Dealing { set: u32::read(from)?, message: Box::new(Message::read(from)?) },
            ACT => {
                let (height, on) = (u64::read(from)?, from.array()?);
                Self::Act { height, on, action: from.counted(0, MOST_ACTION)? }
            }
            OVERDUE => Self::Overdue { who: u8::read(from)?, since: u64::read(from)? },
            SIGN => Self::Sign { result: read_signature(from)?, export: read_signature(from)? },
            ABANDON => Self::Abandon,
            HERE => Self::Here,
            AGAIN => Self::Again(Box::new(Ticket::read(from)?)),
            other => return Err(Malformed::Unknown(other)),
        })
    }
}

impl Wire for Join {
    fn write(&self, out: &mut Vec<u8>) {
        self.identity.bytes().write(out);
        write_counted(self.name.as_bytes(), out);
        self.fresh.write(out);
        match &self.run_by {
            None => u8::MAX.write(out),
            Some(run_by) => {
                run_by.number.write(out);
                out.extend_from_slice(&run_by.proof.0);
            }
        }
        out.extend_from_slice(&self.proof.0);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            identity: read_key(from)?,
            name: read_text(from, MOST_NAME)?,
            fresh: from.array()?,
            run_by: match u8::read(from)? {
                u8::MAX => None,
                number => Some(RunBy { number, proof: read_signature(from)? }),
            },
            proof: read_signature(from)?,
        })
    }
}

/// A text of at most this many bytes.
pub(crate) fn read_text(from: &mut Reader<'_>, most: usize) -> Result<String, Malformed> {
    let len = from.length(0, most)?;
    String::from_utf8(from.take(len)?.to_vec()).map_err(|_| Malformed::Unknown(0))
}

/// Whether a text can be shown in one line as it is: it has something to show, and nothing that a screen obeys. Apart
/// from control characters these are line separators and marks that turn the direction of writing around.
pub(crate) fn is_readable(text: &str) -> bool {
    let obeyed = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    !text.trim().is_empty() && !text.chars().any(obeyed)
}
