//! Who has a table open just now, on this server, and when others were here last.
//!
//! Whoever goes is missed a little later only, so that nobody seems to come and go who loads a page again. A request
//! counts as being here, too: programs need no socket before the match.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::watch;

use super::lock;
use crate::ids::PlayerId;

/// Who is there.
pub(super) struct Present {
    /// And how often: people have several tabs.
    times: Mutex<HashMap<PlayerId, usize>>,
    /// When somebody was here last who is not here now; nobody who was away for long.
    last: Mutex<HashMap<PlayerId, Instant>>,
    /// Since when it is noted who is here.
    since: Instant,
    /// How long somebody who goes still counts as there.
    lingers: Duration,
}

/// Nobody asks when somebody was here who is away for longer.
const LONG: Duration = Duration::from_secs(600);

impl Present {
    pub(super) fn new(lingers: Duration) -> Arc<Self> {
        Arc::new(Self { times: Mutex::default(), last: Mutex::default(), since: Instant::now(), lingers })
    }

    pub(super) fn contains(&self, player: PlayerId) -> bool {
        lock(&self.times).contains_key(&player)
    }

    /// Somebody asked for something here.
    pub(super) fn see(&self, player: PlayerId) {
        let mut last = lock(&self.last);
        last.retain(|_, at| at.elapsed() < LONG);
        last.insert(player, Instant::now());
    }

    /// How long ago somebody was here; `None` if that was never, or very long ago.
    pub(super) fn seen(&self, player: PlayerId) -> Option<Duration> {
        if self.contains(player) {
            return Some(Duration::ZERO);
        }
        lock(&self.last).get(&player).map(Instant::elapsed)
    }

    /// For how long somebody has been away, as far as this server can know.
    pub(super) fn away(&self, player: PlayerId) -> Duration {
        self.seen(player).unwrap_or_else(|| self.since.elapsed())
    }

    /// Somebody comes; those who look on are told if he was not there before.
    pub(super) fn come(self: &Arc<Self>, player: PlayerId, tell: watch::Sender<i64>) -> Presence {
        let mut all = lock(&self.times);
        let times = all.entry(player).or_default();
        *times += 1;
        let new = *times == 1;
        drop(all);
        if new {
            tell.send_modify(|_| {});
        }
        Presence { present: self.clone(), player, tell }
    }

    /// Is somebody gone who has left once?
    fn go(&self, player: PlayerId) -> bool {
        let mut all = lock(&self.times);
        let Some(times) = all.get_mut(&player) else { return false };
        *times -= 1;
        let gone = *times == 0;
        if gone {
            all.remove(&player);
            drop(all);
            self.see(player);
        }
        gone
    }
}

/// Somebody is there as long as this is.
pub(super) struct Presence {
    present: Arc<Present>,
    player: PlayerId,
    tell: watch::Sender<i64>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let (present, player, tell) = (self.present.clone(), self.player, self.tell.clone());
        // Without a runtime the server is at its end, and nobody is told anything any more.
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            tokio::time::sleep(present.lingers).await;
            if present.go(player) {
                tell.send_modify(|_| {});
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn somebody_is_there_until_he_has_closed_all_tabs() {
        let (present, tell) = (Present::new(Duration::ZERO), watch::Sender::new(0));
        let mut told = tell.subscribe();
        let me = PlayerId([1; 16]);
        let one = present.come(me, tell.clone());
        let two = present.come(me, tell.clone());
        told.changed().await.unwrap();
        assert!(present.contains(me));
        drop(one);
        assert!(!present.go(PlayerId([2; 16])), "nobody goes who was not there");
        drop(two);
        told.changed().await.unwrap();
        assert!(!present.contains(me), "those who look on are told when both are closed");
    }

    #[tokio::test]
    async fn whoever_loads_a_page_again_is_not_missed() {
        let (present, tell) = (Present::new(Duration::from_secs(600)), watch::Sender::new(0));
        let me = PlayerId([1; 16]);
        drop(present.come(me, tell.clone()));
        let told = tell.subscribe();
        assert!(present.contains(me));
        let _again = present.come(me, tell.clone());
        assert!(!told.has_changed().unwrap());
    }
}
