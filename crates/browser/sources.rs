//! What the module for browsers is made of, and whether a module was made of it. Shared by `xtask`, which builds the module,
//! and the build script of `server`, which embeds it: a module that is older than its sources is left out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The crates in it. `xtask` checks that this list is complete.
pub(crate) const CRATES: [&str; 10] =
    ["bots", "browser", "cards", "dealers", "dealing", "games", "page", "peer", "results", "table"];

/// Where the module is, under the root of the workspace.
pub(crate) const BUILT: &str = "crates/browser/built";
/// The module, the same compressed, and what it was made of and with.
pub(crate) const MODULE: &str = "browser.wasm";
pub(crate) const COMPRESSED: &str = "browser.wasm.gz";
pub(crate) const ABOUT: &str = "about";

/// The files and folders that a module depends on, under the root of the workspace.
pub(crate) fn parts() -> impl Iterator<Item = String> {
    let whole = ["Cargo.lock", "Cargo.toml"].map(str::to_owned);
    let of = |name: &str| [format!("crates/{name}/Cargo.toml"), format!("crates/{name}/src")];
    whole.into_iter().chain(CRATES.into_iter().flat_map(of))
}

/// A number that changes with the sources. It notices changes and is no proof of anything.
pub(crate) fn fingerprint(root: &Path) -> io::Result<String> {
    fingerprint_of(root, parts())
}

/// The same for other sources.
pub(crate) fn fingerprint_of(root: &Path, parts: impl Iterator<Item = String>) -> io::Result<String> {
    let mut files = Vec::new();
    for part in parts {
        collect(&root.join(part), &mut files)?;
    }
    // FNV-1a, over names and contents.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        add(name.as_bytes());
        let text = fs::read(&file)?;
        add(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
        add(&text);
    }
    Ok(format!("{hash:016x}"))
}

/// All files, in one order everywhere.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut inside: Vec<PathBuf> = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    inside.sort();
    inside.iter().try_for_each(|path| collect(path, files))
}
