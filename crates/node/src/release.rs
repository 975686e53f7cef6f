//! A validator that was silent decides again by itself, once its time in jail is over.
//!
//! Silence is mostly an outage: the node that is back is the one who knows that it is over. After a fault, somebody has to
//! look first, so that is left to the operator.

use core::time::Duration;

use chain::client::Wallet;
use chain::staking::{self, Standing, ValidatorOf};
use chain::{Address, Body, Signed, State};
use zeroize::Zeroizing;

use crate::core::{Shared, now};

/// It is asked for at most this often: it may not get into a block at once.
const AGAIN: Duration = Duration::from_secs(30);
/// A node whose last block is older than this, in milliseconds, is not back yet.
const RECENT: u64 = 10_000;

/// Asks to be released whenever that is due, until the node stops.
pub(crate) async fn run(secret: Zeroizing<[u8; 32]>, shared: Shared) {
    let (wallet, mut seen) = (Wallet::new(&secret), shared.seen.clone());
    while seen.changed().await.is_ok() {
        let Some(signed) = shared.look(|state| request(state, &wallet, now())) else { continue };
        match shared.submit_own(signed) {
            Ok(_) => tracing::info!("the validator was silent, and asks to take part again"),
            Err(why) => tracing::warn!(%why, "the validator cannot ask to take part again: `fairdeal-node release`"),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// What the validator with this key asks for now, if it was silent, its time is over, and the state is up to date.
fn request(state: &State, wallet: &Wallet, now: u64) -> Option<Signed> {
    let (tip, consensus) = (state.tip(), wallet.address());
    let over = is_over(state, &consensus) && now.saturating_sub(tip.time) <= RECENT;
    over.then(|| wallet.pay(state.store(), tip.chain, Body::Staking(staking::Tx::Unjail { consensus })))
}

fn is_over(state: &State, consensus: &Address) -> bool {
    let validator = state.store().get(&ValidatorOf(*consensus));
    match validator.map(|validator| validator.standing) {
        Some(Standing::Silenced { until }) => state.tip().clock >= until,
        Some(Standing::Free | Standing::Jailed { .. } | Standing::Removed) | None => false,
    }
}
