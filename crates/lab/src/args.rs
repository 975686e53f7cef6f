//! The options of `sim`, `arena` and `bench`, and how numbers, games and times are read on the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dealers::house::RevealSeed;
use games::AnyGame;

use crate::sim::{Dealing, parse_reveal};

/// What is played, by `sim` and `arena` alike.
#[derive(Args, Debug)]
pub struct Played {
    /// The game
    #[arg(value_parser = game())]
    pub game: AnyGame,
    /// Number of players [default: 4, or as close as the game allows]
    #[arg(long, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    pub players: Option<u8>,
    /// A setting of the game, as listed by `fairdeal games GAME`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// How long your own bots may think about each move
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = bot_time, allow_negative_numbers = true)]
    pub bot_time: Duration,
    /// Random seed: the same number gives the same result [default: a new one each time]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 1024), allow_negative_numbers = true)]
    pub threads: Option<u16>,
}

/// `fairdeal sim`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal sim blackout
  fairdeal sim blackout --players 3 --deals 1000000 --seed 7
  fairdeal sim blackout --matches 500 --bot easy --bot 1=random
  fairdeal sim blackout --option max=7 --option hook=true --json
  fairdeal sim blackout --deals 100 --seed 7 --record deals.jsonl
  fairdeal sim romme --matches 1 --dealer house --record romme.jsonl
  fairdeal sim holdem --deals 5 --dealer peers --record hands.jsonl
  fairdeal sim holdem --matches 10 --bot '2=cmd:python3 examples/bot.py'

The same seed gives the same result on any number of threads. Your own bots are started once
for every thread and seat; docs/bots.md describes how to write one. JSON counts seats from 0, as records do.")]
pub struct SimArgs {
    /// What is played
    #[command(flatten)]
    pub played: Played,
    /// Number of single deals [default: 10000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST), allow_negative_numbers = true,
          conflicts_with = "matches")]
    pub deals: Option<u64>,
    /// Number of whole matches, instead of single deals
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, MOST), allow_negative_numbers = true)]
    pub matches: Option<u64>,
    /// Stop a match after this many deals
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "matches",
          conflicts_with = "deals", value_parser = whole::<u32>(1, u32::MAX.into()), allow_negative_numbers = true)]
    pub max_deals: u32,
    /// Who plays: random, easy, normal, hard, or your own bot, as in cmd:'python3 bot.py'; in all seats, or in
    /// one of them, counted from 1, as in 2=easy [default: random]
    #[arg(long = "bot", value_name = "[SEAT=]BOT")]
    pub bots: Vec<String>,
    /// Who deals: local (this program, trusted); house (a server that proves that it did not choose the cards); peers
    /// (the players, all of them needed; peers:K, any K of them); committee:N,T (any T of N members) [committee: 4,3]
    #[arg(long, value_name = "WHO", default_value = "local", value_parser = Dealing::parse)]
    pub dealer: Dealing,
    /// When the house publishes its seeds: auto (if that reveals no card that the rules keep hidden), after_deal or
    /// after_match [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = parse_reveal)]
    pub reveal_seed: Option<RevealSeed>,
    /// Write a record of everything played, for `fairdeal replay` and `fairdeal verify`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Overwrite the record file
    #[arg(long, requires = "record")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal arena`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal arena holdem --bots hard,normal
  fairdeal arena romme --bots hard,normal,easy --matches 1000 --seed 7
  fairdeal arena blackout --bots normal,easy --until-clear --json
  fairdeal arena ongdu --bots 'hard,cmd:python3 examples/bot.py'

Every bot plays every other. The same cards are played in every line-up, so that both bots have the same
luck: ABAB and BABA with an even number of players, every rotation of ABABA and BABAB with an odd one.
That is a set. Each bot has half of the seats, so 50 % of wins is even. Intervals are over sets (mean
and 1.96 standard errors; Student's t for 31 sets or fewer); no result is called clear before 20 sets.

--until-clear checks after 20, 30, 45, 67, ... sets and stops at three standard errors from even. The
interval it prints is then a little too narrow, because a run stops when it happens to look good.

The same seed gives the same result on any number of threads; only times differ.

The exit code is 2 if one of your own bots never makes a move, and 1 if one is gone before the end.")]
pub struct ArenaArgs {
    /// What is played
    #[command(flatten)]
    pub played: Played,
    /// Who plays: two or more of hard, normal, easy, random, and your own bots, as in cmd:./bot (no commas)
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', required = true)]
    pub bots: Vec<String>,
    /// Maximum number of matches for each pair of bots
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u64>(1, MOST),
          allow_negative_numbers = true)]
    pub matches: u64,
    /// Stop as soon as it is clear which of a pair is better
    #[arg(long)]
    pub until_clear: bool,
    /// Stop a match after this many deals; it counts for the leader
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole::<u32>(1, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub max_deals: u32,
    /// Print one JSON object per pair
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal bench`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal bench
  fairdeal bench rank7_random deals_blackout_4x7 --seconds 5
  fairdeal bench --json
  fairdeal bench deal_holdem_6_peers_ms deal_holdem_6_peers_bytes
  fairdeal bench chain_hand_16_verify_ms chain_hand_16_bytes

Everything runs on one thread, even when several parties deal jointly and each checks all the others. Every
figure is the best of several runs. Lower is better if the name ends in _ms, _us, _bytes or _messages;
otherwise higher is better. The time to check a message includes decoding it.

chain_hand_N is a hand of nine players to the showdown on a chain with a committee of N: everything a replica has to do
for it, from the first shuffle of its deck to the last block. The blocks are prepared first, which takes a while for
large committees.")]
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

/// Nobody has the time for more, and no sum overflows below it.
const MOST: u64 = 1_000_000_000_000;

/// Parses a whole number in a range; the error names the range.
pub fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|n| (least..=most).contains(n)).and_then(|n: u64| T::try_from(n).ok());
        number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    }
}

/// Parses a number of players. Which numbers a game allows is up to the game.
pub fn players(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| "it must be a whole number; `fairdeal games` lists what each game allows".to_owned())
}

/// Parses the time that a bot has for an answer.
pub fn bot_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "it must be a number of seconds from 0.001 to 3600".to_owned())
}

/// Parses the name of a game; help, completions and the error for an unknown one list them all.
pub fn game() -> impl TypedValueParser<Value = AnyGame> {
    PossibleValuesParser::new(AnyGame::ALL.iter().map(|game| game.name()))
        .try_map(|name| AnyGame::from_name(&name).ok_or_else(|| format!("no game is called {name}")))
}
