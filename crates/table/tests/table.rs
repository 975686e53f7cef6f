//! What a table does for every game: heights, openings, claims, audit, break-off.

mod common;

use common::{Action, Illegal, Setup, Toy, ToyGame, faces, seat};
use table::{
    Awaiting, Breakdown, Chips, Faces, Height, Leaving, Match, Order, Refused, Rules, Seats, Settings as _, Slot, Table,
};

fn table_with(cards: &str) -> (Table<Toy>, Faces) {
    let mut table = Table::new(Toy::deal(&Setup { players: 2, first_deck: 0 }).expect("a deal"), Height(5));
    let faces = faces(0, cards);
    table.dealt(Height(5), &faces).expect("dealt");
    (table, faces)
}

fn lay(index: u16) -> Action {
    Action::Lay(Slot::new(0, index))
}

#[test]
fn an_input_must_name_the_height_it_answers() {
    let (mut table, faces) = table_with("AS KD 2C 3H");
    let refused = table.act(Height(5), seat(0), &lay(0), &faces);
    assert_eq!(refused, Err(Refused::WrongHeight { now: Height(6), got: Height(5) }));
    table.act(Height(6), seat(0), &lay(0), &faces).expect("laid");
    assert_eq!(table.height(), Height(7));
}

#[test]
fn the_cards_an_action_lays_down_must_come_with_it() {
    let (mut table, _) = table_with("AS KD 2C 3H");
    let refused = table.act(Height(6), seat(0), &lay(0), &Faces::new());
    assert_eq!(refused, Err(Refused::NotShown(Slot::new(0, 0))));
}

#[test]
fn a_refused_action_closes_the_slots_it_opened() {
    let (mut table, faces) = table_with("AS KD 2C 3H");
    let before = table.state_hash();
    // Seat 0 lays a card of seat 1: it is opened for the check, and closed again.
    assert_eq!(table.act(Height(6), seat(0), &lay(2), &faces), Err(Refused::Illegal(Illegal::NotYours)));
    assert_eq!(table.open().get(Slot::new(0, 2)), None);
    assert_eq!(table.state_hash(), before);
    // Its owner can still lay it: the card has not been used up.
    table.act(Height(6), seat(0), &lay(0), &faces).expect("laid");
    table.act(Height(7), seat(1), &lay(2), &faces).expect("laid");
}

#[test]
fn a_refused_action_does_not_erase_a_face_that_was_open_before() {
    let (mut table, faces) = table_with("AS KD 2C 3H");
    table.act(Height(6), seat(0), &lay(0), &faces).expect("laid");
    let open = table.open().get(Slot::new(0, 0));
    assert_eq!(table.act(Height(7), seat(1), &lay(0), &faces), Err(Refused::Illegal(Illegal::NotYours)));
    assert_eq!(table.open().get(Slot::new(0, 0)), open);
}

#[test]
fn an_open_face_cannot_change() {
    let (mut table, faces) = table_with("AS KD 2C 3H");
    table.act(Height(6), seat(0), &lay(0), &faces).expect("laid");
    let other = common::faces(0, "KS KD 2C 3H");
    assert_eq!(table.act(Height(7), seat(1), &lay(0), &other), Err(Refused::FaceChanged(Slot::new(0, 0))));
}

#[test]
fn no_card_comes_out_of_a_deck_twice() {
    let (mut table, faces) = table_with("AS KD AS 3H");
    table.act(Height(6), seat(0), &lay(0), &faces).expect("laid");
    let ace = "AS".parse().expect("a card");
    assert_eq!(table.act(Height(7), seat(1), &lay(2), &faces), Err(Refused::NoSuchCard(Slot::new(0, 2), ace)));
}

#[test]
fn a_pack_without_jokers_has_none() {
    let (mut table, faces) = table_with("JK KD AS 3H");
    let refused = table.act(Height(6), seat(0), &lay(0), &faces);
    assert_eq!(refused, Err(Refused::NoSuchCard(Slot::new(0, 0), cards::Card::JOKER)));
}

#[test]
fn an_unknown_seat_or_an_input_of_the_wrong_kind_is_refused() {
    let (mut table, faces) = table_with("AS KD 2C 3H");
    assert_eq!(table.act(Height(6), seat(2), &lay(0), &faces), Err(Refused::NoSuchSeat(seat(2))));
    assert_eq!(table.gone(Height(6), seat(3)), Err(Refused::NoSuchSeat(seat(3))));
    assert_eq!(table.dealt(Height(6), &faces), Err(Refused::NotAwaited(Awaiting::Turn(seat(0)))));
    assert_eq!(table.choose(Height(6), &[]), Err(Refused::NotAwaited(Awaiting::Turn(seat(0)))));
}

#[test]
fn a_true_claim_is_audited_and_costs_nothing() {
    let (mut table, faces) = table_with("AH KD 2C 3H");
    table.act(Height(6), seat(0), &Action::NoSpade, &faces).expect("said");
    table.act(Height(7), seat(1), &lay(2), &faces).expect("laid");
    assert_eq!(table.awaiting(), Awaiting::Dealer, "the claim's cards must be opened");
    let slots: Vec<Order> = table.orders().collect();
    assert_eq!(slots.len(), 2);
    assert_eq!(table.outcome(), None);
    table.dealt(Height(8), &faces).expect("opened");
    assert_eq!(table.outcome().map(|o| o.result.as_slice().to_vec()), Some(vec![Chips(7), Chips(2)]));
    assert_eq!(table.broken_claims().count(), 0);
}

#[test]
fn a_false_claim_is_found_at_the_audit_and_does_not_pay() {
    let (mut table, faces) = table_with("AH KS 2C 3H");
    table.act(Height(6), seat(0), &Action::NoSpade, &faces).expect("said");
    table.act(Height(7), seat(1), &lay(2), &faces).expect("laid");
    table.dealt(Height(8), &faces).expect("opened");
    let outcome = table.outcome().expect("over");
    assert_eq!(outcome.broken_off, Some(Breakdown::FalseClaim(Seats::one(seat(0)))));
    assert_eq!(outcome.result.as_slice(), [Chips(-20), Chips(0)]);
    assert_eq!(table.broken_claims().count(), 1);
    assert_eq!(table.awaiting(), Awaiting::Over);
}

#[test]
fn a_house_that_knows_the_cards_refuses_a_false_claim() {
    use table::Claim as _;
    let (mut table, faces) = table_with("AH KS 2C 3H");
    let refused = table.act_if(Height(6), seat(0), &Action::NoSpade, &faces, |claim| claim.holds(&faces));
    assert_eq!(refused, Err(Refused::Illegal(Illegal::HoldsSpade)));
    assert_eq!(table.claims().len(), 0);
}

#[test]
fn an_audit_without_its_faces_is_refused_and_stays_due() {
    let (mut table, faces) = table_with("AH KS 2C 3H");
    table.act(Height(6), seat(0), &Action::NoSpade, &faces).expect("said");
    table.act(Height(7), seat(1), &lay(2), &faces).expect("laid");
    let before = table.state_hash();
    assert!(table.dealt(Height(8), &Faces::new()).is_err());
    assert_eq!((table.awaiting(), table.state_hash()), (Awaiting::Dealer, before));
    assert_eq!(table.act(Height(8), seat(0), &lay(0), &faces), Err(Refused::NotAwaited(Awaiting::Dealer)));
}

#[test]
fn a_deal_can_be_broken_off_once() {
    let (mut table, _) = table_with("AH KS 2C 3H");
    table.break_off(Height(6), Breakdown::DealerFailed).expect("broken off");
    assert_eq!(table.outcome().map(|o| o.result.as_slice().to_vec()), Some(vec![Chips(0), Chips(0)]));
    assert_eq!(table.break_off(Height(7), Breakdown::DealerFailed), Err(Refused::NotAwaited(Awaiting::Over)));
}

#[test]
fn the_same_inputs_give_the_same_hash_and_others_do_not() {
    let play = |cards: &str, index| {
        let (mut table, faces) = table_with(cards);
        table.act(Height(6), seat(0), &lay(index), &faces).expect("laid");
        table.state_hash()
    };
    assert_eq!(play("AS KD 2C 3H", 0), play("AS KD 2C 3H", 0));
    assert_ne!(play("AS KD 2C 3H", 0), play("AS KD 2C 3H", 1));
    // A closed card is not part of the state.
    assert_eq!(play("AS KD 2C 3H", 0), play("AS QD 2H 3S", 0));
}

#[test]
fn heights_and_decks_run_through_a_match() {
    let mut settings = common::Settings::default();
    settings.set("deals", "2").expect("in range");
    let mut running = Match::<ToyGame>::start(&settings, 2).expect("a match");
    assert_eq!(running.advance(0), None, "the first deal is not over");
    for deck in 0..2 {
        let faces = faces(deck, "AS KD 2C 3H");
        let table = running.table_mut();
        table.dealt(table.height(), &faces).expect("dealt");
        for (who, place) in [(0, 0), (1, 2)] {
            let table = running.table_mut();
            table.act(table.height(), seat(who), &Action::Lay(Slot::new(deck, place)), &faces).expect("laid");
        }
        assert!(running.advance(0).is_some());
    }
    assert_eq!(running.table().height(), Height(6));
    assert!(running.standing().over);
    assert_eq!(running.standing().total.as_slice(), [Chips(28), Chips(4)]);
    assert_eq!(running.standing().place.as_slice(), [1, 2]);
    assert_eq!(running.advance(0), None);
}

#[test]
fn conceding_also_leaves_the_deal() {
    let mut running = Match::<ToyGame>::start(&common::Settings::default(), 2).expect("a match");
    running.concede(seat(0));
    assert_eq!(running.table().rules().gone, Seats::one(seat(0)));
    assert_eq!(running.standing().place.as_slice(), [2, 1]);
}

#[test]
fn the_outcome_says_who_left_and_may_come_back() {
    for (how, away) in [
        (Leaving::Left, Seats::NONE),
        (Leaving::Away, Seats::one(seat(0))),
        (Leaving::Withheld, Seats::one(seat(0))),
        (Leaving::Misopened, Seats::NONE),
    ] {
        let (mut table, faces) = table_with("AS KD 2C 3H");
        table.leave(Height(6), seat(0), how).expect("it may leave");
        assert!(table.leave(Height(7), seat(0), how).is_err(), "{how:?} twice");
        table.act(Height(7), seat(1), &lay(2), &faces).expect("laid");
        assert_eq!(table.outcome().map(|outcome| outcome.away), Some(away), "{how:?}");
    }
    let (mut table, _) = table_with("AS KD 2C 3H");
    table.leave(Height(6), seat(0), Leaving::Away).expect("it may leave");
    table.break_off(Height(7), Breakdown::Vanished(Seats::one(seat(1)))).expect("broken off");
    assert_eq!(table.outcome().map(|outcome| outcome.away), Some(Seats::one(seat(0))), "broken off as well");
}

#[test]
fn only_a_fault_that_can_be_shown_is_proven() {
    let (one, two) = (Seats::one(seat(0)), Seats::one(seat(1)));
    for (why, culprits, proven) in [
        (Breakdown::DealerFailed, Seats::NONE, Seats::NONE),
        (Breakdown::Vanished(one), one, Seats::NONE),
        (Breakdown::FalseClaim(one), one, one),
        (Breakdown::Cheated { proven: one, vanished: two }, one | two, one),
    ] {
        assert_eq!((why.culprits(), why.proven()), (culprits, proven), "{why:?}");
    }
}
