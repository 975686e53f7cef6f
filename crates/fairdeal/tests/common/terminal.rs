//! The real program on a real terminal, driven by somebody who reads the screen and presses keys.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// What is drawn at the end of every screen: the cursor is hidden.
const DRAWN: &[u8] = b"\x1b[?25l";

/// How long nothing at all may happen before a test gives up. Nothing is ever measured with it.
const PATIENCE: Duration = Duration::from_secs(60);

struct Shown {
    parser: vt100::Parser,
    /// Everything that was written.
    bytes: Vec<u8>,
    /// How many screens that was.
    draws: usize,
    closed: bool,
}

/// A terminal with the program in it.
pub(crate) struct Terminal {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

impl Terminal {
    /// Starts `fairdeal play` with these words, keeping its matches in this folder.
    pub(crate) fn play(data: &Path, size: (u16, u16), words: &str) -> Self {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        Self::play_words(data, size, &words)
    }

    /// The same, with words that may have spaces in them.
    pub(crate) fn play_words(data: &Path, size: (u16, u16), words: &[String]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(["play", "--pace", "0", "--data"]);
        command.arg(data);
        command.args(words);
        Self::start(command, size)
    }

    /// The same in another environment: variables that are set, or removed where there is no value.
    pub(crate) fn play_in(data: &Path, size: (u16, u16), words: &str, env: &[(&str, Option<&str>)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(["play", "--pace", "0", "--data"]);
        command.arg(data);
        command.args(words.split_whitespace());
        Self::start_in(command, size, env)
    }

    /// Starts a shell with job control, in which a program can be stopped and continued.
    pub(crate) fn shell(size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new("sh");
        command.arg("-i");
        Self::start_in(command, size, &[("PS1", Some("ready> ")), ("ENV", None), ("HISTFILE", None)])
    }

    /// Starts a command of the program that keeps its files in this folder.
    pub(crate) fn keeping(data: &Path, size: (u16, u16), words: &[&str]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(words);
        command.arg("--data");
        command.arg(data);
        Self::start(command, size)
    }

    /// Starts any command of the program in this folder.
    pub(crate) fn command(folder: &Path, words: &str) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(words.split_whitespace());
        command.cwd(folder);
        Self::start(command, (200, 20))
    }

    /// Starts an example of this crate.
    pub(crate) fn example(name: &str, size: (u16, u16)) -> Self {
        let tests = std::env::current_exe().expect("a path");
        let folder = tests.parent().and_then(Path::parent).expect("target/debug");
        let program = folder.join("examples").join(name);
        // A run of a single test file does not build the examples.
        if !program.exists() {
            let built = std::process::Command::new(env!("CARGO")).args(["build", "--example", name]).status();
            assert!(built.is_ok_and(|status| status.success()), "cargo build --example {name}");
        }
        Self::start(CommandBuilder::new(program), size)
    }

    fn start(command: CommandBuilder, size: (u16, u16)) -> Self {
        Self::start_in(command, size, &[])
    }

    fn start_in(mut command: CommandBuilder, (columns, rows): (u16, u16), env: &[(&str, Option<&str>)]) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("NO_COLOR");
        for (name, value) in env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            }
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("what it writes");
        let writer = pair.master.take_writer().expect("its keyboard");
        let parser = vt100::Parser::new(rows.try_into().expect("a size"), columns.try_into().expect("a size"), 1000);
        let shown =
            Arc::new((Mutex::new(Shown { parser, bytes: Vec::new(), draws: 0, closed: false }), Condvar::new()));
        let theirs = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let read = reader.read(&mut buffer).unwrap_or(0);
                let mut shown = theirs.0.lock().expect("no panic");
                if read == 0 {
                    shown.closed = true;
                } else {
                    shown.parser.process(&buffer[..read]);
                    let old = shown.bytes.len().saturating_sub(DRAWN.len() - 1);
                    shown.bytes.extend_from_slice(&buffer[..read]);
                    shown.draws += shown.bytes[old..].windows(DRAWN.len()).filter(|w| *w == DRAWN).count();
                }
                theirs.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self { shown, writer, master: pair.master, child }
    }

    /// The screen as text, without trailing blanks.
    pub(crate) fn screen(&self) -> String {
        text(&self.shown.0.lock().expect("no panic").parser)
    }

    /// Everything written so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.shown.0.lock().expect("no panic").bytes.clone()
    }

    /// Everything that can be scrolled back to, and the screen.
    pub(crate) fn everything_visible(&self) -> String {
        let mut shown = self.shown.0.lock().expect("no panic");
        let mut all = String::new();
        let screen = shown.parser.screen_mut();
        for back in (0..=screen.scrollback_len()).rev() {
            screen.set_scrollback(back);
            all.push_str(&screen.contents());
            all.push('\n');
        }
        screen.set_scrollback(0);
        all
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        self.wait_from(0, what, wanted)
    }

    /// Waits until the screen has been drawn more often than so, and is as wanted.
    #[track_caller]
    fn wait_from(&self, draws: usize, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().expect("no panic");
        let mut quiet_since = Instant::now();
        let mut length = shown.bytes.len();
        loop {
            let screen = text(&shown.parser);
            // A screen that is only half drawn could be taken for one that asks.
            if shown.draws > draws && shown.bytes.ends_with(DRAWN) && wanted(&screen) {
                return screen;
            }
            assert!(!shown.closed, "the program ended, waiting for {what}:\n{screen}");
            let (now, _) = changed.wait_timeout(shown, Duration::from_secs(1)).expect("no panic");
            shown = now;
            if shown.bytes.len() != length {
                (length, quiet_since) = (shown.bytes.len(), Instant::now());
            }
            assert!(quiet_since.elapsed() < PATIENCE, "nothing happens, waiting for {what}:\n{screen}");
        }
    }

    /// Waits until a shell has written what is wanted, on a terminal as it was before the game.
    #[track_caller]
    pub(crate) fn wait_for_shell(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().expect("no panic");
        let begin = Instant::now();
        loop {
            let screen = text(&shown.parser);
            let terminal = shown.parser.screen();
            let mouse = terminal.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            if !terminal.alternate_screen() && !terminal.hide_cursor() && !mouse && wanted(&screen) {
                return screen;
            }
            assert!(!shown.closed, "the shell ended, waiting for {what}:\n{screen}");
            assert!(begin.elapsed() < PATIENCE, "nothing happens, waiting for {what}:\n{screen}");
            shown = changed.wait_timeout(shown, Duration::from_secs(1)).expect("no panic").0;
        }
    }

    /// Waits until somebody is asked for something.
    #[track_caller]
    pub(crate) fn ready(&self) -> String {
        self.wait("a question", asks)
    }

    /// Presses keys, each once the one before has been dealt with; the screen after the last.
    #[track_caller]
    pub(crate) fn press(&mut self, keys: &[&str]) -> String {
        let mut screen = self.ready();
        for key in keys {
            let draws = self.shown.0.lock().expect("no panic").draws;
            self.send(key.as_bytes());
            screen = self.wait_from(draws, &format!("what {key:?} does"), asks);
        }
        screen
    }

    /// Sends bytes, whatever comes of them.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).and_then(|()| self.writer.flush()).expect("its keyboard");
    }

    /// Makes the terminal another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        {
            let mut shown = self.shown.0.lock().expect("no panic");
            shown.parser.set_size(rows.try_into().expect("a size"), columns.try_into().expect("a size"));
        }
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("another size");
    }

    /// Ends the program at once, without any chance to tidy up.
    pub(crate) fn kill(mut self) {
        let pid = self.child.process_id().expect("a process").to_string();
        let killed = std::process::Command::new("kill").args(["-9", &pid]).status().expect("kill");
        assert!(killed.success());
        self.child.wait().expect("it ends");
    }

    /// What a terminal that is closed tells the program; how it ended.
    pub(crate) fn hang_up(mut self) -> u32 {
        self.signal("-HUP");
        self.child.wait().expect("it ends").exit_code()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.process_id().expect("a process").to_string();
        let sent = std::process::Command::new("kill").args([name, &pid]).status().expect("kill");
        assert!(sent.success());
    }

    /// Waits until the program has ended: its code, and what is on the screen then.
    pub(crate) fn end(mut self) -> (u32, String) {
        let code = self.child.wait().expect("it ends").exit_code();
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().expect("no panic");
        while !shown.closed {
            shown = changed.wait_timeout(shown, PATIENCE).expect("no panic").0;
        }
        assert!(!shown.parser.screen().alternate_screen(), "the terminal was not given back");
        assert!(!shown.parser.screen().hide_cursor(), "the cursor stays hidden");
        assert_eq!(shown.parser.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        (code, text(&shown.parser))
    }
}

/// Does the screen ask somebody for something?
pub(crate) fn asks(screen: &str) -> bool {
    const QUESTIONS: [&str; 9] = [
        "your turn",
        "Enter starts the next deal",
        "Enter ends",
        "Enter shows your cards",
        "Enter plays",
        "Enter continues",
        "Esc closes",
        "any other key cancels",
        "but the game needs",
    ];
    QUESTIONS.iter().any(|text| screen.contains(text))
}

fn text(parser: &vt100::Parser) -> String {
    let screen = parser.screen();
    let (_, columns) = screen.size();
    let rows = screen.rows(0, columns.get());
    let lines: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    lines.join("\n")
}
