//! Work divided among threads, whose results are taken in order.
//!
//! Worker `t` of `n` does the parts `t`, `t + n`, `t + 2n`, … and the results are taken from the workers in
//! turn: so they come in order without being sorted, and no worker can run far ahead of the slowest one,
//! which keeps memory flat. What comes out does not depend on the number of threads.

use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::failure::Failure;
use crate::interrupt;

/// How many results of each worker may wait to be taken.
const AHEAD: usize = 2;

/// As many threads as the machine runs at once.
pub(crate) fn default_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `parts` parts of some work on this many threads and hands the results over in order, until all are
/// done, or one is refused, or enough, or somebody presses Ctrl-C.
pub(crate) fn in_order<W, T: Send>(
    parts: u64,
    threads: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, Failure>,
) -> Result<(), Failure> {
    let threads = usize::try_from(parts).unwrap_or(usize::MAX).min(threads).max(1);
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        for first in (0..parts).take(threads) {
            let (send, receive) = sync_channel(AHEAD);
            workers.push(receive);
            let (worker, work) = (&worker, &work);
            scope.spawn(move || {
                let mut worker = worker();
                for part in (first..parts).step_by(threads) {
                    let done = work(&mut worker, part);
                    // Nobody listens once all is refused or enough.
                    if interrupt::asked() || send.send(done).is_err() {
                        return;
                    }
                }
            });
        }
        for (worker, _) in workers.iter().cycle().zip(0..parts) {
            let done = worker.recv().map_err(|_| Failure::Interrupted)?;
            if take(done)?.is_break() {
                break;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(parts: u64, threads: usize, enough: u64) -> Vec<u64> {
        let mut all = Vec::new();
        let take = |part| {
            all.push(part);
            Ok(if part == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        in_order(parts, threads, || (), |(), part| part, take).unwrap();
        all
    }

    #[test]
    fn results_come_in_order_and_stop_when_it_is_enough() {
        for threads in [1, 2, 3, 50] {
            assert_eq!(taken(20, threads, 99), (0..20).collect::<Vec<_>>(), "{threads} threads");
            assert_eq!(taken(20, threads, 7), (0..8).collect::<Vec<_>>(), "{threads} threads");
            assert!(taken(0, threads, 7).is_empty(), "{threads} threads");
        }
    }

    #[test]
    fn a_refusal_ends_it() {
        let refuse = |_| Err(Failure::input("no"));
        let done = in_order(9, 3, || (), |(), part| part, refuse);
        assert!(matches!(done, Err(Failure::Input(why)) if why == "no"));
    }
}
