//! A process that is talked to by lines, and that can neither block us, nor fill our memory, nor outlive us.
//!
//! Three threads of its own keep the pipes moving: one writes what is said from a short queue, one reads
//! lines of limited length into another, one reads what it complains and keeps the end of that. They are
//! never waited for: a process that holds a pipe open for good keeps a thread, not the table.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt;
use crate::lines::{LineError, Lines};
use bots::protocol::LONGEST_ANSWER;

/// How many messages may wait to be written, and how many lines to be heard.
const QUEUE: usize = 64;
/// How much of what it complains is kept.
const KEPT: usize = 1 << 10;
/// How long a process has to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// How often somebody who waits looks whether it still makes sense.
const TICK: Duration = Duration::from_millis(50);

/// A running process.
#[derive(Debug)]
pub(super) struct Process {
    /// Until it has been waited for; from then on its number may be somebody else's.
    child: Option<Child>,
    /// What is to be written; dropped, its input is closed.
    out: Option<SyncSender<String>>,
    /// It could not be written to.
    deaf: Arc<AtomicBool>,
    lines: Receiver<Line>,
    complaints: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once it can complain no more.
    silent: Receiver<()>,
}

/// A line of its output, or why it is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Text(String),
    TooLong,
    NotText,
}

/// Why nothing was heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nothing {
    /// The time is up.
    Late,
    /// It has closed its output, or its input before it was told everything.
    Closed,
    /// Somebody has pressed Ctrl-C.
    Interrupted,
}

/// Why nothing can be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deaf {
    /// It has closed its input.
    Closed,
    /// It does not read what it is told.
    Full,
}

impl Process {
    /// Starts a command as the system's shell understands it.
    pub(super) fn start(command: &str) -> io::Result<Self> {
        let mut child = shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (out, messages) = sync_channel::<String>(QUEUE);
        let deaf = Arc::new(AtomicBool::new(false));
        let found_deaf = Arc::clone(&deaf);
        thread::spawn(move || {
            for message in messages {
                if stdin.write_all(message.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    found_deaf.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        let (send, lines) = sync_channel(QUEUE);
        thread::spawn(move || {
            let mut input = Lines::with_limit(BufReader::new(stdout), LONGEST_ANSWER);
            while let Some(read) = input.advance() {
                let line = match read {
                    Ok(()) => Line::Text(input.text().to_owned()),
                    Err(LineError::TooLong) => Line::TooLong,
                    Err(LineError::NotText) => Line::NotText,
                    Err(LineError::Read(_)) => return,
                };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let (end, silent) = sync_channel(0);
        let kept = Arc::clone(&complaints);
        thread::spawn(move || {
            keep_end(stderr, &kept);
            drop(end);
        });
        Ok(Self { child: Some(child), out: Some(out), deaf, lines, complaints, silent })
    }

    /// Says something, without waiting until it is read.
    pub(super) fn say(&self, message: String) -> Result<(), Deaf> {
        match self.out.as_ref().map(|out| out.try_send(message)) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(Deaf::Full),
            Some(Err(TrySendError::Disconnected(_))) | None => Err(Deaf::Closed),
        }
    }

    /// The next line it says, if it does so in time.
    pub(super) fn hear(&self, until: Instant) -> Result<Line, Nothing> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(TICK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Nothing::Closed),
                Err(RecvTimeoutError::Timeout) if interrupt::asked() => return Err(Nothing::Interrupted),
                Err(RecvTimeoutError::Timeout) if self.deaf.load(Ordering::Relaxed) => return Err(Nothing::Closed),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Nothing::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Closes its input, lets it end by itself for a moment, and makes sure that nothing is left of it.
    /// Says how it ended, and the last line it complained.
    pub(super) fn end(mut self) -> (String, String) {
        let status = self.finish();
        // What it complained last may still be on its way to us.
        let _ = self.silent.recv_timeout(GRACE);
        let kept = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        (status, last.chars().filter(|c| !c.is_control()).collect())
    }

    fn finish(&mut self) -> String {
        let Some(mut child) = self.child.take() else { return String::new() };
        self.out = None;
        let until = Instant::now() + GRACE;
        while !has_ended(&mut child) && Instant::now() < until && !interrupt::asked() {
            // It may be waiting for us to read before it can end.
            let _ = self.lines.recv_timeout(TICK / 10);
        }
        kill(&mut child);
        child.wait().map_or_else(|why| why.to_string(), |status| status.to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Reads all there is and keeps the end.
fn keep_end(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(len @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(buffer.iter().take(len));
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}

/// In a process group of its own: Ctrl-C reaches us alone, and all it starts can be ended together.
#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

/// Has it ended? It stays to be waited for: until then nobody else can get its number, so that whatever
/// ends its group cannot end another's.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Ends it, whether it likes to or not, with all it has started.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}
