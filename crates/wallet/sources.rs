//! What the module for chain tables is made of. Shared by `xtask`, which builds it, and the build script of `server`, which
//! embeds it; beside `crates/browser/sources.rs`, which has the rest.

/// The crates in it. `xtask` checks that this list is complete.
pub(crate) const CRATES: [&str; 10] =
    ["bots", "cards", "chain", "dealers", "dealing", "games", "light", "page", "table", "wallet"];

/// Where the module is, under the root of the workspace.
pub(crate) const BUILT: &str = "crates/wallet/built";
/// The module, and the same compressed.
pub(crate) const MODULE: &str = "wallet.wasm";
pub(crate) const COMPRESSED: &str = "wallet.wasm.gz";

/// The files and folders that the module depends on, under the root of the workspace.
pub(crate) fn parts() -> impl Iterator<Item = String> {
    let single = ["Cargo.lock", "Cargo.toml", "crates/browser/src/call.rs", "crates/browser/src/exports.rs"];
    let of = |name: &str| [format!("crates/{name}/Cargo.toml"), format!("crates/{name}/src")];
    single.map(str::to_owned).into_iter().chain(CRATES.into_iter().flat_map(of))
}
