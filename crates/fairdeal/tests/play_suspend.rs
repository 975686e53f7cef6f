//! Ctrl-Z and signals while a game is on the screen, in a shell with job control.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::terminal::Terminal;
use tempfile::TempDir;

const SMALL: (u16, u16) = (80, 24);

/// A shell in which a match is being played.
struct Evening {
    folder: TempDir,
    terminal: Terminal,
    /// The table as it was when the person was asked first.
    table: String,
}

impl Evening {
    fn begin(words: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut terminal = Terminal::shell(SMALL);
        terminal.wait_for_shell("a prompt", |screen| screen.contains("ready>"));
        // The shell in between tells the number of the process, and is replaced by it.
        let command = format!(
            "sh -c 'echo $$ > {folder}/pid; exec {program} play {words} --pace 0 --data {folder}'\n",
            folder = folder.path().display(),
            program = env!("CARGO_BIN_EXE_fairdeal")
        );
        terminal.send(command.as_bytes());
        let table = terminal.wait("the table", |screen| screen.contains("your turn"));
        Self { folder, terminal, table }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self) -> String {
        std::fs::read_to_string(self.path("matches/holdem-1.jsonl")).unwrap()
    }

    fn signal(&self, name: &str) {
        let pid = std::fs::read_to_string(self.path("pid")).unwrap();
        assert!(Command::new("kill").args([name, pid.trim()]).status().unwrap().success());
    }

    /// The shell has the terminal, and nothing of the game is left on it.
    #[track_caller]
    fn stopped(&self) {
        let prompt = |screen: &str| screen.trim_end().ends_with("ready>");
        self.terminal.wait_for_shell("the shell", prompt);
        let everything = self.terminal.everything_visible();
        assert!(!everything.contains(['♠', '♥', '♦', '♣']), "{everything}");
        assert!(!everything.contains("your turn"), "{everything}");
    }

    /// Something is typed to the shell, which answers it.
    #[track_caller]
    fn type_to_shell(&mut self, word: &str) {
        self.terminal.send(format!("echo {word}-$((40+2))\n").as_bytes());
        // What is typed is echoed, so the terminal is in its usual mode.
        let [typed, answer] = [format!("echo {word}-$((40+2))"), format!("\n{word}-42")];
        let answered =
            |screen: &str| screen.contains(&typed) && screen.contains(&answer) && screen.trim_end().ends_with("ready>");
        self.terminal.wait_for_shell("an echo", answered);
    }

    /// The game comes back as it was.
    #[track_caller]
    fn comes_back(&mut self) {
        self.terminal.send(b"fg\n");
        let again = self.terminal.wait("the table again", |screen| screen.contains("your turn"));
        assert_eq!(again, self.table);
    }

    /// The match is left by its keys; the shell goes on.
    fn end(mut self) {
        self.terminal.send(b"q");
        self.terminal.wait("the question", |screen| screen.contains("any other key cancels"));
        self.terminal.send(b"\r");
        self.terminal.wait_for_shell("the way back", |screen| screen.contains("--resume holdem-1"));
        self.terminal.send(b"exit\n");
        assert_eq!(self.terminal.end().0, 0);
    }
}

#[test]
fn ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_table_back() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    let before = evening.record();
    for _ in 0..2 {
        evening.terminal.send(b"\x1a");
        evening.stopped();
        evening.type_to_shell("fff");
        evening.comes_back();
    }
    assert_eq!(evening.record(), before, "nothing was played");
    evening.end();
}

#[test]
fn keys_pressed_together_with_ctrl_z_are_not_played() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    let before = evening.record();
    evening.terminal.send(b"\x1affcc");
    evening.stopped();
    evening.type_to_shell("ok");
    evening.comes_back();
    assert_eq!(evening.record(), before, "nothing was played");
    // And the game still listens.
    evening.terminal.send(b"c");
    evening.terminal.wait("the call", |screen| screen.contains("You: call"));
    assert_ne!(evening.record(), before);
    evening.end();
}

#[test]
fn a_signal_from_outside_stops_it_as_well() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    evening.signal("-TSTP");
    evening.stopped();
    evening.type_to_shell("x");
    evening.comes_back();
    evening.end();
}

#[test]
fn a_match_continued_after_an_unforeseen_stop_draws_its_table_anew() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    // Nobody can catch this signal: the shell gets the terminal as it is.
    evening.signal("-STOP");
    let begin = std::time::Instant::now();
    while !evening.terminal.screen().contains("ready>") {
        assert!(begin.elapsed().as_secs() < 60, "{}", evening.terminal.screen());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    evening.comes_back();
    evening.end();
}

#[test]
fn in_the_background_it_leaves_the_terminal_alone() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    evening.terminal.send(b"\x1a");
    evening.stopped();
    evening.terminal.send(b"bg\n");
    let prompt = |screen: &str| screen.contains("ready> bg\n") && screen.trim_end().ends_with("ready>");
    evening.terminal.wait_for_shell("a prompt", prompt);
    for word in ["one", "two", "three"] {
        evening.type_to_shell(word);
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    evening.comes_back();
    evening.end();
}

#[test]
fn a_stopped_match_can_be_ended_and_is_kept() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4");
    let before = evening.record();
    evening.terminal.send(b"\x1a");
    evening.stopped();
    evening.signal("-TERM");
    evening.signal("-CONT");
    evening.terminal.wait_for_shell("the way back", |screen| screen.contains("--resume holdem-1"));
    assert_eq!(evening.record(), before);
    evening.type_to_shell("after");
    // A shell that has not noticed the end yet warns of a stopped job, once.
    evening.terminal.send(b"exit\nexit\n");
    assert_eq!(evening.terminal.end().0, 0);
    let terminal = Terminal::play(Path::new(evening.folder.path()), SMALL, "--resume");
    assert_eq!(terminal.ready(), evening.table);
    terminal.kill();
}

#[test]
fn without_a_shell_ctrl_z_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::play(folder.path(), SMALL, "holdem --seed 5 --players 4");
    terminal.ready();
    terminal.send(b"\x1a");
    terminal.send(b"c");
    terminal.wait("the call", |screen| screen.contains("You: call"));
    terminal.kill();
}

#[test]
fn time_spent_in_the_shell_is_nobodys_time_to_decide() {
    let mut evening = Evening::begin("holdem --seed 5 --players 4 --option action_timeout=10");
    evening.terminal.send(b"\x1a");
    evening.stopped();
    std::thread::sleep(std::time::Duration::from_secs(11));
    evening.terminal.send(b"fg\n");
    let again = evening.terminal.wait("the table again", |screen| screen.contains("your turn"));
    assert!(!again.contains("You: fold"), "{again}");
    evening.end();
}
