//! What is seen, and by whom.

use cards::{Decided, Rank};
use table::{Eye, Known};

use super::*;
use crate::desk::Amount;
use crate::holdem::{Did, Sizes, Status, View};

fn public(hand: &Hand) -> View {
    hand.rules().view(Known::public(hand.table.open()), Eye::Public)
}

fn own(hand: &Hand, index: u8) -> View {
    let slots = hand.rules().hole(seat(index)).slots();
    let own: Faces = slots.map(|slot| (slot, hand.faces.get(slot).unwrap())).collect();
    hand.rules().view(Known::with(hand.table.open(), &own), Eye::Seat(seat(index)))
}

#[test]
fn everybody_sees_stacks_bets_blinds_and_the_last_actions() {
    let mut hand = hand(&[1000, 1000, 1000, 15], 0);
    hand.act(&[(3, ALL_IN), (0, to(60))]);
    let view = public(&hand);
    assert_eq!((view.phase, view.turn, view.button), ("betting", Some(seat(1)), Some(seat(0))));
    assert_eq!((view.pot, view.bet_to, view.pots.len()), (Chips(105), Chips(60), 0));
    let seen = view.players.iter().map(|p| (p.stack.0, p.bet.0, p.status, p.last)).collect::<Vec<_>>();
    assert_eq!(
        seen,
        [
            (940, 60, Status::Live, Some(Did::Raise)),
            (990, 10, Status::Live, Some(Did::Post)),
            (980, 20, Status::Live, Some(Did::Post)),
            (0, 15, Status::AllIn, Some(Did::Call)),
        ]
    );
    assert!(view.hand.is_empty() && view.to_call.is_none() && view.players.iter().all(|p| p.shown.is_empty()));
    hand.act(&[(1, FOLD)]);
    hand.leave(2);
    let status = public(&hand).players.iter().map(|p| p.status).collect::<Vec<_>>();
    assert_eq!(status, [Status::Live, Status::Folded, Status::Gone, Status::AllIn]);
}

#[test]
fn a_player_sees_their_own_cards_and_what_those_make() {
    let cards = [(0, "Ac Ad"), (1, "Kc Kd"), (2, "2c 7d")];
    let mut hand = Hand::with_cards(&setup(&[1000; 3], 0), &cards, "Ah 4h 9s 9d Jh");
    let view = own(&hand, 1);
    assert_eq!(
        view.hand.iter().map(|held| held.card).collect::<Vec<_>>(),
        parse_cards("Kc Kd").unwrap().into_iter().map(Some).collect::<Vec<_>>()
    );
    assert_eq!((view.hand_name, view.to_call), (None, Some(Chips(10))));
    hand.act(&[(0, CALL), (1, CALL), (2, CHECK)]);
    assert_eq!(own(&hand, 0).hand_name.as_deref(), Some("three of a kind, aces"));
    assert_eq!(own(&hand, 1).hand_name.as_deref(), Some("pair of kings"));
    assert_eq!(public(&hand).board, parse_cards("Ah 4h 9s").unwrap());
    hand.act(&[(1, FOLD)]);
    assert_eq!((own(&hand, 1).hand.len(), own(&hand, 1).to_call), (2, None));
}

#[test]
fn shown_hands_and_won_pots_are_named() {
    let cards = [(0, "Ac Ad"), (1, "Kc Kd"), (2, "2c 7d")];
    let mut hand = Hand::with_cards(&setup(&[200, 300, 300], 0), &cards, "Ah 4h 9s 9d Jh");
    hand.act(&[(0, ALL_IN), (1, ALL_IN), (2, CALL)]);
    let view = public(&hand);
    assert_eq!((view.phase, view.pot), ("over", Chips(800)));
    let pots = view.pots.iter().map(|pot| (pot.amount.0, pot.eligible, pot.winners)).collect::<Vec<_>>();
    assert_eq!(pots, [(600, seats(&[0, 1, 2]), seats(&[0])), (200, seats(&[1, 2]), seats(&[1]))]);
    let names = view.players.iter().map(|p| p.hand_name.as_deref()).collect::<Vec<_>>();
    assert_eq!(names, [Some("full house, aces over nines"), Some("two pair, kings and nines"), Some("pair of nines")]);
    assert_eq!(view.players.iter().map(|p| p.won.0).collect::<Vec<_>>(), [600, 200, 0]);
}

#[test]
fn every_pot_says_what_decided_it() {
    let decided = |stacks: &[i64], cards: &[(u8, &'static str)], board: &'static str| {
        let mut hand = Hand::with_cards(&setup(stacks, 0), cards, board);
        assert!(public(&hand).pots.iter().all(|pot| pot.decided.is_none()), "nobody has shown anything");
        hand.act(&[(0, ALL_IN), (1, ALL_IN), (2, ALL_IN)]);
        public(&hand).pots.iter().map(|pot| (pot.winners, pot.decided)).collect::<Vec<_>>()
    };
    let three = |cards| decided(&[200; 3], cards, "Ah 4h 9s Td 2c");
    let kicker = Some(Decided::Kicker(Rank::King));
    assert_eq!(three(&[(0, "Ac Kd"), (1, "As Qd"), (2, "3c 7d")]), [(seats(&[0]), kicker)]);
    assert_eq!(three(&[(0, "Ac Kd"), (1, "As Kc"), (2, "Ad Qs")]), [(seats(&[0, 1]), kicker)], "two beat the third");
    assert_eq!(three(&[(0, "Ac 3d"), (1, "As 3c"), (2, "Ad 3s")]), [(seats(&[0, 1, 2]), Some(Decided::Equal))]);
    assert_eq!(three(&[(0, "Ac Kd"), (1, "Ts Qd"), (2, "3c 7d")]), [(seats(&[0]), Some(Decided::Hand))]);
    let flushes = decided(&[200; 3], &[(0, "Kh 3h"), (1, "Qh Jh"), (2, "3c 7d")], "Ah 4h 9h Td 2c");
    assert_eq!(flushes, [(seats(&[0]), Some(Decided::FlushCard(Rank::King)))]);
    // The main pot goes to the kings, the side pot is between two others.
    let sides = decided(&[100, 300, 300], &[(0, "Kc Kd"), (1, "As Qd"), (2, "Ac Jd")], "Kh 4h 9s Td 2c");
    let side = Some(Decided::Kicker(Rank::Queen));
    assert_eq!(sides, [(seats(&[0]), Some(Decided::Hand)), (seats(&[1]), side)]);
}

#[test]
fn a_pot_that_nobody_contests_was_decided_by_no_hand() {
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, FOLD), (1, FOLD)]);
    assert_eq!(public(&hand).pots.iter().map(|pot| pot.decided).collect::<Vec<_>>(), [None]);
}

#[test]
fn the_last_to_bet_on_the_river_shows_first_else_left_of_the_button() {
    let check_down = [(1, CHECK), (2, CHECK), (0, CHECK)];
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, CALL), (1, CALL), (2, CHECK)]);
    [check_down; 3].iter().for_each(|street| hand.act(street));
    assert_eq!(public(&hand).showing, [seat(1), seat(2), seat(0)]);
    let mut hand = super::hand(&[1000; 3], 0);
    hand.act(&[(0, CALL), (1, CALL), (2, CHECK)]);
    [check_down; 2].iter().for_each(|street| hand.act(street));
    hand.act(&[(1, CHECK), (2, to(20)), (0, CALL), (1, CALL)]);
    assert_eq!(public(&hand).showing, [seat(2), seat(0), seat(1)]);
}

#[test]
fn moves_are_told_by_their_names() {
    let mut hand = hand(&[1000, 30, 1000], 0);
    let moves = |hand: &Hand| serde_json::to_string(&hand.moves()).unwrap();
    let first = r#"{"asked":true,"can_check":false,"to_call":20,"min_to":40,"max_to":1000,"can_all_in":true}"#;
    assert_eq!(moves(&hand), first);
    hand.act(&[(0, to(100))]);
    let second = r#"{"asked":true,"can_check":false,"to_call":20,"min_to":null,"max_to":null,"can_all_in":true}"#;
    assert_eq!(moves(&hand), second);
    let other = hand.rules().moves(Known::public(hand.table.open()), seat(0));
    assert_eq!(other, Moves::default());
}

#[test]
fn bets_of_half_the_pot_and_of_the_pot_count_the_call() {
    let sizes = |hand: &Hand| hand.moves().sizes(&public(hand));
    let raised = |stack: i64| {
        let mut hand = hand(&[1000, stack, 1000], 0);
        hand.act(&[(0, to(70))]);
        sizes(&hand)
    };
    // 20 to call make a pot of 50.
    let first = Amount { least: 40, most: 1000, step: 20, start: 45 };
    assert_eq!(sizes(&hand(&[1000; 3], 0)), Some(Sizes { amount: first, half_pot: 45, pot: 70 }));
    // 60 to call make a pot of 160.
    let second = Amount { least: 120, most: 1000, step: 20, start: 150 };
    assert_eq!(raised(1000), Some(Sizes { amount: second, half_pot: 150, pot: 230 }));
    let all_in = Amount { least: 100, most: 100, step: 20, start: 100 };
    assert_eq!(raised(100), Some(Sizes { amount: all_in, half_pot: 100, pot: 100 }), "there are no more chips");
    assert_eq!(raised(60), None, "a call is all that is left");
}
