//! `fairdeal peer log`: the log of a private match, printed so that a person can read it.
//!
//! Dealing takes many messages. Unless all are wanted, those of the same kind of work are held back until everybody
//! has done their part (or the work is over without somebody), and are then one line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use ::peer::{Kind, Line, each_line};
use results::Timestamp;
use serde_json::json;

use crate::Done;
use crate::cli::{LogArgs, PeerArgs, PeerCommand};
use crate::failure::{Failure, complain};
use crate::logfile::{self, LogFile, Stopped, glance};
use crate::text::shown;

/// Runs the command.
pub(crate) fn run(args: &PeerArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let PeerCommand::Log(args) = &args.command;
    if args.file.as_os_str() == "-" {
        return log(io::stdin().lock(), "standard input", args, out);
    }
    let opened = File::open(&args.file).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    let file = opened.map_err(|why| Failure::file(&args.file, "open", &why))?;
    log(BufReader::with_capacity(1 << 16, file), &args.file.display().to_string(), args, out)
}

fn log(input: impl BufRead, name: &str, args: &LogArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let (kind, input) = glance(input).map_err(|why| Failure::file(name.as_ref(), "read", &why))?;
    if kind != logfile::Kind::Private {
        return Err(Failure::input(format_args!("{name}: not the log of a private match")));
    }
    let mut silent = |_| {};
    let opened = LogFile::open(input, &mut silent);
    let mut file = opened.map_err(|why| Failure::input(format_args!("{name}:{}: {}", why.line, why.why)))?;
    let (key, hub) = (file.key.clone(), file.hub);
    let mut printing = Printing { args, out, held: Vec::new(), failed: None };
    let broken = each_line(&key, hub, &mut file, &mut |line| printing.take(line));
    printing.flush(|_| true);
    if let Some(failed) = printing.failed {
        return Err(failed);
    }
    out.flush()?;
    if let Some((height, why)) = broken {
        complain(format_args!("{name}: entry {}: {why}; nothing after it was read", height + 1));
        return Ok(Done::CheckFailed);
    }
    match file.stopped {
        None => Ok(Done::Well),
        Some(Stopped::Damaged(error)) => {
            complain(format_args!("{name}:{}: {}; nothing after it was read", error.line, error.why));
            Ok(Done::CheckFailed)
        }
        Some(Stopped::CutOff) => {
            complain(format_args!("{name}: the last line is cut off, and was left out"));
            Ok(Done::Well)
        }
    }
}

/// Lines on their way to the screen.
struct Printing<'a, W> {
    args: &'a LogArgs,
    out: &'a mut W,
    /// Work that not everybody has done yet.
    held: Vec<Work>,
    failed: Option<Failure>,
}

/// Messages of one kind of work.
struct Work {
    /// The last of them.
    last: Line,
    /// Who has done it.
    by: Vec<String>,
}

impl<W: Write> Printing<'_, W> {
    /// Prints a line, or holds it back; `false` if nothing more can be printed.
    fn take(&mut self, line: Line) -> bool {
        let wanted = |word: &String| line.text.split(':').next().is_some_and(|verb| verb.eq_ignore_ascii_case(word));
        if !self.args.only.is_empty() && !self.args.only.iter().any(wanted) {
            return true;
        }
        let plain = line.note.is_none() && !self.args.all && self.args.only.is_empty();
        match line.kind {
            Kind::Ack if plain => {}
            Kind::Dealing { of } if plain => {
                let same = self.held.iter_mut().find(|work| work.last.text == line.text);
                match same {
                    Some(work) => {
                        work.by.push(line.who.clone());
                        work.last = line;
                    }
                    None => self.held.push(Work { by: vec![line.who.clone()], last: line }),
                }
                self.flush(|work| work.by.len() >= usize::from(of));
            }
            // What was not done by everybody is not done any more.
            Kind::DealOver => {
                self.flush(|_| true);
                self.print(&line);
            }
            Kind::Ack | Kind::Dealing { .. } | Kind::Said | Kind::Follows => self.print(&line),
        }
        self.failed.is_none()
    }

    /// Prints the work that is done.
    fn flush(&mut self, done: impl Fn(&Work) -> bool) {
        let (print, keep) = std::mem::take(&mut self.held).into_iter().partition(|work| done(work));
        self.held = keep;
        let print: Vec<Work> = print;
        for Work { last, by } in print {
            let who = if by.len() == 1 { last.who.clone() } else { format!("{} players", by.len()) };
            self.print(&Line { who, ..last });
        }
    }

    fn print(&mut self, line: &Line) {
        if self.failed.is_none() {
            self.failed = self.write(line).err();
        }
    }

    fn write(&mut self, line: &Line) -> Result<(), Failure> {
        let Line { entry, clock, who, text, note, .. } = line;
        if self.args.json {
            let all = json!({ "entry": entry, "clock": clock, "who": who, "text": text, "note": note });
            return Ok(writeln!(self.out, "{all}")?);
        }
        let time = Timestamp::from_seconds(clock / 1000).map_or_else(|| clock.to_string(), |time| time.to_string());
        let note = note.as_ref().map_or_else(String::new, |note| format!("  # {}", shown(note)));
        Ok(writeln!(self.out, "{entry:>5}  {time}  {who:<9}  {}{note}", shown(text))?)
    }
}
