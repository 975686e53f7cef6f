//! A chain, seen through nodes that nobody has to trust.
//!
//! A [`Remote`] asks one of several nodes and believes none of them. It knows one block that it trusts, the
//! [`Anchor`], and takes what a node says only if it follows from there:
//!
//! 1. a header counts if validators have signed it, as [`chain::light`] says;
//! 2. an entry of the state counts if its proof leads to the root in such a header. What a node leaves out counts as a
//!    lie, not as an absent entry;
//! 3. nothing counts that is older than the anchor, so nobody can be shown the past again.
//!
//! | what | proven? |
//! |---|---|
//! | [`Remote::see`], [`Remote::table`], [`Remote::lobby`] | yes: every entry, and every absent one |
//! | [`Remote::root_after`], and so an exported hand that is checked against it | yes |
//! | [`Remote::carry_out`]: what became of a transaction | no: look at the state afterwards |
//! | [`Remote::hands`], [`Remote::news`], words in [`Error::Refused`] | no: hints, no more |
//! | that there is nothing newer | no: a node can hold back blocks; [`Remote::behind`] tells how old the last one is |
//!
//! A node that lies, talks nonsense or falls silent is left for the next one; [`Remote::troubles`] says why. The first
//! contact is [`first_contact`]: it fetches the genesis, whose hash is the name of the chain. Whether that is the chain
//! one wants is the one thing that nobody can prove; callers keep the name and compare it ever after.
//!
//! There is no socket and no clock in it: whoever uses it brings a [`Net`]. The crate `remote` has one for programs, and
//! `wallet` one for browsers, whose page has the sockets. Everything that is checked is checked here, for both.
//!
//! # Layout
//!
//! - `place`: where a node is; `wire`: what is asked of the world; `line`: questions to one node, and its answers
//! - `anchor`: what is trusted; `headers`: how later blocks come to be trusted
//! - `seeing`: entries of the state; `lobby`: tables; `sending`: transactions; `hands`: hands that are over
//! - `follow`: a table as somebody sees it who sits there or watches, and what they do; `buying`: how many chips they can buy

mod anchor;
pub mod buying;
mod error;
pub mod follow;
mod hands;
mod headers;
mod line;
mod lobby;
mod place;
mod seeing;
mod sending;
mod wire;

use core::time::Duration;
use std::collections::BTreeMap;

use chain::{Genesis, Hash, hex, unhex};
use serde_json::{Value, json};

pub use anchor::Anchor;
pub use error::{Error, Lie};
pub use line::LONGEST;
pub use lobby::{Listed, Stage};
pub use place::{BadPlace, Place};
pub use seeing::Seen;
pub use sending::Outcome;
pub use wire::{Cut, Net, Wire};

use line::Line;

/// How long a node may take to answer.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A chain, seen through nodes that nobody has to trust.
pub struct Remote<N: Net> {
    net: N,
    places: Vec<Place>,
    /// Which of them is asked.
    at: usize,
    line: Option<Line<N::Wire>>,
    anchor: Anchor,
    /// Nothing that is older than the state after this block is taken: something is known to have happened in it.
    floor: u64,
    /// The deck of each table when it was last looked at.
    decks: BTreeMap<u64, u32>,
    patience: Duration,
    troubles: Vec<Error>,
}

/// Does something with one node after another, until one has done it or all have failed.
macro_rules! in_turn {
    ($remote:ident, $attempt:expr) => {{
        let mut left = $remote.places.len();
        loop {
            let before = $remote.line.is_some();
            match $attempt.await {
                Err(why) if why.is_the_nodes() => {
                    // A line may just have been cut: that costs no attempt.
                    let cut = before && matches!(why, $crate::Error::Lost { .. });
                    left = left.saturating_sub(usize::from(!cut));
                    $remote.leave(cut);
                    if left == 0 {
                        break Err(why);
                    }
                    $remote.troubles.push(why);
                }
                other => break other,
            }
        }
    }};
}
pub(crate) use in_turn;

impl<N: Net> core::fmt::Debug for Remote<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Remote").field("at", &self.place()).field("anchor", &self.anchor.light.height()).finish()
    }
}

impl<N: Net + Default> Remote<N> {
    /// A chain whose anchor is known, through these nodes, of which the first that works is asked. Nothing is connected
    /// yet.
    pub fn new(places: Vec<Place>, anchor: Anchor) -> Self {
        Self::over(N::default(), places, anchor)
    }
}

impl<N: Net> Remote<N> {
    /// The same, reached in this way.
    pub fn over(net: N, places: Vec<Place>, anchor: Anchor) -> Self {
        let (line, floor, decks, patience, troubles) = (None, 0, BTreeMap::new(), PATIENCE, Vec::new());
        Self { net, places, at: 0, line, anchor, floor, decks, patience, troubles }
    }

    /// With another patience for every answer.
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The way to nodes, and the clocks.
    pub const fn net(&mut self) -> &mut N {
        &mut self.net
    }

    /// What is trusted by now; to be kept for the next time.
    pub const fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// The chain.
    pub const fn chain(&self) -> Hash {
        *self.anchor.light.chain()
    }

    /// The node that is asked.
    pub fn place(&self) -> Option<&Place> {
        self.places.get(self.at)
    }

    /// What went wrong with nodes that were left for others since this was asked last.
    pub fn troubles(&mut self) -> Vec<Error> {
        core::mem::take(&mut self.troubles)
    }

    /// How long ago the last trusted block was made. If this is more than a few seconds, the chain stands still, the node
    /// holds blocks back, or this computer's clock is wrong.
    pub fn behind(&self) -> Duration {
        Duration::from_millis(self.net.clock().saturating_sub(self.anchor.light.time()))
    }

    /// Waits until a node says that there is a new block, for this long at most. Whether there is is not proven.
    pub async fn news(&mut self, most: Duration) -> Result<bool, Error> {
        in_turn!(self, self.news_once(most))
    }

    async fn news_once(&mut self, most: Duration) -> Result<bool, Error> {
        let until = self.net.now().saturating_add(most);
        self.connect().await?.news(until).await
    }

    /// A line to a node of this chain, opened if there is none.
    async fn connect(&mut self) -> Result<&mut Line<N::Wire>, Error> {
        if self.line.is_none() {
            let place = self.places.get(self.at).cloned().ok_or(Error::NoNode)?;
            let mut line = Line::open(&mut self.net, place, self.patience).await?;
            let until = self.until();
            let status = line.ask("status", json!({}), until).await?;
            let found = status
                .get("chain")
                .and_then(Value::as_str)
                .and_then(unhex)
                .and_then(|chain| Hash::try_from(chain).ok());
            let found = found.ok_or_else(|| line.nonsense("a status with the chain"))?;
            if found != *self.anchor.light.chain() {
                let (place, expected) = (line.place().clone(), *self.anchor.light.chain());
                return Err(Error::OtherChain { place, expected, found });
            }
            line.subscribe(until).await?;
            self.line = Some(line);
        }
        self.line.as_mut().ok_or(Error::NoNode)
    }

    /// One question to the node that is asked.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        self.connect().await?;
        let until = self.until();
        self.connect().await?.ask(method, params, until).await
    }

    /// Several questions at once, to the node that is asked.
    async fn ask_all(&mut self, method: &str, params: Vec<Value>) -> Result<Vec<Value>, Error> {
        self.connect().await?;
        let until = self.until();
        self.connect().await?.ask_all(method, params, until).await
    }

    /// Drops the line; the next question goes to the next node, or to the same one again.
    fn leave(&mut self, same: bool) {
        self.line = None;
        if !same {
            self.at = (self.at + 1) % self.places.len().max(1);
        }
    }

    /// The error for a node that tells something other than what was expected.
    fn nonsense(&self, expected: &'static str) -> Error {
        let place = self.place().cloned();
        place.map_or(Error::NoNode, |place| Error::Nonsense { place, expected })
    }

    /// The error for a node that does not prove what it says.
    fn lie(&self, lie: Lie) -> Error {
        self.place().cloned().map_or(Error::NoNode, |place| Error::Lie { place, lie })
    }

    fn until(&self) -> Duration {
        self.net.now().saturating_add(self.patience)
    }
}

/// The genesis, from the first of these nodes that answers, and what went wrong with those before it. Its hash names the
/// chain: whoever wants a certain one compares it.
pub async fn first_contact(
    net: &mut impl Net,
    places: &[Place],
    patience: Duration,
) -> Result<(Genesis, Vec<Error>), Error> {
    let mut troubles = Vec::new();
    for place in places {
        match genesis(net, place, patience).await {
            Ok(genesis) => return Ok((genesis, troubles)),
            Err(why) => troubles.push(why),
        }
    }
    Err(troubles.pop().unwrap_or(Error::NoNode))
}

async fn genesis(net: &mut impl Net, place: &Place, patience: Duration) -> Result<Genesis, Error> {
    let mut line = Line::open(net, place.clone(), patience).await?;
    let until = net.now().saturating_add(patience);
    let answer = line.ask("genesis", json!({}), until).await?;
    let bytes = answer
        .get("genesis")
        .and_then(Value::as_str)
        .and_then(unhex)
        .ok_or_else(|| line.nonsense("a genesis in hex"))?;
    let genesis: Genesis = borsh::from_slice(&bytes).map_err(|_| line.nonsense("a genesis"))?;
    match genesis.check() {
        // Only one way to write it: a genesis with something behind it would have another hash.
        Ok(()) => Ok(genesis),
        Err(_) => Err(line.nonsense("a genesis that a chain can begin with")),
    }
}

/// A value in hex, as nodes read it.
pub fn in_hex(value: &impl borsh::BorshSerialize) -> String {
    hex(&borsh::to_vec(value).unwrap_or_default())
}
