//! Ongdu's page: matches of random moves, placing cards, and its texts.

use ::table::{Eye, Rules as _, Slot};
use cards::Card;
use games::ongdu::{Arrangement, rank_layer};

use super::*;
use crate::testing::{Trial, draft, page, pages_hold, prepared, text};
use crate::{Marking, Press};

#[test]
fn every_position_can_be_looked_at() {
    pages_hold::<Ongdu>(2, &[], 2, 1);
    pages_hold::<Ongdu>(6, &[("arrange_timeout", "30")], 2, 2);
    pages_hold::<Ongdu>(4, &[("preset", "author"), ("max_rounds", "9"), ("point_value", "5")], 2, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

const ANNA: Eye = Eye::Seat(match Seat::new(0) {
    Some(seat) => seat,
    None => unreachable!(),
});

fn arranging(players: u8, seed: u8) -> Trial<Ongdu> {
    let mut trial = Trial::new(players, &[], seed);
    trial.deal_out();
    trial
}

/// An arrangement of a seat's cards as they were dealt.
fn as_dealt(trial: &Trial<Ongdu>, seat: Seat) -> MoveOf<Ongdu> {
    trial.scene(Eye::Seat(seat), Lang::En, |scene| {
        let slots: Vec<Slot> = scene.view.hand.iter().map(|held| held.slot).collect();
        Move::Choose(Arrangement::new(&slots[..3], &slots[3..6], &slots[6..]).unwrap())
    })
}

#[test]
fn a_card_is_placed_by_choosing_it_and_then_a_place_or_the_place_first() {
    let trial = arranging(3, 1);
    trial.scene(ANNA, Lang::En, |scene| {
        let mut draft = draft::<Ongdu>();
        let hand = Ongdu::desk(scene, &draft).hand;
        draft.marked = vec![hand[0].slot];
        Ongdu::place(scene, &mut draft, 4);
        assert!(draft.marked.is_empty());
        assert_eq!(draft.extra.now.card(4), Some(hand[0].slot));
        // The place first, and it is taken: its card goes back.
        Ongdu::place(scene, &mut draft, 4);
        draft.marked = vec![hand[1].slot];
        Ongdu::marked(scene, &mut draft);
        assert!(draft.marked.is_empty());
        assert_eq!(draft.extra.now.card(4), Some(hand[1].slot));
        assert!(Ongdu::desk(scene, &draft).hand.iter().any(|tile| tile.slot == hand[0].slot));
        // Two places swap their cards.
        Ongdu::place(scene, &mut draft, 4);
        Ongdu::place(scene, &mut draft, 0);
        assert_eq!((draft.extra.now.card(0), draft.extra.now.card(4)), (Some(hand[1].slot), None));
        Ongdu::command(scene, &mut draft, 'z');
        assert_eq!((draft.extra.now.card(0), draft.extra.now.card(4)), (None, Some(hand[1].slot)));
    });
}

#[test]
fn arrange_for_me_lays_nine_cards_that_can_be_confirmed() {
    let trial = arranging(3, 2);
    trial.scene(ANNA, Lang::De, |scene| {
        let mut draft = draft::<Ongdu>();
        assert_eq!(
            Ongdu::desk(scene, &draft).says.0,
            "Wähle Karten, dann einen Platz. Die besten drei gehören nach unten."
        );
        Ongdu::command(scene, &mut draft, 'a');
        let desk = Ongdu::desk(scene, &draft);
        assert!(desk.hand.is_empty());
        assert_eq!(desk.says.1, Mood::Good, "{}", desk.says.0);
        let confirm = desk.buttons.iter().find(|button| button.key == 'c').unwrap();
        assert!(matches!(&confirm.press, Ok(Press::Move(Move::Choose(_)))));
        assert_eq!(confirm.label, "Bestätigen");
    });
}

#[test]
fn a_foul_gives_a_warning_and_can_be_put_in_order_or_played_anyway() {
    let trial = arranging(2, 3);
    trial.scene(ANNA, Lang::En, |scene| {
        let mut draft = draft::<Ongdu>();
        Ongdu::command(scene, &mut draft, 'a');
        let best = draft.extra.now;
        // The bottom and the top are swapped.
        for place in 0..3 {
            Ongdu::place(scene, &mut draft, place);
            Ongdu::place(scene, &mut draft, place + 6);
        }
        let desk = Ongdu::desk(scene, &draft);
        assert_eq!(desk.says, ("Foul: you would pay each opponent 10 points.".to_owned(), Mood::Bad));
        let press =
            |key| desk.buttons.iter().find(|button| button.key == key).map(|button| button.press.as_ref().is_ok());
        assert_eq!((press('c'), press('f'), press('o')), (Some(false), Some(true), Some(true)));
        assert!(text(&desk.bench.unwrap().0).contains(": foul"));
        Ongdu::command(scene, &mut draft, 'o');
        let ranks = |places: Places| [0, 1, 2].map(|layer| places.rank(layer, &scene.view.hand, scene.view.preset));
        assert_eq!(ranks(draft.extra.now), ranks(best));
    });
}

#[test]
fn every_arrangement_can_be_prepared_even_a_foul() {
    for seed in 1..20 {
        let trial = arranging(2, seed);
        let moved = as_dealt(&trial, seat(0));
        trial.scene(ANNA, Lang::En, |scene| prepared(scene, &moved));
    }
}

#[test]
fn a_spectator_sees_who_is_done_and_no_face() {
    let mut trial = arranging(3, 4);
    let moved = as_dealt(&trial, seat(1));
    trial.play(seat(1), moved);
    trial.scene(Eye::Public, Lang::De, |scene| {
        let html = page(scene, &draft::<Ongdu>());
        assert!(!html.contains("data-slot"), "{html}");
        let states = [0, 1, 2].map(|n| Ongdu::panel(scene, seat(n)).status.unwrap().0);
        assert_eq!(states, ["ordnet …", "fertig", "ordnet …"]);
        let middle = text(&Ongdu::middle(scene, &draft::<Ongdu>()).0);
        assert_eq!(middle, "Alle ordnen verdeckt neun Karten: 1 von 3 sind fertig.");
    });
}

#[test]
fn a_confirmed_arrangement_stays_in_its_layers_and_only_its_owner_sees_it() {
    let mut trial = arranging(3, 4);
    let moved = as_dealt(&trial, seat(0));
    trial.play(seat(0), moved.clone());
    trial.scene(ANNA, Lang::En, |scene| {
        let desk = Ongdu::desk(scene, &draft::<Ongdu>());
        assert!(desk.hand.is_empty() && desk.buttons.is_empty());
        assert_eq!(desk.says.0, "You have confirmed; waiting for Bert and Cleo …");
        let layers = desk.bench.unwrap().into_string();
        assert!(layers.contains("Top") && layers.matches("data-slot").count() == 9, "{layers}");
        assert!(!layers.contains("data-place"), "it can be changed only after saying so");
    });
    trial.scene(Eye::Seat(seat(1)), Lang::En, |scene| assert_eq!(scene.chosen, None));
    // A player who wants to change it finds it as they left it.
    trial.scene(ANNA, Lang::De, |scene| {
        let moves = scene.table.rules().moves(scene.known, seat(0));
        let scene = Scene { moves: Some(&moves), ..*scene };
        prepared(&scene, &moved);
    });
}

#[test]
fn at_the_end_everybody_sees_every_layer_and_its_points() {
    let mut trial = arranging(2, 5);
    for n in 0..2 {
        let moved = as_dealt(&trial, seat(n));
        trial.play(seat(n), moved);
    }
    trial.deal_out();
    trial.scene(Eye::Public, Lang::En, |scene| {
        let summary = text(&Ongdu::summary(scene, &trial.outcome()).0);
        assert!(summary.starts_with("Anna ") && summary.contains("Anna from Bert:"), "{summary}");
        let html = page(scene, &draft::<Ongdu>());
        assert_eq!(html.matches("data-slot").count(), 18);
    });
    trial.scene(ANNA, Lang::En, |scene| {
        let desk = Ongdu::desk(scene, &draft::<Ongdu>());
        assert!(desk.hand.is_empty() && desk.bench.is_some());
    });
}

#[test]
fn one_of_ten_cards_is_discarded_first() {
    let trial = arranging(6, 6);
    let starter = trial.awaited().iter().next().unwrap();
    trial.scene(Eye::Seat(starter), Lang::De, |scene| {
        let mut draft = draft::<Ongdu>();
        let desk = Ongdu::desk(scene, &draft);
        assert_eq!((desk.hand.len(), desk.marking), (10, Marking::One));
        assert_eq!(desk.buttons[0].press.as_ref().err().map(String::as_str), Some("wähle zuerst eine Karte"));
        Ongdu::command(scene, &mut draft, 'a');
        assert!(Ongdu::desk(scene, &draft).buttons[0].label.starts_with("Ablegen: "));
    });
}

#[test]
fn layers_are_described_in_both_languages() {
    let rank = |cards: &str| {
        let three: [Card; 3] = cards::parse_cards(cards).unwrap().try_into().unwrap();
        Lang::ALL.map(|lang| words::rank(rank_layer(three, games::ongdu::Preset::Seed).unwrap(), lang))
    };
    assert_eq!(rank("7s 7h 7d"), ["three sevens", "drei 7er"]);
    assert_eq!(rank("Ks Kh JK"), ["three kings with a joker", "drei Könige mit Joker"]);
    assert_eq!(rank("Js Qs Ks"), ["jack, queen, king of one suit", "Bube, Dame, König in einer Farbe"]);
    assert_eq!(rank("Js Qh Ks"), ["jack, queen, king", "Bube, Dame, König"]);
    assert_eq!(rank("Js Jh Ks"), ["three court cards", "drei Bilder"]);
    assert_eq!(rank("As 3h 5d"), ["sum 9", "Summe 9"]);
}
