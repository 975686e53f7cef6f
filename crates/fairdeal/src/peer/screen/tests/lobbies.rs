//! The lobby as different people see it.

use games::AnyGame;
use ratatui::crossterm::event::KeyCode;

use super::{RICH, SMALL, page};
use crate::peer::entrance::{Knock, News, Person, View};
use crate::peer::screen::lobby::{Lobby, Wish};
use crate::play::look::Look;
use crate::play::terminal::Happened;
use crate::play::testing::PLAIN;

const TICKET: &str = "http://192.168.178.123:7788/private/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef#fdt1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsxyz";

fn person(number: u8, name: &str) -> Person {
    Person {
        number,
        name: name.to_owned(),
        callsign: format!("X1CA{number}D"),
        computer_of: None,
        here: true,
        host: number == 0,
        accepted: false,
    }
}

/// A table as its host sees it, with one guest and a computer of the host.
fn view() -> View {
    let mut computer = person(2, "Carl");
    computer.computer_of = Some("Anna".to_owned());
    View {
        game: Some(AnyGame::Holdem),
        settings: vec![("starting_chips".to_owned(), "500".to_owned())],
        seats: Some(4),
        people: vec![person(0, "Anna"), person(1, "Bert"), computer],
        ticket: TICKET.to_owned(),
        code: Some("482913".to_owned()),
        address: "192.168.178.123:7788".to_owned(),
        announced: true,
        on_air: false,
        offered: None,
        to_accept: false,
        knocks: Vec::new(),
        online: Ok(()),
        me: Some(0),
        watches: false,
        is_host: true,
        cannot_start: None,
        is_hub: true,
        way_back: "fairdeal host --resume 3f1c".to_owned(),
    }
}

fn guest() -> View {
    View { me: Some(1), is_host: false, is_hub: false, ..view() }
}

fn drawn(lobby: &mut Lobby, view: &View, size: (u16, u16), look: Look) -> String {
    page(size, look, |page| lobby.draw(view, page)).join("\n")
}

fn key(lobby: &mut Lobby, view: &View, key: char) -> Option<Wish> {
    lobby.react(Happened::Key(KeyCode::Char(key)), view)
}

#[track_caller]
fn has(screen: &str, all: &[&str]) {
    for wanted in all {
        assert!(screen.contains(wanted), "{wanted:?} is missing:\n{screen}");
    }
}

#[test]
fn a_host_sees_who_is_there_what_is_missing_and_how_others_get_in() {
    for look in [RICH, PLAIN] {
        let mut lobby = Lobby::new(look);
        let mut view = view();
        view.people[1].here = false;
        let screen = drawn(&mut lobby, &view, SMALL, look);
        has(
            &screen,
            &[
                "Texas Hold'em",
                "3 of 4 seats taken",
                "Press s to start with 3 players, or wait for 1 more.",
                "you, host",
                "computer of Anna",
                "not connected",
                "one seat is free",
                "starting_chips=500",
                "fairdeal join 482913@192.168.178.123:7788",
                "s start",
            ],
        );
        assert!(!look.ascii || screen.is_ascii(), "{screen}");
        assert_eq!(key(&mut lobby, &view, 's'), Some(Wish::Start));
    }
}

#[test]
fn a_guest_waits_for_the_host_and_accepts() {
    let mut lobby = Lobby::new(PLAIN);
    let screen = drawn(&mut lobby, &guest(), SMALL, PLAIN);
    has(&screen, &["Waiting for Anna to start the match."]);
    assert!(!screen.contains("s start") && key(&mut lobby, &guest(), 's').is_none(), "only the host starts");
    assert_eq!(key(&mut lobby, &guest(), 'a'), None, "nothing is on offer");
    let to_accept = View { to_accept: true, offered: Some(offered(&[])), ..guest() };
    has(&drawn(&mut lobby, &to_accept, SMALL, PLAIN), &["Press a to accept it.", "has to accept", "a accept"]);
    assert_eq!(key(&mut lobby, &to_accept, 'a'), Some(Wish::Accept));
    let mut accepted = View { offered: Some(offered(&[1])), ..guest() };
    accepted.people[1].accepted = true;
    let screen = drawn(&mut lobby, &accepted, SMALL, PLAIN);
    has(&screen, &["Waiting for Anna and Carl to accept the match.", "ready"]);
}

fn offered(accepted: &[u8]) -> peer::Offered {
    peer::Offered {
        id: [0; 32],
        start: peer::Start {
            game: AnyGame::Holdem,
            settings: Vec::new(),
            seats: vec![(0, [0; 32]), (1, [0; 32]), (2, [0; 32])],
            threshold: None,
            hub_run_by: Some(0),
            successors: Vec::new(),
        },
        accepted: accepted.iter().map(|number| (*number, [0; 32])).collect(),
    }
}

#[test]
fn newcomers_are_let_in_once_their_words_are_compared() {
    let mut lobby = Lobby::new(PLAIN);
    let mut view = view();
    view.knocks = vec![Knock { number: 7, name: "Eve\u{1b}".to_owned(), words: None }];
    has(&drawn(&mut lobby, &view, SMALL, PLAIN), &["Eve  knocks."]);
    assert_eq!(key(&mut lobby, &view, 'y'), None, "there is nothing to compare yet");
    view.knocks[0].words = Some(["amber", "river", "seven", "stone"]);
    let screen = drawn(&mut lobby, &view, SMALL, PLAIN);
    has(&screen, &["AMBER  RIVER  SEVEN  STONE", "y let in", "n turn away"]);
    assert_eq!(key(&mut lobby, &view, 'y'), Some(Wish::Admit(7)));
    assert_eq!(key(&mut lobby, &view, 'n'), Some(Wish::TurnAway(7)));
}

#[test]
fn what_is_said_is_shown_and_typed_letters_are_not_commands() {
    let mut lobby = Lobby::new(PLAIN);
    let view = view();
    lobby.hear(&News::Chat { from: "Bert".to_owned(), text: "hello\n\u{1b}[2J".to_owned() });
    lobby.hear(&News::Joined("Dora".to_owned()));
    has(&drawn(&mut lobby, &view, SMALL, PLAIN), &["Bert says: hello  [2J", "Dora has joined."]);
    assert_eq!(key(&mut lobby, &view, '/'), None);
    for letter in "sq".chars() {
        assert_eq!(key(&mut lobby, &view, letter), None);
    }
    has(&drawn(&mut lobby, &view, SMALL, PLAIN), &["You say: sq_"]);
    let said = lobby.react(Happened::Key(KeyCode::Enter), &view);
    assert_eq!(said, Some(Wish::Chat("sq".to_owned())));
}

#[test]
fn an_invitation_has_the_link_the_command_and_a_code_where_it_fits() {
    let mut lobby = Lobby::new(RICH);
    let view = view();
    key(&mut lobby, &view, 'i');
    let small = drawn(&mut lobby, &view, SMALL, RICH);
    let together = small.replace(['\n', ' '], "");
    assert!(together.contains(TICKET), "the whole link:\n{small}");
    has(&small, &["fairdeal join 482913@192.168.178.123:7788", "fairdeal join nearby", "there is a QR code"]);
    assert!(!small.contains('█'), "{small}");
    assert_eq!(key(&mut lobby, &view, 'c'), Some(Wish::Copy));
    let large = drawn(&mut lobby, &view, (100, 50), RICH);
    assert!(large.contains('█') && !large.contains("there is a QR code"), "{large}");
    let wide = drawn(&mut lobby, &view, (130, 36), RICH);
    assert!(wide.contains('█') && wide.contains("nearby"), "{wide}");
    // A large screen has room for it next to the people, too.
    lobby.react(Happened::Key(KeyCode::Esc), &view);
    let large = drawn(&mut lobby, &view, (140, 40), RICH);
    assert!(large.contains("computer of Anna"), "{large}");
    let code = crate::peer::screen::qr::lines(TICKET, RICH, (76, 36)).unwrap();
    for (line, row) in code.iter().zip(large.lines().skip(3)) {
        assert!(row.ends_with(line.to_string().trim_end()), "nothing is drawn over it:\n{large}");
    }
    let mut plain = Lobby::new(PLAIN);
    key(&mut plain, &view, 'i');
    let screen = drawn(&mut plain, &view, (140, 60), PLAIN);
    assert!(screen.is_ascii() && !screen.contains("QR"), "{screen}");
}

#[test]
fn leaving_asks_first_and_says_what_it_means_for_others() {
    let mut lobby = Lobby::new(PLAIN);
    assert_eq!(key(&mut lobby, &view(), 'q'), None);
    has(&drawn(&mut lobby, &view(), SMALL, PLAIN), &["Leave the table?", "This computer runs the table"]);
    assert_eq!(key(&mut lobby, &view(), 'x'), None, "cancelled");
    assert_eq!(key(&mut lobby, &guest(), 'q'), None);
    assert!(!drawn(&mut lobby, &guest(), SMALL, PLAIN).contains("runs the table"));
    assert_eq!(lobby.react(Happened::Key(KeyCode::Enter), &guest()), Some(Wish::Leave));
    assert_eq!(lobby.react(Happened::Stop, &guest()), Some(Wish::Close), "Ctrl-C keeps the seat");
}

#[test]
fn a_lost_connection_is_said() {
    let mut lobby = Lobby::new(PLAIN);
    let view = View { online: Err("nobody answers".to_owned()), ..view() };
    has(&drawn(&mut lobby, &view, SMALL, PLAIN), &["No connection to the table, trying again: nobody answers"]);
}

#[test]
fn the_most_people_fit_on_the_smallest_screen() {
    let mut lobby = Lobby::new(PLAIN);
    let mut view = view();
    view.seats = Some(12);
    view.people = (0..12).map(|number| person(number, &format!("A very long name {number}"))).collect();
    view.knocks = vec![Knock { number: 1, name: "Eve".to_owned(), words: Some(["amber", "river", "seven", "stone"]) }];
    lobby.hear(&News::Chat { from: "Bert".to_owned(), text: "hello".to_owned() });
    let screen = drawn(&mut lobby, &view, SMALL, PLAIN);
    has(
        &screen,
        &["X1CA11D", "AMBER  RIVER  SEVEN  STONE", "y let in", "All seats are taken. Press s to start the match."],
    );
}
