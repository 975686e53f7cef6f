//! What happens while a person thinks.

use std::time::Duration;

use games::types::{Blackjack, Holdem, Romme};
use peer::{Duty, Fault, Seen, Wrong};
use ratatui::crossterm::event::KeyCode;
use table::Seats;

use super::fixture::{Place, seat};
use super::{Person, RICH};
use crate::peer::desk::{Told, Want};
use crate::peer::entrance::WATCHING;
use crate::peer::screen::board::{After, Wish};
use crate::play::screen::Screen;
use crate::play::terminal::Happened;
use crate::play::testing::PLAIN;

const NAMES: [&str; 3] = ["Anna", "Bert", "Carl"];

fn asked<G: Screen>(settings: &[(&str, &str)]) -> Person<G> {
    let mut person = Person::new(Place::<G>::new(&NAMES, settings, 3), 0, PLAIN);
    assert!(person.until_asked());
    person
}

#[test]
fn what_is_half_made_stays_while_others_talk_vanish_and_come_back() {
    let mut person = asked::<Holdem>(&[]);
    person.press("120");
    let typed = |person: &mut Person<Holdem>| person.text().contains("  120 (");
    assert!(typed(&mut person), "{}", person.text());
    person.board.hear(Told::Chat { from: "Bert".to_owned(), text: "hurry\u{1b}[2J up".to_owned() }, person.at);
    person.place.gone = Seats::from_iter([seat(2)]);
    person.listen();
    let screen = person.text();
    assert!(screen.contains("Bert says: hurry [2J up"), "{screen}");
    assert!(screen.contains("Carl is not connected any more.") && screen.contains("not connected: Carl"), "{screen}");
    assert!(typed(&mut person), "{}", person.text());
    person.place.gone = Seats::NONE;
    person.listen();
    assert!(person.text().contains("Carl is connected again."));
    person.board.hear(Told::Connection(Err("the hub has fallen silent".to_owned())), person.at);
    let lost = person.text();
    assert!(lost.contains("No connection to the table, trying again") && typed(&mut person), "{lost}");
}

#[test]
fn what_is_half_made_stays_if_somebody_leaves_and_the_question_is_the_same() {
    // With four players one can leave, and the deal continues.
    let place = Place::<Holdem>::new(&["Anna", "Bert", "Carl", "Dora"], &[], 3);
    let mut person = Person::new(place, 0, PLAIN);
    assert!(person.until_asked());
    person.press("120");
    assert!(person.text().contains("  120 ("), "{}", person.text());
    let height = person.place.session(0).table().unwrap().height();
    person.place.all[2].leave();
    person.place.settle();
    person.listen();
    assert_ne!(person.place.session(0).table().unwrap().height(), height, "the table is another one");
    let left = person.text();
    assert!(left.contains("Carl has left the table and concedes the match.") && left.contains("  120 ("), "{left}");
}

#[test]
fn a_deal_that_is_broken_off_says_why() {
    let mut person = asked::<Holdem>(&[]);
    person.place.all[2].leave();
    person.place.settle();
    person.listen();
    let screen = person.text();
    assert!(screen.contains("Deal 1 was broken off") && screen.contains("No longer at the table: Carl."), "{screen}");
    assert!(screen.contains("It is your turn"), "the next deal has begun:\n{screen}");
}

#[test]
fn marked_cards_stay_marked_while_others_do_something() {
    let mut person = asked::<Romme>(&[]);
    person.press("s");
    person.place.settle();
    person.listen();
    let marks = |person: &mut Person<Romme>| person.text().matches('>').count();
    let before = marks(&mut person);
    person.press("3");
    assert_eq!(marks(&mut person), before + 1, "{}", person.text());
    person.listen();
    assert_eq!(marks(&mut person), before + 1, "{}", person.text());
}

#[test]
fn a_question_is_taken_back_when_time_is_up() {
    let mut person = asked::<Holdem>(&[("action_timeout", "20")]);
    assert!(person.text().contains("your turn: 20 s left"), "{}", person.text());
    person.press("120");
    person.press("f");
    let sure = person.text().contains("Enter confirms");
    person.place.wait(19_000);
    person.listen();
    assert!(person.text().contains("your turn: 1 s left") || sure, "{}", person.text());
    person.place.wait(1_000);
    assert!(person.place.session(0).is_asked().is_none(), "the program has decided");
    person.place.settle();
    person.listen();
    let screen = person.text();
    assert!(
        !screen.contains("your turn") && !screen.contains("120 (") && !screen.contains("Enter confirms"),
        "{screen}"
    );
    assert!(screen.contains("Anna: ") && screen.contains(" (time was up)"), "{screen}");
}

#[test]
fn a_move_that_is_on_its_way_is_not_asked_for_again() {
    let mut person = asked::<Holdem>(&[]);
    person.press("c");
    let screen = person.text();
    assert!(screen.contains("your move is on its way") && !screen.contains("your turn"), "{screen}");
    person.press("c");
    person.listen();
    person.place.settle();
    person.listen();
    assert!(!person.text().contains("on its way"), "{}", person.text());
}

#[test]
fn leaving_asks_first_and_concedes() {
    let mut person = asked::<Holdem>(&[]);
    person.press("q");
    let question = person.text();
    assert!(question.contains("Leave the table and concede?") && question.contains("Enter concedes"), "{question}");
    assert!(question.contains("fairdeal join --resume 3f1c"), "{question}");
    person.press("x");
    assert!(!person.text().contains("concede?"));
    person.place.settle();
    assert!(person.place.session(0).standing().is_some_and(|standing| !standing.over), "nothing was said");
    person.press("q\n");
    person.place.settle();
    person.listen();
    assert!(person.text().contains("Deal 1 was broken off"), "{}", person.text());
    person.press("\n");
    assert!(person.text().contains("you have conceded"), "{}", person.text());
    person.press("l");
    assert!(person.text().contains("Anna has left the table and concedes the match."), "{}", person.text());
    person.press("\u{1b}");
    // The second time the program is closed.
    person.press("q");
    assert!(person.text().contains("Close the program?"));
    let gone = person.board.react(Happened::Key(KeyCode::Enter), person.at);
    assert!(matches!(gone, Some(Wish::Go(After::Done))));
}

#[test]
fn closing_the_program_in_the_middle_of_a_match_concedes_nothing() {
    let mut person = asked::<Holdem>(&[]);
    assert!(matches!(person.board.react(Happened::Stop, person.at), Some(Wish::Go(After::Quit))));
}

#[test]
fn typed_lines_are_said_and_make_no_moves() {
    let mut person = asked::<Holdem>(&[]);
    person.press("/call, fold?");
    let typing = person.text();
    assert!(typing.contains("You say: call, fold?_"), "{typing}");
    person.press("\n");
    assert_eq!(person.chatted, ["call, fold?"]);
    assert!(person.text().contains("You say: call, fold?"), "{}", person.text());
    assert!(person.place.session(0).is_asked().is_some(), "no move was made");
    person.press("/no\u{1b}");
    assert_eq!(person.chatted.len(), 1);
}

#[test]
fn on_a_screen_that_is_too_small_no_key_does_anything() {
    let mut person = asked::<Holdem>(&[]);
    person.size = (60, 20);
    assert!(person.text().contains("press Ctrl-C to close the program"), "{}", person.text());
    person.press("q\nf\n");
    assert!(person.place.session(0).is_asked().is_some());
}

#[test]
fn changes_are_shown_one_after_another() {
    // Somebody who watches is never asked.
    let mut person = Person::new(Place::<Blackjack>::new(&NAMES, &[], 3), 3, PLAIN);
    person.board = super::Board::new(PLAIN, Duration::from_millis(700), "fairdeal join --resume 3f1c", person.at);
    person.place.settle();
    person.listen();
    person.advance(Duration::from_secs(1));
    assert!(person.text().contains("Everybody bets first."), "{}", person.text());
    // The bets and two moves come at once.
    for _ in 0..3 {
        assert!(person.place.others_decide(3));
        person.place.settle();
    }
    person.listen();
    let mut seen = vec![person.text()];
    for _ in 0..10 {
        person.advance(Duration::from_millis(100));
        assert_eq!(Some(&person.text()), seen.last(), "every change is looked at");
        person.advance(Duration::from_millis(601));
        let screen = person.text();
        if seen.last() == Some(&screen) {
            break;
        }
        seen.push(screen);
    }
    assert!((3..9).contains(&seen.len()), "{seen:#?}");
}

#[test]
fn a_fault_is_told_in_plain_words() {
    let mut person = asked::<Holdem>(&[]);
    let fault = Fault { seat: seat(1), height: 99, what: Wrong::Signature };
    person.board.hear(Told::Seen(Box::new(Seen::Fault(fault))), person.at);
    person.advance(Duration::ZERO);
    person.press("l");
    let log = person.text();
    assert!(log.contains("Bert signed something else than the result of this match. Entry 99"), "{log}");
}

#[test]
fn a_player_who_does_not_answer_is_named_with_the_time_that_is_left() {
    let place = Place::<Holdem>::new(&["Anna", "Bert"], &[], 3);
    let mut person = Person::new(place, 0, PLAIN);
    person.place.settle();
    person.place.gone = Seats::from_iter([seat(1)]);
    while person.place.session(0).is_asked().is_some() {
        person.listen();
        person.press("c");
        person.place.settle();
    }
    person.place.clock += 12_000;
    person.listen();
    let status = person.screen()[1].clone();
    assert!(status.contains("Bert is thinking, 12 s") || status.contains("Waiting for Bert"), "{status}");
    person.advance(Duration::from_secs(3));
    let later = person.screen()[1].clone();
    assert!(later.contains("15 s"), "{later}");
    assert!(later.contains("not connected: Bert"), "{later}");
}

#[test]
fn the_status_line_says_for_what_everybody_waits() {
    use dealers::joint::Duty as Part;

    use crate::peer::desk::Waiting;
    use crate::peer::screen::status;
    let place = Place::<Blackjack>::new(&NAMES, &[], 3);
    let names = NAMES.map(str::to_owned);
    let after = |duty: Duty, seats: &[u8], seconds: u64| {
        let mut now = place.now(0);
        now.thinking = Some(20_000);
        let wait = |index: &u8| Waiting { seat: seat(*index), duty, for_ms: 5_000, limit_ms: 50_000 };
        now.waits = seats.iter().map(wait).collect();
        status::awaited(&now, &names, Duration::from_secs(seconds)).unwrap_or_default()
    };
    let told = |duty: Duty, seats: &[u8]| after(duty, seats, 1);
    let play = |part| Duty::Play(part, 4);
    assert_eq!(told(Duty::Seed, &[1]), "Waiting for Bert to open a seed for the match, 6 s, 44 s left");
    assert_eq!(told(play(Part::Key), &[0, 2]), "Waiting for your computer and Carl to make keys, 6 s, 44 s left");
    assert_eq!(told(play(Part::Shuffle), &[1]), "Bert is shuffling, 6 s, 44 s left");
    assert_eq!(told(play(Part::Shuffle), &[0]), "Your computer is shuffling, 6 s, 44 s left");
    assert_eq!(told(play(Part::Shares), &[1, 2]), "Waiting for Bert and Carl to deal cards, 6 s, 44 s left");
    assert_eq!(told(play(Part::Act), &[2]), "Carl is thinking, 6 s, 14 s left", "a person has less time");
    assert_eq!(told(play(Part::Choose), &[1, 2]), "Waiting for Bert and Carl to choose, 6 s, 14 s left");
    assert_eq!(told(play(Part::Act), &[0]), "", "the viewer knows that it is their turn");
    assert_eq!(told(Duty::Sign, &[1]), "Waiting for Bert to sign the result, 6 s, 44 s left");
    assert_eq!(after(play(Part::Act), &[2], 20), "Carl is thinking, 25 s: late in 25 s");
    assert_eq!(after(play(Part::Act), &[2], 60), "Carl is thinking, 65 s: no answer");
}

#[test]
fn a_lost_connection_is_said_before_anything_else() {
    let mut person = Person::new(Place::<Holdem>::new(&NAMES, &[], 3), 0, RICH);
    person.until_asked();
    person.board.hear(Told::Connection(Err("the hub has fallen silent".to_owned())), person.at);
    let status = person.screen()[1].clone();
    assert_eq!(status.trim(), "No connection to the table, trying again: the hub has fallen silent");
    person.advance(Duration::from_secs(12));
    let later = person.screen()[1].clone();
    assert_eq!(later.trim(), "No connection to the table for 12 s, trying again: the hub has fallen silent");
    // Nobody else is said to be away: that cannot be known now.
    let mut now = person.place.now(0);
    (now.here, now.online) = (Seats::NONE, Err("a very long reason that has no room at all on one line".to_owned()));
    person.board.hear(Told::Now(Box::new(now)), person.at);
    let screen = person.text();
    assert!(!screen.contains("not connected") && !screen.contains("a very long"), "{screen}");
    person.board.hear(Told::Connection(Ok(())), person.at);
    assert!(!person.text().contains("No connection"));
}

#[test]
fn what_a_person_should_know_is_on_the_screen() {
    let mut person = Person::new(Place::<Holdem>::new(&NAMES, &[], 3), 0, RICH);
    person.until_asked();
    person.board.hear(Told::Note(format!("{WATCHING}\u{1b}[2J")), person.at);
    let screen = person.text();
    assert!(screen.contains(WATCHING), "it has room on one line:\n{screen}");
    assert!(!screen.contains('\u{1b}'), "nothing in it steers the terminal");
}

#[test]
fn nobody_can_abandon_a_match_that_goes_on() {
    let mut person = asked::<Holdem>(&[]);
    assert!(person.board.react(Happened::Key(KeyCode::Char('z')), person.at).is_none());
    let mut now = person.place.now(0);
    now.hopeless = true;
    person.board.hear(Told::Now(Box::new(now)), person.at);
    person.advance(Duration::ZERO);
    assert!(person.screen()[1].contains("z ends the match"), "{}", person.text());
    let abandoned = person.board.react(Happened::Key(KeyCode::Char('z')), person.at);
    assert!(matches!(abandoned, Some(Wish::Want(Want::Abandon))));
}
