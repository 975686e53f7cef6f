//! `deny.toml`, as far as it is checked here. What only `cargo deny` understands is skipped.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Config {
    pub(super) graph: Graph,
    pub(super) licenses: Licenses,
    pub(super) bans: Bans,
    pub(super) sources: Sources,
}

#[derive(Debug, Deserialize)]
pub(super) struct Graph {
    /// The platforms whose packages are looked at.
    pub(super) targets: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Licenses {
    pub(super) allow: Vec<String>,
    #[serde(default)]
    pub(super) exceptions: Vec<Exception>,
}

/// More licences for one package.
#[derive(Debug, Deserialize)]
pub(super) struct Exception {
    #[serde(rename = "crate")]
    pub(super) spec: String,
    pub(super) allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Bans {
    #[serde(default)]
    pub(super) skip: Vec<Skip>,
    /// Packages that may need whatever versions they need.
    #[serde(default)]
    pub(super) skip_tree: Vec<Skip>,
}

/// A version that may be there beside another.
#[derive(Debug, Deserialize)]
pub(super) struct Skip {
    #[serde(rename = "crate")]
    pub(super) spec: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Sources {
    pub(super) allow_registry: Vec<String>,
}

impl Exception {
    pub(super) fn names(&self, name: &str, version: &str) -> bool {
        names(&self.spec, name, version)
    }
}

impl Skip {
    pub(super) fn names(&self, name: &str, version: &str) -> bool {
        names(&self.spec, name, version)
    }

    /// Is it about some version of this package?
    pub(super) fn is_of(&self, name: &str) -> bool {
        self.spec.split('@').next() == Some(name)
    }
}

impl Bans {
    pub(super) fn skips(&self, name: &str, version: &str) -> bool {
        self.skip.iter().any(|skip| skip.names(name, version))
    }
}

/// Does `name` or `name@version` name this package? A version may leave out its last numbers.
fn names(spec: &str, name: &str, version: &str) -> bool {
    match spec.split_once('@') {
        None => spec == name,
        Some((of, wanted)) => {
            let rest = version.strip_prefix(wanted);
            of == name && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }
    }
}
