//! The programs on the computers of these tests.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use super::computer;

/// The real program.
pub(crate) fn fairdeal() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fairdeal"))
}

/// The lines a program has printed.
#[derive(Default)]
struct Lines {
    all: Mutex<Vec<String>>,
    more: Condvar,
}

/// Somebody at a computer, whose program plays by itself.
pub(crate) struct Player {
    computer: usize,
    name: String,
    data: PathBuf,
    process: Option<Child>,
    lines: Arc<Lines>,
}

impl Player {
    pub(crate) fn new(computer: usize, name: &str, data: &Path) -> Self {
        Self { computer, name: name.to_owned(), data: data.to_owned(), process: None, lines: Arc::default() }
    }

    pub(crate) fn address(&self) -> String {
        computer::address(self.computer).to_string()
    }

    /// Starts the program on this player's computer.
    pub(crate) fn start(&mut self, words: &[&str]) {
        let mut process = computer::program_on(self.computer, env!("CARGO_BIN_EXE_fairdeal"))
            .args(words)
            .args(["--auto", "easy", "--data"])
            .arg(&self.data)
            .args(if words.contains(&"--resume") { vec![] } else { vec!["--name", &self.name] })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        let err = BufReader::new(process.stderr.take().unwrap());
        self.process = Some(process);
        let (of_out, of_err) = (Arc::clone(&self.lines), Arc::clone(&self.lines));
        std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| of_out.push(line)));
        std::thread::spawn(move || err.lines().map_while(Result::ok).for_each(|line| of_err.push(format!("! {line}"))));
    }

    /// Tells the program something.
    pub(crate) fn tell(&mut self, line: &str) {
        let input = self.process.as_mut().and_then(|process| process.stdin.as_mut());
        writeln!(input.unwrap(), "{line}").unwrap();
    }

    /// Kills the program without a warning; `false` if it had already ended.
    pub(crate) fn kill(&mut self) -> bool {
        let process = self.process.as_mut().unwrap();
        if process.try_wait().unwrap().is_some() {
            return false;
        }
        process.kill().unwrap();
        process.wait().unwrap();
        true
    }

    /// The rest of the first line that begins so, printed already or soon.
    pub(crate) fn wait_for(&self, begin: &str, patience: Duration) -> String {
        self.wait_for_both(begin, "", patience)
    }

    /// The middle of the first line that begins and ends so.
    pub(crate) fn wait_for_both(&self, begin: &str, end: &str, patience: Duration) -> String {
        let until = Instant::now() + patience;
        let mut all = self.lines.all.lock().unwrap();
        loop {
            if let Some(found) = all.iter().find_map(|line| line.strip_prefix(begin)?.strip_suffix(end)) {
                return found.to_owned();
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "{} never said {begin:?} … {end:?}:\n{}", self.name, all.join("\n"));
            all = self.lines.more.wait_timeout(all, left).unwrap().0;
        }
    }

    /// The rest of the first line that begins so, or nothing if the program ends without it.
    pub(crate) fn wait_or_end(&mut self, begin: &str) -> Option<String> {
        loop {
            let ended = self.process.as_mut().unwrap().try_wait().unwrap().is_some();
            let all = self.lines.all.lock().unwrap();
            let found = all.iter().find_map(|line| line.strip_prefix(begin)).map(str::to_owned);
            if found.is_some() || ended {
                return found;
            }
            drop(self.lines.more.wait_timeout(all, Duration::from_millis(100)));
        }
    }

    /// The exit code, once the program has ended.
    pub(crate) fn end(&mut self, patience: Duration) -> Option<i32> {
        let until = Instant::now() + patience;
        let process = self.process.as_mut().unwrap();
        loop {
            if let Some(status) = process.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < until, "{} does not end", self.name);
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Everything it has printed, for a failure's message.
    pub(crate) fn said(&self) -> String {
        self.lines.all.lock().unwrap().join("\n")
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Lines {
    fn push(&self, line: String) {
        self.all.lock().unwrap().push(line);
        self.more.notify_all();
    }
}
