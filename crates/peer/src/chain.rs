//! The log as everybody checks it: who is a member, what the head is, and what may come next.
//!
//! A hub and everybody at the table keep a [`Chain`] and ask it the same question about an envelope. A hub asks
//! before it puts the envelope into the log, so an entry that the chain refuses is the hub's fault, with the hub's
//! signature as evidence, and nobody at the table can void a match by writing nonsense.

use core::fmt;

use results::Public;

use crate::change::{BadChange, Change, Ground, Proposal, Roster, Vote};
use crate::entry::{Author, Entry, Envelope, Head, Ordered};
use crate::seal::TableId;

/// The most members of one table: players, their computers, and those who gave up their seat before the start.
pub const MOST_MEMBERS: u8 = 64;
/// The longest log.
pub const MOST_ENTRIES: u64 = 1 << 18;

/// The public half of a log. Opens nothing.
#[derive(Clone, Debug)]
pub struct Chain {
    table: TableId,
    access: Public,
    hub: Public,
    /// The hash of every head; the last is the current one.
    heads: Vec<[u8; 32]>,
    members: Vec<Member>,
    clock: u64,
    /// How often the hub was replaced.
    changes: u32,
    /// Who may replace it, once a match has begun. A hub does not know.
    roster: Option<Roster>,
}

#[derive(Clone, Debug)]
struct Member {
    key: Public,
    /// How many envelopes they have in the log.
    written: u32,
    /// The last height they have said that they know.
    seen: u64,
}

/// Why an envelope has no place in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// No member has this number.
    NotAMember(u8),
    /// A member with this key is already here.
    AlreadyMember,
    /// The table has as many members as it can have.
    Full,
    /// It is not the author's next envelope.
    Sequence {
        /// Expected.
        next: u32,
        /// Got.
        got: u32,
    },
    /// The author has seen a log that is not this one.
    ForeignHead(u64),
    /// The author knew more of the log before.
    Backwards,
    /// The signature is wrong, or a newcomer does not know the ticket.
    Signature,
    /// The log is full.
    TooLong,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMember(number) => write!(f, "the table has no member {number}"),
            Self::AlreadyMember => f.write_str("this key already belongs to a member"),
            Self::Full => write!(f, "the table already has {MOST_MEMBERS} members"),
            Self::Sequence { next, got } => write!(f, "the author's next entry is {next}, but this is {got}"),
            Self::ForeignHead(height) => write!(f, "it builds on another log at height {height}"),
            Self::Backwards => f.write_str("it builds on less of the log than the author's last entry"),
            Self::Signature => f.write_str("the signature is wrong"),
            Self::TooLong => write!(f, "the log already has {MOST_ENTRIES} entries"),
        }
    }
}

impl core::error::Error for Unfit {}

/// Why an entry is not the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotNext {
    /// The hub has not signed that it comes here. It may belong elsewhere, or to nobody: nothing is proven.
    Unsigned,
    /// The hub has signed that it comes here although it must not: its fault, and the entry proves it.
    Unfit(Unfit),
    /// The hub's clock runs backwards; its fault as well.
    Clock,
    /// The hub is not replaced like this.
    Change(BadChange),
    /// This member has signed that another hub continues here: only that change may come next.
    Pledged,
    /// This member had signed that another hub continues here, and so many have gone on with this one that it cannot
    /// happen any more: they have to read on from what they have stored.
    Released,
}

impl fmt::Display for NotNext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => f.write_str("the hub has not signed this entry for this place"),
            Self::Unfit(why) => write!(f, "the hub signed an entry that it had to refuse: {why}"),
            Self::Clock => f.write_str("the hub's clock runs backwards"),
            Self::Change(why) => write!(f, "the hub is not replaced like this: {why}"),
            Self::Pledged => f.write_str("another hub was asked to continue here"),
            Self::Released => f.write_str("the others have continued here"),
        }
    }
}

impl core::error::Error for NotNext {}

impl Chain {
    /// An empty log.
    pub fn new(table: TableId, access: Public, hub: Public) -> Self {
        let begin = Head::begin(table, &hub);
        let heads = vec![begin.hash];
        Self { table, access, hub, heads, members: Vec::new(), clock: 0, changes: 0, roster: None }
    }

    /// A match has begun: these people may replace the hub.
    pub fn begin(&mut self, roster: Roster) {
        self.roster = Some(roster);
    }

    /// Who may replace the hub, once a match has begun.
    pub const fn roster(&self) -> Option<&Roster> {
        self.roster.as_ref()
    }

    /// How often the hub was replaced.
    pub const fn changes(&self) -> u32 {
        self.changes
    }

    /// The table.
    pub const fn table(&self) -> TableId {
        self.table
    }

    /// The hub that orders the next entry.
    pub const fn hub(&self) -> &Public {
        &self.hub
    }

    /// Checks that somebody knows the ticket.
    pub const fn access(&self) -> &Public {
        &self.access
    }

    /// The end of the log.
    pub fn head(&self) -> Head {
        let height = u64::try_from(self.heads.len() - 1).unwrap_or(u64::MAX);
        Head { height, hash: self.heads.last().copied().unwrap_or_default() }
    }

    /// The head at this height.
    pub fn head_at(&self, height: u64) -> Option<Head> {
        let hash = *self.heads.get(usize::try_from(height).ok()?)?;
        Some(Head { height, hash })
    }

    /// Whether this head is on this chain.
    pub fn contains(&self, head: Head) -> bool {
        self.head_at(head.height) == Some(head)
    }

    /// The hub's clock at the last entry.
    pub const fn clock(&self) -> u64 {
        self.clock
    }

    /// How many members there are.
    pub fn members(&self) -> u8 {
        u8::try_from(self.members.len()).unwrap_or(MOST_MEMBERS)
    }

    /// A member's key.
    pub fn member(&self, number: u8) -> Option<&Public> {
        self.members.get(usize::from(number)).map(|member| &member.key)
    }

    /// The member with this key.
    pub fn number(&self, key: &Public) -> Option<u8> {
        let place = self.members.iter().position(|member| member.key == *key)?;
        u8::try_from(place).ok()
    }

    /// How many envelopes a member has written.
    pub fn written(&self, number: u8) -> Option<u32> {
        self.members.get(usize::from(number)).map(|member| member.written)
    }

    /// Whether an envelope may come next, and the number of its author.
    pub fn admit(&self, envelope: &Envelope) -> Result<u8, Unfit> {
        let (number, key) = self.place(envelope)?;
        // The most expensive check comes last.
        if !envelope.is_signed_by(self.table, &self.access, &key) {
            return Err(Unfit::Signature);
        }
        Ok(number)
    }

    /// Whether an envelope may come next if its signature is right, and the number and the key of its author.
    fn place(&self, envelope: &Envelope) -> Result<(u8, Public), Unfit> {
        if self.head().height >= MOST_ENTRIES {
            return Err(Unfit::TooLong);
        }
        let (number, key, next, seen) = match &envelope.author {
            Author::Member(number) => {
                let member = self.members.get(usize::from(*number)).ok_or(Unfit::NotAMember(*number))?;
                (*number, member.key, member.written, member.seen)
            }
            Author::Newcomer { key, .. } if self.number(key).is_some() => return Err(Unfit::AlreadyMember),
            Author::Newcomer { .. } if self.members() >= MOST_MEMBERS => return Err(Unfit::Full),
            Author::Newcomer { key, .. } => (self.members(), *key, 0, 0),
        };
        if envelope.sequence != next {
            return Err(Unfit::Sequence { next, got: envelope.sequence });
        }
        if !self.contains(envelope.seen) {
            return Err(Unfit::ForeignHead(envelope.seen.height));
        }
        if envelope.seen.height < seen {
            return Err(Unfit::Backwards);
        }
        Ok((number, key))
    }

    /// Takes the next entry, and returns the number of its author. An error changes nothing.
    pub fn accept(&mut self, entry: &Entry) -> Result<u8, NotNext> {
        let said = match entry {
            Entry::Said(said) => said,
            Entry::Change(change) => {
                self.check(change).map_err(NotNext::Change)?;
                return Ok(self.turn_to(&change.proposal));
            }
        };
        let head = said.head(self.table, self.head(), &self.hub).ok_or(NotNext::Unsigned)?;
        if said.clock < self.clock {
            return Err(NotNext::Clock);
        }
        let number = self.admit(&said.envelope).map_err(NotNext::Unfit)?;
        self.append(said, head, number);
        Ok(number)
    }

    /// Whether the hub may be replaced like this now.
    fn check(&self, change: &Change) -> Result<(), BadChange> {
        self.check_proposal(&change.proposal)?;
        self.is_signed(change)
    }

    /// Whether enough people have signed a change, wherever it belongs.
    pub(crate) fn is_signed(&self, change: &Change) -> Result<(), BadChange> {
        let roster = self.roster.as_ref().ok_or(BadChange::NotBegun)?;
        change.is_signed(self.table, roster, |number| self.member(number).copied())
    }

    /// How many of the people who decide about the hub have written that they know the log beyond this height.
    pub(crate) fn people_beyond(&self, height: u64) -> usize {
        let knows = |person: &&u8| self.members.get(usize::from(**person)).is_some_and(|member| member.seen > height);
        self.roster.as_ref().map_or(0, |roster| roster.people.iter().filter(knows).count())
    }

    /// Whether this proposal could come next.
    pub(crate) fn check_proposal(&self, proposal: &Proposal) -> Result<(), BadChange> {
        if self.head().height >= MOST_ENTRIES {
            return Err(BadChange::OtherHead);
        }
        proposal.check(&self.ground(), self.roster.as_ref().ok_or(BadChange::NotBegun)?)
    }

    /// Whether this proposal could come next, as far as a hub can tell.
    pub(crate) fn fits(&self, proposal: &Proposal) -> Result<(), BadChange> {
        proposal.fits(&self.ground())
    }

    /// Whether somebody with a vote signed this.
    pub(crate) fn check_vote(&self, vote: &Vote) -> Result<(), BadChange> {
        let roster = self.roster.as_ref().ok_or(BadChange::NotBegun)?;
        vote.check(self.table, roster, |number| self.member(number).copied())
    }

    fn ground(&self) -> Ground<'_> {
        Ground { head: self.head(), clock: self.clock, hub: &self.hub, changes: self.changes }
    }

    fn turn_to(&mut self, proposal: &Proposal) -> u8 {
        self.heads.push(proposal.after(self.table).hash);
        self.clock = proposal.clock;
        self.hub = proposal.hub;
        self.changes = proposal.number;
        proposal.successor
    }

    /// Takes the next entry without checking its signatures, because this hub has done that before. An error changes
    /// nothing.
    pub(crate) fn keep(&mut self, entry: &Entry) -> Result<u8, NotNext> {
        let said = match entry {
            Entry::Said(said) => said,
            Entry::Change(change) => {
                self.fits(&change.proposal).map_err(NotNext::Change)?;
                return Ok(self.turn_to(&change.proposal));
            }
        };
        if said.clock < self.clock {
            return Err(NotNext::Clock);
        }
        let (number, _) = self.place(&said.envelope).map_err(NotNext::Unfit)?;
        let head = self.head().after(self.table, said.clock, &said.envelope.hash());
        self.append(said, head, number);
        Ok(number)
    }

    fn append(&mut self, entry: &Ordered, head: Head, number: u8) {
        if let Author::Newcomer { key, .. } = &entry.envelope.author {
            self.members.push(Member { key: *key, written: 0, seen: 0 });
        }
        if let Some(member) = self.members.get_mut(usize::from(number)) {
            member.written += 1;
            member.seen = entry.envelope.seen.height;
        }
        self.heads.push(head.hash);
        self.clock = entry.clock;
    }
}

/// Two signatures of a hub that cannot both be honest: it put different entries into the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The head both come after.
    pub before: Head,
    /// One.
    pub one: Ordered,
    /// The other.
    pub other: Ordered,
}

impl Fork {
    /// Whether it proves that the hub forked the order.
    pub fn is_proof(&self, table: TableId, hub: &Public) -> bool {
        let one = self.one.head(table, self.before, hub);
        let other = self.other.head(table, self.before, hub);
        matches!((one, other), (Some(one), Some(other)) if one != other)
    }
}
