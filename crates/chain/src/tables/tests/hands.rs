use super::*;
use games::holdem::Illegal;
use table::{Awaiting, Height};

const FOLD: Action = Action::Fold;
const CHECK: Action = Action::Check;
const CALL: Action = Action::Call;

const fn to(coins: u64) -> Action {
    Action::BetTo(Coins(coins))
}

#[test]
fn a_hand_begins_with_two_ready_players_a_deck_and_a_pause() {
    let mut world = World::seated(&[(3, 300)]);
    world.deck_is_ready(1);
    world.next(1_000);
    assert_eq!(phase(&world.store, 1), None, "one player");
    world.sit(5, 300).unwrap();
    assert_eq!(phase(&world.store, 1), Some(Phase::HandInit));
    world.next(1_000);
    assert_eq!(phase(&world.store, 1), Some(Phase::DealHole));
    world.deal();
    world.act(FOLD).unwrap();
    world.deck_is_ready(1);
    for _ in 0..5 {
        assert_eq!(hand(&world.store, 1).map(|(deck, _)| deck), None);
        world.next(1_000);
    }
    world.next(1_000);
    assert_eq!(hand(&world.store, 1).map(|(deck, _)| deck), Some(2));
    world.deal();
    world.act(FOLD).unwrap();
    for _ in 0..10 {
        world.next(1_000);
    }
    assert_eq!(phase(&world.store, 1), Some(Phase::Shuffle), "no deck");
}

#[test]
fn the_number_of_a_hand_is_that_of_its_deck() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.next_deck = 41;
    world.begin();
    let (number, table) = hand(&world.store, 1).unwrap();
    assert_eq!((number, table.rules().setup().first_deck), (42, 42));
    assert_eq!(world.store.get(&AheadOf(1)).map(|ahead| ahead.ready.clone()), Some(Vec::new()));
}

#[test]
fn the_first_button_is_the_lowest_seat_and_moves_clockwise() {
    let mut world = World::seated(&[(2, 300), (4, 300), (7, 300)]);
    let mut buttons = Vec::new();
    for _ in 0..4 {
        world.begin_dealt();
        buttons.push(world.store.get(&HandOf(1)).unwrap().begun().button);
        world.acts(&[FOLD, FOLD]);
    }
    assert_eq!(buttons, [2, 4, 7, 2]);
    let started = |event: &Event| matches!(event, Event::HandStarted { button: 4, small_blind: 7, big_blind: 2, .. });
    assert!(world.told().iter().any(started));
}

#[test]
fn heads_up_the_button_posts_the_small_blind() {
    let mut world = World::seated(&[(2, 300), (4, 300)]);
    world.begin_dealt();
    assert_eq!((world.stack(2), world.stack(4)), (295, 290));
    assert_eq!(world.turn(), Some(2));
}

#[test]
fn nobody_has_the_big_blind_twice_in_a_row_when_two_are_left() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    assert_eq!(world.ring().big_blind, Some(2));
    world.tx(0, Tx::Leave { table: 1 }).unwrap();
    world.acts(&[FOLD, FOLD]);
    // The button would move to seat 1 and give seat 2 the big blind again.
    world.begin();
    assert_eq!((world.ring().button, world.ring().big_blind), (Some(2), Some(1)));
}

#[test]
fn somebody_who_sits_down_during_a_hand_is_dealt_in_from_the_next_one() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    world.sit(2, 300).unwrap();
    assert_eq!(world.store.get(&HandOf(1)).unwrap().seats().len(), 2);
    world.act(FOLD).unwrap();
    world.begin();
    assert_eq!(world.store.get(&HandOf(1)).unwrap().seats().len(), 3);
}

#[test]
fn a_hand_goes_through_its_phases_in_order() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    let mut phases = vec![phase(&world.store, 1).unwrap()];
    let mut note = |world: &World| {
        let now = phase(&world.store, 1).unwrap();
        if phases.last() != Some(&now) {
            phases.push(now);
        }
    };
    world.deck_is_ready(1);
    note(&world);
    world.next(1_000);
    note(&world);
    world.deal();
    note(&world);
    world.acts(&[CALL, CALL, CHECK]);
    note(&world);
    for _ in 0..3 {
        world.deal();
        note(&world);
        world.acts(&[CHECK, CHECK, CHECK]);
        note(&world);
    }
    world.deal();
    note(&world);
    use Phase::*;
    let betting = [DealHole, PreflopBetting, FlopReveal, FlopBetting, TurnReveal, TurnBetting, RiverReveal];
    let expected: Vec<Phase> =
        [Shuffle, HandInit].into_iter().chain(betting).chain([RiverBetting, Showdown, HandComplete]).collect();
    assert_eq!(phases, expected);
}

#[test]
fn every_step_of_a_hand_is_told() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin();
    world.told();
    world.stack_deck(&[(0, "As Ah"), (1, "Ks Kh")], "2c 3d 7h 8s Jd");
    let codes = |text| cards(text).into_iter().map(Card::code).collect::<Vec<u8>>();
    world.deal();
    world.acts(&[CALL, CHECK]);
    world.deal();
    world.acts(&[to(20), CALL]);
    world.deal();
    world.acts(&[CHECK, CHECK]);
    world.deal();
    world.acts(&[CHECK, CHECK]);
    world.deal();
    let (table, hand) = (1, 1);
    let act = |height, seat, action| Event::ActionApplied { table, hand, height, seat, action };
    let street = |street, text| Event::StreetRevealed { table, hand, street, cards: codes(text) };
    let shown = |seat, text| Event::HoleCardRevealed { table, hand, seat, cards: codes(text) };
    let expected = [
        act(1, 0, CALL),
        act(2, 1, CHECK),
        street(Street::Flop, "2c 3d 7h"),
        act(4, 1, to(20)),
        act(5, 0, CALL),
        street(Street::Turn, "8s"),
        act(7, 1, CHECK),
        act(8, 0, CHECK),
        street(Street::River, "Jd"),
        act(10, 1, CHECK),
        act(11, 0, CHECK),
        Event::ShowdownReached { table, hand },
        shown(1, "Ks Kh"),
        shown(0, "As Ah"),
        Event::PotAwarded { table, hand, pot: 0, seat: 0, coins: Coins(60) },
        Event::HandCompleted { table, hand, rake: Coins(0), stacks: vec![(0, Coins(330)), (1, Coins(270))] },
    ];
    assert_eq!(world.told(), expected);
    assert_eq!((world.stack(0), world.stack(1)), (330, 270));
}

#[test]
fn only_the_player_whose_turn_it_is_acts_and_only_on_what_they_have_seen() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    let act = |hand, height, action| Tx::Act { table: 1, hand, height, action };
    assert_eq!(world.tx(0, act(1, 0, FOLD)), Err(Refused::NoHand));
    assert_eq!(world.tx(0, Tx::Act { table: 2, hand: 1, height: 0, action: FOLD }), Err(Refused::NoSuchTable));
    world.begin();
    assert_eq!(world.tx(0, act(1, 0, FOLD)), Err(Refused::Hand(table::Refused::Illegal(Illegal::WrongPhase))));
    world.deal();
    assert_eq!(world.tx(0, act(2, 1, FOLD)), Err(Refused::OtherHand { now: 1 }));
    assert_eq!(world.tx(0, act(0, 1, FOLD)), Err(Refused::OtherHand { now: 1 }));
    for height in [0, 2, u64::MAX] {
        let stale = table::Refused::WrongHeight { now: Height(1), got: Height(height) };
        assert_eq!(world.tx(0, act(1, height, FOLD)), Err(Refused::Hand(stale)));
    }
    assert_eq!(world.tx(9, act(1, 1, FOLD)), Err(Refused::NotInHand));
    assert_eq!(world.tx(1, act(1, 1, FOLD)), Err(Refused::Hand(table::Refused::Illegal(Illegal::NotYourTurn))));
    world.tx(0, act(1, 1, CALL)).unwrap();
    // The same message again is stale: it cannot act twice.
    assert!(matches!(world.tx(0, act(1, 1, CALL)), Err(Refused::Hand(table::Refused::WrongHeight { .. }))));
    assert_eq!(world.turn(), Some(1));
}

#[test]
fn actions_against_the_rules_are_refused_and_say_what_was_expected() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    let illegal = |why| Err(Refused::Hand(table::Refused::Illegal(why)));
    let chips = table::Chips;
    assert_eq!(world.act(CHECK), illegal(Illegal::CheckNotAllowed { to_call: chips(10) }));
    assert_eq!(world.act(to(15)), illegal(Illegal::RaiseTooSmall { least: chips(20), got: chips(15) }));
    assert_eq!(world.act(to(301)), illegal(Illegal::NotEnoughChips { most: chips(300), got: chips(301) }));
    assert_eq!(world.act(to(0)), illegal(Illegal::AmountOutOfRange { got: chips(0) }));
    let most = i64::MAX;
    assert_eq!(world.act(to(u64::MAX)), illegal(Illegal::NotEnoughChips { most: chips(300), got: chips(most) }));
    world.acts(&[CALL, CALL]);
    assert_eq!(world.act(CALL), illegal(Illegal::NothingToCall));
    world.act(CHECK).unwrap();
    assert_eq!(world.player(0).bond, Coins(50), "a refused action costs nothing");
}

#[test]
fn amounts_are_totals_of_the_street() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    world.acts(&[to(30), to(60)]);
    assert_eq!((world.stack(0), world.stack(1)), (270, 240));
    assert!(matches!(world.act(to(80)), Err(Refused::Hand(_))), "the least raise is to 90");
    world.act(to(90)).unwrap();
    assert_eq!(world.stack(0), 210);
}

#[test]
fn when_one_player_is_left_the_hand_is_over_and_nothing_more_is_opened() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.acts(&[to(30), FOLD, FOLD]);
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [315, 295, 290]);
    let told = world.told();
    assert!(!told.iter().any(|event| matches!(
        event,
        Event::StreetRevealed { .. } | Event::HoleCardRevealed { .. } | Event::ShowdownReached { .. }
    )));
    assert!(told.contains(&Event::PotAwarded { table: 1, hand: 1, pot: 0, seat: 0, coins: Coins(25) }));
}

#[test]
fn side_pots_go_to_those_who_can_win_them() {
    let mut world = World::seated(&[(0, 200), (1, 400), (2, 600)]);
    world.begin_dealt();
    world.stack_deck(&[(0, "As Ah"), (1, "Ks Kh"), (2, "Qs Qh")], "2c 3d 7h 8s Jd");
    world.acts(&[Action::AllIn, Action::AllIn, CALL]);
    assert_eq!([0, 1, 2].map(|seat| world.status(seat).unwrap()), [Status::AllIn, Status::AllIn, Status::InHand]);
    world.deal();
    world.deal();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [600, 400, 200]);
    let told = world.told();
    for (pot, seat, coins) in [(0, 0, 600), (1, 1, 400)] {
        assert!(told.contains(&Event::PotAwarded { table: 1, hand: 1, pot, seat, coins: Coins(coins) }));
    }
}

#[test]
fn when_nobody_can_bet_hands_are_shown_and_the_rest_of_the_board_follows() {
    for early in [true, false] {
        let mut world = World::seated(&[(0, 200), (1, 200)]);
        world.params(|params| params.early_allin_reveal = early);
        world.begin_dealt();
        world.acts(&[Action::AllIn, CALL]);
        world.told();
        world.deal();
        world.deal();
        let told = world.told();
        let place = |of: &dyn Fn(&Event) -> bool| told.iter().position(of).unwrap();
        let shown = place(&|event| matches!(event, Event::HoleCardRevealed { .. }));
        let river = place(&|event| matches!(event, Event::StreetRevealed { street: Street::River, .. }));
        assert_eq!(shown < river, early);
        assert_eq!(told.iter().filter(|event| matches!(event, Event::StreetRevealed { .. })).count(), 3);
        assert!(hand(&world.store, 1).is_none());
    }
}

#[test]
fn a_split_pot_is_divided_and_the_odd_chip_goes_left_of_the_button() {
    let mut world = World::seated(&[(0, 300), (1, 300), (2, 300)]);
    world.begin_dealt();
    world.stack_deck(&[(1, "Ad Kc"), (2, "As Kh"), (0, "2d 4h")], "Qs Jh Tc 2c 3d");
    // The small blind calls, the button folds after having put in an odd amount.
    world.acts(&[to(21), CALL, CALL]);
    world.deal();
    world.acts(&[CHECK, CHECK, FOLD]);
    for _ in 0..2 {
        world.deal();
        world.acts(&[CHECK, CHECK]);
    }
    world.deal();
    assert_eq!([0, 1, 2].map(|seat| world.stack(seat)), [279, 311, 310]);
}

#[test]
fn the_dealer_gets_a_key_of_this_hand_for_every_player() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    let mut keys = Vec::new();
    for _ in 0..2 {
        world.begin_dealt();
        let begun = world.store.get(&HandOf(1)).unwrap().begun().clone();
        for player in &begun.players {
            let own = player_secret(&world.now.chain, 1, begun.deck, &secret(player.seat));
            assert_eq!(own.public().bytes(), &player.key);
            keys.push(player.key);
        }
        assert_eq!(players(&world.store, 1), [who(0), who(1)]);
        world.act(FOLD).unwrap();
    }
    keys.extend([0, 1].map(|player| *secret(player).public().bytes()));
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 6, "no key is used twice");
    assert_eq!(players(&world.store, 1), []);
}

#[test]
fn a_player_key_depends_on_chain_table_hand_and_seat_key() {
    let q = secret(1).public();
    let key = player_key(&[1; 32], 2, 3, &q);
    assert_ne!(key, player_key(&[2; 32], 2, 3, &q));
    assert_ne!(key, player_key(&[1; 32], 3, 3, &q));
    assert_ne!(key, player_key(&[1; 32], 2, 4, &q));
    assert_ne!(key, player_key(&[1; 32], 2, 3, &secret(2).public()));
}

#[test]
fn faces_are_taken_only_when_the_hand_waits_for_the_dealer() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    let before = world.store.get(&HandOf(1)).unwrap().log().len();
    world.deal();
    assert_eq!(world.store.get(&HandOf(1)).unwrap().log().len(), before);
    world.cx(|cx| dealt(cx, 2, &Faces::new()));
}

#[test]
fn only_faces_that_were_ordered_are_opened() {
    let mut world = World::seated(&[(0, 300), (1, 300)]);
    world.begin_dealt();
    let (_, table) = hand(&world.store, 1).unwrap();
    assert!(table.open().is_empty(), "hole cards stay closed, though the test gives all faces");
    world.acts(&[CALL, CHECK]);
    world.deal();
    let (_, table) = hand(&world.store, 1).unwrap();
    assert_eq!(table.open().len(), 3);
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(1)));
}

#[test]
fn a_hand_cannot_be_made_endless_by_small_raises() {
    let mut world = World::with(Terms { max_buy_in: RICH, ..terms() });
    world.sit(0, 900_000).unwrap();
    world.sit(1, 900_000).unwrap();
    world.begin_dealt();
    let mut total = 10;
    let refused = loop {
        total += 10;
        if let Err(why) = world.act(to(total)) {
            break why;
        }
    };
    assert_eq!(refused, Refused::OnlyAllIn);
    assert_eq!(world.store.get(&HandOf(1)).unwrap().log().len(), 4_096);
    world.acts(&[Action::AllIn, CALL]);
    let bytes = borsh::to_vec(world.store.get(&HandOf(1)).unwrap()).unwrap();
    assert!(borsh::from_slice::<Hand>(&bytes).is_ok());
}
