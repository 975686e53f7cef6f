//! The test programs of the workspace and the browser tests, several at a time.
//!
//! Many tests wait: for clocks, sockets and other processes. `cargo test` runs one program after another, so processors would
//! be idle for half of the time. Here cargo only builds the programs; they are then run side by side, those that take
//! longest first. What a program printed is shown when it has ended, and all of it only if it failed. Clippy and docs only
//! compute: they get what the tests leave over.

use std::collections::VecDeque;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

use serde::Deserialize;

use crate::browser;
use crate::cargo::{Broken, Cargo};

/// How many run at a time. Browsers and sockets wait more than they compute: with two, processors were idle for a third of the time.
const LANES: usize = 3;

/// The browser tests, in two parts.
const BROWSER: [&str; 2] = ["browser tests 1", "browser tests 2"];

/// No program needs half of this. One that hangs is killed and named, and what it printed is shown.
const LONGEST: Duration = Duration::from_secs(20 * 60);

/// Those that take longest: if they came last, the others would be idle meanwhile.
const LONG: [&str; 11] = [
    BROWSER[0],
    BROWSER[1],
    "fairdeal private",
    "node trials",
    "fairdeal server",
    "chain worlds",
    "node hostile",
    "fairdeal (lib)",
    "fairdeal relays",
    "chain attacks",
    "server (lib)",
];

/// Something to run, and what it is called.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) command: Command,
    repeat: String,
}

/// Why the tests failed.
#[derive(Debug)]
pub(crate) enum Failed {
    Build(Broken),
    Json(serde_json::Error),
    Browser(browser::Failed),
    /// The names of the programs, and how to repeat each.
    Programs(Vec<(String, String)>),
}

/// Builds all test programs and runs them, together with the browser tests; and beside them, with low priority and one
/// after another, `checks` and the examples in docs.
pub(crate) fn run(checks: &[(&str, Cargo)]) -> Result<(), Failed> {
    let built = Cargo::new("test --workspace --no-run --locked --message-format json-render-diagnostics");
    let mut jobs = parse(&built.read().map_err(Failed::Build)?).map_err(Failed::Json)?;
    let built = browser::Built::among(&jobs).map_err(Failed::Browser)?;
    for (name, command) in BROWSER.into_iter().zip(built.halves().map_err(Failed::Browser)?) {
        jobs.push(Job { name: name.to_owned(), command, repeat: "cargo xtask browser".to_owned() });
    }
    jobs.sort_by_key(|job| LONG.iter().position(|name| *name == job.name).unwrap_or(LONG.len()));
    let examples = ("examples in docs", Cargo::new("test --workspace --doc --locked"));
    let checks = checks.iter().chain([&examples]).map(|(name, call)| Job {
        name: (*name).to_owned(),
        repeat: call.to_string(),
        command: call.patient_command(),
    });
    let failed = side_by_side(jobs, checks.collect(), LANES).into_iter().filter(|failed| !passes_alone(failed, &built));
    let failed: Vec<_> = failed.map(|Failure { name, repeat, .. }| (name, repeat)).collect();
    if failed.is_empty() { Ok(()) } else { Err(Failed::Programs(failed)) }
}

/// A program that failed.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Failure {
    name: String,
    repeat: String,
    /// What it printed.
    text: String,
}

/// Browser tests wait for pages, and a page that shares two processors with everything else may be late. So the files in
/// which something failed run once more, alone. If they pass then, that is said, and it is a test to mend.
fn passes_alone(failed: &Failure, built: &browser::Built) -> bool {
    let files = browser::failed_files(&failed.text);
    if !BROWSER.contains(&failed.name.as_str()) || files.is_empty() {
        return false;
    }
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let names = names.join(", ");
    eprintln!("\n--- once more, alone: {names}");
    let told = hear(&mut built.command(&files), LONGEST);
    let good = told.as_ref().is_ok_and(|told| told.end == End::Well);
    show(told, good);
    if good {
        eprintln!("FLAKY: passed only when run once more, alone: {names}");
    }
    good
}

/// Runs everything, even if something fails, and returns what failed: `jobs` in so many lanes, `checks` in one beside.
fn side_by_side(jobs: Vec<Job>, checks: Vec<Job>, lanes: usize) -> Vec<Failure> {
    let count = jobs.len() + checks.len();
    let [jobs, checks] = [jobs, checks].map(|jobs| Mutex::new(VecDeque::from(jobs)));
    let ended = Mutex::new((0, Vec::new()));
    let next = |from: &Mutex<VecDeque<Job>>| from.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    thread::scope(|scope| {
        for from in [&checks].into_iter().chain(std::iter::repeat_n(&jobs, lanes)) {
            let (next, ended) = (&next, &ended);
            scope.spawn(move || {
                while let Some(mut job) = next(from) {
                    let start = Instant::now();
                    let told = hear(&mut job.command, LONGEST);
                    let seconds = start.elapsed().as_secs_f64();
                    let mut ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
                    ended.0 += 1;
                    let good = told.as_ref().is_ok_and(|told| told.end == End::Well);
                    let word = if good { "ok" } else { "FAILED" };
                    eprintln!("--- {}/{count} {}: {word} after {seconds:.1} s", ended.0, job.name);
                    let text = told.as_ref().map(|told| told.text.clone()).unwrap_or_default();
                    show(told, good);
                    if !good {
                        ended.1.push(Failure { name: job.name, repeat: job.repeat, text });
                    }
                }
            });
        }
    });
    ended.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// How a program ended, and what it printed.
struct Told {
    end: End,
    text: String,
}

#[derive(PartialEq, Eq, Debug)]
enum End {
    Well,
    Badly,
    /// It ran for too long and was killed.
    Late,
}

/// Runs a program for at most this long. What it prints goes to a file: whoever reads a pipe waits for everybody who holds
/// its other end, so a process that a test left behind would keep everything waiting.
fn hear(command: &mut Command, longest: Duration) -> io::Result<Told> {
    let mut file = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file.try_clone()?);
    let mut child = command.spawn()?;
    let start = Instant::now();
    let end = loop {
        match child.try_wait()? {
            Some(status) if status.success() => break End::Well,
            Some(_) => break End::Badly,
            None if start.elapsed() > longest => {
                // What it started goes first, as far as this system can tell what that is.
                let _ = Command::new("pkill").args(["-KILL", "-P", &child.id().to_string()]).status();
                child.kill()?;
                child.wait()?;
                break End::Late;
            }
            None => thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(Told { end, text: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Shows the results that a program printed, or everything if it failed.
fn show(told: io::Result<Told>, good: bool) {
    let told = match told {
        Ok(told) => told,
        Err(error) => return eprintln!("it did not start: {error}"),
    };
    for line in told.text.lines().filter(|line| !good || is_result(line)) {
        eprintln!("{line}");
    }
    if told.end == End::Late {
        eprintln!("it had not ended after {} minutes and was killed", LONGEST.as_secs() / 60);
    }
}

/// A line that counts tests, in the words of Rust's and Node's test runners.
fn is_result(line: &str) -> bool {
    line.starts_with("test result:") || ["# tests ", "# pass ", "# fail "].iter().any(|start| line.starts_with(start))
}

/// Test programs among what cargo says that it has built.
pub(crate) fn parse(messages: &str) -> Result<Vec<Job>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
        manifest_path: Option<PathBuf>,
        target: Option<Target>,
        profile: Option<Profile>,
        executable: Option<PathBuf>,
    }
    #[derive(Deserialize)]
    struct Target {
        name: String,
        kind: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Profile {
        test: bool,
    }
    let mut jobs = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Message = serde_json::from_str(line)?;
        let (Some(manifest), Some(target), Some(profile), Some(executable)) =
            (message.manifest_path, message.target, message.profile, message.executable)
        else {
            continue;
        };
        if message.reason != "compiler-artifact" || !profile.test {
            continue;
        }
        let folder = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
        let package = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (what, choice) = match target.kind.first().map(String::as_str) {
            Some("test") => (target.name.clone(), format!("--test {}", target.name)),
            Some("bin") => (format!("({})", target.name), format!("--bin {}", target.name)),
            Some("example") => (format!("(example {})", target.name), format!("--example {}", target.name)),
            _ => ("(lib)".to_owned(), "--lib".to_owned()),
        };
        let mut command = Command::new(executable);
        command.current_dir(&folder).env("CARGO_MANIFEST_DIR", &folder);
        let repeat = format!("cargo test -p {package} {choice}");
        jobs.push(Job { name: format!("{package} {what}"), command, repeat });
    }
    Ok(jobs)
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(broken) => write!(f, "building the tests: {broken}"),
            Self::Json(error) => write!(f, "what cargo says about the tests: {error}"),
            Self::Browser(failed) => write!(f, "browser tests: {failed}"),
            Self::Programs(names) => {
                write!(f, "{} of the programs", names.len())?;
                names.iter().try_for_each(|(name, repeat)| write!(f, "\n    {name}: {repeat}"))
            }
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_programs_are_taken_from_what_cargo_built() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/a/crates/cards/Cargo.toml","target":{"name":"cards","kind":["lib"]},"profile":{"test":true},"executable":"/a/target/cards-1"}
{"reason":"compiler-artifact","manifest_path":"/a/crates/node/Cargo.toml","target":{"name":"trials","kind":["test"]},"profile":{"test":true},"executable":"/a/target/trials-1"}
{"reason":"compiler-artifact","manifest_path":"/a/crates/node/Cargo.toml","target":{"name":"fairdeal-node","kind":["bin"]},"profile":{"test":false},"executable":"/a/target/fairdeal-node"}
{"reason":"build-finished","success":true}
"#;
        let jobs = parse(messages).unwrap();
        let told: Vec<_> = jobs.iter().map(|job| (job.name.as_str(), job.repeat.as_str())).collect();
        assert_eq!(
            told,
            [("cards (lib)", "cargo test -p cards --lib"), ("node trials", "cargo test -p node --test trials")]
        );
    }

    #[test]
    fn everything_runs_and_what_failed_is_named() {
        let job = |name: &str, program: &str| Job {
            name: name.to_owned(),
            command: Command::new(program),
            repeat: format!("again {name}"),
        };
        let jobs = vec![job("a", "false"), job("b", "true"), job("c", "there is no such program")];
        let checks = vec![job("d", "true"), job("e", "false")];
        let mut failed = side_by_side(jobs, checks, 2);
        failed.sort();
        let named =
            |name: &str| Failure { name: name.to_owned(), repeat: format!("again {name}"), text: String::new() };
        assert_eq!(failed, [named("a"), named("c"), named("e")]);
    }

    #[test]
    fn a_program_that_hangs_is_killed_and_one_that_leaves_something_behind_is_not_waited_for() {
        let shell = |line: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]);
            shell
        };
        let told = hear(&mut shell("echo begun; sleep 60"), Duration::from_secs(3)).unwrap();
        // A shell that lives long enough says that what it waited for was killed.
        assert!(told.end == End::Late && told.text.starts_with("begun\n"), "{:?}: {}", told.end, told.text);
        let start = Instant::now();
        let told = hear(&mut shell("sleep 20 & echo done"), Duration::from_secs(60)).unwrap();
        assert_eq!((told.end, told.text.as_str()), (End::Well, "done\n"));
        assert!(start.elapsed() < Duration::from_secs(15));
    }

    #[test]
    fn results_are_told_from_other_lines() {
        assert!(is_result("test result: ok. 3 passed; 0 failed"));
        assert!(is_result("# pass 58"));
        assert!(!is_result("# a test that says something"));
    }
}
