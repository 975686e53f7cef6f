//! What the engine asks of a node: blocks to propose, whether others' can be decided, and those that were.

use core::future::Future;
use core::pin::Pin;
use core::time::Duration;

use chain::light::Certificate;
use chain::staking::{self, Evidence};
use chain::{Address, Block, Hash};
use consensus::{App, Part, Turn};

use crate::core::{Core, Seen, Shared, now};

/// Blocks follow each other at least this much apart.
const SHORTEST: Duration = Duration::from_millis(200);
/// While nothing happens, blocks come this much apart: clocks of tables must go on. What a block has changed is proven by
/// the header of the next, so after a block that changed something there is no such pause.
const LONGEST: Duration = Duration::from_millis(1_000);
/// A block that is older than this was made while this node was away: there is no reason to rest before the next.
const OLD: u64 = 5_000;

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
        // Whoever calls a block good also says that its round has begun, and that others have missed their turn.
        if part.height > next || part.round > core.proposals.round(part.height) {
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
        self.counts.round(round);
        let validators = staking::validators(core.state.store());
        // What came before its height is judged now.
        let kept = core.proposals.kept(height, round).into_iter();
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
            let (round, took) = (certificate.round, core.last.elapsed());
            let executed = core.execute(block, certificate, |state| self.publish(state));
            let executed = executed.inspect_err(|_| self.counts.disk_error())?;
            let tip = core.state.tip();
            self.counts.decided(round, took);
            tracing::debug!(
                height = tip.height,
                round,
                transactions = executed.receipts.len(),
                events = executed.events.list.len(),
                "a block was decided"
            );
            Seen { height: tip.height, cursor: tip.cursor }
        };
        self.moved(seen);
        Ok(())
    }

    fn signed_twice(&mut self, evidence: Evidence) {
        tracing::warn!(who = %evidence.consensus, height = evidence.height(), "a validator has signed twice");
        self.lock().accuse(evidence);
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
                if shared.waiting() != (0, 0) {
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
            match self.disk().block(height) {
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
        self.disk().earliest().ok().flatten().unwrap_or_else(|| self.lock().state.tip().height + 1)
    }
}
