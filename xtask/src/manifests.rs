//! What `cargo metadata` says about the manifests of our crates.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use crate::cargo::{Broken, Cargo};

/// A crate of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
    /// Its own features and what each of them turns on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
}

/// A line under one of the `dependencies` headings of a manifest.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) rename: Option<String>,
    pub(crate) kind: Option<Kind>,
    pub(crate) uses_default_features: bool,
    pub(crate) features: Vec<String>,
    path: Option<String>,
}

/// The kinds of dependency that cargo names; a normal one has no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

/// Why the manifests could not be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Cargo(Broken),
    Json(serde_json::Error),
}

impl Dependency {
    /// Whether it is in this repository and not from a registry.
    pub(crate) fn is_ours(&self) -> bool {
        self.path.is_some()
    }
}

/// The crates of this workspace.
pub(crate) fn read() -> Result<Vec<Package>, Unreadable> {
    parse(&metadata()?).map_err(Unreadable::Json)
}

/// Where cargo puts its output.
pub(crate) fn target_directory() -> Result<PathBuf, Unreadable> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    let json = metadata()?;
    serde_json::from_str(&json).map(|metadata: Metadata| metadata.target_directory).map_err(Unreadable::Json)
}

fn metadata() -> Result<String, Unreadable> {
    Cargo::new("metadata --no-deps --format-version 1").read().map_err(Unreadable::Cargo)
}

pub(crate) fn parse(json: &str) -> Result<Vec<Package>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    serde_json::from_str(json).map(|metadata: Metadata| metadata.packages)
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cargo(broken) => write!(f, "cargo metadata: {broken}"),
            Self::Json(error) => write!(f, "cargo metadata: {error}"),
        }
    }
}

impl std::error::Error for Unreadable {}
