//! Dealing, drawing and throwing away.

use super::*;

#[test]
fn cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer() {
    let scene = Scene::of(Setup { dealer: Some(seat(1)), ..setup(3) }, &[DULL, "", ""], "9H", "");
    let hands = &scene.rules().hands;
    assert!(hands[seat(2)].iter().eq((0..13).map(|k| Slot::new(0, 3 * k))));
    assert!(hands[seat(0)].iter().eq((0..13).map(|k| Slot::new(0, 3 * k + 1))));
    assert_eq!(scene.rules().pile, [Slot::new(0, 39)]);
    assert_eq!(scene.rules().stock_size(), 110 - 40);
    assert_eq!(scene.turn(), seat(2));
    scene.conserved();
}

#[test]
fn the_number_of_jokers_is_a_setting() {
    let scene = Scene::of(Setup { jokers: 2, ..setup(2) }, &["", ""], "9H", "");
    assert_eq!(scene.rules().stock_size(), 106 - 27);
}

#[test]
fn those_who_sit_out_get_no_cards_and_no_turn() {
    let playing: Seats = [seat(1), seat(3)].into_iter().collect();
    let mut scene = Scene::of(Setup { playing, dealer: Some(seat(3)), ..setup(4) }, &["", ""], "9H", "");
    assert_eq!(scene.rules().hands[seat(0)].len(), 0);
    assert_eq!(scene.rules().stock_size(), 83);
    assert_eq!(scene.act_as(seat(0), Action::DrawStock), Err(Refused::Illegal(Illegal::NotSeated)));
    assert_eq!(scene.turn(), seat(1));
    scene.pass();
    assert_eq!(scene.turn(), seat(3));
    scene.pass();
    assert_eq!(scene.turn(), seat(1));
}

#[test]
fn the_first_dealer_is_drawn_by_lot() {
    let mut table = Table::new(Deal::deal(&Setup { dealer: None, ..setup(4) }).unwrap(), Height(0));
    let lots: Faces = [(Slot::new(0, 0), Card::lot(3).unwrap())].into_iter().collect();
    table.dealt(Height(0), &lots).unwrap();
    assert_eq!(table.rules().dealer(), Some(seat(2)));
    assert_eq!(table.rules().decks(), 0..2);
    assert!(
        table
            .orders()
            .any(|order| matches!(order, Order::Deal { to, slots } if to == seat(3) && slots.first == Slot::new(1, 0)))
    );
}

#[test]
fn a_joker_turned_up_stays_and_can_be_taken() {
    let mut scene = Scene::new(&[DULL, OPENER], "JK", "");
    assert_eq!(scene.view().pile[0].card, Some(Card::JOKER));
    scene.act(Action::DrawDiscard).unwrap();
    assert!(scene.rules().pile.is_empty());
    assert_eq!(scene.rules().hands[seat(0)].len(), 14);
}

#[test]
fn a_turn_is_a_draw_and_a_discard_and_goes_round_clockwise() {
    let mut scene = Scene::new(&[DULL, OPENER, ""], "9H", "");
    for expected in [0, 1, 2, 0, 1] {
        assert_eq!(scene.turn(), seat(expected));
        scene.pass();
        scene.conserved();
    }
    assert_eq!(scene.rules().pile.len(), 6);
    assert_eq!(scene.rules().stock_size(), 110 - 40 - 5);
}

#[test]
fn a_turn_begins_with_one_draw() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    let discard = Action::Discard(scene.held("2D"));
    assert_eq!(scene.refused(discard), Illegal::MustDrawFirst);
    assert_eq!(scene.refused(scene.meld(&["QC QH QS"])), Illegal::MustDrawFirst);
    assert_eq!(scene.refused(scene.lay_off(1, "QC")), Illegal::MustDrawFirst);
    scene.draw();
    assert_eq!(scene.refused(Action::DrawStock), Illegal::AlreadyDrawn);
    assert_eq!(scene.refused(Action::DrawDiscard), Illegal::AlreadyDrawn);
}

#[test]
fn nobody_acts_out_of_turn_or_while_cards_are_on_their_way() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    assert_eq!(scene.act_as(seat(1), Action::DrawStock), Err(Refused::Illegal(Illegal::NotYourTurn)));
    scene.act(Action::DrawStock).unwrap();
    assert_eq!(scene.act_as(seat(0), Action::DrawStock), Err(Refused::Illegal(Illegal::WrongPhase)));
    scene.deal();
    assert_eq!(scene.act_as(seat(1), Action::DrawStock), Err(Refused::Illegal(Illegal::NotYourTurn)));
    let height = scene.table.height();
    assert!(matches!(scene.table.dealt(height, &scene.faces), Err(Refused::NotAwaited(_))));
    assert!(matches!(scene.table.act(height, seat(4), &Action::DrawStock, &scene.faces), Err(Refused::NoSuchSeat(_))));
}

#[test]
fn only_the_drawer_is_dealt_a_card_from_the_stock() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    scene.act(Action::DrawStock).unwrap();
    let orders: Vec<Order> = scene.table.orders().collect();
    assert_eq!(orders, [Order::Deal { to: seat(0), slots: table::Run::one(Slot::new(0, 27)) }]);
}

#[test]
fn only_a_card_in_hand_is_thrown_away() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    scene.draw();
    let foreign = scene.rules().hands[seat(1)].iter().next().unwrap();
    assert_eq!(scene.refused(Action::Discard(foreign)), Illegal::CardNotInHand(foreign));
    let nowhere = Slot::new(7, 500);
    assert_eq!(scene.refused(Action::Discard(nowhere)), Illegal::CardNotInHand(nowhere));
}

#[test]
fn jokers_may_be_thrown_away() {
    let mut scene = Scene::new(&["JK", DULL], "9H", "");
    scene.draw();
    scene.discard("JK").unwrap();
    assert_eq!(scene.view().pile.last().unwrap().card, Some(Card::JOKER));
}

#[test]
fn a_card_taken_from_the_pile_does_not_go_back_in_the_same_turn() {
    let mut scene = Scene::new(&["9H 2D", DULL], "9H", "");
    let taken = *scene.rules().pile.last().unwrap();
    scene.act(Action::DrawDiscard).unwrap();
    assert_eq!(scene.view().barred, Some(taken));
    assert_eq!(scene.refused(Action::Discard(taken)), Illegal::SameCardDiscard(taken));
    // The other nine of hearts is another card.
    scene.discard("9H").unwrap();
    scene.pass();
    scene.draw();
    scene.act(Action::Discard(taken)).unwrap();
}

#[test]
fn a_taken_card_is_known_to_everybody_until_it_is_laid() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    let taken = *scene.rules().pile.last().unwrap();
    scene.act(Action::DrawDiscard).unwrap();
    scene.discard("2D").unwrap();
    let view = scene.view();
    let open: Vec<Slot> = view.players[0].open.iter().map(|held| held.slot).collect();
    assert_eq!(open, [taken]);
    assert_eq!(view.players[0].last_draw, Some(crate::romme::DrawView::Discard(view.players[0].open[0])));
    assert_eq!(view.players[0].last_discard.unwrap().card, Some(card("2D")));
}

#[test]
fn with_after_opening_only_those_who_have_opened_take_from_the_pile() {
    let mut scene = Scene::of(Setup { discard_draw: DiscardDraw::AfterOpening, ..setup(2) }, &[OPENER, DULL], "9H", "");
    assert_eq!(scene.refused(Action::DrawDiscard), Illegal::NotOpened);
    scene.draw();
    scene.act(scene.meld(&["QC QH QS"])).unwrap();
    scene.discard("2D").unwrap();
    assert_eq!(scene.refused(Action::DrawDiscard), Illegal::NotOpened);
    scene.pass();
    scene.act(Action::DrawDiscard).unwrap();
}

#[test]
fn an_empty_stock_is_made_of_the_pile_without_its_top() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    while scene.rules().stock_size() > 0 {
        scene.pass();
    }
    assert_eq!(scene.rules().pile.len(), 84);
    let (top, held) = (*scene.rules().pile.last().unwrap(), scene.rules().hands[seat(1)]);
    let hidden = scene.rules().pile[0];
    scene.act(Action::DrawStock).unwrap();
    let orders: Vec<Order> = scene.table.orders().collect();
    let Order::Shuffle { deck: 1, from: Source::Slots(slots) } = &orders[0] else { panic!("{orders:?}") };
    assert_eq!((slots.len(), slots[0]), (83, hidden));
    assert!(!slots.contains(&top));
    scene.deal();
    assert_eq!(scene.rules().pile, [top]);
    assert_eq!(scene.rules().stock_size(), 82);
    assert!(scene.rules().hands[seat(0)].contains(Slot::new(1, 0)) || scene.turn() == seat(1));
    assert_eq!(scene.rules().hands[seat(1)].as_slice()[..13], held.as_slice()[..13], "hands keep their slots");
    assert_eq!(scene.rules().decks(), 0..2);
    assert_eq!(scene.view().reshuffles, (1, 2));
    scene.conserved();
}
