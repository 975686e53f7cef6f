//! Big-C's screen at a table set by hand, and in matches of random moves.

use dealers::laws::{dealt_by_hand, slots_of};
use games::bigc::{Deal, Few, OrderBy, Setup};
use table::{Eye, Faces, Known, Seats, Table};

use super::*;
use crate::play::screen::Press;
use crate::play::testing::{draft, drawn, round, screens_hold, settings};

#[test]
fn every_position_can_be_looked_at() {
    screens_hold::<BigC>(2, &[], 1, 1);
    screens_hold::<BigC>(5, &[("preset", "author"), ("deals", "2"), ("hand_size", "6")], 2, 2);
    screens_hold::<BigC>(12, &[("hand_size", "5")], 1, 3);
}

fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Two players with these cards; they show their first ones, and seat 0 leads.
fn set(hands: [&str; 2]) -> (Table<Deal>, [Faces; 2]) {
    let setup = Setup {
        players: 2,
        decks: 2,
        hand_size: u8::try_from(hands[0].split(' ').count()).unwrap(),
        order: OrderBy::Minigame,
        pass_draws: 0,
        last_chance: false,
        two_joker_triple_low: false,
        gone: Seats::NONE,
        first_deck: 0,
    };
    let (mut table, own) = dealt_by_hand(&setup, hands, "");
    let first = |who: usize| slots_of(&own[who], hands[who].split(' ').next().unwrap())[0];
    let choices = [(seat(0), Choice::Show(first(0))), (seat(1), Choice::Show(first(1)))];
    table.choose(table.height(), &choices).unwrap();
    let opened: Faces = own.iter().flat_map(Faces::iter).collect();
    table.dealt(table.height(), &opened).unwrap();
    (table, own)
}

fn play(table: &mut Table<Deal>, own: &[Faces; 2], who: u8, cards: &str) {
    let faces = &own[usize::from(who)];
    let action = Action::Play(Few::new(&slots_of(faces, cards)).unwrap());
    let opened: Faces = faces.iter().chain(table.open().iter()).collect();
    table.act(table.height(), seat(who), &action, &opened).unwrap();
}

fn look<T>(table: &Table<Deal>, own: &[Faces; 2], who: u8, f: impl FnOnce(&Scene<'_, BigC>) -> T) -> T {
    let round = round::<BigC>(settings::<BigC>(&[]), 2);
    let known = Known::with(table.open(), &own[usize::from(who)]);
    round.scene(table, Eye::Seat(seat(who)), known, f)
}

/// What is said about marked cards, and whether they can be played.
fn judged(table: &Table<Deal>, own: &[Faces; 2], who: u8, cards: &str) -> (String, bool) {
    look(table, own, who, |scene| {
        let mut draft = draft::<BigC>();
        draft.marked = slots_of(&own[usize::from(who)], cards);
        let desk = BigC::desk(scene, &draft);
        let says = desk.says.spans.first().map(|span| span.content.to_string()).unwrap_or_default();
        (says, matches!(desk.buttons[0].press, Ok(Press::Move(_))))
    })
}

const FIRST: &str = "3D 6H 6C 9S 9D 9C KS KH";
const SECOND: &str = "4D 6S 6D 7H 7C 6H 6C 2S";

#[test]
fn marked_cards_say_what_they_are_and_what_they_do() {
    let (mut table, own) = set([FIRST, SECOND]);
    assert_eq!(judged(&table, &own, 0, "6H 6C"), ("Pair of sixes.".to_owned(), true));
    assert!(!judged(&table, &own, 0, "6H 9S").1);
    play(&mut table, &own, 0, "6H 6C");
    let told = |cards| judged(&table, &own, 1, cards);
    assert_eq!(told("7H 7C"), ("Pair of sevens beats it.".to_owned(), true));
    assert_eq!(told("6S 6D"), ("Pair of sixes beats it; half footstool, AAAAAAAAA draws 1.".to_owned(), true));
    assert_eq!(told("6H 6C"), ("Pair of sixes equals it; full footstool, AAAAAAAAA draws 2.".to_owned(), true));
    assert_eq!(told("6C 6D"), ("Pair of sixes: not higher than pair of sixes (compare the suits).".to_owned(), false));
    assert_eq!(told("7H"), ("7h: this is a round of pairs.".to_owned(), false));
    assert_eq!(told("7H 4D"), ("Not a hand: a pair or a triple must be of one rank.".to_owned(), false));
}

#[test]
fn hands_are_suggested_from_the_lowest_up() {
    let (mut table, own) = set([FIRST, SECOND]);
    play(&mut table, &own, 0, "6H 6C");
    look(&table, &own, 1, |scene| {
        let mut draft = draft::<BigC>();
        let mut seen = Vec::new();
        for _ in 0..40 {
            assert_eq!(BigC::command(scene, &mut draft, 'n'), None);
            seen.push(hands::judge(scene, &draft));
        }
        assert!(seen.iter().all(|(_, legal)| *legal), "{seen:?}");
        assert!(seen[0].0.contains("sixes"), "{seen:?}");
        let sevens = seen.iter().position(|(says, _)| says.contains("sevens")).unwrap();
        assert!(seen[..sevens].iter().all(|(says, _)| says.contains("sixes")), "{seen:?}");
        let marked = draft.marked.clone();
        BigC::command(scene, &mut draft, 'n');
        BigC::command(scene, &mut draft, 'b');
        assert_eq!(draft.marked, marked, "b goes back");
    });
}

#[test]
fn a_chooser_goes_on_to_more_cards_with_one_key() {
    let (table, own) = set([FIRST, SECOND]);
    look(&table, &own, 0, |scene| {
        let mut draft = draft::<BigC>();
        let sizes: Vec<usize> = "nkkkk"
            .chars()
            .map(|key| {
                BigC::command(scene, &mut draft, key);
                draft.marked.len()
            })
            .collect();
        assert_eq!(sizes, [1, 2, 3, 5, 1]);
    });
}

#[test]
fn enter_does_not_pass_while_something_can_be_played() {
    let (mut table, own) = set([FIRST, SECOND]);
    let pass = |table: &Table<Deal>| {
        look(table, &own, 1, |scene| {
            let desk = BigC::desk(scene, &draft::<BigC>());
            desk.buttons.iter().find(|button| button.key == 'x').unwrap().grave
        })
    };
    let mut beaten = table.clone();
    play(&mut table, &own, 0, "6H 6C");
    assert!(pass(&table));
    play(&mut beaten, &own, 0, "KS KH");
    assert!(!pass(&beaten), "nothing beats two kings: Enter passes");
}

#[test]
fn only_cards_that_can_be_used_are_bright() {
    let (mut table, own) = set([FIRST, SECOND]);
    play(&mut table, &own, 0, "KH");
    look(&table, &own, 1, |scene| {
        let usable = BigC::desk(scene, &draft::<BigC>()).hand.into_iter().filter(|tile| tile.usable);
        assert_eq!(scene.cards(usable.map(|tile| tile.card)), scene.cards([Some("2S".parse().unwrap())]));
    });
}

#[test]
fn the_table_shows_what_lies_there_and_whose_turn_it_is() {
    let (mut table, own) = set([FIRST, SECOND]);
    play(&mut table, &own, 0, "9S 9D 9C 6H 6C");
    look(&table, &own, 1, |scene| {
        for size in [(80, 24), (200, 60)] {
            let all = drawn(scene, &draft::<BigC>(), size).0.join("\n");
            assert!(all.contains("full house, nines over sixes by AAAAAAAAA"), "{all}");
            assert!(all.contains("Order AAAAAAAAA, >you"), "{all}");
        }
    });
}

#[test]
fn a_flush_is_laid_out_from_low_to_high_on_the_table_and_in_the_log() {
    let (mut table, own) = set(["3D AH 3H 9H 2H 7H KS", "4D 6S 6D 7H 7C 6H 6C"]);
    let key_first = "AH 3H 9H 2H 7H";
    look(&table, &own, 0, |scene| {
        let flush = Move::Act(Action::Play(Few::new(&slots_of(&own[0], key_first)).unwrap()));
        assert_eq!(words::phrase(scene, &flush), "play 3h 7h 9h Ah 2h, flush up to 2h");
    });
    play(&mut table, &own, 0, key_first);
    look(&table, &own, 1, |scene| {
        let all = drawn(scene, &draft::<BigC>(), (80, 24)).0.join("\n");
        let places = ["3h", "7h", "9h", "Ah", "2h"].map(|card| all.find(card));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{all}");
    });
}
