//! Who made a block in their turn, and who did not.
//!
//! A block's header names the round in which it was first proposed. A block is good only if its proposer is the one whose
//! turn it was in that round, and validators look at it only in that round: so more than two thirds of them have seen the
//! earlier rounds end without a decision, and nobody can make up that others were absent. A round may also end like that
//! because of the network. So a turn that was missed costs nothing; only whoever misses most of many turns in a row is
//! taken for absent, which is a silence like any other: it costs little, and never jails more than a third of the stake.

use super::set::{proposer, validators};
use super::{Offence, ValidatorOf, slash};
use crate::execute::Cx;
use crate::units::Address;

/// Whoever has missed so many of their last 32 turns is absent.
pub(super) const ABSENT: u32 = 24;

/// A block begins: notes who made it, and who has missed their turn before.
pub fn begin_block(cx: &mut Cx<'_>) {
    let (height, by) = (cx.now.height, cx.now.proposer);
    let set = validators(cx.store);
    // After everybody had a turn, it is the first one's again: a height counts once for each.
    let count = u32::try_from(set.len()).unwrap_or(u32::MAX);
    let missed = (0..cx.now.round.min(count)).filter_map(|round| proposer(&set, height, round));
    for absent in missed.filter(|absent| *absent != by).collect::<Vec<_>>() {
        miss(cx, &absent);
    }
    cx.store.edit(&ValidatorOf(by), |validator| {
        validator.proposed = height;
        validator.missed <<= 1;
    });
}

fn miss(cx: &mut Cx<'_>, consensus: &Address) {
    let absent = cx.store.edit(&ValidatorOf(*consensus), |validator| {
        validator.missed = (validator.missed << 1) | 1;
        let absent = validator.missed.count_ones() >= ABSENT;
        if absent {
            // One absence is judged once.
            validator.missed = 0;
        }
        absent
    });
    if absent == Some(true) {
        slash(cx, consensus, Offence::Absent, None, &[]);
    }
}
