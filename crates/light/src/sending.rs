//! Transactions on their way to the chain.

use core::fmt;
use core::time::Duration;

use chain::{Hash, Signed, hex, unhex};
use serde_json::{Value, json};

use crate::line::harmless;
use crate::{Error, Net, Remote, in_hex, in_turn};

/// How often is asked what became of a transaction, if there is no news.
const AGAIN: Duration = Duration::from_millis(250);
/// A receipt from further ahead than this is nonsense.
const MOST_AHEAD: u64 = 1_000;

/// What became of a transaction, as a node says. What counts is what the state shows afterwards: [`Remote::see`] shows
/// the state after this block, or a later one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was carried out.
    Done {
        /// In this block.
        height: u64,
    },
    /// It failed, and its fee was taken.
    Failed {
        /// In this block.
        height: u64,
        /// Why.
        why: String,
    },
    /// It did not count.
    Void {
        /// In this block.
        height: u64,
        /// Why.
        why: String,
    },
    /// No block has taken it for as long as was waited. It may still be taken.
    Waiting,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done { height } => write!(f, "done in block {height}"),
            Self::Failed { height, why } => write!(f, "failed in block {height}: {why}"),
            Self::Void { height, why } => write!(f, "did not count in block {height}: {why}"),
            Self::Waiting => f.write_str("no block has taken it yet"),
        }
    }
}

impl<N: Net> Remote<N> {
    /// Gives a transaction to a node; its id. The same one again does no harm.
    pub async fn submit(&mut self, signed: &Signed) -> Result<Hash, Error> {
        in_turn!(self, self.submit_once(signed))
    }

    async fn submit_once(&mut self, signed: &Signed) -> Result<Hash, Error> {
        self.ask("submit", json!({ "transaction": in_hex(signed) })).await.map(|_| signed.id())
    }

    /// What became of a transaction, as a node says, if a block has taken it.
    pub async fn receipt(&mut self, id: &Hash) -> Result<Option<Outcome>, Error> {
        in_turn!(self, self.receipt_once(id))
    }

    async fn receipt_once(&mut self, id: &Hash) -> Result<Option<Outcome>, Error> {
        let answer = self.ask("receipt", json!({ "id": hex(id) })).await?;
        if answer.is_null() {
            return Ok(None);
        }
        let near = |height: &u64| *height <= self.anchor.light.height().saturating_add(MOST_AHEAD);
        let height = answer
            .get("height")
            .and_then(Value::as_u64)
            .filter(near)
            .ok_or_else(|| self.nonsense("the height of a receipt"))?;
        let why = harmless(answer.get("why").and_then(Value::as_str).unwrap_or_default());
        let outcome = match answer.get("outcome").and_then(Value::as_str) {
            Some("done") => Outcome::Done { height },
            Some("failed") => Outcome::Failed { height, why },
            Some("void") => Outcome::Void { height, why },
            _ => return Err(self.nonsense("an outcome")),
        };
        self.floor = self.floor.max(height);
        Ok(Some(outcome))
    }

    /// Gives a transaction to a node, and waits for this long at most until a block has taken it.
    pub async fn carry_out(&mut self, signed: &Signed, most: Duration) -> Result<Outcome, Error> {
        let id = self.submit(signed).await?;
        self.await_receipt(&id, most).await
    }

    /// Waits for this long at most until a block has taken a transaction.
    pub async fn await_receipt(&mut self, id: &Hash, most: Duration) -> Result<Outcome, Error> {
        let until = self.net.now().saturating_add(most);
        loop {
            if let Some(outcome) = self.receipt(id).await? {
                return Ok(outcome);
            }
            if self.net.now() >= until {
                return Ok(Outcome::Waiting);
            }
            self.news(AGAIN).await?;
        }
    }

    /// Coins for this account, if the node gives some away: chains to try out do. Returns the id of the transaction that
    /// brings them.
    pub async fn faucet(&mut self, to: &chain::Address) -> Result<Hash, Error> {
        let answer = self.ask("faucet", json!({ "address": to.to_string() })).await?;
        let id = answer.get("id").and_then(Value::as_str).and_then(unhex).and_then(|id| Hash::try_from(id).ok());
        id.ok_or_else(|| self.nonsense("the id of a transaction"))
    }
}
