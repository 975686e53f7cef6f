//! Published hands of Hold'em, `.phh` and `.phhs`.
//!
//! Everything is told as the file tells it: players in its order, amounts in its unit.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;

use games::holdem::Holdem;
use games::holdem::phh::{self, Entry, PhhError, PhhHand, Step, Unit};
use serde::Serialize;
use serde_json::{Number, Value};
use table::{Awaiting, Chips, Game, Height};

use super::report::{FileError, Hand, Report};
use crate::failure::{Failure, in_words};
use crate::lines::without_mark;

/// Does the name of a file say that it holds published hands?
pub fn is_phh(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["phh", "phhs"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Replays every hand of a file.
pub fn replay(input: impl Read, report: &mut Report<impl Write>) -> Result<(), Failure> {
    match read(input).and_then(|text| phh::decode_all(&text).map_err(|why| why.to_string())) {
        Ok(entries) => entries.iter().try_for_each(|entry| replay_hand(entry, report))?,
        Err(why) => report.file_error(&FileError::new(0, why))?,
    }
    report.end_file()
}

/// The text of a file, if it is one and not too long.
pub(crate) fn read(input: impl Read) -> Result<String, String> {
    let most = u64::try_from(phh::LARGEST).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    // One byte more than is allowed: the decoder then says that it is too much.
    let read = input.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read: {}", in_words(&error)))?;
    let text = String::from_utf8(bytes).map_err(|_| "the file is not text (UTF-8)".to_owned())?;
    Ok(without_mark(text))
}

fn replay_hand(entry: &Entry, report: &mut Report<impl Write>) -> Result<(), Failure> {
    report.begin_record();
    let name = name(entry);
    let failed = |why: &PhhError| Some(FileError::new(0, PhhError { hand: None, ..why.clone() }));
    let game = Holdem::NAME;
    let hand = match &entry.hand {
        Ok(hand) => hand,
        Err(why) => return report.hand(&Hand { error: failed(why), ..Hand::unplayed(name, game) }),
    };
    let mut steps = Vec::new();
    let replayed = phh::replay_steps(hand, &mut steps);
    if report.traces() {
        report.input(start(&name, hand))?;
        steps.iter().try_for_each(|step| report.input(traced(&name, hand, step)))?;
    }
    let numbers = |stacks: &Vec<Chips>| stacks.iter().map(|stack| number(hand.unit, *stack)).collect::<Vec<_>>();
    let error = match &replayed {
        Err(why) => failed(why),
        Ok(replayed) => replayed.differs.as_ref().map(|why| FileError::new(0, why)),
    };
    let expected = hand.finishing_stacks.as_ref().map(numbers);
    let Ok(replayed) = replayed else { return report.hand(&Hand { expected, error, ..Hand::unplayed(name, game) }) };
    // Nobody knows what is left of an unlimited stack; what was won or lost is known.
    let limited = hand.unlimited.is_empty();
    report.hand(&Hand {
        stacks: limited.then(|| numbers(&replayed.stacks)),
        net: (!limited).then(|| numbers(&replayed.net)),
        expected,
        rake: replayed.rake.filter(|rake| *rake > Chips::ZERO).map(|rake| number(hand.unit, rake)),
        mucked: replayed.mucked.iter().map(ToString::to_string).collect(),
        error,
        ..Hand::unplayed(name, game)
    })
}

/// What the hand calls itself, or what its table is called.
fn name(entry: &Entry) -> Value {
    let named = entry.name.as_ref().and_then(|name| serde_json::to_value(name).ok());
    let label = entry.label.as_ref().map(|label| match label.parse::<u64>() {
        Ok(number) => number.into(),
        Err(_) => label.as_str().into(),
    });
    named.or(label).unwrap_or_else(|| 1.into())
}

/// An amount as the file counts, a whole number where it is one.
fn number(unit: Unit, chips: Chips) -> Number {
    let text = unit.show(chips);
    serde_json::from_str(&text).unwrap_or_else(|_| chips.0.into())
}

/// What an input led to; the fields are those of a traced record.
#[derive(Serialize)]
struct Traced<'a> {
    hand: &'a Value,
    height: Height,
    /// How the hand begins; absent for its inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<Start>,
    /// The line of the file; nothing where the hand begins or the file does not mention that hands are shown.
    input: Option<String>,
    awaiting: Asked,
    moves: Value,
}

/// How a hand begins.
#[derive(Serialize)]
struct Start {
    starting_stacks: Vec<Number>,
}

/// What is awaited next.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Dealer,
    Turn(u8),
    Over,
}

fn start<'a>(name: &'a Value, hand: &PhhHand) -> Traced<'a> {
    let starting_stacks = hand.starting_stacks.iter().map(|stack| number(hand.unit, *stack)).collect();
    let deal = Some(Start { starting_stacks });
    Traced { hand: name, height: Height(0), deal, input: None, awaiting: Asked::Dealer, moves: Value::Null }
}

fn traced<'a>(name: &'a Value, hand: &PhhHand, step: &Step) -> Traced<'a> {
    let mut moves = Value::Null;
    let awaiting = match (&step.turn, step.awaiting) {
        (Some((player, can)), _) => {
            let mut can_do = serde_json::to_value(can).unwrap_or_default();
            let amounts = [("to_call", Some(can.to_call)), ("min_to", can.min_to), ("max_to", can.max_to)];
            if let Some(fields) = can_do.as_object_mut() {
                let told = amounts.map(|(name, amount)| (name.to_owned(), amount.map(|a| number(hand.unit, a)).into()));
                fields.extend(told);
            }
            moves = can_do;
            Asked::Turn(player.0)
        }
        (None, Awaiting::Over) => Asked::Over,
        (None, Awaiting::Dealer | Awaiting::Turn(_) | Awaiting::Choices(_)) => Asked::Dealer,
    };
    let input = step.line.and_then(|line| hand.line(line));
    Traced { hand: name, height: step.height, deal: None, input, awaiting, moves }
}
