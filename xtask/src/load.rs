//! The server under load: many tables of two over real sockets on this machine, compared with the same game on
//! boardgame.io and Colyseus.
//!
//! 1. Our program and the load generator are built.
//! 2. One server after another is started on a free port of this machine, and a second process plays at its
//!    tables: every seat acts as soon as it is its turn.
//! 3. The results are printed in one table. What counts is the work that a server does per second of CPU time,
//!    since the players share the machine with it.
//! 4. A server without any game, which only passes messages on, shows the cost of the sockets alone.
//!
//! Ours stores every action on disk before it answers, in a temporary folder; the others keep everything in
//! memory. Caveat: only compare figures within one run on an otherwise idle machine.

use std::io::{self, BufRead as _, BufReader};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::{env, fmt, fs, process};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::cargo::{Broken, Cargo, root};
use crate::manifests::{self, Unreadable};
use crate::tools::{self, Missing};

/// How long everybody plays before measuring, so that the others' JIT compilers can warm up.
const WARM_UP: &str = "5";
/// A server that cannot handle all tables is given half as many, down to this.
const FEWEST: u32 = 100;
/// The goal: this many times the actions of the others.
const AIM: f64 = 5.0;

/// Why there are no figures.
#[derive(Debug)]
pub(crate) enum Failed {
    Tools(Missing),
    Build(Broken),
    TargetUnknown(Unreadable),
    NoFolder(io::Error),
    NotStarted(&'static str, io::Error),
    Silent(&'static str),
    Players(&'static str, ExitStatus),
    NoFigures(&'static str, serde_json::Error),
}

/// The measurements of one server.
#[derive(Deserialize)]
struct Figures {
    #[serde(skip)]
    name: &'static str,
    tables: u32,
    per_second: f64,
    per_cpu_second: f64,
    latency_ms: Latency,
    memory_per_table: Memory,
    broken: u32,
}

#[derive(Deserialize)]
struct Latency {
    p50: f64,
    p99: f64,
}

/// In bytes.
#[derive(Deserialize)]
struct Memory {
    /// Once all tables have begun.
    begun: f64,
    /// After play.
    played: f64,
}

/// Measures our server, and optionally the others.
pub(crate) fn run(tables: NonZeroU32, seconds: NonZeroU32, peers: bool) -> Result<(), Failed> {
    if peers {
        tools::run_for("bench/load").map_err(Failed::Tools)?;
    }
    let build = "build --release --locked -p fairdeal -p server --bin fairdeal --example load --example bare";
    Cargo::new(build).run().map_err(Failed::Build)?;
    let programs = manifests::target_directory().map_err(Failed::TargetUnknown)?.join("release");

    let mut all = vec![ours(&programs, tables, seconds)?];
    if peers {
        all.push(peer("boardgame.io", "boardgame", tables, seconds)?);
        all.push(peer("Colyseus", "colyseus", tables, seconds)?);
    }
    let sockets = sockets(&programs, tables, seconds)?;
    print!("{}", Told { all: &all, sockets });
    Ok(())
}

/// What sockets alone allow per second of CPU time.
fn sockets(programs: &Path, tables: NonZeroU32, seconds: NonZeroU32) -> Result<f64, Failed> {
    const NAME: &str = "sockets alone";
    #[derive(Deserialize)]
    struct Sockets {
        per_cpu_second: f64,
    }
    let program = programs.join("examples").join(format!("bare{}", env::consts::EXE_SUFFIX));
    let server = Server::start(NAME, with_many_files(&program))?;
    let mut load = with_many_files(&program);
    load.args(server.said.split_whitespace().skip(1)).arg(server.child.id().to_string());
    load.args([tables.to_string(), seconds.to_string()]);
    measure::<Sockets>(NAME, load).map(|sockets| sockets.per_cpu_second)
}

fn ours(programs: &Path, tables: NonZeroU32, seconds: NonZeroU32) -> Result<Figures, Failed> {
    const NAME: &str = "fairdeal";
    let folder = Folder::new().map_err(Failed::NoFolder)?;
    let program = |name: &str| programs.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let mut serve = with_many_files(&program("fairdeal"));
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&folder.0).env("RUST_LOG", "warn");
    for limit in ["--requests-per-second", "--messages-per-second", "--tables-per-minute", "--connections-per-address"]
    {
        serve.args([limit, "0"]);
    }
    for limit in ["--max-tables", "--max-connections"] {
        serve.args([limit, "100000"]);
    }
    let server = Server::start(NAME, serve)?;
    let address = server.said.rsplit('/').next().ok_or(Failed::Silent(NAME))?;
    let mut load = with_many_files(&programs.join("examples").join("load"));
    load.args(["--at", address, "--pid", &server.child.id().to_string(), "--warm-up", WARM_UP]);
    load.args(["--tables", &tables.to_string(), "--seconds", &seconds.to_string()]);
    measure(NAME, load).map(|figures| Figures { name: NAME, ..figures })
}

fn peer(name: &'static str, script: &str, tables: NonZeroU32, seconds: NonZeroU32) -> Result<Figures, Failed> {
    let mut tables = tables.get();
    loop {
        let mut serve = with_many_files(Path::new("node"));
        // So that it can be told to collect garbage before memory is measured.
        serve.arg("--expose-gc").arg(format!("{script}.mjs"));
        serve.env("NODE_ENV", "production").current_dir(root().join("bench").join("load"));
        let server = Server::start(name, serve)?;
        let mut load = with_many_files(Path::new("node"));
        load.args(["load.mjs", script]).args(server.said.split_whitespace().skip(1)).arg(server.child.id().to_string());
        load.args([&tables.to_string(), &seconds.to_string(), WARM_UP]).current_dir(root().join("bench").join("load"));
        match measure(name, load).map(|figures| Figures { name, ..figures }) {
            Ok(figures) if figures.broken == 0 => return Ok(figures),
            tried if tables / 2 < FEWEST => return tried,
            _ => tables /= 2,
        }
        eprintln!("{name} cannot handle all tables; trying {tables}");
    }
}

fn measure<T: DeserializeOwned>(name: &'static str, mut load: Command) -> Result<T, Failed> {
    eprintln!("measuring {name}");
    let output = load.stderr(Stdio::inherit()).output().map_err(|error| Failed::NotStarted(name, error))?;
    if !output.status.success() {
        return Err(Failed::Players(name, output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| Failed::NoFigures(name, error))
}

/// A command that may open as many files as the system allows: every seat has a socket.
fn with_many_files(program: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -n "$(ulimit -H -n)"; exec "$@""#, "sh"]).arg(program);
    shell
}

/// A server that is stopped on drop.
struct Server {
    child: Child,
    /// Its first line, which has its address.
    said: String,
}

impl Server {
    fn start(name: &'static str, mut command: Command) -> Result<Self, Failed> {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let child = child.map_err(|error| Failed::NotStarted(name, error))?;
        let mut server = Self { child, said: String::new() };
        let output = server.child.stdout.take().ok_or(Failed::Silent(name))?;
        let read = BufReader::new(output).read_line(&mut server.said);
        server.said.truncate(server.said.trim_end().len());
        if read.is_err() || server.said.is_empty() { Err(Failed::Silent(name)) } else { Ok(server) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has nothing to lose, and may already be gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder for the database.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("fairdeal-load-{}", process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All figures: a row for each server, and ours compared with each other.
struct Told<'a> {
    all: &'a [Figures],
    sockets: f64,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (heads, width) = (["tables", "actions/s", "per CPU s", "p50 ms", "p99 ms", "kB/table", "played"], 10);
        write!(f, "\n{:12}", "")?;
        heads.iter().try_for_each(|head| write!(f, " {head:>width$}"))?;
        for figures in self.all {
            let Figures { name, tables, per_second, per_cpu_second, latency_ms, memory_per_table, .. } = figures;
            write!(f, "\n{name:12} {tables:>width$} {per_second:>width$.0} {per_cpu_second:>width$.0}")?;
            write!(f, " {:>width$.1} {:>width$.1}", latency_ms.p50, latency_ms.p99)?;
            write!(f, " {:>width$.1} {:>width$.1}", memory_per_table.begun / 1024.0, memory_per_table.played / 1024.0)?;
        }
        writeln!(f)?;
        let Some((ours, others)) = self.all.split_first() else { return Ok(()) };
        for other in others {
            let faster = ours.per_cpu_second / other.per_cpu_second;
            let memory = 100.0 * ours.memory_per_table.begun / other.memory_per_table.begun;
            let met = if faster >= AIM && memory < 100.0 { "met" } else { "NOT met" };
            writeln!(
                f,
                "compared with {}: {faster:.1} times the actions per second of CPU time, {memory:.0} % of the memory per \
                 table; the goal of {AIM:.0} times with less memory is {met}",
                other.name
            )?;
        }
        writeln!(
            f,
            "sockets alone, without any game, allow {:.0} actions per second of CPU time: {:.1} times ours",
            self.sockets,
            self.sockets / ours.per_cpu_second
        )
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools(missing) => missing.fmt(f),
            Self::Build(broken) => write!(f, "building fairdeal: {broken}"),
            Self::TargetUnknown(unreadable) => unreadable.fmt(f),
            Self::NoFolder(error) => write!(f, "no folder for the database: {error}"),
            Self::NotStarted(name, error) => write!(f, "{name} did not start: {error}"),
            Self::Silent(name) => write!(f, "{name} does not print its address"),
            Self::Players(name, status) => write!(f, "playing at {name}: {status}"),
            Self::NoFigures(name, error) => write!(f, "the figures of {name}: {error}"),
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(name: &'static str, per_cpu_second: f64, begun: f64) -> Figures {
        Figures {
            name,
            tables: 2000,
            per_second: 900.0,
            per_cpu_second,
            latency_ms: Latency { p50: 1.0, p99: 2.5 },
            memory_per_table: Memory { begun, played: 4096.0 },
            broken: 0,
        }
    }

    #[test]
    fn ours_is_compared_with_each_other_server() {
        let all = [figures("fairdeal", 1000.0, 2048.0), figures("slow", 100.0, 4096.0), figures("fast", 900.0, 4096.0)];
        let told = Told { all: &all, sockets: 3000.0 }.to_string();
        assert!(told.contains("compared with slow: 10.0 times"), "{told}");
        assert!(told.contains("50 % of the memory per table; the goal of 5 times with less memory is met"), "{told}");
        assert!(told.contains("compared with fast: 1.1 times"), "{told}");
        assert!(told.contains("is NOT met"), "{told}");
        assert!(told.trim_end().ends_with("allow 3000 actions per second of CPU time: 3.0 times ours"), "{told}");
    }

    #[test]
    fn the_output_of_the_load_generator_is_parsed() {
        let line = r#"{"server":"x","tables":5,"per_second":1.5,"per_cpu_second":2,"latency_ms":{"p50":1,"p90":2,"p99":3},
            "memory_per_table":{"begun":1,"played":2.5},"broken":0}"#;
        let figures: Figures = serde_json::from_str(line).unwrap();
        assert_eq!((figures.tables, figures.broken), (5, 0));
    }
}
