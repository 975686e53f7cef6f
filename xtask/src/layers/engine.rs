//! The engine that nodes agree with is large, and belongs to the program that runs a node. Nothing of it may come into the
//! main program, not even through what others wrote.

use std::collections::BTreeSet;

use crate::cargo::{Broken, Cargo};

/// The program that must do without it.
pub(super) const PROGRAM: &str = "fairdeal";

/// How the names of its packages begin.
const ENGINE: [&str; 2] = ["arc-malachitebft-", "libp2p"];

/// The packages of the engine that the program would be built from.
pub(super) fn found() -> Result<Vec<String>, Broken> {
    let tree = format!("tree --locked --package {PROGRAM} --edges normal,build --prefix none --format {{p}}");
    Ok(packages(&Cargo::new(&tree).read()?))
}

/// The packages of the engine in the output of `cargo tree`: a package per line, its name first.
pub(super) fn packages(tree: &str) -> Vec<String> {
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let engine: BTreeSet<&str> = names.filter(|name| ENGINE.iter().any(|begin| name.starts_with(begin))).collect();
    engine.into_iter().map(str::to_owned).collect()
}
