//! What tests need besides Rust: found, or installed if possible.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::{fmt, fs, io};

use crate::cargo::root;

/// A tool that tests use.
struct Tool {
    name: &'static str,
    /// Its Debian package.
    package: &'static str,
    found: Found,
}

/// How to check that a tool is there.
#[derive(Clone, Copy)]
enum Found {
    /// The program prints its version if called so.
    Answers(&'static str),
    /// Debian keeps the programs of a PostgreSQL server outside the path, in one folder per version.
    PostgresServer,
}

const NEEDED: [Tool; 7] = [
    Tool { name: "python3", package: "python3", found: Found::Answers("--version") },
    Tool { name: "ip", package: "iproute2", found: Found::Answers("-V") },
    Tool { name: "unshare", package: "util-linux", found: Found::Answers("--version") },
    Tool { name: "node", package: "nodejs", found: Found::Answers("--version") },
    Tool { name: "npm", package: "npm", found: Found::Answers("--version") },
    Tool { name: "chromium", package: "chromium", found: Found::Answers("--version") },
    Tool { name: "postgres", package: "postgresql", found: Found::PostgresServer },
];

/// A tool that is missing and could not be installed.
#[derive(Debug)]
pub(crate) struct Missing {
    name: &'static str,
    remedy: String,
    why: Why,
}

/// Why something could not be installed.
#[derive(Debug)]
enum Why {
    NoInstaller(io::Error),
    NotRoot,
    Failed(ExitStatus),
    /// It was installed but still does not answer.
    Silent,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, remedy, why } = self;
        write!(f, "{name} is missing and could not be installed: ")?;
        match why {
            Why::NoInstaller(error) => write!(f, "the installer did not start ({error})")?,
            Why::NotRoot => write!(f, "only root can do that")?,
            Why::Failed(status) => write!(f, "the installer failed ({status})")?,
            Why::Silent => write!(f, "it was installed but does not answer")?,
        }
        write!(f, "; tried `{remedy}`")
    }
}

impl std::error::Error for Missing {}

/// Makes sure that everything is there.
pub(crate) fn run() -> Result<(), Missing> {
    NEEDED.iter().try_for_each(Tool::provide)?;
    packages("tests/browser")
}

/// Makes sure that what a benchmark compares with is there: packages from npm, listed in its folder.
pub(crate) fn run_for(folder: &'static str) -> Result<(), Missing> {
    NEEDED.iter().filter(|tool| matches!(tool.name, "node" | "npm")).try_for_each(Tool::provide)?;
    packages(folder)
}

impl Tool {
    fn provide(&self) -> Result<(), Missing> {
        if self.is_there() {
            return Ok(());
        }
        install(self.name, &[self.package], || self.is_there())
    }

    fn is_there(&self) -> bool {
        match self.found {
            Found::Answers(how) => answers(self.name, how),
            Found::PostgresServer => postgres_folders().any(|folder| folder.join(self.name).is_file()),
        }
    }
}

/// Installs Debian packages, and says so.
pub(crate) fn install(name: &'static str, packages: &[&str], is_there: impl Fn() -> bool) -> Result<(), Missing> {
    let remedy = format!("apt-get install {}", packages.join(" "));
    eprintln!("{name} is missing: {remedy}");
    let missing = |why| Missing { name, remedy: remedy.clone(), why };
    if !is_root() {
        return Err(missing(Why::NotRoot));
    }
    let install = [&["install", "--yes", "--no-install-recommends"][..], packages].concat();
    // A machine that has never updated its package list knows no packages, or only old ones. Without a network, it may know enough.
    let updated = apt(&["update"]).map_err(|error| missing(Why::NoInstaller(error)))?;
    let installed = apt(&install).map_err(|error| missing(Why::NoInstaller(error)))?;
    match (installed.success(), is_there()) {
        (true, true) => Ok(()),
        (true, false) => Err(missing(Why::Silent)),
        (false, _) => Err(missing(Why::Failed(if updated.success() { installed } else { updated }))),
    }
}

/// The folder of the browser tests.
pub(crate) fn browser_tests() -> PathBuf {
    root().join("tests").join("browser")
}

/// Installs the npm packages of a folder, from its lock file.
fn packages(folder: &'static str) -> Result<(), Missing> {
    let path = root().join(folder);
    // npm writes this file last.
    if is_current(&path.join("node_modules/.package-lock.json"), &path.join("package-lock.json")) {
        return Ok(());
    }
    let remedy = format!("npm ci in {folder}");
    eprintln!("packages for {folder} are missing: {remedy}");
    let missing = |why| Missing { name: "a package from npm", remedy: remedy.clone(), why };
    let status = Command::new("npm").arg("ci").current_dir(&path).status();
    let status = status.map_err(|error| missing(Why::NoInstaller(error)))?;
    if status.success() { Ok(()) } else { Err(missing(Why::Failed(status))) }
}

/// Whether a file exists and is at least as new as its source.
fn is_current(made: &Path, from: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    time(made).zip(time(from)).is_some_and(|(made, from)| made >= from)
}

fn postgres_folders() -> impl Iterator<Item = PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin"))
}

fn apt(args: &[&str]) -> io::Result<ExitStatus> {
    Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").status()
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    user.is_ok_and(|user| user.stdout.trim_ascii() == b"0")
}

fn answers(program: &str, how: &str) -> bool {
    Command::new(program).arg(how).output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tool_is_named_with_the_remedy() {
        let missing = Missing { name: "node", remedy: "apt-get install nodejs".to_owned(), why: Why::NotRoot };
        let expected = "node is missing and could not be installed: only root can do that; \
                        tried `apt-get install nodejs`";
        assert_eq!(missing.to_string(), expected);
    }

    #[test]
    fn a_missing_file_is_not_current() {
        let (there, nowhere) = (root().join("Cargo.toml"), root().join("no such file"));
        assert!(is_current(&there, &there));
        assert!(!is_current(&nowhere, &there));
        assert!(!is_current(&there, &nowhere));
    }
}
