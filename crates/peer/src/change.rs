//! Replacing a lost hub: what people sign, and how it is checked.
//!
//! ```text
//! proposal   number · head · clock · successor · its hub key       "from this head on, this hub puts the log in order"
//! vote       a person's signature over the match and a proposal
//! change     a proposal with the votes of more than half of the people who started: an entry of its own kind
//! ```
//!
//! - `start` lists who may replace the hub ([`Standby`]), with the key that their hub would sign with.
//! - Changes are numbered. Everybody signs once per number, and only for a head that is the end of their own log, so two
//!   hubs never get more than half for the same number, and nothing that a signer has heard is lost.
//! - Votes are not part of the head after a change: no matter which votes are passed on, the log is the same.
//! - People vote, not seats: a computer has no vote.

use core::fmt;
use std::collections::BTreeSet;

use dealing::{Malformed, Reader, Wire, write_counted};
use results::{Public, Secret, Signature};

use crate::entry::{Head, read_key, read_signature};
use crate::hash::hash;
use crate::lobby::Begun;
use crate::seal::TableId;
use crate::start::MOST_SEATS;
use crate::ticket::read_address;

/// A member who can run a hub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standby {
    /// Their number.
    pub number: u8,
    /// The key that their hub would sign with.
    pub hub: Public,
    /// Where it could be reached: `http://host:port`, as in a ticket.
    pub at: String,
}

/// Who decides about a new hub, and who it can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roster {
    /// The match.
    pub of: [u8; 32],
    /// The people who started it.
    pub people: BTreeSet<u8>,
    /// Who can run a hub, in the order in which they are tried.
    pub successors: Vec<Standby>,
}

/// From its head on, another hub puts the log in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// How many changes there are with this one.
    pub number: u32,
    /// The end of the log.
    pub head: Head,
    /// The new hub's clock, in milliseconds since 1970.
    pub clock: u64,
    /// The member who runs the new hub.
    pub successor: u8,
    /// The key it signs with.
    pub hub: Public,
}

/// A person is for a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vote {
    /// Who.
    pub voter: u8,
    /// For what.
    pub proposal: Proposal,
    /// The signature of the key that signs their entries.
    pub signature: Signature,
}

/// A proposal that enough people have signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// What they have signed.
    pub proposal: Proposal,
    /// Their numbers and signatures.
    pub votes: Vec<(u8, Signature)>,
}

/// Why a hub is not replaced like this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadChange {
    /// No match has begun: there is nobody to replace the hub.
    NotBegun,
    /// It is not the next change.
    Number {
        /// Expected.
        next: u32,
        /// Got.
        got: u32,
    },
    /// Its head is not the end of the log.
    OtherHead,
    /// Its clock runs backwards.
    Clock,
    /// The start does not list this hub, or it is the one to be replaced.
    NotASuccessor(u8),
    /// Only people who started the match have a vote.
    NotAVoter(u8),
    /// The same person is there twice.
    Twice(u8),
    /// A signature is wrong.
    Signature(u8),
    /// More people must sign.
    TooFew {
        /// At least.
        needed: usize,
        /// So far.
        got: usize,
    },
}

impl fmt::Display for BadChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBegun => f.write_str("a hub can be replaced only during a match"),
            Self::Number { next, got } => write!(f, "the next change of the hub is number {next}, but this is {got}"),
            Self::OtherHead => f.write_str("the change does not continue at the end of the log"),
            Self::Clock => f.write_str("the new hub's clock runs backwards"),
            Self::NotASuccessor(number) => write!(f, "the hub of member {number} is not one that could replace it"),
            Self::NotAVoter(number) => write!(f, "member {number} has no vote about the hub"),
            Self::Twice(number) => write!(f, "member {number} is counted twice"),
            Self::Signature(number) => write!(f, "the signature of member {number} is wrong"),
            Self::TooFew { needed, got } => write!(f, "{needed} people must sign the change, and {got} have"),
        }
    }
}

impl core::error::Error for BadChange {}

/// What a change must fit: the log so far, as far as a check needs it.
pub(crate) struct Ground<'a> {
    pub(crate) head: Head,
    pub(crate) clock: u64,
    pub(crate) hub: &'a Public,
    /// How many changes there were.
    pub(crate) changes: u32,
}

impl Roster {
    /// Of a match that has begun.
    pub fn of(begun: &Begun) -> Self {
        let people = begun.players.iter().map(|player| player.person).collect();
        Self { of: begun.id, people, successors: begun.start.successors.clone() }
    }

    /// How many people must sign: more than half, and of two both.
    pub fn needed(&self) -> usize {
        self.people.len() / 2 + 1
    }

    /// The hub with this key.
    pub fn standby(&self, hub: &Public) -> Option<&Standby> {
        self.successors.iter().find(|standby| standby.hub == *hub)
    }
}

impl Proposal {
    /// Checks that it could come next.
    pub(crate) fn check(&self, ground: &Ground<'_>, roster: &Roster) -> Result<(), BadChange> {
        self.fits(ground)?;
        let listed = roster.standby(&self.hub).is_some_and(|standby| standby.number == self.successor);
        if listed { Ok(()) } else { Err(BadChange::NotASuccessor(self.successor)) }
    }

    /// Checks everything that a hub can check, which does not know who may replace it.
    pub(crate) fn fits(&self, ground: &Ground<'_>) -> Result<(), BadChange> {
        let next = ground.changes.saturating_add(1);
        if self.number != next {
            return Err(BadChange::Number { next, got: self.number });
        }
        if self.head != ground.head {
            return Err(BadChange::OtherHead);
        }
        if self.clock < ground.clock {
            return Err(BadChange::Clock);
        }
        if self.hub == *ground.hub {
            return Err(BadChange::NotASuccessor(self.successor));
        }
        Ok(())
    }

    /// The head after the change.
    pub fn after(&self, table: TableId) -> Head {
        let Head { height, hash: before } = self.head;
        let parts: [&[u8]; 4] = [&table.0, &height.to_le_bytes(), &before, &dealing::encode(self)];
        Head { height: height.saturating_add(1), hash: hash("change", &parts) }
    }

    /// What people sign.
    fn signed(&self, table: TableId, of: &[u8; 32]) -> [u8; 32] {
        hash("succeed", &[&table.0, of, &dealing::encode(self)])
    }
}

impl Vote {
    /// A person signs a proposal for the next hub of this match. [`Member::vote`](crate::Member::vote) checks it first.
    pub fn new(table: TableId, of: &[u8; 32], proposal: Proposal, (voter, key): (u8, &Secret), aux: &[u8; 32]) -> Self {
        Self { voter, proposal, signature: key.sign(&proposal.signed(table, of), aux) }
    }

    /// Checks that somebody with a vote signed it.
    pub(crate) fn check(
        &self,
        table: TableId,
        roster: &Roster,
        key: impl Fn(u8) -> Option<Public>,
    ) -> Result<(), BadChange> {
        if !roster.people.contains(&self.voter) {
            return Err(BadChange::NotAVoter(self.voter));
        }
        let key = key(self.voter).ok_or(BadChange::NotAVoter(self.voter))?;
        let right = key.verify(&self.proposal.signed(table, &roster.of), &self.signature);
        if right { Ok(()) } else { Err(BadChange::Signature(self.voter)) }
    }
}

impl Change {
    /// Checks that enough people have signed it, wherever it belongs. Their keys are those of the table's members.
    pub(crate) fn is_signed(
        &self,
        table: TableId,
        roster: &Roster,
        key: impl Fn(u8) -> Option<Public>,
    ) -> Result<(), BadChange> {
        let mut voters = BTreeSet::new();
        for (voter, signature) in &self.votes {
            if !voters.insert(*voter) {
                return Err(BadChange::Twice(*voter));
            }
            let vote = Vote { voter: *voter, proposal: self.proposal, signature: *signature };
            vote.check(table, roster, &key)?;
        }
        let (needed, got) = (roster.needed(), voters.len());
        if got >= needed { Ok(()) } else { Err(BadChange::TooFew { needed, got }) }
    }
}

impl Wire for Standby {
    fn write(&self, out: &mut Vec<u8>) {
        self.number.write(out);
        self.hub.bytes().write(out);
        write_counted(self.at.as_bytes(), out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { number: u8::read(from)?, hub: read_key(from)?, at: read_address(from)? })
    }
}

impl Wire for Proposal {
    fn write(&self, out: &mut Vec<u8>) {
        self.number.write(out);
        self.head.write(out);
        self.clock.write(out);
        self.successor.write(out);
        self.hub.bytes().write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            number: u32::read(from)?,
            head: Head::read(from)?,
            clock: u64::read(from)?,
            successor: u8::read(from)?,
            hub: read_key(from)?,
        })
    }
}

impl Wire for Vote {
    fn write(&self, out: &mut Vec<u8>) {
        self.voter.write(out);
        self.proposal.write(out);
        out.extend_from_slice(&self.signature.0);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { voter: u8::read(from)?, proposal: Proposal::read(from)?, signature: read_signature(from)? })
    }
}

impl Wire for Change {
    fn write(&self, out: &mut Vec<u8>) {
        self.proposal.write(out);
        u16::try_from(self.votes.len()).unwrap_or(u16::MAX).write(out);
        for (voter, signature) in &self.votes {
            voter.write(out);
            out.extend_from_slice(&signature.0);
        }
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let proposal = Proposal::read(from)?;
        let votes = from.length(1, MOST_SEATS)?;
        let votes =
            (0..votes).map(|_| Ok((u8::read(from)?, read_signature(from)?))).collect::<Result<_, Malformed>>()?;
        Ok(Self { proposal, votes })
    }
}

#[cfg(test)]
mod tests {
    use table::record::hex;

    use super::*;
    use crate::testing::{secret, table_key};

    #[test]
    fn a_proposal_and_a_vote_have_these_bytes() {
        let head = Head { height: 7, hash: [0xab; 32] };
        let proposal = Proposal { number: 1, head, clock: 0x0102_0304, successor: 2, hub: secret(3).public() };
        let expected = [
            "01000000",
            "0700000000000000",
            &"ab".repeat(32),
            "0403020100000000",
            "02",
            "531fe6068134503d2723133227c867ac8fa6c83c537e9a44c3c5bdbdcb1fe337",
        ];
        assert_eq!(hex(&dealing::encode(&proposal)), expected.concat());
        assert_eq!(
            hex(&proposal.after(table_key().table()).hash),
            "ea8152c6cc0b853793d4e3b77547032a5ef12497eb2e5d7aafb573082d6ea4ac"
        );
        let vote = Vote::new(table_key().table(), &[9; 32], proposal, (1, &secret(2)), &[0; 32]);
        assert_eq!(
            hex(&vote.signature.0),
            "988ab0fa21bbe06b2785df2f3c2296142ee3569e8286e09ea9a8351dd77b3b0fdd2e0067408e50cab6a49e4d257c46d7f131ea64bf80d3fb6294cc839e2e1ca6"
        );
        assert_eq!(dealing::decode(&dealing::encode(&vote)), Ok(vote));
    }
}
