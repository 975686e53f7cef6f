//! Figures for Prometheus.

use core::fmt::Write as _;

use chain::dealer::{CourseKey, MissedOf};
use chain::staking::{self, Standing, ValidatorOf};
use chain::tables::RingOf;

use crate::core::{Shared, now};

/// All figures, as Prometheus reads them.
pub(super) fn text(shared: &Shared, name: &str) -> String {
    let (duties, ordinary) = shared.waiting();
    let (state, me) = (shared.state(), shared.me());
    let (tip, store) = (state.tip(), state.store());
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let epoch = store.get(&CourseKey()).and_then(|course| course.current).unwrap_or(0);
    let validator = me.and_then(|me| store.get(&ValidatorOf(me)));
    let stake = validator.map_or(0, |validator| validator.stake.0);
    let jailed = validator.is_some_and(|validator| validator.standing != Standing::Free);
    let missed = me.and_then(|me| store.get(&MissedOf(me)).copied()).unwrap_or(0);
    let age = now().saturating_sub(tip.time);
    let gauges = [
        ("fairdeal_height", "The height of the last block.", tip.height),
        ("fairdeal_block_time_ms", "The time of the last block, in milliseconds since 1970.", tip.time),
        ("fairdeal_block_age_ms", "How old the last block is, in milliseconds.", age),
        ("fairdeal_epoch", "The epoch that deals; 0 before the first one.", epoch),
        ("fairdeal_validators", "How many validators decide the next block.", count(staking::validators(store).len())),
        ("fairdeal_tables", "How many tables there are.", count(store.all::<RingOf>().count())),
        ("fairdeal_entries", "How many entries the state has.", count(store.len())),
        ("fairdeal_duties_waiting", "How many duties wait for a block.", count(duties)),
        ("fairdeal_transactions_waiting", "How many other transactions wait for a block.", count(ordinary)),
        ("fairdeal_stake", "The stake of this validator; 0 if it is none.", stake),
        ("fairdeal_jailed", "1 if this validator is jailed or removed.", u64::from(jailed)),
        ("fairdeal_duties_missed", "Shares that others gave and this validator did not.", missed),
    ];
    let gauges = gauges.into_iter().map(|(figure, help, value)| (figure, help, false, value));
    let name: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '"' | '\\')).collect();
    let mut text = String::new();
    for (figure, help, grows, value) in gauges.chain(shared.counts.all()) {
        let kind = if grows { "counter" } else { "gauge" };
        // Writing to memory cannot fail.
        let _ = writeln!(text, "# HELP {figure} {help}\n# TYPE {figure} {kind}\n{figure}{{node=\"{name}\"}} {value}");
    }
    text
}
