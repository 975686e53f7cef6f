//! The hub: puts envelopes in order, and keeps members within limits.
//!
//! A hub knows the table's id and the public half of its access key, which come with the table's first request, and
//! nothing else. It can read nothing and forge nothing. It refuses what has no place in the log, and what exceeds its
//! author's budget, before anything expensive is done with it.
//!
//! 1. [`Hub::order`] makes an entry of an envelope. It changes nothing.
//! 2. The caller stores the entry durably, at its height.
//! 3. [`Hub::keep`] takes it into the log; only then is it sent.
//!
//! A hub that may replace another has the log of that one, and puts nothing in order before people have signed that it
//! may: then it is [installed](Hub::install).
//!
//! If somebody else stored another entry at that height first (a second server on the same database), the hub adopts
//! that one and orders the envelope again.

use core::fmt;

use dealing::Malformed;
use results::{Public, Secret, Signature};

use crate::budget::{Budget, Exceeded};
use crate::chain::{Chain, NotNext, Unfit};
use crate::change::{BadChange, Change};
use crate::entry::{Author, Entry, Envelope, Head, MOST_ENVELOPE};
use crate::hash::hash;
use crate::seal::TableId;

/// Orders the entries of one table.
#[derive(Debug)]
pub struct Hub {
    key: Secret,
    chain: Chain,
    /// By member; newcomers share the one at the end.
    budgets: Vec<Budget>,
    newcomers: Budget,
}

/// Why a hub does not take an envelope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is not an envelope.
    Malformed(Malformed),
    /// It has no place in the log.
    Unfit(Unfit),
    /// Its author has sent too much.
    Budget(Exceeded),
    /// Another hub puts this log in order.
    NotInOffice,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "this is not an envelope: {why}"),
            Self::Unfit(why) => why.fmt(f),
            Self::Budget(why) => why.fmt(f),
            Self::NotInOffice => f.write_str("another hub puts this log in order"),
        }
    }
}

impl core::error::Error for Refused {}

impl Hub {
    /// A hub for a new table.
    pub fn new(table: TableId, access: Public, key: Secret) -> Self {
        let chain = Chain::new(table, access, key.public());
        Self { key, chain, budgets: Vec::new(), newcomers: Budget::newcomers() }
    }

    /// A hub that may replace the one with the key `first`, and does not know its log yet.
    pub fn standby(table: TableId, access: Public, first: Public, key: Secret) -> Self {
        let chain = Chain::new(table, access, first);
        Self { key, chain, budgets: Vec::new(), newcomers: Budget::newcomers() }
    }

    /// The key that this hub signs with.
    pub fn key(&self) -> Public {
        self.key.public()
    }

    /// Whether this hub puts the log in order.
    pub fn is_in_office(&self) -> bool {
        self.key() == *self.chain.hub()
    }

    /// The log so far.
    pub const fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The end of the log.
    pub fn head(&self) -> Head {
        self.chain.head()
    }

    /// Reads an envelope and charges its author. Cheap: a signature is checked only by [`Hub::order`].
    ///
    /// The sender is the member that the connection has identified as, if any. A member's budget is charged by
    /// connection, so nobody can use up the budget of another.
    pub fn receive(&mut self, sender: Option<u8>, bytes: &[u8], now: u64) -> Result<Envelope, Refused> {
        let budget = match sender {
            Some(number) => {
                self.budgets.get_mut(usize::from(number)).ok_or(Refused::Unfit(Unfit::NotAMember(number)))?
            }
            None => &mut self.newcomers,
        };
        budget.charge(bytes.len(), now).map_err(Refused::Budget)?;
        if bytes.len() > MOST_ENVELOPE {
            return Err(Refused::Malformed(Malformed::Length { least: 0, most: MOST_ENVELOPE }));
        }
        let envelope: Envelope = dealing::decode(bytes).map_err(Refused::Malformed)?;
        match (&envelope.author, sender) {
            (Author::Member(number), Some(sender)) if *number == sender => Ok(envelope),
            (Author::Member(number), _) => Err(Refused::Unfit(Unfit::NotAMember(*number))),
            (Author::Newcomer { .. }, _) => Ok(envelope),
        }
    }

    /// An entry of this envelope at the end of the log; `now` is the clock in milliseconds.
    pub fn order(&self, envelope: Envelope, now: u64, aux: &[u8; 32]) -> Result<Entry, Refused> {
        if !self.is_in_office() {
            return Err(Refused::NotInOffice);
        }
        self.chain.admit(&envelope).map_err(Refused::Unfit)?;
        let clock = now.max(self.chain.clock());
        Ok(Entry::order(self.chain.table(), self.head(), envelope, clock, &self.key, aux))
    }

    /// Takes an entry into the log that somebody else says this hub has signed, and returns the number of its author.
    pub fn adopt(&mut self, entry: &Entry) -> Result<u8, NotNext> {
        let number = self.chain.accept(entry)?;
        self.grow();
        Ok(number)
    }

    /// Takes an entry into the log that this hub has ordered and stored itself, just now or before a restart. Its
    /// signatures were checked then.
    pub fn keep(&mut self, entry: &Entry) -> Result<u8, NotNext> {
        let number = self.chain.keep(entry)?;
        self.grow();
        Ok(number)
    }

    /// An entry of a change of the hub at the end of the log. Whether enough people have signed it only they can tell, so
    /// it must come from the member who runs this hub: they sign the head after it with this hub's key. Changes nothing:
    /// the caller stores the entry, and then this hub [keeps](Hub::keep) it.
    pub fn install(&self, change: &Change, signature: &Signature) -> Result<Entry, NotInstalled> {
        if !self.key().verify(&installation(change.proposal.after(self.chain.table())), signature) {
            return Err(NotInstalled::Signature);
        }
        self.chain.fits(&change.proposal).map_err(NotInstalled::Unfit)?;
        Ok(Entry::Change(Box::new(change.clone())))
    }

    /// Every member has a budget.
    fn grow(&mut self) {
        self.budgets.resize(usize::from(self.chain.members()), Budget::member());
    }
}

/// Why a hub does not take a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotInstalled {
    /// It does not come from the member who runs this hub.
    Signature,
    /// It does not come next.
    Unfit(BadChange),
}

impl fmt::Display for NotInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature => f.write_str("only the member who runs this hub can install it"),
            Self::Unfit(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for NotInstalled {}

/// What a member signs with their hub's key to hand it a change that leads to this head.
pub fn installation(head: Head) -> [u8; 32] {
    hash("install", &[&head.height.to_le_bytes(), &head.hash])
}
