//! The blocks of a chain once more, one after another on one processor, with the time that each part takes.

use std::time::{Duration, Instant};

use ::chain::dealer::Verified;
use ::chain::{Body, Genesis, Signed, State};
use node::disk::Disk;
use node::home::Home;

use crate::Result;

/// Executes the blocks on a node's disk again, and says what took how long, on average of those that had transactions.
pub(crate) fn stages(home: &Home, genesis: &Genesis) -> Result<String> {
    let said = |why: &dyn core::fmt::Display| why.to_string();
    let disk = open(home)?;
    let folder = tempfile::tempdir().map_err(|why| said(&why))?;
    let copy = Disk::open(&folder.path().join("copy.redb")).map_err(|why| said(&why))?;
    let mut state = State::new(genesis);
    copy.begin(&state).map_err(|why| said(&why))?;
    let mut spent = Spent::default();
    while let Some(kept) = disk.block(state.tip().height + 1).map_err(|why| said(&why))? {
        let transactions = &kept.block.transactions;
        let signatures = timed(|| transactions.iter().filter(|signed| signed.is_authentic()).count()).1;
        let has_proofs = |signed: &&Signed| matches!(signed.tx.body, Body::Dealer(_));
        let proofs = transactions.iter().filter(has_proofs).count();
        let (_, proving) = timed(|| Verified::check(state.store(), transactions));
        let (executed, executing) = timed(|| state.execute(&kept.block));
        let executed = executed.map_err(|why| said(&why))?;
        let (stored, storing) = timed(|| copy.decided(&kept, &executed, &[], 1));
        stored.map_err(|why| said(&why))?;
        if !transactions.is_empty() {
            spent.blocks += 1;
            spent.transactions += transactions.len();
            spent.proofs += proofs;
            spent.signatures += signatures;
            spent.proving += proving;
            spent.executing += executing;
            spent.storing += storing;
        }
    }
    Ok(spent.told())
}

/// A node that was stopped a moment ago may not have let go of its files yet.
fn open(home: &Home) -> Result<Disk> {
    let begin = Instant::now();
    loop {
        match Disk::open(&home.database()) {
            Ok(disk) => return Ok(disk),
            Err(why) if begin.elapsed() > Duration::from_secs(20) => return Err(why.to_string()),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}

#[derive(Default)]
struct Spent {
    blocks: u32,
    transactions: usize,
    proofs: usize,
    signatures: Duration,
    proving: Duration,
    executing: Duration,
    storing: Duration,
}

impl Spent {
    fn told(&self) -> String {
        let blocks = f64::from(self.blocks.max(1));
        let each = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / blocks;
        let ms = |time: Duration| time.as_secs_f64() * 1000.0 / blocks;
        format!(
            "    a block with transactions, alone on one processor: {:.1} of them, {:.1} with proofs; executing {:.1} ms \
             (of which checking proofs {:.1} ms, signatures {:.1} ms), storing {:.1} ms",
            each(self.transactions),
            each(self.proofs),
            ms(self.executing),
            ms(self.proving),
            ms(self.signatures),
            ms(self.storing),
        )
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let done = work();
    (done, begin.elapsed())
}
