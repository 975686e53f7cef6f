//! Rommé's screen at a table set by hand, and in matches of random moves.

use cards::{Card, parse_cards};
use dealers::laws::dealt_by_hand;
use games::romme::{Deal, DiscardDraw, MeldId, Setup, Use};
use table::{Eye, Faces, Known, Order as Dealt, Seats, Slot, Table};

use super::*;
use crate::play::screen::Press;
use crate::play::testing::{draft, drawn, round, screens_hold, settings};

#[test]
fn every_position_can_be_looked_at() {
    screens_hold::<Romme>(2, &[("first_meld", "0")], 1, 1);
    screens_hold::<Romme>(4, &[("first_meld", "10")], 1, 2);
    screens_hold::<Romme>(3, &[("discard_draw", "after_opening")], 1, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// A table of two with what they and the dealer know.
struct Set {
    table: Table<Deal>,
    own: [Faces; 2],
}

/// Seat 0 with these cards, to draw first; seat 1 with low cards, and this card on the pile.
fn set(hand: &str, pile: &str) -> Set {
    opened_with(30, hand, pile)
}

/// The same; the first melds must be worth this many points.
fn opened_with(first_meld: u16, hand: &str, pile: &str) -> Set {
    let setup = Setup {
        players: 2,
        playing: Seats::first(2),
        dealer: Some(seat(1)),
        first_meld,
        jokers: 6,
        discard_draw: DiscardDraw::Free,
        out_without_discard: false,
        max_reshuffles: 2,
        first_deck: 0,
    };
    let (table, own) = dealt_by_hand(&setup, [hand, "2C 3H 4D 6C 7H 8D TC JH QD 2D 3C 4H 6D"], pile);
    Set { table, own }
}

impl Set {
    fn act(&mut self, who: u8, action: &Action) {
        let known = Known::with(self.table.open(), &self.own[usize::from(who)]);
        let faces: Faces = known.own.iter().chain(known.open.iter()).collect();
        self.table.act(self.table.height(), seat(who), action, &faces).unwrap();
    }

    /// Takes the pile.
    fn take(mut self) -> Self {
        self.act(0, &Action::DrawDiscard);
        self
    }

    fn look<T>(&self, f: impl FnOnce(&Scene<'_, Romme>) -> T) -> T {
        let round = round::<Romme>(settings::<Romme>(&[]), 2);
        let known = Known::with(self.table.open(), &self.own[0]);
        round.scene(&self.table, Eye::Seat(seat(0)), known, f)
    }
}

/// Marks cards of the hand by their faces.
fn mark(scene: &Scene<'_, Romme>, draft: &mut Draft<Extra>, cards: &str) {
    for card in parse_cards(cards).unwrap() {
        let free = |slot: Slot| !draft.marked.contains(&slot);
        let held = scene.view.hand.iter().find(|held| held.card == Some(card) && free(held.slot)).unwrap();
        draft.toggle(held.slot, Marking::Many);
    }
}

/// What a button does: makes a move, or why it does not.
fn pressed(scene: &Scene<'_, Romme>, draft: &Draft<Extra>, key: char) -> Result<Action, String> {
    let desk = Romme::desk(scene, draft);
    let button = desk.buttons.iter().find(|button| button.key == key).unwrap();
    match &button.press {
        Ok(Press::Move(Move::Act(action))) => Ok(action.clone()),
        Ok(_) => panic!("{key} makes no move"),
        Err(why) => Err(why.clone()),
    }
}

fn says(scene: &Scene<'_, Romme>, draft: &Draft<Extra>) -> String {
    Romme::desk(scene, draft).says.to_string()
}

const HAND: &str = "7S 7H 7D 3C 4C 5C QS KS JK 2H 9D JD 8H";

#[test]
fn melds_are_set_aside_until_they_reach_the_opening() {
    set(HAND, "5H").take().look(|scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7H 7S 7D");
        assert_eq!(says(scene, &draft), "7d 7h 7s: a set, 21 points: 21 of 30 points to open");
        assert!(pressed(scene, &draft, 'm').unwrap_err().starts_with("21 of 30 points"));
        assert_eq!(Romme::command(scene, &mut draft, 'a'), None);
        assert!(draft.marked.is_empty());
        mark(scene, &mut draft, "5C 4C 3C");
        let Ok(Action::Meld(melds)) = pressed(scene, &draft, 'm') else { panic!("33 points are enough") };
        assert_eq!(melds.len(), 2);
        assert!(drawn(scene, &draft, (80, 24)).0.iter().any(|line| line.contains("Ready [7d 7h 7s] 21 of 30")));

        draft.marked.clear();
        Romme::undo(scene, &mut draft);
        assert_eq!(draft.marked.len(), 3, "what was set aside is back in the hand, marked");
        assert_eq!(Romme::desk(scene, &draft).hand.len(), 14);
    });
}

#[test]
fn without_a_least_opening_nothing_is_said_about_points_to_open() {
    opened_with(0, HAND, "5H").take().look(|scene| {
        let mut draft = draft::<Romme>();
        assert_eq!(says(scene, &draft), "You took 5h. Lay melds, or discard a card.");
        let lines = drawn(scene, &draft, (80, 24)).0;
        assert!(lines.iter().any(|line| line.contains("No melds yet.")), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("to open") || line.contains("open with")), "{lines:#?}");
        mark(scene, &mut draft, "7H 7S 7D");
        assert_eq!(says(scene, &draft), "7d 7h 7s: a set, 21 points");
    });
}

#[test]
fn melds_are_found_and_laid_with_one_key_each() {
    set(HAND, "5H").take().look(|scene| {
        let mut draft = draft::<Romme>();
        assert_eq!(Romme::command(scene, &mut draft, 'f'), None);
        let Ok(Action::Meld(melds)) = pressed(scene, &draft, 'm') else { panic!("there is an opening") };
        assert_eq!(melds.iter().map(Vec::len).sum::<usize>(), 9, "{melds:?}");
    });
    set("2S 4S 6S 8S TS QS 2H 4H 6H 8H TH QH KD", "5D").take().look(|scene| {
        let mut draft = draft::<Romme>();
        let told = Romme::command(scene, &mut draft, 'f');
        assert_eq!(told.as_deref(), Some("you cannot lay any card"));
    });
}

#[test]
fn one_card_is_discarded_but_not_the_one_just_taken() {
    set(HAND, "5H").take().look(|scene| {
        let mut draft = draft::<Romme>();
        assert!(pressed(scene, &draft, 'd').is_err());
        mark(scene, &mut draft, "5H");
        let why = pressed(scene, &draft, 'd').unwrap_err();
        assert!(why.contains("from the discard pile"), "{why}");
        draft.marked.clear();
        mark(scene, &mut draft, "9D");
        assert!(matches!(pressed(scene, &draft, 'd'), Ok(Action::Discard(_))));
        mark(scene, &mut draft, "2H");
        assert!(pressed(scene, &draft, 'd').is_err(), "only one");
    });
}

/// Seat 0 has opened with three sevens and with Q K and a joker for the ace of spades.
fn opened() -> Set {
    let mut set = set("7S 7H 7D QS KS JK AS 7C 2H 2D 9D JD JK", "5H").take();
    let action = set.look(|scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7S 7H 7D");
        Romme::command(scene, &mut draft, 'a');
        mark(scene, &mut draft, "QS JK KS");
        pressed(scene, &draft, 'm').unwrap()
    });
    set.act(0, &action);
    set
}

#[test]
fn cards_are_added_to_the_meld_that_takes_them() {
    opened().look(|scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "7C");
        assert!(says(scene, &draft).contains("fits M1"), "{}", says(scene, &draft));
        let to = |action| match action {
            Ok(Action::LayOff { meld, .. }) => meld,
            other => panic!("{other:?}"),
        };
        assert_eq!(to(pressed(scene, &draft, 't')), MeldId(1));
        assert_eq!(Romme::button_at(scene, &draft, 1), None, "the first time it is chosen");
        Romme::place(scene, &mut draft, 1);
        assert_eq!(Romme::button_at(scene, &draft, 1), Some('t'), "the second time it acts");
        Romme::place(scene, &mut draft, 2);
        assert_eq!(pressed(scene, &draft, 't').unwrap_err(), "these cards do not fit M2");
        let (lines, _) = drawn(scene, &draft, (80, 24));
        let all = lines.join("\n");
        assert!(all.contains("+M1") && all.contains(">M2"), "{all}");
    });
}

#[test]
fn what_can_go_to_several_places_goes_to_each_in_turn() {
    opened().look(|scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "JK");
        let mut seen = Vec::new();
        for _ in 0..2 {
            match pressed(scene, &draft, 't') {
                Ok(Action::LayOff { meld, .. }) => seen.push(meld),
                other => panic!("{other:?}"),
            }
            Romme::command(scene, &mut draft, 'v');
        }
        assert_eq!(seen, [MeldId(1), MeldId(2)], "a fourth seven, or the jack below the queen");
        assert!(Romme::desk(scene, &draft).buttons.iter().any(|button| button.key == 'v'));
        draft.marked.clear();
        mark(scene, &mut draft, "7C");
        assert!(Romme::desk(scene, &draft).buttons.iter().all(|button| button.key != 'v'), "there is one way only");
    });
}

#[test]
fn a_joker_is_swapped_with_what_it_goes_with() {
    opened().look(|scene| {
        let mut draft = draft::<Romme>();
        mark(scene, &mut draft, "AS");
        let Ok(Action::Swap { meld, then: Use::LayOff { meld: to, .. }, .. }) = pressed(scene, &draft, 'j') else {
            panic!("the joker fits the sevens")
        };
        assert_eq!((meld, to), (MeldId(2), MeldId(1)));
        mark(scene, &mut draft, "2H 2D");
        let Ok(Action::Swap { then: Use::Meld(cards), .. }) = pressed(scene, &draft, 'j') else {
            panic!("the joker makes three twos")
        };
        assert_eq!(cards.len(), 3);
        assert!(says(scene, &draft).contains("for the joker in M2"), "{}", says(scene, &draft));
        draft.marked.clear();
        mark(scene, &mut draft, "9D");
        assert!(pressed(scene, &draft, 'j').unwrap_err().contains("no joker on the table"));
    });
}

#[test]
fn the_card_just_drawn_is_told() {
    let mut at = set(HAND, "5H");
    at.act(0, &Action::DrawStock);
    let slot = match at.table.order(0) {
        Some(Dealt::Deal { slots, .. }) => slots.first,
        other => panic!("{other:?}"),
    };
    at.own[0].insert(slot, "9H".parse().unwrap());
    at.table.dealt(at.table.height(), &Faces::new()).unwrap();
    let told = at.look(|scene| says(scene, &draft::<Romme>()));
    assert!(told.starts_with("You drew 9h."), "{told}");
    let told = set(HAND, "5H").take().look(|scene| says(scene, &draft::<Romme>()));
    assert!(told.starts_with("You took 5h."), "{told}");
}

#[test]
fn the_hand_is_sorted_by_suit_or_by_rank() {
    set(HAND, "5H").look(|scene| {
        let mut draft = draft::<Romme>();
        let first = |draft: &Draft<Extra>| {
            let hand = Romme::desk(scene, draft).hand;
            hand.iter().take(3).map(|tile| tile.card.unwrap().to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(first(&draft), "7S QS KS");
        Romme::command(scene, &mut draft, 'r');
        assert_eq!(first(&draft), "2H 3C 4C");
        let last = Romme::desk(scene, &draft).hand.last().unwrap().card;
        assert_eq!(last, Some(Card::JOKER));
    });
}

#[test]
fn the_pile_says_what_it_would_be_good_for() {
    let told = |pile: &str| set(HAND, pile).look(|scene| says(scene, &draft::<Romme>()));
    assert!(told("6C").contains("it makes 3c 4c 5c 6c"), "{}", told("6C"));
    assert!(told("KH").contains("it makes"), "a joker helps: {}", told("KH"));
    set("2S 4S 6S 8S TS QS 2H 4H 6H 8H TH QH KD", "5D").look(|scene| {
        assert!(says(scene, &draft::<Romme>()).contains("no meld yet"));
    });
}

#[test]
fn texts_of_the_rules_name_cards_as_people_do() {
    set(HAND, "5H").look(|scene| {
        let slot = scene.view.hand.iter().find(|held| held.card == Some("9D".parse().unwrap())).unwrap().slot;
        assert_eq!(
            scene.spoken(&format!("card {slot} is no {}: see KS, M1", Card::JOKER)),
            "card 9d is no JK: see Ks, M1"
        );
        let closed = Slot::new(0, 1);
        assert_eq!(
            scene.spoken(&format!("card {closed}: closed")),
            "card ??: closed",
            "nobody sees more than they may"
        );
    });
}
