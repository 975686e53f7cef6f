//! The threads that compute computer moves: a few at a time, so that only the players at that table wait for them.
//!
//! Owners of tables take turns: thirty tables of one owner together get as much time as one table of another. Every
//! table waits for at most one move, so there are never more jobs than tables.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use super::lock;
use crate::ids::{PlayerId, TableId};
use crate::metrics::Metrics;
use crate::room::{Event, Pondering, Room};

/// The owner of the table where a computer thinks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Owner {
    /// A player.
    Player(PlayerId),
    /// Nobody: every such table is on its own.
    Table(TableId),
}

impl Owner {
    pub(super) fn of(id: TableId, room: &Room) -> Self {
        room.terms().owner.map_or(Self::Table(id), Self::Player)
    }
}

/// The thinking threads, as many as needed up to a limit.
#[derive(Clone)]
pub(super) struct Thinkers(Arc<Inner>);

struct Inner {
    most: usize,
    metrics: Arc<Metrics>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: Turns<Owner, Job>,
    /// The number of threads.
    busy: usize,
}

struct Job {
    think: Pondering,
    reply: oneshot::Sender<Option<Event>>,
}

/// A computer panicked while it was thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BrokeDown;

impl Thinkers {
    /// Half of the processors are left for serving people.
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with((processors / 2).max(1), metrics)
    }

    fn with(most: usize, metrics: Arc<Metrics>) -> Self {
        Self(Arc::new(Inner { most, metrics, state: Mutex::default() }))
    }

    /// Thinks when it is this owner's turn.
    pub(super) async fn think(&self, owner: Owner, think: Pondering) -> Result<Option<Event>, BrokeDown> {
        let (reply, answer) = oneshot::channel();
        let another = {
            let mut state = lock(&self.0.state);
            state.waiting.push(owner, Job { think, reply });
            self.count(&state);
            let another = state.busy < self.0.most;
            state.busy += usize::from(another);
            another
        };
        if another {
            let thinkers = self.clone();
            tokio::task::spawn_blocking(move || while thinkers.think_once() {});
        }
        answer.await.map_err(|_| BrokeDown)
    }

    /// Does the next job; returns whether there was one.
    fn think_once(&self) -> bool {
        let job = {
            let mut state = lock(&self.0.state);
            let job = state.waiting.pop();
            self.count(&state);
            state.busy -= usize::from(job.is_none());
            job
        };
        let Some(Job { think, reply }) = job else { return false };
        // Nobody may be waiting for it any more.
        if !reply.is_closed() {
            match catch_unwind(AssertUnwindSafe(think)) {
                Ok(event) => drop(reply.send(event)),
                Err(_) => tracing::error!("a computer panicked while thinking"),
            }
        }
        true
    }

    fn count(&self, state: &State) {
        self.0.metrics.thinking.set(i64::try_from(state.waiting.len()).unwrap_or(i64::MAX));
    }
}

/// Waiting jobs, taken from each owner in turn.
struct Turns<K, T> {
    /// The owners with waiting jobs, the next one first.
    round: VecDeque<K>,
    waiting: HashMap<K, VecDeque<T>>,
}

impl<K, T> Default for Turns<K, T> {
    fn default() -> Self {
        Self { round: VecDeque::new(), waiting: HashMap::new() }
    }
}

impl<K: Hash + Eq + Copy, T> Turns<K, T> {
    fn push(&mut self, owner: K, thing: T) {
        let waiting = self.waiting.entry(owner).or_default();
        if waiting.is_empty() {
            self.round.push_back(owner);
        }
        waiting.push_back(thing);
    }

    fn pop(&mut self) -> Option<T> {
        let owner = self.round.pop_front()?;
        let waiting = self.waiting.get_mut(&owner)?;
        let thing = waiting.pop_front();
        if waiting.is_empty() {
            self.waiting.remove(&owner);
        } else {
            self.round.push_back(owner);
        }
        thing
    }

    fn len(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn many_tables_of_one_owner_do_not_hold_up_another() {
        let mut turns = Turns::default();
        (0..30).for_each(|table| turns.push('a', ('a', table)));
        turns.push('b', ('b', 0));
        assert_eq!(turns.len(), 31);
        assert_eq!([turns.pop(), turns.pop(), turns.pop()], [Some(('a', 0)), Some(('b', 0)), Some(('a', 1))]);
        turns.push('b', ('b', 1));
        turns.push('c', ('c', 0));
        let next: Vec<_> = (0..4).filter_map(|_| turns.pop()).collect();
        assert_eq!(next, [('a', 2), ('b', 1), ('c', 0), ('a', 3)]);
        assert_eq!(std::iter::from_fn(|| turns.pop()).count(), 26);
        assert!(turns.round.is_empty() && turns.waiting.is_empty());
    }

    fn owner(n: u8) -> Owner {
        Owner::Player(PlayerId([n; 16]))
    }

    #[test]
    fn the_number_of_thinking_threads_is_limited() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(async {
            let thinkers = Thinkers::with(2, Arc::new(Metrics::default()));
            let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let think = |n: u8| {
                let (now, most) = (now.clone(), most.clone());
                thinkers.think(
                    owner(n),
                    Box::new(move || {
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        (0..100).for_each(|_| std::thread::yield_now());
                        now.fetch_sub(1, Ordering::SeqCst);
                        Some(Event::Started)
                    }),
                )
            };
            let all = futures_util::future::join_all((0..50).map(|n| think(n % 3))).await;
            assert!(all.iter().all(|done| matches!(done, Ok(Some(Event::Started)))));
            assert!(most.load(Ordering::SeqCst) <= 2);
        });
    }

    #[test]
    fn a_job_that_panics_or_is_no_longer_wanted_holds_nobody_up() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        runtime.block_on(async {
            let thinkers = Thinkers::with(1, Arc::new(Metrics::default()));
            let (open, door) = mpsc::channel::<()>();
            let first = tokio::spawn({
                let thinkers = thinkers.clone();
                async move { thinkers.think(owner(1), Box::new(move || door.recv().ok().map(|()| Event::Started))).await }
            });
            while lock(&thinkers.0.state).busy == 0 {
                tokio::task::yield_now().await;
            }
            let thought = Arc::new(AtomicUsize::new(0));
            let count = thought.clone();
            let given_up = thinkers.think(owner(1), Box::new(move || {
                count.fetch_add(1, Ordering::SeqCst);
                None
            }));
            assert!(futures_util::FutureExt::now_or_never(given_up).is_none());
            let broken = tokio::spawn({
                let thinkers = thinkers.clone();
                async move { thinkers.think(owner(2), Box::new(|| panic!("on purpose"))).await }
            });
            open.send(()).unwrap();
            assert!(matches!(first.await.unwrap(), Ok(Some(Event::Started))));
            assert!(matches!(broken.await.unwrap(), Err(BrokeDown)));
            assert!(matches!(thinkers.think(owner(3), Box::new(|| None)).await, Ok(None)));
            assert_eq!(thought.load(Ordering::SeqCst), 0, "nobody waited for it");
        });
    }
}
