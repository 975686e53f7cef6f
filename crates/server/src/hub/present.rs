//! Who has a table open on this server right now, and when others were last here.
//!
//! A player who goes is missed only a little later, so that reloading a page does not look like leaving. A request
//! counts as being here, too: programs need no socket before the match.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::watch;

use super::lock;
use crate::ids::PlayerId;

/// The players who are there.
pub(super) struct Present {
    /// The number of their connections: people have several tabs.
    times: Mutex<HashMap<PlayerId, usize>>,
    /// When players who are not here now were last here; without those who have been away for long.
    last: Mutex<HashMap<PlayerId, Instant>>,
    /// Since when presence has been tracked.
    since: Instant,
    /// How long a player who goes still counts as there.
    lingers: Duration,
}

/// Nobody asks about players who have been away for longer.
const LONG: Duration = Duration::from_secs(600);

impl Present {
    pub(super) fn new(lingers: Duration) -> Arc<Self> {
        Arc::new(Self { times: Mutex::default(), last: Mutex::default(), since: Instant::now(), lingers })
    }

    pub(super) fn contains(&self, player: PlayerId) -> bool {
        lock(&self.times).contains_key(&player)
    }

    /// A player made a request here.
    pub(super) fn see(&self, player: PlayerId) {
        let mut last = lock(&self.last);
        last.retain(|_, at| at.elapsed() < LONG);
        last.insert(player, Instant::now());
    }

    /// How long ago a player was here; `None` if never, or very long ago.
    pub(super) fn seen(&self, player: PlayerId) -> Option<Duration> {
        if self.contains(player) {
            return Some(Duration::ZERO);
        }
        lock(&self.last).get(&player).map(Instant::elapsed)
    }

    /// How long a player has been away, as far as this server knows.
    pub(super) fn away(&self, player: PlayerId) -> Duration {
        self.seen(player).unwrap_or_else(|| self.since.elapsed())
    }

    /// A player comes; viewers are told if they were not there before.
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

    /// A player closes one connection; returns whether it was their last.
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

/// The player is there while this exists.
pub(super) struct Presence {
    present: Arc<Present>,
    player: PlayerId,
    tell: watch::Sender<i64>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let (present, player, tell) = (self.present.clone(), self.player, self.tell.clone());
        // Without a runtime the server is stopping, and nobody is told anything any more.
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
    async fn a_player_is_there_until_they_have_closed_all_tabs() {
        let (present, tell) = (Present::new(Duration::ZERO), watch::Sender::new(0));
        let mut told = tell.subscribe();
        let me = PlayerId([1; 16]);
        let one = present.come(me, tell.clone());
        let two = present.come(me, tell.clone());
        told.changed().await.unwrap();
        assert!(present.contains(me));
        drop(one);
        assert!(!present.go(PlayerId([2; 16])), "a player who was not there cannot go");
        drop(two);
        told.changed().await.unwrap();
        assert!(!present.contains(me), "viewers are told when both are closed");
    }

    #[tokio::test]
    async fn a_player_who_reloads_a_page_is_not_missed() {
        let (present, tell) = (Present::new(Duration::from_secs(600)), watch::Sender::new(0));
        let me = PlayerId([1; 16]);
        drop(present.come(me, tell.clone()));
        let told = tell.subscribe();
        assert!(present.contains(me));
        let _again = present.come(me, tell.clone());
        assert!(!told.has_changed().unwrap());
    }
}
