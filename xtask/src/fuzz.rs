//! Runs the fuzz targets one after another; in `soak`, those for what players send each other, for an hour.
//!
//! The corpora in the repository stay small: libFuzzer reads them, but writes new inputs to the first folder it
//! is given, a temporary one. An input that breaks a target is kept in `fuzz/artifacts`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fmt, fs, io, process};

use crate::cargo::{self, Broken, Cargo};
use crate::steps::{self, Step};

const MAX_LEN: u32 = 4096;

/// Why a fuzz run failed.
#[derive(Debug)]
pub(crate) enum Failed {
    NoTargets,
    UnknownTarget { name: String, known: Vec<String> },
    NoNightly,
    NotInstalled(Broken),
    NotListed(Broken),
    Folder { path: PathBuf, error: io::Error },
    Target { failed: steps::Failed, input: Option<String> },
}

/// The decoders of what players send each other: entries, tickets, bodies; and results.
const SOAKED: [&str; 2] = ["peer", "results"];
/// How long each is fuzzed in `soak`: an hour together.
const SOAK_SECONDS: NonZeroU32 = NonZeroU32::new(1800).expect("1800 is not zero");

/// The fuzz part of `soak`.
pub(crate) fn soak() -> Result<(), Failed> {
    run(SOAK_SECONDS, SOAKED.map(str::to_owned).to_vec())
}

/// Runs these targets, or all if none is named.
pub(crate) fn run(seconds: NonZeroU32, targets: Vec<String>) -> Result<(), Failed> {
    if !cargo::root().join("fuzz/Cargo.toml").exists() {
        return Err(Failed::NoTargets);
    }
    provide_cargo_fuzz()?;
    let targets = choose(targets, list()?)?;
    let finds = Finds::new()?;
    let mut steps = Vec::new();
    for target in &targets {
        steps.push(step(target, seconds, &finds.folder(target)?));
    }
    let start = SystemTime::now();
    steps::run(steps).map_err(|failed| {
        let input = newest_artifact(&failed.name, start);
        Failed::Target { failed, input }
    })
}

fn provide_cargo_fuzz() -> Result<(), Failed> {
    if !Cargo::new("+nightly --version").succeeds() {
        return Err(Failed::NoNightly);
    }
    if Cargo::new("+nightly fuzz --version").succeeds() {
        return Ok(());
    }
    let install = Cargo::new("install cargo-fuzz --locked");
    eprintln!("cargo-fuzz is missing: {install}");
    install.run().map_err(Failed::NotInstalled)
}

// The folder is given because cargo-fuzz does not find it next to a manifest without a package.
fn list() -> Result<Vec<String>, Failed> {
    let names = Cargo::new("+nightly fuzz list --fuzz-dir fuzz").read();
    Ok(names.map_err(Failed::NotListed)?.lines().map(str::to_owned).collect())
}

fn choose(wanted: Vec<String>, known: Vec<String>) -> Result<Vec<String>, Failed> {
    if known.is_empty() {
        return Err(Failed::NoTargets);
    }
    match wanted.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(Failed::UnknownTarget { name: name.clone(), known }),
        None if wanted.is_empty() => Ok(known),
        None => Ok(wanted),
    }
}

fn step(target: &str, seconds: NonZeroU32, finds: &Path) -> Step {
    let corpus = format!("fuzz/corpus/{target}");
    let corpus = cargo::root().join(&corpus).is_dir().then_some(corpus);
    let call = Cargo::new("+nightly fuzz run --fuzz-dir fuzz")
        .args([target.to_owned(), finds.display().to_string()])
        .args(corpus)
        .args(["--".to_owned()])
        .args([format!("-max_total_time={seconds}"), format!("-max_len={MAX_LEN}")]);
    let repeat = Cargo::new("xtask fuzz --seconds").args([seconds.to_string(), target.to_owned()]);
    Step::cargo(target, call).repeated_by(repeat)
}

/// The input that broke a target in this run; `None` if the target failed to build.
fn newest_artifact(target: &str, start: SystemTime) -> Option<String> {
    let folder = format!("fuzz/artifacts/{target}");
    let files = fs::read_dir(cargo::root().join(&folder)).ok()?.flatten();
    let dated = files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file)));
    let (_, file) = dated.filter(|(time, _)| *time >= start).max_by_key(|(time, _)| *time)?;
    Some(format!("{folder}/{}", file.file_name().display()))
}

/// The temporary folder for inputs found in this run; deleted on drop.
struct Finds(PathBuf);

impl Finds {
    fn new() -> Result<Self, Failed> {
        let path = env::temp_dir().join(format!("fairdeal-fuzz-{}", process::id()));
        created(path).map(Self)
    }

    fn folder(&self, target: &str) -> Result<PathBuf, Failed> {
        created(self.0.join(target))
    }
}

impl Drop for Finds {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("warning: could not delete {}: {error}", self.0.display());
        }
    }
}

fn created(path: PathBuf) -> Result<PathBuf, Failed> {
    match fs::create_dir(&path) {
        Ok(()) => Ok(path),
        Err(error) => Err(Failed::Folder { path, error }),
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTargets => write!(f, "there are no fuzz targets in fuzz/"),
            Self::UnknownTarget { name, known } => {
                write!(f, "there is no fuzz target `{name}`, only {}", known.join(", "))
            }
            Self::NoNightly => write!(
                f,
                "fuzzing needs a nightly toolchain; to install it:\n    \
                 rustup toolchain install nightly --profile minimal"
            ),
            Self::NotInstalled(broken) => write!(f, "cargo-fuzz could not be installed: {broken}"),
            Self::NotListed(broken) => write!(f, "cargo fuzz list: {broken}"),
            Self::Folder { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Target { failed, input: None } => write!(f, "{failed}"),
            Self::Target { failed, input: Some(input) } => {
                let call = Cargo::new("+nightly fuzz run --fuzz-dir fuzz");
                let call = call.args([failed.name.clone(), input.clone()]);
                write!(f, "{failed}\nor with the input that broke it:\n    {call}")
            }
        }
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        assert_eq!(choose(names(""), names("apply record")).unwrap(), names("apply record"));
        assert_eq!(choose(names("record"), names("apply record")).unwrap(), names("record"));
    }

    #[test]
    fn soak_takes_an_hour() {
        let targets = u32::try_from(SOAKED.len()).unwrap();
        assert_eq!(SOAK_SECONDS.get() * targets, 3600);
        let manifest = fs::read_to_string(cargo::root().join("fuzz/Cargo.toml")).unwrap();
        assert!(SOAKED.iter().all(|target| manifest.contains(&format!("name = \"{target}\""))));
    }

    #[test]
    fn an_unknown_target_gets_a_list_of_the_known_ones() {
        let error = choose(names("recrod"), names("apply record")).unwrap_err();
        assert_eq!(error.to_string(), "there is no fuzz target `recrod`, only apply, record");
    }
}
