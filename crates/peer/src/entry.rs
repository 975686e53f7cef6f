//! Entries of a table's log, and their encoding.
//!
//! ```text
//! envelope  what an author says     author · sequence · seen (height, head) · sealed body · signature
//! entry     where the hub put it    envelope · clock · signature
//!           or another hub          254 · change, signed by people instead of a hub
//! head      H(table, height, head before, clock, H(envelope)): what the hub signs
//! ```
//!
//! The author signs with a key made for this table. The signature covers the table, which therefore need not be
//! sent. A head stands for the whole log before it, so two people with the same head have the same log, and an
//! author who names the head they have seen has signed that log.
//!
//! | part | bytes |
//! |---|---|
//! | envelope of a member | 1 + 4 + 8 + 32 + 4 + sealed + 64 |
//! | envelope of a newcomer | the same and 32 + 64 |
//! | entry | envelope + 8 + 64 |

use core::fmt;

use dealing::{Malformed, Reader, Wire};
use results::{Public, Secret, Signature};

use crate::change::Change;
use crate::hash::hash;
use crate::seal::{MOST_SEALED, TableId, TableKey, Unopened};

/// The longest entry.
pub const MOST_ENTRY: usize = MOST_ENVELOPE + 8 + 64;
/// The longest envelope.
pub const MOST_ENVELOPE: usize = 1 + 96 + 4 + 8 + 32 + 4 + MOST_SEALED + 64;

/// A point in the log: how many entries are before it, and a hash over them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Head {
    /// How many entries there are.
    pub height: u64,
    /// A hash over all of them.
    pub hash: [u8; 32],
}

impl Head {
    /// The empty log of a table whose entries this hub orders.
    pub fn begin(table: TableId, hub: &Public) -> Self {
        Self { height: 0, hash: hash("begin", &[&table.0, hub.bytes()]) }
    }

    /// The log with one more entry.
    pub fn after(self, table: TableId, clock: u64, envelope: &[u8; 32]) -> Self {
        let parts: [&[u8]; 5] = [&table.0, &self.height.to_le_bytes(), &self.hash, &clock.to_le_bytes(), envelope];
        Self { height: self.height.saturating_add(1), hash: hash("head", &parts) }
    }
}

/// Who wrote an envelope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Author {
    /// A member, by number: newcomers are numbered in the order of their first entries.
    Member(u8),
    /// A newcomer: a key made for this table, and proof that its owner knows the ticket.
    Newcomer {
        /// The key that signs all their envelopes.
        key: Public,
        /// The signature of [`TableKey::access`] over that key.
        ticket: Signature,
    },
}

/// What an author says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// Who.
    pub author: Author,
    /// How many envelopes of this author are before it.
    pub sequence: u32,
    /// The log as the author knew it.
    pub seen: Head,
    /// The body, sealed with the table's key.
    pub sealed: Vec<u8>,
    /// The author's signature over all of it and the table.
    pub signature: Signature,
}

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Somebody said something.
    Said(Box<Ordered>),
    /// From now on another hub puts the log in order.
    Change(Box<Change>),
}

/// An envelope in its place in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ordered {
    /// What was said.
    pub envelope: Envelope,
    /// The hub's clock, in milliseconds since 1970.
    pub clock: u64,
    /// The hub's signature over the head after this entry.
    pub signature: Signature,
}

/// Randomness for one envelope: a nonce for the seal, and for signatures.
#[derive(Clone, Copy)]
pub struct Fresh {
    /// For the seal.
    pub nonce: [u8; 24],
    /// For the signature.
    pub aux: [u8; 32],
}

impl fmt::Debug for Fresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fresh(..)")
    }
}

impl Envelope {
    /// Seals and signs a body. A newcomer's key is `key`'s public half.
    pub fn write(
        table: &TableKey,
        key: &Secret,
        author: Option<u8>,
        sequence: u32,
        seen: Head,
        body: &[u8],
        fresh: &Fresh,
    ) -> Self {
        let author = match author {
            Some(number) => Author::Member(number),
            None => {
                let ticket = table.access().sign(&ticket_hash(table.table(), &key.public()), &fresh.aux);
                Author::Newcomer { key: key.public(), ticket }
            }
        };
        let sealed = table.seal(fresh.nonce, &place(table.table(), &author, sequence), body);
        let hash = signed(table.table(), &author, sequence, seen, &sealed);
        let signature = key.sign(&hash, &fresh.aux);
        Self { author, sequence, seen, sealed, signature }
    }

    /// Whether the author signed it. For a newcomer, the ticket is checked as well.
    pub fn is_signed_by(&self, table: TableId, access: &Public, key: &Public) -> bool {
        let ticket = match &self.author {
            Author::Member(_) => true,
            Author::Newcomer { key, ticket } => access.verify(&ticket_hash(table, key), ticket),
        };
        let hash = signed(table, &self.author, self.sequence, self.seen, &self.sealed);
        ticket && key.verify(&hash, &self.signature)
    }

    /// Opens the body.
    pub fn open(&self, table: &TableKey) -> Result<Vec<u8>, Unopened> {
        table.open(&place(table.table(), &self.author, self.sequence), &self.sealed)
    }

    /// Identifies it.
    pub fn hash(&self) -> [u8; 32] {
        hash("envelope", &[&dealing::encode(self)])
    }
}

impl Entry {
    /// Puts an envelope after this head.
    pub fn order(table: TableId, before: Head, envelope: Envelope, clock: u64, hub: &Secret, aux: &[u8; 32]) -> Self {
        let head = before.after(table, clock, &envelope.hash());
        Self::Said(Box::new(Ordered { envelope, clock, signature: hub.sign(&head.hash, aux) }))
    }

    /// What was said, if anything.
    pub fn said(&self) -> Option<&Ordered> {
        match self {
            Self::Said(said) => Some(said),
            Self::Change(_) => None,
        }
    }
}

impl Ordered {
    /// The head after this entry, if the hub signed that it comes after `before`.
    pub fn head(&self, table: TableId, before: Head, hub: &Public) -> Option<Head> {
        let head = before.after(table, self.clock, &self.envelope.hash());
        hub.verify(&head.hash, &self.signature).then_some(head)
    }
}

/// What the access key signs.
fn ticket_hash(table: TableId, key: &Public) -> [u8; 32] {
    hash("newcomer", &[&table.0, key.bytes()])
}

/// What a sealed body is bound to.
fn place(table: TableId, author: &Author, sequence: u32) -> Vec<u8> {
    let mut place = table.0.to_vec();
    match author {
        Author::Member(number) => place.extend([1, *number]),
        Author::Newcomer { key, .. } => {
            place.push(0);
            place.extend(key.bytes());
        }
    }
    place.extend(sequence.to_le_bytes());
    place
}

/// What an author signs.
fn signed(table: TableId, author: &Author, sequence: u32, seen: Head, sealed: &[u8]) -> [u8; 32] {
    let place = place(table, author, sequence);
    hash("author", &[&place, &seen.height.to_le_bytes(), &seen.hash, sealed])
}

const NEWCOMER: u8 = u8::MAX;
/// The first byte of an entry with another hub; no member has this number.
const CHANGE: u8 = 254;

impl Wire for Head {
    fn write(&self, out: &mut Vec<u8>) {
        self.height.write(out);
        self.hash.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { height: u64::read(from)?, hash: from.array()? })
    }
}

impl Wire for Author {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Member(number) => number.write(out),
            Self::Newcomer { key, ticket } => {
                NEWCOMER.write(out);
                key.bytes().write(out);
                out.extend_from_slice(&ticket.0);
            }
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            NEWCOMER => Self::Newcomer { key: read_key(from)?, ticket: read_signature(from)? },
            CHANGE => return Err(Malformed::Unknown(CHANGE)),
            number => Self::Member(number),
        })
    }
}

impl Wire for Envelope {
    fn write(&self, out: &mut Vec<u8>) {
        self.author.write(out);
        self.sequence.write(out);
        self.seen.write(out);
        u32::try_from(self.sealed.len()).unwrap_or(u32::MAX).write(out);
        out.extend_from_slice(&self.sealed);
        out.extend_from_slice(&self.signature.0);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (author, sequence, seen) = (Author::read(from)?, u32::read(from)?, Head::read(from)?);
        let len = usize::try_from(u32::read(from)?).unwrap_or(usize::MAX);
        if len > MOST_SEALED {
            return Err(Malformed::Length { least: 0, most: MOST_SEALED });
        }
        let sealed = from.take(len)?.to_vec();
        Ok(Self { author, sequence, seen, sealed, signature: read_signature(from)? })
    }
}

impl Wire for Entry {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Said(said) => {
                said.envelope.write(out);
                said.clock.write(out);
                out.extend_from_slice(&said.signature.0);
            }
            Self::Change(change) => {
                CHANGE.write(out);
                change.write(out);
            }
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        if u8::read(&mut from.clone())? == CHANGE {
            from.take(1)?;
            return Ok(Self::Change(Box::new(Change::read(from)?)));
        }
        let (envelope, clock) = (Envelope::read(from)?, u64::read(from)?);
        Ok(Self::Said(Box::new(Ordered { envelope, clock, signature: read_signature(from)? })))
    }
}

/// A public key; any 32 bytes that are the first coordinate of a point.
pub(crate) fn read_key(from: &mut Reader<'_>) -> Result<Public, Malformed> {
    Public::from_bytes(from.array()?).map_err(|_| Malformed::Point)
}

/// A signature; whether it is right, its check says.
pub(crate) fn read_signature(from: &mut Reader<'_>) -> Result<Signature, Malformed> {
    from.array().map(Signature)
}
