//! The command line.

use std::fmt;
use std::num::NonZeroU32;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

Commands:
  run [ARG]...                   Gets a compiler for WebAssembly if it can, builds everything and
                                 starts `fairdeal ARG...` [default: the lobby]
  module [--twice]               Only build the module for private tables in browsers; --twice:
                                 also in another folder, and compare the bytes
  test                           Everything a change must pass: formatting, crate layers,
                                 licences, clippy, docs, tests
  soak [FILTER]                  The tests, optimised and at full counts (FAIRDEAL_SOAK=1),
                                 with their output; then an hour of fuzzing (`soak fuzz`:
                                 only that)
  fuzz [--seconds N] [TARGET]... The fuzz targets, N seconds each [default: 20; all targets];
                                 needs a nightly toolchain, installs cargo-fuzz if missing
  browser [FILTER]               The browser tests, or those whose file name contains FILTER
  bench [FILTER]                 The benchmarks
  load [--tables N] [--seconds N] [--skip-peers]
                                 Many tables over sockets on this machine [default: 2000, 10 s],
                                 and the same game on boardgame.io and Colyseus
  private [--skip-peers]         Private tables of all sizes on this machine: waiting, CPU time,
                                 messages; and mental-poker-toolkit in the same run
  pages [GAME=PLAYERS]...        The same in browsers, also on slow phones (takes root);
                                 mental-poker-toolkit in the same browser
                                 [default: holdem=2 holdem=4 holdem=6 romme=4 blackjack=4]
  chain [hands] [tables] [transfers]
                                 A chain of several validators on this machine: how long hands
                                 take, how many tables it carries, and transfers next to the
                                 engine alone [default: all three]
  ble [GAME]...                  Private tables over Bluetooth, in an emulated machine with
                                 virtual controllers [default: all, and four players: holdem4,
                                 and holdem4slow, who think]; fetches Debian's packages of it,
                                 needs libdbus-1-dev
  relay                          The tests of NOSTR relays with a relay and a library that
                                 others wrote; builds both outside of the workspace
  layers                         Only check which crate may use which
  deny                           Only check the licences, versions and sources of dependencies,
                                 as deny.toml says

Options:
  -h, --help                     Print this help

Examples:
  cargo xtask test
  cargo xtask soak holdem
  cargo xtask fuzz --seconds 300
  cargo xtask fuzz --seconds 60 record
  cargo xtask browser smoke
  cargo xtask bench ranking
  cargo xtask load --tables 500

Exit status: 0 on success, 1 if a step failed, 2 for wrong usage.";

const DEFAULT_SECONDS: NonZeroU32 = NonZeroU32::new(20).expect("20 is not zero");
const LOAD_TABLES: NonZeroU32 = NonZeroU32::new(2000).expect("2000 is not zero");
const LOAD_SECONDS: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");

/// What can be measured of a chain.
const MEASURED: [&str; 3] = ["hands", "tables", "transfers"];

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Run { args: Vec<String> },
    Module { twice: bool },
    Test,
    Soak { filter: Option<String> },
    Fuzz { seconds: NonZeroU32, targets: Vec<String> },
    Browser { filter: Option<String> },
    Bench { filter: Option<String> },
    Load { tables: NonZeroU32, seconds: NonZeroU32, peers: bool },
    Private { peers: bool },
    Pages { tables: Vec<String> },
    Chain { what: Vec<String> },
    Ble { games: Vec<String> },
    Relay,
    Layers,
    Deny,
}

/// Why a command line was not understood.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Misuse {
    NoCommand,
    UnknownCommand(String),
    UnknownOption(String),
    Surplus(String),
    /// An option that takes a whole number from 1.
    BadNumber(&'static str, Option<String>),
}

pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Result<Task, Misuse> {
    let args: Vec<String> = args.into_iter().collect();
    // Everything after `run` is for the program.
    if let Some(("run", args)) = args.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return Ok(Task::Run { args: args.to_vec() });
    }
    if args.iter().any(|arg| arg == "-h" || arg == "--help") {
        return Ok(Task::Help);
    }
    let mut rest = args.into_iter();
    let command = rest.next().ok_or(Misuse::NoCommand)?;
    match command.as_str() {
        "help" => Ok(Task::Help),
        "module" => module(rest),
        "test" => nothing(rest).map(|()| Task::Test),
        "soak" => at_most_one(rest).map(|filter| Task::Soak { filter }),
        "fuzz" => fuzz(rest),
        "browser" => at_most_one(rest).map(|filter| Task::Browser { filter }),
        "bench" => at_most_one(rest).map(|filter| Task::Bench { filter }),
        "load" => load(rest),
        "private" => private(rest),
        "pages" => pages(rest),
        "chain" => chain(rest),
        "ble" => rest.map(positional).collect::<Result<_, _>>().map(|games| Task::Ble { games }),
        "relay" => nothing(rest).map(|()| Task::Relay),
        "layers" => nothing(rest).map(|()| Task::Layers),
        "deny" => nothing(rest).map(|()| Task::Deny),
        _ => Err(Misuse::UnknownCommand(command)),
    }
}

fn fuzz(mut rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    let mut seconds = DEFAULT_SECONDS;
    let mut targets = Vec::new();
    while let Some(arg) = rest.next() {
        if arg == "--seconds" {
            seconds = number("--seconds", rest.next())?;
        } else if let Some(value) = arg.strip_prefix("--seconds=") {
            seconds = number("--seconds", Some(value.to_owned()))?;
        } else {
            targets.push(positional(arg)?);
        }
    }
    Ok(Task::Fuzz { seconds, targets })
}

fn load(mut rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    let (mut tables, mut seconds, mut peers) = (LOAD_TABLES, LOAD_SECONDS, true);
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--tables" => tables = number("--tables", rest.next())?,
            "--seconds" => seconds = number("--seconds", rest.next())?,
            "--skip-peers" => peers = false,
            _ => return positional(arg).and_then(|arg| Err(Misuse::Surplus(arg))),
        }
    }
    Ok(Task::Load { tables, seconds, peers })
}

fn private(mut rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    match rest.next() {
        Some(arg) if arg == "--skip-peers" => nothing(rest).map(|()| Task::Private { peers: false }),
        Some(arg) => positional(arg).and_then(|arg| Err(Misuse::Surplus(arg))),
        None => Ok(Task::Private { peers: true }),
    }
}

fn pages(rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    let table = |arg: String| match arg.split_once('=') {
        Some((_, players)) if players.parse::<u8>().is_ok() => Ok(arg),
        _ => Err(Misuse::UnknownOption(arg)),
    };
    Ok(Task::Pages { tables: rest.map(table).collect::<Result<_, _>>()? })
}

fn module(mut rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    match rest.next() {
        Some(arg) if arg == "--twice" => nothing(rest).map(|()| Task::Module { twice: true }),
        Some(arg) => positional(arg).and_then(|arg| Err(Misuse::Surplus(arg))),
        None => Ok(Task::Module { twice: false }),
    }
}

fn chain(rest: impl Iterator<Item = String>) -> Result<Task, Misuse> {
    let known = |word: String| if MEASURED.contains(&word.as_str()) { Ok(word) } else { Err(Misuse::Surplus(word)) };
    let what = rest.map(|word| positional(word).and_then(known)).collect::<Result<_, _>>()?;
    Ok(Task::Chain { what })
}

fn number(option: &'static str, value: Option<String>) -> Result<NonZeroU32, Misuse> {
    value.as_deref().and_then(|value| value.parse().ok()).ok_or(Misuse::BadNumber(option, value))
}

fn nothing(mut rest: impl Iterator<Item = String>) -> Result<(), Misuse> {
    match rest.next() {
        None => Ok(()),
        Some(arg) => Err(Misuse::Surplus(arg)),
    }
}

fn at_most_one(mut rest: impl Iterator<Item = String>) -> Result<Option<String>, Misuse> {
    let first = rest.next().map(positional).transpose()?;
    nothing(rest).map(|()| first)
}

fn positional(arg: String) -> Result<String, Misuse> {
    if arg.starts_with('-') { Err(Misuse::UnknownOption(arg)) } else { Ok(arg) }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommand => write!(f, "no command given"),
            Self::UnknownCommand(command) => write!(f, "unknown command `{command}`"),
            Self::UnknownOption(option) => write!(f, "unknown option `{option}`"),
            Self::Surplus(arg) => write!(f, "unexpected argument `{arg}`"),
            Self::BadNumber(option, None) => write!(f, "{option} needs a number"),
            Self::BadNumber(option, Some(value)) => {
                write!(f, "{option} needs a whole number from 1, not `{value}`")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, Misuse> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn commands_take_their_arguments() {
        assert_eq!(parsed("test"), Ok(Task::Test));
        assert_eq!(parsed("deny"), Ok(Task::Deny));
        assert_eq!(parsed("relay"), Ok(Task::Relay));
        assert_eq!(parsed("run"), Ok(Task::Run { args: Vec::new() }));
        let args = vec!["host".to_owned(), "--help".to_owned()];
        assert_eq!(parsed("run host --help"), Ok(Task::Run { args }));
        assert_eq!(parsed("module"), Ok(Task::Module { twice: false }));
        assert_eq!(parsed("module --twice"), Ok(Task::Module { twice: true }));
        assert_eq!(parsed("soak"), Ok(Task::Soak { filter: None }));
        assert_eq!(parsed("browser smoke"), Ok(Task::Browser { filter: Some("smoke".to_owned()) }));
        assert_eq!(parsed("bench deal"), Ok(Task::Bench { filter: Some("deal".to_owned()) }));
        assert_eq!(parsed("private"), Ok(Task::Private { peers: true }));
        assert_eq!(parsed("private --skip-peers"), Ok(Task::Private { peers: false }));
        assert_eq!(parsed("pages romme=4"), Ok(Task::Pages { tables: vec!["romme=4".to_owned()] }));
        assert_eq!(parsed("pages romme"), Err(Misuse::UnknownOption("romme".to_owned())));
        assert_eq!(parsed("chain"), Ok(Task::Chain { what: Vec::new() }));
        let what = vec!["tables".to_owned(), "hands".to_owned()];
        assert_eq!(parsed("chain tables hands"), Ok(Task::Chain { what }));
        let (seconds, targets) = (DEFAULT_SECONDS, Vec::new());
        assert_eq!(parsed("fuzz"), Ok(Task::Fuzz { seconds, targets }));
        let (tables, seconds) = (LOAD_TABLES, NonZeroU32::MIN);
        assert_eq!(parsed("load --seconds 1 --skip-peers"), Ok(Task::Load { tables, seconds, peers: false }));
        let (seconds, targets) = (NonZeroU32::MIN, vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(parsed("fuzz a --seconds 1 b"), Ok(Task::Fuzz { seconds, targets }));
    }

    #[test]
    fn help_works_in_every_position() {
        assert_eq!(parsed("--help"), Ok(Task::Help));
        assert_eq!(parsed("fuzz -h"), Ok(Task::Help));
    }

    #[test]
    fn wrong_usage_is_explained() {
        assert_eq!(parsed(""), Err(Misuse::NoCommand));
        assert_eq!(parsed("tset"), Err(Misuse::UnknownCommand("tset".to_owned())));
        assert_eq!(parsed("test now"), Err(Misuse::Surplus("now".to_owned())));
        assert_eq!(parsed("soak a b"), Err(Misuse::Surplus("b".to_owned())));
        assert_eq!(parsed("private 5"), Err(Misuse::Surplus("5".to_owned())));
        assert_eq!(parsed("chain chairs"), Err(Misuse::Surplus("chairs".to_owned())));
        assert_eq!(parsed("module 5"), Err(Misuse::Surplus("5".to_owned())));
        assert_eq!(parsed("load 5"), Err(Misuse::Surplus("5".to_owned())));
        assert_eq!(parsed("load --fast"), Err(Misuse::UnknownOption("--fast".to_owned())));
        assert_eq!(parsed("soak --fast"), Err(Misuse::UnknownOption("--fast".to_owned())));
        assert_eq!(parsed("fuzz --seconds"), Err(Misuse::BadNumber("--seconds", None)));
    }

    /// libFuzzer treats zero seconds as "no limit".
    #[test]
    fn zero_seconds_are_refused() {
        assert_eq!(parsed("fuzz --seconds=0"), Err(Misuse::BadNumber("--seconds", Some("0".to_owned()))));
    }
}
