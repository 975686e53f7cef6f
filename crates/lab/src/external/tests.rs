//! What bots are told, and what of their answers is taken.

use std::str::FromStr;

use bots::Past;
use cards::Card;
use dealers::{Local, play_deal};
use games::AnyGame;
use games::blackout::{Action, Blackout};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde_json::Value;
use table::{Height, Match, Moves as _, Slot};

use super::*;
use bots::protocol::{Misanswer, heard};

/// Calls `f` with everything in a value, from the outside in.
fn walk(value: &Value, f: &mut impl FnMut(&Value)) {
    f(value);
    match value {
        Value::Array(list) => list.iter().for_each(|value| walk(value, f)),
        Value::Object(map) => map.values().for_each(|value| walk(value, f)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// All cards that a message names by their slots.
fn cards_in(message: &Value) -> Vec<(Slot, Card)> {
    let card = |slot: &str, card: &Value| Some((slot.parse().ok()?, Card::from_str(card.as_str()?).ok()?));
    let mut all = Vec::new();
    walk(message, &mut |value| {
        let Some(map) = value.as_object() else { return };
        all.extend(map.iter().filter_map(|(slot, face)| card(slot, face)));
        all.extend(map.get("slot").zip(map.get("card")).and_then(|(slot, face)| card(slot.as_str()?, face)));
    });
    all
}

/// Plays some deals at random and hands every question, and what the asked seat knows, to `f`.
fn questions<G: Game>(players: u8, seed: u8, mut f: impl FnMut(&Value, Known<'_>)) {
    let settings = G::Settings::default();
    let mut running = Match::<G>::start(&settings, players).expect("the usual settings");
    let mut dealer = Local::new([seed; 32]);
    let mut rng = Xoshiro256PlusPlus::from_seed([seed; 32]);
    for deal in 1..=3 {
        let mut decide = |table: &Table<G::Rules>, seat: Seat, known: Known<'_>| {
            let past: [Past<G::Rules>; 0] = [];
            let course = Course::<G> { settings: &settings, deal, past: &past };
            let text = protocol::ask(7, table, seat, known, course);
            f(&serde_json::from_str(&text).expect("it is JSON"), known);
            table.rules().moves(known, seat).pick(&mut rng)
        };
        play_deal(running.table_mut(), &mut dealer, &mut decide, &mut ()).expect("random moves are legal");
        running.advance(0);
        if running.standing().over {
            return;
        }
    }
}

#[test]
fn no_message_names_a_card_that_its_seat_has_not_seen() {
    fn check<G: Game>() {
        let (mut named, mut largest) = (0, 0);
        for (players, seed) in [*G::PLAYERS.start(), *G::PLAYERS.end()].into_iter().flat_map(|p| [(p, 1), (p, 2)]) {
            questions::<G>(players, seed, |message, known| {
                for (slot, card) in cards_in(message) {
                    assert_eq!(known.face(slot), Some(card), "{} {players} {seed}: {message}", G::NAME);
                    named += 1;
                }
                let text = message.to_string();
                assert!(!text.contains('\n'));
                largest = largest.max(text.len());
            });
        }
        assert!(named > 100, "{}: only {named} cards were named", G::NAME);
        assert!(largest < 256 << 10, "{}: a message of {largest} bytes", G::NAME);
    }
    for game in AnyGame::ALL {
        games::with_game!(*game, G => check::<G>());
    }
}

/// A table of Blackout at which seat 1 is to bid, and what it knows.
fn bidding(f: impl FnOnce(&Table<<Blackout as Game>::Rules>, Seat, Known<'_>)) {
    let mut running = Match::<Blackout>::start(&Default::default(), 3).unwrap();
    let mut dealer = Local::new([3; 32]);
    let mut f = Some(f);
    let mut decide = |table: &Table<<Blackout as Game>::Rules>, seat: Seat, known: Known<'_>| {
        if let Some(f) = f.take() {
            f(table, seat, known);
        }
        None
    };
    play_deal(running.table_mut(), &mut dealer, &mut decide, &mut ()).unwrap();
}

#[test]
fn only_what_answers_the_question_by_the_rules_is_taken() {
    bidding(|table, seat, known| {
        let answer = |text: &str| heard(text, 7, table, seat, known);
        let nonsense = |text: &str, saying: &str| match answer(text) {
            Err(Misanswer::Nonsense(why)) => assert!(why.contains(saying), "{text}: {why}"),
            other => panic!("{text}: {other:?}"),
        };
        let bid = Some(table::Move::Act(Action::Bid(1)));
        assert_eq!(answer(r#"{"id":7,"action":{"bid":1}}"#), Ok(bid.clone()));
        assert_eq!(answer(r#"{"id":7,"action":{"bid":1},"choice":null,"mood":"good"}"#), Ok(bid));
        // It came too late for an earlier question, whatever it was.
        assert_eq!(answer(r#"{"id":6,"action":"whatever"}"#), Ok(None));
        nonsense("", "EOF");
        nonsense("hello", "expected");
        nonsense("[]", "invalid");
        nonsense(r#"{"action":{"bid":1}}"#, "id");
        nonsense(r#"{"id":8,"action":{"bid":1}}"#, "the question was 7");
        nonsense(r#"{"id":7}"#, "neither");
        nonsense(r#"{"id":7,"action":{"bid":1},"choice":1}"#, "both");
        nonsense(r#"{"id":7,"action":{"dance":1}}"#, "dance");
        nonsense(r#"{"id":7,"action":{"bid":-1}}"#, "-1");
        nonsense(&format!(r#"{{"id":7,"action":{}"#, "[".repeat(10_000)), "recursion");
        let illegal = |text: &str| assert!(matches!(answer(text), Err(Misanswer::Illegal(_))), "{text}");
        illegal(r#"{"id":7,"action":{"bid":99}}"#);
        illegal(r#"{"id":7,"action":{"play":"0:0"}}"#);
    });
}

#[test]
fn an_answer_changes_nothing_at_the_table() {
    bidding(|table, seat, known| {
        let hash = table.state_hash();
        let (height, awaiting) = (table.height(), table.awaiting());
        let taken = heard(r#"{"id":1,"action":{"bid":1}}"#, 1, table, seat, known);
        assert!(matches!(taken, Ok(Some(_))));
        assert_eq!((table.state_hash(), table.height(), table.awaiting()), (hash, height, awaiting));
        assert!(height > Height(0));
    });
}
