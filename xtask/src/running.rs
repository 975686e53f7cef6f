//! `cargo xtask run`: gets what it takes, builds everything and starts it; and the same module built in two places.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{error, fmt, fs, io};

use crate::cargo::{Broken, Cargo, root};
use crate::module;

/// Builds the module if that is possible, then the program, and starts it with these arguments.
pub(crate) fn run(args: Vec<String>) -> Result<(), Broken> {
    if let Err(failed) = module::run() {
        eprintln!("{failed}\nEverything else works: private tables are for terminals then.");
    }
    let args = if args.is_empty() { args } else { [vec!["--".to_owned()], args].concat() };
    Cargo::new("run --release --locked").args(args).run()
}

/// Two builds of the same sources in different folders.
#[derive(Debug)]
pub(crate) enum Differ {
    Failed(module::Failed),
    Copy(io::Error),
    Different { here: usize, there: usize, at: usize },
}

/// Builds the module in this folder and in a copy of it elsewhere, and compares the bytes.
pub(crate) fn compare() -> Result<(), Differ> {
    let elsewhere = std::env::temp_dir().join(format!("fairdeal module {}", std::process::id()));
    let compared = compare_with(&elsewhere);
    let _ = fs::remove_dir_all(&elsewhere);
    compared
}

fn compare_with(elsewhere: &Path) -> Result<(), Differ> {
    let here = module::build_in(&root(), &root().join("target").join("module")).map_err(Differ::Failed)?;
    copy(elsewhere).map_err(Differ::Copy)?;
    let there = module::build_in(elsewhere, &elsewhere.join("out")).map_err(Differ::Failed)?;
    if here == there {
        eprintln!("module: the same {} bytes in two folders", here.len());
        return Ok(());
    }
    let at = here.iter().zip(&there).position(|(a, b)| a != b).unwrap_or(here.len().min(there.len()));
    Err(Differ::Different { here: here.len(), there: there.len(), at })
}

/// Copies everything that git knows of, as it is now.
fn copy(to: &Path) -> io::Result<()> {
    let mut git = Command::new("git");
    let listed =
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root()).output()?;
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
        let (from, to): (PathBuf, PathBuf) = (root().join(name), to.join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap_or(&to))?;
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

impl fmt::Display for Differ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failed) => failed.fmt(f),
            Self::Copy(error) => write!(f, "copying the sources: {error}"),
            Self::Different { here, there, at } => {
                write!(f, "the modules differ: {here} and {there} bytes, from byte {at} on")
            }
        }
    }
}

impl error::Error for Differ {}
