//! The commands and their options; those of a server are in `server`, the address it listens on in `listen`, those for
//! private tables in `private`, those for their logs in `logs`, those for keys and results in `signed`, those for chains
//! in `chain`.

mod chain;
mod listen;
mod logs;
mod private;
mod server;
mod signed;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use bots::Kind;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use games::AnyGame;

use crate::rank::Ranker;
use lab::args::{bot_time, game, players, whole};
use lab::sim::Dealing;

pub use chain::{
    AtArgs, ChainArgs, ChainCommand, HandArgs, HowArgs, LeaveArgs, SeatArgs, SitArgs, TablesArgs, WalletArgs,
    WalletCommand, WatchArgs, Which,
};
pub use lab::args::{ArenaArgs, BenchArgs, SimArgs};
pub use listen::Listen;
pub use logs::{LogArgs, PeerArgs, PeerCommand};
pub use private::{HostArgs, JoinArgs, LookArgs, PartArgs};
pub use server::{DatabaseArgs, DatabaseCommand, LogForm, PlaceArgs, ServeArgs, TableArgs, TableCommand};
pub use signed::{DataArgs, KeyArgs, KeyCommand, KeyFormat, ResultsArgs, ResultsCommand, StationArgs, StationCommand};

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
    fn told_once(command: clap::Command) -> clap::Command {
        let help = command.get_after_help().map(|text| unwrapped(&text.to_string()));
        let command = command.mut_subcommands(told_once);
        match help {
            Some(text) => command.after_help(text),
            None => command,
        }
    }
    Cli::command().mut_subcommands(told_once)
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
    /// Serve the lobby and the tables to browsers (the default command)
    Serve(ServeArgs),
    /// Back up a server's database, or restore a backup
    Database(DatabaseArgs),
    /// Inspect a server's tables, or create one with a running match
    Table(TableArgs),
    /// List the games and their settings
    Games(GamesArgs),
    /// Play in this terminal, against computers or with people sharing the screen
    Play(PlayArgs),
    /// Host a private table: friends join over the network, and nobody can see or choose cards
    Host(HostArgs),
    /// Join a private table
    Join(JoinArgs),
    /// Let computers play many deals or matches, and report the results
    Sim(SimArgs),
    /// Compare computers: which plays better, and how certain is that
    Arena(ArenaArgs),
    /// Replay records and check that they match what was recorded
    Replay(ReplayArgs),
    /// Check the evidence in records, and say what it proves
    Verify(VerifyArgs),
    /// Look at the log of a private match
    Peer(PeerArgs),
    /// Make, show, import or export your key, with which results are signed
    Key(KeyArgs),
    /// List, check and exchange signed results of matches
    Results(ResultsArgs),
    /// Keep leaderboards from signed results
    Station(StationArgs),
    /// Play poker on a chain whose validators deal cards that none of them can see
    Chain(ChainArgs),
    /// Convert records of Hold'em to hand histories (PHH, PokerStars) and back
    Convert(ConvertArgs),
    /// Rank hands of cards
    Rank(RankArgs),
    /// Measure how fast this machine ranks hands and plays deals
    Bench(BenchArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Examples:\n  fairdeal completions bash >> ~/.bash_completion\n  fairdeal completions zsh > ~/.zfunc/_fairdeal"
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

People who share the screen take turns at the keyboard. Every match is saved as it is played; however the
program ends, --resume continues where you left off. While playing, `?` shows the rules and `h` what a strong
player would do; Ctrl-Z suspends the match. There is no time limit unless you set one: --option action_timeout=60.")]
pub struct PlayArgs {
    /// The game; without one, a menu is shown
    #[arg(value_parser = game())]
    pub game: Option<AnyGame>,
    /// Number of players [default: 4, or as close as the game allows]
    #[arg(long, value_name = "N", value_parser = players, allow_negative_numbers = true)]
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
    /// Random seed: the same number gives the same cards [default: a new one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Who deals: local, house, peers, peers:K, committee or committee:N,T, as in `fairdeal sim`; all but local prove it
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = Dealing::parse)]
    pub dealer: Dealing,
    /// Continue an interrupted match: this one, or the last one played
    #[arg(long, value_name = "MATCH", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["players", "seats", "name", "options", "seed", "dealer"])]
    pub resume: Option<String>,
    /// How long each computer move stays on the screen, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 700, value_parser = whole::<u64>(0, 60_000),
          allow_negative_numbers = true)]
    pub pace: u64,
    /// How long your own bots may take for an answer
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = bot_time, allow_negative_numbers = true)]
    pub bot_time: Duration,
    /// ASCII only [default: if the locale is not UTF-8]
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
    Kind::from_name(text).ok_or_else(|| {
        let (last, others) = Kind::WORDS.split_last().unwrap_or((&"", &[]));
        format!("it must be {} or {last}", others.join(", "))
    })
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

The exit code is 1 if a deal does not end as recorded, and 2 if a file cannot be read.")]
pub struct ReplayArgs {
    /// Records, or published hands (.phh, .phhs); `-` reads a record from standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object per deal
    #[arg(long)]
    pub json: bool,
    /// Print one JSON object per deal's start and per input: what was done, whose turn it is next, and their moves
    #[arg(long)]
    pub trace: bool,
}

/// `fairdeal verify`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim romme --matches 1 --dealer house --record romme.jsonl
  fairdeal verify romme.jsonl
  fairdeal verify match.jsonl --kept kept.jsonl
  fairdeal verify log.jsonl --result result.txt
  fairdeal verify --json *.jsonl

Replays every record, checks all evidence in it, and says what is proven and what you have to trust.
A record whose dealer leaves no evidence is only replayed. The record of a match that is not over where
it ends is called incomplete: it is valid as far as it goes, and what follows may have been cut off.

Of a private match, the whole log is checked: all signatures, the order, every proof, the deadlines and the
result. If somebody did wrong, they are named with the entry that shows it; entries are counted from 1, and
`fairdeal peer log` prints them.

The exit code is 1 if a record is invalid or damaged, if somebody did wrong in a private match, or if a result
says something else than the log; and 2 if a file cannot be read.")]
pub struct VerifyArgs {
    /// Records; `-` reads one from standard input
    #[arg(required_unless_present = "page", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare the scripts and the module that a server's pages load with those of this program
    #[arg(long, value_name = "URL", conflicts_with_all = ["files", "kept", "results", "json"])]
    pub page: Option<String>,
    /// Compare the records with what you kept at the table (your browser offers it as a download)
    #[arg(long, value_name = "FILE")]
    pub kept: Option<PathBuf>,
    /// Compare a private match with a result file about it; can be repeated
    #[arg(long = "result", value_name = "FILE")]
    pub results: Vec<PathBuf>,
    /// Print one JSON object per record
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal convert`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim holdem --deals 100 --record hands.jsonl
  fairdeal convert hands.jsonl hands.phhs
  fairdeal convert final.phh final.jsonl
  fairdeal convert hands.jsonl hands.txt --owner Anna

The endings say what the files are: .jsonl is a record, .phh one published hand, .phhs several, .txt hands as
PokerStars writes them, for trackers (output only).
Things that PHH has no field for (seats, timeouts, players who left) are kept in the field _fairdeal.")]
pub struct ConvertArgs {
    /// The file to read
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The kind of file to write, regardless of its name
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

Without cards, hands are read from standard input, one per line; a bad hand is reported with its line, and the
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

fn ranker() -> impl TypedValueParser<Value = &'static Ranker> {
    PossibleValuesParser::new(Ranker::ALL.iter().map(|ranker| ranker.name))
        .try_map(|name| Ranker::from_name(&name).ok_or_else(|| format!("hands of {name} cannot be ranked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_broken_once_to_the_width_of_the_terminal() {
        fn all(command: &clap::Command) -> Vec<clap::Command> {
            command.get_subcommands().flat_map(|inner| [vec![inner.clone()], all(inner)].concat()).collect()
        }
        for width in [60, 80, 100] {
            for inner in all(&command()) {
                let name = inner.get_name().to_owned();
                let help = inner.term_width(width).render_long_help().to_string();
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
    fn every_command_has_examples_that_are_not_broken_at_80_columns() {
        fn look(command: &mut clap::Command, path: &str) {
            let name = format!("{path} {}", command.get_name());
            let help = command.clone().term_width(80).render_long_help().to_string();
            let (_, after) = help.split_once("Example").unwrap_or_else(|| panic!("{name}: no examples\n{help}"));
            let examples: Vec<&str> = after.lines().skip(1).take_while(|line| !line.is_empty()).collect();
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                assert!(example.starts_with("  fairdeal "), "{name}: {example:?}");
            }
            let inner: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
            for inner in inner.iter().filter(|inner| *inner != "help") {
                look(command.find_subcommand_mut(inner).unwrap(), &name);
            }
        }
        let mut whole = command();
        whole.build();
        for name in whole.clone().get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help") {
            look(whole.find_subcommand_mut(name).unwrap(), "fairdeal");
        }
    }

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "Examples:\n  a b\n  c d\n\nOne\ntwo\nthree.\n\nFour.";
        assert_eq!(unwrapped(text), "Examples:\n  a b\n  c d\n\nOne two three.\n\nFour.");
    }
}
