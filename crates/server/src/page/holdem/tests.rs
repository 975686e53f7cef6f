//! Hold'em's page: what its buttons say and do, and what is told.

use ::table::Eye;

use super::*;
use crate::page::Press;
use crate::page::testing::{Trial, draft};

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// A match of two with these chips each; whoever is asked first, and what it looks like to him.
fn asked(chips: &str) -> (Trial<Holdem>, Seat) {
    let mut trial = Trial::new(2, &[("starting_chips", chips)], 1);
    trial.deal_out();
    let turn = trial.awaited().iter().next().unwrap();
    (trial, turn)
}

fn labels(trial: &Trial<Holdem>, seat: Seat, amount: Option<i64>, lang: Lang) -> Vec<String> {
    trial.scene(Eye::Seat(seat), lang, |scene| {
        let draft = Draft { amount, ..draft::<Holdem>() };
        Holdem::desk(scene, &draft).buttons.into_iter().map(|button| button.label).collect()
    })
}

#[test]
fn all_in_sets_the_amount_and_the_button_that_raises_says_so() {
    let (trial, turn) = asked("400");
    assert_eq!(labels(&trial, turn, None, Lang::En), ["Call 10", "Raise to 40", "½ pot", "Pot", "All-in", "Fold"]);
    trial.scene(Eye::Seat(turn), Lang::En, |scene| {
        let desk = Holdem::desk(scene, &draft::<Holdem>());
        assert!(matches!(desk.buttons[4].press, Ok(Press::Amount(400))), "one click stakes nothing");
        let desk = Holdem::desk(scene, &Draft { amount: Some(400), ..draft::<Holdem>() });
        assert_eq!(desk.buttons[1].label, "All-in 400");
        assert!(desk.buttons[1].grave);
        assert!(matches!(desk.buttons[1].press, Ok(Press::Move(Move::Act(Action::AllIn)))));
    });
}

#[test]
fn a_call_that_takes_everything_says_so() {
    let (mut trial, turn) = asked("400");
    trial.play(turn, Move::Act(Action::AllIn));
    let other = trial.awaited().iter().next().unwrap();
    assert_eq!(labels(&trial, other, None, Lang::En), ["Call 380 (all-in)", "Raise", "Fold"]);
    assert_eq!(labels(&trial, other, None, Lang::De)[0], "Mitgehen 380 (all-in)");
}
