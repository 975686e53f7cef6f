//! Secrets that somebody types: nothing of them is shown, and they are erased from memory after use.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal;
use results::protected::LONGEST_PASSPHRASE;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// Longer lines are neither keys nor passphrases.
const LONGEST: u64 = 4096;

/// One line that is a secret: typed at the terminal, or the next of standard input.
pub(crate) fn ask(prompt: &str) -> Result<Zeroizing<String>, Failure> {
    if io::stdin().is_terminal() { typed(prompt) } else { read_line(&mut io::stdin().lock()) }
}

/// The passphrase: the first line of a file, or asked for; twice where it is a new one.
pub(crate) fn passphrase(file: Option<&Path>, new: bool) -> Result<Zeroizing<String>, Failure> {
    let passphrase = match file {
        Some(path) => {
            let file = std::fs::File::open(path).map_err(|why| Failure::file(path, "read", &why))?;
            read_line(&mut io::BufReader::new(file))?
        }
        None => ask("Passphrase: ")?,
    };
    if passphrase.is_empty() {
        return Err(Failure::input("the passphrase is empty"));
    }
    if passphrase.len() > LONGEST_PASSPHRASE {
        return Err(Failure::input(format!("a passphrase has at most {LONGEST_PASSPHRASE} bytes")));
    }
    if new && file.is_none() && io::stdin().is_terminal() && *ask("Again: ")? != *passphrase {
        return Err(Failure::input("the passphrases differ"));
    }
    Ok(passphrase)
}

/// The first line of a file or of standard input, without its end.
pub(crate) fn read_line(input: &mut impl io::BufRead) -> Result<Zeroizing<String>, Failure> {
    let mut line = Zeroizing::new(String::new());
    let read = input.take(LONGEST).read_line(&mut line);
    read.map_err(|why| Failure::input(format!("cannot read a line: {}", crate::failure::in_words(&why))))?;
    let inner = line.strip_prefix('\u{feff}').unwrap_or(&line).trim_end_matches(['\n', '\r']);
    Ok(Zeroizing::new(inner.to_owned()))
}

/// While it lives, the terminal shows nothing that is typed.
struct Hidden;

impl Hidden {
    fn new() -> io::Result<Self> {
        terminal::enable_raw_mode().map(|()| Self)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = terminal::disable_raw_mode();
        let _ = io::stderr().write_all(b"\n");
    }
}

fn typed(prompt: &str) -> Result<Zeroizing<String>, Failure> {
    let wrong = |why: io::Error| Failure::input(format!("the terminal cannot be read: {why}"));
    let hidden = Hidden::new().map_err(wrong)?;
    io::stderr().write_all(prompt.as_bytes()).and_then(|()| io::stderr().flush()).map_err(wrong)?;
    // Long enough that it never moves in memory and leaves copies behind.
    let mut line = Zeroizing::new(String::with_capacity(usize::try_from(LONGEST).unwrap_or_default()));
    loop {
        let Event::Key(key) = event::read().map_err(wrong)? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
            (KeyCode::Enter, _) => break,
            (KeyCode::Char('c' | 'd'), true) => return Err(Failure::Interrupted),
            (KeyCode::Char('u'), true) => line.clear(),
            (KeyCode::Backspace, _) => {
                line.pop();
            }
            (KeyCode::Char(letter), false) if line.len() + letter.len_utf8() <= line.capacity() => line.push(letter),
            _ => {}
        }
    }
    drop(hidden);
    Ok(line)
}
