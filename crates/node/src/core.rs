//! The heart of a node: the state, and what waits for a block.
//!
//! What the engine asks goes through one `Core` behind a lock. Nobody else takes that lock: whoever asks gets the state
//! after the last block, which never changes, and what waits for a block has a lock of its own that is held only for a
//! moment. So questions do not hold up blocks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chain::export::Collector;
use chain::light::{Certificate, Decided};
use chain::staking::{self, Evidence};
use chain::{Address, Block, Body, Executed, Genesis, Hash, Receipt, Signed, State, tables};
use consensus::Part;
use ed25519_dalek::SigningKey;
use tokio::sync::{Notify, broadcast, watch};

use crate::counts::Counts;
use crate::disk::{Disk, DiskError, Kept};
use crate::pool::{Authentic, NotLetIn, Pool};
use crate::proposals::Proposals;
use crate::snapshot::Offers;

/// A proposed block may be this much ahead of the own clock, in milliseconds.
const MOST_AHEAD: u64 = 5_000;
/// The most validators who are remembered for having signed twice.
const MOST_EVIDENCE: usize = 64;

/// What happened last, for those who wait for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The height of the last block.
    pub height: u64,
    /// The cursor of the next event.
    pub cursor: u64,
}

/// What only the engine works on.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) state: State,
    pub(crate) disk: Arc<Disk>,
    pub(crate) pool: Arc<Mutex<Pool>>,
    pub(crate) proposals: Proposals,
    pub(crate) key: Option<SigningKey>,
    /// Also on the disk, until their validators are convicted.
    evidence: Vec<Evidence>,
    collector: Collector,
    /// When the last block was executed, and whether it had transactions.
    pub(crate) last: Instant,
    pub(crate) busy: bool,
}

/// The state after the last block, and after the one before: the root of that is in the last block's header.
#[derive(Clone, Debug)]
struct Latest {
    state: State,
    before: Option<State>,
}

/// A node, as its parts share it.
#[derive(Clone, Debug)]
pub struct Shared {
    core: Arc<Mutex<Core>>,
    latest: Arc<RwLock<Latest>>,
    pool: Arc<Mutex<Pool>>,
    disk: Arc<Disk>,
    /// How the chain began.
    pub genesis: Arc<Genesis>,
    /// Snapshots for new nodes.
    pub(crate) offers: Arc<Offers>,
    me: Option<Address>,
    /// Figures for those who watch over the node.
    pub counts: Arc<Counts>,
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
        let (proposals, evidence) = (Proposals::load(&disk)?, disk.evidence()?);
        let collector = remember(&disk, &state)?;
        let (tip, disk) = (state.tip().clone(), Arc::new(disk));
        let (moved, seen) = watch::channel(Seen { height: tip.height, cursor: tip.cursor });
        let latest = Latest { state: state.clone(), before: None };
        let pool: Arc<Mutex<Pool>> = Arc::default();
        let me = key.as_ref().map(|key| Address(key.verifying_key().to_bytes()));
        let core = Core {
            state,
            disk: Arc::clone(&disk),
            pool: Arc::clone(&pool),
            proposals,
            key,
            evidence,
            collector,
            last: Instant::now(),
            busy: false,
        };
        Ok(Self {
            core: Arc::new(Mutex::new(core)),
            latest: Arc::new(RwLock::new(latest)),
            pool,
            disk,
            genesis: Arc::new(genesis.clone()),
            offers: Arc::default(),
            me,
            counts: Arc::default(),
            waiting: Arc::default(),
            duty: Arc::default(),
            seen,
            moved: Arc::new(moved),
            news: broadcast::channel(4_096).0,
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Core> {
        // If a part of the node has failed in the middle of a block, nobody may see what is left of it.
        self.core.lock().expect("no part of the node has failed")
    }

    /// What is on the disk.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// This node's consensus key, if it has one.
    pub const fn me(&self) -> Option<Address> {
        self.me
    }

    /// The state after the last block. It costs nothing, and nothing waits for whoever has it.
    pub fn state(&self) -> State {
        self.latest.read().unwrap_or_else(PoisonError::into_inner).state.clone()
    }

    /// The state before the last block, whose root the last block's header names; `None` if no block was executed since
    /// the node was started.
    pub fn state_before(&self) -> Option<State> {
        self.latest.read().unwrap_or_else(PoisonError::into_inner).before.clone()
    }

    /// Looks at the state after the last block.
    pub fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state())
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        locked(&self.pool)
    }

    /// How many duties and other transactions wait for a block.
    pub fn waiting(&self) -> (usize, usize) {
        self.pool().len()
    }

    /// All transactions that wait for a block, in an order in which another node can let them in.
    pub fn everything_waiting(&self) -> Vec<Signed> {
        self.pool().everything()
    }

    /// The state and the duties that wait, for somebody who needs them for longer.
    pub fn moment(&self) -> (State, Vec<Signed>) {
        let duties = self.pool().duties();
        (self.state(), duties)
    }

    /// A block was executed: this is the state now.
    pub(crate) fn publish(&self, state: &State) {
        let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        let before = core::mem::replace(&mut latest.state, state.clone());
        latest.before = Some(before);
    }

    /// Tells everybody who waits that a block was executed.
    pub(crate) fn moved(&self, seen: Seen) {
        self.moved.send_replace(seen);
        self.duty.notify_one();
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
        let (id, is_duty, mut state) = (signed.id(), signed.tx.is_duty(), self.state());
        // What is cheap to refuse is refused first; what is dear is done while nobody waits for it.
        self.pool().fits(state.store(), &signed, own)?;
        let awaited = is_duty && is_awaited(&mut state, &signed);
        if is_duty && !awaited {
            return Err(NotLetIn::NotAwaited);
        }
        let signed = Authentic::check(signed)?;
        let shared = Arc::new(signed.get().clone());
        {
            let mut pool = self.pool();
            // There may be a new block: what has become useless with it must not be let in after it.
            let state = self.state();
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

/// What nobody has left half done, even if they have failed.
fn locked(pool: &Mutex<Pool>) -> MutexGuard<'_, Pool> {
    pool.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the blocks on the disk said about hands that are being played and epochs that deal.
fn remember(disk: &Disk, state: &State) -> Result<Collector, DiskError> {
    let mut collector = Collector::default();
    let first = disk.needed()?.unwrap_or(1).max(disk.earliest()?.unwrap_or(1));
    let mut cursor = disk.cursor_at(first)?;
    for height in first..=state.tip().height {
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
    pub(crate) fn build(&mut self, key: &SigningKey, round: u32) -> Part {
        let me = Address(key.verifying_key().to_bytes());
        let mut transactions: Vec<Signed> = Vec::new();
        let reports = self.reports(key, me);
        let mut room = chain::bank::Room::new(&chain::Params::of(self.state.store()).bank);
        let waiting = locked(&self.pool).fill(self.state.store());
        for signed in reports.into_iter().chain(waiting) {
            if room.take(&signed).is_ok() {
                transactions.push(signed);
            }
        }
        let time = now().max(self.state.tip().time + 1);
        // After a long pause, several blocks catch up.
        let time = time.min(self.state.tip().time + chain::execute::MOST_AHEAD);
        let header = self.state.next_header(me, round, time, &transactions);
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
    pub(crate) fn judge(&mut self, part: &Part) -> Option<bool> {
        if !self.is_good(&part.block) {
            return Some(false);
        }
        let Self { proposals, disk, .. } = self;
        let held = proposals.hold(disk, part);
        let held = held.inspect_err(|why| tracing::error!(%why, "a proposal cannot be stored"));
        held.is_ok_and(|held| held).then_some(true)
    }

    /// Whether a proposed block can be decided, by the own clock too.
    pub(crate) fn is_good(&self, block: &Block) -> bool {
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

    /// Executes a decided block. `publish` is called with the new state as soon as it is on the disk.
    pub(crate) fn execute(
        &mut self,
        block: Block,
        certificate: Certificate,
        publish: impl FnOnce(&State),
    ) -> Result<Executed, String> {
        let validators = staking::validators(self.state.store());
        let authentic = locked(&self.pool).authentic(&block.transactions);
        let executed = self.state.execute_knowing(&block, authentic);
        let executed = executed.map_err(|why| format!("a decided block cannot be executed: {why}"))?;
        let ended = self.collector.observe(&block, &executed, &self.state);
        let hands: Vec<_> = ended
            .iter()
            .map(|export| ((export.table, export.hand), borsh::to_vec(export).expect("plain data can be written")))
            .collect();
        let receipts: Vec<Receipt> = executed.receipts.clone();
        let kept = Kept { block, certificate, validators, receipts };
        let height = kept.block.header.height;
        let needed = self.collector.since().unwrap_or(height + 1);
        self.disk.decided(&kept, &executed, &hands, needed).map_err(|why| why.to_string())?;
        publish(&self.state);
        self.proposals.decided(height);
        locked(&self.pool).executed(self.state.store(), height, &kept.block.transactions, &kept.receipts);
        (self.last, self.busy) = (Instant::now(), !kept.block.transactions.is_empty());
        self.forget_evidence();
        Ok(executed)
    }

    /// Somebody signed twice: remembered until it is in a block, also if the node is stopped before.
    pub(crate) fn accuse(&mut self, evidence: Evidence) {
        let known = self.evidence.iter().any(|one| one.consensus == evidence.consensus);
        if known || self.evidence.len() >= MOST_EVIDENCE || !evidence.convicts(&self.state.tip().chain) {
            return;
        }
        if let Err(why) = self.disk.accuse(&evidence) {
            tracing::error!(%why, "evidence cannot be stored, and will be forgotten if the node stops");
        }
        self.evidence.push(evidence);
    }

    /// Evidence that has counted, or that is too old to count, is of no use any more.
    fn forget_evidence(&mut self) {
        let Self { state, evidence, disk, .. } = self;
        let store = state.store();
        let oldest = state.tip().height.saturating_sub(chain::Params::of(store).staking.evidence_blocks);
        evidence.retain(|one| {
            let validator = store.get(&staking::ValidatorOf(one.consensus));
            let counts = validator.is_some_and(|validator| !validator.signed_twice) && one.height() >= oldest;
            if !counts && let Err(why) = disk.acquit(&one.consensus) {
                tracing::error!(%why, "evidence cannot be removed");
            }
            counts
        });
    }
}

#[cfg(test)]
mod tests;
