//! Rounds, footstools, drawing and going out.

use table::{Breakdown, Known, Move, Order, Refused, Rules as _, Seats, Slot, Source};

use super::help::{Script, count_cards, seat, setup};
use crate::bigc::round::MOST_RECYCLINGS;
use crate::bigc::{Action, Did, Few, Footstool, Illegal, NotAHand, Setup, Stooled};

const HANDS: [&str; 3] = ["4D 4H 9C KS 3D", "4S 5D 5C 9D AS", "6D 6C 7H JK 2S"];

fn three() -> Script {
    Script::begun(&setup(3), &HANDS, "8D 8C 8H 8S TD TC")
}

fn illegal(why: Illegal) -> Result<(), Refused<Illegal>> {
    Err(Refused::Illegal(why))
}

#[test]
fn a_chooser_must_play_a_hand_and_others_wait() {
    let mut script = three();
    assert_eq!(script.try_act(0, Action::Pass), illegal(Illegal::ChooserMustPlay));
    assert_eq!(script.try_act(0, Action::PassRole), illegal(Illegal::ChooserMustPlay));
    assert_eq!(script.try_act(1, Action::Pass), illegal(Illegal::NotYourTurn));
    assert_eq!(script.try_play(1, "4S"), illegal(Illegal::NotYourTurn));
    script.play(0, "3D");
    assert_eq!(script.turn(), Some(1));
    assert_eq!(script.try_act(1, Action::PassRole), illegal(Illegal::NotChooser));
}

#[test]
fn hands_are_refused_with_their_reason() {
    let mut script = three();
    let play = |slots: &[Slot]| Action::Play(Few::new(slots).unwrap());
    let none = Illegal::WrongHandSize { round: None, got: 0 };
    assert_eq!(script.try_act(0, play(&[])), illegal(none));
    let four = script.slots(0, "4D 4H 9C KS");
    assert_eq!(script.try_act(0, play(&four)), illegal(Illegal::WrongHandSize { round: None, got: 4 }));
    let foreign = script.slots(1, "4S")[0];
    assert_eq!(script.try_act(0, play(&[foreign])), illegal(Illegal::CardNotInHand(foreign)));
    assert!(script.table.open().get(foreign).is_none());
    let own = script.slots(0, "4D")[0];
    assert_eq!(script.try_act(0, play(&[own, own])), illegal(Illegal::DuplicateCard(own)));
    assert_eq!(script.try_play(0, "3D 4D"), illegal(Illegal::IllegalHand(NotAHand::NotOneRank)));
    let five = "4D 4H 9C KS 3D";
    assert_eq!(script.try_play(0, five), illegal(Illegal::IllegalHand(NotAHand::NoClass)));
    script.play(0, "9C");
    assert_eq!(script.try_play(1, "5D 5C"), illegal(Illegal::WrongHandSize { round: Some(1), got: 2 }));
    assert_eq!(script.try_play(1, "9D"), illegal(Illegal::NotHigher));
    script.pass(1);
    assert_eq!(script.try_play(2, "JK"), illegal(Illegal::IllegalHand(NotAHand::OnlyJokers)));
}

#[test]
fn a_card_cannot_be_played_without_its_face() {
    let mut script = three();
    let card = Few::new(&script.slots(0, "3D")).unwrap();
    let nothing = table::Faces::new();
    let refused = script.table.act(script.table.height(), seat(0), &Action::Play(card), &nothing);
    assert_eq!(refused, Err(Refused::NotShown(card.as_slice()[0])));
}

#[test]
fn a_pass_skips_one_turn_and_all_others_passing_ends_the_round() {
    let mut script = three();
    script.play(0, "4D");
    script.pass(1);
    script.play(2, "6D");
    script.pass(0);
    script.play(1, "AS");
    script.play(2, "2S");
    script.pass(0);
    assert_eq!(script.table.rules().did[seat(0)], Did::Passed);
    script.pass(1);
    assert_eq!(script.turn(), Some(2));
    assert!(script.table.rules().laid.is_none());
    assert_eq!(script.table.rules().pile.len(), 4);
    script.play(2, "6C JK");
    assert_eq!(script.turn(), Some(0));
}

#[test]
fn with_two_players_one_pass_ends_the_round() {
    let mut script = Script::begun(&setup(2), &HANDS[..2], "");
    script.play(0, "3D");
    script.pass(1);
    assert_eq!(script.turn(), Some(0));
}

#[test]
fn a_half_footstool_costs_the_owner_of_the_lower_hand_one_card() {
    let mut script = three();
    script.play(0, "4H");
    script.try_play(1, "4S").unwrap();
    let orders: Vec<Order> = script.table.orders().collect();
    assert!(matches!(orders[..], [Order::Deal { to, slots }] if to == seat(0) && slots.len == 1), "{orders:?}");
    assert_eq!(script.try_act(2, Action::Pass), illegal(Illegal::WrongPhase));
    script.deal();
    assert_eq!(script.hand(0).last(), "8D".parse().ok().as_ref());
    let made = Stooled { by: seat(1), of: seat(0), kind: Footstool::Half, drawn: 1 };
    assert_eq!(script.table.rules().last_footstool, Some(made));
    assert_eq!(script.turn(), Some(2));
    // The drawn card is nobody else's business.
    assert!(script.table.open().get(*script.table.rules().hand(seat(0)).last().unwrap()).is_none());
}

#[test]
fn a_full_footstool_costs_two_cards_even_if_others_passed_in_between() {
    let hands = ["4H 4D 9C KS 3D", "4S 5D 5C 9D AS", "4H 6C 7H JK 2S"];
    let mut script = Script::begun(&setup(3), &hands, "8D 8C 8H");
    script.play(0, "4H");
    script.pass(1);
    script.play(2, "4H");
    assert_eq!(script.hand(0).len(), 6);
    assert_eq!(script.turn(), Some(0));
}

const STEPPED_ON: [&str; 3] = ["4H 3D 9C KS TD", "4H 5D 5C 9D AS", "6D 6C 7H JK 2S"];

/// A deal with only so many cards in the stock, whose pile has been recycled so often.
fn with_stock(setup: &Setup, hands: &[&str], stock: u16, recycled: u16) -> Script {
    let mut script = Script::new(setup, hands, "");
    script.rig(|deal| {
        deal.stock.end = deal.stock.next + stock;
        deal.recycled = recycled;
    });
    script.deal();
    script
}

#[test]
fn a_stock_that_is_too_small_is_shuffled_with_the_pile() {
    let mut script = with_stock(&setup(3), &STEPPED_ON, 1, 0);
    script.play(0, "3D");
    script.pass(1);
    script.pass(2);
    script.play(0, "4H");
    script.try_play(1, "4H").unwrap();
    let orders: Vec<Order> = script.table.orders().collect();
    // The card left, the three and the lower four; the hand on the table stays.
    let from = Source::Slots([Slot::new(0, 15), Slot::new(0, 3), Slot::new(0, 0)].into());
    assert_eq!(orders[0], Order::Shuffle { deck: 2, from });
    assert!(matches!(orders[1], Order::Deal { slots, .. } if slots.first == Slot::new(2, 0) && slots.len == 2));
    assert_eq!(script.table.rules().decks(), 0..3);
    script.deal();
    assert_eq!(script.hand(0).len(), 5);
    assert_eq!(script.table.rules().stock.left(), 1);
    assert!(script.table.rules().pile.is_empty());
    // A recycled card is played like any other.
    script.pass(2);
    script.play(0, "KS");
    script.pass(1);
    script.pass(2);
    script.play(0, "3D");
    assert_eq!(script.table.open().get(Slot::new(2, 1)), "3D".parse().ok());
}

#[test]
fn only_existing_cards_are_drawn() {
    let mut script = with_stock(&setup(3), &STEPPED_ON, 0, 0);
    script.play(0, "4H");
    script.play(1, "4H");
    // The pile is the hand that was stepped on, and nothing else.
    assert_eq!(script.hand(0).len(), 5);
    let made = script.table.rules().last_footstool.unwrap();
    assert_eq!((made.kind, made.drawn), (Footstool::Full, 1));
}

#[test]
fn the_pile_is_recycled_only_so_often() {
    let mut script = with_stock(&setup(3), &STEPPED_ON, 1, MOST_RECYCLINGS);
    script.play(0, "4H");
    script.play(1, "4H");
    assert_eq!(script.hand(0).len(), 5);
    assert_eq!(script.table.rules().pile.len(), 1);
    assert_eq!(script.table.rules().last_footstool.unwrap().drawn, 1);
}

#[test]
fn passing_can_cost_cards() {
    let mut script = Script::begun(&Setup { pass_draws: 2, ..setup(3) }, &HANDS, "8D 8C 8H 8S TD TC");
    let all = count_cards(script.table.rules());
    script.play(0, "KS");
    script.pass(1);
    assert_eq!(script.hand(1).len(), 7);
    script.pass(2);
    assert_eq!(script.hand(2).len(), 7);
    assert_eq!(script.turn(), Some(0));
    assert_eq!(script.hand(0).len(), 4);
    assert_eq!(count_cards(script.table.rules()), all);
}

#[test]
fn a_player_who_plays_their_last_card_wins_at_once() {
    let hands = ["4D 5D 6D 9D TD", "3D 4D 6D 8D TC", "6C 6S 7H JK 2S"];
    let mut script = Script::begun(&setup(3), &hands, "");
    script.play(0, "4D 5D 6D 9D TD");
    assert_eq!(script.outcome().ending, "went out");
    assert_eq!(script.points(), [0, 5, 5]);
    assert_eq!(script.try_act(1, Action::Pass), Err(Refused::NotAwaited(table::Awaiting::Over)));
}

#[test]
fn the_last_hand_wins_before_its_footstool_is_paid_for() {
    let hands = ["3D 2S 7S 4D 5D 6D 9D TD", "8H KC AS 4C 5C 6C 9C TC"];
    let mut script = Script::begun(&Setup { hand_size: 8, ..setup(2) }, &hands, "");
    script.play(0, "3D");
    script.play(1, "8H");
    script.pass(0);
    script.play(1, "KC");
    script.pass(0);
    script.play(1, "AS");
    script.play(0, "2S");
    script.pass(1);
    script.play(0, "4D 5D 6D 9D TD");
    script.play(1, "4C 5C 6C 9C TC");
    assert_eq!(script.points(), [1, 0]);
}

/// Seat 0 has a flush to go out with.
const GOING_OUT: [&str; 3] = ["4D 5D 6D 9D TD", "4C 5C 6C 9C TC", "4S 5S 6S 9S 2S"];

fn last_chance() -> Script {
    Script::begun(&Setup { last_chance: true, ..setup(3) }, &GOING_OUT, "8D 8C 8H 8S")
}

#[test]
fn with_last_chance_a_pass_lets_the_last_hand_win() {
    let mut script = last_chance();
    script.play(0, "4D 5D 6D 9D TD");
    assert_eq!(script.turn(), Some(1));
    script.pass(1);
    assert_eq!(script.points(), [0, 5, 5]);
}

#[test]
fn with_last_chance_an_answer_without_a_footstool_is_too_little() {
    let hands = [GOING_OUT[0], "4S 5S 6S 9S 2S", "4C 5C 6C 9C TC"];
    let mut script = Script::begun(&Setup { last_chance: true, ..setup(3) }, &hands, "");
    script.play(0, "4D 5D 6D 9D TD");
    script.play(1, "4S 5S 6S 9S 2S");
    assert_eq!(script.outcome().ending, "went out");
    assert_eq!(script.table.rules().winner(), Some(seat(0)));
    assert_eq!(script.points(), [0, 0, 5]);
}

#[test]
fn with_last_chance_a_footstool_takes_the_victory_back() {
    let mut script = last_chance();
    script.play(0, "4D 5D 6D 9D TD");
    // One step above, and itself a last hand: the next player may answer in turn.
    script.play(1, "4C 5C 6C 9C TC");
    assert_eq!(script.hand(0), ["8D".parse().unwrap()]);
    assert_eq!(script.turn(), Some(2));
    script.pass(2);
    assert_eq!(script.table.rules().winner(), Some(seat(1)));
    assert_eq!(script.points(), [1, 0, 5]);
}

#[test]
fn with_last_chance_a_footstool_without_a_card_to_draw_changes_nothing() {
    let mut script = with_stock(&Setup { last_chance: true, ..setup(3) }, &GOING_OUT, 0, MOST_RECYCLINGS);
    script.play(0, "4D 5D 6D 9D TD");
    script.play(1, "4C 5C 6C 9C TC");
    assert_eq!(script.table.rules().winner(), Some(seat(0)));
}

const JOKERS: [&str; 2] = ["3D 5D 7D JK JK", "4C 6C 8C JK JK"];

#[test]
fn a_chooser_with_only_jokers_passes_the_role_and_nobody_able_blocks_the_deal() {
    let mut script = Script::begun(&setup(2), &JOKERS, "");
    for (n, card) in [(0, "3D"), (1, "4C"), (0, "5D"), (1, "6C"), (0, "7D"), (1, "8C")] {
        script.play(n, card);
    }
    script.pass(0);
    assert_eq!(script.turn(), Some(1));
    assert_eq!(script.try_act(1, Action::Pass), illegal(Illegal::ChooserMustPlay));
    let default = script.table.rules().default_move(script.known(), seat(1));
    assert_eq!(default, Some(Move::Act(Action::PassRole)));
    assert!(!script.would_be_refused(1, Action::PassRole));
    script.try_act(1, Action::PassRole).unwrap();
    assert_eq!(script.turn(), Some(0));
    script.try_act(0, Action::PassRole).unwrap();
    // The jokers are opened before the result stands.
    assert_eq!(script.table.orders().count(), 4);
    script.deal();
    assert_eq!(script.outcome().ending, "blocked");
    assert_eq!(script.points(), [2, 2]);
}

const NOT_ONLY_JOKERS: [&str; 2] = ["3D JK JK JK 9S", "4C 6C 8C 9C KC"];

#[test]
fn only_jokers_claimed_falsely_is_refused_by_a_house_and_found_at_the_end_by_others() {
    let mut script = Script::begun(&setup(2), &NOT_ONLY_JOKERS, "");
    script.play(0, "3D");
    script.pass(1);
    assert!(script.would_be_refused(0, Action::PassRole));
    let height = script.table.height();
    let house = script.table.act_if(height, seat(0), &Action::PassRole, &script.faces, |_| false);
    assert_eq!(house, illegal(Illegal::ChooserMustPlay));
    script.try_act(0, Action::PassRole).unwrap();
    for card in ["4C", "6C", "8C", "9C"] {
        script.play(1, card);
        script.pass(0);
    }
    script.play(1, "KC");
    assert_eq!(script.outcome().broken_off, Some(Breakdown::FalseClaim(Seats::one(seat(0)))));
    assert_eq!(script.points(), [10, 0]);
}

#[test]
fn time_out_passes_or_plays_the_lowest_single() {
    let mut script = three();
    let default = |script: &Script, n| script.table.rules().default_move(script.known(), seat(n));
    let lowest = Few::new(&script.slots(0, "3D")).unwrap();
    assert_eq!(default(&script, 0), Some(Move::Act(Action::Play(lowest))));
    assert_eq!(default(&script, 1), None);
    assert_eq!(script.table.rules().default_move(Known::public(script.table.open()), seat(0)), None);
    script.play(0, "3D");
    assert_eq!(default(&script, 1), Some(Move::Act(Action::Pass)));
}

#[test]
fn a_broken_deal_costs_the_culprit_twice_the_hand_size() {
    let mut script = three();
    script.play(0, "3D");
    let rules = script.table.rules();
    let points = |why| rules.break_off(why).result.iter().map(|chips| chips.0).collect::<Vec<_>>();
    assert_eq!(points(Breakdown::DealerFailed), [0, 0, 0]);
    assert_eq!(points(Breakdown::Vanished(Seats::one(seat(1)))), [0, 10, 0]);
    assert_eq!(points(Breakdown::FalseClaim(Seats::first(2))), [10, 10, 0]);
}
