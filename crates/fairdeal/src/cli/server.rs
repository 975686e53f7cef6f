//! The commands for running a server.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use games::AnyGame;
use server::web::{Network, PublicUrl};

use super::listen::Listen;
use super::{game, whole};

/// Where a server keeps everything: the same options for a server and for the commands beside it.
#[derive(Args, Debug, Default, Clone)]
pub struct PlaceArgs {
    /// The folder of the database, unless --database names one [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA", global = true)]
    pub data: Option<PathBuf>,
    /// The database: sqlite:PATH or postgres://USER@HOST/NAME [default: a file in the data folder]
    #[arg(long, value_name = "URL", env = "FAIRDEAL_DATABASE", hide_env_values = true, global = true)]
    pub database: Option<String>,
    /// A file with the server's options
    #[arg(long, value_name = "FILE", env = "FAIRDEAL_CONFIG", global = true)]
    pub config: Option<PathBuf>,
}

/// `fairdeal serve`
#[derive(Args, Debug, Default)]
#[command(after_help = "Examples:
  fairdeal serve
  fairdeal serve --listen 0.0.0.0:7777 --public-url https://cards.example.org
  fairdeal serve --database postgres://fairdeal@localhost/fairdeal
  fairdeal serve --config /etc/fairdeal.toml
  fairdeal serve --chain 127.0.0.1:27001
  fairdeal serve --station

Every option can also be set in the configuration file (listen = \"127.0.0.1:7777\", keep-days = 30 and so on) or in
an environment variable, as shown. The command line overrides variables, and variables override the file. For https,
put a proxy in front; docs/server.md explains how.")]
pub struct ServeArgs {
    /// Where to listen: a port of this machine (7777), or an address and a port (0.0.0.0:7777 for everybody)
    /// [default: 127.0.0.1:7777]
    #[arg(long, value_name = "ADDRESS", env = "FAIRDEAL_LISTEN")]
    pub listen: Option<Listen>,
    /// The address people type to reach the server, for links and QR codes [default: the one the visitor typed]
    #[arg(long, value_name = "URL", env = "FAIRDEAL_PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,
    /// Where everything is kept.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Maximum number of tables in use [default: 20000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MAX_TABLES", value_parser = whole::<usize>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub max_tables: Option<usize>,
    /// Maximum number of connections, and of sockets [default: 20000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MAX_CONNECTIONS", value_parser = whole::<usize>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub max_connections: Option<usize>,
    /// Maximum number of connections, and of sockets, per address; 0 means no limit [default: 1000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_CONNECTIONS_PER_ADDRESS", value_parser = whole::<usize>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub connections_per_address: Option<usize>,
    /// Maximum requests per second from one address; 0 means no limit [default: 50]
    #[arg(long, value_name = "N", env = "FAIRDEAL_REQUESTS_PER_SECOND", value_parser = whole::<u32>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub requests_per_second: Option<u32>,
    /// Maximum messages per second from one player; 0 means no limit [default: 50]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MESSAGES_PER_SECOND", value_parser = whole::<u32>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub messages_per_second: Option<u32>,
    /// Maximum new tables per minute from one address; 0 means no limit [default: 30]
    #[arg(long, value_name = "N", env = "FAIRDEAL_TABLES_PER_MINUTE", value_parser = whole::<u32>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub tables_per_minute: Option<u32>,
    /// Maximum wrong codes per minute from one address, after the first 20; wider networks, and all addresses together,
    /// have larger budgets; 0 means no limit [default: 6]
    #[arg(long, value_name = "N", env = "FAIRDEAL_WRONG_CODES_PER_MINUTE", value_parser = whole::<u32>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub wrong_codes_per_minute: Option<u32>,
    /// A proxy, or a network of proxies, whose X-Forwarded-For header is trusted; may be given several times, or
    /// separated by commas [default: this machine]
    #[arg(long, value_name = "ADDRESS", env = "FAIRDEAL_TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxy: Vec<Network>,
    /// Let everybody read /metrics, not only clients on this machine
    #[arg(
        long,
        value_name = "BOOL",
        env = "FAIRDEAL_OPEN_METRICS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub open_metrics: Option<bool>,
    /// Delete tables, results and names this many days after their last change; 0 keeps them forever [default: 0]
    #[arg(long, value_name = "DAYS", env = "FAIRDEAL_KEEP_DAYS", value_parser = whole::<u32>(0, u32::MAX.into()),
          allow_negative_numbers = true)]
    pub keep_days: Option<u32>,
    /// A node of a poker chain whose tables the lobby lists; may be given several times, or separated by commas
    /// [default: none]
    #[arg(long, value_name = "ADDRESS", env = "FAIRDEAL_CHAIN", value_delimiter = ',')]
    pub chain: Vec<remote::Place>,
    /// Be a station, too: show leaderboards, and accept results. Its key is made by `fairdeal station init`
    #[arg(
        long,
        value_name = "BOOL",
        env = "FAIRDEAL_STATION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub station: Option<bool>,
    /// The format of the log on stderr [default: text]
    #[arg(long, value_name = "FORM", env = "FAIRDEAL_LOG")]
    pub log: Option<LogForm>,
}

/// `fairdeal database`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal database backup fairdeal-2026-11-16.sqlite
  fairdeal database restore fairdeal-2026-11-16.sqlite

You can make a backup while the server runs, and restore it while the server is stopped. For PostgreSQL use pg_dump and
pg_restore.")]
pub struct DatabaseArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DatabaseCommand,
    /// Where everything is kept.
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to do with a database.
#[derive(Subcommand, Debug)]
pub enum DatabaseCommand {
    /// Back it up to a new file
    #[command(after_help = "Examples:
  fairdeal database backup fairdeal-2026-11-16.sqlite
  fairdeal database backup /backups/today.sqlite --config /etc/fairdeal.toml")]
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Restore a backup, and keep the old database
    #[command(after_help = "Examples:
  fairdeal database restore fairdeal-2026-11-16.sqlite
  fairdeal database restore /backups/today.sqlite --config /etc/fairdeal.toml")]
    Restore {
        /// The backup
        file: PathBuf,
    },
}

/// `fairdeal table`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal table list
  fairdeal table show 0123456789abcdef
  fairdeal table list --config /etc/fairdeal.toml
  fairdeal table quickstart --game blackout

These commands work on the database directly, even while a server is running, and find it the same way the
server does.")]
pub struct TableArgs {
    /// What to do
    #[command(subcommand)]
    pub command: TableCommand,
    /// Where everything is kept.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with tables.
#[derive(Subcommand, Debug)]
pub enum TableCommand {
    /// List the most recently changed tables
    #[command(after_help = "Examples:
  fairdeal table list
  fairdeal table list --limit 10 --json")]
    List {
        /// How many to list
        #[arg(long, default_value_t = 50, value_parser = whole::<i64>(1, 100_000), allow_negative_numbers = true)]
        limit: i64,
    },
    /// Show one table, as everybody sees it
    #[command(after_help = "Example:
  fairdeal table show 0123456789abcdef")]
    Show {
        /// Its id, from `list`
        id: String,
    },
    /// Create a table with a running match of Alice, Bob and Charlie
    #[command(after_help = "Examples:
  fairdeal table quickstart
  fairdeal table quickstart --game holdem --json")]
    Quickstart {
        /// The game
        #[arg(long, default_value = "blackout", value_parser = game())]
        game: AnyGame,
    },
}

/// The format of the log.
#[derive(clap::ValueEnum, serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum LogForm {
    /// For people
    Text,
    /// For programs
    Json,
}
