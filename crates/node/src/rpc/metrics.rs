//! Figures for Prometheus.

use core::fmt::Write as _;

use chain::staking;
use chain::tables::RingOf;

use crate::core::Shared;

/// All figures, as Prometheus reads them.
pub(super) fn text(shared: &Shared, name: &str) -> String {
    let (duties, ordinary) = shared.waiting();
    let (height, time, validators, tables, entries) = shared.look(|state| {
        let store = state.store();
        let tables = store.all::<RingOf>().count();
        (state.tip().height, state.tip().time, staking::validators(store).len(), tables, store.len())
    });
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let figures = [
        ("fairdeal_height", "The height of the last block.", height),
        ("fairdeal_block_time_ms", "The time of the last block, in milliseconds since 1970.", time),
        ("fairdeal_validators", "How many validators decide the next block.", count(validators)),
        ("fairdeal_tables", "How many tables there are.", count(tables)),
        ("fairdeal_entries", "How many entries the state has.", count(entries)),
        ("fairdeal_duties_waiting", "How many duties wait for a block.", count(duties)),
        ("fairdeal_transactions_waiting", "How many other transactions wait for a block.", count(ordinary)),
    ];
    let mut text = String::new();
    for (figure, help, value) in figures {
        // Writing to memory cannot fail.
        let _ = writeln!(text, "# HELP {figure} {help}\n# TYPE {figure} gauge\n{figure}{{node=\"{name}\"}} {value}");
    }
    text
}
