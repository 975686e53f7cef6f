//! Real programs at a private table, each with its own data folder.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use peer::{Entry, Record, Report};

/// How long anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// A running program.
pub(crate) struct Player {
    child: Child,
    stdin: Option<ChildStdin>,
    out: Receiver<String>,
    err: Receiver<String>,
    /// Every line so far.
    pub(crate) lines: Vec<String>,
    data: PathBuf,
}

impl Player {
    /// Starts the program with this data folder.
    pub(crate) fn start(data: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(args).arg("--data").arg(data).env_remove("FAIRDEAL_DATA");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (out, err) = (lines(child.stdout.take().unwrap()), lines(child.stderr.take().unwrap()));
        let stdin = child.stdin.take();
        Self { child, stdin, out, err, lines: Vec::new(), data: data.to_owned() }
    }

    /// Waits for a line that begins like this; returns what comes after.
    #[track_caller]
    pub(crate) fn until(&mut self, begin: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.out.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.lines.push(line.clone());
                    if let Some(rest) = line.strip_prefix(begin) {
                        return rest.trim_start().to_owned();
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {begin:?} in time: {:?}", self.lines),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("no {begin:?} before the end: {:?}; {:?}", self.lines, self.err.iter().collect::<Vec<_>>())
                }
            }
        }
    }

    /// Waits until another hub is in office, as far as this program has stored.
    #[track_caller]
    pub(crate) fn until_replaced(&self) {
        let end = Instant::now() + PATIENCE;
        let log = folder(&self.data).join("log.jsonl");
        let replaced = |record: Record| record.entries.iter().any(|entry| matches!(entry, Entry::Change(_)));
        // The last line may be half written.
        let read = || Record::parse(&std::fs::read_to_string(&log).unwrap(), true).is_ok_and(replaced);
        while !read() {
            assert!(Instant::now() < end, "no other hub in time");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Tells the program something.
    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// `kill` with a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end; returns the exit code and what was said about it.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + PATIENCE;
        let code = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None if Instant::now() > end => panic!("it does not end: {:?}", self.lines),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        self.lines.extend(self.out.iter());
        (code, self.err.iter().collect::<Vec<_>>().join("\n"))
    }

    /// Waits for the end, which must be a good one; returns the complete result and the log.
    #[track_caller]
    pub(crate) fn result(mut self) -> Played {
        let log = self.until("log ");
        let result = self.until("result ");
        let data = self.data.clone();
        let lines = self.lines.clone();
        let (code, err) = self.end();
        assert_eq!((code, err.as_str()), (Some(0), ""), "{lines:?}");
        Played {
            result: std::fs::read_to_string(result).unwrap(),
            log: std::fs::read_to_string(log).unwrap(),
            data,
            lines,
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A match that one program has finished.
pub(crate) struct Played {
    pub(crate) result: String,
    log: String,
    pub(crate) data: PathBuf,
    pub(crate) lines: Vec<String>,
}

impl Played {
    /// What somebody who was not there finds out from the log.
    pub(crate) fn verified(&self) -> Report {
        peer::verify(&Record::parse(&self.log, false).unwrap())
    }

    /// The folder of the table.
    pub(crate) fn folder(&self) -> PathBuf {
        folder(&self.data)
    }
}

/// The folder of the only table in a data folder.
pub(crate) fn folder(data: &Path) -> PathBuf {
    let mut tables = std::fs::read_dir(data.join("private")).unwrap();
    tables.next().unwrap().unwrap().path()
}

/// Everybody has the same complete result, and their logs prove it.
#[track_caller]
pub(crate) fn agreed(all: &[Played]) {
    for played in all {
        assert_eq!(played.result, all[0].result);
        let signed = results::Signed::parse(played.result.as_bytes()).unwrap();
        assert_eq!(signed.check().verdict(), &results::Verdict::Complete);
        let report = played.verified();
        assert!(report.is_clean(), "{report:?}");
        let match_ = report.played.unwrap();
        assert_eq!(match_.ended, Some(peer::Why::Over));
        assert_eq!(match_.unsigned, []);
        assert_eq!(
            match_.result.unwrap().body().text(),
            results::Signed::parse(played.result.as_bytes()).unwrap().body().text()
        );
    }
}

fn lines(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (tell, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
