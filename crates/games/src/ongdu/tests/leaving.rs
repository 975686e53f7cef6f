//! Players who leave or say nothing, and rounds that cannot be finished.

use table::{Awaiting, Breakdown, Chips, Height, Known, Move, Refused, Rules, Seats, Table};

use super::{Scripted, seat, setup};
use crate::ongdu::{Action, Class, Deal, Illegal, Preset, Setup, best_arrangement};

const SPECIAL: &str = "9C TC JC 9D TD JD JH QH KH";

#[test]
fn a_player_who_leaves_while_arranging_shows_their_cards_and_the_computer_arranges_them() {
    let mut scripted = Scripted::deal(&setup(3), &["2C 5C KC 2D 6D KD 2H 7H KS", "9C 9D JC JH KH QH TC TD JD"]);
    scripted.gone(1);
    assert_eq!(scripted.table.awaiting(), Awaiting::Dealer);
    assert_eq!(scripted.table.rules().admits_choice(seat(0), &scripted.as_dealt(0)), Err(Illegal::WrongPhase));
    let height = scripted.table.height();
    assert_eq!(scripted.table.gone(height, seat(1)), Err(Refused::Illegal(Illegal::NotSeated)));
    scripted.dealt();
    assert_eq!(scripted.table.awaiting(), Awaiting::Choices(Seats::one(seat(0)).with(seat(2))));
    assert_eq!(scripted.view().players[1].open.len(), 9);
    assert_eq!(scripted.table.rules().admits_choice(seat(1), &scripted.as_dealt(1)), Err(Illegal::NotSeated));
    scripted.choose(&scripted.choices_as_dealt()).unwrap();
    scripted.dealt();
    // As dealt this would be foul; the computer finds the special hand.
    assert!(matches!(scripted.view().players[1].class, Some(Class::Special(_))));
    assert_eq!(scripted.results()[1], 20);
}

#[test]
fn the_computer_discards_for_a_starting_player_who_left() {
    let mut scripted = Scripted::deal(&setup(6), &["9C TC JC 5D 9D TD JD JH QH KH"]);
    scripted.gone(0);
    scripted.dealt();
    assert_eq!(scripted.view().discard.unwrap().card.unwrap().to_string(), "5D");
    assert_eq!(scripted.table.awaiting(), Awaiting::Choices(Seats::first(6).without(seat(0))));
    let height = scripted.table.height();
    let act = scripted.table.act(height, seat(0), &Action::Discard(scripted.slots(0)[0]), &scripted.faces);
    assert_eq!(act, Err(Refused::Illegal(Illegal::NotSeated)));
    scripted.choose(&scripted.choices_as_dealt()).unwrap();
    scripted.dealt();
    assert!(matches!(scripted.view().players[0].class, Some(Class::Special(_))));
}

#[test]
fn another_may_leave_while_the_starting_player_thinks() {
    let mut scripted = Scripted::deal(&setup(6), &[]);
    scripted.gone(3);
    let early =
        scripted.table.act(scripted.table.height(), seat(0), &Action::Discard(scripted.slots(0)[0]), &scripted.faces);
    assert_eq!(early, Err(Refused::Illegal(Illegal::WrongPhase)));
    scripted.dealt();
    assert_eq!(scripted.table.awaiting(), Awaiting::Turn(seat(0)));
}

#[test]
fn a_seat_left_before_is_dealt_open_cards() {
    let scripted = Scripted::deal(&Setup { gone: Seats::one(seat(1)), ..setup(3) }, &["2C", SPECIAL]);
    let open: Vec<String> = scripted.view().players[1].open.iter().map(|held| held.card.unwrap().to_string()).collect();
    assert_eq!(open.join(" "), SPECIAL);
    assert!(scripted.view().players[0].open.is_empty());
    assert_eq!(scripted.table.awaiting(), Awaiting::Choices(Seats::one(seat(0)).with(seat(2))));
}

#[test]
fn leaving_before_the_deal_or_after_choosing_is_settled_too() {
    let mut table = Table::new(Deal::deal(&Setup { starter: None, ..setup(3) }).unwrap(), Height(0));
    table.gone(Height(0), seat(1)).unwrap();
    assert_eq!(table.awaiting(), Awaiting::Dealer);
    let mut scripted = Scripted::deal(&setup(3), &[]);
    let mine = scripted.as_dealt(1);
    scripted.choose(&scripted.choices_as_dealt()).unwrap();
    scripted.gone(1);
    scripted.dealt();
    let lain: Vec<_> =
        scripted.view().players[1].layers.iter().flat_map(|layer| layer.cards.map(|held| held.slot)).collect();
    assert_eq!(lain, mine.layers().as_flattened(), "what was chosen stands");
    let height = scripted.table.height();
    assert!(scripted.table.gone(height, seat(0)).is_err());
}

#[test]
fn when_one_player_is_left_the_round_is_over_at_once() {
    for players in 2..=6 {
        let mut scripted = Scripted::deal(&setup(players), &[]);
        for leaver in 1..players {
            assert_ne!(scripted.table.awaiting(), Awaiting::Over);
            scripted.gone(leaver);
        }
        assert_eq!(scripted.table.awaiting(), Awaiting::Over);
        assert_eq!(scripted.table.outcome().unwrap().ending, "left alone");
        // Each leaver pays the last one ten points.
        let others = i64::from(players) - 1;
        assert_eq!(scripted.results()[0], 10 * others);
        assert!(scripted.results()[1..].iter().all(|lost| *lost == -10));
        let view = scripted.view();
        assert_eq!((view.phase, view.turn, view.choosing), ("over", None, Seats::NONE));
        let rules = scripted.table.rules();
        if players < 6 {
            assert_eq!(rules.admits_choice(seat(0), &scripted.as_dealt(0)), Err(Illegal::WrongPhase));
        }
        let own = scripted.own(0);
        assert_eq!(rules.default_move(Known::with(scripted.table.open(), &own), seat(0)), None);
    }
    // A seat that had left before was not in this round and pays nothing.
    let mut scripted = Scripted::deal(&Setup { gone: Seats::one(seat(1)), ..setup(3) }, &[]);
    scripted.gone(2);
    assert_eq!(scripted.results(), [10, 10, -20]);
    let why = Deal::deal(&Setup { gone: Seats::first(2), ..setup(3) }).unwrap_err();
    assert_eq!(why.to_string(), "gone must be seats from 0 to 2, at least two staying");
}

#[test]
fn time_running_out_uses_the_computers_discard_and_arrangement() {
    let scripted = Scripted::deal(&setup(6), &["9C TC JC 5D 9D TD JD JH QH KH"]);
    let rules = scripted.table.rules();
    let own = scripted.own(0);
    let known = Known::with(scripted.table.open(), &own);
    assert_eq!(rules.default_move(known, seat(0)), Some(Move::Act(Action::Discard(scripted.slots(0)[3]))));
    assert_eq!(rules.default_move(known, seat(1)), None);
    assert_eq!(rules.default_move(Known::public(scripted.table.open()), seat(0)), None, "faces are missing");

    let scripted = Scripted::deal(&setup(2), &[]);
    let own = scripted.own(1);
    let known = Known::with(scripted.table.open(), &own);
    let Some(Move::Choose(choice)) = scripted.table.rules().default_move(known, seat(1)) else { panic!("it arranges") };
    let cards: Vec<cards::Card> = own.iter().map(|(_, card)| card).collect();
    let best = best_arrangement(&cards, Preset::Seed).unwrap();
    assert_eq!(choice.layers().map(|layer| layer.map(|slot| own.get(slot).unwrap())), best.layers);
    assert_eq!(scripted.table.rules().default_move(Known::public(scripted.table.open()), seat(1)), None);
}

#[test]
fn a_culprit_pays_ten_points_to_each_opponent_in_every_phase() {
    let begun = |setup: &Setup| Table::new(Deal::deal(setup).unwrap(), Height(0));
    let mut opening = Scripted::deal(&setup(3), &[]);
    opening.choose(&opening.choices_as_dealt()).unwrap();
    let phases = [
        begun(&Setup { starter: None, ..setup(3) }),
        begun(&setup(3)),
        Scripted::deal(&setup(3), &[]).table,
        opening.table,
    ];
    for table in phases {
        let result = |why| table.rules().break_off(why).result.iter().map(|chips| chips.0).collect::<Vec<_>>();
        assert_eq!(result(Breakdown::DealerFailed), [0, 0, 0]);
        assert_eq!(result(Breakdown::Vanished(Seats::one(seat(1)))), [10, -20, 10]);
        assert_eq!(result(Breakdown::FalseClaim(Seats::one(seat(0)).with(seat(2)))), [-10, 20, -10]);
        assert_eq!(result(Breakdown::Vanished(Seats::first(3))), [0, 0, 0]);
    }
}

#[test]
fn running_away_never_costs_less_than_losing() {
    let result = |setup: &Setup| {
        let why = Breakdown::Vanished(Seats::one(seat(0)));
        Deal::deal(setup).unwrap().break_off(why).result[seat(0)]
    };
    assert_eq!(result(&Setup { point_value: Chips(5), ..setup(2) }), Chips(-50));
    assert_eq!(result(&Setup { foul: 0, special: 0, ..setup(2) }), Chips(-10));
    assert_eq!(result(&Setup { special: 40, ..setup(2) }), Chips(-40));
    assert_eq!(result(&Setup { preset: Preset::Author, ..setup(2) }), Chips(-15));
}
