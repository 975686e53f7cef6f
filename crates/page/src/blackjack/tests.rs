//! Blackjack's page: matches of random moves, and its texts.

use cards::parse_cards;

use super::*;
use crate::testing::{Trial, draft, page, pages_hold, prepared, text};
use ::table::Eye;
use games::blackjack::{Total, TurnMoves};

#[test]
fn every_position_can_be_looked_at() {
    pages_hold::<Blackjack>(2, &[], 8, 1);
    pages_hold::<Blackjack>(4, &[("max_split_hands", "4"), ("split_by_value", "true"), ("decks", "1")], 8, 2);
    pages_hold::<Blackjack>(3, &[("tie_rounds", "2"), ("rounds", "2")], 4, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// A match of two where both have bet 20 and have their cards.
fn dealt(seed: u8) -> Trial<Blackjack> {
    let mut trial = Trial::new(2, &[], seed);
    trial.deal_out();
    trial.play(seat(0), Move::Choose(Bet(Chips(20))));
    trial.play(seat(1), Move::Choose(Bet(Chips(20))));
    trial.deal_out();
    trial
}

fn can(trial: &Trial<Blackjack>) -> TurnMoves {
    trial.scene(Eye::Seat(seat(0)), Lang::En, |scene| match scene.moves {
        Some(Moves::Turn(can)) => *can,
        other => panic!("it is not the turn of the first seat: {other:?}"),
    })
}

#[test]
fn the_page_shows_who_has_bet_and_who_has_not() {
    let mut trial = Trial::<Blackjack>::new(3, &[], 1);
    trial.deal_out();
    trial.play(seat(1), Move::Choose(Bet(Chips(30))));
    trial.scene(Eye::Seat(seat(0)), Lang::En, |scene| {
        let states = [1, 2].map(|n| Blackjack::panel(scene, seat(n)).status.unwrap().0);
        assert_eq!(states, ["has bet", "choosing a bet …"]);
        assert!(!page(scene, &draft::<Blackjack>()).contains("30"), "the bet is secret");
        assert_eq!(Blackjack::title(scene), "9 more rounds after this · bets 10–100 · 312 cards in the shoe");
    });
    trial.scene(Eye::Seat(seat(1)), Lang::De, |scene| {
        let desk = Blackjack::desk(scene, &draft::<Blackjack>());
        assert!(desk.buttons.is_empty());
        assert_eq!(desk.says.0, "Du hast 30 gesetzt; warten auf Anna und Cleo …");
        assert_eq!(text(&Blackjack::own(scene).0), "Einsatz 30");
        assert_eq!(text(&Blackjack::middle(scene, &draft::<Blackjack>()).0), "Bank Zuerst setzen alle.");
    });
}

#[test]
fn the_page_shows_the_value_of_the_banks_first_card_and_the_total() {
    let trial =
        (1..=255).map(dealt).find(|trial| can(trial).total == Total { points: 15, soft: false, natural: false });
    let trial = trial.expect("one of these deals gives the first seat a hard 15");
    let says = |lang| {
        trial.scene(Eye::Seat(seat(0)), lang, |scene| {
            let up = scene.view.bank.cards[0].card.unwrap();
            let own = text(&Blackjack::own(scene).0);
            (Blackjack::desk(scene, &draft::<Blackjack>()).says.0, words::shows(up, lang), own)
        })
    };
    let (english, shows, own) = says(Lang::En);
    assert_eq!(english, format!("You have 15; the bank shows {shows}."));
    assert_eq!(own, "bet 20 total 15");
    let (german, shows, own) = says(Lang::De);
    assert_eq!(german, format!("Du hast 15; die Bank zeigt {shows}."));
    assert_eq!(own, "Einsatz 20 Wert 15");
}

#[test]
fn a_player_who_surrenders_is_asked_first() {
    dealt(1).scene(Eye::Seat(seat(0)), Lang::En, |scene| {
        let desk = Blackjack::desk(scene, &draft::<Blackjack>());
        let button = desk.buttons.into_iter().find(|button| button.key == 'u').unwrap();
        assert!(matches!(button.press, Ok(crate::Press::Move(Move::Act(Action::Surrender)))) && button.grave);
        assert_eq!(button.sure.as_deref(), Some("If you surrender, you lose the whole match."));
        prepared(scene, &Move::Act(Action::Surrender));
    });
}

/// The summary of a round of two in which both stand with these bets; `None` if it ends differently than wanted.
fn told(seed: u8, bets: [i64; 2], wanted: impl Fn(&View) -> bool) -> Option<[String; 2]> {
    let mut trial = Trial::<Blackjack>::new(2, &[], seed);
    trial.deal_out();
    for (index, bet) in (0..).zip(bets) {
        trial.play(seat(index), Move::Choose(Bet(Chips(bet))));
    }
    trial.deal_out();
    while let Some(turn) = trial.awaited().iter().next() {
        trial.play(turn, Move::Act(Action::Stand));
        trial.deal_out();
    }
    let outcome = trial.outcome();
    let is_wanted = trial.scene(Eye::Public, Lang::En, |scene| wanted(scene.view));
    let tell = |lang| trial.scene(Eye::Public, lang, |scene| text(&Blackjack::summary(scene, &outcome).0));
    is_wanted.then(|| Lang::ALL.map(tell))
}

#[test]
fn the_player_who_lost_most_is_not_told_that_they_lost_no_ground() {
    let all_lost = |view: &View| view.everybody_lost();
    let [english, german] =
        (1..=255).find_map(|seed| told(seed, [100, 10], all_lost)).expect("the bank wins sometimes");
    assert!(english.contains("Everybody lost this round.") && !english.contains("ground"), "{english}");
    assert!(german.contains("In dieser Runde haben alle verloren.") && !german.contains("Boden"), "{german}");
    assert!(english.contains("−100") && english.contains("−10 "), "{english}");
    let one_won = |view: &View| view.players.iter().filter(|player| player.result > Some(Chips::ZERO)).count() == 1;
    let [english, _] = (1..=255).find_map(|seed| told(seed, [10, 10], one_won)).expect("and sometimes one player does");
    assert!(english.contains("ground") && !english.contains("Everybody lost"), "{english}");
}

#[test]
fn cards_of_the_others_stay_face_down_until_all_have_finished() {
    let mut trial = dealt(2);
    let closed = |trial: &Trial<Blackjack>, eye| {
        let cards = trial.scene(eye, Lang::En, |scene| Blackjack::panel(scene, seat(1)).cards.0);
        (cards.matches("a face-down card").count(), cards.matches("data-slot").count())
    };
    assert_eq!(closed(&trial, Eye::Seat(seat(0))), (2, 2));
    assert_eq!(closed(&trial, Eye::Public), (2, 2));
    assert_eq!(closed(&trial, Eye::Seat(seat(1))), (0, 2));
    while let Some(turn) = trial.awaited().iter().next() {
        trial.play(turn, Move::Act(Action::Stand));
        trial.deal_out();
    }
    assert_eq!(closed(&trial, Eye::Public), (0, 2));
    let summary = trial.scene(Eye::Public, Lang::De, |scene| text(&Blackjack::summary(scene, &trial.outcome()).0));
    assert!(summary.starts_with("Bank ") && summary.contains("Einsatz 20"), "{summary}");
    let told = trial.scene(Eye::Public, Lang::En, |scene| Blackjack::closing(scene, &trial.outcome()));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|line| ["wins, ", "loses, ", "push, "].iter().any(|word| line.contains(word))), "{told:?}");
}

#[test]
fn totals_are_put_into_words() {
    let total = |points, soft, natural, lang| words::total(Total { points, soft, natural }, lang);
    assert_eq!(total(18, true, false, Lang::En), "soft 18");
    assert_eq!(total(18, true, false, Lang::De), "weiche 18");
    assert_eq!(total(18, false, false, Lang::De), "18");
    assert_eq!(total(21, true, true, Lang::En), "21, a natural");
    assert_eq!(total(21, true, true, Lang::De), "21, ein Blackjack");
    assert_eq!(total(24, false, false, Lang::De), "24, überkauft");
    assert_eq!([20, 0, -20].map(words::signed), ["+20", "0", "−20"]);
    assert_eq!([20, 0, -20].map(|result| mood(Chips(result))), [Mood::Good, Mood::Plain, Mood::Bad]);
}

#[test]
fn an_ace_of_the_bank_shows_both_values() {
    let cards = parse_cards("Ks 7d Ah").unwrap();
    let shows = |lang| cards.iter().map(|card| words::shows(*card, lang)).collect::<Vec<_>>();
    assert_eq!(shows(Lang::En), ["10", "7", "ace (1 or 11)"]);
    assert_eq!(shows(Lang::De), ["10", "7", "Ass (1 oder 11)"]);
}

#[test]
fn a_player_with_only_one_move_need_not_press_it() {
    let forced = |trial: &Trial<Blackjack>| {
        trial.scene(Eye::Seat(seat(0)), Lang::En, |scene| {
            let desk = Blackjack::desk(scene, &draft::<Blackjack>());
            desk.buttons.iter().map(|button| (button.label.clone(), button.forced)).collect::<Vec<_>>()
        })
    };
    let natural = (1..=255).map(dealt).find(|trial| can(trial).total.points == 21);
    assert_eq!(forced(&natural.expect("one of these deals gives the first seat 21")), [("Stand".to_owned(), true)]);
    let over =
        (1..=255).map(dealt).filter(|trial| (12..=16).contains(&can(trial).total.points)).find_map(|mut trial| {
            trial.play(seat(0), Move::Act(Action::Hit));
            trial.deal_out();
            (can(&trial).total.points > 21).then_some(trial)
        });
    assert_eq!(forced(&over.expect("one of these cards is too high")), [("Bust".to_owned(), true)]);
    let free = (1..=255).map(dealt).find(|trial| can(trial).total.points < 21);
    assert!(forced(&free.expect("most deals leave a choice")).iter().all(|(_, forced)| !forced));
}
