//! Figures for those who watch over a node.

use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;

/// What a node counts. Everything since its start.
#[derive(Debug, Default)]
pub struct Counts {
    round: AtomicU64,
    later_rounds: AtomicU64,
    blocks: AtomicU64,
    block_millis: AtomicU64,
    /// How many other nodes the engine is connected with.
    pub peers: Arc<AtomicU64>,
    /// How many connections are open at the `rpc` address.
    pub connections: AtomicU64,
    /// How many lines of players and other nodes are open.
    pub lines: AtomicU64,
    refused_connections: AtomicU64,
    refused_requests: AtomicU64,
    refused_transactions: AtomicU64,
    closed_lines: AtomicU64,
    disk_errors: AtomicU64,
}

impl Counts {
    /// A round has begun.
    pub(crate) fn round(&self, round: u32) {
        self.round.store(round.into(), Ordering::Relaxed);
    }

    /// A block was decided, in this round and so long after the one before.
    pub(crate) fn decided(&self, round: u32, took: Duration) {
        add(&self.blocks);
        if round > 0 {
            add(&self.later_rounds);
        }
        self.block_millis.store(u64::try_from(took.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// A connection was closed at once because there are too many.
    pub(crate) fn refused_connection(&self) {
        add(&self.refused_connections);
    }

    /// A request was not answered because there are too many.
    pub(crate) fn refused_request(&self) {
        add(&self.refused_requests);
    }

    /// A transaction was not let in.
    pub(crate) fn refused_transaction(&self) {
        add(&self.refused_transactions);
    }

    /// A line was closed because its other end was silent, too slow or talked nonsense.
    pub(crate) fn closed_line(&self) {
        add(&self.closed_lines);
    }

    /// Something could not be read or written.
    pub(crate) fn disk_error(&self) {
        add(&self.disk_errors);
    }

    /// All of it: name, meaning, whether it only ever grows, and value.
    pub(crate) fn all(&self) -> [(&'static str, &'static str, bool, u64); 12] {
        let of = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        [
            ("fairdeal_round", "The round of the height that is being decided.", false, of(&self.round)),
            ("fairdeal_later_rounds_total", "Blocks that took more than one round.", true, of(&self.later_rounds)),
            ("fairdeal_blocks_total", "Blocks since the node was started.", true, of(&self.blocks)),
            ("fairdeal_block_took_ms", "Milliseconds between the last two blocks.", false, of(&self.block_millis)),
            ("fairdeal_peers", "Other nodes that the engine is connected with.", false, of(&self.peers)),
            ("fairdeal_connections", "Open connections at the rpc address.", false, of(&self.connections)),
            ("fairdeal_lines", "Open lines of players and other nodes.", false, of(&self.lines)),
            (
                "fairdeal_refused_connections_total",
                "Connections that were closed at once because there were too many.",
                true,
                of(&self.refused_connections),
            ),
            (
                "fairdeal_refused_requests_total",
                "Requests that were not answered because there were too many.",
                true,
                of(&self.refused_requests),
            ),
            (
                "fairdeal_refused_transactions_total",
                "Transactions that were not let in.",
                true,
                of(&self.refused_transactions),
            ),
            (
                "fairdeal_closed_lines_total",
                "Lines that were closed because of silence, slowness or nonsense.",
                true,
                of(&self.closed_lines),
            ),
            (
                "fairdeal_disk_errors_total",
                "How often something could not be read or written.",
                true,
                of(&self.disk_errors),
            ),
        ]
    }
}

fn add(figure: &AtomicU64) {
    figure.fetch_add(1, Ordering::Relaxed);
}
