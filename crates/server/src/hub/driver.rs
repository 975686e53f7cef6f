//! What is due at one table: moves of computers, times that are up, the next deal.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::{Hub, HubError, Live};
use crate::clock::now;
use crate::room::Refusal;

/// How long nothing is tried at a table that could not be read or written.
const PAUSE: Duration = Duration::from_millis(500);
/// How long after something broke down.
const PAUSE_AFTER_BREAKDOWN: Duration = Duration::from_secs(2);

/// How often in a row something may be due and then not be, before it takes a pause.
const MOST_IN_VAIN: usize = 3;

/// Does what is due at a table for as long as it is in memory, also after something in it has broken down.
pub(super) async fn drive(hub: Hub, live: Arc<Live>) {
    restart(|| go_on(&hub, &live), || live.is_forgotten(), PAUSE_AFTER_BREAKDOWN).await;
}

/// Does something that never ends of itself, anew whenever it breaks down, until it is `done`.
async fn restart<F: Future<Output = ()>>(doing: impl Fn() -> F, done: impl Fn() -> bool, pause: Duration) {
    while !done() {
        // Nothing is left half done: a table in memory is taken out while it changes.
        if AssertUnwindSafe(doing()).catch_unwind().await.is_err() {
            tracing::error!("what is due at a table broke down");
            tokio::time::sleep(pause).await;
        }
    }
}

async fn go_on(hub: &Hub, live: &Live) {
    let mut in_vain = 0;
    while !live.is_forgotten() {
        // From here on whoever changes what is due leaves word, so nothing is slept through.
        live.sleeps.store(i64::MAX, Ordering::Relaxed);
        let due = match hub.due(live).await {
            Ok(due) => due,
            Err(why @ (HubError::NoTable | HubError::Refused(_))) => {
                // There is nothing to drive; it goes when nobody asks for it any more, and must not be taken up again
                // and again before others that are overdue.
                if let HubError::Refused(why) = why {
                    tracing::warn!(table = %live.id(), %why, "a table cannot go on");
                    hub.nothing_is_due(live.id());
                }
                live.rest().await;
                continue;
            }
            Err(HubError::Unavailable(_) | HubError::Unsure | HubError::TooMany) => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let Some(at) = due else {
            live.rest().await;
            continue;
        };
        let wait = at.since(now());
        if wait > 0 {
            live.sleeps.store(at.0, Ordering::Relaxed);
            let wait = Duration::from_millis(u64::try_from(wait).unwrap_or(0));
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = live.wake.notified() => {}
            }
            continue;
        }
        live.sleeps.store(i64::MIN, Ordering::Relaxed);
        let done = hub
            .act(live, |room| {
                let due = room.due().filter(|due| due.at <= now()).ok_or(Refusal::NotAsked)?;
                room.tick(&due).ok_or(Refusal::NotAsked)
            })
            .await;
        match done {
            Ok(()) => in_vain = 0,
            Err(HubError::Refused(Refusal::NotAsked)) if in_vain < MOST_IN_VAIN => in_vain += 1,
            Err(HubError::Unavailable(_)) => tokio::time::sleep(PAUSE).await,
            Err(why) => {
                tracing::warn!(table = %live.id(), %why, "what is due could not be done");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test]
    async fn what_breaks_down_is_begun_again() {
        let begun = AtomicUsize::new(0);
        let doing = || async {
            assert!(begun.fetch_add(1, Ordering::Relaxed) > 1, "twice it breaks down");
        };
        restart(doing, || begun.load(Ordering::Relaxed) > 2, Duration::ZERO).await;
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }
}
