//! One member's half of the log: what they still have to say, and what they have heard.
//!
//! Bodies wait here until they are in the log. They are written into envelopes in order, and written again when a hub
//! refuses one or the connection is lost; what is in the log already is never said twice, because the author's
//! sequence numbers go up by one.

use std::collections::VecDeque;

use results::{Public, Secret};

use crate::body::Body;
use crate::chain::{Chain, NotNext};
use crate::change::{BadChange, Change, Proposal, Roster, Vote};
use crate::chat::{Chat, Chats, Chatted, Unheard, Unsayable};
use crate::entry::{Entry, Envelope, Fresh, Head};
use crate::seal::TableKey;
use crate::session::Pledge;

/// The log, read and written by one member or read by a spectator.
#[derive(Debug)]
pub struct Member {
    table: TableKey,
    key: Secret,
    chain: Chain,
    /// What is not yet in the log, in order.
    waiting: VecDeque<Vec<u8>>,
    /// How many of those have been sent through the present connection.
    sent: usize,
    chats: Chats,
    /// What this member has signed about the next hub.
    pledge: Option<Proposal>,
    /// Up to this number, nobody knows what this member has signed; 0 if everything is known.
    forgotten: u32,
    /// How the old hub's log goes on, while this member hears nothing of it.
    unheard: Option<Box<Chain>>,
    /// The last change of the hub.
    changed: Option<Change>,
}

/// An entry, opened.
#[derive(Clone, PartialEq, Debug)]
pub struct Heard {
    /// The number of its author; for a change of the hub, of the member who runs the new one.
    pub number: u8,
    /// What they said; `None` if it cannot be opened or read, which has no effect.
    pub body: Option<Body>,
    /// The hub was replaced; nothing was said.
    pub change: Option<Proposal>,
    /// The hub's clock.
    pub clock: u64,
    /// The log as the author knew it.
    pub seen: Head,
    /// The log after this entry.
    pub head: Head,
}

impl Member {
    /// A member of this table who signs entries with `key`.
    pub fn new(table: TableKey, key: Secret, hub: Public) -> Self {
        let chain = Chain::new(table.table(), table.access().public(), hub);
        let (waiting, chats) = (VecDeque::new(), Chats::default());
        Self { table, key, chain, waiting, sent: 0, chats, pledge: None, forgotten: 0, unheard: None, changed: None }
    }

    /// A match has begun: these people may replace the hub.
    pub fn begin(&mut self, roster: Roster) {
        self.chain.begin(roster);
    }

    /// What this member has signed about a new hub before a restart.
    pub(crate) const fn remember(&mut self, pledge: Pledge) {
        match pledge {
            Pledge::Signed(proposal) => self.pledge = Some(proposal),
            Pledge::Forgotten(last) => self.forgotten = last,
        }
    }

    /// Whether this member may have signed something about the next hub, and no longer knows what.
    pub fn has_forgotten(&self) -> bool {
        self.forgotten > self.chain.changes()
    }

    /// What this member has signed about the next hub, and that has not happened yet.
    pub fn pledge(&self) -> Option<&Proposal> {
        self.pledge.as_ref().filter(|pledge| pledge.number > self.chain.changes())
    }

    /// The last change of the hub.
    pub const fn changed(&self) -> Option<&Change> {
        self.changed.as_ref()
    }

    /// Signs a proposal for the next hub. The caller stores it before the vote is sent: nobody signs twice with the same
    /// number, and this member hears nothing more from the old hub. An error changes nothing.
    pub fn vote(&mut self, proposal: Proposal, aux: &[u8; 32]) -> Result<Vote, NoBallot> {
        let roster = self.chain.roster().ok_or(NoBallot::Change(BadChange::NotBegun))?;
        let number = self.number().filter(|number| roster.people.contains(number)).ok_or(NoBallot::NotAPerson)?;
        if let Some(pledge) = self.pledge().filter(|pledge| **pledge != proposal) {
            return Err(NoBallot::Pledged(*pledge));
        }
        if self.has_forgotten() {
            return Err(NoBallot::Forgotten);
        }
        self.chain.check_proposal(&proposal).map_err(NoBallot::Change)?;
        let vote = Vote::new(self.table.table(), &roster.of, proposal, (number, &self.key), aux);
        self.pledge = Some(proposal);
        Ok(vote)
    }

    /// Enough others have signed another change with the same number: what this member has signed cannot happen any
    /// more, and they may hear the log up to that change. Returns whether that is so.
    pub fn release(&mut self, change: &Change) -> bool {
        let other = |pledge: &Proposal| pledge.number == change.proposal.number && *pledge != change.proposal;
        let released = self.pledge().is_some_and(other) && self.chain.is_signed(change).is_ok();
        if released {
            (self.pledge, self.unheard) = (None, None);
        }
        released
    }

    /// The log as far as it is known.
    pub const fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The table's key.
    pub const fn table(&self) -> &TableKey {
        &self.table
    }

    /// The key that signs this member's entries.
    pub const fn key(&self) -> &Secret {
        &self.key
    }

    /// This member's number, once their first entry is in the log.
    pub fn number(&self) -> Option<u8> {
        self.chain.number(&self.key.public())
    }

    /// How many bodies are not yet in the log.
    pub fn unsaid(&self) -> usize {
        self.waiting.len()
    }

    /// Something to say.
    pub fn say(&mut self, body: &Body) {
        self.waiting.push_back(dealing::encode(body));
    }

    /// The next envelope to send, if any. A newcomer's first envelope must be in the log before the second is written,
    /// because it gives them their number.
    pub fn write(&mut self, fresh: &Fresh) -> Option<Envelope> {
        let number = self.number();
        if number.is_none() && self.sent > 0 {
            return None;
        }
        let body = self.waiting.get(self.sent)?;
        let written = number.and_then(|number| self.chain.written(number)).unwrap_or(0);
        let sequence = written.checked_add(u32::try_from(self.sent).ok()?)?;
        let envelope = Envelope::write(&self.table, &self.key, number, sequence, self.chain.head(), body, fresh);
        self.sent += 1;
        Some(envelope)
    }

    /// The connection is new, or the hub has refused an envelope: what is not in the log has to be sent again. That
    /// somebody is late is not: a program that was away does not know it any more, and otherwise says it anew.
    pub fn send_again(&mut self) {
        self.sent = 0;
        let is_vote = |body: &[u8]| matches!(dealing::decode(body), Ok(Body::Overdue { .. }));
        self.waiting.retain(|body| !is_vote(body));
        self.chats.connected(self.chain.head().height);
    }

    /// A line of chat for everybody; `now` is a clock in milliseconds. Only members can write.
    pub fn chat(&mut self, text: &str, now: u64, fresh: &Fresh) -> Result<Chat, Unsayable> {
        let number = self.number().ok_or(Unsayable::NotAPlayer)?;
        self.chats.say((&self.table, &self.key), (number, self.chain.head()), text, now, fresh)
    }

    /// Somebody chats. An error changes nothing, and nobody is to blame for it.
    pub fn overhear(&mut self, chat: &Chat) -> Result<Chatted, Unheard> {
        self.chats.hear(&self.table, &self.chain, chat)
    }

    /// Takes the next entry of the log. An error changes nothing.
    pub fn hear(&mut self, entry: &Entry) -> Result<Heard, NotNext> {
        let said = match entry {
            // What comes before the head that was signed is heard again after a restart.
            Entry::Said(_) if self.pledge().is_some_and(|pledge| pledge.head.height <= self.chain.head().height) => {
                return Err(self.look_on(entry));
            }
            Entry::Said(said) => said,
            Entry::Change(change) => return self.hear_change(entry, change),
        };
        let number = self.chain.accept(entry)?;
        let opened = said.envelope.open(&self.table).ok();
        if Some(number) == self.number() {
            // It need not be the first that is waiting: somebody who reads the log again after a restart waits to say
            // all that is already in there, and the same member may write from two places.
            let said = opened.as_ref().and_then(|body| self.waiting.iter().position(|waiting| waiting == body));
            if let Some(at) = said {
                self.waiting.remove(at);
            }
            // What was sent behind something else has the wrong number now.
            self.sent = if said == Some(0) { self.sent.saturating_sub(1) } else { 0 };
        }
        let body = opened.and_then(|bytes| dealing::decode(&bytes).ok());
        let (clock, seen, head) = (said.clock, said.envelope.seen, self.chain.head());
        Ok(Heard { number, body, change: None, clock, seen, head })
    }

    /// Looks at what the old hub goes on to put in order. A person who knows more of its log than the head that was signed
    /// never signs that head; once too few are left who could, what this member has signed cannot happen any more.
    fn look_on(&mut self, entry: &Entry) -> NotNext {
        let (Some(pledge), Some(roster)) = (self.pledge().copied(), self.chain.roster()) else {
            return NotNext::Pledged;
        };
        let most = roster.people.len() - roster.needed();
        let unheard = self.unheard.get_or_insert_with(|| Box::new(self.chain.clone()));
        if unheard.accept(entry).is_err() || unheard.people_beyond(pledge.head.height) <= most {
            return NotNext::Pledged;
        }
        (self.pledge, self.unheard) = (None, None);
        NotNext::Released
    }

    fn hear_change(&mut self, entry: &Entry, change: &Change) -> Result<Heard, NotNext> {
        let number = self.chain.accept(entry)?;
        // The old hub may have had some of it; the new one has none.
        self.sent = 0;
        // Somebody who reads the log again after a restart may have signed a later change.
        (self.pledge, self.unheard) = (self.pledge().copied(), None);
        self.changed = Some(change.clone());
        let (change, head) = (change.proposal, self.chain.head());
        Ok(Heard { number, body: None, change: Some(change), clock: change.clock, seen: change.head, head })
    }
}

/// Why a member does not sign a proposal for a new hub.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoBallot {
    /// Only people who started the match have a vote.
    NotAPerson,
    /// They have signed another proposal with the same number.
    Pledged(Proposal),
    /// They may have signed another proposal with the same number: what they have signed is lost.
    Forgotten,
    /// It cannot come next in their log.
    Change(BadChange),
}

impl core::fmt::Display for NoBallot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotAPerson => f.write_str("only people who started the match decide about the hub"),
            Self::Pledged(_) => f.write_str("another hub was asked to continue"),
            Self::Forgotten => f.write_str("what was signed about the next hub is lost"),
            Self::Change(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for NoBallot {}
