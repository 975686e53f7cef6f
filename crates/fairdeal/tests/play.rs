//! `fairdeal play` on a real terminal: every game by a scripted person, screens compared with stored ones.
//!
//! `FAIRDEAL_BLESS=1 cargo test -p fairdeal --test play` stores the screens anew; look at them before you
//! commit them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::run_in;
use common::terminal::Terminal;

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (200, 60);

const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";

/// Screens of one evening, to be compared with those in `tests/screens`.
struct Album {
    name: String,
    text: String,
}

impl Album {
    fn new(game: &str, (columns, rows): (u16, u16)) -> Self {
        Self { name: format!("{game}-{columns}x{rows}.txt"), text: String::new() }
    }

    fn keep(&mut self, what: &str, screen: &str) {
        write!(self.text, "=== {what}\n{screen}\n").unwrap();
    }

    #[track_caller]
    fn compare(self) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(&self.name);
        if std::env::var_os("FAIRDEAL_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &self.text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        for (line, (now, then)) in self.text.lines().zip(stored.lines()).enumerate() {
            assert_eq!(now, then, "line {} of {}", line + 1, self.name);
        }
        assert_eq!(self.text.lines().count(), stored.lines().count(), "{}", self.name);
    }
}

/// Plays a match to its end as the hints say, from wherever it stands; keeps the first screens of each kind.
fn play_on(terminal: &mut Terminal, album: &mut Album) {
    let (mut hinted, mut ended) = (false, false);
    for _ in 0..2_000 {
        let screen = terminal.ready();
        if screen.contains("The match is over") {
            album.keep("the end of the match", &screen);
            return;
        }
        if screen.contains("is over") || screen.contains("broken off") {
            if !std::mem::replace(&mut ended, true) {
                album.keep("the end of a deal", &screen);
            }
            terminal.press(&[ENTER]);
        } else if screen.contains("Hand over") {
            terminal.press(&[ENTER]);
        } else {
            let hint = terminal.press(&["h"]);
            assert!(hint.contains("A strong player would"), "{hint}");
            if !std::mem::replace(&mut hinted, true) {
                album.keep("a hint", &hint);
            }
            terminal.press(&[ENTER]);
        }
    }
    panic!("the match does not end:\n{}", terminal.screen());
}

/// A whole match by a scripted person: first these keys, then as the hints say.
fn evening(game: &str, words: &str, size: (u16, u16), keys: &[(&str, &[&str])]) {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), size, &format!("{game} {words}"));
    let mut album = Album::new(game, size);
    album.keep("the first screen", &terminal.ready());
    for (what, keys) in keys {
        let screen = terminal.press(keys);
        album.keep(what, &screen);
    }
    play_on(&mut terminal, &mut album);
    terminal.send(ENTER.as_bytes());
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("The match is over. Its record:"), "{screen}");
    album.compare();
    // The record stands by itself, and nothing secret is left beside it.
    let record = folder.path().join(format!("matches/{game}-1.jsonl"));
    run_in(folder.path(), &format!("replay matches/{game}-1.jsonl")).well();
    assert!(!record.with_extension("secret").exists());
}

#[test]
fn holdem_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening(
            "holdem",
            "--seed 5 --players 4 --option hand_limit=10",
            size,
            &[
                ("a larger raise", &["+", "+"]),
                ("a typed raise", &["1", "2", "0"]),
                ("half of it taken back", &[BACKSPACE]),
                ("the rules", &["?"]),
                ("the log", &[ESCAPE, "l"]),
                ("a call", &[ESCAPE, "c"]),
            ],
        );
    }
}
