//! The steps of `test`, `soak`, `browser`, `bench`, `relay` and `chain`.

use crate::cargo::Cargo;
use crate::steps::Step;

/// Everything a change must pass, the quick steps first.
pub(crate) fn test() -> Vec<Step> {
    let clippy = Cargo::new("clippy --workspace --all-targets --locked -- -D warnings");
    let docs = Cargo::new("doc --workspace --no-deps --locked").env("RUSTDOCFLAGS", "-D warnings");
    vec![
        Step::tools(),
        Step::module(),
        Step::cargo("fmt", Cargo::new("fmt --all --check")),
        Step::layers(),
        Step::deny(),
        Step::programs(vec![("clippy", clippy), ("docs", docs)]),
    ]
}

/// The tests at full counts, which `FAIRDEAL_SOAK` selects.
pub(crate) fn soak(filter: Option<String>) -> Vec<Step> {
    let call = Cargo::new("test --workspace --release --locked")
        .args(filter)
        .args(["--", "--nocapture"].map(str::to_owned))
        .env("FAIRDEAL_SOAK", "1");
    vec![Step::cargo("soak", call)]
}

/// The browser tests, or those whose file name contains the filter.
pub(crate) fn browser(filter: Option<String>) -> Vec<Step> {
    vec![Step::tools(), Step::module(), Step::browser(filter)]
}

pub(crate) fn bench(filter: Option<String>) -> Vec<Step> {
    vec![Step::cargo("bench", Cargo::new("bench --workspace --locked").args(filter))]
}

/// The tests of relays with a relay and a library that others wrote (`tests/relay`).
pub(crate) fn relay() -> Vec<Step> {
    let theirs = |what: &str| Cargo::new(&format!("{what} --manifest-path tests/relay/Cargo.toml --locked"));
    // Of the whole workspace, so that what `test` has compiled can be used.
    let ours = Cargo::new("test --workspace --test relays --locked");
    // Seen from the folder of the crate, where its tests run.
    let program = "../../tests/relay/target/debug/relay-of-others";
    vec![
        Step::cargo("their relay", theirs("build")),
        Step::cargo("their library", theirs("test")),
        Step::cargo("our tests", ours.env("FAIRDEAL_RELAY", program)),
    ]
}

/// A chain on this machine, measured by a program of the nodes' own.
pub(crate) fn chain(what: Vec<String>) -> Vec<Step> {
    let call = Cargo::new("run --release --locked --package node --example measure --").args(what);
    vec![Step::cargo("chain", call)]
}
