//! Ways in which somebody honest could be hurt, or somebody dishonest gain, each closed.
#![cfg(feature = "laws")]
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use chain::dealer::{self, CeremonyKey, CourseKey, EpochOf, Tx};
use chain::laws::{Lie, Setting, World};
use chain::{Body, Coins, Signed, State, staking, tables};
use common::{next_proposer, step, until, waits_for_shares};
use table::Awaiting;

fn stake(world: &World, validator: usize) -> Coins {
    staking::stake(world.state().store(), &world.validators()[validator])
}

/// Four validators with one seat each; the first was silent when the keys were made, and has no share of them.
fn without_the_first(seed: u64, epoch_blocks: u64) -> World {
    let liars = vec![(0, Lie::Silent)];
    let mut world = World::new(Setting { players: 3, liars, seed, epoch_blocks, ..Setting::default() });
    until(&mut world, "the first epoch", |world| world.tally().epochs == 1);
    world.turn(0, None);
    world
}

#[test]
fn what_was_said_in_a_key_generation_that_failed_is_void_in_the_next() {
    let liars = vec![(2, Lie::Silent), (3, Lie::Silent)];
    let mut world = World::new(Setting { players: 2, liars, seed: 1, ..Setting::default() });
    until(&mut world, "keys are generated", |world| world.state().store().get(&CeremonyKey()).is_some());
    let said: Vec<Signed> = (0..2).flat_map(|validator| world.says(validator, &[])).collect();
    until(&mut world, "a key generation has failed", |world| world.tally().failed_keys > 0);
    // Anybody can send it again where its author has the same seat.
    let members = world.state().store().get(&CeremonyKey()).unwrap().members.clone();
    let same_seat = |signed: &Signed| match &signed.tx.body {
        Body::Dealer(Tx::Keys { member, .. }) => members[usize::from(*member)].validator == signed.tx.from,
        _ => false,
    };
    let again: Vec<Signed> = said.into_iter().filter(same_seat).collect();
    assert!(!again.is_empty(), "another seed is needed");
    let executed = world.make(next_proposer(&world), again).unwrap();
    assert!(executed.receipts.iter().all(|receipt| matches!(receipt, chain::Receipt::Void(_))));
}

#[test]
fn hole_cards_that_too_few_can_still_deal_are_never_taken_for_dealt() {
    let mut world = without_the_first(2, 500);
    until(&mut world, "a hand waits for shares", waits_for_shares);
    // Three of four have shares, and all of them are needed. One lies.
    world.turn(1, Some(Lie::WrongProof));
    for _ in 0..5 {
        step(&mut world).unwrap();
        let hand = tables::hand(world.state().store(), 1);
        assert!(hand.is_none_or(|(_, hand)| hand.awaiting() == Awaiting::Dealer), "cards that nobody can read");
    }
    assert!(world.tally().aborted > 0);
}

#[test]
fn a_seat_without_a_share_is_not_awaited_for_the_random_number() {
    let mut world = without_the_first(3, 30);
    world.turn(1, Some(Lie::Silent));
    let before = stake(&world, 0);
    until(&mut world, "the random number is late", |world| {
        world.state().store().get(&dealer::BeaconKey()).is_some_and(|beacon| beacon.missed > 0)
    });
    assert!(stake(&world, 1) < before, "who could have said something pays");
    assert_eq!(stake(&world, 0), before);
}

#[test]
fn a_table_takes_what_spoiling_a_hand_costs_those_who_have_shares() {
    let world = without_the_first(4, 500);
    let store = world.state().store();
    let current = store.get(&CourseKey()).and_then(|course| course.current).unwrap();
    let epoch = store.get(&EpochOf(current)).unwrap();
    assert_eq!(epoch.joint.0.members().count(), 3, "all of them are needed");
    let cheapest = epoch.members.iter().map(|one| staking::price(store, one.stake, staking::Offence::Withheld)).min();
    assert!(Some(dealer::most_chips(store)) <= cheapest, "one is enough to spoil a hand");
}

#[test]
fn an_export_cannot_blame_somebody_who_said_nothing_wrong() {
    let mut world = World::new(Setting { players: 3, seed: 5, ..Setting::default() });
    world.collect();
    world.play(1).unwrap();
    let hand = world.exports()[0].clone();
    hand.check().unwrap();
    // Three of four shares are enough; the fourth member said nothing, and something wrong is put into its mouth.
    let place = |message: &[u8]| dealers::joint::Place::of(message).unwrap();
    for (at, (_, message)) in hand.deck.iter().enumerate() {
        if !matches!(place(message), dealers::joint::Place::Sealed(_) | dealers::joint::Place::Shares(_)) {
            continue;
        }
        for member in 0..4 {
            let mut forged = hand.clone();
            forged.deck.insert(at, (member, message.clone()));
            if let Ok(checked) = forged.check() {
                assert!(checked.at_fault.is_empty(), "member {member} is blamed for message {at}");
            }
        }
    }
}

#[test]
fn a_replica_that_reads_its_state_from_a_snapshot_before_every_block_agrees() {
    for (seed, lie) in [(6, Lie::WrongProof), (7, Lie::BadDkg), (8, Lie::Withhold), (9, Lie::Silent)] {
        let liars = vec![(1, lie)];
        let setting =
            Setting { players: 3, validators: 5, members: 7, liars, seed, epoch_blocks: 40, ..Setting::default() };
        let mut world = World::new(setting);
        world.keep_blocks();
        world.play(4).unwrap();
        let mut state = State::new(world.genesis());
        for block in world.blocks() {
            let root = state.store().root();
            state = State::from_snapshot(&state.snapshot(), &root).unwrap();
            state.execute(block).unwrap();
        }
        assert_eq!(state.store().root(), world.state().store().root(), "{lie:?}");
    }
}

#[test]
fn validators_that_are_started_again_deal_on() {
    let mut world = World::new(Setting { players: 3, seed: 10, ..Setting::default() });
    until(&mut world, "the first epoch", |world| world.tally().epochs == 1);
    (0..100).for_each(|_| drop(step(&mut world).unwrap()));
    (0..4).for_each(|validator| world.restart(validator));
    let completed = world.tally().completed;
    until(&mut world, "hands are played", |world| world.tally().completed > completed + 2);
    assert!(world.tally().slashed.is_empty() && world.tally().aborted == 0);
}

#[test]
fn no_proposer_chooses_the_number_that_takes_the_place_of_a_lost_one() {
    let mut world = World::new(Setting { players: 3, epoch_blocks: 30, seed: 11, ..Setting::default() });
    world.collect();
    until(&mut world, "the first epoch", |world| world.tally().epochs == 1);
    [0, 1].into_iter().for_each(|validator| world.turn(validator, Some(Lie::Silent)));
    let mut last = None;
    let ceremony = loop {
        step(&mut world).unwrap();
        let store = world.state().store();
        if let Some(ceremony) = store.get(&CeremonyKey()) {
            break ceremony;
        }
        last = store.get(&dealer::BeaconKey()).cloned().or(last);
    };
    let (last, epoch) = (last.unwrap(), world.state().store().get(&EpochOf(1)).unwrap());
    assert_eq!(last.contributions.len(), 2, "too few for the right number");
    let points = last.contributions.iter().map(|(member, said)| (*member, said.0.point()));
    assert_eq!(ceremony.random, dealer::lost_beacon(epoch, 2, points), "it depends on no block");
    [0, 1].into_iter().for_each(|validator| world.turn(validator, None));
    until(&mut world, "the second epoch", |world| world.tally().epochs == 2);
    let of_second = |world: &World| world.exports().iter().any(|hand| hand.check().unwrap().epoch == 2);
    while !of_second(&world) {
        world.play(1).unwrap();
    }
}

#[test]
fn what_a_stranger_says_in_the_place_of_a_member_is_not_even_looked_at() {
    let mut world = World::new(Setting { players: 3, seed: 12, ..Setting::default() });
    until(&mut world, "a hand waits for shares", waits_for_shares);
    let said: Vec<Signed> = (0..4).flat_map(|validator| world.says(validator, &[])).collect();
    let stranger = chain::client::Wallet::new(&[7; 32]);
    let forged: Vec<Signed> =
        said.iter().map(|signed| stranger.duty(signed.tx.chain, signed.tx.body.clone())).collect();
    let checked = |said: &[Signed]| dealer::Verified::check(world.state().store(), said);
    assert_ne!(checked(&said), dealer::Verified::default());
    assert_eq!(checked(&forged), dealer::Verified::default());
    assert_eq!(checked(&[forged, said.clone()].concat()), checked(&said));
}

#[test]
fn an_outage_costs_little_however_many_decks_wait() {
    let mut world = World::new(Setting { players: 2, tables: 3, seed: 13, ..Setting::default() });
    until(&mut world, "the first epoch", |world| world.tally().epochs == 1);
    let before = stake(&world, 2);
    world.turn(2, Some(Lie::Silent));
    until(&mut world, "many turns are lost", |world| world.tally().shuffles[1] > 12);
    let lost = before.minus(stake(&world, 2)).unwrap();
    assert!(lost > Coins::ZERO && lost <= before.bps(10), "{lost} of {before}");
}
