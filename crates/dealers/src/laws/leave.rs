//! Leaving, failure and silence at any moment of a deal.

use table::{Breakdown, Draw as _, Game, Leaving, Rules, Seats};

use super::steps::Run;
use super::{Seed, nobody_gains_by_it, table_of};

/// Plays up to a random moment of a deal that takes `steps` inputs; `None` if it is over there.
fn up_to_somewhere<G: Game>(
    setup: &<G::Rules as Rules>::Setup,
    seed: Seed,
    steps: u32,
    label: u8,
) -> Option<Run<G::Rules>> {
    let stop = seed.rng(label).below(steps);
    let mut run = Run::new(table_of::<G>(setup, seed), seed);
    while run.steps < stop {
        if !run.step() {
            return None;
        }
    }
    Some(run)
}

/// Any seat the table waits for may leave, then others too, and the deal still ends.
pub(super) fn at_any_time<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed, steps: u32) {
    let Some(mut run) = up_to_somewhere::<G>(setup, seed, steps, 4) else { return };
    let mut rng = seed.rng(5);
    let players = run.table.rules().players();
    let leavers = 1 + rng.below(u32::from(players));
    for _ in 0..leavers {
        if run.table.outcome().is_some() {
            break;
        }
        let asked = match run.table.awaiting() {
            table::Awaiting::Turn(seat) => Seats::one(seat),
            table::Awaiting::Choices(seats) => seats,
            table::Awaiting::Dealer | table::Awaiting::Over => Seats::NONE,
        };
        let seat = asked.lowest().unwrap_or_else(|| table::Seat::round(u64::from(rng.below(100)), players));
        let before = run.table.state_hash();
        let how = [Leaving::Left, Leaving::Away, Leaving::Withheld, Leaving::Misopened].into_iter();
        let how =
            how.cycle().nth(usize::from(seed.rng(8).one_in(2)) + 2 * usize::from(rng.one_in(2))).unwrap_or_default();
        let left = run.table.leave(run.table.height(), seat, how);
        match left {
            Ok(()) => {
                let again = run.table.leave(run.table.height(), seat, how);
                assert!(again.is_err(), "{seed:?}: {seat} left twice");
            }
            Err(why) => {
                assert!(!asked.contains(seat), "{seed:?}: {seat} is asked and may not leave: {why}");
                assert!(run.table.state_hash() == before, "{seed:?}: a refused leave changed the state");
            }
        }
        for _ in 0..rng.below(3) {
            run.step();
        }
    }
    while run.step() {}
}

/// A dealer that fails costs nobody anything; a seat that vanishes gains nothing by it.
pub(super) fn broken_off_at_any_time<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed, steps: u32) {
    let Some(run) = up_to_somewhere::<G>(setup, seed, steps, 6) else { return };
    let players = run.table.rules().players();
    let seat = table::Seat::round(u64::from(seed.rng(7).below(100)), players);
    let culprits = Seats::one(seat);
    for (why, culprits) in [
        (Breakdown::DealerFailed, Seats::NONE),
        (Breakdown::Vanished(culprits), culprits),
        (Breakdown::FalseClaim(culprits), culprits),
        (Breakdown::Cheated { proven: culprits, vanished: Seats::NONE }, culprits),
    ] {
        let mut table = run.table.clone();
        if table.outcome().is_some() {
            return;
        }
        table.break_off(table.height(), why).unwrap_or_else(|e| panic!("{seed:?}: {e}"));
        let outcome = table.outcome().unwrap_or_else(|| panic!("{seed:?}: broken off without an outcome"));
        assert_eq!(outcome.broken_off, Some(why));
        nobody_gains_by_it::<G>(outcome, culprits, seed);
        if why == Breakdown::DealerFailed {
            assert!(outcome.result.iter().all(|r| r.0 == 0), "{seed:?}: a failed dealer costs {outcome:?}");
        }
    }
}

/// Time runs out at every turn: the defaults are accepted and the deal ends.
pub(super) fn nobody_answers<G: Game>(setup: &<G::Rules as Rules>::Setup, seed: Seed) {
    let mut run = Run::new(table_of::<G>(setup, seed), seed);
    run.silent = true;
    while run.step() {}
}
