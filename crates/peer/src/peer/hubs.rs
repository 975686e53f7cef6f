//! A program's part in replacing a lost hub.
//!
//! 1. [`Seated::connected`] with every new connection: the key of the hub there.
//! 2. [`Seated::convene`] about twice a second, [`Seated::ballot`] for every ballot that is heard.
//! 3. Store what [`Seated::to_store`] returns, then send what [`Seated::take_asides`] returns.
//! 4. The change comes as an entry, like everything that counts.

use results::Public;
use table::Game;

use super::{Guest, Seated};
use crate::body::Body;
use crate::change::Proposal;
use crate::gathering::{Aside, Ballot, Step};
use crate::member::{Heard, NoBallot};
use crate::ticket::is_address;

impl Guest {
    /// Could run a hub if this one is lost, with this key and at this address; `false` if that is not an address.
    pub fn stand(&mut self, hub: Public, at: &str) -> bool {
        let fits = is_address(at);
        if fits {
            self.member.say(&Body::Stand { hub, at: at.to_owned() });
        }
        fits
    }
}

impl<G: Game> Seated<G> {
    /// Connected to the hub with this key.
    pub fn connected(&mut self, hub: Public) {
        let office = *self.member.chain().hub();
        self.gathering.connected(Some(hub).filter(|hub| *hub != office));
    }

    /// Whether people have to agree on a hub before anything can be said: this program is connected to one that is not in
    /// office, or has signed that another one should continue.
    pub fn is_gathering(&self) -> bool {
        self.gathering.hub().is_some() || self.member.pledge().is_some()
    }

    /// Time has passed. `here` has a bit for every member who is connected; `now` is a clock in milliseconds since 1970.
    pub fn convene(&mut self, here: u64, now: u64, aux: &[u8; 32]) {
        self.gathering.tell(self.member.chain().head(), now);
        if let Some(me) = self.candidate() {
            let (chain, pledge) = (self.member.chain(), self.member.pledge());
            match self.gathering.step(chain, me, pledge, here, now) {
                Step::Wait => {}
                Step::Ask(proposal) => self.gathering.say(&Ballot::Propose(proposal)),
                Step::Sign(proposal) => {
                    if let Ok(vote) = self.member.vote(proposal, aux) {
                        self.session.private().pledge(Some(proposal));
                        self.gathering.complete(vote);
                    }
                }
            }
            self.gathering.install(now);
        }
    }

    /// A member says something about a new hub. Returns whether what this program has signed can no longer happen: then
    /// it has to read the log again from what it has stored.
    pub fn ballot(&mut self, from: u8, ballot: &Ballot, aux: &[u8; 32]) -> bool {
        match ballot {
            Ballot::At(head) if self.gathering.hub().is_some() => self.gathering.at(from, *head),
            Ballot::At(head) => self.answer(head.height),
            // While its hub works, nobody can talk this program into another one.
            Ballot::Propose(proposal) if self.gathering.hub().is_some() => self.consent(*proposal, aux),
            Ballot::Vote(vote) if self.gathering.hub().is_some() => self.gathering.voted(self.member.chain(), *vote),
            Ballot::Propose(_) | Ballot::Vote(_) => {}
            Ballot::Changed(change) => {
                if self.member.release(change) {
                    self.session.private().pledge(None);
                    return true;
                }
            }
        }
        false
    }

    /// What to send about a new hub, since the last call. [`Seated::to_store`] comes first.
    pub fn take_asides(&mut self) -> Vec<Aside> {
        self.gathering.take()
    }

    /// This member's number, if they run the hub that everybody is connected to, and can sign for it.
    fn candidate(&self) -> Option<u8> {
        let (me, hub) = (self.member.number().filter(|_| !self.member.has_forgotten())?, self.gathering.hub()?);
        let standby = self.member.chain().roster()?.standby(hub)?;
        (standby.number == me).then_some(me)
    }

    /// Signs a proposal, or says again what was signed.
    fn consent(&mut self, proposal: Proposal, aux: &[u8; 32]) {
        let vote = match self.member.vote(proposal, aux) {
            Err(NoBallot::Pledged(pledge)) => self.member.vote(pledge, aux),
            other => other,
        };
        // Nothing is said about a proposal that does not fit: the candidate asks again when it has the whole log.
        if let Ok(vote) = vote {
            self.session.private().pledge(Some(vote.proposal));
            self.gathering.say(&Ballot::Vote(vote));
        }
    }

    /// Somebody is at this height of the log, and may have signed something that can no longer happen.
    fn answer(&mut self, height: u64) {
        let Some(changed) = self.member.changed() else { return };
        if self.member.number() == Some(changed.proposal.successor) && height <= changed.proposal.head.height {
            let change = Box::new(changed.clone());
            self.gathering.say(&Ballot::Changed(change));
        }
    }

    /// An entry was heard.
    pub(super) fn heard_while_gathering(&mut self, heard: &Heard) {
        if let Some(change) = &heard.change {
            self.gathering.changed(&change.hub);
            self.session.private().settled(change.number);
        }
    }
}
