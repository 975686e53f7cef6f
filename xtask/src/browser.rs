//! The browser tests: builds the programs, and runs the tests against them with node.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::{fmt, fs, io};

use crate::cargo::{Broken, Cargo};
use crate::manifests::{self, Unreadable};
use crate::programs::{self, Job};
use crate::tools::browser_tests;

/// Why the browser tests failed.
#[derive(Debug)]
pub(crate) enum Failed {
    Build(Broken),
    Json(serde_json::Error),
    TargetUnknown(Unreadable),
    TestsUnreadable(io::Error),
    NoSuchTest(String),
    NodeNotStarted(io::Error),
    Tests(ExitStatus),
}

/// Runs the test files whose names contain `filter`.
pub(crate) fn run(filter: Option<&str>) -> Result<(), Failed> {
    // Built together with tests, to reuse the programs that `cargo test` has built: `fairdeal` and `fairdeal-node`.
    let built =
        "test --workspace --test server --test network --no-run --locked --message-format json-render-diagnostics";
    let jobs = programs::parse(&Cargo::new(built).read().map_err(Failed::Build)?).map_err(Failed::Json)?;
    let files = test_files(&browser_tests(), filter.unwrap_or_default()).map_err(Failed::TestsUnreadable)?;
    if files.is_empty() {
        return Err(Failed::NoSuchTest(filter.unwrap_or_default().to_owned()));
    }
    let status = Built::among(&jobs)?.command(&files).status().map_err(Failed::NodeNotStarted)?;
    if status.success() { Ok(()) } else { Err(Failed::Tests(status)) }
}

/// Programs that are built already: ours, and the tests of the server, which can also lie at a table.
pub(crate) struct Built {
    program: PathBuf,
    liar: Option<OsString>,
}

impl Built {
    pub(crate) fn among(jobs: &[Job]) -> Result<Self, Failed> {
        let target = manifests::target_directory().map_err(Failed::TargetUnknown)?;
        let program = target.join("debug").join(format!("fairdeal{}", std::env::consts::EXE_SUFFIX));
        let liar = jobs.iter().find(|job| job.name == "fairdeal server");
        Ok(Self { program, liar: liar.map(|liar| liar.command.get_program().to_owned()) })
    }

    /// All test files in two parts: one after another they would take longer than all other tests.
    pub(crate) fn halves(&self) -> Result<[Command; 2], Failed> {
        let files = test_files(&browser_tests(), "").map_err(Failed::TestsUnreadable)?;
        let half = |rest: usize| files.iter().skip(rest).step_by(2).cloned().collect::<Vec<_>>();
        Ok([self.command(&half(0)), self.command(&half(1))])
    }

    /// These test files.
    pub(crate) fn command(&self, files: &[PathBuf]) -> Command {
        // By name, since not every version of node takes a folder.
        let mut node = Command::new("node");
        node.arg("--test").args(files).env("FAIRDEAL_BIN", &self.program).current_dir(browser_tests());
        if let Some(liar) = &self.liar {
            node.env("FAIRDEAL_LIAR", liar);
        }
        node
    }
}

/// The files in which tests failed, by what node said about them.
pub(crate) fn failed_files(text: &str) -> Vec<PathBuf> {
    let places = text.lines().filter_map(|line| line.trim_start().strip_prefix("location: '"));
    let mut files: Vec<PathBuf> = places
        .filter_map(|place| place.split_once(".test.mjs:"))
        .filter_map(|(path, _)| Path::new(path).file_name())
        .map(|name| PathBuf::from(name).with_added_extension("test.mjs"))
        .collect();
    files.sort();
    files.dedup();
    files
}

fn test_files(folder: &Path, filter: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name.to_str().is_some_and(|name| name.ends_with(".test.mjs") && name.contains(filter)) {
            files.push(PathBuf::from(name));
        }
    }
    files.sort();
    Ok(files)
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(broken) => write!(f, "building fairdeal: {broken}"),
            Self::Json(error) => write!(f, "what cargo says about the programs: {error}"),
            Self::TargetUnknown(unreadable) => unreadable.fmt(f),
            Self::TestsUnreadable(error) => write!(f, "tests/browser: {error}"),
            Self::NoSuchTest(filter) => write!(f, "no file name in tests/browser contains `{filter}`"),
            Self::NodeNotStarted(error) => write!(f, "node did not start: {error}"),
            Self::Tests(status) => write!(f, "node: {status}"),
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_failures_are_found_in_what_node_says() {
        let said = "not ok 6 - a\n  ---\n  location: '/tmp/x/tests/browser/controls.test.mjs:10:1'\nok 7 - b\n\
                    not ok 8 - c\n  location: '/tmp/x/tests/browser/alerts.test.mjs:3:1'\n\
                    not ok 9 - d\n  location: '/tmp/x/tests/browser/controls.test.mjs:90:1'\n";
        assert_eq!(failed_files(said), ["alerts.test.mjs", "controls.test.mjs"].map(PathBuf::from));
        assert!(failed_files("ok 1 - everything\n").is_empty());
    }

    #[test]
    fn tests_are_found_by_a_part_of_their_name() {
        let all = test_files(&browser_tests(), "").unwrap();
        assert!(all.contains(&PathBuf::from("smoke.test.mjs")), "{all:?}");
        assert!(!all.contains(&PathBuf::from("harness.mjs")), "{all:?}");
        assert_eq!(test_files(&browser_tests(), "smok").unwrap(), [PathBuf::from("smoke.test.mjs")]);
        assert!(test_files(&browser_tests(), "nothing of that name").unwrap().is_empty());
    }
}
