//! `fairdeal convert`: hands of Hold'em from one kind of file to another.
//!
//! Everything that is read is played again first, so what is written is right or not written at all.

use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use games::holdem::Holdem;
use games::holdem::phh::{self, FromRecord, PhhHand, RecordError};
use games::holdem::pokerstars::{self, NotWritten};
use table::Game;
use table::record::Trouble;

use crate::cli::{ConvertArgs, ConvertTo};
use crate::failure::Failure;
use crate::lines::Lines;
use crate::new_file::NewFile;
use crate::replay;

/// What the ending of a file's name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Record,
    OneHand,
    Hands,
    PokerStars,
}

impl Kind {
    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "jsonl" => Ok(Self::Record),
            "phh" => Ok(Self::OneHand),
            "phhs" => Ok(Self::Hands),
            "txt" => Ok(Self::PokerStars),
            _ => Err(wrong(
                path,
                "the ending must be .jsonl (a record), .phh (one hand), .phhs (several) or .txt (for PokerStars trackers)",
            )),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let (input, output) = (&*args.input, &*args.output);
    let from = Kind::of(input)?;
    let to = match args.to {
        Some(ConvertTo::Pokerstars) => Kind::PokerStars,
        None => Kind::of(output)?,
    };
    if from == Kind::PokerStars {
        return Err(wrong(input, "PokerStars text can only be written, not read"));
    }
    if args.owner.is_some() && to != Kind::PokerStars {
        return Err(wrong(output, "--owner is only for PokerStars text"));
    }
    if from == to {
        return Err(wrong(output, "there is nothing to convert: both files are of the same kind"));
    }
    let hands = if from == Kind::Record { read_record(input)? } else { read_hands(input)? };
    let text = match (to, hands.as_slice()) {
        (Kind::Record, hands) => records(input, hands)?,
        (Kind::OneHand, [hand]) => phh::encode(hand),
        (Kind::OneHand, hands) => {
            let why = format!("a .phh file holds one hand, and there are {}; .phhs holds several", hands.len());
            return Err(wrong(output, why));
        }
        (Kind::Hands, hands) => phh::encode_all(hands),
        (Kind::PokerStars, hands) => for_trackers(args, hands)?,
    };
    let mut file = NewFile::create(output, args.force)?;
    file.write(&text)?;
    file.finish()
}

fn open(path: &Path) -> Result<File, Failure> {
    let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(std::io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    opened.map_err(|error| Failure::file(path, "open", &error))
}

fn read_hands(path: &Path) -> Result<Vec<PhhHand>, Failure> {
    let text = replay::phh::read(open(path)?).map_err(|why| wrong(path, why))?;
    let entries = phh::decode_all(&text).map_err(|why| wrong(path, why))?;
    entries
        .into_iter()
        .map(|entry| entry.hand.map_err(|why| wrong(path, why)).and_then(|hand| checked(path, hand)))
        .collect()
}

/// The hand, if it comes out as written.
fn checked(path: &Path, hand: PhhHand) -> Result<PhhHand, Failure> {
    let replayed = phh::replay(&hand).map_err(|why| wrong(path, why))?;
    match (replayed.differs, &hand.label) {
        (None, _) => Ok(hand),
        (Some(why), None) => Err(wrong(path, why)),
        (Some(why), Some(label)) => Err(wrong(path, format_args!("hand {label}: {why}"))),
    }
}

fn records(path: &Path, hands: &[PhhHand]) -> Result<String, Failure> {
    let records: Result<Vec<String>, _> = hands.iter().map(phh::to_record).collect();
    records.map(|records| records.concat()).map_err(|why| wrong(path, why))
}

/// Hands in the form of PokerStars, but for those that were broken off.
///
/// A hand that does not say when it was played is given the time of the file. Its number comes from that time
/// too: trackers know hands by their numbers, and every match would begin with number 1.
fn for_trackers(args: &ConvertArgs, hands: &[PhhHand]) -> Result<String, Failure> {
    let path = &*args.input;
    let changed = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let seconds =
        changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs());
    let mut text = String::new();
    for (hand, n) in hands.iter().zip(1..) {
        let mut about = pokerstars::About::of(hand);
        about.number = seconds.saturating_mul(10_000).saturating_add(n);
        if pokerstars::Time::of(hand).is_none() {
            about.time = pokerstars::Time::from_unix(i64::try_from(seconds).unwrap_or_default());
        }
        about.owner.clone_from(&args.owner);
        match pokerstars::write(hand, &about) {
            Ok(hand) => text.push_str(&hand),
            Err(NotWritten::BrokenOff) => {}
            Err(why) => return Err(wrong(path, why)),
        }
    }
    Ok(text)
}

fn read_record(path: &Path) -> Result<Vec<PhhHand>, Failure> {
    let mut lines = Lines::new(BufReader::new(open(path)?));
    let mut reader = FromRecord::new();
    let mut hands = Vec::new();
    while let Some(line) = lines.advance() {
        let at = |why: String| Failure::input(format!("{}:{}: {why}", path.display(), lines.number()));
        line.map_err(|why| at(why.to_string()))?;
        if lines.text().trim().is_empty() {
            continue;
        }
        hands.extend(reader.line(lines.text()).map_err(|why| at(in_words(&why)))?);
    }
    match hands.is_empty() {
        true => Err(wrong(path, "there is no complete hand in the record")),
        false => reader.finish().map_err(|why| wrong(path, why)).map(|()| hands),
    }
}

fn in_words(why: &RecordError) -> String {
    match why {
        RecordError::Trouble(Trouble::OtherGame(game)) => {
            format!("only records of {} can be converted, not of {game:?}", Holdem::NAME)
        }
        other => other.to_string(),
    }
}

fn wrong(path: &Path, why: impl std::fmt::Display) -> Failure {
    Failure::input(format!("{}: {why}", path.display()))
}
