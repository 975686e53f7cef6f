//! What an attack on the design on paper found, and which test shows how each danger was settled.
//!
//! | danger | test |
//! |---|---|
//! | An honest member is slashed for a message in flight | here `a_message_that_arrives_too_late_is_void_and_costs_nothing`, `a_shuffle_of_a_deck_that_has_changed_is_void_and_costs_nothing`; `attacks` |
//! | A few members withhold when they lose | `sampling::nobody_gets_enough_seats_to_withhold_a_card_alone`; here `a_table_takes_no_more_chips_than_spoiling_a_hand_costs`; `seats::no_hand_begins_with_more_chips_than_those_who_deal_can_be_made_to_pay` |
//! | Clock jumps, censored actions | here `nobody_is_late_while_a_minority_makes_all_blocks`; `time::a_clock_that_jumps_takes_nobodys_time`; staking's `nobody_is_heard_until_a_third_of_the_stake_has_made_blocks` |
//! | Jailing kills an epoch | here `who_was_silent_is_punished_and_its_shares_still_count`, `silence_where_others_are_enough_is_only_counted`, `a_hand_is_aborted_after_three_missed_deadlines_and_not_before`; staking's `at_most_a_third_of_the_stake_is_jailed_for_silence` |
//! | No beacon in epoch 1, a key generation that stalls, one validator | here `the_old_epoch_deals_while_the_next_cannot_make_its_keys`; `worlds::a_chain_of_one_validator_deals` |
//! | Free work and spam | here `a_table_has_at_most_two_decks_ahead_and_only_for_two_players`; `creating::anybody_may_fill_the_purse_and_decks_are_paid_from_it`; `tests::blocks_have_limits_and_room_for_duties` |
//! | Sixteen steps in sixteen blocks | here `many_shuffles_fit_into_one_block`, `who_does_not_shuffle_ahead_is_skipped_after_ten_blocks` |
//! | One jailing voids every deck | here `a_new_epoch_replaces_decks_only_when_the_first_new_one_is_ready` |
//! | A player's key is missing at the start | `hands::the_dealer_gets_a_key_of_this_hand_for_every_player`, `seats::a_key_needs_a_proof_by_its_owner_for_this_table_and_address` |
//! | Erased shares that backups keep | here `secrets_of_a_closed_epoch_are_erased` |
//! | Forks and poisoned snapshots | here `what_is_said_on_one_chain_means_nothing_on_another`; store's `a_snapshot_of_another_state_is_refused` |
//! | Unbond, then cheat | staking's `a_seat_is_liable_until_its_epoch_is_over_and_then_for_the_delay`, `evidence_catches_those_who_have_just_left` |
//! | Contradictions | `rake::no_flop_no_rake`, `rake::rake_is_rounded_down_after_uncalled_bets_are_returned`, `time::a_tick_is_refused_unless_somebody_is_late_and_the_block_does_the_rest` |
#![cfg(feature = "laws")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "what goes wrong here fails a test")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use chain::dealer::{self, AheadOf, CeremonyKey, CourseKey, DeckOf, EpochOf, MissedOf};
use chain::laws::{Lie, Setting, World};
use chain::{Address, Body, Coins, Event, Receipt, Signed, staking, tables};
use common::{everything, next_proposer, step, until, waits_for_shares};

fn in_hand(world: &World) -> Option<(u32, u64)> {
    tables::hand(world.state().store(), 1).map(|(deck, hand)| (deck, hand.height().0))
}

fn stakes(world: &World) -> Vec<Coins> {
    world.validators().iter().map(|validator| staking::stake(world.state().store(), validator)).collect()
}

#[test]
fn a_message_that_arrives_too_late_is_void_and_costs_nothing() {
    let mut world = World::new(Setting { players: 3, seed: 1, ..Setting::default() });
    until(&mut world, "a hand waits for shares", waits_for_shares);
    let late: Vec<Signed> = world.says(0, &[]);
    assert!(!late.is_empty());
    let before = in_hand(&world);
    until(&mut world, "the hand goes on", |world| in_hand(world) != before);
    let executed = world.make(next_proposer(&world), late).unwrap();
    assert!(executed.receipts.iter().all(|receipt| matches!(receipt, Receipt::Void(_))), "{:?}", executed.receipts);
    assert!(world.tally().slashed.is_empty());
}

#[test]
fn a_shuffle_of_a_deck_that_has_changed_is_void_and_costs_nothing() {
    let mut world = World::new(Setting { players: 3, seed: 2, ..Setting::default() });
    let making = |world: &World| {
        let ahead = world.state().store().get(&AheadOf(1))?;
        let number = *ahead.making.first()?;
        let by = world.state().store().get(&DeckOf(1, number))?.ledger.0.shuffler(number)?;
        Some((number, by))
    };
    until(&mut world, "a deck is shuffled", |world| making(world).is_some());
    let said: Vec<Vec<Signed>> = (0..4).map(|validator| world.says(validator, &[])).collect();
    let shuffles: Vec<Signed> = said.into_iter().flatten().collect();
    // The next two shuffles of every deck are made meanwhile.
    let before = making(&world);
    until(&mut world, "others have shuffled", |world| making(world) != before);
    let executed = world.make(next_proposer(&world), shuffles).unwrap();
    assert!(executed.receipts.iter().all(|receipt| matches!(receipt, Receipt::Void(_))), "{:?}", executed.receipts);
    assert!(world.tally().slashed.is_empty());
}

#[test]
fn nobody_is_late_while_a_minority_makes_all_blocks() {
    let mut world = World::new(Setting { players: 3, validators: 12, seed: 3, ..Setting::default() });
    until(&mut world, "a hand waits for shares", waits_for_shares);
    let (before, censors) = (in_hand(&world), world.validators()[..3].to_vec());
    // Three of twelve validators make every block for longer than anybody has time, and leave out what the others say.
    let end = world.state().tip().clock + 62_000;
    while world.state().tip().clock < end {
        let (set, height) = (staking::validators(world.state().store()), world.state().tip().height + 1);
        let first = censors.iter().min_by_key(|censor| staking::round_of(&set, height, censor)).unwrap();
        world.make(*first, Vec::new()).unwrap();
    }
    assert_eq!(in_hand(&world), before);
    assert!(world.tally().slashed.is_empty() && world.tally().timeouts == 0);
    until(&mut world, "the hand goes on", |world| in_hand(world) != before);
    assert!(world.tally().slashed.is_empty());
}

#[test]
fn a_hand_is_aborted_after_three_missed_deadlines_and_not_before() {
    let liars = vec![(0, Lie::Withhold), (1, Lie::Withhold)];
    let mut world = World::new(Setting { players: 3, liars, seed: 4, ..Setting::default() });
    until(&mut world, "a hand waits for shares", waits_for_shares);
    let (hand, _) = in_hand(&world).unwrap();
    let (mut deadlines, mut aborted) = (0, false);
    while !aborted {
        let events = step(&mut world).unwrap();
        let missing = |event: &&Event| matches!(event, Event::Dealer(dealer::Event::ShareMissing { .. }));
        let ended =
            |event: &Event| matches!(event, Event::Tables(tables::Event::HandAborted { hand: of, .. }) if *of == hand);
        deadlines += usize::from(events.iter().any(|event| missing(&event)));
        aborted = events.iter().any(ended);
        assert_eq!(aborted, deadlines == 3, "after {deadlines} deadlines");
    }
    let store = world.state().store();
    assert!(store.get(&DeckOf(1, hand)).is_none(), "the deck is never used again");
    assert!(store.get(&AheadOf(1)).is_none_or(|ahead| !ahead.ready.contains(&hand)));
}

#[test]
fn who_was_silent_is_punished_and_its_shares_still_count() {
    let liars = vec![(0, Lie::Withhold), (1, Lie::Withhold)];
    let mut world = World::new(Setting { players: 3, liars, seed: 5, ..Setting::default() });
    until(&mut world, "somebody is punished", |world| !world.tally().slashed.is_empty());
    assert!(waits_for_shares(&world), "the hand still waits");
    let aborted = world.tally().aborted;
    world.turn(0, None);
    let completed = world.tally().completed;
    until(&mut world, "the hand is over", |world| world.tally().completed > completed);
    assert_eq!(world.tally().aborted, aborted, "three of four are enough");
}

#[test]
fn silence_where_others_are_enough_is_only_counted() {
    let mut world = World::new(Setting { players: 3, liars: vec![(3, Lie::Withhold)], seed: 14, ..Setting::default() });
    until(&mut world, "hands are played", |world| world.tally().completed >= 3);
    assert!(world.tally().slashed.is_empty() && world.tally().aborted == 0, "{:?}", world.tally());
    let missed = |validator: &Address| world.state().store().get(&MissedOf(*validator)).copied().unwrap_or_default();
    let counted: Vec<u64> = world.validators().iter().map(missed).collect();
    assert!(counted[..3].iter().all(|one| *one < counted[3]), "{counted:?}");
}

#[test]
fn the_old_epoch_deals_while_the_next_cannot_make_its_keys() {
    let mut world = World::new(Setting { players: 3, epoch_blocks: 30, validators: 6, seed: 6, ..Setting::default() });
    until(&mut world, "the first epoch", |world| world.tally().epochs >= 1);
    // From now on, everybody lies about keys.
    (0..6).for_each(|validator| world.turn(validator, Some(Lie::BadDkg)));
    until(&mut world, "a key generation has failed", |world| world.tally().failed_keys > 0);
    let completed = world.tally().completed;
    (0..6).for_each(|validator| world.turn(validator, None));
    until(&mut world, "another hand is over", |world| world.tally().completed > completed);
    assert_eq!(world.tally().aborted, 0);
    until(&mut world, "the second epoch", |world| world.tally().epochs >= 2);
}

#[test]
fn a_table_has_at_most_two_decks_ahead_and_only_for_two_players() {
    let mut world = World::new(Setting { players: 2, seed: 7, ..Setting::default() });
    let mut most = 0;
    while world.tally().completed < 3 {
        step(&mut world).unwrap();
        let seated = world.state().store().get(&tables::RingOf(1)).map_or(0, |ring| ring.players().count());
        let ahead = world.state().store().get_or_default(&AheadOf(1));
        assert!(seated >= 2 || ahead.last == 0, "a deck for {seated} players");
        most = most.max(ahead.ready.len() + ahead.making.len());
    }
    assert_eq!(most, 2);
}

#[test]
fn many_shuffles_fit_into_one_block() {
    let mut world = World::new(Setting { players: 2, validators: 8, members: 16, seed: 8, ..Setting::default() });
    let (mut blocks, mut shuffled) = (0, 0);
    while world.tally().decks == 0 {
        let events = step(&mut world).unwrap();
        let of = |event: &&Event| matches!(event, Event::Dealer(dealer::Event::ShuffleAccepted { .. }));
        let now = events.iter().filter(of).count();
        blocks += usize::from(now > 0);
        shuffled += now;
    }
    assert!(shuffled >= 16 && blocks <= shuffled / 2, "{shuffled} shuffles in {blocks} blocks");
}

#[test]
fn who_does_not_shuffle_ahead_is_skipped_after_ten_blocks() {
    let mut world = World::new(Setting { players: 2, seed: 9, ..Setting::default() });
    until(&mut world, "the first epoch", |world| world.tally().epochs >= 1);
    world.turn(2, Some(Lie::Silent));
    until(&mut world, "somebody is skipped", |world| world.tally().shuffles[1] > 0);
    let only = world.tally().slashed.keys().all(|one| *one == world.validators()[2]);
    assert!(only, "{:?}", world.tally().slashed);
    until(&mut world, "hands are played", |world| world.tally().completed >= 2);
}

#[test]
fn a_new_epoch_replaces_decks_only_when_the_first_new_one_is_ready() {
    let mut world = World::new(Setting { players: 3, epoch_blocks: 30, seed: 10, ..Setting::default() });
    until(&mut world, "the second epoch", |world| world.tally().epochs >= 2);
    let of_epoch = |world: &World, epoch: u64| {
        let store = world.state().store();
        let ahead = store.get_or_default(&AheadOf(1));
        ahead
            .ready
            .iter()
            .filter(|number| store.get(&DeckOf(1, **number)).is_some_and(|deck| deck.epoch == epoch))
            .count()
    };
    until(&mut world, "a new deck is ready", |world| of_epoch(world, 2) > 0);
    assert_eq!(of_epoch(&world, 1), 0, "decks of the old epoch are dropped");
    assert_eq!(world.tally().aborted, 0);
    until(&mut world, "the old epoch is closed", |world| {
        world.state().store().get(&EpochOf(1)).is_some_and(|epoch| epoch.closed)
    });
}

#[test]
fn secrets_of_a_closed_epoch_are_erased() {
    let mut world = World::new(Setting { players: 3, epoch_blocks: 30, seed: 11, ..Setting::default() });
    until(&mut world, "the second epoch", |world| world.tally().epochs >= 2);
    until(&mut world, "the first is closed", |world| {
        world.state().store().get(&EpochOf(1)).is_some_and(|epoch| epoch.closed)
    });
    step(&mut world).unwrap();
    let open = world.state().store().all::<EpochOf>().filter(|(_, epoch)| !epoch.closed).count();
    let running = usize::from(world.state().store().get(&CeremonyKey()).is_some());
    for validator in 0..4 {
        assert!(world.secrets(validator) <= open + running, "validator {validator} keeps secrets of a closed epoch");
    }
}

#[test]
fn what_is_said_on_one_chain_means_nothing_on_another() {
    let mut one = World::new(Setting { players: 2, seed: 12, ..Setting::default() });
    let mut other = World::new(Setting { players: 3, seed: 12, ..Setting::default() });
    until(&mut one, "keys are generated", |world| world.state().store().get(&CeremonyKey()).is_some());
    until(&mut other, "keys are generated", |world| world.state().store().get(&CeremonyKey()).is_some());
    let said: Vec<Signed> = (0..4).flat_map(|validator| one.says(validator, &[])).collect();
    assert!(!said.is_empty() && one.validators() == other.validators(), "the same keys on both");
    let executed = other.make(next_proposer(&other), said).unwrap();
    assert!(executed.receipts.iter().all(|receipt| matches!(receipt, Receipt::Void(_))), "{:?}", executed.receipts);
}

#[test]
fn a_table_takes_no_more_chips_than_spoiling_a_hand_costs() {
    let mut world = World::new(Setting { players: 2, seed: 13, ..Setting::default() });
    assert_eq!(dealer::most_chips(world.state().store()), Coins::ZERO, "nobody can deal yet");
    until(&mut world, "the first epoch", |world| world.tally().epochs >= 1);
    let store = world.state().store();
    let current = store.get(&CourseKey()).and_then(|course| course.current).unwrap();
    let epoch = store.get(&EpochOf(current)).unwrap();
    // Two of four seats are enough to keep a card from being opened.
    let mut prices: Vec<Coins> =
        epoch.members.iter().map(|one| staking::price(store, one.stake, staking::Offence::Withheld)).collect();
    prices.sort_unstable();
    assert_eq!(dealer::most_chips(store), prices[0] + prices[1]);
    assert_eq!(stakes(&world).len(), 4);
}

#[test]
fn a_report_counts_only_when_somebody_is_late_and_pays_whoever_made_it() {
    let liars = vec![(0, Lie::Withhold), (1, Lie::Withhold)];
    let mut world = World::new(Setting { players: 3, strangers: 1, liars, seed: 15, ..Setting::default() });
    until(&mut world, "a hand waits for shares", waits_for_shares);
    let mut early = 0;
    loop {
        let body = Body::Dealer(dealer::Tx::ReportDealerWithholding { table: 1 });
        let reporter = world.wallets()[0].address();
        let report = world.wallets()[0].pay(world.state().store(), world.state().tip().chain, body);
        let (before, fee) = (world.balance(&reporter), report.tx.fee);
        let mut transactions = everything(&mut world);
        transactions.insert(0, report);
        let executed = world.make(next_proposer(&world), transactions).unwrap();
        if executed.receipts[0] != Receipt::Done {
            early += 1;
            assert_eq!(before.minus(fee), Some(world.balance(&reporter)), "a report that is refused costs its fee");
            continue;
        }
        let lost = |event: &Event| match event {
            Event::Staking(staking::Event::ValidatorSlashed { lost, .. }) => lost.0,
            _ => 0,
        };
        let lost: u64 = executed.events.list.iter().map(lost).sum();
        let got = (world.balance(&reporter) + fee).minus(before).unwrap();
        assert!(lost > 0 && got > Coins::ZERO && got.0 <= lost / 10, "{got} of {lost}");
        break;
    }
    assert!(early > 10, "only once the time was up");
}

#[test]
fn a_closed_table_leaves_no_decks() {
    let mut world = World::new(Setting { players: 2, seed: 16, ..Setting::default() });
    until(&mut world, "decks are ready", |world| {
        world.state().store().get(&AheadOf(1)).is_some_and(|ahead| ahead.ready.len() == 2)
    });
    let players: Vec<Signed> = {
        let (store, chain) = (world.state().store(), world.state().tip().chain);
        let leave =
            |wallet: &chain::client::Wallet| wallet.pay(store, chain, Body::Tables(tables::Tx::Leave { table: 1 }));
        world.people().map(|(wallet, _)| leave(wallet)).collect()
    };
    world.make(next_proposer(&world), players).unwrap();
    until_empty(&mut world);
    let close = world.close_table(1);
    let executed = world.make(next_proposer(&world), vec![close]).unwrap();
    assert_eq!(executed.receipts, [Receipt::Done]);
    let store = world.state().store();
    assert!(store.get(&AheadOf(1)).is_none() && store.all::<DeckOf>().next().is_none());
}

/// Blocks in which validators deal but nobody sits down, until the table is empty.
fn until_empty(world: &mut World) {
    for _ in 0..300 {
        let ring = world.state().store().get(&tables::RingOf(1)).unwrap();
        if ring.players().next().is_none() {
            return;
        }
        let mut transactions = Vec::new();
        for validator in 0..4 {
            let said = world.says(validator, &transactions);
            transactions.extend(said);
        }
        world.make(next_proposer(world), transactions).unwrap();
    }
    panic!("somebody still sits there");
}

#[test]
fn no_block_is_far_ahead_of_the_one_before() {
    let mut world = World::new(Setting { players: 2, seed: 17, ..Setting::default() });
    step(&mut world).unwrap();
    let mut state = world.state().clone();
    let tip = state.tip().clone();
    let header = |time: u64| state.next_header(next_proposer(&world), 0, time, &[]);
    let headers = [tip.time, tip.time + 3_600_001, u64::MAX, tip.time + 3_600_000].map(header);
    let results = headers.map(|header| state.execute(&chain::Block { header, transactions: Vec::new() }).map(drop));
    let late = Err(chain::execute::BadBlock::Time);
    assert_eq!(results, [late, late, late, Ok(())]);
}
