//! The steps of `test`, `soak`, `browser`, `bench` and `chain`.

use crate::cargo::Cargo;
use crate::steps::Step;

/// Everything a change must pass, the quick steps first.
pub(crate) fn test() -> Vec<Step> {
    let clippy = "clippy --workspace --all-targets --locked -- -D warnings";
    let docs = "doc --workspace --no-deps --locked";
    vec![
        Step::tools(),
        Step::cargo("fmt", Cargo::new("fmt --all --check")),
        Step::layers(),
        Step::deny(),
        Step::cargo("clippy", Cargo::new(clippy)),
        Step::cargo("docs", Cargo::new(docs).env("RUSTDOCFLAGS", "-D warnings")),
        Step::cargo("tests", Cargo::new("test --workspace --locked")),
        Step::browser(None),
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
    vec![Step::tools(), Step::browser(filter)]
}

pub(crate) fn bench(filter: Option<String>) -> Vec<Step> {
    vec![Step::cargo("bench", Cargo::new("bench --workspace --locked").args(filter))]
}

/// A chain on this machine, measured by a program of the nodes' own.
pub(crate) fn chain(what: Vec<String>) -> Vec<Step> {
    let call = Cargo::new("run --release --locked --package node --example measure --").args(what);
    vec![Step::cargo("chain", call)]
}
