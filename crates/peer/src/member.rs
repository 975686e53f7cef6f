//! One member's half of the log: what they still have to say, and what they have heard.
//!
//! Bodies wait here until they are in the log. They are written into envelopes in order, and written again when a hub
//! refuses one or the connection is lost; what is in the log already is never said twice, because the author's
//! sequence numbers go up by one.

use std::collections::VecDeque;

use results::{Public, Secret};

use crate::body::Body;
use crate::chain::{Chain, NotNext};
use crate::entry::{Entry, Envelope, Fresh, Head};
use crate::seal::TableKey;

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
}

/// An entry, opened.
#[derive(Clone, PartialEq, Debug)]
pub struct Heard {
    /// The number of its author.
    pub number: u8,
    /// What they said; `None` if it cannot be opened or read, which has no effect.
    pub body: Option<Body>,
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
        Self { table, key, chain, waiting: VecDeque::new(), sent: 0 }
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

    /// The connection is new, or the hub has refused an envelope: what is not in the log has to be sent again.
    pub const fn send_again(&mut self) {
        self.sent = 0;
    }

    /// Takes the next entry of the log. An error changes nothing.
    pub fn hear(&mut self, entry: &Entry) -> Result<Heard, NotNext> {
        let number = self.chain.accept(entry)?;
        let opened = entry.envelope.open(&self.table).ok();
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
        Ok(Heard { number, body, clock: entry.clock, seen: entry.envelope.seen, head: self.chain.head() })
    }
}
