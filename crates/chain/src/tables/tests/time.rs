use super::*;

const CALL: Action = Action::Call;
const CHECK: Action = Action::Check;
const FOLD: Action = Action::Fold;

fn three() -> World {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.told();
    world
}

#[test]
fn the_turn_says_whose_it_is_and_until_when() {
    let world = three();
    let now = turn(&world.store, 1).unwrap();
    let deadline = world.now.clock + 20_000;
    assert_eq!(now, Turn { hand: 1, height: 1, seat: seat(0), player: who(0), deadline });
    assert_eq!(super::super::deadline(&world.store, 1), Some(deadline));
    let mut waits = World::seated(&[(0, 300), (1, 300)]);
    waits.begin();
    assert_eq!(turn(&waits.store, 1), None, "the dealer is awaited");
}

#[test]
fn whose_time_is_up_folds_if_there_is_a_bet() {
    let mut world = three();
    let treasury = world.treasury();
    world.time_out();
    assert_eq!(world.status(0), Some(Status::Folded));
    assert_eq!(world.turn(), Some(1), "the hand goes on");
    let (table, hand, seat) = (1, 1, 0);
    let slashed = Event::PlayerSlashed { table, hand, seat, player: who(0), coins: Coins(10), bond: Coins(40) };
    let applied = Event::TimeoutApplied { table, hand, height: 1, seat, action: FOLD };
    assert_eq!(world.told(), [applied, slashed]);
    assert_eq!(world.treasury(), treasury + 10);
    assert_eq!(world.stack(0), 300, "the stack stays theirs");
}

#[test]
fn whose_time_is_up_checks_if_there_is_no_bet() {
    let mut world = three();
    world.acts(&[CALL, CALL]);
    world.told();
    world.time_out();
    assert_eq!(world.status(2), Some(Status::InHand));
    assert_eq!(world.told()[0], Event::TimeoutApplied { table: 1, hand: 1, height: 3, seat: 2, action: CHECK });
    assert_eq!(phase(&world.store, 1), Some(Phase::FlopReveal));
}

#[test]
fn what_somebody_has_bet_stays_in_the_pot_when_their_time_is_up() {
    let mut world = three();
    world.acts(&[CALL, Action::BetTo(Coins(50)), FOLD]);
    world.time_out();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [290, 320, 290]);
    assert_eq!(world.player(0).bond, Coins(40));
}

#[test]
fn an_action_in_time_is_never_late_even_in_the_block_in_which_time_runs_out() {
    let mut world = three();
    let deadline = turn(&world.store, 1).unwrap().deadline;
    while world.now.parent_clock < deadline {
        assert_eq!(world.turn(), Some(0));
        world.next(2_000);
    }
    // The end of this block would judge; a tick before the action does not pre-empt it.
    world.tx(7, Tx::Tick { table: 1 }).unwrap();
    assert_eq!(world.turn(), Some(0));
    world.act(CALL).unwrap();
    world.next(2_000);
    assert_eq!(world.player(0).bond, Coins(50));
    assert_eq!(world.turn(), Some(1));
}

#[test]
fn a_tick_is_refused_unless_somebody_is_late_and_the_block_does_the_rest() {
    let mut world = three();
    assert_eq!(world.tx(7, Tx::Tick { table: 1 }), Err(Refused::NothingDue));
    assert_eq!(world.tx(7, Tx::Tick { table: 2 }), Err(Refused::NoSuchTable));
    while world.tx(7, Tx::Tick { table: 1 }).is_err() {
        world.next(2_000);
        assert_eq!(world.turn(), Some(0));
    }
    world.next(1);
    assert_eq!(world.status(0), Some(Status::Folded));
    assert_eq!(world.tx(7, Tx::Tick { table: 1 }), Err(Refused::NothingDue));
}

#[test]
fn nobody_needs_to_report_a_time_out() {
    let mut world = three();
    for _ in 0..30 {
        world.next(2_000);
    }
    assert!(hand(&world.store, 1).is_none(), "both others folded, too, or won");
    assert_eq!([0, 1].map(|seat| world.player(seat).bond), [Coins(40), Coins(40)]);
    assert_eq!(world.stack(2), 305);
}

#[test]
fn a_clock_that_jumps_takes_nobodys_time() {
    let mut world = three();
    // However late the proposers say it is, the clock advances by two seconds in a block.
    for _ in 0..9 {
        world.next(3_600_000);
        assert_eq!(world.turn(), Some(0));
    }
}

#[test]
fn time_does_not_run_out_while_few_validators_make_the_blocks() {
    let mut world = three();
    for _ in 0..40 {
        world.next_by(2_000, 2);
        assert_eq!(world.turn(), Some(0), "one of four may keep the action out of its blocks");
        assert_eq!(world.tx(7, Tx::Tick { table: 1 }), Err(Refused::NothingDue));
    }
    // With a second one, more than a third of the stake has had the chance to include it.
    world.next_by(1, 3);
    world.next_by(1, 2);
    assert_eq!(world.turn(), Some(1));
}

#[test]
fn each_turn_has_its_own_time() {
    let mut world = three();
    for _ in 0..8 {
        world.next(2_000);
    }
    world.act(CALL).unwrap();
    let began = world.now.clock;
    assert_eq!(turn(&world.store, 1).unwrap().deadline, began + 20_000);
    for _ in 0..9 {
        world.next(2_000);
        assert_eq!(world.turn(), Some(1));
    }
}

#[test]
fn two_time_outs_in_a_row_sit_a_player_out_for_the_next_hand() {
    let mut world = three();
    world.acts(&[CALL, CALL, CHECK]);
    world.deal();
    world.time_out();
    assert_eq!(world.player(1).out, None);
    world.acts(&[CHECK, CHECK]);
    world.deal();
    world.time_out();
    assert_eq!(world.player(1).out, Some(Out::Forced));
    assert_eq!(world.status(1), Some(Status::InHand), "but not out of this one");
    world.acts(&[Action::BetTo(Coins(20)), FOLD, FOLD]);
    assert_eq!(world.status(1), Some(Status::SitOut));
    assert_eq!(world.player(1).bond, Coins(30));
    world.begin_dealt();
    assert_eq!(world.store.get(&HandOf(1)).unwrap().seats().len(), 2);
    world.act(FOLD).unwrap();
    assert_eq!(world.status(1), Some(Status::Seated), "back after one hand");
    world.begin();
    assert_eq!(world.store.get(&HandOf(1)).unwrap().seats().len(), 3);
}

#[test]
fn acting_in_between_starts_the_count_of_time_outs_again() {
    let mut world = three();
    world.acts(&[CALL, CALL, CHECK]);
    for _ in 0..3 {
        world.deal();
        world.time_out();
        world.acts(&[CHECK, Action::BetTo(Coins(10)), CALL, CALL]);
    }
    assert_eq!(world.player(1).out, None);
    assert_eq!(world.player(1).bond, Coins(20));
}

#[test]
fn whoever_was_sat_out_can_return_at_once() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.params(|params| params.timeouts_in_a_row = 1);
    world.begin_dealt();
    world.time_out();
    assert_eq!(world.status(0), Some(Status::SitOut));
    world.deck_is_ready(1);
    for _ in 0..10 {
        world.next(1_000);
    }
    assert!(hand(&world.store, 1).is_none(), "nobody to play with");
    world.tx(0, Tx::Return { table: 1 }).unwrap();
    world.next(1_000);
    assert!(hand(&world.store, 1).is_some());
}

#[test]
fn whose_bond_is_used_up_is_ejected_between_hands_with_their_stack() {
    let mut world = World::with(Terms { player_bond: Coins(15), ..terms() });
    for player in 0..3 {
        world.sit(player, 300).unwrap();
    }
    world.begin_dealt();
    world.acts(&[CALL, CALL, CHECK]);
    for _ in 0..2 {
        world.deal();
        world.time_out();
        world.acts(&[CHECK, CHECK]);
    }
    assert_eq!(world.player(1).bond, Coins::ZERO);
    assert_eq!(world.status(1), Some(Status::InHand), "they can still win this hand");
    world.deal();
    world.acts(&[FOLD, FOLD]);
    assert_eq!(world.status(1), Some(Status::Ejected));
    assert_eq!(world.balance(1), RICH.0 - 15 - 10);
    let ejected = Event::PlayerEjected { table: 1, seat: 1, player: who(1), coins: Coins(290) };
    assert!(world.told().contains(&ejected));
}

#[test]
fn a_time_out_costs_what_governance_says_but_never_more_than_the_bond() {
    let mut world = three();
    world.params(|params| params.timeout_big_blinds = 3);
    world.time_out();
    assert_eq!(world.player(0).bond, Coins(20));
    world.params(|params| params.timeout_big_blinds = u32::MAX);
    world.time_out();
    assert_eq!(world.ring().player(seat(1)), None, "nothing was left, and the hand was over");
    assert_eq!(world.balance(1), RICH.0 - 50 - 5);
}

#[test]
fn governance_may_let_those_who_time_out_forfeit_a_part_of_their_stack() {
    let mut world = three();
    world.params(|params| params.timeout_forfeit_bps = 1_000);
    let treasury = world.treasury();
    world.acts(&[Action::BetTo(Coins(100))]);
    world.time_out();
    assert_eq!(world.stack(1), 295, "not during the hand");
    world.act(FOLD).unwrap();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [315, 266, 290]);
    assert_eq!(world.treasury(), treasury + 10 + 29);
}
