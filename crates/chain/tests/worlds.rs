//! Whole chains: many validators, players and liars, each from one seed.
//!
//! After every block a world checks that two replicas agree, that no coin was made or lost, and that nobody honest was
//! punished.
#![cfg(feature = "laws")]
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what goes wrong here fails a test, and a soak says what it did"
)]

use chain::laws::{Lie, Prank, Setting, Tally, World};
use chain::{dealer, staking};

/// Plays so many hands, and returns what happened.
fn play(setting: Setting, hands: u64) -> (World, Tally) {
    let mut world = World::new(setting.clone());
    if let Err(broken) = world.play(hands) {
        panic!("{broken}\n{setting:?}\n{:?}", world.tally());
    }
    let tally = world.tally().clone();
    (world, tally)
}

fn slashed(world: &World, validator: u8) -> bool {
    world.tally().slashed.keys().any(|address| world.number(address) == Some(validator))
}

#[test]
fn hands_are_dealt_and_played_to_their_end() {
    let (_, tally) = play(Setting::default(), 5);
    assert_eq!((tally.completed >= 5, tally.aborted), (true, 0), "{tally:?}");
    assert!(tally.slashed.is_empty() && tally.failed_keys == 0, "{tally:?}");
}

#[test]
fn several_tables_share_one_committee() {
    let setting = Setting { tables: 3, players: 4, members: 7, validators: 5, seed: 2, ..Setting::default() };
    let (_, tally) = play(setting, 9);
    assert_eq!(tally.aborted, 0, "{tally:?}");
}

#[test]
fn a_chain_of_one_validator_deals() {
    let (_, tally) = play(Setting { validators: 1, players: 2, seed: 3, ..Setting::default() }, 3);
    assert_eq!((tally.completed >= 3, tally.aborted), (true, 0), "{tally:?}");
}

#[test]
fn a_bad_network_delays_and_hurts_nobody() {
    let (_, tally) = play(Setting { lost: 300, players: 5, seed: 4, ..Setting::default() }, 4);
    assert!(tally.slashed.is_empty() && tally.aborted == 0, "{tally:?}");
}

#[test]
fn hands_go_on_without_one_liar_of_any_kind() {
    for (seed, lie) in (10..).zip(Lie::WORDS.iter().filter_map(|word| <Lie as table::Value>::parse(word))) {
        // Seven seats among four: everybody has one or two, and without two of them five are left, just enough.
        let liars = vec![(2, lie)];
        let setting =
            Setting { validators: 4, members: 7, players: 3, liars, seed, epoch_blocks: 60, ..Setting::default() };
        let (world, tally) = play(setting, 6);
        assert_eq!(tally.aborted, 0, "{lie:?}: {tally:?}");
        // As long as enough others give shares, nobody waits for one who does not. What is said second does not count.
        let punished = lie.can_be_punished() && lie != Lie::Withhold && lie != Lie::Equivocate;
        assert_eq!(slashed(&world, 2), punished, "{lie:?}: {tally:?}");
    }
}

#[test]
fn epochs_change_while_hands_are_played() {
    let setting = Setting { epoch_blocks: 40, players: 4, validators: 6, seed: 30, ..Setting::default() };
    let (world, tally) = play(setting, 14);
    assert!(tally.epochs >= 3 && tally.aborted == 0, "{tally:?}");
    let closed = world.state().store().all::<dealer::EpochOf>().filter(|(_, epoch)| epoch.closed).count();
    assert!(closed >= 1, "old epochs are closed");
}

#[test]
fn hands_are_aborted_and_refunded_where_too_few_members_are_left() {
    // Two of four withhold: three are needed.
    let liars = vec![(0, Lie::Withhold), (1, Lie::Withhold)];
    let (world, tally) = play(Setting { liars, players: 3, seed: 40, ..Setting::default() }, 2);
    assert_eq!((tally.completed, tally.aborted), (0, 2), "{tally:?}");
    assert!(slashed(&world, 0) && slashed(&world, 1));
    let all = staking::validators(world.state().store());
    assert!(!all.is_empty(), "somebody still makes blocks");
}

#[test]
fn players_who_sleep_move_on_or_spam_stop_nobody() {
    let pranks = vec![(0, Prank::Sleep), (1, Prank::Restless), (2, Prank::Spam)];
    let (_, tally) = play(Setting { pranks, players: 6, seed: 50, ..Setting::default() }, 6);
    assert!(tally.timeouts > 0 && tally.aborted == 0, "{tally:?}");
    assert!(tally.transactions[1] > 0, "spam pays: {tally:?}");
}

#[test]
fn the_same_seed_gives_the_same_chain() {
    let setting = Setting { players: 3, seed: 60, ..Setting::default() };
    let (one, _) = play(setting.clone(), 2);
    let (other, _) = play(setting, 2);
    assert_eq!(one.tip(), other.tip());
}

#[test]
fn the_same_blocks_give_the_same_root_on_a_fresh_replay() {
    let mut world = World::new(Setting { players: 3, seed: 61, ..Setting::default() });
    world.keep_blocks();
    world.play(2).unwrap();
    let mut state = chain::State::new(world.genesis());
    for block in world.blocks() {
        state.execute(block).unwrap();
    }
    assert_eq!(state.store().root(), world.state().store().root());
}

#[test]
fn hands_of_nine_over_a_committee_of_4_with_liars_in_every_role() {
    hands_of_nine(4, 4, 40, 16);
}

#[test]
fn hands_of_nine_over_a_committee_of_7_with_liars_in_every_role() {
    hands_of_nine(7, 7, 30, 12);
}

#[test]
fn hands_of_nine_over_a_committee_of_16_with_liars_in_every_role() {
    hands_of_nine(16, 16, 20, 10);
}

#[test]
fn hands_of_nine_over_a_committee_of_32_with_liars_in_every_role() {
    hands_of_nine(32, 24, 10, 2);
}

/// A quarter of the validators lie, each in another way; nine play, and some of them sleep, fidget or spam. A world
/// checks that a hand is aborted only where fewer honest seats are left than are needed. `few` hands are played, or `many`
/// times 250 in a soak: 10,000 over all sizes.
fn hands_of_nine(members: u8, validators: u8, few: u64, many: u8) {
    let soak = std::env::var_os("FAIRDEAL_SOAK").is_some();
    let lies: Vec<Lie> = Lie::WORDS.iter().filter_map(|word| <Lie as table::Value>::parse(word)).collect();
    let (worlds, hands): (u8, u64) = if soak { (many, 250) } else { (2, few / 2) };
    let mut all = [0, 0];
    for seed in 0..worlds {
        let liar = |number: u8| (number, lies[(usize::from(number) + usize::from(seed)) % lies.len()]);
        let liars = (0..validators / 4).map(liar).collect();
        let pranks = vec![(3, Prank::Sleep), (5, Prank::Restless), (7, Prank::Spam)];
        let seed = 1_000 * u64::from(members) + u64::from(seed);
        let setting =
            Setting { validators, members, liars, pranks, lost: 50, epoch_blocks: 200, seed, ..Setting::default() };
        let (_, tally) = play(setting, hands);
        all[0] += tally.completed;
        all[1] += tally.aborted;
        println!("{members} seats, seed {seed}: {tally:?}");
    }
    println!("{members} seats: {} hands were played to their end, {} were aborted", all[0], all[1]);
}
