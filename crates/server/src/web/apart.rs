//! Long-running work: kept away from the threads that answer requests, and limited to a little at a time.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::hub::HubError;

/// The most jobs that run at once.
const AT_ONCE: usize = 2;

/// A place for long-running work.
pub(crate) struct Apart {
    /// Running and waiting jobs.
    all: Arc<Semaphore>,
    /// Running jobs.
    done: Arc<Semaphore>,
}

impl Apart {
    /// A place where this many jobs may wait; more are rejected.
    pub(super) fn new(waiting: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE + waiting)), done: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Runs a job when it is its turn. The job is finished even if nobody waits for it any more, and keeps its place
    /// until then.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, HubError> {
        let waits = self.all.clone().try_acquire_owned().map_err(|_| HubError::TooMany)?;
        let turn = self.done.clone().acquire_owned().await.map_err(|_| HubError::TooMany)?;
        let working = tokio::task::spawn_blocking(move || {
            let _held = (waits, turn);
            work()
        });
        working.await.map_err(|why| HubError::Unavailable(why.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_few_jobs_run_a_few_wait_and_the_rest_are_rejected() {
        let apart = Arc::new(Apart::new(3));
        let (started, begun) = mpsc::channel();
        let mut doors = Vec::new();
        let mut working = Vec::new();
        for n in 0..5 {
            let (open, door) = mpsc::channel::<()>();
            doors.push(open);
            let (apart, started) = (apart.clone(), started.clone());
            working.push(tokio::spawn(async move {
                apart
                    .run(move || {
                        started.send(n).unwrap();
                        // Until the door is opened, or nobody is there to open it.
                        let _ = door.recv();
                        n
                    })
                    .await
            }));
        }
        while apart.all.available_permits() > 0 || apart.done.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(apart.run(|| 6).await, Err(HubError::TooMany)));
        let mut first = [begun.recv().unwrap(), begun.recv().unwrap()];
        first.sort_unstable();
        assert_eq!(first, [0, 1]);
        assert!(begun.try_recv().is_err(), "the others wait");
        // Nobody waits for these any more; they are finished anyway.
        working.drain(..2).for_each(|one| one.abort());
        drop(doors);
        for (one, n) in working.into_iter().zip(2..) {
            assert_eq!(one.await.unwrap().unwrap(), n);
        }
        assert_eq!(apart.run(|| 7).await.unwrap(), 7);
    }
}
