//! What members say, and what it does.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use dealers::joint::{Message, Void};
use dealing::Reader;

use super::keys::{CeremonyKey, CourseKey};
use super::{decks, epochs};
use crate::execute::Cx;
use crate::units::Address;

/// What one can say or ask.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Tx {
    /// A member's message in the key generation of an epoch.
    Keys {
        /// The epoch.
        epoch: u64,
        /// How many key generations for it have failed before: what was said in one means nothing in another.
        attempt: u32,
        /// The member.
        member: u8,
        /// The message, as `docs/dealing.md` has it.
        message: Vec<u8>,
    },
    /// A member's contribution to the random number of the next epoch.
    Beacon {
        /// The next epoch.
        epoch: u64,
        /// The member of the current one.
        member: u8,
        /// The contribution.
        contribution: Vec<u8>,
    },
    /// A member's message about a deck: a shuffle, or shares of cards.
    Deck {
        /// The table.
        table: u64,
        /// The deck.
        deck: u32,
        /// The member.
        member: u8,
        /// The message.
        message: Vec<u8>,
    },
    /// Somebody reports that members are silent although a hand waits for them. It does only what the end of the block
    /// would do, but the reporter gets a part of what they lose.
    ReportDealerWithholding {
        /// The table.
        table: u64,
    },
    /// The same for a key generation.
    ReportDkgWithholding,
}

impl Tx {
    /// Whether the chain waits for it.
    pub const fn is_duty(&self) -> bool {
        match self {
            Self::Keys { .. } | Self::Beacon { .. } | Self::Deck { .. } => true,
            Self::ReportDealerWithholding { .. } | Self::ReportDkgWithholding => false,
        }
    }

    /// What it costs to check, in microseconds: the price of its proof alone, whatever others are checked with it.
    pub fn work(&self) -> u64 {
        // A point is decoded in 5 µs and takes part in a sum for about as much again.
        let points = |bytes: &[u8]| u64::try_from(bytes.len() / 32).unwrap_or(u64::MAX).saturating_mul(10);
        match self {
            Self::Keys { message, .. } => {
                // A complaint has 130 bytes, and judging it takes a sum over all commitments.
                let complaints = if message.first() == Some(&READY) { message.len() / 130 } else { 0 };
                points(message).saturating_add(u64::try_from(complaints).unwrap_or(u64::MAX).saturating_mul(600))
            }
            // The cards that shares are of, and the keys they are sealed to, take part in the sum, too.
            Self::Deck { message, .. } if matches!(message.first(), Some(&(SHARES | SEALED))) => {
                points(message).saturating_mul(3) / 2
            }
            Self::Deck { message, .. } => points(message),
            Self::Beacon { contribution, .. } => points(contribution).saturating_add(100),
            Self::ReportDealerWithholding { .. } | Self::ReportDkgWithholding => 100,
        }
    }
}

/// The first byte of a message with complaints.
const READY: u8 = 4;
/// The first byte of a message with shares for everybody.
const SHARES: u8 = 7;
/// The first byte of a message with sealed shares.
const SEALED: u8 = 8;

/// Why a message does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Nobody waits for it: there is no such key generation, beacon or deck now.
    NotAwaited,
    /// The seat in the committee is not its author's.
    NotYourSeat,
    /// It cannot be decoded.
    Malformed,
    /// It does not count, and nobody is to blame.
    Void(Void),
    /// Nobody is late.
    NobodyIsLate,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAwaited => f.write_str("nobody waits for this message"),
            Self::NotYourSeat => f.write_str("this seat of the committee belongs to somebody else"),
            Self::Malformed => f.write_str("the message cannot be decoded"),
            Self::Void(why) => write!(f, "the message does not count: {why}"),
            Self::NobodyIsLate => f.write_str("nobody is late"),
        }
    }
}

impl core::error::Error for Refused {}

/// Carries out a transaction.
pub fn execute(cx: &mut Cx<'_>, from: Address, tx: &Tx) -> Result<(), Refused> {
    match tx {
        Tx::Keys { epoch, attempt, member, message } => {
            let now = cx.store.get(&CourseKey()).is_some_and(|course| course.attempt == *attempt);
            let ceremony = cx.store.get(&CeremonyKey()).filter(|ceremony| now && ceremony.epoch == *epoch);
            let seat = ceremony.ok_or(Refused::NotAwaited)?.members.get(usize::from(*member));
            if seat.is_none_or(|seat| seat.validator != from) {
                return Err(Refused::NotYourSeat);
            }
            epochs::say(cx, *member, decode(message)?)
        }
        Tx::Beacon { epoch, member, contribution } => {
            let contribution = dealing::decode(contribution).map_err(|_| Refused::Malformed)?;
            epochs::contribute(cx, from, *epoch, *member, contribution)
        }
        Tx::Deck { table, deck, member, message } => decks::say(cx, from, (*table, *deck), *member, message),
        Tx::ReportDealerWithholding { table } => decks::report(cx, *table, from),
        Tx::ReportDkgWithholding => epochs::report(cx, from),
    }
}

/// A message, decoded exactly. Its length is limited by that of a transaction.
pub(super) fn decode(bytes: &[u8]) -> Result<Message, Refused> {
    let mut reader = Reader::new(bytes);
    let message = <Message as dealing::Wire>::read(&mut reader).map_err(|_| Refused::Malformed)?;
    reader.finish().map_err(|_| Refused::Malformed)?;
    Ok(message)
}
