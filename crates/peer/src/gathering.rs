//! How people agree on a new hub, when the old one is lost.
//!
//! Those who cannot reach the hub connect to the hubs that `start` lists, in that order. Such a hub has the log of the
//! member who runs it, gets what others have more, and passes words on; it puts nothing in order. The member who runs it
//! is the candidate.
//!
//! ```text
//! everybody  -> at          where they are in the log
//! candidate  -> propose     once more than half of the people are where the candidate is
//! people     -> vote        signed, once per number; stored before it is sent
//! candidate                 signs last, and installs the change at its hub; everybody hears it as an entry
//! candidate  -> changed     later, to those who have signed something else that can no longer happen
//! ```
//!
//! The candidate waits a little for people who are connected and still bring entries that it does not have. If it is
//! lost before the change is complete, its votes are not: a person who has signed says so to the next candidate, who
//! completes that change first, and then proposes its own.

use dealing::{Malformed, Reader, Wire};
use results::Public;
use table::Map;

use crate::chain::Chain;
use crate::change::{Change, Proposal, Vote};
use crate::entry::Head;

/// How long a candidate waits for people who are connected and elsewhere in the log, in milliseconds.
const WAIT: u64 = 5_000;
/// How often something is said again, because words may be lost.
const REPEAT: u64 = 2_000;

/// What people say about a new hub, next to the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ballot {
    /// The author is here in the log.
    At(Head),
    /// The candidate asks for votes.
    Propose(Proposal),
    /// The author has signed a proposal.
    Vote(Vote),
    /// The hub was replaced already.
    Changed(Box<Change>),
}

/// Something to send while people agree on a new hub.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aside {
    /// Words for everybody.
    Words(Vec<u8>),
    /// The change that puts this member's own hub into office, for that hub.
    Install(Box<Change>),
}

/// One program's part in it. Without a hub, nobody has to agree on anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathering {
    /// The hub that this program is connected to, if it is not in office.
    hub: Option<Public>,
    /// Where others are in the log.
    heads: Map<u8, Head>,
    /// What people have signed.
    votes: Map<u8, Vote>,
    /// Since when enough people are where the candidate is, and where that is.
    ready: Option<(Head, u64)>,
    /// When this program last said where it is, and where that was.
    told: Option<(Head, u64)>,
    /// What the candidate has asked for, and when.
    proposed: Option<(Proposal, u64)>,
    /// What the candidate has installed, and when.
    installed: Option<(Box<Change>, Option<u64>)>,
    asides: Vec<Aside>,
}

/// What the candidate does next.
pub(crate) enum Step {
    /// It waits.
    Wait,
    /// It asks for votes for this.
    Ask(Proposal),
    /// Its own vote completes this.
    Sign(Proposal),
}

impl Gathering {
    /// Connected to a hub: one that is not in office, or `None`.
    pub(crate) fn connected(&mut self, hub: Option<Public>) {
        *self = Self { hub, asides: core::mem::take(&mut self.asides), ..Self::default() };
    }

    /// The hub was replaced, not necessarily by the one that this program is connected to.
    pub(crate) fn changed(&mut self, to: &Public) {
        self.connected(self.hub.filter(|hub| hub != to));
    }

    pub(crate) const fn hub(&self) -> Option<&Public> {
        self.hub.as_ref()
    }

    pub(crate) fn take(&mut self) -> Vec<Aside> {
        core::mem::take(&mut self.asides)
    }

    pub(crate) fn say(&mut self, ballot: &Ballot) {
        self.asides.push(Aside::Words(dealing::encode(ballot)));
    }

    /// Somebody is here in the log.
    pub(crate) fn at(&mut self, who: u8, head: Head) {
        self.heads.insert(who, head);
    }

    /// Somebody has signed something.
    pub(crate) fn voted(&mut self, chain: &Chain, vote: Vote) {
        if vote.proposal.number == chain.changes().saturating_add(1) && chain.check_vote(&vote).is_ok() {
            self.votes.insert(vote.voter, vote);
        }
    }

    /// Says where this program is, if the others may not know.
    pub(crate) fn tell(&mut self, head: Head, now: u64) {
        let known = |(told, at): &(Head, u64)| *told == head && now.saturating_sub(*at) < REPEAT;
        if self.hub.is_some() && !self.told.as_ref().is_some_and(known) {
            self.told = Some((head, now));
            self.say(&Ballot::At(head));
        }
    }

    /// What the candidate does: `me` runs the hub that everybody is connected to. `here` has a bit for every member who
    /// is connected, and `pledge` is what the candidate has signed itself.
    pub(crate) fn step(&mut self, chain: &Chain, me: u8, pledge: Option<&Proposal>, here: u64, now: u64) -> Step {
        let (Some(roster), Some(hub), head) = (chain.roster(), self.hub, chain.head()) else { return Step::Wait };
        let is_here =
            |person: &u8| *person == me || here.checked_shr(u32::from(*person)).is_some_and(|bits| bits & 1 == 1);
        let is_ready = |person: &u8| *person == me || self.heads.get(person) == Some(&head);
        let ready = roster.people.iter().filter(|person| is_here(person) && is_ready(person)).count();
        let all = roster.people.iter().filter(|person| is_here(person)).all(is_ready);
        if ready < roster.needed() {
            self.ready = None;
            return Step::Wait;
        }
        let since = match self.ready {
            Some((at, since)) if at == head => since,
            _ => now,
        };
        self.ready = Some((head, since));
        if !all && now.saturating_sub(since) < WAIT {
            return Step::Wait;
        }
        let own = || {
            let (number, clock) = (chain.changes().saturating_add(1), now.max(chain.clock()));
            Proposal { number, head, clock, successor: me, hub }
        };
        let asked = self.proposed.map(|(proposal, _)| proposal).filter(|proposal| proposal.head == head);
        let wanted = pledge.copied().or_else(|| self.leading(chain)).or(asked).unwrap_or_else(own);
        let others = self.votes.values().filter(|vote| vote.voter != me && vote.proposal == wanted).count();
        if others + 1 >= roster.needed() {
            return Step::Sign(wanted);
        }
        match self.proposed {
            Some((proposal, at)) if proposal == wanted && now.saturating_sub(at) < REPEAT => Step::Wait,
            _ => {
                self.proposed = Some((wanted, now));
                Step::Ask(wanted)
            }
        }
    }

    /// What most people have signed. If that was for an earlier candidate, it is completed first.
    fn leading(&self, chain: &Chain) -> Option<Proposal> {
        let count = |wanted: &Proposal| self.votes.values().filter(|vote| vote.proposal == *wanted).count();
        let fit =
            self.votes.values().map(|vote| vote.proposal).filter(|proposal| chain.check_proposal(proposal).is_ok());
        fit.max_by_key(count)
    }

    /// The candidate's own vote completes a change.
    pub(crate) fn complete(&mut self, own: Vote) {
        let proposal = own.proposal;
        let others = self.votes.values().filter(|vote| vote.voter != own.voter && vote.proposal == proposal);
        let votes = others.chain([&own]).map(|vote| (vote.voter, vote.signature)).collect();
        if self.installed.as_ref().is_none_or(|(change, _)| change.proposal != proposal) {
            self.installed = Some((Box::new(Change { proposal, votes }), None));
        }
    }

    /// Installs what is complete, and again if that seems to be lost.
    pub(crate) fn install(&mut self, now: u64) {
        if let Some((change, at)) = &mut self.installed
            && at.is_none_or(|at| now.saturating_sub(at) >= REPEAT)
        {
            *at = Some(now);
            self.asides.push(Aside::Install(change.clone()));
        }
    }
}

/// The first bytes of ballots.
pub(crate) const AT: u8 = 32;
const PROPOSE: u8 = 33;
const VOTE: u8 = 34;
pub(crate) const CHANGED: u8 = 35;

impl Wire for Ballot {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::At(head) => {
                AT.write(out);
                head.write(out);
            }
            Self::Propose(proposal) => {
                PROPOSE.write(out);
                proposal.write(out);
            }
            Self::Vote(vote) => {
                VOTE.write(out);
                vote.write(out);
            }
            Self::Changed(change) => {
                CHANGED.write(out);
                change.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match u8::read(from)? {
            AT => Self::At(Head::read(from)?),
            PROPOSE => Self::Propose(Proposal::read(from)?),
            VOTE => Self::Vote(Vote::read(from)?),
            CHANGED => Self::Changed(Box::new(Change::read(from)?)),
            other => return Err(Malformed::Unknown(other)),
        })
    }
}
