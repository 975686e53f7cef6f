//! Private tables on this machine: how long players wait for their cards, and what dealing costs.
//!
//! 1. For each game, and for two, four and the most players, one process per player plays a short match over sockets
//!    on this machine. The first of them is also the hub.
//! 2. The processes say when they are ready, when their cards are there and when a deal is over. CPU time is read from
//!    the system at those moments; messages and bytes are counted in the record of the match.
//! 3. In the same run two players make keys and shuffle with `mental-poker-toolkit`, which proves nothing.
//!
//! Caveat: all players share the cores of this machine, so that compare CPU time rather than waiting.

use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use std::{env, fmt, fs, process, thread};

use serde::Deserialize;

use crate::cargo::{Broken, Cargo, root};
use crate::manifests::{self, Unreadable};
use crate::module;
use crate::tools::{self, Missing};

/// Every game, its most players, and settings for a match of a few deals.
const GAMES: [(&str, u8, &[&str]); 6] = [
    ("holdem", 9, &["hand_limit=10"]),
    ("blackjack", 4, &["rounds=5"]),
    ("romme", 4, &["mode=rounds", "rounds=3"]),
    ("bigc", 12, &["deals=3", "hand_size=5"]),
    ("ongdu", 6, &["max_rounds=5"]),
    ("blackout", 7, &["max=3"]),
];
/// The goals at a table of Hold'em with six players.
const GOAL_CPU: f64 = 1.5;
const GOAL_WAIT: f64 = 0.2;
const SILENCE: Duration = Duration::from_secs(60);

/// Why there are no figures.
#[derive(Debug)]
pub(crate) enum Failed {
    Tools(Missing),
    Build(Broken),
    TargetUnknown(Unreadable),
    File(io::Error),
    NotStarted(io::Error),
    Player(String),
    Toolkit(ExitStatus),
    Module(String),
    Browsers(ExitStatus),
    NoFigures(serde_json::Error),
}

/// What was measured at one table.
struct Figures {
    game: &'static str,
    players: u8,
    /// From the moment all are ready until all have their cards, in seconds.
    first: f64,
    /// The CPU time of the hub's player and of the busiest other in that time.
    cpu: (f64, f64),
    /// From the end of a deal until everybody has the cards of the next: the median and the longest.
    next: (f64, f64),
    deals: u32,
    entries: usize,
    bytes: usize,
}

/// What a player's program says, and when.
struct Said {
    player: usize,
    line: String,
    at: Instant,
    cpu: f64,
}

pub(crate) fn run(peers: bool) -> Result<(), Failed> {
    if peers {
        tools::run_for("bench/private").map_err(Failed::Tools)?;
    }
    let program = program()?;
    let mut all = Vec::new();
    for (game, most, settings) in GAMES {
        let mut sizes = vec![2, 4];
        sizes.extend((game == "holdem").then_some(6));
        sizes.extend((most > 4).then_some(most));
        for players in sizes {
            eprintln!("measuring {game} with {players} players");
            all.push(table(&program, game, players, settings)?);
        }
    }
    let toolkit = if peers { vec![toolkit(128)?, toolkit(512)?] } else { Vec::new() };
    print!("{}", Told { all: &all, toolkit: &toolkit });
    Ok(())
}

/// The same in browsers (`bench/private/browsers.mjs`).
pub(crate) fn in_browsers(tables: &[String]) -> Result<(), Failed> {
    tools::run().map_err(Failed::Tools)?;
    tools::run_for("bench/private").map_err(Failed::Tools)?;
    module::run().map_err(|failed| Failed::Module(failed.to_string()))?;
    let mut node = Command::new("node");
    node.arg("bench/private/browsers.mjs").args(tables).env("FAIRDEAL_BIN", program()?).current_dir(root());
    let status = node.status().map_err(Failed::NotStarted)?;
    if status.success() { Ok(()) } else { Err(Failed::Browsers(status)) }
}

/// Builds the program as people use it.
fn program() -> Result<PathBuf, Failed> {
    Cargo::new("build --release --locked -p fairdeal --bin fairdeal").run().map_err(Failed::Build)?;
    let programs = manifests::target_directory().map_err(Failed::TargetUnknown)?.join("release");
    Ok(programs.join(format!("fairdeal{}", env::consts::EXE_SUFFIX)))
}

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The processes of a table, stopped on drop.
struct Players(Vec<Child>);

impl Drop for Players {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn table(program: &Path, game: &'static str, players: u8, settings: &[&str]) -> Result<Figures, Failed> {
    let folder = Folder(env::temp_dir().join(format!("fairdeal-private-{}", process::id())));
    fs::create_dir(&folder.0).map_err(Failed::File)?;
    let (tell, told) = mpsc::channel();
    let mut all = Players(Vec::new());
    let mut host = vec!["host", game, "--listen", "127.0.0.1:0"];
    let seats = players.to_string();
    host.extend(["--seats", &seats]);
    settings.iter().for_each(|setting| host.extend(["--option", setting]));
    all.0.push(start(program, &host, 0, &folder.0, &tell)?);
    let mut heard = Heard { told, all: Vec::new() };
    let ticket = heard.wait(0, "ticket ")?;
    for player in 1..usize::from(players) {
        all.0.push(start(program, &["join", &ticket], player, &folder.0, &tell)?);
    }
    drop(tell);
    for player in 0..usize::from(players) {
        heard.wait(player, "result ")?;
    }
    let record = heard.wait(0, "log ")?;
    let record = fs::read_to_string(record).map_err(Failed::File)?;
    Ok(heard.figures(game, players, &record))
}

fn start(program: &Path, words: &[&str], player: usize, folder: &Path, tell: &Sender<Said>) -> Result<Child, Failed> {
    let mut child = Command::new(program)
        .args(words)
        .args(["--auto", "easy", "--name", &format!("Player {}", player + 1), "--data"])
        .arg(folder.join(player.to_string()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(Failed::NotStarted)?;
    let out = BufReader::new(child.stdout.take().ok_or_else(|| Failed::Player("no output".to_owned()))?);
    let (id, tell) = (child.id(), tell.clone());
    thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if tell.send(Said { player, line, at: Instant::now(), cpu: cpu(id) }).is_err() {
                return;
            }
        }
    });
    Ok(child)
}

/// The CPU time of a process so far, in seconds.
fn cpu(id: u32) -> f64 {
    // Linux counts in hundredths of a second there, on every machine we know.
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// What the players have said so far.
struct Heard {
    told: Receiver<Said>,
    all: Vec<Said>,
}

impl Heard {
    /// The rest of a player's first line that begins so.
    fn wait(&mut self, player: usize, begin: &str) -> Result<String, Failed> {
        loop {
            if let Some(said) = self.find(player, begin) {
                return Ok(said.line.get(begin.len()..).unwrap_or_default().to_owned());
            }
            match self.told.recv_timeout(SILENCE) {
                Ok(said) => self.all.push(said),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    let last: Vec<&str> = self.all.iter().rev().take(10).map(|said| said.line.as_str()).collect();
                    return Err(Failed::Player(format!("player {} never said `{begin}`; last: {last:?}", player + 1)));
                }
            }
        }
    }

    fn find(&self, player: usize, begin: &str) -> Option<&Said> {
        self.all.iter().find(|said| said.player == player && said.line.starts_with(begin))
    }

    /// When the last player said their first line, second line and so on that begins so; `None` before all have.
    fn last(&self, players: u8, begin: &str, number: usize) -> Option<Instant> {
        let when = |player: usize| {
            let lines = self.all.iter().filter(|said| said.player == player && said.line.starts_with(begin));
            lines.map(|said| said.at).nth(number.checked_sub(1)?)
        };
        (0..usize::from(players)).map(when).try_fold(None, |last, at| Some(last.max(Some(at?)))).flatten()
    }

    fn figures(&self, game: &'static str, players: u8, record: &str) -> Figures {
        let between = |from: Option<Instant>, to: Option<Instant>| {
            from.zip(to).map_or(f64::NAN, |(from, to)| to.saturating_duration_since(from).as_secs_f64())
        };
        let spent = |player: usize| {
            let at = |line: &str| self.find(player, line).map(|said| said.cpu);
            at("cards 1").zip(at("begun")).map_or(f64::NAN, |(to, from)| to - from)
        };
        let others = (1..usize::from(players)).map(spent).fold(0.0, f64::max);
        let cards = |deal| self.last(players, "cards ", deal);
        let deals = (1..).take_while(|deal| cards(*deal).is_some()).count();
        let mut next: Vec<f64> =
            (1..deals).map(|deal| between(self.last(players, "ended ", deal), cards(deal + 1))).collect();
        next.sort_by(f64::total_cmp);
        let median = next.get(next.len() / 2).copied().unwrap_or(f64::NAN);
        Figures {
            game,
            players,
            first: between(self.last(players, "begun", 1), cards(1)),
            cpu: (spent(0), others),
            next: (median, next.last().copied().unwrap_or(f64::NAN)),
            deals: u32::try_from(deals).unwrap_or(u32::MAX),
            entries: record.lines().count().saturating_sub(1),
            // In hexadecimal digits, in quotes and braces.
            bytes: record.lines().skip(1).map(|line| line.len().saturating_sub(r#"{"entry":""}"#.len()) / 2).sum(),
        }
    }
}

#[derive(Deserialize)]
struct Toolkit {
    bits: u32,
    ms: f64,
    cpu_ms: f64,
}

fn toolkit(bits: u32) -> Result<Toolkit, Failed> {
    eprintln!("measuring mental-poker-toolkit with {bits} bits");
    let mut node = Command::new("node");
    node.args(["sra.mjs", &bits.to_string()]).current_dir(root().join("bench").join("private"));
    let output = node.stderr(Stdio::inherit()).output().map_err(Failed::NotStarted)?;
    if !output.status.success() {
        return Err(Failed::Toolkit(output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(Failed::NoFigures)
}

struct Told<'a> {
    all: &'a [Figures],
    toolkit: &'a [Toolkit],
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["players", "cards s", "CPU hub", "CPU other", "next s", "longest", "deals", "entries", "kB"];
        write!(f, "\n{:10}", "")?;
        heads.iter().try_for_each(|head| write!(f, " {head:>9}"))?;
        for figures in self.all {
            let Figures { game, players, first, cpu, next, deals, entries, bytes } = figures;
            write!(f, "\n{game:10} {players:>9} {first:>9.2} {:>9.2} {:>9.2}", cpu.0, cpu.1)?;
            write!(f, " {:>9.2} {:>9.2} {deals:>9} {entries:>9} {:>9}", next.0, next.1, bytes / 1000)?;
        }
        writeln!(f)?;
        for Toolkit { bits, ms, cpu_ms } in self.toolkit {
            let (s, cpu) = (ms / 1000.0, cpu_ms / 1000.0);
            writeln!(f, "mental-poker-toolkit, {bits} bits, 2 players, no proofs: {s:.2} s, {cpu:.2} s of CPU time")?;
        }
        if let Some(six) = self.all.iter().find(|figures| figures.game == "holdem" && figures.players == 6) {
            let met = |met: bool| if met { "met" } else { "NOT met" };
            writeln!(f, "six at Hold'em: first cards within {GOAL_CPU} s of CPU time: {}", met(six.cpu.1 <= GOAL_CPU))?;
            writeln!(f, "six at Hold'em: later deals within {GOAL_WAIT} s: {}", met(six.next.0 <= GOAL_WAIT))?;
        }
        Ok(())
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools(missing) => missing.fmt(f),
            Self::Build(broken) => write!(f, "building fairdeal: {broken}"),
            Self::TargetUnknown(unreadable) => unreadable.fmt(f),
            Self::File(error) => write!(f, "a player's files: {error}"),
            Self::NotStarted(error) => write!(f, "a player did not start: {error}"),
            Self::Player(why) => f.write_str(why),
            Self::Module(why) => write!(f, "the module for browsers: {why}"),
            Self::Browsers(status) => write!(f, "bench/private/browsers.mjs: {status}"),
            Self::Toolkit(status) => write!(f, "mental-poker-toolkit: {status}"),
            Self::NoFigures(error) => write!(f, "the figures of mental-poker-toolkit: {error}"),
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_players_say_becomes_figures() {
        let begin = Instant::now();
        let said = |player, line: &str, ms, cpu| Said {
            player,
            line: line.to_owned(),
            at: begin + Duration::from_millis(ms),
            cpu,
        };
        let all = vec![
            said(0, "begun", 0, 0.1),
            said(1, "begun", 100, 0.2),
            said(0, "cards 1", 500, 0.7),
            said(1, "cards 1", 600, 0.5),
            said(0, "ended won", 1000, 1.0),
            said(1, "ended won", 1000, 1.0),
            said(1, "cards 2", 1100, 1.0),
            said(0, "cards 2", 1150, 1.0),
        ];
        let heard = Heard { told: mpsc::channel().1, all };
        let record = "{\"private\":1}\n{\"entry\":\"0102\"}\n{\"entry\":\"010203\"}\n";
        let figures = heard.figures("holdem", 2, record);
        assert!((figures.first - 0.5).abs() < 1e-9 && (figures.next.0 - 0.15).abs() < 1e-9);
        assert!((figures.cpu.0 - 0.6).abs() < 1e-9 && (figures.cpu.1 - 0.3).abs() < 1e-9);
        assert_eq!((figures.deals, figures.entries, figures.bytes), (2, 2, 5));
    }

    #[test]
    fn goals_are_met_or_not() {
        let six = |cpu, next| Figures {
            game: "holdem",
            players: 6,
            first: 1.0,
            cpu: (cpu, cpu),
            next: (next, next),
            deals: 5,
            entries: 10,
            bytes: 5000,
        };
        let told = |figures| Told { all: &[figures], toolkit: &[] }.to_string();
        assert!(!told(six(1.5, 0.2)).contains("NOT met"));
        assert_eq!(told(six(1.6, f64::NAN)).matches("NOT met").count(), 2);
    }
}
