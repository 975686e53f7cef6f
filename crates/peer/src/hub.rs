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
//! If somebody else stored another entry at that height first (a second server on the same database), the hub adopts
//! that one and orders the envelope again.

use core::fmt;

use dealing::Malformed;
use results::{Public, Secret};

use crate::budget::{Budget, Exceeded};
use crate::chain::{Chain, NotNext, Unfit};
use crate::entry::{Author, Entry, Envelope, Head, MOST_ENVELOPE};
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
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "this is not an envelope: {why}"),
            Self::Unfit(why) => why.fmt(f),
            Self::Budget(why) => why.fmt(f),
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

    /// Every member has a budget.
    fn grow(&mut self) {
        self.budgets.resize(usize::from(self.chain.members()), Budget::member());
    }
}
