//! `fairdeal play` on a real terminal: every game by a scripted person, screens compared with stored ones.
//!
//! `FAIRDEAL_BLESS=1 cargo test -p fairdeal --test play` stores the screens anew; look at them before you
//! commit them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

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
                ("its last digit taken back", &[BACKSPACE]),
                ("the rules", &["?"]),
                ("the log", &[ESCAPE, "l"]),
                ("a call", &[ESCAPE, "c"]),
            ],
        );
    }
}

#[test]
fn blackjack_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening(
            "blackjack",
            "--seed 6 --players 3 --option rounds=3",
            size,
            &[("a bet of 30", &["3", "0", ENTER]), ("a card", &["c"])],
        );
    }
}

#[test]
fn romme_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening(
            "romme",
            "--seed 7 --players 3 --option mode=rounds --option rounds=1",
            size,
            &[
                ("the rules", &["?"]),
                ("a card from the draw pile", &[ESCAPE, "s"]),
                ("melds are found", &["f"]),
                ("and taken back", &[BACKSPACE]),
            ],
        );
    }
}

#[test]
fn bigc_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening(
            "bigc",
            "--seed 8 --players 3",
            size,
            &[
                ("the rules", &["?"]),
                ("a card is marked", &[ESCAPE, " "]),
                ("and shown", &[ENTER]),
                ("two cards are marked", &["1", "2"]),
            ],
        );
    }
}

#[test]
fn ongdu_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening(
            "ongdu",
            "--seed 9 --players 3 --option max_rounds=2",
            size,
            &[("a card is picked", &[" "]), ("another, too", &[RIGHT, " "])],
        );
    }
}

#[test]
fn blackout_is_played_to_the_end() {
    for size in [SMALL, LARGE] {
        evening("blackout", "--seed 10 --players 4 --option max=3", size, &[("a bid of one", &["1"])]);
    }
}

#[test]
fn the_most_players_fit_on_a_small_screen() {
    let most = [
        ("holdem", 9, ""),
        ("blackjack", 4, ""),
        ("romme", 4, ""),
        ("bigc", 12, ""),
        ("ongdu", 6, ""),
        ("blackout", 7, "--option start=7"),
    ];
    let mut album = Album::new("most-players", SMALL);
    for (game, players, options) in most {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("{game} --seed 11 --players {players} {options}");
        let mut terminal = Terminal::play(folder.path(), SMALL, &words);
        album.keep(game, &terminal.ready());
        terminal.send(b"q\r");
        assert_eq!(terminal.end().0, 0);
    }
    album.compare();
}

#[test]
fn plain_letters_and_no_colours_are_kept_to() {
    for game in ["holdem", "blackjack", "romme", "bigc", "ongdu", "blackout"] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::play(folder.path(), SMALL, &format!("{game} --seed 3 --ascii --no-color"));
        terminal.press(&["?", ESCAPE, "h", ESCAPE, "l", ESCAPE]);
        terminal.send(b"q\r");
        let bytes = terminal.bytes();
        assert!(bytes.is_ascii(), "{game}: {}", String::from_utf8_lossy(&bytes));
        let text = String::from_utf8(bytes).unwrap();
        for colored in ["\x1b[31m", "\x1b[38;", "\x1b[91m", "\x1b[33m"] {
            assert!(!text.contains(colored), "{game} uses {colored:?}");
        }
        terminal.end();
    }
}

#[test]
fn a_locale_without_unicode_gets_plain_letters() {
    let none: [(&str, Option<&str>); 3] = [("LC_ALL", None), ("LC_CTYPE", None), ("LANG", None)];
    let with = |at: usize, name, value| {
        let mut env = none;
        env[at] = (name, Some(value));
        env
    };
    let plain = [with(2, "LANG", "C"), with(2, "LANG", "POSIX"), with(2, "LANG", "de_DE.ISO-8859-1"), none];
    for (env, ascii) in plain.iter().map(|env| (env, true)).chain([(&with(2, "LANG", "en_US.UTF-8"), false)]) {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::play_in(folder.path(), SMALL, "romme --seed 3", env);
        terminal.press(&["?", ESCAPE]);
        terminal.send(b"q\r");
        let bytes = terminal.bytes();
        assert_eq!(bytes.is_ascii(), ascii, "{env:?}: {}", String::from_utf8_lossy(&bytes));
        terminal.end();
    }
}

#[test]
fn a_terminal_without_screens_is_refused_in_a_line() {
    for term in [Some("dumb"), None] {
        let folder = tempfile::tempdir().unwrap();
        let terminal = Terminal::play_in(folder.path(), SMALL, "romme", &[("TERM", term)]);
        let (code, screen) = terminal.end();
        assert_eq!(code, 2, "{screen}");
        let said = screen.replace('\n', "");
        assert!(said.contains("full screen") && said.contains("for a browser, run fairdeal serve"), "{screen}");
    }
}

#[test]
fn a_fold_is_asked_about_where_checking_is_free() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 5 --players 2");
    let mut screen = terminal.ready();
    for _ in 0..50 {
        if screen.contains("[c] Check") {
            break;
        }
        screen = terminal.press(&[if screen.contains("is over") { ENTER } else { "c" }]);
    }
    assert!(screen.contains("[c] Check"), "{screen}");
    let asked = terminal.press(&["f"]);
    assert!(asked.contains("Fold?") && asked.contains("You can check for free"), "{asked}");
    // Any other key stays; also the one that asked.
    assert_eq!(terminal.press(&["f"]), screen);
    assert!(terminal.press(&["f", ENTER]).contains("is over"));
    terminal.kill();
}

#[test]
fn neither_space_nor_enter_moves_before_something_is_chosen() {
    for game in [
        "holdem --seed 5 --players 2",
        "blackjack --seed 5 --players 2",
        "blackout --seed 5 --players 3 --option start=3 --option max=3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::play(folder.path(), SMALL, game);
        let mut first = terminal.ready();
        if game.starts_with("blackout") {
            // Bidding has no cards to choose from, playing has.
            first = terminal.press(&["h", ENTER]);
        }
        let log = |screen: &str| screen.lines().filter(|line| line.contains("You: ")).count();
        let asked = terminal.press(&[ENTER]);
        assert!(asked.contains("choose first"), "{game}: {asked}");
        assert_eq!(log(&asked), log(&first), "{game}: {asked}");
        if !game.starts_with("blackout") {
            assert!(terminal.press(&[" "]).contains("choose first"), "{game}");
        }
        let moved = terminal.press(&[RIGHT, ENTER]);
        assert!(moved != first && !moved.contains("choose first"), "{game}: {moved}");
        terminal.kill();
    }
}

#[test]
fn leaving_is_asked_about_between_deals_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 5 --players 2");
    for _ in 0..50 {
        if terminal.ready().contains("is over") {
            break;
        }
        terminal.press(&["c"]);
    }
    let over = terminal.ready();
    let asked = terminal.press(&["q"]);
    assert!(asked.contains("Leave the table?") && asked.contains("fairdeal play --resume holdem-1"), "{asked}");
    assert_eq!(terminal.press(&["x"]), over);
    terminal.press(&["q"]);
    terminal.send(ENTER.as_bytes());
    let (code, screen) = terminal.end();
    assert_eq!(code, 0);
    let way_back = format!("fairdeal play --resume holdem-1 --data {}", folder.path().display());
    assert!(screen.replace('\n', "").contains(&way_back), "{screen}");
}

#[test]
fn another_size_is_drawn_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), LARGE, "blackout --seed 1");
    terminal.ready();
    terminal.resize(80, 24);
    terminal.wait("the small screen", |screen| screen.contains("your turn") && screen.lines().count() == 24);
    terminal.resize(60, 20);
    terminal.wait("that it is too small", |screen| screen.contains("the game needs 80x24"));
    terminal.resize(100, 30);
    terminal.wait("the table again", |screen| screen.contains("your turn") && screen.lines().count() == 30);
    terminal.send(b"q\r");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn the_mouse_presses_buttons() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 5");
    let screen = terminal.ready();
    let row = screen.lines().position(|line| line.contains("[f] Fold")).unwrap();
    let line = screen.lines().nth(row).unwrap();
    let column = line.find("[f] Fold").map(|at| line[..at].chars().count()).unwrap();
    terminal.send(format!("\x1b[<0;{};{}M", column + 2, row + 1).as_bytes());
    let after = terminal.wait("a fold in the log", |screen| screen.contains("You: fold"));
    assert!(after.contains("folded") || after.contains("is over"), "{after}");
}
