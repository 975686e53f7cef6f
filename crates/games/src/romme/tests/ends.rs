//! Going out, blocked rounds, and what they score.

use super::*;

/// Thirteen cards that can all be laid at once.
const ALL_OUT: &str = "QC QH QS QD 5S 6S 7S 9H TH JH 3C 3D 3H";
const ALL_MELDS: [&str; 4] = ["QC QH QS QD", "5S 6S 7S", "9H TH JH", "3C 3D 3H"];
/// What [`DULL`] counts: 2 4 6 8 10 10 11 3 5 7 9 10 10.
const DULL_POINTS: i64 = 95;

#[test]
fn going_out_on_the_first_turn_is_hand_romme_and_counts_three_times() {
    let mut scene = Scene::new(&[ALL_OUT, DULL], "9D", "KC");
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS)).unwrap();
    scene.discard("KC").unwrap();
    assert_eq!(scene.view().ending, Some("hand rommé"));
    let orders: Vec<Order> = scene.table.orders().collect();
    assert_eq!(orders.len(), 13, "the hand that is scored is opened");
    scene.deal();
    assert_eq!(scene.outcome().ending, "hand rommé");
    assert_eq!(scene.result(), [0, 3 * DULL_POINTS]);
    assert_eq!(scene.view().winners, Seats::one(seat(0)));
    assert_eq!(scene.view().players[1].open.len(), 13);
    scene.conserved();
}

#[test]
fn going_out_at_once_on_a_later_turn_is_romme_and_counts_twice() {
    let mut scene = Scene::new(&[ALL_OUT, DULL], "9D", "KC KC 4C");
    scene.pass();
    scene.pass();
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS)).unwrap();
    scene.discard("4C").unwrap();
    scene.deal();
    assert_eq!((scene.outcome().ending.as_ref(), scene.result()), ("rommé", vec![0, 2 * DULL_POINTS]));
}

#[test]
fn going_out_after_an_earlier_opening_counts_once() {
    let mut scene = Scene::new(&[ALL_OUT, DULL], "9D", "KC");
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS[..3])).unwrap();
    scene.discard("KC").unwrap();
    scene.pass();
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS[3..])).unwrap();
    assert_eq!(scene.rules().hands[seat(0)].len(), 1);
    let last = scene.rules().hands[seat(0)].iter().next().unwrap();
    scene.act(Action::Discard(last)).unwrap();
    scene.deal();
    assert_eq!((scene.outcome().ending.as_ref(), scene.result()), ("went out", vec![0, DULL_POINTS]));
}

#[test]
fn the_opening_minimum_holds_for_romme_too() {
    let sixty = Setup { first_meld: 60, ..setup(2) };
    let mut scene = Scene::of(sixty, &["AC AH AS 2C 3C 4C 2H 3H 4H 2D 3D 4D 5D", DULL], "9D", "KC");
    scene.draw();
    let all = scene.meld(&["AC AH AS", "2C 3C 4C", "2H 3H 4H", "2D 3D 4D 5D"]);
    scene.act(all).unwrap();
    let mut scene =
        Scene::of(Setup { first_meld: 60, ..setup(2) }, &["AC 2C 3C 4C 2H 3H 4H 2D 3D 4D 2S 3S 4S", DULL], "9D", "KC");
    scene.draw();
    let all = scene.meld(&["AC 2C 3C 4C", "2H 3H 4H", "2D 3D 4D", "2S 3S 4S"]);
    assert_eq!(scene.refused(all), Illegal::OpeningTooLow { needed: 60, got: 37 });
}

#[test]
fn the_taken_card_may_go_back_if_it_is_the_last_one() {
    let mut scene = Scene::new(&[ALL_OUT, DULL], "9D", "");
    let taken = *scene.rules().pile.last().unwrap();
    scene.act(Action::DrawDiscard).unwrap();
    scene.act(scene.meld(&ALL_MELDS)).unwrap();
    assert_eq!(scene.view().barred, None);
    scene.act(Action::Discard(taken)).unwrap();
    scene.deal();
    assert_eq!(scene.outcome().ending, "hand rommé");
}

#[test]
fn with_out_without_discard_a_meld_or_lay_off_ends_the_round() {
    let open = Setup { out_without_discard: true, ..setup(2) };
    let mut scene = Scene::of(open.clone(), &[ALL_OUT, DULL], "9D", "8S");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS QD", "5S 6S 7S 8S", "9H TH JH", "3C 3D 3H"])).unwrap();
    scene.deal();
    assert_eq!((scene.outcome().ending.as_ref(), scene.result()), ("hand rommé", vec![0, 3 * DULL_POINTS]));
    let mut scene = Scene::of(open, &[ALL_OUT, DULL], "9D", "8S");
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS)).unwrap();
    scene.act(scene.lay_off(2, "8S")).unwrap();
    scene.deal();
    assert_eq!(scene.outcome().ending, "hand rommé");
}

#[test]
fn jokers_in_hand_count_twenty() {
    let mut scene = Scene::new(&[ALL_OUT, "JK JK AC KC 2C 2D 2H 2S 4C 4D 4H 4S 6C"], "9D", "KC");
    scene.draw();
    scene.act(scene.meld(&ALL_MELDS)).unwrap();
    scene.discard("KC").unwrap();
    scene.deal();
    assert_eq!(scene.result(), [0, 3 * (20 + 20 + 11 + 10 + 8 + 16 + 6)]);
}

/// Everybody draws and throws that card away until somebody would have to draw from nothing.
fn exhausted(max_reshuffles: u8) -> Scene {
    let mut scene = Scene::of(Setup { max_reshuffles, ..setup(2) }, &[OPENER, DULL], "9H", "");
    while !scene.rules().blocks() {
        scene.pass();
    }
    scene
}

#[test]
fn after_the_last_reshuffle_an_empty_stock_blocks_the_round() {
    for reshuffles in [0, 1, 2] {
        let mut scene = exhausted(reshuffles);
        assert_eq!(scene.rules().reshuffles, reshuffles);
        scene.conserved();
        scene.act(Action::DrawStock).unwrap();
        scene.deal();
        assert_eq!(scene.outcome().ending, "blocked");
        // 30 + 18 + 2 + 4 + 9 + 10 + 10 + 3 + 8 against the dull hand.
        assert_eq!(scene.result(), [94, DULL_POINTS]);
        assert_eq!(scene.view().winners, Seats::one(seat(0)), "the lowest hand wins the round");
    }
}

#[test]
fn the_discard_may_be_taken_when_the_stock_is_used_up() {
    let mut scene = exhausted(0);
    scene.act(Action::DrawDiscard).unwrap();
    let first = scene.rules().hands[scene.turn()].iter().next().unwrap();
    scene.act(Action::Discard(first)).unwrap();
    assert!(matches!(scene.rules().phase, Phase::Draw(_)));
}

#[test]
fn a_single_discard_that_is_not_taken_blocks_the_round() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    while scene.rules().stock_size() > 0 {
        scene.pass();
    }
    // As if all but the top lay in melds and hands.
    let mut rules = scene.rules().clone();
    let top = rules.pile.len() - 1;
    rules.pile.drain(..top);
    assert!(rules.blocks());
    let next = scene.turn();
    rules.apply(&Faces::new(), table::Input::Act { seat: next, action: &Action::DrawStock }).unwrap();
    assert!(matches!(rules.phase, Phase::Settling(end) if end.ending.word() == "blocked"));
}

#[test]
fn equal_hands_share_a_blocked_round() {
    let even = "2C 4H 6D 8S TC QD AC 3S 5D 7H 9C JH KD";
    let odd = "2D 4S 6C 8H TD QH AD 3H 5C 7S 9D JC KC";
    let mut scene = Scene::of(Setup { max_reshuffles: 0, ..setup(2) }, &[even, odd], "9H", "");
    while !scene.rules().blocks() {
        scene.pass();
    }
    scene.act(Action::DrawStock).unwrap();
    scene.deal();
    assert_eq!(scene.result(), [DULL_POINTS, DULL_POINTS]);
    assert_eq!(scene.view().winners, Seats::first(2));
}

#[test]
fn nothing_is_done_after_the_end() {
    let mut scene = exhausted(0);
    scene.act(Action::DrawStock).unwrap();
    scene.deal();
    assert_eq!(scene.table.awaiting(), Awaiting::Over);
    let mut rules = scene.rules().clone();
    let open = Faces::new();
    let action = table::Input::Act { seat: seat(0), action: &Action::DrawStock };
    assert_eq!(rules.apply(&open, action), Err(Illegal::WrongPhase));
    assert_eq!(rules.apply(&open, table::Input::Gone(seat(0))), Err(Illegal::WrongPhase));
    assert_eq!(rules.apply(&open, table::Input::Dealt), Err(Illegal::WrongPhase));
}
