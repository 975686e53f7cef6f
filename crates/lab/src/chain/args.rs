//! The options of `fairdeal chain sim`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use ::chain::laws::{Lie, Prank, Setting};
use bots::Kind;
use clap::Args;
use table::Value;

use crate::args::whole;
use crate::failure::Failure;

/// `fairdeal chain sim`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain sim
  fairdeal chain sim --validators 16 --tables 3 --hands 50 --seed 7
  fairdeal chain sim --validators 7 --liars 2=wrong-proof,5-6=silent
  fairdeal chain sim --liars 1-2=withhold --players 3 --hands 5
  fairdeal chain sim --pranks 1=sleep,2=spam --lost 200
  fairdeal chain sim --epoch-blocks 40 --bots hard --json
  fairdeal chain sim --hands 1 --export hand.json && fairdeal verify hand.json

Everything runs in this process: validators make blocks, a committee drawn from them deals encrypted cards, and
computers play Hold'em with them. After every block it is checked that two replicas have the same state, that no
coin was made or lost, and that no honest validator was punished.

Liars can be: silent (says nothing), withhold (gives no shares of cards), wrong-proof (says wrong things, with proofs
that do not hold), equivocate (says two things in one place), copy (repeats what others say), bad-dkg (deals wrong
shares when keys are generated), false-complaint (complains about correct shares), censor (leaves another validator's
messages out of its blocks).

Pranks can be: sleep (never acts), restless (stands up and sits down again all the time), spam (sends transactions
that fail or that nobody waits for).

The same seed gives the same chain; only the speed differs. JSON counts validators and players from 0. Ctrl-C ends the
simulation with what has been counted so far.

The exit code is 1 if something happened that must never happen; the summary says what, and how to repeat it.")]
pub struct ChainSimArgs {
    /// Number of validators
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(1, 100), allow_negative_numbers = true)]
    pub validators: u8,
    /// Number of seats in a committee; more than two thirds of them are needed to open a card [default: one for each
    /// validator, but from 4 to 64]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(4, 64), allow_negative_numbers = true)]
    pub members: Option<u8>,
    /// Number of tables
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = whole::<u8>(1, 100), allow_negative_numbers = true)]
    pub tables: u8,
    /// Number of players at each table
    #[arg(long, value_name = "P", default_value_t = 6, value_parser = whole::<u8>(2, 9), allow_negative_numbers = true)]
    pub players: u8,
    /// How many hands are played, at all tables together
    #[arg(long, value_name = "H", default_value_t = 20, value_parser = whole::<u64>(1, 1_000_000),
          allow_negative_numbers = true)]
    pub hands: u64,
    /// Validators that lie, counted from 1: 2=silent for one of them, 2-4=silent for several [default: nobody]
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub liars: Rogues<Lie>,
    /// Players who are up to no good, counted from 1 at every table: 2=sleep, 2-4=spam [default: nobody]
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    pub pranks: Rogues<Prank>,
    /// How many of 1,000 messages of validators are lost on the way and have to be sent again
    #[arg(long, value_name = "PERMILLE", default_value_t = 0, value_parser = whole::<u16>(0, 900),
          allow_negative_numbers = true)]
    pub lost: u16,
    /// After how many blocks the next committee is drawn
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole::<u64>(10, 10_000_000),
          allow_negative_numbers = true)]
    pub epoch_blocks: u64,
    /// How well the players play: random, easy, normal or hard
    #[arg(long, value_name = "LEVEL", default_value = "easy", value_parser = level)]
    pub bots: Kind,
    /// Random seed: the same number gives the same chain [default: a new one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Write the last hand that ended, with everything that proves it, for `fairdeal verify`
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Overwrite the exported file
    #[arg(long, requires = "export")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl ChainSimArgs {
    /// How many seats a committee has.
    pub fn members(&self) -> u8 {
        self.members.unwrap_or_else(|| self.validators.clamp(4, 64))
    }

    /// How many of them are needed to open a card.
    pub(super) fn needed(&self) -> u8 {
        ::chain::dealer::threshold(self.members())
    }

    /// The world to simulate, if everybody who was named exists.
    pub(super) fn setting(&self, seed: u64) -> Result<Setting, Failure> {
        let all = |option: &str, who: &str, last: Option<u8>, most: u8| match last {
            Some(last) if last > most => Err(Failure::input(format!("--{option}: there are only {most} {who}"))),
            _ => Ok(()),
        };
        all("liars", "validators", self.liars.last(), self.validators)?;
        all("pranks", "players at a table", self.pranks.last(), self.players)?;
        Ok(Setting {
            validators: self.validators,
            members: self.members(),
            tables: self.tables,
            players: self.players,
            liars: self.liars.counted_from_zero().collect(),
            pranks: self.pranks.counted_from_zero().collect(),
            lost: self.lost,
            epoch_blocks: self.epoch_blocks,
            strangers: 0,
            seed,
        })
    }

    /// The command that simulates the same again.
    pub(super) fn command(&self, seed: u64) -> String {
        let Self { validators, tables, players, hands, liars, pranks, lost, epoch_blocks, bots, .. } = self;
        let mut command = format!("fairdeal chain sim --validators {validators} --members {}", self.members());
        let mut add = |option: &str, value: String| command.push_str(&format!(" --{option} {value}"));
        add("tables", tables.to_string());
        add("players", players.to_string());
        add("hands", hands.to_string());
        if !liars.0.is_empty() {
            add("liars", liars.to_string());
        }
        if !pranks.0.is_empty() {
            add("pranks", pranks.to_string());
        }
        if *lost > 0 {
            add("lost", lost.to_string());
        }
        add("epoch-blocks", epoch_blocks.to_string());
        add("bots", Value::text(bots));
        add("seed", seed.to_string());
        command
    }
}

fn level(text: &str) -> Result<Kind, String> {
    Kind::from_name(text).ok_or_else(|| format!("it must be {}", one_of(Kind::WORDS)))
}

/// Who is up to what: numbers from 1, and a word for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rogues<W>(BTreeMap<u8, W>);

impl<W: Copy> Rogues<W> {
    /// Counted from 0, as programs do.
    pub(super) fn counted_from_zero(&self) -> impl Iterator<Item = (u8, W)> {
        self.0.iter().map(|(number, word)| (number.saturating_sub(1), *word))
    }

    /// The highest number that was named.
    fn last(&self) -> Option<u8> {
        self.0.last_key_value().map(|(number, _)| *number)
    }
}

/// As it would be typed.
impl<W: Value> fmt::Display for Rogues<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (number, word)) in self.0.iter().enumerate() {
            write!(f, "{}{number}={}", if i == 0 { "" } else { "," }, word.text())?;
        }
        Ok(())
    }
}

/// A word that says what somebody is up to.
pub trait Word: Value + Copy {
    /// All of them.
    const ALL: &'static [&'static str];
}

impl Word for Lie {
    const ALL: &'static [&'static str] = Self::WORDS;
}

impl Word for Prank {
    const ALL: &'static [&'static str] = Self::WORDS;
}

/// What is wrong with a list of rogues.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadRogues {
    /// A part of the list is not of the form `2=word` or `2-4=word`.
    Form(String),
    /// No such number, or the last before the first.
    Number(String),
    /// No such word; these are known.
    Word(String, &'static [&'static str]),
    /// Named twice.
    Twice(u8),
}

impl fmt::Display for BadRogues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(part) => write!(f, "{part:?} must be NUMBER=WORD or FIRST-LAST=WORD, as in 2=... or 2-4=..."),
            Self::Number(part) => {
                write!(f, "{part:?} must be a number counted from 1, or two of them as in 2-4, the smaller one first")
            }
            Self::Word(word, known) => write!(f, "{word:?} must be {}", one_of(known)),
            Self::Twice(number) => write!(f, "number {number} is named twice"),
        }
    }
}

impl std::error::Error for BadRogues {}

impl<W: Word> FromStr for Rogues<W> {
    type Err = BadRogues;

    fn from_str(text: &str) -> Result<Self, BadRogues> {
        let mut rogues = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (who, word) = part.split_once('=').ok_or_else(|| BadRogues::Form(part.to_owned()))?;
            let number = |text: &str| text.trim().parse().ok().filter(|number: &u8| *number > 0);
            let (first, last) = who.split_once('-').unwrap_or((who, who));
            let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
            let (first, last) = range.ok_or_else(|| BadRogues::Number(who.to_owned()))?;
            let word = word.trim();
            let word = W::parse(word).ok_or_else(|| BadRogues::Word(word.to_owned(), W::ALL))?;
            for number in first..=last {
                if rogues.insert(number, word).is_some() {
                    return Err(BadRogues::Twice(number));
                }
            }
        }
        Ok(Self(rogues))
    }
}

/// `a, b or c`
fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rogues(text: &str) -> Result<Vec<(u8, Lie)>, String> {
        text.parse::<Rogues<Lie>>().map(|rogues| rogues.counted_from_zero().collect()).map_err(|bad| bad.to_string())
    }

    #[test]
    fn one_or_several_can_be_named() {
        assert_eq!(rogues(""), Ok(vec![]));
        assert_eq!(rogues("5=copy, 2-3=silent"), Ok(vec![(1, Lie::Silent), (2, Lie::Silent), (4, Lie::Copy)]));
        let typed: Rogues<Lie> = "5=copy,2-3=silent".parse().unwrap();
        assert_eq!(typed.to_string(), "2=silent,3=silent,5=copy");
    }

    #[test]
    fn a_bad_list_says_what_is_possible() {
        for (bad, part) in [
            ("silent", "must be NUMBER=WORD"),
            ("0=silent", "counted from 1"),
            ("3-2=silent", "the smaller one first"),
            ("300=silent", "counted from 1"),
            ("1=loud", "must be silent, withhold, wrong-proof, equivocate, copy, bad-dkg, false-complaint or censor"),
            ("1-3=silent,2=copy", "number 2 is named twice"),
        ] {
            let why = rogues(bad).unwrap_err();
            assert!(why.contains(part), "{bad}: {why}");
        }
    }
}
