//! Random no-limit hands played by another engine (PokerKit 0.7.7), checked step by step: whose turn it
//! is, what a call costs, what can be raised to, the pots, and the stacks at the end.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "this is test code, its helpers included"
)]

use cards::Card;
use games::holdem::{Action, Deal, Moves, Setup};
use serde_json::Value;
use table::{Awaiting, Chips, Faces, Height, Known, Rules, Run, Seat, Seats, Table};

#[test]
fn hands_of_another_engine_go_the_same_way() {
    let hands = include_str!("data/holdem.jsonl");
    let mut steps = 0;
    for line in hands.lines() {
        steps += replay(&serde_json::from_str(line).unwrap());
    }
    assert!(hands.lines().count() >= 199 && steps > 1_700, "only {steps} steps");
}

/// Plays one hand and gives the number of actions compared.
fn replay(hand: &Value) -> usize {
    let id = &hand["id"];
    let stacks: Vec<Chips> = list(&hand["stacks"]).map(chips).collect();
    let setup = Setup::new(&stacks, Some(seat(&hand["button"])), chips(&hand["sb"]), chips(&hand["bb"]));
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    let blinds = table.rules().blind_seats().unwrap();
    assert_eq!((blinds.small, blinds.big), (seat(&hand["sb_seat"]), seat(&hand["bb_seat"])), "hand {id}");
    let posted: Vec<Chips> = list(&hand["posted"]).map(chips).collect();
    assert_eq!(table.rules().bets().as_slice(), posted, "hand {id}");

    let faces = faces(table.rules(), hand);
    let mut compared = 0;
    for (i, step) in list(&hand["actions"]).enumerate() {
        let here = format!("hand {id}, action {i}: {step}");
        deal_what_is_missing(&mut table, &faces);
        let actor = seat(&step["seat"]);
        if table.awaiting() != Awaiting::Turn(actor) {
            // The other engine asks the last player with chips whether they want to check.
            assert_eq!(step["no_raise_why"], "nobody_can_answer", "{here}");
            assert_eq!(step["action"], "check", "{here}");
            continue;
        }
        let rules = table.rules();
        let moves: Moves = rules.moves(Known::public(table.open()), actor);
        assert_eq!(serde_json::to_value(rules.street()).unwrap(), step["street"], "{here}");
        assert_eq!(rules.stacks()[actor], chips(&step["stack"]), "{here}");
        assert_eq!(rules.bets()[actor], chips(&step["bet"]), "{here}");
        let said = serde_json::to_value(moves).unwrap();
        for field in ["to_call", "min_to", "max_to"] {
            assert_eq!(said[field], step[field], "{field}, {here}");
        }
        let action = match step["action"].as_str().unwrap() {
            "fold" => Action::Fold,
            "check" => Action::Check,
            "call" => Action::Call,
            "raise_to" | "bet_to" => Action::RaiseTo(chips(&step["to"])),
            other => panic!("unknown action {other}, {here}"),
        };
        table.act(table.height(), actor, &action, &faces).unwrap_or_else(|why| panic!("{why}, {here}"));
        compared += 1;
    }
    deal_what_is_missing(&mut table, &faces);

    let outcome = table.outcome().unwrap_or_else(|| panic!("hand {id} is not over"));
    let ending = if hand["ended"] == "fold" { "all folded" } else { "showdown" };
    assert_eq!(outcome.ending, ending, "hand {id}");
    let last: Vec<Chips> = list(&hand["final_tda"]).map(chips).collect();
    assert_eq!(table.rules().stacks().as_slice(), last, "hand {id}");
    let pots: Vec<(Chips, Seats)> = table.rules().pots().map(|pot| (pot.amount, pot.eligible)).collect();
    let expected = list(&hand["pots"]).map(|pot| (chips(&pot["amount"]), list(&pot["eligible"]).map(seat).collect()));
    // The other engine names an empty pot where everything was uncalled.
    let expected = expected.filter(|(amount, _)| *amount > Chips::ZERO);
    assert_eq!(pots, expected.collect::<Vec<_>>(), "hand {id}");
    let board = usize::try_from(hand["board_dealt"].as_u64().unwrap()).unwrap();
    assert_eq!(table.rules().open_board().slots().count(), board, "hand {id}");
    compared
}

fn deal_what_is_missing(table: &mut Table<Deal>, faces: &Faces) {
    while table.awaiting() == Awaiting::Dealer {
        table.dealt(table.height(), faces).unwrap();
    }
}

fn faces(rules: &Deal, hand: &Value) -> Faces {
    let lay = |run: Run, cards: &Value| run.slots().zip(list(cards).map(card).collect::<Vec<_>>());
    let holes = (0..).map_while(Seat::new).zip(list(&hand["holes"]));
    holes.flat_map(|(seat, hole)| lay(rules.hole(seat), hole)).chain(lay(rules.board(), &hand["board"])).collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().unwrap().iter()
}

fn chips(value: &Value) -> Chips {
    Chips(value.as_i64().unwrap())
}

fn seat(value: &Value) -> Seat {
    Seat::new(u8::try_from(value.as_u64().unwrap()).unwrap()).unwrap()
}

fn card(value: &Value) -> Card {
    value.as_str().unwrap().parse().unwrap()
}
