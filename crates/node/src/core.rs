//! The heart of a node: the state, what waits for a block, and what the engine asks.
//!
//! Everything goes through one [`Core`], which the engine, the dealer and everybody who asks share.

use core::future::Future;
use core::pin::Pin;
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chain::export::Collector;
use chain::light::{Certificate, Decided};
use chain::staking::{self, Evidence};
use chain::{Address, Block, Body, Executed, Genesis, Hash, Receipt, Signed, State, tables};
use consensus::{App, Part, Turn};
use ed25519_dalek::SigningKey;
use tokio::sync::{Notify, broadcast, watch};

use crate::disk::{Disk, DiskError, Kept};
use crate::pool::{NotLetIn, Pool};
use crate::proposals::Proposals;

/// A proposed block may be this much ahead of the own clock, in milliseconds.
const MOST_AHEAD: u64 = 5_000;
/// Blocks follow each other at least this much apart.
const SHORTEST: Duration = Duration::from_millis(200);
/// While nothing happens, blocks come this much apart: clocks of tables must go on. What a block has changed is proven by
/// the header of the next, so after a block that changed something there is no such pause.
const LONGEST: Duration = Duration::from_millis(1_000);
/// A block that is older than this was made while this node was away: there is no reason to rest before the next.
const OLD: u64 = 5_000;

/// What happened last, for those who wait for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The height of the last block.
    pub height: u64,
    /// The cursor of the next event.
    pub cursor: u64,
}

/// Everything of a node that is shared.
#[derive(Debug)]
pub struct Core {
    state: State,
    disk: Arc<Disk>,
    pool: Pool,
    proposals: Proposals,
    key: Option<SigningKey>,
    evidence: Vec<Evidence>,
    collector: Collector,
    /// When the last block was executed, and whether it had transactions.
    last: Instant,
    busy: bool,
}

/// A node, as its parts share it.
#[derive(Clone, Debug)]
pub struct Shared {
    core: Arc<Mutex<Core>>,
    disk: Arc<Disk>,
    /// Something new waits for a block.
    pub waiting: Arc<Notify>,
    /// A duty has come.
    pub duty: Arc<Notify>,
    /// How far the chain is.
    pub seen: watch::Receiver<Seen>,
    moved: Arc<watch::Sender<Seen>>,
    /// Transactions that have been let in, for other nodes.
    pub news: broadcast::Sender<Arc<Signed>>,
}

impl Shared {
    /// Opens a node's disk, or begins with a genesis.
    pub fn open(disk: Disk, genesis: &Genesis, key: Option<SigningKey>) -> Result<Self, DiskError> {
        let state = match disk.state()? {
            Some(state) => state,
            None => {
                let state = State::new(genesis);
                disk.begin(&state)?;
                state
            }
        };
        if state.tip().chain != genesis.chain() {
            return Err(DiskError::OtherChain);
        }
        let proposals = Proposals::load(&disk)?;
        let collector = remember(&disk, &state)?;
        let (tip, disk) = (state.tip().clone(), Arc::new(disk));
        let (moved, seen) = watch::channel(Seen { height: tip.height, cursor: tip.cursor });
        let core = Core {
            state,
            disk: Arc::clone(&disk),
            pool: Pool::default(),
            proposals,
            key,
            evidence: Vec::new(),
            collector,
            last: Instant::now(),
            busy: false,
        };
        Ok(Self {
            core: Arc::new(Mutex::new(core)),
            disk,
            waiting: Arc::default(),
            duty: Arc::default(),
            seen,
            moved: Arc::new(moved),
            news: broadcast::channel(4_096).0,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Core> {
        // If a part of the node has failed in the middle of a block, nobody may see what is left of it.
        self.core.lock().expect("no part of the node has failed")
    }

    /// What is on the disk.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// Looks at the state.
    pub fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.lock().state)
    }

    /// How many duties and other transactions wait for a block.
    pub fn waiting(&self) -> (usize, usize) {
        self.lock().pool.len()
    }

    /// The state and the duties that wait, for somebody who needs them for longer.
    pub fn moment(&self) -> (State, Vec<Signed>) {
        let core = self.lock();
        (core.state.clone(), core.pool.duties())
    }

    /// A transaction from anybody. If it is let in, other nodes hear of it.
    pub fn submit(&self, signed: Signed) -> Result<Hash, NotLetIn> {
        self.let_in(signed, false)
    }

    /// A transaction of this node's own, which nobody else can take the room of.
    pub fn submit_own(&self, signed: Signed) -> Result<Hash, NotLetIn> {
        self.let_in(signed, true)
    }

    fn let_in(&self, signed: Signed, own: bool) -> Result<Hash, NotLetIn> {
        let (id, is_duty) = (signed.id(), signed.tx.is_duty());
        let shared = Arc::new(signed.clone());
        {
            let mut core = self.lock();
            let Core { state, pool, .. } = &mut *core;
            let awaited = is_duty && !pool.knows(&id) && is_awaited(state, &signed);
            pool.add(state.store(), signed, awaited, own)?;
        }
        let _ = self.news.send(shared);
        self.waiting.notify_waiters();
        if is_duty {
            self.duty.notify_one();
        }
        Ok(id)
    }

    /// A decided block's header, with what proves it.
    pub fn header(&self, height: u64) -> Result<Option<Decided>, DiskError> {
        let Some(kept) = self.disk.block(height)? else { return Ok(None) };
        Ok(Some(Decided { header: kept.block.header, certificate: kept.certificate, validators: kept.validators }))
    }
}

/// What the blocks on the disk said about hands that are being played.
fn remember(disk: &Disk, state: &State) -> Result<Collector, DiskError> {
    let mut collector = Collector::default();
    let mut cursor = 0;
    for height in disk.earliest()?.unwrap_or(1)..=state.tip().height {
        let Some(kept) = disk.block(height)? else { continue };
        let events = disk.events_of(height, &mut cursor)?;
        collector.learn(&kept.block, &kept.receipts, &events);
    }
    Ok(collector)
}

/// Whether the chain may wait for this. Cheap for whoever it does not wait for.
fn is_awaited(state: &mut State, signed: &Signed) -> bool {
    let from = signed.tx.from;
    match &signed.tx.body {
        // What a member says may build on something that is not decided yet. So only its place is looked at here.
        Body::Dealer(tx) => chain::dealer::may_say(state.store(), &from, tx),
        Body::Tables(tables::Tx::Act { table, .. }) => {
            let turn = tables::turn(state.store(), *table);
            turn.is_some_and(|turn| turn.player == from) && state.check_tx(signed, from).is_ok()
        }
        _ => state.check_tx(signed, from).is_ok(),
    }
}

/// The time, in milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Core {
    /// A block of this node's own.
    fn build(&mut self, key: &SigningKey, round: u32) -> Part {
        let me = Address(key.verifying_key().to_bytes());
        let mut transactions: Vec<Signed> = Vec::new();
        let reports = self.reports(key, me);
        let mut room = chain::bank::Room::new(&chain::Params::of(self.state.store()).bank);
        for signed in reports.into_iter().chain(self.pool.fill(self.state.store())) {
            if room.take(&signed).is_ok() {
                transactions.push(signed);
            }
        }
        let time = now().max(self.state.tip().time + 1);
        // After a long pause, several blocks catch up.
        let time = time.min(self.state.tip().time + chain::execute::MOST_AHEAD);
        let header = self.state.next_header(me, time, &transactions);
        Part::new(round, Block { header, transactions }, key)
    }

    /// Evidence of signing twice, as transactions of this node's.
    fn reports(&mut self, key: &SigningKey, me: Address) -> Vec<Signed> {
        let chain = self.state.tip().chain;
        let mut reports = Vec::new();
        for evidence in &self.evidence {
            let nonce = self.state.store().get(&chain::bank::AccountOf(me)).map_or(0, |account| account.nonce);
            let nonce = nonce + u64::try_from(reports.len()).unwrap_or(0);
            let body = Body::Staking(staking::Tx::DoubleSign { evidence: Box::new(evidence.clone()) });
            let wallet = chain::client::Wallet::new(&key.to_bytes());
            let signed = wallet.pay_at(self.state.store(), chain, nonce, body);
            if self.state.check_tx(&signed, me).is_ok() {
                reports.push(signed);
            }
        }
        reports
    }

    /// Whether a block of the next height can be decided. `None` if it could, but is not held.
    fn judge(&mut self, part: &Part) -> Option<bool> {
        if !self.is_good(&part.block) {
            return Some(false);
        }
        let Self { proposals, disk, .. } = self;
        let held = proposals.hold(disk, part);
        let held = held.inspect_err(|why| tracing::error!(%why, "a proposal cannot be stored"));
        held.is_ok_and(|held| held).then_some(true)
    }

    /// Whether a proposed block can be decided, by the own clock too.
    fn is_good(&self, block: &Block) -> bool {
        match self.state.check(block) {
            Ok(()) if block.header.time > now() + MOST_AHEAD => {
                tracing::warn!(height = block.header.height, "a proposal comes from the future: is a clock wrong?");
                false
            }
            Ok(()) => true,
            Err(why) => {
                tracing::warn!(height = block.header.height, %why, "a proposal cannot be decided");
                false
            }
        }
    }

    fn execute(&mut self, block: Block, certificate: Certificate) -> Result<Executed, String> {
        let validators = staking::validators(self.state.store());
        let authentic = self.pool.authentic(&block.transactions);
        let executed = self.state.execute_knowing(&block, authentic);
        let executed = executed.map_err(|why| format!("a decided block cannot be executed: {why}"))?;
        let ended = self.collector.observe(&block, &executed, &self.state);
        let hands: Vec<_> = ended
            .iter()
            .map(|export| ((export.table, export.hand), borsh::to_vec(export).expect("plain data can be written")))
            .collect();
        let receipts: Vec<Receipt> = executed.receipts.clone();
        let kept = Kept { block, certificate, validators, receipts };
        self.disk.decided(&kept, &executed, &hands).map_err(|why| why.to_string())?;
        let height = kept.block.header.height;
        self.proposals.decided(height);
        self.pool.executed(self.state.store(), height, &kept.block.transactions, &kept.receipts);
        (self.last, self.busy) = (Instant::now(), !kept.block.transactions.is_empty());
        let Self { state, evidence, .. } = self;
        let standing = |who| state.store().get(&staking::ValidatorOf(who)).map(|validator| validator.standing);
        evidence.retain(|one| standing(one.consensus) != Some(staking::Standing::Removed));
        Ok(executed)
    }
}

impl App for Shared {
    fn next(&self) -> Turn {
        let core = self.lock();
        Turn { height: core.state.tip().height + 1, validators: staking::validators(core.state.store()) }
    }

    fn propose(&mut self, height: u64, round: u32) -> Option<Part> {
        let mut core = self.lock();
        let key = core.key.clone()?;
        let me = Address(key.verifying_key().to_bytes());
        if height != core.state.tip().height + 1 {
            return None;
        }
        if let Some(own) = core.proposals.of_round(height, round).find(|part| part.by == me) {
            return Some(own.clone());
        }
        let part = core.build(&key, round);
        let Core { proposals, disk, .. } = &mut *core;
        match proposals.hold_any(disk, &part) {
            Ok(()) => Some(part),
            Err(why) => {
                tracing::error!(%why, "a proposal cannot be stored, so it is not made");
                None
            }
        }
    }

    fn offered(&mut self, part: Part) -> Option<bool> {
        let mut core = self.lock();
        let next = core.state.tip().height + 1;
        if part.height > next {
            core.proposals.keep(next, part);
            return None;
        }
        core.judge(&part)
    }

    fn synced(&mut self, block: Block) -> Option<bool> {
        let mut core = self.lock();
        if core.state.check(&block).is_err() {
            return Some(false);
        }
        let Core { proposals, disk, .. } = &mut *core;
        let held = proposals.hold_synced(disk, block);
        held.inspect_err(|why| tracing::error!(%why, "a block cannot be stored")).ok().map(|()| true)
    }

    fn undecided(&mut self, height: u64, round: u32) -> Vec<(Part, bool)> {
        let mut core = self.lock();
        if height != core.state.tip().height + 1 {
            return Vec::new();
        }
        core.proposals.began(height, round);
        let validators = staking::validators(core.state.store());
        // What came before its height is judged now.
        let kept = core.proposals.kept(height).into_iter();
        let kept = kept.filter(|part| staking::proposer(&validators, height, part.round) == Some(part.by));
        let mut known: Vec<(Part, bool)> =
            core.proposals.of_round(height, round).map(|part| (part.clone(), core.is_good(&part.block))).collect();
        for part in kept.collect::<Vec<_>>() {
            if let Some(good) = core.judge(&part) {
                known.push((part, good));
            }
        }
        known
    }

    fn remembered(&self, height: u64, block: &Hash) -> Option<Part> {
        self.lock().proposals.signed(height, block).cloned()
    }

    fn decided(&mut self, certificate: Certificate) -> Result<(), String> {
        let seen = {
            let mut core = self.lock();
            let found = core.proposals.get(certificate.height, &certificate.block);
            let block = found.map(|part| part.block.clone());
            let block = block.ok_or_else(|| format!("block {} was decided, but it is not here", certificate.height))?;
            let executed = core.execute(block, certificate)?;
            let tip = core.state.tip();
            tracing::debug!(
                height = tip.height,
                transactions = executed.receipts.len(),
                events = executed.events.list.len(),
                "a block was decided"
            );
            Seen { height: tip.height, cursor: tip.cursor }
        };
        self.moved.send_replace(seen);
        self.duty.notify_one();
        Ok(())
    }

    fn signed_twice(&mut self, evidence: Evidence) {
        tracing::warn!(who = %evidence.consensus, height = evidence.height(), "a validator has signed twice");
        let mut core = self.lock();
        let known = core.evidence.iter().any(|one| one.consensus == evidence.consensus);
        if !known && core.evidence.len() < 64 && evidence.convicts(&core.state.tip().chain) {
            core.evidence.push(evidence);
        }
    }

    fn rest(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let shared = self.clone();
        Box::pin(async move {
            let (age, late, busy) = {
                let core = shared.lock();
                (core.last.elapsed(), now().saturating_sub(core.state.tip().time) > OLD, core.busy)
            };
            if late {
                return;
            }
            tokio::time::sleep(SHORTEST.saturating_sub(age)).await;
            if busy {
                return;
            }
            let until = tokio::time::Instant::now() + LONGEST.saturating_sub(age.max(SHORTEST));
            loop {
                // First the ear, then the look: what comes in between is heard.
                let more = shared.waiting.notified();
                if !shared.lock().pool.is_empty() {
                    return;
                }
                if tokio::time::timeout_at(until, more).await.is_err() {
                    return;
                }
            }
        })
    }

    fn history(&self, from: u64, to: u64) -> Vec<(Vec<u8>, Certificate)> {
        let mut history = Vec::new();
        for height in from..=to.min(from.saturating_add(199)) {
            match self.disk.block(height) {
                Ok(Some(kept)) => {
                    let block = borsh::to_vec(&kept.block).expect("plain data can be written to memory");
                    history.push((block, kept.certificate));
                }
                Ok(None) => break,
                Err(why) => {
                    tracing::error!(%why, height, "a block cannot be read");
                    break;
                }
            }
        }
        history
    }

    fn earliest(&self) -> u64 {
        self.disk.earliest().ok().flatten().unwrap_or_else(|| self.lock().state.tip().height + 1)
    }
}
