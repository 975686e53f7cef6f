//! A replica that is thrown away in the middle of a deal and started again from the log goes on as if nothing had
//! happened, and no entry of the log counts twice.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod replicas;

use std::collections::BTreeSet;

use dealers::joint::{Place, Said, Verdict};
use dealers::laws::times;
use games::blackout::{self, Blackout};
use games::{bigc::BigC, blackjack::Blackjack, ongdu::Ongdu};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use replicas::{Hall, Noted, PLAYERS, TABLES};
use table::{Draw as _, Game};

/// Few cards each, so that a deal is short.
fn short() -> blackout::Settings {
    blackout::Settings { max: 3, ..blackout::Settings::default() }
}

/// Plays a deal, and again with restarts at so many moments: it ends the same.
fn a_restart_changes_nothing<G: Game>(settings: &G::Settings, restarts: u32, numbers: u8) {
    for number in 0..numbers {
        for keepers in TABLES {
            let mut whole = Hall::new::<G>(settings, PLAYERS, keepers, number, None);
            let mut steps = 0;
            while whole.step() {
                steps += 1;
            }
            whole.finish();
            let mut rng = ChaCha8Rng::seed_from_u64(number.into());
            let mut moments: Vec<u32> = (0..restarts).map(|_| rng.below(steps)).collect();
            moments.sort_unstable();
            let mut hall = Hall::new::<G>(settings, PLAYERS, keepers, number, None);
            hall.name = format!("{}, restarts before {moments:?}", hall.name);
            for step in 0..steps {
                for _ in moments.iter().filter(|moment| **moment == step) {
                    let place = rng.below(u32::try_from(hall.replicas.len()).unwrap());
                    hall.restart(usize::try_from(place).unwrap());
                }
                hall.step();
            }
            hall.finish();
            for (replica, other) in hall.replicas.iter().zip(&whole.replicas) {
                let name = format!("{}: {}", hall.name, replica.node().me());
                assert_eq!(replica.table().outcome(), other.table().outcome(), "{name}: another outcome");
                assert!(replica.table().state_hash() == other.table().state_hash(), "{name}: another state");
                assert_eq!(replica.blamed(), [], "{name}: somebody is blamed");
            }
        }
    }
}

#[test]
fn a_deal_goes_on_after_restarts_at_any_moment() {
    a_restart_changes_nothing::<Blackout>(&short(), times(12, 60), u8::try_from(times(3, 60)).unwrap());
}

#[test]
fn a_deal_with_secret_choices_goes_on_after_restarts() {
    a_restart_changes_nothing::<Ongdu>(&Default::default(), times(6, 60), u8::try_from(times(1, 20)).unwrap());
    a_restart_changes_nothing::<Blackjack>(&Default::default(), times(6, 60), u8::try_from(times(1, 20)).unwrap());
    a_restart_changes_nothing::<BigC>(&Default::default(), times(6, 60), u8::try_from(times(1, 20)).unwrap());
}

#[test]
fn one_who_has_closed_a_choice_is_bound_by_it_after_a_restart() {
    for keepers in TABLES {
        let mut hall = Hall::new::<Blackjack>(&Default::default(), PLAYERS, keepers, 0, None);
        let mut bound = BTreeSet::new();
        while hall.step() {
            for place in 0..hall.replicas.len() {
                let closed = hall.logs[place].iter().find_map(|noted| match noted {
                    Noted::Said(Said::Dealing(message)) if matches!(message.place, Place::Commit(_)) => {
                        Some((place, message.place))
                    }
                    _ => None,
                });
                // The hall lets it try to choose something else before it goes on.
                if closed.is_some_and(|closed| bound.insert(closed)) {
                    hall.restart(place);
                }
            }
        }
        hall.finish();
        assert!(bound.len() >= 3, "{}: only {bound:?} were closed", hall.name);
    }
}

#[test]
fn a_spectator_who_reads_the_log_sees_the_same_table_and_no_entry_counts_twice() {
    for number in 0..u8::try_from(times(3, 100)).unwrap() {
        for keepers in TABLES {
            let mut hall = Hall::new::<Blackout>(&short(), PLAYERS, keepers, number, None);
            hall.finish();
            let mut spectator = hall.spectator();
            for (by, said) in hall.log.clone() {
                let verdict = spectator.receive(by, said.clone());
                assert!(!matches!(verdict, Verdict::Fault(_)), "{}: {verdict:?}", hall.name);
                let again = spectator.receive(by, said);
                assert!(matches!(again, Verdict::Void(_)), "{}: {again:?} the second time", hall.name);
            }
            let other = &hall.replicas[0];
            assert!(spectator.table().state_hash() == other.table().state_hash(), "{}: another state", hall.name);
            assert_eq!(spectator.node().ledger().opened(), other.node().ledger().opened(), "{}", hall.name);
            assert_eq!(spectator.node().own().iter().count(), 0, "{}: a spectator has no cards", hall.name);
        }
    }
}
