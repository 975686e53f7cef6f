//! The commands and their options; those of a server are in `server`, the address it listens on in `listen`.

mod listen;
mod server;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use bots::Kind;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use dealers::house::RevealSeed;
use games::AnyGame;
use table::MAX_SEATS;

use crate::rank::Ranker;
use crate::sim::{Dealing, parse_reveal};

pub use listen::Listen;
pub use server::{DatabaseArgs, DatabaseCommand, LogForm, PlaceArgs, ServeArgs, TableArgs, TableCommand};

/// Card games that nobody can rig: play them, simulate them, check what was played.
#[derive(Parser, Debug)]
#[command(name = "fairdeal", version, max_term_width = 100)]
pub struct Cli {
    /// What to do; without a command, `serve`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Reads what was typed.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = command().try_get_matches_from(args)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))
    }
}

/// The command with all its help.
pub fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| match command.get_after_help().map(|text| unwrapped(&text.to_string())) {
        Some(text) => command.after_help(text),
        None => command,
    })
}

/// Joins the lines of paragraphs, which are broken here as code is, so that they are broken once: to the width of the
/// terminal. Examples are indented and stay as they are.
fn unwrapped(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut in_paragraph = false;
    for line in text.lines() {
        let prose = !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
        if !whole.is_empty() {
            whole.push(if prose && in_paragraph { ' ' } else { '\n' });
        }
        whole.push_str(line);
        in_paragraph = prose;
    }
    whole
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Serve the lobby and the tables to browsers (what happens without a command)
    Serve(ServeArgs),
    /// Back up a server's database, or restore a backup
    Database(DatabaseArgs),
    /// Inspect a server's tables, or create one with a running match
    Table(TableArgs),
    /// List the games and their settings
    Games(GamesArgs),
    /// Play in this terminal, against computers or with people sharing the screen
    Play(PlayArgs),
    /// Let computers play many deals or matches, and sum up
    Sim(SimArgs),
    /// Find out which of several computers plays better, and how sure that is
    Arena(ArenaArgs),
    /// Replay records and check that everything comes out as written
    Replay(ReplayArgs),
    /// Check the evidence in records, and say what it proves
    Verify(VerifyArgs),
    /// Convert records of Hold'em to hand histories (PHH, PokerStars) and back
    Convert(ConvertArgs),
    /// Rank hands of cards
    Rank(RankArgs),
    /// Measure how fast this machine ranks hands and plays deals
    Bench(BenchArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  fairdeal completions bash > ~/.local/share/bash-completion/completions/fairdeal"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// `fairdeal games`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fairdeal games\n  fairdeal games blackout\n  fairdeal games --json")]
pub struct GamesArgs {
    /// Only this game, with all its settings
    #[arg(value_parser = game())]
    pub game: Option<AnyGame>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal play`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal play holdem
  fairdeal play romme --players 3 --bots hard --name Eva
  fairdeal play blackout --option max=5 --ascii
  fairdeal play ongdu --seat 1=human:Anna --seat 2=human:Bert
  fairdeal play bigc --players 4 --seat 2=hard --seat 3=cmd:'python3 bot.py'
  fairdeal play holdem --dealer peers
  fairdeal play --resume

People who share the screen take turns at the keyboard. Every match is saved as it is played; whatever ends
the program, --resume continues where it was. While playing, `?` shows the rules and `h` what a strong player
would do; Ctrl-Z suspends the match. There is no time limit unless you set one: --option action_timeout=60.")]
pub struct PlayArgs {
    /// The game; without one, a menu is shown
    #[arg(value_parser = game())]
    pub game: Option<AnyGame>,
    /// How many play [default: 4, or as close as the game allows]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1, MAX_SEATS.into()), allow_negative_numbers = true)]
    pub players: Option<u8>,
    /// How well the computers play: easy, normal or hard
    #[arg(long, value_name = "LEVEL", default_value = "normal", value_parser = level)]
    pub bots: Kind,
    /// Who sits in a seat, counted from 1: human:NAME, easy, normal, hard, random or cmd:'COMMAND'
    #[arg(long = "seat", value_name = "N=WHO")]
    pub seats: Vec<String>,
    /// Your name
    #[arg(long)]
    pub name: Option<String>,
    /// A setting of the game, as listed by `fairdeal games GAME`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Everything random follows from this number [default: another one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Who deals: local, house, peers, peers:K, committee or committee:N,T, as in `fairdeal sim`; all but the first prove it
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = Dealing::parse)]
    pub dealer: Dealing,
    /// Continue an interrupted match: this one, or the last one played
    #[arg(long, value_name = "MATCH", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["players", "seats", "name", "options", "seed", "dealer"])]
    pub resume: Option<String>,
    /// How long each move of a computer stays on the screen, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 700, value_parser = whole::<u64>(0, 60_000),
          allow_negative_numbers = true)]
    pub pace: u64,
    /// How long a bot of your own may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = bot_time, allow_negative_numbers = true)]
    pub bot_time: Duration,
    /// ASCII only [default: where the locale is not UTF-8]
    #[arg(long)]
    pub ascii: bool,
    /// No colours
    #[arg(long)]
    pub no_color: bool,
    /// A different colour for each suit
    #[arg(long)]
    pub four_colors: bool,
    /// Where matches are saved [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA")]
    pub data: Option<PathBuf>,
}

/// The level of a computer, from what was typed.
fn level(text: &str) -> Result<Kind, String> {
    Kind::from_name(text).ok_or_else(|| format!("it must be {}", Kind::WORDS.join(", ")))
}

/// `fairdeal sim`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim blackout
  fairdeal sim blackout --players 3 --deals 1000000 --seed 7
  fairdeal sim blackout --matches 500 --bot easy --bot 0=random
  fairdeal sim blackout --option max=7 --option hook=true --json
  fairdeal sim blackout --deals 100 --seed 7 --record deals.jsonl
  fairdeal sim romme --matches 1 --dealer house --record romme.jsonl
  fairdeal sim holdem --deals 5 --dealer peers --record hands.jsonl
  fairdeal sim holdem --matches 10 --bot normal --bot '2=cmd:python3 examples/bot.py'

The same seed gives the same result, whatever the number of threads. Bots of your own are started once
for every thread and seat; docs/bots.md tells how to write one.")]
pub struct SimArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: AnyGame,
    /// How many play [default: 4, or as near as the game comes]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1, MAX_SEATS.into()), allow_negative_numbers = true)]
    pub players: Option<u8>,
    /// How many single deals [default: 10000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST), allow_negative_numbers = true,
          conflicts_with = "matches")]
    pub deals: Option<u64>,
    /// How many whole matches, instead of single deals
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST), allow_negative_numbers = true)]
    pub matches: Option<u64>,
    /// A match is stopped after this many deals
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "matches",
          conflicts_with = "deals", value_parser = whole::<u32>(1, u32::MAX.into()), allow_negative_numbers = true)]
    pub max_deals: u32,
    /// Everything random follows from this number [default: another one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Who plays: random, easy, normal, hard, or a bot of your own as in cmd:'python3 bot.py', for all seats, or
    /// for one as in 0=easy [default: random]
    #[arg(long = "bot", value_name = "[SEAT=]BOT")]
    pub bots: Vec<String>,
    /// How long a bot of your own may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = bot_time, allow_negative_numbers = true)]
    pub bot_time: Duration,
    /// A setting of the game, as listed by `fairdeal games GAME`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Who deals: local (this program, trusted); house (a server that proves it did not choose the cards); peers
    /// (the players, all needed; peers:K, any K of them); committee:N,T (any T of N) [committee alone: 4,3]
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = Dealing::parse)]
    pub dealer: Dealing,
    /// When the house publishes its seeds: auto (where that opens nothing that the rules keep closed), after_deal
    /// or after_match [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = parse_reveal)]
    pub reveal_seed: Option<RevealSeed>,
    /// Write a record of everything played, for `fairdeal replay` and `fairdeal verify`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Replace the record file if there is one
    #[arg(long, requires = "record")]
    pub force: bool,
    /// How many threads [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 1024), allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal arena`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal arena holdem --bots hard,normal
  fairdeal arena romme --bots hard,normal,easy,random --players 2 --matches 1000 --seed 7
  fairdeal arena blackout --bots normal,easy --until-clear --matches 2000 --json
  fairdeal arena ongdu --bots 'hard,cmd:python3 examples/bot.py'

Every bot plays every other. The same cards are played in every line-up, so that both have the same
luck: with an even number of players ABAB and BABA, with an odd one every rotation of ABABA and BABAB.
That is a set. Both sit in half of the seats, so 50 % of wins is even. Intervals are over sets (mean
and 1.96 standard errors; Student's t for 31 sets or fewer); nothing is called clear before 20 sets.

--until-clear looks after 20, 30, 45, 67, ... sets and stops at three standard errors from even. The
interval then printed is a little too narrow, because a run stops when it happens to look good.

The same seed gives the same result, whatever the number of threads; only times differ.")]
pub struct ArenaArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: AnyGame,
    /// Who plays: two or more of hard, normal, easy, random, and bots of your own as in cmd:./bot (no commas)
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', required = true)]
    pub bots: Vec<String>,
    /// How long a bot of your own may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = bot_time, allow_negative_numbers = true)]
    pub bot_time: Duration,
    /// At most so many matches of each pair
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u64>(1, MOST),
          allow_negative_numbers = true)]
    pub matches: u64,
    /// Stop a pair as soon as it is clear who is better
    #[arg(long)]
    pub until_clear: bool,
    /// How many play [default: 4, or as near as the game comes]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1, MAX_SEATS.into()), allow_negative_numbers = true)]
    pub players: Option<u8>,
    /// A match is stopped after this many deals, and counts for whoever leads
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole::<u32>(1, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub max_deals: u32,
    /// Everything random follows from this number [default: another one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// A setting of the game, as listed by `fairdeal games GAME`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// How many threads [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 1024), allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// Print one JSON object per pair
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal replay`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal replay deals.jsonl
  fairdeal replay --json *.jsonl
  fairdeal replay --trace deals.jsonl | head -3
  fairdeal replay --json hands.phh session.phhs
  fairdeal sim blackout --record deals.jsonl && fairdeal replay - < deals.jsonl

Files that end in .phh or .phhs are hands of no-limit Texas Hold'em in the Poker Hand History format;
stacks and bets are in the file's unit. JSON counts records and deals from 1, and seats from 0 as records do.

The exit code is 1 if a deal does not come out as written, and 2 if a file cannot be read.")]
pub struct ReplayArgs {
    /// Records, or published hands (.phh, .phhs); `-` reads a record from standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object per deal
    #[arg(long)]
    pub json: bool,
    /// Print one JSON object per deal's start and per input: what was done, who is to act next, and their moves
    #[arg(long)]
    pub trace: bool,
}

/// `fairdeal verify`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim romme --matches 1 --dealer house --record romme.jsonl && fairdeal verify romme.jsonl
  fairdeal verify --json *.jsonl

Replays every record, checks all evidence in it, and says what is proven and what has to be believed.
A record whose dealer leaves no evidence is only replayed.

The exit code is 1 if a record is invalid or damaged, and 2 if a file cannot be read.")]
pub struct VerifyArgs {
    /// Records; `-` reads one from standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare the records with what you kept at the table, as your browser offers it for download
    #[arg(long, value_name = "FILE")]
    pub kept: Option<PathBuf>,
    /// Print one JSON object per record
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal convert`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim holdem --deals 100 --record hands.jsonl && fairdeal convert hands.jsonl hands.phhs
  fairdeal convert final.phh final.jsonl
  fairdeal convert hands.jsonl hands.txt --owner Anna

The file names say what the files are: .jsonl is a record, .phh one published hand, .phhs several, .txt hands as
PokerStars writes them, for trackers (output only).
What PHH has no field for (seats, time-outs, players who left) is kept in the field _fairdeal.")]
pub struct ConvertArgs {
    /// The file to read
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// What kind of file to write, whatever its name
    #[arg(long, value_enum, value_name = "KIND")]
    pub to: Option<ConvertTo>,
    /// The player whose hole cards are shown, by name (PokerStars' text only)
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// Overwrite the output file
    #[arg(long)]
    pub force: bool,
}

/// A kind of file that the name need not say.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConvertTo {
    /// Text as PokerStars writes it, for trackers
    Pokerstars,
}

/// `fairdeal rank`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal rank holdem 7s Kc Kd Ks 4s 9c 3c
  fairdeal rank holdem 7sKcKdKs4s9c3c --json
  fairdeal rank holdem < hands.txt
  fairdeal rank bigc 4D 4S 9C 9H JK
  fairdeal rank ongdu JS QS JK

Without cards, hands are read from standard input, one per line; a bad one is reported with its line, and the
exit code is 2.")]
pub struct RankArgs {
    /// The game whose rules rank the hand
    #[arg(value_parser = ranker(), value_name = "GAME")]
    pub ranker: &'static Ranker,
    /// The cards of one hand, such as As 10h Kd; spaces and commas may be left out
    pub cards: Vec<String>,
    /// Print one JSON object per hand
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal bench`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal bench
  fairdeal bench rank7_random deals_blackout_4x7 --seconds 5
  fairdeal bench --json

  fairdeal bench deals_holdem_6_peers deal_holdem_6_peers_ms deal_holdem_6_peers_bytes

One thread, on which all who deal jointly do their work, each checking all others. Every
figure is the best of several runs. Of names that end in _ms, _us, _bytes or _messages
less is better, of all others more. What others say is decoded before it is checked.")]
pub struct BenchArgs {
    /// What to measure [default: everything]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Seconds for each figure, from 0.05 to 600
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true)]
    pub seconds: f64,
    /// Print one JSON object per figure
    #[arg(long)]
    pub json: bool,
}

/// Nobody has the time for more, and no sum overflows before.
const MOST: u64 = 1_000_000_000_000;

/// Parses a whole number in a range; the error names the range.
fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|n| (least..=most).contains(n)).and_then(|n: u64| T::try_from(n).ok());
        number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    }
}

/// Parses the time that a bot has for an answer.
fn bot_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "it must be a number of seconds from 0.001 to 3600".to_owned())
}

/// Parses the name of a game; help, completions and the error for an unknown one list them all.
fn game() -> impl TypedValueParser<Value = AnyGame> {
    PossibleValuesParser::new(AnyGame::ALL.iter().map(|game| game.name()))
        .try_map(|name| AnyGame::from_name(&name).ok_or_else(|| format!("no game is called {name}")))
}

fn ranker() -> impl TypedValueParser<Value = &'static Ranker> {
    PossibleValuesParser::new(Ranker::ALL.iter().map(|ranker| ranker.name))
        .try_map(|name| Ranker::from_name(&name).ok_or_else(|| format!("no hands of {name} can be ranked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_broken_once_to_the_width_of_the_terminal() {
        for width in [60, 80, 100] {
            for name in command().get_subcommands().map(|command| command.get_name().to_owned()) {
                let mut whole = command().term_width(width);
                let help = whole.find_subcommand_mut(&name).unwrap().render_long_help().to_string();
                let (_, after) = help.rsplit_once("Example").unwrap();
                let lines: Vec<&str> = after.lines().skip(1).collect();
                for pair in lines.windows(2) {
                    let [line, next] = pair else { continue };
                    let prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                    let Some(word) = next.split_whitespace().next().filter(|_| prose(line) && prose(next)) else {
                        continue;
                    };
                    let fits = line.chars().count() + 1 + word.chars().count() <= width;
                    assert!(!fits, "{name} at {width}: {next:?} could begin in {line:?}");
                }
            }
        }
    }

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "Examples:\n  a b\n  c d\n\nOne\ntwo\nthree.\n\nFour.";
        assert_eq!(unwrapped(text), "Examples:\n  a b\n  c d\n\nOne two three.\n\nFour.");
    }
}
