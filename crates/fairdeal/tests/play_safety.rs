//! What must never happen at a table in the terminal: cards on the screen for the wrong eyes, a lost match, a
//! terminal left in disorder, a match held up by a bad program.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::run_in;
use common::terminal::Terminal;

const SMALL: (u16, u16) = (80, 24);
const ENTER: &str = "\r";
const GAMES: [&str; 6] = ["holdem", "blackjack", "romme", "bigc", "ongdu", "blackout"];

/// Is there a card in a text: a suit's sign, or a joker's?
fn has_card(text: &str) -> bool {
    text.contains(['♠', '♥', '♦', '♣', '★'])
}

/// The erasing of the screen and of what can be scrolled back to.
const ERASED: &[u8] = b"\x1b[3J";

#[test]
fn nothing_of_a_hand_remains_when_the_next_person_takes_over() {
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("{game} --seed 21 --seat 1=human:Anna --seat 2=human:Bert");
        let mut terminal = Terminal::play(folder.path(), SMALL, &words);
        let mut handed_over = 0;
        let mut seen = Vec::new();
        for _ in 0..60 {
            let screen = terminal.ready();
            if screen.contains("Hand over") {
                handed_over += 1;
                let everything = terminal.everything_visible();
                assert!(!has_card(&everything), "{game}: a card is still to be seen:\n{everything}");
                let bytes = terminal.bytes();
                let last = bytes.windows(ERASED.len()).rposition(|window| window == ERASED);
                let since = &bytes[last.expect("the screen was erased")..];
                assert!(!has_card(&String::from_utf8_lossy(since)), "{game}: a card was written after erasing");
                if handed_over == 6 {
                    break;
                }
                terminal.press(&[ENTER]);
            } else if screen.contains("is over") {
                if screen.contains("The match is over") {
                    break;
                }
                terminal.press(&[ENTER]);
            } else {
                let who = if screen.contains("▶ Anna") { "Anna" } else { "Bert" };
                seen.push(who);
                terminal.press(&["h", ENTER]);
            }
        }
        assert!(handed_over >= 2, "{game}: {handed_over} times");
        assert!(seen.contains(&"Anna") && seen.contains(&"Bert"), "{game}: {seen:?}");
        terminal.kill();
    }
}

#[test]
fn a_match_of_several_people_has_no_hidden_card_in_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 22 --seat 1=human:Anna --seat 2=human:Bert");
    terminal.press(&[ENTER, "c", ENTER]);
    terminal.send(b"q\r");
    assert_eq!(terminal.end().0, 0);
    let record = std::fs::read_to_string(folder.path().join("matches/holdem-1.jsonl")).unwrap();
    assert!(!record.contains("private"), "{record}");
    let secret = folder.path().join("matches/holdem-1.secret");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(secret.exists());
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    for game in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::play(folder.path(), SMALL, &format!("{game} --seed 23 --players 3"));
        for _ in 0..5 {
            let screen = terminal.ready();
            assert!(!screen.contains("The match is over"), "{screen}");
            if screen.contains("is over") {
                terminal.press(&[ENTER]);
            } else {
                terminal.press(&["h", ENTER]);
            }
        }
        let before = terminal.ready();
        let record = folder.path().join(format!("matches/{game}-1.jsonl"));
        let written = std::fs::read_to_string(&record).unwrap();
        terminal.kill();
        // A line that was being written when the program was killed.
        let cut = format!("{written}{{\"act\":{{\"height\":");
        std::fs::write(&record, cut).unwrap();
        let terminal = Terminal::play(folder.path(), SMALL, "--resume");
        let after = terminal.ready();
        assert_eq!(after, before, "{game}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), written, "{game}");
        terminal.kill();
    }
}

#[test]
fn a_match_with_evidence_goes_on_and_proves_itself() {
    for dealer in ["house", "peers"] {
        let folder = tempfile::tempdir().unwrap();
        let words = format!("blackout --seed 24 --players 2 --option max=2 --dealer {dealer}");
        let mut terminal = Terminal::play(folder.path(), SMALL, &words);
        terminal.press(&["h", ENTER]);
        terminal.kill();
        let mut terminal = Terminal::play(folder.path(), SMALL, "--resume blackout-1");
        loop {
            let screen = terminal.ready();
            if screen.contains("The match is over") {
                break;
            }
            if screen.contains("is over") {
                terminal.press(&[ENTER]);
            } else {
                terminal.press(&["h", ENTER]);
            }
        }
        terminal.send(ENTER.as_bytes());
        let (code, screen) = terminal.end();
        assert_eq!(code, 0, "{screen}");
        assert!(screen.replace('\n', "").contains("fairdeal verify"), "{screen}");
        run_in(folder.path(), "verify matches/blackout-1.jsonl").well();
    }
}

#[test]
fn a_secret_choice_is_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let words = "ongdu --seed 25 --seat 1=human:Anna --seat 2=human:Bert";
    let mut terminal = Terminal::play(folder.path(), SMALL, words);
    let screen = terminal.ready();
    assert!(screen.contains("Hand over"), "{screen}");
    let first = if screen.contains("Anna") { "Anna" } else { "Bert" };
    terminal.press(&[ENTER, "h", ENTER]);
    let other = terminal.ready();
    assert!(other.contains("Hand over") && !other.contains(first), "{other}");
    terminal.kill();
    let terminal = Terminal::play(folder.path(), SMALL, "--resume");
    let again = terminal.ready();
    assert_eq!(again, other);
    terminal.kill();
}

#[test]
fn a_changed_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 5 --players 3");
    terminal.press(&["c"]);
    terminal.send(b"q\r");
    terminal.end();
    let record = folder.path().join("matches/holdem-1.jsonl");
    let text = std::fs::read_to_string(&record).unwrap();
    let changed = text.replacen("\"AC\"", "\"AS\"", 1).replacen("\"open\":{\"0:0\":\"d", "\"open\":{\"0:0\":\"d9", 1);
    assert_ne!(changed, text);
    std::fs::write(&record, changed).unwrap();
    let (code, screen) = Terminal::play(folder.path(), SMALL, "--resume").end();
    assert_eq!(code, 2, "{screen}");
    assert!(screen.replace('\n', "").contains("was it changed"), "{screen}");
}

#[test]
fn a_match_is_played_once_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let terminal = Terminal::play(folder.path(), SMALL, "blackout --seed 1");
    terminal.ready();
    let (code, screen) = Terminal::play(folder.path(), SMALL, "--resume").end();
    assert_eq!(code, 2, "{screen}");
    assert!(screen.replace('\n', "").contains("this match is already"), "{screen}");
    terminal.kill();
}

#[test]
fn ctrl_c_and_signals_give_the_terminal_back() {
    for how in ["key", "-TERM", "-INT"] {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::play(folder.path(), SMALL, "romme --seed 1");
        terminal.ready();
        if how == "key" {
            terminal.send(b"\x03")
        } else {
            terminal.signal(how)
        }
        let (code, screen) = terminal.end();
        assert!(code == 0 || code == 130, "{how}: {code}");
        assert!(!has_card(&screen), "{how}: {screen}");
        assert!(folder.path().join("matches/romme-1.secret").exists(), "{how}");
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_can_be_read() {
    let (code, screen) = Terminal::example("panic_at_screen", SMALL).end();
    assert_eq!(code, 101, "{screen}");
    assert!(screen.contains("a mistake in the program"), "{screen}");
    assert!(!has_card(&screen), "{screen}");
}

#[test]
fn a_lost_connection_ends_the_program_and_keeps_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "bigc --seed 2 --players 2");
    let before = terminal.press(&["h", ENTER]);
    terminal.hang_up();
    let terminal = Terminal::play(folder.path(), SMALL, "--resume");
    assert_eq!(terminal.ready(), before);
    terminal.kill();
}

#[test]
fn programs_sit_at_the_table_and_bad_ones_do_not_stop_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.sh"), "while read line; do echo nonsense; done\n").unwrap();
    let bad = folder.path().join("bad.sh");
    let mut command = Vec::from(["blackout", "--seed", "3", "--option", "max=1", "--seat"].map(str::to_owned));
    command.push(format!("2=cmd:sh {}", bad.display()));
    let mut terminal = Terminal::play_words(folder.path(), SMALL, &command);
    let mut log = String::new();
    loop {
        let screen = terminal.ready();
        if screen.contains("The match is over") {
            break;
        }
        if screen.contains("is over") {
            terminal.press(&[ENTER]);
        } else {
            log = terminal.press(&["l"]);
            terminal.press(&["\x1b", "h", ENTER]);
        }
    }
    assert!(log.contains("Program"), "{log}");
    terminal.kill();
}
