//! The real program on a real terminal, driven by somebody who reads the screen and presses keys.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

/// How long the screen may stay as it is before a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

struct Shown {
    parser: vt100::Parser,
    closed: bool,
}

/// A terminal with a program in it.
pub(crate) struct Terminal {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
}

impl Terminal {
    /// Starts a program.
    pub(crate) fn start(command: &Command) -> Self {
        let mut wrapped = CommandBuilder::new(command.get_program());
        wrapped.args(command.get_args());
        wrapped.env("TERM", "xterm-256color");
        wrapped.env("LC_ALL", "C.UTF-8");
        let size = PtySize { rows: 40, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(wrapped).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(40.try_into().unwrap(), 100.try_into().unwrap(), 0);
        let shown = Arc::new((Mutex::new(Shown { parser, closed: false }), Condvar::new()));
        let theirs = Arc::clone(&shown);
        std::thread::spawn(move || {
            // The terminal stays open for as long as it is read.
            let _master = pair.master;
            let mut buffer = [0; 4096];
            loop {
                let read = reader.read(&mut buffer).unwrap_or(0);
                let mut shown = theirs.0.lock().unwrap();
                shown.parser.process(&buffer[..read]);
                shown.closed = read == 0;
                theirs.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Self { shown, writer, child }
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().unwrap();
        loop {
            let text = shown.parser.screen().contents();
            if wanted(&text) {
                return text;
            }
            assert!(!shown.closed, "the program ended, waiting for {what}:\n{text}");
            assert!(begin.elapsed() < PATIENCE, "waited too long for {what}:\n{text}");
            shown = changed.wait_timeout(shown, Duration::from_millis(200)).unwrap().0;
        }
    }

    /// Presses a key, and waits until the screen is as wanted.
    #[track_caller]
    pub(crate) fn press(&mut self, key: &str, wanted: impl Fn(&str) -> bool) {
        self.send(key);
        self.wait(&format!("what {key:?} does"), wanted);
    }

    /// Presses keys, whatever comes of them.
    pub(crate) fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).and_then(|()| self.writer.flush()).unwrap();
    }

    /// Waits until the program has ended, and presses what is asked for by the screen until then; the last screen.
    pub(crate) fn end(mut self, presses: impl Fn(&str) -> Option<&'static str>) -> String {
        let begin = Instant::now();
        loop {
            let text = {
                let (shown, changed) = &*self.shown;
                let shown = changed.wait_timeout(shown.lock().unwrap(), Duration::from_millis(200)).unwrap().0;
                let text = shown.parser.screen().contents();
                if shown.closed {
                    assert!(self.child.wait().unwrap().success(), "{text}");
                    return text;
                }
                text
            };
            assert!(begin.elapsed() < PATIENCE, "the program does not end:\n{text}");
            if let Some(keys) = presses(&text) {
                let _ = self.writer.write_all(keys.as_bytes()).and_then(|()| self.writer.flush());
            }
        }
    }
}
