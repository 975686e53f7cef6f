//! How blocks come to be trusted: later ones by certificates, earlier ones because later ones name them.

use core::time::Duration;

use chain::light::{BadCertificate, Decided, Doubt, Light};
use chain::{Hash, Header, unhex};
use serde_json::{Value, json};

use crate::{Error, Lie, Net, Remote, in_turn};

/// Steps to one later block: each halves the way if the validators have changed too much.
const MOST_STEPS: u32 = 500;
/// How many headers are asked for at once on the way back.
const AT_ONCE: u64 = 64;
/// How far back an earlier block may be.
const MOST_BACK: u64 = 200_000;
/// How often a header is asked for that is not there yet, if there is no news.
const AGAIN: Duration = Duration::from_millis(100);

impl<N: Net> Remote<N> {
    /// The root of the state after this block, which must have a block after it. Proven, however long ago it was; that
    /// takes a while for blocks long ago.
    pub async fn root_after(&mut self, height: u64) -> Result<Hash, Error> {
        in_turn!(self, self.root_once(height))
    }

    async fn root_once(&mut self, height: u64) -> Result<Hash, Error> {
        if height.saturating_add(1) >= self.anchor.light.height() {
            self.root_of(height).await
        } else {
            self.earlier_root(height).await
        }
    }

    /// Trusts the block of this height because somebody who is trusted has told its hash: for those who have been away for
    /// too long, or come to an old chain for the first time.
    pub async fn trust(&mut self, height: u64, hash: &Hash) -> Result<(), Error> {
        in_turn!(self, self.trust_once(height, hash))
    }

    async fn trust_once(&mut self, height: u64, hash: &Hash) -> Result<(), Error> {
        let parent = self.header(height.saturating_sub(1)).await?;
        let block = self.header(height).await?;
        let light = Light::trusted(self.anchor.light.chain(), &parent.header, &block, hash);
        let light = light.map_err(|why| self.lie(Lie::Block(why)))?;
        if light.height() > self.anchor.light.height() {
            self.anchor.light = light;
        }
        Ok(())
    }

    /// The root of the state after this block, which is not before the anchor's.
    pub(crate) async fn root_of(&mut self, height: u64) -> Result<Hash, Error> {
        let known = self.anchor.light.height();
        // The anchor's own root is that of the state before it; before the first block, that of the genesis.
        if known == height.saturating_add(1) || (known == 0 && height == 0) {
            return Ok(*self.anchor.light.root());
        }
        if known > height.saturating_add(1) {
            return Err(self.old(height, known.saturating_sub(1)));
        }
        self.advance(height.saturating_add(1)).await?;
        Ok(*self.anchor.light.root())
    }

    /// Moves the anchor to this block, as soon as there is one.
    async fn advance(&mut self, to: u64) -> Result<(), Error> {
        let last = self.await_header(to).await?;
        let mut target = to;
        for _ in 0..MOST_STEPS {
            let block = if target == to { last.clone() } else { self.header(target).await? };
            let (now, trusted) = (self.net.clock(), self.anchor.trusted);
            let light = &self.anchor.light;
            let taken = if target == light.height().saturating_add(1) {
                self.anchor.light.follow(&block, now, trusted)
            } else {
                let parent = self.header(target.saturating_sub(1)).await?;
                self.anchor.light.skip(&parent.header, &block, now, trusted)
            };
            let reached = self.anchor.light.height();
            match taken {
                Ok(()) if target == to => return Ok(()),
                Ok(()) => target = to,
                // Too few of those who decided the anchor have signed: others decide by now, so go half as far.
                Err(Doubt::Certificate(BadCertificate::Power { .. })) if target > reached.saturating_add(1) => {
                    target = reached.midpoint(target).max(reached.saturating_add(1));
                }
                Err(Doubt::Expired) => return Err(Error::Expired),
                Err(why) => return Err(self.lie(Lie::Block(why))),
            }
        }
        Err(self.nonsense("blocks that lead from one to the next"))
    }

    /// The root of the state after a block before the anchor: back along the hashes of parents.
    async fn earlier_root(&mut self, height: u64) -> Result<Hash, Error> {
        let mut hash = *self.anchor.light.hash();
        let mut at = self.anchor.light.height();
        if at.saturating_sub(height) > MOST_BACK {
            return Err(Error::Refused { why: format!("it would take more than {MOST_BACK} blocks to prove that") });
        }
        let mut root = *self.anchor.light.root();
        while at > height {
            let from = at.saturating_sub(AT_ONCE).max(height);
            let heights: Vec<u64> = (from + 1..=at).rev().collect();
            let params = heights.iter().map(|height| json!({ "height": height })).collect();
            let answers = self.ask_all("header", params).await?;
            for (height, answer) in heights.into_iter().zip(answers) {
                let header = self.decided(&answer, height)?.ok_or_else(|| self.nonsense("an earlier block"))?.header;
                if header.hash() != hash {
                    return Err(self.lie(Lie::Past { height }));
                }
                Header { parent: hash, root, .. } = header;
            }
            at = from;
        }
        Ok(root)
    }

    /// A header, as soon as there is one: a block comes every second.
    async fn await_header(&mut self, height: u64) -> Result<Decided, Error> {
        let until = self.until();
        loop {
            let answer = self.ask("header", json!({ "height": height })).await?;
            if let Some(decided) = self.decided(&answer, height)? {
                return Ok(decided);
            }
            if self.net.now() >= until {
                let place = self.place().cloned().ok_or(Error::NoNode)?;
                return Err(Error::Silent { place });
            }
            self.news_once(AGAIN).await?;
        }
    }

    /// A header that must be there.
    async fn header(&mut self, height: u64) -> Result<Decided, Error> {
        let answer = self.ask("header", json!({ "height": height })).await?;
        self.decided(&answer, height)?.ok_or_else(|| self.nonsense("a block below the last one"))
    }

    fn decided(&self, answer: &Value, height: u64) -> Result<Option<Decided>, Error> {
        if answer.is_null() {
            return Ok(None);
        }
        let bytes = answer.get("decided").and_then(Value::as_str).and_then(unhex);
        let decided: Option<Decided> = bytes.and_then(|bytes| borsh::from_slice(&bytes).ok());
        let decided = decided.filter(|decided| decided.header.height == height);
        decided.map(Some).ok_or_else(|| self.nonsense("the header that was asked for"))
    }

    /// The error for a node that knows only the past.
    pub(crate) fn old(&self, height: u64, known: u64) -> Error {
        self.place().cloned().map_or(Error::NoNode, |place| Error::Old { place, height, known })
    }
}
