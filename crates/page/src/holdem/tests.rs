//! Hold'em's page: what its buttons say and do, and its log.

use ::table::Eye;
use cards::Decided;

use super::*;
use crate::Press;
use crate::testing::{Trial, draft, text};

/// A match of two with these chips each, and the seat whose turn it is.
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

/// The closing lines of a deal.
fn told(trial: &Trial<Holdem>, lang: Lang) -> Vec<String> {
    trial.scene(Eye::Public, lang, |scene| Holdem::closing(scene, &trial.outcome()))
}

#[test]
fn the_log_says_who_won_and_with_what() {
    let (mut trial, turn) = asked("400");
    trial.play(turn, Move::Act(Action::Fold));
    trial.deal_out();
    let name = trial.scene(Eye::Public, Lang::En, |scene| scene.name(turn.left(2)).to_owned());
    assert_eq!(told(&trial, Lang::En), [format!("{name} wins 20: everybody else folded")]);
    assert_eq!(told(&trial, Lang::De), [format!("{name} gewinnt 20: alle anderen haben gepasst")]);
}

#[test]
fn a_player_who_can_check_for_free_is_asked_before_folding() {
    let (mut trial, turn) = asked("400");
    let question = |trial: &Trial<Holdem>, seat, lang| {
        trial.scene(Eye::Seat(seat), lang, |scene| {
            let desk = Holdem::desk(scene, &draft::<Holdem>());
            desk.buttons.into_iter().find(|button| button.key == 'f').unwrap().sure
        })
    };
    assert_eq!(question(&trial, turn, Lang::En), None, "to stay in costs something");
    trial.play(turn, Move::Act(Action::Call));
    let other = turn.left(2);
    assert_eq!(question(&trial, other, Lang::En).unwrap(), "You can check for free. Fold anyway?");
    assert_eq!(question(&trial, other, Lang::De).unwrap(), "Schieben kostet nichts. Trotzdem passen?");
}

/// A hand in which all chips go in before the flop and the small blind of three folds, and how each pot was decided.
fn showdown(seed: u8) -> (Trial<Holdem>, Vec<Decided>) {
    let options = [("starting_chips", "400"), ("small_blind", "5"), ("big_blind", "10")];
    let mut trial = Trial::<Holdem>::new(3, &options, seed);
    trial.deal_out();
    for _ in 0..3 {
        let turn = trial.awaited().iter().next().unwrap();
        let (small, raised) = trial.scene(Eye::Seat(turn), Lang::En, |scene| {
            (player(scene.view, turn).unwrap().bet == Chips(5), scene.view.bet_to == Chips(400))
        });
        let action = if small {
            Action::Fold
        } else if raised {
            Action::Call
        } else {
            Action::AllIn
        };
        trial.play(turn, Move::Act(action));
    }
    trial.deal_out();
    let decided =
        trial.scene(Eye::Public, Lang::En, |scene| scene.view.pots.iter().filter_map(|pot| pot.decided).collect());
    (trial, decided)
}

#[test]
fn a_showdown_says_which_card_decided_it() {
    let kicker = (1..=255).map(showdown).find(|(_, decided)| matches!(decided.as_slice(), [Decided::Kicker(_)]));
    let (trial, decided) = kicker.expect("one of these showdowns is decided by a kicker");
    let [Decided::Kicker(rank)] = decided.as_slice() else { panic!("{decided:?}") };
    let [english, german] = [told(&trial, Lang::En), told(&trial, Lang::De)];
    assert!(english[0].ends_with(&format!(", {} kicker", rank.name())), "{english:?}");
    assert!(german[0].ends_with(&format!(", Kicker {}", words::one(*rank))), "{german:?}");
}

#[test]
fn the_log_says_who_gets_the_odd_chip_and_why() {
    let split = (1..=255).map(showdown).find(|(_, decided)| decided.contains(&Decided::Equal));
    let (trial, _) = split.expect("one of these pots is split");
    let [english, german] = [told(&trial, Lang::En), told(&trial, Lang::De)];
    assert!(english[0].contains("(equal hands split the pot)"), "{english:?}");
    let winner = trial.scene(Eye::Public, Lang::En, |scene| {
        let most = winners(scene.view).max_by_key(|(_, won)| *won).unwrap();
        scene.name(most.0).to_owned()
    });
    assert_eq!(english[2], format!("The odd chip goes to the first winner left of the button: {winner}"));
    assert_eq!(german[2], format!("Der überzählige Chip geht an den ersten Gewinner links vom Button: {winner}"));
}

#[test]
fn hands_are_named_as_after_with() {
    let with = |cards: &str| {
        let cards = cards::parse_cards(cards).unwrap();
        Lang::ALL.map(|lang| words::with(&cards, lang).unwrap())
    };
    assert_eq!(with("8s 8h Kd 5c 2s"), ["a pair of eights", "einem Paar Achten"]);
    assert_eq!(with("As Ah Kd Kc 2s"), ["two pair, aces and kings", "zwei Paaren, Assen und Königen"]);
    assert_eq!(with("As Jh 9d 5c 2s"), ["ace high", "Ass als höchster Karte"]);
    assert_eq!(with("8s 8h 8d Kc Ks"), ["a full house, eights over kings", "einem Full House, Achten mit Königen"]);
    assert_eq!(with("8s 8h 8d Kc 2s"), ["three of a kind, eights", "einem Drilling, Achten"]);
    assert_eq!(with("5s 6h 7d 8c 9s"), ["a straight, nine high", "einer Straße bis 9"]);
    assert_eq!(with("Ts Js Qs Ks As"), ["a royal flush", "einem Royal Flush"]);
}

#[test]
fn the_log_shows_the_blinds_and_every_street() {
    let view = |trial: &Trial<Holdem>| trial.scene(Eye::Public, Lang::En, |scene| scene.view.clone());
    let news =
        |trial: &Trial<Holdem>, before: &View| trial.scene(Eye::Public, Lang::En, |scene| Holdem::news(before, scene));
    let (mut trial, turn) = asked("400");
    let dealt = view(&trial);
    let mut dealing = dealt.clone();
    dealing.phase = "dealing";
    let told = news(&trial, &dealing);
    assert!(matches!(told.as_slice(), [one] if one.starts_with("Blinds: ") && one.contains("20")), "{told:?}");
    trial.play(turn, Move::Act(Action::AllIn));
    trial.play(turn.left(2), Move::Act(Action::Call));
    trial.deal_out();
    let told = news(&trial, &dealt);
    let board = told.iter().filter(|line| ["Flop", "Turn", "River"].iter().any(|street| line.starts_with(street)));
    let cards: Vec<usize> = board.map(|line| line.split(' ').count() - 1).collect();
    assert_eq!(cards, [3, 1, 1], "{told:?}");
}

#[test]
fn a_bet_has_the_same_name_for_its_player_and_for_the_others() {
    let (mut trial, turn) = asked("400");
    let other = turn.left(2);
    let own = |trial: &Trial<Holdem>, seat| trial.scene(Eye::Seat(seat), Lang::En, |scene| text(&Holdem::own(scene).0));
    let panel = |trial: &Trial<Holdem>, seat, lang| {
        trial.scene(Eye::Public, lang, |scene| Holdem::panel(scene, seat).status.unwrap().0)
    };
    assert_eq!((own(&trial, other).as_str(), panel(&trial, other, Lang::En).as_str()), ("blind 20", "blind 20"));
    let before = trial.scene(Eye::Public, Lang::En, |scene| scene.view.clone());
    trial.play(turn, Move::Act(Action::Call));
    assert_eq!(panel(&trial, turn, Lang::En), "call · 20 in");
    assert_eq!(panel(&trial, turn, Lang::De), "geht mit · 20 gesetzt");
    let phrase = |lang| words::phrase("Dag", &before, turn, Action::Call, lang);
    assert_eq!([phrase(Lang::En), phrase(Lang::De)], ["Dag calls 10", "Dag geht mit (10)"]);
}
