//! NOSTR relays, seen from here: a connection that believes nothing, and what is said through it.
//!
//! - `client`: questions to a relay, and events for it.
//! - `pulling`: results from a relay; `position`: how far they are known.
//! - `sharing`: results and leaderboards for a relay.
//! - `meeting`: tables that are offered, and invitations.
//! - `guest`, `hosting`: the two ends of a line through a relay; `carry`: a socket's messages on a line.

mod carry;
pub(crate) mod client;
pub(crate) mod guest;
pub(crate) mod hosting;
pub(crate) mod meeting;
pub(crate) mod position;
pub(crate) mod pulling;
pub(crate) mod sharing;

use std::future::Future;
use std::time::{SystemTime, UNIX_EPOCH};

use results::Secret;

pub(crate) use client::Client;

use crate::failure::Failure;

/// Runs something that talks to a relay, until it is done.
pub(crate) fn wait_for<T>(talk: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?;
    let done = runtime.block_on(talk);
    // Looking up a name may still hang; nobody waits for that.
    runtime.shutdown_background();
    done
}

/// The clock, in seconds since 1970.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Random bytes of the system.
fn random<const N: usize>() -> Option<[u8; N]> {
    crate::keyring::random().ok()
}

/// A key that is used once.
fn fresh_key() -> Option<Secret> {
    // All but a few of 2^128 are a key.
    Secret::from_bytes(&random()?).ok()
}
