//! What is due at one table: moves of computers, times that are up, the next deal.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Hub, HubError, Live};
use crate::clock::now;
use crate::room::Refusal;

/// How long nothing is tried at a table that could not be read or written.
const PAUSE: Duration = Duration::from_millis(500);

/// Does what is due at a table for as long as it is in memory.
pub(super) async fn drive(hub: Hub, live: Arc<Live>) {
    while !live.is_forgotten() {
        // From here on whoever changes what is due leaves word, so nothing is slept through.
        live.sleeps.store(i64::MAX, Ordering::Relaxed);
        let due = match hub.due(&live).await {
            Ok(due) => due,
            Err(HubError::NoTable | HubError::Refused(_)) => {
                // There is nothing to drive; it goes when nobody asks for it any more.
                live.rest().await;
                continue;
            }
            Err(HubError::Unavailable(_) | HubError::TooMany) => {
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
            .act(&live, |room| {
                let due = room.due().filter(|due| due.at <= now()).ok_or(Refusal::NotAsked)?;
                room.tick(&due).ok_or(Refusal::NotAsked)
            })
            .await;
        match done {
            Ok(()) | Err(HubError::Refused(Refusal::NotAsked)) => {}
            Err(why) => {
                tracing::warn!(table = %live.id(), %why, "what is due could not be done");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
