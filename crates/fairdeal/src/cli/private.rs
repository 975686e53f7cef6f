//! The commands for private tables.

use std::path::PathBuf;

use bots::Kind;
use clap::Args;
use games::AnyGame;
use relays::RelayUrl;
use results::Public;

use super::listen::Listen;
use super::{game, level, players, whole};
use crate::collection::Place;

/// How the screen looks.
#[derive(Args, Debug, Default, Clone)]
pub struct LookArgs {
    /// ASCII only [default: if the locale is not UTF-8]
    #[arg(long)]
    pub ascii: bool,
    /// No colours
    #[arg(long)]
    pub no_color: bool,
    /// A different colour for each suit
    #[arg(long)]
    pub four_colors: bool,
}

/// `fairdeal host`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal host holdem
  fairdeal host romme --seats 3 --bots hard --name Eva
  fairdeal host blackout --via https://cards.example.org
  fairdeal host ongdu --listen 0.0.0.0:7788 --option max_rounds=3
  fairdeal host blackout --relay wss://relay.example.org --invite npub1…
  fairdeal host --resume
  fairdeal host holdem --seats 2 --auto normal

Friends join with the ticket, which is a secret, or knock with the code. The cards are shuffled by all players; nobody can
see or choose them, neither you nor a server. Without --via this program is the hub that puts everybody's messages in
order, so it has to run while you play; with --via any fairdeal server is. Everything is saved before it counts: no matter
how the program ends, the same command or --resume continues. With --auto a computer decides for you, no screen is drawn,
and every event is a line on standard output.")]
pub struct HostArgs {
    /// The game
    #[arg(value_parser = game(), required_unless_present = "resume")]
    pub game: Option<AnyGame>,
    /// Where to listen, if this program is the hub [default: all addresses of this computer, port 7788 if it is free]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "via")]
    pub listen: Option<Listen>,
    /// Let guests come over Bluetooth, without any network (unless --listen is given)
    #[arg(long, conflicts_with = "via")]
    pub bluetooth: bool,
    /// Let guests come through a NOSTR relay, however far away they are (unless --listen is given)
    #[arg(long, value_name = "URL", conflicts_with_all = ["via", "bluetooth"])]
    pub relay: Option<RelayUrl>,
    /// Whom to invite through the relay: npub1…, several separated by commas
    #[arg(long, value_name = "NPUB", value_delimiter = ',', requires = "relay")]
    pub invite: Vec<Public>,
    /// A fairdeal server that is the hub
    #[arg(long, value_name = "URL")]
    pub via: Option<String>,
    /// How many play, people and computers [default: as many as come; with --auto, 4 or as close as the game allows]
    #[arg(long, value_name = "N", value_parser = players, allow_negative_numbers = true)]
    pub seats: Option<u8>,
    /// Computers that you run, by level: easy, normal or hard
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level)]
    pub bots: Vec<Kind>,
    /// A setting of the game, as listed by `fairdeal games GAME`
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Your name [default: your callsign]
    #[arg(long)]
    pub name: Option<String>,
    /// The table's name, for people who look for it
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Do not list or announce the table
    #[arg(long)]
    pub unlisted: bool,
    /// Only people with the ticket can join; nobody can knock
    #[arg(long)]
    pub no_knock: bool,
    /// Create another table, even if the same command has one that is not over
    #[arg(long)]
    pub new: bool,
    /// Continue at a table that you host: this one, or the last one used
    #[arg(long, value_name = "TABLE", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["game", "listen", "bluetooth", "relay", "invite", "via", "seats", "bots", "options", "name", "table", "unlisted", "no_knock", "new"])]
    pub resume: Option<String>,
    /// How they take part.
    #[command(flatten)]
    pub part: PartArgs,
}

/// How somebody takes part in a match at a private table.
#[derive(Args, Debug)]
pub struct PartArgs {
    /// How many seconds a hub may be silent before the players replace it
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = whole::<u64>(2, 3600),
          allow_negative_numbers = true)]
    pub patience: u64,
    /// Let a computer of this level decide for you, without a screen
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub auto: Option<Kind>,
    /// How many seconds the computer of --auto thinks about each move
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = whole::<u64>(0, 10), requires = "auto",
          allow_negative_numbers = true)]
    pub think: u64,
    /// Publish your results after the match, on a relay (wss://…) or at a station (https://…)
    #[arg(long, value_name = "URL")]
    pub publish: Option<Place>,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// Where keys, tables and results are kept [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA")]
    pub data: Option<PathBuf>,
}

/// `fairdeal join`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal join 'http://192.168.1.5:7788/private/3f…#fdt1…'
  fairdeal join 482913@192.168.1.5:7788 --name Eva
  fairdeal join nearby
  fairdeal join wss://relay.example.org
  fairdeal join 'http://192.168.1.5:7788/private/3f…#fdt1…' --watch
  fairdeal join --resume

With the code, a table nearby or one that a relay offers, you knock: you and a player at the table see the same four words if nobody is in between,
and they let you in. Everything is saved before it counts: no matter how the program ends, the same ticket or --resume
continues.")]
pub struct JoinArgs {
    /// A ticket, CODE@HOST, `nearby`, or a relay where you were invited or a table is offered
    #[arg(value_name = "TICKET|CODE@HOST|nearby|RELAY", required_unless_present = "resume")]
    pub to: Option<String>,
    /// Your name [default: your callsign]
    #[arg(long)]
    pub name: Option<String>,
    /// Watch; you see only what everybody sees
    #[arg(long)]
    pub watch: bool,
    /// Computers that you run, by level: easy, normal or hard
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level, conflicts_with = "watch")]
    pub bots: Vec<Kind>,
    /// The name of the table, if there are several; on a relay also the key in its ticket (npub1…)
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Continue at a table that you joined: this one, or the last one used
    #[arg(long, value_name = "TABLE", num_args = 0..=1, default_missing_value = "",
          conflicts_with_all = ["to", "name", "watch", "bots", "table"])]
    pub resume: Option<String>,
    /// How they take part.
    #[command(flatten)]
    pub part: PartArgs,
}
