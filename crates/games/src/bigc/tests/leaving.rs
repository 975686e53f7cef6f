//! Leaving, in every phase.

use table::{Awaiting, Order, Refused, Seats};

use super::help::{Script, count_cards, seat, setup};
use crate::bigc::{Action, Choice, Illegal, OrderBy, Setup};

const HANDS: [&str; 3] = ["4D 4H 9C KS 3D", "4S 5D 5C 9D AS", "6D 6C 7H JK 2S"];

fn three() -> Script {
    Script::begun(&setup(3), &HANDS, "8D 8C 8H 8S TD TC")
}

#[test]
fn nobody_leaves_twice_or_after_the_end() {
    let mut script = three();
    script.gone(1);
    let again = script.table.gone(script.table.height(), seat(1));
    assert_eq!(again, Err(Refused::Illegal(Illegal::NotSeated)));
    assert_eq!(script.try_act(1, Action::Pass), Err(Refused::Illegal(Illegal::NotSeated)));
    script.gone(0);
    assert_eq!(script.outcome().ending, "left alone");
    assert_eq!(script.points(), [10, 10, 0]);
    assert!(script.table.gone(script.table.height(), seat(2)).is_err());
}

#[test]
fn who_leaves_while_cards_are_dealt_gets_none() {
    let mut script = Script::new(&setup(3), &HANDS, "");
    script.gone(1);
    let to: Vec<_> = script
        .table
        .orders()
        .filter_map(|order| match order {
            Order::Deal { to, .. } => Some(to.index()),
            Order::Shuffle { .. } | Order::Open { .. } => None,
        })
        .collect();
    assert_eq!(to, [0, 2]);
    script.deal();
    assert_eq!(script.order(), [0, 2]);
    assert_eq!(script.table.rules().pile.len(), 5);
    assert_eq!(count_cards(script.table.rules()), 108);
}

#[test]
fn seats_that_left_the_match_are_not_dealt_in() {
    let setup = Setup { gone: Seats::one(seat(1)), ..setup(3) };
    let mut script = Script::begun(&setup, &[HANDS[0], HANDS[2]], "");
    assert_eq!(script.order(), [0, 2]);
    let left = script.table.gone(script.table.height(), seat(1));
    assert_eq!(left, Err(Refused::Illegal(Illegal::NotSeated)));
    script.gone(0);
    assert_eq!(script.points(), [10, 0, 0]);
}

#[test]
fn leaving_while_choosing_or_showing_shrinks_the_tie() {
    let setup = Setup { order: OrderBy::Minigame, ..setup(3) };
    let mut script = Script::begun(&setup, &["4D 4H 9C KS 3D", "4D 5D 5C 9D AS", "6D 6C 7H JK 2S"], "");
    script.show(&[(0, "4D"), (1, "4D"), (2, "6D")]).unwrap();
    assert_eq!(script.table.awaiting(), Awaiting::Choices(Seats::first(2)));
    script.gone(0);
    assert_eq!((script.order(), script.turn()), (vec![1, 2], Some(1)));

    let mut script = Script::begun(&setup, &HANDS, "");
    let choices: Vec<_> = [(0, "9C"), (1, "AS"), (2, "6D")]
        .iter()
        .map(|(n, card)| (seat(*n), Choice::Show(script.slots(*n, card)[0])))
        .collect();
    script.table.choose(script.table.height(), &choices).unwrap();
    script.gone(0);
    assert_eq!(script.table.orders().count(), 2);
    script.deal();
    assert_eq!(script.order(), [2, 1]);
}

#[test]
fn if_all_who_were_to_show_a_card_leave_the_others_go_on() {
    let setup = Setup { order: OrderBy::Minigame, ..setup(4) };
    let hands = ["4D 4H 9C KS 3D", "4D 5D 5C 9D AS", "6D 6C 7H JK 2S", "8D 8C 8H 8S TD"];
    let mut script = Script::begun(&setup, &hands, "");
    script.show(&[(0, "4D"), (1, "4D"), (2, "6D"), (3, "8D")]).unwrap();
    let choices = [(0, "9C"), (1, "AS")].map(|(n, card)| (seat(n), Choice::Show(script.slots(n, card)[0])));
    script.table.choose(script.table.height(), &choices).unwrap();
    script.gone(0);
    assert_eq!(script.table.awaiting(), Awaiting::Dealer);
    script.gone(1);
    assert_eq!((script.order(), script.turn()), (vec![2, 3], Some(2)));
}

#[test]
fn what_somebody_said_who_left_is_looked_at_as_well() {
    let setup = Setup { order: OrderBy::Minigame, hand_size: 5, ..setup(3) };
    let hands = ["4C 4D 6D 7D 8D", "4C JK JK JK 9S", "2H 4D 5C 6C 7C"];
    let mut script = Script::begun(&setup, &hands, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "2H")]).unwrap();
    script.show(&[(0, "8D"), (1, "")]).unwrap();
    script.gone(1);
    for card in ["4C", "4D", "6D", "7D"] {
        script.play(0, card);
        script.pass(2);
    }
    script.play(0, "8D");
    assert_eq!(script.points(), [0, 10, 0]);
}

#[test]
fn leaving_while_lots_are_drawn_leaves_the_order_of_the_others() {
    let mut script = Script::new(&setup(3), &HANDS, "");
    script.deal_once().unwrap();
    script.gone(1);
    script.deal();
    assert_eq!(script.order(), [0, 2]);
}

#[test]
fn a_leaver_s_hand_goes_under_the_pile_and_the_turn_goes_on() {
    let mut script = three();
    script.play(0, "3D");
    script.gone(1);
    assert_eq!(script.turn(), Some(2));
    assert_eq!(script.table.rules().pile.len(), 5);
    assert!(script.hand(1).is_empty());
    script.pass(2);
    assert_eq!(script.turn(), Some(0));
}

#[test]
fn a_chooser_who_leaves_is_followed_by_the_next() {
    let mut script = three();
    script.gone(0);
    assert_eq!(script.turn(), Some(1));
    script.play(1, "4S");
    assert_eq!(script.turn(), Some(2));
}

#[test]
fn a_leaver_s_hand_stays_to_be_beaten_but_costs_them_nothing() {
    let mut script = three();
    script.play(0, "4H");
    script.gone(0);
    assert!(script.table.rules().laid.is_some());
    script.try_play(1, "4S").unwrap();
    assert_eq!(script.turn(), Some(2));
}

#[test]
fn if_the_owner_left_and_all_pass_the_next_in_turn_chooses() {
    let mut script = three();
    script.play(0, "KS");
    script.gone(0);
    script.pass(1);
    assert_eq!(script.turn(), Some(2));
    script.pass(2);
    assert_eq!(script.turn(), Some(1));
    assert!(script.table.rules().laid.is_none());
}

#[test]
fn the_last_one_who_had_not_passed_leaves_and_the_round_is_over() {
    let mut script = three();
    script.play(0, "KS");
    script.pass(1);
    script.gone(2);
    assert_eq!(script.turn(), Some(0));
    assert!(script.table.rules().laid.is_none());
}

#[test]
fn a_penalty_on_a_leaver_is_void() {
    let mut script = three();
    script.play(0, "4H");
    script.try_play(1, "4S").unwrap();
    assert_eq!(script.table.awaiting(), Awaiting::Dealer);
    script.gone(0);
    assert_eq!(script.turn(), Some(2));
    assert_eq!(count_cards(script.table.rules()), 108);
    // The card they were about to draw, and may have seen, is drawn by nobody else.
    assert_eq!(script.table.rules().pile.last(), Some(&table::Slot::new(0, 15)));
}

#[test]
fn somebody_else_leaving_does_not_stop_a_draw() {
    let mut script = three();
    script.play(0, "4H");
    script.try_play(1, "4S").unwrap();
    script.gone(2);
    assert_eq!(script.table.awaiting(), Awaiting::Dealer);
    script.deal();
    assert_eq!(script.hand(0).len(), 5);
    assert_eq!(script.turn(), Some(0));
}

#[test]
fn a_last_chance_goes_to_the_next_player_if_the_first_leaves() {
    let hands = ["4D 5D 6D 9D TD", "3S 5C 6C 9C TC", "4C 5C 6C 9C TC"];
    let mut script = Script::begun(&Setup { last_chance: true, ..setup(3) }, &hands, "");
    script.play(0, "4D 5D 6D 9D TD");
    script.gone(1);
    assert_eq!(script.turn(), Some(2));
    script.play(2, "4C 5C 6C 9C TC");
    assert_eq!(script.hand(0).len(), 1);
    assert_eq!(script.turn(), Some(0));
    script.pass(0);
    assert_eq!(script.table.rules().winner(), Some(seat(2)));
    assert_eq!(script.points(), [1, 10, 0]);
}

#[test]
fn a_winner_about_to_be_who_leaves_has_not_won() {
    let hands = ["4D 5D 6D 9D TD", "3S 5C 6C 9C TC", "4C 5C 6C 9C TC"];
    let mut script = Script::begun(&Setup { last_chance: true, ..setup(3) }, &hands, "");
    script.play(0, "4D 5D 6D 9D TD");
    script.gone(0);
    script.pass(1);
    script.pass(2);
    assert_eq!(script.turn(), Some(1));
}
