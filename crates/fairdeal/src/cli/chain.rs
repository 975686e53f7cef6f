//! The commands for poker chains.

use std::path::PathBuf;

use bots::Kind;
use chain::{Address, Coins};
use clap::{Args, Subcommand};
use lab::chain::ChainSimArgs;
use remote::Place;

use super::private::LookArgs;
use super::{level, whole};

/// `fairdeal chain`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain wallet new         # your account
  fairdeal chain wallet faucet      # coins to play with
  fairdeal chain tables
  fairdeal chain sit 1              # take a seat at table 1, and play
  fairdeal chain leave              # back to your wallet with everything

A poker chain keeps the chips and deals the cards; nobody at the table, and no single computer of the chain, can see or
choose them. The node you ask is not trusted: everything it says is checked. To try it out, start a chain with `fairdeal-node dev` in
another terminal first. docs/wallet.md tells more.")]
pub struct ChainArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ChainCommand,
}

/// What to do with a chain.
#[derive(Subcommand, Debug)]
pub enum ChainCommand {
    /// Make a wallet, show what is in it, get or send coins
    Wallet(WalletArgs),
    /// List the tables
    Tables(TablesArgs),
    /// Take a seat at a table, and play
    Sit(SitArgs),
    /// Play on at a table where you have a seat
    Play(SeatArgs),
    /// Watch a table without a seat
    Watch(WatchArgs),
    /// Give up your seat; your chips and your bond go back to your wallet
    Leave(LeaveArgs),
    /// Check a hand that is over, with everything that proves it
    Verify(HandArgs),
    /// Simulate a whole chain with validators and players, liars among them, and report what happened
    Sim(ChainSimArgs),
}

/// Which chain, through which node, and where everything about it is kept.
#[derive(Args, Debug, Clone)]
pub struct AtArgs {
    /// A node to ask; if several are given, the next one is asked when one fails
    #[arg(long = "node", value_name = "HOST:PORT", env = "FAIRDEAL_NODE", value_delimiter = ',',
          default_value = "127.0.0.1:27001", value_parser = place, global = true)]
    pub nodes: Vec<Place>,
    /// Only this chain: its name in hexadecimal digits, or how it begins if you have used it before
    #[arg(long, value_name = "ID", global = true)]
    pub chain: Option<String>,
    /// A recent block that you trust, as HEIGHT:HASH, if the chain is old and you use it for the first time
    #[arg(long, value_name = "BLOCK", global = true)]
    pub trust: Option<String>,
    /// A file whose first line is the passphrase of your wallet
    #[arg(long, value_name = "FILE", global = true)]
    pub passphrase_file: Option<PathBuf>,
    /// Where keys are kept [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA", global = true)]
    pub data: Option<PathBuf>,
}

/// `fairdeal chain wallet`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain wallet new
  fairdeal chain wallet show
  fairdeal chain wallet faucet
  fairdeal chain wallet send deal1… 5000

Your wallet is a key in a file that only you can read. Whoever has it has your coins, and without it nobody gets them back: \
make a backup with `fairdeal chain wallet export --secret`. One wallet can be used for any number of chains.")]
pub struct WalletArgs {
    /// What to do
    #[command(subcommand)]
    pub command: WalletCommand,
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with a wallet.
#[derive(Subcommand, Debug)]
pub enum WalletCommand {
    /// Make a wallet, if there is none yet
    #[command(after_help = "Examples:\n  fairdeal chain wallet new\n  fairdeal chain wallet new --protect")]
    New {
        /// Protect it with a passphrase, which is asked for whenever it is used
        #[arg(long)]
        protect: bool,
    },
    /// Show your address, your coins and your seats
    #[command(after_help = "Examples:\n  fairdeal chain wallet show\n  fairdeal chain wallet show --json")]
    Show,
    /// Get coins from a node that gives some away, on a chain to try out
    #[command(after_help = "Example:\n  fairdeal chain wallet faucet")]
    Faucet,
    /// Send coins to somebody
    #[command(after_help = "Example:\n  fairdeal chain wallet send deal1… 5000")]
    Send {
        /// Their address
        #[arg(value_name = "ADDRESS", value_parser = address)]
        to: Address,
        /// How many coins
        #[arg(value_parser = coins)]
        coins: Coins,
    },
    /// Print the secret key, for a backup
    #[command(after_help = "Examples:\n  fairdeal chain wallet export --secret > backup.txt")]
    Export {
        /// Yes, the secret: whoever has it has your coins
        #[arg(long)]
        secret: bool,
        /// Write it to a new file that only you can read
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take over a wallet from a backup
    #[command(
        after_help = "Examples:\n  fairdeal chain wallet import backup.txt\n  fairdeal chain wallet import < backup.txt"
    )]
    Import {
        /// The file with the key [default: ask for it, or read standard input]
        file: Option<PathBuf>,
    },
}

/// `fairdeal chain tables`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fairdeal chain tables\n  fairdeal chain tables --node 192.0.2.7:27001 --json")]
pub struct TablesArgs {
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal chain sit`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain sit 1
  fairdeal chain sit 1 --seat 3 --buy-in 1000
  fairdeal chain sit 1 --auto hard --hands 10

Besides your chips you deposit a bond. You get it back when you leave, but lose a little of it whenever your time to act
is up. Who misses two turns in a row sits out the next hand. If your terminal closes, `fairdeal chain play` continues.")]
pub struct SitArgs {
    /// The number of the table
    #[arg(value_parser = whole::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pub table: u64,
    /// Which seat, from 1 to 9 [default: the next free one after the big blind]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1, 9), allow_negative_numbers = true)]
    pub seat: Option<u8>,
    /// How many chips [default: as many as the table allows and you can pay]
    #[arg(long, value_name = "COINS", value_parser = coins)]
    pub buy_in: Option<Coins>,
    /// Only take the seat; do not play yet
    #[arg(long, conflicts_with_all = ["auto", "hands"])]
    pub no_play: bool,
    /// How they play.
    #[command(flatten)]
    pub how: HowArgs,
}

/// How somebody plays at a table of a chain.
#[derive(Args, Debug)]
pub struct HowArgs {
    /// Let a computer of this level decide for you, without a screen
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub auto: Option<Kind>,
    /// Leave the table after so many hands
    #[arg(long, value_name = "N", requires = "auto", value_parser = whole::<u32>(1, 1_000_000),
          allow_negative_numbers = true)]
    pub hands: Option<u32>,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
}

/// `fairdeal chain play`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain play
  fairdeal chain play 1
  fairdeal chain play --auto normal

Continues at the table where you have a seat, also after a crash. Ctrl-C closes the program and keeps the seat, but the
table does not wait: press o before you go to sit out.")]
pub struct SeatArgs {
    /// The number of the table [default: the one where you have a seat]
    #[arg(value_parser = whole::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pub table: Option<u64>,
    /// How they play.
    #[command(flatten)]
    pub how: HowArgs,
}

/// `fairdeal chain watch`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  fairdeal chain watch 1")]
pub struct WatchArgs {
    /// The number of the table
    #[arg(value_parser = whole::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pub table: u64,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
}

/// `fairdeal chain leave`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain leave
  fairdeal chain leave 1

If you are in a hand, you leave after it; until then you check, or fold where you cannot.")]
pub struct LeaveArgs {
    /// The number of the table [default: the one where you have a seat]
    #[arg(value_parser = whole::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pub table: Option<u64>,
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `fairdeal chain verify`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal chain verify 1 last
  fairdeal chain verify 1 17 --output hand.json

Everything about the hand is repeated, and its end compared with the state of the chain, which validators have signed. A
file that was written can be checked by anybody with `fairdeal verify`.

The exit code is 1 if something is not so.")]
pub struct HandArgs {
    /// The number of the table
    #[arg(value_parser = whole::<u64>(1, u64::MAX), allow_negative_numbers = true)]
    pub table: u64,
    /// The number of the hand, or `last`
    #[arg(value_name = "HAND|last", default_value = "last", value_parser = which_hand)]
    pub hand: Which,
    /// Also write the hand to a new file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Which chain.
    #[command(flatten)]
    pub at: AtArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which hand of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The last one that is over.
    Last,
    /// The one with this number.
    Number(u32),
}

fn place(text: &str) -> Result<Place, String> {
    text.parse().map_err(|why: remote::BadPlace| why.to_string())
}

fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|why: chain::NotAnAddress| why.to_string())
}

fn coins(text: &str) -> Result<Coins, String> {
    let number = text.parse::<u64>().ok().map(Coins).filter(|coins| *coins > Coins::ZERO && *coins <= Coins::MOST);
    number.ok_or_else(|| "it must be a whole number of coins above 0".to_owned())
}

fn which_hand(text: &str) -> Result<Which, String> {
    match text {
        "last" => Ok(Which::Last),
        number => number.parse().map(Which::Number).map_err(|_| "it must be the number of a hand, or last".to_owned()),
    }
}
