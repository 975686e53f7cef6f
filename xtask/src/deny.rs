//! What the program may be built from: licences, second versions and sources, as `deny.toml` says.
//!
//! `cargo deny` reads the same file and can do more (known vulnerabilities, which need a database from the network),
//! but building it takes longer than most of our tests. This check needs nothing but `cargo metadata`.

mod config;
mod licence;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;

use crate::cargo::{Cargo, root};
use crate::manifests::Unreadable;
use config::Config;
use serde::Deserialize;

/// A package that the program, its tests or its tools are built from.
#[derive(Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    /// An SPDX expression.
    license: Option<String>,
    /// Where it comes from; nothing for what lies in this repository.
    source: Option<String>,
}

/// What `deny.toml` does not allow, and what it allows in vain.
#[derive(Debug, PartialEq, Eq)]
enum Violation {
    Licence {
        package: String,
        licence: Option<String>,
    },
    Versions {
        name: String,
        versions: Vec<String>,
    },
    Source {
        package: String,
        source: String,
    },
    /// An entry that is no longer needed.
    Stale {
        entry: String,
    },
}

/// Why the check did not pass.
#[derive(Debug)]
pub(crate) enum Failed {
    Unreadable(Unreadable),
    BadConfig(String),
    Violated(usize),
}

/// Checks what the workspace is built from and prints what it found.
pub(crate) fn run() -> Result<(), Failed> {
    let bad = |why: String| Failed::BadConfig(format!("deny.toml: {why}"));
    let text = fs::read_to_string(root().join("deny.toml")).map_err(|error| bad(error.to_string()))?;
    let config: Config = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
    let Metadata { packages, resolve } = read(&config.graph.targets).map_err(Failed::Unreadable)?;
    let skipped = resolve.below(&config, &packages);
    let violations = violations(&config, &packages, &skipped);
    for violation in &violations {
        eprintln!("deny: {violation}");
    }
    match violations.len() {
        0 => {
            eprintln!("deny: {} packages have allowed licences and sources", packages.len());
            Ok(())
        }
        count => Err(Failed::Violated(count)),
    }
}

/// All packages, and which needs which.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Default, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

impl Resolve {
    /// The packages of the trees that may bring other versions: their roots, and all that these need.
    fn below(&self, config: &Config, packages: &[Package]) -> BTreeSet<String> {
        let trees = &config.bans.skip_tree;
        let is_root = |package: &&Package| trees.iter().any(|root| root.names(&package.name, &package.version));
        let mut left: Vec<&str> = packages.iter().filter(is_root).map(|package| package.id.as_str()).collect();
        let needs: BTreeMap<&str, &[String]> =
            self.nodes.iter().map(|node| (node.id.as_str(), node.dependencies.as_slice())).collect();
        let mut below = BTreeSet::new();
        while let Some(id) = left.pop() {
            if below.insert(id.to_owned()) {
                left.extend(needs.get(id).copied().unwrap_or_default().iter().map(String::as_str));
            }
        }
        below
    }
}

/// All packages, those of tests included, that are used on these platforms.
fn read(targets: &[String]) -> Result<Metadata, Unreadable> {
    let platforms = targets.iter().flat_map(|target| ["--filter-platform".to_owned(), target.clone()]);
    let call = Cargo::new("metadata --all-features --locked --format-version 1").args(platforms);
    let json = call.read().map_err(Unreadable::Cargo)?;
    parse(&json).map_err(Unreadable::Json)
}

fn parse(json: &str) -> Result<Metadata, serde_json::Error> {
    serde_json::from_str(json)
}

fn violations(config: &Config, packages: &[Package], skipped: &BTreeSet<String>) -> Vec<Violation> {
    let mut found = Vec::new();
    found.extend(packages.iter().filter_map(|package| unlicensed(config, package)));
    found.extend(packages.iter().filter_map(|package| from_elsewhere(config, package)));
    found.extend(several_versions(config, packages, skipped));
    found.extend(stale(config, packages));
    found
}

fn unlicensed(config: &Config, package: &Package) -> Option<Violation> {
    let own = config.licenses.exceptions.iter().filter(|exception| exception.names(&package.name, &package.version));
    let allowed: BTreeSet<&str> =
        config.licenses.allow.iter().chain(own.flat_map(|exception| &exception.allow)).map(String::as_str).collect();
    let passes = package.license.as_ref().is_some_and(|licence| licence::is_met(licence, &allowed));
    (!passes).then(|| Violation::Licence { package: package.to_string(), licence: package.license.clone() })
}

fn from_elsewhere(config: &Config, package: &Package) -> Option<Violation> {
    let source = package.source.as_ref()?;
    let known = config.sources.allow_registry.iter().any(|url| source.strip_prefix("registry+") == Some(url));
    (!known).then(|| Violation::Source { package: package.to_string(), source: source.clone() })
}

fn several_versions(config: &Config, packages: &[Package], skipped: &BTreeSet<String>) -> Vec<Violation> {
    let mut counted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let counts =
        |package: &&Package| !skipped.contains(&package.id) && !config.bans.skips(&package.name, &package.version);
    for package in packages.iter().filter(counts) {
        counted.entry(&package.name).or_default().insert(&package.version);
    }
    let several = counted.into_iter().filter(|(_, versions)| versions.len() > 1);
    let owned = |versions: BTreeSet<&str>| versions.into_iter().map(str::to_owned).collect();
    several.map(|(name, versions)| Violation::Versions { name: name.to_owned(), versions: owned(versions) }).collect()
}

/// Entries that allow something which is not there.
fn stale(config: &Config, packages: &[Package]) -> Vec<Violation> {
    let second = |skip: &&config::Skip| {
        let named = packages.iter().any(|package| skip.names(&package.name, &package.version));
        let other =
            packages.iter().any(|package| skip.is_of(&package.name) && !skip.names(&package.name, &package.version));
        !(named && other)
    };
    let absent = |root: &&config::Skip| !packages.iter().any(|package| root.names(&package.name, &package.version));
    let trees = config.bans.skip_tree.iter().filter(absent);
    let skips = config.bans.skip.iter().filter(second).chain(trees).map(|skip| skip.spec.clone());
    let needless = |exception: &&config::Exception| {
        !packages.iter().any(|package| exception.names(&package.name, &package.version))
    };
    let exceptions = config.licenses.exceptions.iter().filter(needless).map(|exception| exception.spec.clone());
    skips.chain(exceptions).map(|entry| Violation::Stale { entry }).collect()
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Licence { package, licence: None } => write!(f, "{package} names no licence"),
            Self::Licence { package, licence: Some(licence) } => {
                write!(f, "{package} has the licence `{licence}`, which is not allowed")
            }
            Self::Versions { name, versions } => {
                write!(f, "{name} appears in several versions: {}", versions.join(", "))
            }
            Self::Source { package, source } => write!(f, "{package} comes from {source}, which is not allowed"),
            Self::Stale { entry } => write!(f, "the entry for {entry} is no longer needed"),
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(unreadable) => write!(f, "{unreadable}"),
            Self::BadConfig(why) => f.write_str(why),
            Self::Violated(1) => write!(f, "deny.toml does not allow 1 thing"),
            Self::Violated(count) => write!(f, "deny.toml does not allow {count} things"),
        }
    }
}

impl std::error::Error for Failed {}
