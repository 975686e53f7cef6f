//! What seats see, what they are offered, and how actions are written.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::{Eye, Move, Moves as _};

use super::*;
use crate::romme::Moves;

impl Scene {
    fn own(&self, seat: Seat) -> Faces {
        self.rules().hands[seat].iter().map(|slot| (slot, self.faces.get(slot).unwrap())).collect()
    }

    fn moves(&self) -> Moves {
        let own = self.own(self.turn());
        self.rules().moves(Known::with(self.table.open(), &own), self.turn())
    }
}

#[test]
fn a_seat_sees_its_own_hand_and_what_it_counts() {
    let scene = Scene::new(&[OPENER, DULL], "9H", "");
    let own = scene.own(seat(1));
    let view = scene.rules().view(Known::with(scene.table.open(), &own), Eye::Seat(seat(1)));
    assert_eq!(view.hand.iter().filter_map(|held| held.card).collect::<Vec<_>>(), cards(DULL));
    assert_eq!(view.hand_points, Some(95));
    assert_eq!((view.phase, view.turn, view.stock), ("draw", Some(seat(0)), 83));
    assert!(view.players.iter().all(|player| player.cards == 13 && player.open.is_empty()));
    assert!(scene.view().hand.is_empty());
}

#[test]
fn the_draw_is_offered_with_what_it_means() {
    let scene = Scene::new(&[OPENER, DULL], "9H", "");
    let Moves::Draw(drawing) = scene.moves() else { panic!("{:?}", scene.moves()) };
    assert_eq!((drawing.stock, drawing.blocks), (83, false));
    assert_eq!(drawing.discard.unwrap().card, Some(card("9H")));
    assert_eq!(scene.rules().moves(Known::public(scene.table.open()), seat(1)), Moves::None);
}

#[test]
fn everything_offered_is_accepted() {
    let mut scene = Scene::new(&["KC KD KH 5S 6S 8S JK QD QH 9D TD 2C 3C", DULL], "KS", "JK");
    scene.draw();
    let Moves::Play(play) = scene.moves() else { panic!() };
    let openings = play.openings();
    assert!(openings.len() > 3, "{openings:?}");
    assert!(play.melds().next().is_none() && play.lay_offs().next().is_none() && play.swaps().next().is_none());
    for action in openings {
        let mut table = scene.table.clone();
        table.act(table.height(), seat(0), &action, &scene.faces).unwrap_or_else(|e| panic!("{action:?}: {e}"));
    }
    scene.act(scene.meld(&["KC KD JK", "5S 6S JK=7S"])).unwrap();
    scene.discard("2C").unwrap();
    scene.pass();
    scene.act(Action::DrawDiscard).unwrap();
    let Moves::Play(play) = scene.moves() else { panic!() };
    let all: Vec<Action> = play.melds().chain(play.lay_offs()).chain(play.swaps()).collect();
    for action in &all {
        let mut table = scene.table.clone();
        table.act(table.height(), seat(0), action, &scene.faces).unwrap_or_else(|e| panic!("{action:?}: {e}"));
    }
    // The kings' joker for the king of hearts, used in front of the spades or with the queens or the reds.
    assert!(all.iter().any(|a| matches!(a, Action::Swap { then: Use::LayOff { .. }, .. })), "{all:?}");
    assert!(all.iter().any(|a| matches!(a, Action::Swap { then: Use::Meld(_), .. })), "{all:?}");
    assert!(all.contains(&scene.lay_off(2, "8S")));
    assert!(all.contains(&scene.lay_off(1, "KH")));
    let discards: Vec<Slot> = play.discards().map(|held| held.slot).collect();
    assert_eq!(discards.len(), scene.rules().hands[seat(0)].len() - 1, "not the card just taken");
}

#[test]
fn a_joker_and_the_card_behind_it_are_offered_together() {
    let mut scene = Scene::new(&["QC QH QS JK 5S JK 7S JK 9S 2D 4D 6H 8H", DULL], "KS", "");
    scene.draw();
    scene.act(scene.meld(&["QC QH QS", "JK=4S 5S JK=6S 7S"])).unwrap();
    let Moves::Play(play) = scene.moves() else { panic!() };
    let offered: Vec<Action> = play.lay_offs().collect();
    let joker = scene.held("JK");
    let bridge = vec![Laid { slot: joker, stands_for: Some(card("8S")) }, Laid::from(scene.held("9S"))];
    assert!(offered.contains(&Action::LayOff { meld: MeldId(2), cards: bridge }), "{offered:?}");
}

#[test]
fn every_kind_of_move_is_picked_now_and_then() {
    let mut scene = Scene::new(&["KC KD KH 5S 6S 8S JK QD QH 9D TD 2C 3C", DULL], "KS", "JK");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut picked = |scene: &Scene| -> [usize; 6] {
        let mut kinds = [0; 6];
        for _ in 0..400 {
            let Some(Move::Act(action)) = scene.moves().pick(&mut rng) else { panic!() };
            kinds[match action {
                Action::DrawStock => 0,
                Action::DrawDiscard => 1,
                Action::Meld(_) => 2,
                Action::LayOff { .. } => 3,
                Action::Swap { .. } => 4,
                Action::Discard(_) => 5,
            }] += 1;
        }
        kinds
    };
    let [stock, pile, ..] = picked(&scene);
    assert!(stock > 100 && pile > 100);
    scene.draw();
    let [_, _, melds, _, _, discards] = picked(&scene);
    assert!(melds > 100 && discards > 50);
    scene.act(scene.meld(&["KC KD JK", "5S 6S JK=7S"])).unwrap();
    scene.discard("2C").unwrap();
    scene.pass();
    scene.act(Action::DrawDiscard).unwrap();
    let [_, _, _, lay_offs, swaps, discards] = picked(&scene);
    assert!(lay_offs > 50 && swaps > 50 && discards > 50, "{lay_offs} {swaps} {discards}");
}

#[test]
fn moves_are_written_as_lists() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    scene.draw();
    let written = serde_json::to_value(scene.moves()).unwrap();
    assert_eq!(written["play"]["opening_needs"], 30);
    assert!(!written["play"]["openings"].as_array().unwrap().is_empty());
    assert_eq!(written["play"]["discards"].as_array().unwrap().len(), 14);
}

#[test]
fn actions_are_written_for_people() {
    let laid = |text: &str| text.parse::<Laid>().unwrap();
    for (action, text) in [
        (Action::DrawStock, r#""draw_stock""#),
        (Action::DrawDiscard, r#""draw_discard""#),
        (Action::Meld(vec![vec![laid("0:1"), laid("0:52=7D")]]), r#"{"meld":[["0:1","0:52=7D"]]}"#),
        (Action::LayOff { meld: MeldId(3), cards: vec![laid("0:1")] }, r#"{"lay_off":{"meld":"M3","cards":["0:1"]}}"#),
        (
            Action::Swap { meld: MeldId(1), card: Slot::new(0, 4), then: Use::Meld(vec![laid("0:9")]) },
            r#"{"swap":{"meld":"M1","card":"0:4","then":{"meld":["0:9"]}}}"#,
        ),
        (Action::Discard(Slot::new(1, 2)), r#"{"discard":"1:2"}"#),
    ] {
        assert_eq!(serde_json::to_string(&action).unwrap(), text);
        assert_eq!(serde_json::from_str::<Action>(text).unwrap(), action);
    }
    for bad in ["0", "0:1=", "0:1=XX", "=7D", ""] {
        assert!(bad.parse::<Laid>().is_err(), "{bad}");
    }
    for bad in [r#""M""#, r#""1""#, r#""M256""#, r#""M+1""#] {
        assert!(serde_json::from_str::<MeldId>(bad).is_err(), "{bad}");
    }
}

#[test]
fn every_refusal_says_why_in_words() {
    let slot = Slot::new(0, 3);
    for why in [
        Illegal::NotSeated,
        Illegal::WrongPhase,
        Illegal::NotYourTurn,
        Illegal::MustDrawFirst,
        Illegal::AlreadyDrawn,
        Illegal::PileEmpty,
        Illegal::NothingLaid,
        Illegal::UnknownMeld(MeldId(2)),
        Illegal::CardNotInHand(slot),
        Illegal::DuplicateCard(slot),
        Illegal::NotOpened,
        Illegal::IllegalMeld(crate::romme::Flaw::Gap),
        Illegal::OpeningTooLow { needed: 30, got: 21 },
        Illegal::NothingToSwap { meld: MeldId(1), card: slot },
        Illegal::NoUseForJoker,
        Illegal::SameMeld(MeldId(1)),
        Illegal::MustKeepDiscard,
        Illegal::SameCardDiscard(slot),
    ] {
        assert!(why.to_string().len() > 10, "{why:?}");
    }
}
