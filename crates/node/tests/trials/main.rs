//! What nodes have to survive: bad networks, partitions, kills, and one of them that does not deal.
//!
//! Nodes are processes of their own. Players check everything they are told. At the end the disks of all nodes are compared:
//! see `common::checks`. `FAIRDEAL_SOAK=1` runs everything at full length.

#![expect(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "what goes wrong here fails a test")]
#![expect(clippy::print_stdout, reason = "progress, with --nocapture")]

#[path = "../common/mod.rs"]
mod common;
mod kills;
mod partition;
mod withholding;

use std::sync::{Mutex, MutexGuard, PoisonError};

use chain::tables::Terms;

/// Whether everything runs at full length.
fn soak() -> bool {
    std::env::var_os("FAIRDEAL_SOAK").is_some()
}

/// One chain at a time: each of them wants all processors.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A table where nobody waits long for those who are asleep.
fn quick() -> Terms {
    Terms { action_timeout_secs: 5, dealer_timeout_secs: 20, ..Terms::small("table") }
}
