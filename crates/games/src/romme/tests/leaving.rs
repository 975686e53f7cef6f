//! Leaving, rounds that cannot be finished, and time running out.

use table::{Breakdown, Move};

use super::*;
use crate::romme::PENALTY;

impl Scene {
    fn gone(&mut self, n: u8) {
        self.table.gone(self.table.height(), seat(n)).unwrap();
    }

    fn default(&self) -> Action {
        let seat = self.turn();
        let own: Faces = self.rules().hands[seat].iter().map(|slot| (slot, self.faces.get(slot).unwrap())).collect();
        match self.rules().default_move(Known::with(self.table.open(), &own), seat) {
            Some(Move::Act(action)) => action,
            None => panic!("no default"),
        }
    }
}

#[test]
fn a_leaver_is_skipped_and_their_melds_stay() {
    let mut scene = Scene::new(&[OPENER, DULL, ""], "9H", "");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    scene.gone(0);
    assert_eq!(scene.turn(), seat(1));
    assert_eq!(scene.shown(0), "QC QH QS");
    assert_eq!(scene.rules().hands[seat(0)].len(), 11, "set aside as it is");
    scene.pass();
    scene.pass();
    assert_eq!(scene.turn(), seat(1));
    assert_eq!(scene.act_as(seat(0), Action::DrawStock), Err(Refused::Illegal(Illegal::NotSeated)));
    let again = scene.table.gone(scene.table.height(), seat(0));
    assert_eq!(again, Err(Refused::Illegal(Illegal::NotSeated)));
    scene.conserved();
}

#[test]
fn leaving_out_of_turn_changes_nobodys_turn() {
    let mut scene = Scene::new(&[OPENER, DULL, ""], "9H", "");
    scene.draw();
    scene.gone(1);
    assert_eq!(scene.turn(), seat(0));
    scene.discard("2D").unwrap();
    assert_eq!(scene.turn(), seat(2));
}

#[test]
fn the_hand_of_a_leaver_is_scored_at_the_end() {
    let all_out = "QC QH QS QD 5S 6S 7S 9H TH JH 3C 3D 3H";
    let mut scene = Scene::new(&[all_out, DULL, "2D 2D 2H 2H 2S 2S 4C 4C 4D 4D 4S 4S 6C"], "9D", "KC");
    scene.gone(1);
    scene.draw();
    scene.act(scene.meld(&["QC QH QS QD", "5S 6S 7S", "9H TH JH", "3C 3D 3H"])).unwrap();
    scene.discard("KC").unwrap();
    scene.deal();
    assert_eq!(scene.result(), [0, 3 * 95, 3 * (12 + 24 + 6)]);
}

#[test]
fn a_player_left_alone_wins_the_round_and_keeps_their_hand_hidden() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    scene.gone(0);
    assert_eq!(scene.table.orders().count(), 13);
    scene.deal();
    assert_eq!((scene.outcome().ending.as_ref(), scene.result()), ("left alone", vec![94, 0]));
    assert!(scene.view().players[1].open.is_empty());
}

#[test]
fn leaving_is_possible_before_the_cards_are_dealt() {
    for dealer in [None, Some(seat(0))] {
        let mut table = Table::new(Deal::deal(&Setup { dealer, ..setup(3) }).unwrap(), Height(0));
        table.gone(Height(0), seat(2)).unwrap();
        assert_eq!(table.awaiting(), Awaiting::Dealer);
        table.gone(Height(1), seat(1)).unwrap();
        assert_eq!(table.outcome().unwrap().ending, "left alone");
        assert!(table.outcome().unwrap().result.iter().all(|chips| chips.0 == 0));
    }
}

#[test]
fn a_card_on_its_way_belongs_to_the_hand_that_is_set_aside() {
    let mut scene = Scene::new(&[OPENER, DULL, ""], "9H", "");
    scene.act(Action::DrawStock).unwrap();
    scene.gone(0);
    scene.deal();
    assert_eq!(scene.rules().hands[seat(0)].len(), 14);
    assert_eq!(scene.turn(), seat(1));
    scene.conserved();
}

#[test]
fn a_leaver_who_took_the_only_discard_leaves_an_empty_pile() {
    let mut scene = Scene::new(&[OPENER, DULL, ""], "9H", "");
    scene.act(Action::DrawDiscard).unwrap();
    scene.gone(0);
    assert_eq!(scene.refused(Action::DrawDiscard), Illegal::PileEmpty);
    scene.pass();
}

#[test]
fn leaving_while_hands_are_opened_changes_no_score() {
    let mut scene = Scene::of(Setup { max_reshuffles: 0, ..setup(2) }, &[OPENER, DULL], "9H", "");
    while !scene.rules().blocks() {
        scene.pass();
    }
    scene.act(Action::DrawStock).unwrap();
    scene.gone(0);
    scene.gone(1);
    scene.deal();
    assert_eq!((scene.outcome().ending.as_ref(), scene.result()), ("blocked", vec![94, 95]));
}

#[test]
fn a_broken_round_is_void_and_only_the_culprit_is_punished() {
    let mut scene = Scene::new(&[OPENER, DULL, ""], "9H", "");
    let mut broken = Vec::new();
    broken.push(scene.rules().clone());
    scene.act(Action::DrawStock).unwrap();
    broken.push(scene.rules().clone());
    scene.deal();
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    broken.push(scene.rules().clone());
    broken.push(Deal::deal(&setup(3)).unwrap());
    broken.push(Deal::deal(&Setup { dealer: None, ..setup(3) }).unwrap());
    for rules in broken {
        let result = |why| rules.break_off(why).result.iter().map(|chips| chips.0).collect::<Vec<_>>();
        assert_eq!(result(Breakdown::DealerFailed), [0, 0, 0]);
        assert_eq!(result(Breakdown::Vanished(Seats::one(seat(1)))), [0, PENALTY, 0]);
        assert_eq!(result(Breakdown::FalseClaim(Seats::first(2))), [PENALTY, PENALTY, 0]);
    }
}

#[test]
fn when_time_runs_out_the_card_drawn_is_thrown_away() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "8D");
    assert_eq!(scene.default(), Action::DrawStock);
    scene.draw();
    assert_eq!(scene.default(), Action::Discard(scene.held("8D")));
    // No face is needed for that.
    let blind = scene.rules().default_move(Known::public(scene.table.open()), seat(0));
    assert_eq!(blind, Some(Move::Act(scene.default())));
}

#[test]
fn after_taking_a_discard_the_default_throws_away_the_most_expensive_card() {
    let mut scene = Scene::new(&["KS KD KD JK 2C 3C", DULL.replace("KD", "2D").as_str()], "AH", "");
    scene.act(Action::DrawDiscard).unwrap();
    // The ace counts more, but was taken; of the kings diamonds come first, and of these the lowest slot.
    assert_eq!(scene.default(), Action::Discard(scene.held("KD#1")));
    assert_eq!(scene.rules().default_move(Known::public(scene.table.open()), seat(0)), None, "faces are missing");
}

#[test]
fn if_the_drawn_card_was_laid_the_default_throws_away_another() {
    let mut scene = Scene::new(&["QC QH 5S 6S AC JK", DULL], "9H", "QS");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    assert_eq!(scene.default(), Action::Discard(scene.held("AC")));
}

#[test]
fn a_joker_is_thrown_away_by_default_only_if_nothing_else_is_left() {
    let all_out = "QC QH QS QD 5S 6S 7S 9H TH JH JK 3C 3D";
    let mut scene = Scene::new(&[all_out, DULL], "3H", "");
    scene.act(Action::DrawDiscard).unwrap();
    scene.act(scene.meld(&["QC QH QS QD", "5S 6S 7S", "9H TH JH"])).unwrap();
    scene.discard("3C").unwrap();
    scene.pass();
    // In hand: a joker, 3D, 3H.
    scene.act(Action::DrawDiscard).unwrap();
    let drawn = scene.rules().hands[seat(0)].iter().last().unwrap();
    scene.act(Action::LayOff { meld: MeldId(1), cards: vec![Laid::from(drawn)] }).unwrap_err();
    assert_ne!(scene.default(), Action::Discard(drawn));
    assert_ne!(scene.default(), Action::Discard(scene.held("JK")));
}
