//! Two people at two terminals: from the lobby to the signed result, and back after a program was killed.

use std::path::Path;

use crate::Homes;
use crate::terminal::Terminal;

const SMALL: (u16, u16) = (80, 24);
/// As tall as a link and a QR code need.
const TALL: (u16, u16) = (120, 50);

const ENTER: &[u8] = b"\r";
const ESCAPE: &[u8] = b"\x1b";

fn host(data: &Path, size: (u16, u16), game: &[&str]) -> Terminal {
    let words = [&["host"], game, &["--listen", "127.0.0.1:0", "--name", "Anna"]].concat();
    Terminal::keeping(data, size, &words)
}

fn has(text: &'static str) -> impl Fn(&str) -> bool {
    move |screen| screen.contains(text)
}

/// The link on the page for invitations, whose lines are broken anywhere.
fn ticket(terminal: &mut Terminal) -> String {
    terminal.wait("the lobby", has("i invite"));
    terminal.send(b"i");
    let screen = terminal.wait("the link", has("#fdt1"));
    terminal.send(ESCAPE);
    terminal.wait("the lobby again", has("i invite"));
    let from = screen.find("http://").unwrap();
    let link: Vec<&str> = screen[from..].lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    link.concat()
}

/// Both join and accept.
fn begun(homes: &Homes, game: &[&str]) -> (Terminal, Terminal) {
    let mut anna = host(&homes.of("anna"), TALL, game);
    let ticket = ticket(&mut anna);
    let mut bert = Terminal::keeping(&homes.of("bert"), SMALL, &["join", &ticket, "--name", "Bert"]);
    bert.wait("Anna in the lobby", |screen| screen.contains("Anna") && screen.contains("Waiting for Anna to start"));
    anna.wait("Bert in the lobby", |screen| screen.contains("Bert") && screen.contains("Press s to start"));
    anna.send(b"s");
    bert.wait("the match on offer", has("Press a to accept it."));
    bert.send(b"a");
    (anna, bert)
}

/// Whether a screen waits for the person in front of it.
fn waits(screen: &str) -> bool {
    ["your turn", "Enter continues", "Enter shows the result", "The result is complete"]
        .iter()
        .any(|text| screen.contains(text))
}

/// Does what a screen asks for, as the hints say; `true` once the match is over and the result complete.
fn go_on(terminal: &mut Terminal) -> bool {
    let screen = terminal.screen();
    if screen.contains("The result is complete") {
        return true;
    }
    let goes_on = ["Enter continues", "Enter shows the result", "A strong player would"];
    if goes_on.iter().any(|text| screen.contains(text)) {
        terminal.send(ENTER);
    } else if screen.contains("your turn") {
        terminal.send(b"h");
    }
    false
}

/// Both play as the hints say until both have the complete result.
fn played(anna: &mut Terminal, bert: &mut Terminal) {
    for _ in 0..2_000 {
        let done = [go_on(anna), go_on(bert)];
        if done == [true, true] {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    panic!("the match does not end:\n{}\n{}", anna.screen(), bert.screen());
}

#[test]
fn two_people_play_at_two_terminals_to_a_result_that_both_have_signed() {
    let homes = Homes::new();
    let (mut anna, mut bert) = begun(&homes, &["blackjack", "--seats", "2", "--option", "rounds=2"]);
    let first = anna.wait("the first question", waits);
    assert!(first.contains("Blackjack Duel") && first.contains("Bert"), "{first}");
    played(&mut anna, &mut bert);
    for mut terminal in [bert, anna] {
        let screen = terminal.wait("the end", has("Anna and Bert have signed it."));
        assert!(screen.contains("fairdeal verify") && screen.contains("r rematch"), "{screen}");
        terminal.send(ENTER);
        let (code, screen) = terminal.end();
        assert_eq!(code, 0, "{screen}");
        assert!(screen.contains("The match is over.") && screen.contains("Its result:"), "{screen}");
    }
}

#[test]
fn after_a_match_both_go_to_the_table_of_the_rematch() {
    let homes = Homes::new();
    let (mut anna, mut bert) = begun(&homes, &["blackjack", "--seats", "2", "--option", "rounds=1"]);
    played(&mut anna, &mut bert);
    anna.send(b"r");
    anna.wait("the next lobby", |screen| screen.contains("i invite") && !screen.contains("The result is complete"));
    bert.send(b"r");
    bert.wait("Anna in the lobby", |screen| screen.contains("Waiting for Anna to start"));
    anna.wait("Bert in the lobby", has("Press s to start"));
    anna.send(b"s");
    bert.wait("the match on offer", has("Press a to accept it."));
    bert.send(b"a");
    played(&mut anna, &mut bert);
    let results = homes.of("bert").join("collections/card_games/results/blackjack");
    assert_eq!(std::fs::read_dir(results).unwrap().count(), 2, "two matches, two results");
}

#[test]
fn a_person_whose_program_is_killed_comes_back_to_the_same_question() {
    let homes = Homes::new();
    let (mut anna, bert) = begun(&homes, &["blackjack", "--seats", "2", "--option", "rounds=2"]);
    bert.wait("the first question", has("Your bet"));
    bert.kill();
    anna.wait("that Bert is gone", has("not connected: Bert"));
    let mut bert = Terminal::keeping(&homes.of("bert"), SMALL, &["join", "--resume"]);
    bert.wait("the same question", has("Your bet"));
    anna.wait("that Bert is back", has("Bert is connected again."));
    played(&mut anna, &mut bert);
}
