//! What is due at one table: computer moves, times that are up, the next deal.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt as _;

use super::thinkers::Owner;
use super::{Hub, HubError, Live};
use crate::clock::now;
use crate::room::{Refusal, Room};

/// How long to leave a table alone that could not be read or written.
const PAUSE: Duration = Duration::from_millis(500);
/// How long to wait after a panic.
const PAUSE_AFTER_BREAKDOWN: Duration = Duration::from_secs(2);

/// How often in a row something due may turn out not to be, before a pause.
const MOST_IN_VAIN: usize = 3;

/// Does what is due at a table while it is in memory, even after a panic.
pub(super) async fn drive(hub: Hub, live: Arc<Live>) {
    restart(|| go_on(&hub, &live), || live.is_forgotten(), PAUSE_AFTER_BREAKDOWN).await;
}

/// Runs a task that never ends on its own, and restarts it after a panic, until it is `done`.
async fn restart<F: Future<Output = ()>>(doing: impl Fn() -> F, done: impl Fn() -> bool, pause: Duration) {
    while !done() {
        // Nothing is left half done: a table in memory is taken out while it changes.
        if AssertUnwindSafe(doing()).catch_unwind().await.is_err() {
            tracing::error!("the driver of a table panicked");
            tokio::time::sleep(pause).await;
        }
    }
}

async fn go_on(hub: &Hub, live: &Live) {
    let mut in_vain = 0;
    while !live.is_forgotten() {
        // From now on every change of what is due is signalled, so nothing is missed during sleep.
        live.sleeps.store(i64::MAX, Ordering::Relaxed);
        let due = match hub.due(live).await {
            Ok(due) => due,
            Err(why @ (HubError::NoTable | HubError::Refused(_))) => {
                // There is nothing to drive. The table is dropped once nobody asks for it any more, and must not be
                // taken up again and again ahead of other overdue ones.
                if let HubError::Refused(why) = why {
                    tracing::warn!(table = live.id().tag(), %why, "a table cannot continue");
                    hub.nothing_is_due(live.id());
                }
                live.rest().await;
                continue;
            }
            Err(HubError::Unavailable(_) | HubError::Unsure | HubError::TooMany | HubError::Taken) => {
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
        match go_on_once(hub, live).await {
            Ok(()) => in_vain = 0,
            Err(HubError::Refused(Refusal::NotAsked)) if in_vain < MOST_IN_VAIN => in_vain += 1,
            Err(HubError::Unavailable(_)) => tokio::time::sleep(PAUSE).await,
            Err(why) => {
                tracing::warn!(table = live.id().tag(), %why, "a due event failed");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Does what is due now. A computer's move is computed first, while the table is free for others; if the table has
/// changed meanwhile, the move is dropped.
async fn go_on_once(hub: &Hub, live: &Live) -> Result<(), HubError> {
    let overdue = |room: &Room| room.due().filter(|due| due.at <= now());
    let pondering = {
        let room = hub.read(live).await?;
        let due = overdue(&room).ok_or(Refusal::NotAsked)?;
        room.pondering(&due).map(|think| (due, Owner::of(live.id(), &room), think))
    };
    let Some((due, owner, think)) = pondering else {
        let tick = |room: &Room| {
            let due = overdue(room).filter(|due| !due.takes_thought()).ok_or(Refusal::NotAsked)?;
            room.tick(&due).ok_or(Refusal::NotAsked)
        };
        return hub.act(live, tick).await;
    };
    let Ok(thought) = hub.0.thinkers.think(owner, think).await else {
        tokio::time::sleep(PAUSE_AFTER_BREAKDOWN).await;
        return Ok(());
    };
    let event = thought.ok_or(Refusal::NotAsked)?;
    // The table itself refuses an answer to an old height.
    let still_due = |room: &Room| room.due().is_some_and(|now| now.is_like(&due));
    hub.act(live, |room| if still_due(room) { Ok(event.clone()) } else { Err(Refusal::NotAsked) }).await
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_is_restarted() {
        let begun = AtomicUsize::new(0);
        let doing = || async {
            assert!(begun.fetch_add(1, Ordering::Relaxed) > 1, "it panics twice");
        };
        restart(doing, || begun.load(Ordering::Relaxed) > 2, Duration::ZERO).await;
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }
}
