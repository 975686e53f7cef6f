//! The commands of those who run a server.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use games::AnyGame;
use server::web::{Network, PublicUrl};

use super::{game, whole};

/// Where a server keeps everything: said in the same way to a server and to the commands beside it.
#[derive(Args, Debug, Default, Clone)]
pub struct PlaceArgs {
    /// The folder of the database, unless --database names one [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA", global = true)]
    pub data: Option<PathBuf>,
    /// The database: sqlite:PATH or postgres://… [default: a file in the data folder]
    #[arg(long, value_name = "URL", env = "FAIRDEAL_DATABASE", hide_env_values = true, global = true)]
    pub database: Option<String>,
    /// A file with options of the server
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

Every option may also stand in the configuration file (listen = \"127.0.0.1:7777\", keep-days = 30, …) or in
a variable, as shown. The command line counts first, then variables, then the file. Encryption (https) is the
business of a proxy in front; docs/server.md says how.")]
pub struct ServeArgs {
    /// Where to listen [default: 127.0.0.1:7777]
    #[arg(long, value_name = "ADDRESS", env = "FAIRDEAL_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// What people type to come here, for links and codes [default: what a visitor has typed]
    #[arg(long, value_name = "URL", env = "FAIRDEAL_PUBLIC_URL")]
    pub public_url: Option<PublicUrl>,
    /// Where everything is kept.
    #[command(flatten)]
    pub place: PlaceArgs,
    /// The most tables in use at once [default: 20000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MAX_TABLES")]
    pub max_tables: Option<usize>,
    /// The most connections, and the most sockets, at once [default: 20000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MAX_CONNECTIONS")]
    pub max_connections: Option<usize>,
    /// The most connections, and the most sockets, of one address at once; 0 is without a limit [default: 1000]
    #[arg(long, value_name = "N", env = "FAIRDEAL_CONNECTIONS_PER_ADDRESS")]
    pub connections_per_address: Option<usize>,
    /// The most requests a second from one address; 0 is without a limit [default: 50]
    #[arg(long, value_name = "N", env = "FAIRDEAL_REQUESTS_PER_SECOND")]
    pub requests_per_second: Option<u32>,
    /// The most messages a second of one player; 0 is without a limit [default: 50]
    #[arg(long, value_name = "N", env = "FAIRDEAL_MESSAGES_PER_SECOND")]
    pub messages_per_second: Option<u32>,
    /// The most new tables a minute from one address; 0 is without a limit [default: 30]
    #[arg(long, value_name = "N", env = "FAIRDEAL_TABLES_PER_MINUTE")]
    pub tables_per_minute: Option<u32>,
    /// The most wrong codes a minute from one address, after the first 20; wider networks and all together may try
    /// more, but not as many as all their addresses; 0 is without a limit [default: 6]
    #[arg(long, value_name = "N", env = "FAIRDEAL_WRONG_CODES_PER_MINUTE")]
    pub wrong_codes_per_minute: Option<u32>,
    /// A proxy in front, or a network of proxies, that is believed when it says for whom it asks (X-Forwarded-For);
    /// may be given several times, or with commas [default: this machine]
    #[arg(long, value_name = "ADDRESS", env = "FAIRDEAL_TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxy: Vec<Network>,
    /// Let everybody read /metrics, not only this machine
    #[arg(
        long,
        value_name = "BOOL",
        env = "FAIRDEAL_OPEN_METRICS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub open_metrics: Option<bool>,
    /// Delete tables, results and names so many days after their last change; 0 keeps them for ever [default: 0]
    #[arg(long, value_name = "DAYS", env = "FAIRDEAL_KEEP_DAYS")]
    pub keep_days: Option<u32>,
    /// How lines about what goes on are written, to stderr [default: text]
    #[arg(long, value_name = "FORM", env = "FAIRDEAL_LOG")]
    pub log: Option<LogForm>,
}

/// `fairdeal database`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal database backup fairdeal-2026-11-16.sqlite
  fairdeal database restore fairdeal-2026-11-16.sqlite

A copy can be made while the server runs, and put back while it does not. For PostgreSQL use pg_dump and
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
    /// Copy it to a new file
    Backup {
        /// The new file
        file: PathBuf,
    },
    /// Put a copy in its place, and keep what was there
    Restore {
        /// The copy
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

These work on the database, beside a running server too, and find it as the server does.")]
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
    /// The tables that changed last
    List {
        /// How many
        #[arg(long, default_value_t = 50, value_parser = whole::<i64>(1, 100_000), allow_negative_numbers = true)]
        limit: i64,
    },
    /// The state of one, as everybody at it sees it
    Show {
        /// Which, as `list` says it
        id: String,
    },
    /// Make a table for Alice, Bob and Charlie whose match has begun
    Quickstart {
        /// Which game
        #[arg(long, default_value = "blackout", value_parser = game())]
        game: AnyGame,
    },
}

/// How log lines are written.
#[derive(clap::ValueEnum, serde::Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum LogForm {
    /// For people
    Text,
    /// For programs
    Json,
}
