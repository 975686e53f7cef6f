//! What a pure crate may not depend on: clocks, entropy, sockets and files are passed as arguments.
//!
//! Only its own manifest is checked: a binary may turn on features of a shared dependency that a pure crate
//! below it does not use. Tests and build scripts need not be pure.

use std::fmt;

use crate::manifests::{Dependency, Package};

/// External crates that are impure as a whole.
const IMPURE_CRATES: [&str; 26] = [
    // entropy
    "fastrand",
    "getrandom",
    "rdrand",
    // clocks
    "chrono",
    "instant",
    "quanta",
    "time",
    "web-time",
    // sockets and runtimes
    "async-io",
    "async-std",
    "hyper",
    "iroh",
    "libp2p",
    "mio",
    "quinn",
    "reqwest",
    "smol",
    "socket2",
    "tokio",
    "ureq",
    // files
    "fs-err",
    "memmap2",
    "redb",
    "rusqlite",
    "sled",
    "tempfile",
];

/// External crates that are pure except for some features.
const IMPURE_FEATURES: [(&str, &[&str]); 5] = [
    ("chacha20poly1305", &["default", "getrandom"]),
    ("k256", &["default", "getrandom", "std"]),
    ("rand", &["default", "getrandom", "os_rng", "sys_rng", "thread_rng"]),
    ("rand_core", &["getrandom", "os_rng"]),
    ("scrypt", &["getrandom"]),
];

/// An external crate, or a feature of one, that a pure crate may not use.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Impurity {
    Crate(String),
    Feature { of: String, feature: &'static str },
}

pub(super) fn impurities(package: &Package) -> Vec<Impurity> {
    let normal = package.dependencies.iter().filter(|dependency| dependency.kind.is_none());
    normal.flat_map(|dependency| impurities_of(package, dependency)).collect()
}

fn impurities_of(package: &Package, dependency: &Dependency) -> Vec<Impurity> {
    let name = &dependency.name;
    if IMPURE_CRATES.contains(&name.as_str()) {
        return vec![Impurity::Crate(name.clone())];
    }
    let listed = IMPURE_FEATURES.iter().find(|(of, _)| of == name);
    let features = listed.map_or(&[][..], |(_, features)| features);
    let on = features.iter().filter(|feature| turns_on(package, dependency, feature));
    on.map(|feature| Impurity::Feature { of: name.clone(), feature }).collect()
}

/// Whether the manifest turns on this feature, with the dependency or under `[features]`.
fn turns_on(package: &Package, dependency: &Dependency, feature: &str) -> bool {
    let known_as = dependency.rename.as_ref().unwrap_or(&dependency.name);
    let spellings = [format!("{known_as}/{feature}"), format!("{known_as}?/{feature}")];
    dependency.features.iter().any(|on| on == feature)
        || (feature == "default" && dependency.uses_default_features)
        || package.features.values().flatten().any(|on| spellings.contains(on))
}

impl fmt::Display for Impurity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crate(name) => write!(f, "`{name}`"),
            Self::Feature { of, feature } => write!(f, "`{of}` with feature `{feature}`"),
        }
    }
}
