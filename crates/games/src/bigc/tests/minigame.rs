//! The order of play.

use table::{Awaiting, Breakdown, Claim as _, Game as _, Move, Order, Refused, Rules as _, Seats, Series as _, Slot};

use super::help::{Script, seat, setup};
use crate::bigc::{Action, BigC, Choice, Illegal, OrderBy, Settings, Setup};

fn minigame(players: u8) -> Setup {
    Setup { order: OrderBy::Minigame, ..setup(players) }
}

const HANDS: [&str; 4] = ["9D 4C 5D 6D 7D", "3D 4C 8C 6C 7C", "KD 4C 8D 6S 7S", "AD 4D 8H 6D TD"];
/// Three packs, so that three players can show the same card.
fn four() -> Setup {
    Setup { decks: 3, ..minigame(4) }
}

#[test]
fn the_player_who_shows_the_lowest_card_plays_first() {
    let mut script = Script::begun(&four(), &HANDS, "");
    assert_eq!(script.table.awaiting(), Awaiting::Choices(Seats::first(4)));
    script.show(&[(0, "9D"), (1, "8C"), (2, "KD"), (3, "4D")]).unwrap();
    assert_eq!(script.order(), [3, 1, 0, 2]);
    assert_eq!(script.turn(), Some(3));
    // Shown cards stay in the hands and are known to all.
    let view = script.table.rules().view(table::Known::public(script.table.open()), table::Eye::Public);
    assert_eq!(view.players[0].cards, 5);
    assert_eq!(view.players[0].open[0].card, "9D".parse().ok());
    assert_eq!(view.players[0].shown, ["9D".parse().unwrap()]);
}

#[test]
fn a_tied_group_keeps_its_place_and_shows_again() {
    let mut script = Script::begun(&four(), &HANDS, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "4C"), (3, "4D")]).unwrap();
    assert_eq!(script.table.awaiting(), Awaiting::Choices(Seats::first(3)));
    assert_eq!(script.table.rules().admits_choice(seat(3), &Choice::Nothing), Err(Illegal::NotYourTurn));
    let shown = script.slots(0, "4C")[0];
    let again = script.table.rules().admits_choice(seat(0), &Choice::Show(shown));
    assert_eq!(again, Err(Illegal::AlreadyShown(shown)));
    script.show(&[(0, "9D"), (1, "7C"), (2, "8D")]).unwrap();
    assert_eq!(script.order(), [3, 1, 2, 0]);
}

#[test]
fn two_ties_are_broken_at_the_same_time_and_again_if_they_must() {
    let hands = ["9D 4C 5D 6D 7D", "9D 4C 5D 6D 7D", "KD 4H 5D 6D 7S", "KD 4H 5S 6D TD"];
    let mut script = Script::begun(&Setup { decks: 4, ..four() }, &hands, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "KD"), (3, "KD")]).unwrap();
    script.show(&[(0, "6D"), (1, "5D"), (2, "6D"), (3, "6D")]).unwrap();
    assert_eq!(script.order(), [1, 0, 2, 3]);
    assert_eq!(script.table.awaiting(), Awaiting::Choices(Seats::one(seat(2)).with(seat(3))));
    script.show(&[(2, "7S"), (3, "4H")]).unwrap();
    assert_eq!(script.order(), [1, 0, 3, 2]);
}

#[test]
fn choices_are_refused_with_their_reason() {
    let mut script = Script::new(&four(), &HANDS, "");
    let admits = |script: &Script, n: u8, choice| script.table.rules().admits_choice(seat(n), &choice);
    let own = Slot::new(0, 0);
    assert_eq!(admits(&script, 0, Choice::Show(own)), Err(Illegal::WrongPhase));
    script.deal();
    assert_eq!(admits(&script, 0, Choice::Show(own)), Ok(()));
    assert_eq!(admits(&script, 1, Choice::Show(own)), Err(Illegal::CardNotInHand(own)));
    assert_eq!(admits(&script, 5, Choice::Show(own)), Err(Illegal::NotSeated));
    // Three packs have six jokers: these five cards might all be jokers.
    assert_eq!(admits(&script, 0, Choice::Nothing), Ok(()));
    let hands: [&str; 4] = ["9D 4C 5D 6D 7D"; 4];
    let script = Script::begun(&Setup { decks: 2, ..minigame(2) }, &hands[..2], "");
    assert_eq!(admits(&script, 0, Choice::Nothing), Err(Illegal::HasCardToShow));
    let mut script = script;
    let refused = script.show(&[(0, ""), (1, "4C")]).unwrap_err();
    assert_eq!(refused, Refused::IllegalChoice(seat(0), Illegal::HasCardToShow));
    assert_eq!(script.try_act(0, Action::Pass), Err(Refused::Illegal(Illegal::WrongPhase)));
}

#[test]
fn a_house_that_knows_the_cards_refuses_a_joker() {
    let script = Script::begun(&minigame(2), &["4D JK JK JK JK", "2S 4C 5D 6D 7D"], "");
    let house = |n: u8, choice| script.table.admits_choice(seat(n), &choice, |claim| claim.holds(&script.faces));
    let show = |card| Choice::Show(script.slots(0, card)[0]);
    assert_eq!(house(0, show("JK")), Err(Illegal::JokerShown));
    assert_eq!(house(0, show("4D")), Ok(()));
    // Nor can somebody have nothing to show who has.
    let script = Script::begun(&Setup { decks: 3, ..minigame(2) }, &["4D JK JK JK JK", "2S 4C 5D 6D 7D"], "");
    let house = |n: u8, choice| script.table.admits_choice(seat(n), &choice, |claim| claim.holds(&script.faces));
    assert_eq!(house(0, Choice::Nothing), Err(Illegal::HasCardToShow));
}

#[test]
fn a_joker_that_is_shown_breaks_the_deal_when_it_is_opened() {
    let hands = ["4D JK JK JK JK", "2S 4C 5D 6D 7D", "2H 4D 5C 6C 7C"];
    let mut script = Script::begun(&minigame(3), &hands, "");
    script.show(&[(0, "JK"), (1, "2S"), (2, "2H")]).unwrap();
    let liar = Seats::one(seat(0));
    assert_eq!(script.outcome().broken_off, Some(Breakdown::FalseClaim(liar)));
    assert_eq!(script.points(), [10, 0, 0]);
    // The liar has lost the match, too.
    let settings = Settings { deals: 5, ..Settings::default() };
    let mut series = BigC::start(&settings, 3).unwrap();
    series.finish(script.table.rules(), script.outcome());
    assert_eq!(series.standing().place.as_slice(), [3, 1, 1]);
    assert_eq!(series.next(0).unwrap().gone, liar);
}

#[test]
fn several_jokers_shown_are_several_lies() {
    let mut script = Script::begun(&minigame(3), &["4D JK 5S 8S 9S", "JK 4C 5D 6D 7D", "2H 4D 5C 6C 7C"], "");
    script.show(&[(0, "JK"), (1, "JK"), (2, "2H")]).unwrap();
    assert_eq!(script.points(), [10, 10, 0]);
}

#[test]
fn a_joker_and_another_lie_are_found_at_the_same_time() {
    let hands = ["4C JK 5S 8S 9S", "4C JK JK JK 8D", "2H 4D 5C 6C 7C", "2H 4D JK 6C 7C"];
    let mut script = Script::begun(&Setup { decks: 3, ..minigame(4) }, &hands, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "2H"), (3, "2H")]).unwrap();
    // Seat 1 has an eight to show, and seat 3 shows a joker.
    script.show(&[(0, "5S"), (1, ""), (2, "4D"), (3, "JK")]).unwrap();
    let liars = Seats::one(seat(1)).with(seat(3));
    assert_eq!(script.outcome().broken_off, Some(Breakdown::FalseClaim(liars)));
    assert_eq!(script.points(), [0, 10, 0, 10]);
}

#[test]
fn a_joker_shown_to_break_a_tie_breaks_the_deal_as_well() {
    let mut script = Script::begun(&minigame(3), &["4C JK 5S 8S 9S", "4C 5D 6D 7D 8D", "2H 4D 5C 6C 7C"], "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "2H")]).unwrap();
    script.show(&[(0, "JK"), (1, "5D")]).unwrap();
    assert_eq!(script.points(), [10, 0, 0]);
}

#[test]
fn if_a_whole_hand_is_jokers_lots_decide() {
    let hands = ["JK JK JK JK JK", "2S 4C 5D 6D 7D", "2H 4D 5C 6C 7C"];
    let mut script = Script::begun(&Setup { decks: 3, ..minigame(3) }, &hands, "");
    let default = script.table.rules().default_move(script.known(), seat(0));
    assert_eq!(default, Some(Move::Choose(Choice::Nothing)));
    script.show(&[(0, ""), (1, "2S"), (2, "4D")]).unwrap();
    assert_eq!(script.order(), [0, 1, 2]);
    // The chooser has no card to play, either.
    script.try_act(0, Action::PassRole).unwrap();
    assert_eq!(script.turn(), Some(1));
}

#[test]
fn lots_decide_if_a_tied_player_has_nothing_left_to_show() {
    let hands = ["AD 4C 5D 6D 7D", "4C JK JK JK JK", "2H 4D 5C 6C 7C"];
    let mut script = Script::begun(&minigame(3), &hands, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "2H")]).unwrap();
    let default = script.table.rules().default_move(script.known(), seat(1));
    assert_eq!(default, Some(Move::Choose(Choice::Nothing)));
    script.show(&[(0, "5D"), (1, "")]).unwrap();
    // The other's card was not needed and stays closed.
    assert!(script.slots(0, "5D").iter().all(|slot| script.table.open().get(*slot).is_none()));
    assert_eq!(script.order(), [0, 1, 2]);
    script.gone(0);
    script.play(1, "4C");
    script.pass(2);
    script.try_act(1, Action::PassRole).unwrap();
    script.gone(2);
    // What was not shown is looked at, and is as it was said to be.
    assert_eq!(script.table.awaiting(), Awaiting::Dealer);
    let opened: Vec<Order> = script.table.orders().collect();
    assert_eq!(opened.len(), 4);
    script.deal();
    assert_eq!(script.outcome().ending, "left alone");
    assert_eq!(script.points(), [10, 0, 10]);
}

#[test]
fn having_nothing_to_show_falsely_breaks_the_deal_at_its_end() {
    let hands = ["4C 4D 6D 7D 8D", "4C JK JK JK 9S", "2H 4D 5C 6C 7C"];
    let mut script = Script::begun(&minigame(3), &hands, "");
    script.show(&[(0, "4C"), (1, "4C"), (2, "2H")]).unwrap();
    script.show(&[(0, "8D"), (1, "")]).unwrap();
    for card in ["4C", "4D", "6D", "7D"] {
        script.play(0, card);
        script.pass(1);
        script.pass(2);
    }
    script.play(0, "8D");
    assert_eq!(script.outcome().broken_off, Some(Breakdown::FalseClaim(Seats::one(seat(1)))));
    assert_eq!(script.points(), [0, 10, 0]);
}

#[test]
fn time_out_shows_the_lowest_card_that_is_no_joker() {
    let hands = ["JK 9C 4C 2D 7D", "4C 4D 8D 9S TS"];
    let mut script = Script::begun(&minigame(2), &hands, "");
    let default = |script: &Script, n: u8| script.table.rules().default_move(script.known(), seat(n));
    assert_eq!(default(&script, 0), Some(Move::Choose(Choice::Show(script.slots(0, "4C")[0]))));
    script.show(&[(0, "4C"), (1, "4C")]).unwrap();
    assert_eq!(default(&script, 0), Some(Move::Choose(Choice::Show(script.slots(0, "7D")[0]))));
    let blind = table::Known::public(script.table.open());
    assert_eq!(script.table.rules().default_move(blind, seat(0)), None);
}

#[test]
fn the_order_can_be_drawn_by_lot() {
    let hands = ["9D 4C 5D 6D 7D", "3D 4C 8C 6C 7C", "KD 4D 8D 6S 7S"];
    let mut script = Script::new(&setup(3), &hands, "");
    script.deal_once().unwrap();
    for (n, lot) in [3, 1, 2].into_iter().enumerate() {
        script.faces.insert(Slot::new(1, u16::try_from(n).unwrap()), cards::Card::lot(lot).unwrap());
    }
    script.table.dealt(script.table.height(), &script.faces).unwrap();
    assert_eq!(script.order(), [1, 2, 0]);
    assert_eq!(script.turn(), Some(1));
    assert_eq!(script.table.rules().decks(), 0..2);
}
