//! Opening, melding, laying off and swapping jokers.

use crate::romme::Flaw;

use super::*;

/// After an opening with the queens: seat 0 to play on.
fn opened(hand: &str) -> Scene {
    let mut scene = Scene::new(&[&format!("QC QH QS {hand}"), DULL], "9H", "TH");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    scene
}

#[test]
fn the_first_melds_need_thirty_points() {
    let mut scene = Scene::new(&["7S 7H 7D 3C 4C 5C QC QH QS", DULL], "9H", "");
    scene.draw();
    assert_eq!(scene.refused(scene.meld(&["7S 7H 7D"])), Illegal::OpeningTooLow { needed: 30, got: 21 });
    assert_eq!(scene.refused(scene.meld(&["3C 4C 5C"])), Illegal::OpeningTooLow { needed: 30, got: 12 });
    scene.act(scene.meld(&["7S 7H 7D", "3C 4C 5C"])).unwrap();
    assert_eq!((scene.shown(0), scene.shown(1)), ("7D 7H 7S".to_owned(), "3C 4C 5C".to_owned()));
    assert!(scene.view().players[0].opened);
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    scene.conserved();
}

#[test]
fn the_points_asked_for_are_a_setting() {
    let forty = Setup { first_meld: 40, ..setup(2) };
    let mut scene = Scene::of(forty, &[OPENER, DULL], "9H", "");
    scene.draw();
    assert_eq!(scene.refused(scene.meld(&["QC QH QS"])), Illegal::OpeningTooLow { needed: 40, got: 30 });
    scene.act(scene.meld(&["QC QH QS", "5S 6S 7S"])).unwrap();
    let mut scene = Scene::of(Setup { first_meld: 0, ..setup(2) }, &["AS 2S 3S", DULL], "9H", "");
    scene.draw();
    scene.act(scene.meld(&["AS 2S 3S"])).unwrap();
}

#[test]
fn jokers_count_as_what_they_stand_for_in_an_opening() {
    let mut scene = Scene::new(&["KS KH JK", DULL], "9H", "");
    scene.draw();
    scene.act(scene.meld(&["KS KH JK"])).unwrap();
    assert_eq!(scene.shown(0), "KH KS JK=KC/KD");
}

#[test]
fn four_low_runs_cannot_open() {
    let mut scene = Scene::new(&["AS 2S 3S AH 2H 3H AD 2D 3D AC 2C 3C", DULL], "9H", "");
    scene.draw();
    let action = scene.meld(&["AS 2S 3S", "AH 2H 3H", "AD 2D 3D", "AC 2C 3C"]);
    assert_eq!(scene.refused(action), Illegal::OpeningTooLow { needed: 30, got: 24 });
}

#[test]
fn a_refused_opening_shows_nobody_the_cards() {
    let mut scene = Scene::new(&["7S 7H 7D", DULL], "9H", "");
    scene.draw();
    let known = scene.table.open().len();
    scene.refused(scene.meld(&["7S 7H 7D"]));
    assert_eq!(scene.table.open().len(), known);
}

#[test]
fn before_the_opening_nothing_is_laid_off_or_swapped() {
    let mut scene = Scene::new(&["KS KH JK", "KC KD 4S"], "9H", "");
    scene.draw();
    scene.act(scene.meld(&["KS KH JK"])).unwrap();
    let joker = scene.rules().melds[0].slots.as_slice()[2];
    scene.discard("2C").unwrap();
    scene.draw();
    assert_eq!(scene.refused(scene.lay_off(1, "KC")), Illegal::NotOpened);
    let then = Use::Meld([scene.laid("KD 4S"), vec![Laid::from(joker)]].concat());
    let swap = Action::Swap { meld: MeldId(1), card: scene.held("KC"), then };
    assert_eq!(scene.refused(swap), Illegal::NotOpened);
}

#[test]
fn forms_are_checked_before_rules() {
    let mut scene = opened("5S 6S 7S");
    assert_eq!(scene.refused(Action::Meld(vec![])), Illegal::NothingLaid);
    assert_eq!(scene.refused(Action::Meld(vec![vec![]])), Illegal::NothingLaid);
    assert_eq!(scene.refused(scene.lay_off(1, "")), Illegal::NothingLaid);
    assert_eq!(scene.refused(scene.lay_off(2, "5S")), Illegal::UnknownMeld(MeldId(2)));
    assert_eq!(scene.refused(scene.lay_off(0, "5S")), Illegal::UnknownMeld(MeldId(0)));
    let five = scene.held("5S");
    assert_eq!(scene.refused(scene.meld(&["5S 6S 5S"])), Illegal::DuplicateCard(five));
    assert_eq!(scene.refused(scene.meld(&["5S 6S 7S", "5S 6S 7S"])), Illegal::DuplicateCard(five));
    assert_eq!(scene.refused(scene.lay_off(1, "5S 5S")), Illegal::DuplicateCard(five));
    let foreign = scene.rules().hands[seat(1)].iter().next().unwrap();
    let action = Action::Meld(vec![[scene.laid("5S 6S"), vec![Laid::from(foreign)]].concat()]);
    assert_eq!(scene.refused(action), Illegal::CardNotInHand(foreign));
    let on_table = scene.rules().melds[0].slots.as_slice()[0];
    let action = Action::LayOff { meld: MeldId(1), cards: vec![Laid::from(on_table)] };
    assert_eq!(scene.refused(action), Illegal::CardNotInHand(on_table));
}

#[test]
fn what_is_no_meld_is_refused_with_its_flaw() {
    let mut scene = opened("5S JK JK 8S 6H KS AS 2S");
    for (meld, flaw) in [
        ("5S JK=6S JK=7S 8S", Flaw::JokersSideBySide),
        ("KS JK JK", Flaw::TooManyJokers),
        ("KS AS 2S", Flaw::Gap),
        ("5S 6H JK", Flaw::NoSetNoRun),
    ] {
        assert_eq!(scene.refused(scene.meld(&[meld])), Illegal::IllegalMeld(flaw), "{meld}");
    }
    assert_eq!(scene.refused(scene.lay_off(1, "KS")), Illegal::IllegalMeld(Flaw::NoSetNoRun));
}

#[test]
fn cards_are_laid_off_on_melds_of_any_player() {
    let mut scene = Scene::new(&["QC QH QS 5S 6S 7S 8S", "KC KH KS QD 9S JK"], "9H", "");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS", "5S 6S 7S"])).unwrap();
    scene.act(scene.lay_off(2, "8S")).unwrap();
    scene.discard("2C").unwrap();
    scene.draw();
    scene.act(scene.meld(&["KC KH KS"])).unwrap();
    scene.act(scene.lay_off(1, "QD")).unwrap();
    scene.act(scene.lay_off(2, "9S JK=TS")).unwrap();
    assert_eq!(scene.shown(0), "QC QD QH QS");
    assert_eq!(scene.shown(1), "5S 6S 7S 8S 9S JK=TS");
    let owners: Vec<Seat> = scene.view().melds.iter().map(|meld| meld.owner).collect();
    assert_eq!(owners, [seat(0), seat(0), seat(1)], "melds never change owner");
    scene.conserved();
}

#[test]
fn the_fourth_suit_leaves_the_joker_the_last_one() {
    let mut scene = opened("KS KH JK KC");
    scene.act(scene.meld(&["KS KH JK"])).unwrap();
    scene.act(scene.lay_off(2, "KC")).unwrap();
    assert_eq!(scene.shown(1), "KC KH KS JK=KD");
}

#[test]
fn one_card_is_kept_for_the_discard() {
    let mut scene = Scene::new(&["QC QH QS QD 5S 6S 7S 8S 9H TH JH 3C 3D", DULL], "9D", "3H");
    scene.draw();
    let all = scene.meld(&["QC QH QS QD", "5S 6S 7S 8S", "9H TH JH", "3C 3D 3H"]);
    assert_eq!(scene.refused(all), Illegal::MustKeepDiscard);
    scene.act(scene.meld(&["QC QH QS QD", "5S 6S 7S", "9H TH JH", "3C 3D 3H"])).unwrap();
    assert_eq!(scene.refused(scene.lay_off(2, "8S")), Illegal::MustKeepDiscard);
    scene.discard("8S").unwrap();
    assert!(matches!(scene.rules().phase, Phase::Settling(_)));
}

/// Seat 0 has opened; M2 is a run with a joker for the six of spades, M3 a set of eights.
fn with_a_joker(hand: &str) -> (Scene, Slot) {
    let mut scene = opened(&format!("5S JK 7S 8C 8D 8H {hand}"));
    scene.act(scene.meld(&["5S JK=6S 7S", "8C 8D 8H"])).unwrap();
    let joker = scene.rules().melds[1].slots.as_slice()[1];
    (scene, joker)
}

fn swap(meld: u8, card: Slot, then: Use) -> Action {
    Action::Swap { meld: MeldId(meld), card, then }
}

#[test]
fn a_swapped_joker_goes_into_a_new_meld() {
    let (mut scene, joker) = with_a_joker("6S 3H 4H");
    let named = Laid { slot: joker, stands_for: Some(card("5H")) };
    let then = Use::Meld([scene.laid("3H 4H"), vec![named]].concat());
    scene.act(swap(2, scene.held("6S"), then)).unwrap();
    assert_eq!(scene.shown(1), "5S 6S 7S");
    assert_eq!(scene.shown(3), "3H 4H JK=5H");
    scene.conserved();
}

#[test]
fn a_swapped_joker_goes_to_another_meld_on_the_table() {
    let (mut scene, joker) = with_a_joker("6S");
    let then = Use::LayOff { meld: MeldId(3), cards: vec![Laid::from(joker)] };
    scene.act(swap(2, scene.held("6S"), then)).unwrap();
    assert_eq!(scene.shown(2), "8C 8D 8H JK=8S");
    scene.conserved();
}

#[test]
fn a_joker_of_another_players_set_is_swapped_for_either_missing_suit() {
    for given in ["KC", "KD"] {
        let mut scene = Scene::new(&["KS KH JK", &format!("{given} QC QH QS 4S 4C")], "9H", "");
        scene.draw();
        scene.act(scene.meld(&["KS KH JK"])).unwrap();
        let joker = scene.rules().melds[0].slots.as_slice()[2];
        scene.discard("2C").unwrap();
        scene.draw();
        scene.act(scene.meld(&["QC QH QS"])).unwrap();
        let then = Use::Meld([scene.laid("4S 4C"), vec![Laid::from(joker)]].concat());
        scene.act(swap(1, scene.held(given), then)).unwrap();
        assert!(scene.shown(0).contains(given), "{}", scene.shown(0));
        assert_eq!(scene.shown(2), "4C 4S JK=4D/4H");
        assert_eq!(scene.view().melds[0].owner, seat(0));
        scene.conserved();
    }
}

#[test]
fn a_swap_needs_the_right_card_and_a_use_elsewhere() {
    let (mut scene, joker) = with_a_joker("6S 6H 3H 4H");
    let (six, other_six) = (scene.held("6S"), scene.held("6H"));
    let to_eights = || Use::LayOff { meld: MeldId(3), cards: vec![Laid::from(joker)] };
    assert_eq!(scene.refused(swap(9, six, to_eights())), Illegal::UnknownMeld(MeldId(9)));
    assert_eq!(
        scene.refused(swap(2, other_six, to_eights())),
        Illegal::NothingToSwap { meld: MeldId(2), card: other_six }
    );
    // No joker lies in the queens.
    assert_eq!(scene.refused(swap(1, six, to_eights())), Illegal::NoUseForJoker);
    assert_eq!(scene.refused(swap(2, six, Use::Meld(scene.laid("3H 4H")))), Illegal::NoUseForJoker);
    let same = Use::LayOff { meld: MeldId(2), cards: vec![Laid { slot: joker, stands_for: Some(card("8S")) }] };
    assert_eq!(scene.refused(swap(2, six, same)), Illegal::SameMeld(MeldId(2)));
    let unknown = Use::LayOff { meld: MeldId(7), cards: vec![Laid::from(joker)] };
    assert_eq!(scene.refused(swap(2, six, unknown)), Illegal::UnknownMeld(MeldId(7)));
    let nowhere = Use::Meld([scene.laid("3H 6H"), vec![Laid::from(joker)]].concat());
    assert_eq!(scene.refused(swap(2, six, nowhere)), Illegal::IllegalMeld(Flaw::JokerWithoutName));
    let twice = Use::Meld(vec![Laid::from(joker), Laid::from(joker), Laid::from(other_six)]);
    assert_eq!(scene.refused(swap(2, six, twice)), Illegal::DuplicateCard(joker));
    let given_too = Use::Meld([scene.laid("6S 6H"), vec![Laid::from(joker)]].concat());
    assert_eq!(scene.refused(swap(2, six, given_too)), Illegal::DuplicateCard(six));
    let lying = scene.rules().melds[0].slots.as_slice()[0];
    assert_eq!(scene.refused(swap(2, lying, to_eights())), Illegal::CardNotInHand(lying));
}

#[test]
fn a_swap_keeps_a_card_for_the_discard_too() {
    let mut scene = Scene::new(&["QC QH QS 5S JK 7S 8C 8D 8H TD JD QD 6S", DULL], "9D", "3H");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS", "5S JK=6S 7S", "8C 8D 8H", "TD JD QD"])).unwrap();
    let joker = scene.rules().melds[1].slots.as_slice()[1];
    scene.discard("3H").unwrap();
    scene.pass();
    scene.draw();
    // Two cards are in hand: the six and the one drawn.
    let then = Use::LayOff { meld: MeldId(3), cards: vec![Laid::from(joker)] };
    scene.act(swap(2, scene.held("6S"), then)).unwrap();
    assert_eq!(scene.rules().hands[seat(0)].len(), 1);
}
