//! `fairdeal play` without a game: what is offered, and what can be changed, on a real terminal.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::terminal::Terminal;

const SMALL: (u16, u16) = (80, 24);
const ENTER: &str = "\r";
const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";

fn header(folder: &std::path::Path, name: &str) -> serde_json::Value {
    let record = std::fs::read_to_string(folder.join("matches").join(name)).unwrap();
    serde_json::from_str::<serde_json::Value>(record.lines().next().unwrap()).unwrap()["fairdeal"].take()
}

#[test]
fn one_key_plays_the_first_game_as_usual() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "");
    let menu = terminal.ready();
    assert!(menu.contains("What would you like to play?") && menu.contains("Texas Hold'em"), "{menu}");
    let table = terminal.press(&[ENTER]);
    assert!(table.contains("Texas Hold'em") && table.contains("your turn"), "{table}");
    assert_eq!(header(folder.path(), "holdem-1.jsonl")["players"], 4);
    terminal.kill();
}

#[test]
fn nothing_is_cut_off_at_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    for size in [SMALL, (60, 20)] {
        let mut terminal = Terminal::play(folder.path(), size, "");
        let mut seen = terminal.ready();
        for _ in 0..6 {
            seen.push_str(&terminal.press(&[DOWN]));
        }
        assert!(!seen.contains('…'), "{seen}");
        let seen: String = seen.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
        for game in games::AnyGame::ALL {
            let about = games::with_game!(*game, G => <G as table::Game>::ABOUT);
            let about = about.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(seen.contains(&about), "{about:?} at {size:?} in {seen}");
        }
        terminal.kill();
    }
}

#[test]
fn players_level_and_settings_are_chosen_before_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "");
    let form = terminal.press(&["s"]);
    assert!(form.contains("< 4 >") && form.contains("computers") && form.contains("starting_chips"), "{form}");
    let form = terminal.press(&[LEFT, LEFT, DOWN, RIGHT, DOWN, "5", "0", "0"]);
    assert!(form.contains("< 500 >") && form.contains("hard"), "{form}");
    let table = terminal.press(&[ENTER]);
    // The other player may fold at once.
    assert!(table.contains("your turn") || table.contains("Deal 1 is over"), "{table}");
    let header = header(folder.path(), "holdem-1.jsonl");
    assert_eq!(header["players"], 2);
    assert_eq!(header["settings"]["starting_chips"], 500);
    assert_eq!(header["extra"]["play"]["seats"], serde_json::json!(["human:You", "hard"]));
    terminal.kill();
}

#[test]
fn settings_that_cannot_be_are_refused_in_the_form() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "");
    let form = terminal.press(&["s", DOWN, DOWN, "7", ENTER]);
    assert!(form.contains("starting_chips must be from 100 to 1000000"), "{form}");
    // Back to the list, and on with the usual settings.
    let menu = terminal.press(&["\x1b"]);
    assert!(menu.contains("What would you like to play?"), "{menu}");
    assert!(terminal.press(&[ENTER]).contains("your turn"));
    terminal.kill();
}

#[test]
fn interrupted_matches_are_told_apart_and_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut screens = Vec::new();
    for seed in [5, 6] {
        let mut terminal = Terminal::play(folder.path(), SMALL, &format!("holdem --seed {seed} --players 3"));
        // The second match is left in its second deal.
        if seed == 6 {
            for _ in 0..30 {
                let screen = terminal.ready();
                if screen.contains("is over") {
                    terminal.press(&[ENTER]);
                    break;
                }
                terminal.press(&["h", ENTER]);
            }
        }
        screens.push(terminal.ready());
        terminal.send(b"q\r");
        assert_eq!(terminal.end().0, 0);
    }
    let mut terminal = Terminal::play(folder.path(), SMALL, "");
    let menu = terminal.ready();
    for text in
        ["Continue", "deal 1", "still in the first deal", "deal 2", " chips. Played", "(holdem-1)", "(holdem-2)"]
    {
        assert!(menu.contains(text), "{text:?} in {menu}");
    }
    let first = menu.lines().position(|line| line.contains("(holdem-1)")).unwrap();
    let second = menu.lines().position(|line| line.contains("(holdem-2)")).unwrap();
    let keys: &[&str] = if first < second { &[ENTER] } else { &[DOWN, ENTER] };
    assert_eq!(terminal.press(keys), screens[0]);
    terminal.kill();
}
