//! One table in memory.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use table::Height;
use tokio::sync::{Notify, RwLock, RwLockReadGuard, watch};

use super::present::{Presence, Present};
use super::{Hub, HubError, aside, body, entry, finish, lock, time_after, to_the_end};
use crate::clock::now;
use crate::ids::{Millis, PlayerId, TableId};
use crate::room::{Due, Entry, Event, Keep, Refusal, Room};
use crate::sight::Watched;
use crate::store::AppendError;

/// Events of one entry that follow each other without a pause.
const MOST_EVENTS: usize = 500;
/// How often an append is retried if others were faster.
const MOST_TRIES: usize = 50;

/// How long a player who closes the table still counts as there: they may only be reloading the page.
const LINGERS: Duration = Duration::from_secs(3);

/// A table in memory, perhaps not loaded yet.
pub struct Live {
    id: TableId,
    state: RwLock<Option<Loaded>>,
    /// The height of the log, for those who watch.
    changed: watch::Sender<i64>,
    pub(super) present: Arc<Present>,
    /// Whether the log in words is kept.
    words: AtomicBool,
    viewers: AtomicUsize,
    used: Mutex<Instant>,
    /// Until when the driver sleeps, and what wakes it earlier.
    pub(super) sleeps: AtomicI64,
    pub(super) wake: Notify,
    /// The due time that was noted last; the end of time means never.
    noted: AtomicI64,
    /// Whether nothing is due at all.
    resting: AtomicBool,
    forgotten: AtomicBool,
    /// Whether it has been loaded. Until then nobody knows whether the table exists.
    pub(super) read: AtomicBool,
    /// Since when this server looks after it: players whose time ran out before that get some extra time.
    since: Millis,
    /// Whether another server has changed it and nobody has begun to read the change.
    pub(super) behind: AtomicBool,
    /// The height of the last entry that may or may not have been stored.
    unsure: AtomicI64,
}

/// The loaded state.
pub(super) struct Loaded {
    pub(super) room: Watched,
    /// The height of the next entry.
    pub(super) height: i64,
    /// Whether this server wrote the last entry. Then it is the first to do what is due.
    pub(super) ours: bool,
}

/// A table that is being viewed, and does not change meanwhile.
pub struct Reading<'a> {
    loaded: RwLockReadGuard<'a, Loaded>,
    /// Since when the table has been playable without interruption.
    since: Millis,
}

impl Deref for Reading<'_> {
    type Target = Watched;
    fn deref(&self) -> &Watched {
        &self.loaded.room
    }
}

impl Reading<'_> {
    /// The height of the log.
    pub fn height(&self) -> i64 {
        self.loaded.height
    }

    /// When something is due here, including the extra time that people get after the server has been down.
    pub fn granted(&self, due: &Due) -> Millis {
        due.granted(self.since)
    }
}

/// A subscriber to changes.
pub struct Watching {
    live: Arc<Live>,
    changes: watch::Receiver<i64>,
    _presence: Presence,
}

impl Watching {
    /// Waits until something has changed since the last time.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// The table.
    pub fn live(&self) -> &Arc<Live> {
        &self.live
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.live.viewers.fetch_sub(1, Ordering::Relaxed);
        self.live.touch();
    }
}

impl Live {
    pub(super) fn new(id: TableId, since: Millis) -> Self {
        Self {
            id,
            state: RwLock::new(None),
            changed: watch::Sender::new(-1),
            present: Present::new(LINGERS),
            words: AtomicBool::new(false),
            viewers: AtomicUsize::new(0),
            used: Mutex::new(Instant::now()),
            sleeps: AtomicI64::new(i64::MAX),
            wake: Notify::new(),
            noted: AtomicI64::new(i64::MIN),
            resting: AtomicBool::new(false),
            forgotten: AtomicBool::new(false),
            read: AtomicBool::new(false),
            since,
            behind: AtomicBool::new(false),
            unsure: AtomicI64::new(i64::MIN),
        }
    }

    /// The id of the table.
    pub const fn id(&self) -> TableId {
        self.id
    }

    /// A viewer subscribes.
    pub fn watch(self: &Arc<Self>, player: PlayerId) -> Watching {
        self.viewers.fetch_add(1, Ordering::Relaxed);
        let presence = self.present.come(player, self.changed.clone());
        Watching { live: self.clone(), changes: self.changed.subscribe(), _presence: presence }
    }

    /// Whether this player is watching on this server.
    pub fn is_watched_by(&self, player: PlayerId) -> bool {
        self.present.contains(player)
    }

    /// A player made a request here, and counts as being here for a while.
    pub fn see(&self, player: PlayerId) {
        self.present.see(player);
    }

    /// Views the table, unless it has not been loaded or is just being changed.
    pub(super) fn peek<T>(&self, look: impl FnOnce(&Room) -> T) -> Option<T> {
        self.state.try_read().ok()?.as_ref().map(|loaded| look(&loaded.room))
    }

    /// Whether anybody is watching on this server.
    pub(super) fn is_watched(&self) -> bool {
        self.viewers.load(Ordering::Relaxed) > 0
    }

    /// Somebody is about to use it.
    pub(super) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    /// Whether there may be an entry written by this server that has not been read.
    pub(super) fn is_unsure(&self) -> bool {
        self.unsure.load(Ordering::Relaxed) >= *self.changed.borrow()
    }

    /// Whether nobody has used it for this long and nothing is due.
    pub(super) fn is_idle(&self, time: Duration) -> bool {
        !self.is_watched() && self.resting.load(Ordering::Relaxed) && lock(&self.used).elapsed() >= time
    }

    /// Nothing is due: waits for a signal that something is.
    pub(super) async fn rest(&self) {
        self.resting.store(true, Ordering::Relaxed);
        self.wake.notified().await;
        self.resting.store(false, Ordering::Relaxed);
    }

    /// It is no longer in the list: its driver ends.
    pub(super) fn forget(&self) {
        self.forgotten.store(true, Ordering::Relaxed);
        self.wake.notify_one();
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.forgotten.load(Ordering::Relaxed)
    }
}

impl Hub {
    /// Loads a table for viewing.
    pub async fn read<'a>(&self, live: &'a Live) -> Result<Reading<'a>, HubError> {
        live.touch();
        loop {
            {
                let state = live.state.read().await;
                if let Ok(loaded) = RwLockReadGuard::try_map(state, Option::as_ref) {
                    return Ok(Reading { loaded, since: self.since(live) });
                }
            }
            let mut state = live.state.write().await;
            self.load(live, &mut state).await?;
        }
    }

    /// Loads a table for a person: with its log in words.
    pub async fn read_in_words<'a>(&self, live: &'a Live) -> Result<Reading<'a>, HubError> {
        if !live.words.load(Ordering::Relaxed) {
            // Set under the lock, together with what follows from it: the caller may stop waiting for the lock.
            let mut state = live.state.write().await;
            if !live.words.swap(true, Ordering::Relaxed) {
                *state = None;
            }
        }
        self.read(live).await
    }

    /// A player, or the clock, makes something happen at a table. `event` says what, and is called again if others
    /// were faster. The caller must not be dropped before the end, or an entry may be stored that nobody on this
    /// server is told about.
    pub(super) async fn act(
        &self,
        live: &Live,
        event: impl Fn(&Room) -> Result<Event, Refusal>,
    ) -> Result<(), HubError> {
        live.touch();
        let mut state = live.state.write().await;
        for _ in 0..MOST_TRIES {
            self.load(live, &mut state).await?;
            let Some(known) = state.as_ref() else { return Err(HubError::NoTable) };
            let first = match event(&known.room) {
                Ok(first) => first,
                Err(why) if self.was_behind(live, &mut state, &why).await? => continue,
                Err(why) => return Err(why.into()),
            };
            // Until the entry is stored there is no table in memory, so that it is reloaded no matter what happens.
            let Some(mut loaded) = state.take() else { return Err(HubError::NoTable) };
            let at = time_after(loaded.room.at());
            let before = finish::Lobby::of(&loaded.room);
            if let Err(why) = loaded.room.apply(at, &first) {
                *state = Some(loaded);
                if self.was_behind(live, &mut state, &why).await? {
                    continue;
                }
                return Err(why.into());
            }
            let mut events = vec![first];
            // An event that costs a person something is never done in passing: they may have extra time. Nor is
            // anything that takes long, while everybody at the table has to wait.
            let in_passing = |due: &Due| due.at <= at && !due.costs && !due.takes_thought();
            while let Some(due) = loaded.room.due().filter(|due| in_passing(due) && events.len() < MOST_EVENTS) {
                let Some(event) = loaded.room.tick(&due) else { break };
                if loaded.room.apply(at, &event).is_err() {
                    break;
                }
                events.push(event);
            }
            let count = events.len();
            let body = body(&Entry { at, events })?;
            let height = loaded.height;
            let change = self.change(live.id, &loaded.room, &before, &body).await?;
            let shown = change.is_some();
            match self.0.store.append(live.id, height, at.0, body, change).await {
                Ok(()) => {
                    loaded.height = height + 1;
                    loaded.ours = true;
                    self.0.metrics.actions.inc_by(u64::try_from(count).unwrap_or(0));
                    finish::report(live.id, before.stage, &loaded.room);
                    self.note_due(live, &loaded);
                    *state = Some(loaded);
                    live.changed.send_replace(height + 1);
                    if shown {
                        self.0.lobby.send_replace(());
                    }
                    return Ok(());
                }
                Err(AppendError::Conflict) => {
                    self.0.metrics.conflicts.inc();
                }
                Err(AppendError::NoTable) => return Err(HubError::NoTable),
                Err(why) => {
                    self.0.metrics.failures.inc();
                    // Operators are told once that storing fails, not once per table.
                    tracing::debug!(table = live.id.tag(), %why, "an entry could not be stored");
                    if !matches!(why, AppendError::Refused(_)) {
                        self.0.trouble.store(now().0, Ordering::Relaxed);
                    }
                    // The driver reloads it for the viewers.
                    live.wake.notify_one();
                    if matches!(why, AppendError::Unknown) {
                        live.unsure.store(height, Ordering::Relaxed);
                        return Err(HubError::Unsure);
                    }
                    return Err(HubError::Unavailable(why.to_string()));
                }
            }
        }
        Err(HubError::Unavailable("too many servers write to this table at once".to_owned()))
    }

    /// Reads entries added by other servers.
    pub(super) async fn catch_up(&self, live: &Live) -> Result<(), HubError> {
        let mut state = live.state.write().await;
        self.read_on(live, &mut state).await.map(drop)
    }

    /// Whether a refusal could be due to not knowing what other servers did. If they did anything, it is known now.
    async fn was_behind(&self, live: &Live, state: &mut Option<Loaded>, why: &Refusal) -> Result<bool, HubError> {
        if !self.0.store.is_shared() || !why.may_pass() {
            return Ok(false);
        }
        self.read_on(live, state).await
    }

    /// Reads new entries of the log, and returns whether there were any.
    async fn read_on(&self, live: &Live, state: &mut Option<Loaded>) -> Result<bool, HubError> {
        let Some(loaded) = state.as_mut() else {
            self.load(live, state).await?;
            return Ok(true);
        };
        let new = self.0.store.entries(live.id, loaded.height).await?;
        if new.is_empty() {
            return Ok(false);
        }
        for stored in new {
            let applied = entry(&stored)
                .and_then(|entry| entry.events.iter().try_for_each(|event| loaded.room.apply(entry.at, event)));
            if applied.is_err() || stored.height != loaded.height {
                *state = None;
                self.load(live, state).await?;
                return Ok(true);
            }
            loaded.height += 1;
            loaded.ours = false;
        }
        self.note_due(live, loaded);
        live.changed.send_replace(loaded.height);
        Ok(true)
    }

    /// Loads the log, if it has not been loaded.
    pub(super) async fn load(&self, live: &Live, state: &mut Option<Loaded>) -> Result<(), HubError> {
        if state.is_some() {
            return Ok(());
        }
        let Some(secret) = self.0.store.secret(live.id).await? else {
            self.drop_unknown(live);
            return Err(HubError::NoTable);
        };
        self.count(live);
        let stored = self.0.store.entries(live.id, 0).await?;
        let height = i64::try_from(stored.len()).unwrap_or(i64::MAX);
        let keep = Keep { seen: live.words.load(Ordering::Relaxed), ..Keep::default() };
        let replay = move || {
            let entries = stored.iter().map(entry).collect::<Result<Vec<Entry>, Refusal>>()?;
            Watched::replay(*secret.expose(), entries, keep)
        };
        let room = aside(usize::try_from(height).unwrap_or(usize::MAX), replay).await?;
        let loaded = state.insert(Loaded { room, height, ours: false });
        self.note_due(live, loaded);
        live.changed.send_replace(height);
        Ok(())
    }

    /// What is due has changed.
    fn note_due(&self, live: &Live, loaded: &Loaded) {
        let due = loaded.due(self.since(live));
        let noted = due.map_or(i64::MAX, |at| at.0);
        if live.noted.swap(noted, Ordering::Relaxed) != noted {
            lock(&self.0.due).insert(live.id, due.map(|at| at.0));
        }
        // The driver wakes up at the time it knows, and then sees what is really due.
        if due.is_some_and(|at| at.0 < live.sleeps.load(Ordering::Relaxed)) {
            live.wake.notify_one();
        }
    }

    /// Since when the table has been playable without interruption: since a server looks after it and can write.
    fn since(&self, live: &Live) -> Millis {
        live.since.max(Millis(self.0.trouble.load(Ordering::Relaxed)))
    }

    /// What is due at a table now, as an event; or when something will be.
    pub(super) async fn due(&self, live: &Live) -> Result<Option<Millis>, HubError> {
        Ok(self.read(live).await?.loaded.due(self.since(live)))
    }
}

impl Loaded {
    /// How long another server that wrote the last entry is given to do what is due.
    const OTHERS: i64 = 1_500;

    /// When this server should do what is due, if the table has been playable since then.
    fn due(&self, since: Millis) -> Option<Millis> {
        let due = self.room.due()?;
        let mut at = due.granted(since);
        if !self.ours {
            at = at.max(self.room.at().plus(Self::OTHERS));
        }
        Some(at)
    }
}

impl Hub {
    /// A player is about to get a hint: the log says so first, once per height. It is finished even if nobody waits
    /// for it.
    pub async fn note_hint(&self, live: &Arc<Live>, player: PlayerId, height: Height) -> Result<(), HubError> {
        let (hub, live) = (self.clone(), live.clone());
        let noted = to_the_end(async move {
            let event =
                |room: &Room| Ok(Event::Hinted { seat: room.seat_of(player).ok_or(Refusal::NotSeated)?, height });
            hub.act(&live, event).await
        });
        match noted.await {
            Err(HubError::Refused(Refusal::HintedAlready)) => Ok(()),
            noted => noted,
        }
    }

    /// A player makes something happen in their own seat. Only for tasks that are never dropped before their end, like
    /// those of sockets.
    pub async fn event(&self, live: &Live, player: PlayerId, event: Event) -> Result<(), HubError> {
        self.act(live, |room| {
            let seat = match &event {
                Event::Acted { seat, .. } | Event::Chose { seat, .. } => *seat,
                _ => return Err(Refusal::NotAsked),
            };
            if room.seat_of(player) == Some(seat) { Ok(event.clone()) } else { Err(Refusal::NotSeated) }
        })
        .await
    }
}
