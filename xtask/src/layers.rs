//! Which crate may use which, and which must stay pure.
//!
//! [`CRATES`] is the table; a new crate needs a line there. "May use" is transitive: a crate that may use
//! `games` may use `table` and `cards`. Dev-dependencies and build-dependencies follow the same table, except
//! for what a line lists after `tested_with`. [`engine`] keeps one large dependency out of the main program.

mod engine;
mod purity;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::cargo::Broken;
use crate::manifests::{self, Kind, Package, Unreadable};
use purity::Impurity;

/// The crates of the design from the inside out, including planned ones.
const CRATES: [Layer; 24] = [
    Layer::pure("cards", &[]),
    Layer::pure("table", &["cards"]),
    // The laws of the games need a dealer and players, and liars need to write messages.
    Layer::pure("games", &["table", "cards"]).tested_with(&["dealers", "dealing", "bots"]),
    Layer::pure("bots", &["games"]),
    Layer::pure("dealing", &[]),
    Layer::pure("dealers", &["table", "dealing"]),
    // Every page is tested in matches of random moves, which a dealer deals.
    Layer::pure("page", &["games", "bots"]).tested_with(&["dealers"]),
    Layer::pure("room", &["page", "dealers"]),
    Layer::pure("solo", &["room"]),
    Layer::pure("results", &["games", "table", "cards"]),
    Layer::pure("relays", &["results"]),
    Layer::pure("parcels", &[]),
    // What a session knows is enough to draw its page.
    Layer::pure("peer", &["table", "dealers", "games", "results"]).tested_with(&["bots", "page"]),
    Layer::pure("browser", &["peer", "page"]),
    Layer::pure("chain", &["table", "dealers", "games"]),
    Layer::pure("light", &["chain"]),
    Layer::pure("wallet", &["light", "page"]),
    Layer::new("consensus", &["chain"]),
    Layer::new("remote", &["light"]),
    Layer::new("node", &["chain", "consensus", "bots", "dealing"]),
    Layer::new("lab", &["games", "bots", "dealers", "chain"]),
    Layer::new("server", &["room", "page", "games", "bots", "dealers", "results", "peer", "remote"]),
    Layer::outermost("fairdeal"),
    Layer::outermost("xtask"),
];

/// A crate and what it may use.
struct Layer {
    name: &'static str,
    uses: Uses,
    tested_with: &'static [&'static str],
    /// No clock, entropy, socket or file.
    pure: bool,
}

enum Uses {
    All,
    Only(&'static [&'static str]),
}

/// A forbidden entry in a manifest of the workspace.
#[derive(Debug, PartialEq, Eq)]
enum Violation {
    Unknown { name: String },
    Edge { from: String, to: String, kind: Option<Kind> },
    Impure { name: String, impurity: Impurity },
    Engine { package: String },
}

/// Why the check of the layers failed.
#[derive(Debug)]
pub(crate) enum Failed {
    Unreadable(Unreadable),
    NoTree(Broken),
    Violated(usize),
}

/// Checks the workspace and prints the result.
pub(crate) fn run() -> Result<(), Failed> {
    let packages = manifests::read().map_err(Failed::Unreadable)?;
    let mut violations = violations(&packages);
    let engine = engine::found().map_err(Failed::NoTree)?;
    violations.extend(engine.into_iter().map(|package| Violation::Engine { package }));
    for violation in &violations {
        eprintln!("layers: {violation}");
    }
    match violations.len() {
        0 => {
            eprintln!("layers: {} crates follow the layers", packages.len());
            Ok(())
        }
        count => Err(Failed::Violated(count)),
    }
}

fn violations(packages: &[Package]) -> Vec<Violation> {
    packages.iter().flat_map(violations_of).collect()
}

fn violations_of(package: &Package) -> Vec<Violation> {
    let Some(layer) = layer(&package.name) else {
        return vec![Violation::Unknown { name: package.name.clone() }];
    };
    let mut found = Vec::new();
    for dependency in package.dependencies.iter().filter(|dependency| dependency.is_ours()) {
        let (from, to, kind) = (&package.name, &dependency.name, dependency.kind);
        if self::layer(to).is_none() {
            found.push(Violation::Unknown { name: to.clone() });
        } else if !layer.may_use(to, kind) {
            found.push(Violation::Edge { from: from.clone(), to: to.clone(), kind });
        }
    }
    if layer.pure {
        let name = &package.name;
        let impurities = purity::impurities(package).into_iter();
        found.extend(impurities.map(|impurity| Violation::Impure { name: name.clone(), impurity }));
    }
    found
}

fn layer(name: &str) -> Option<&'static Layer> {
    CRATES.iter().find(|layer| layer.name == name)
}

impl Layer {
    const fn new(name: &'static str, uses: &'static [&'static str]) -> Self {
        Self { name, uses: Uses::Only(uses), tested_with: &[], pure: false }
    }

    const fn pure(name: &'static str, uses: &'static [&'static str]) -> Self {
        Self { name, uses: Uses::Only(uses), tested_with: &[], pure: true }
    }

    const fn outermost(name: &'static str) -> Self {
        Self { name, uses: Uses::All, tested_with: &[], pure: false }
    }

    const fn tested_with(self, tested_with: &'static [&'static str]) -> Self {
        Self { name: self.name, uses: self.uses, tested_with, pure: self.pure }
    }

    fn may_use(&self, to: &str, kind: Option<Kind>) -> bool {
        self.reaches(to) || (kind == Some(Kind::Dev) && self.tested_with.contains(&to))
    }

    fn reaches(&self, to: &str) -> bool {
        match self.uses {
            Uses::All => true,
            Uses::Only(names) => {
                names.iter().any(|name| *name == to || layer(name).is_some_and(|next| next.reaches(to)))
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                write!(f, "`{name}` is unknown; add it to the table in layers.rs")
            }
            Self::Edge { from, to, kind: None } => write!(f, "`{from}` may not use `{to}`"),
            Self::Edge { from, to, kind: Some(Kind::Dev) } => {
                write!(f, "`{from}` may not use `{to}`, not even in tests")
            }
            Self::Edge { from, to, kind: Some(Kind::Build) } => {
                write!(f, "`{from}` may not use `{to}`, not even to build")
            }
            Self::Impure { name, impurity } => {
                write!(f, "`{name}` is pure and may not use {impurity}")
            }
            Self::Engine { package } => {
                write!(f, "`{}` may not be built from `{package}`: the engine belongs to `node`", engine::PROGRAM)
            }
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(unreadable) => write!(f, "{unreadable}"),
            Self::NoTree(broken) => write!(f, "cargo tree: {broken}"),
            Self::Violated(1) => write!(f, "1 dependency is not allowed"),
            Self::Violated(count) => write!(f, "{count} dependencies are not allowed"),
        }
    }
}

impl std::error::Error for Failed {}
