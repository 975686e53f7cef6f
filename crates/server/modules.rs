//! The WebAssembly modules that the server embeds: what each is made of, and whether a built one was made of it. Shared by
//! `xtask`, which builds them, and the build script, which embeds them: a module that is older than its sources is left
//! out. A new module is a new entry in [`MODULES`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A module.
pub(crate) struct Entry {
    /// Its name among the assets, without `.wasm`.
    pub(crate) name: &'static str,
    /// The package that it is made from.
    pub(crate) package: &'static str,
    /// What it is in that package.
    pub(crate) kind: Kind,
    /// The crates in it. `xtask` checks that these are all.
    pub(crate) crates: &'static [&'static str],
    /// Single files of other crates in it, under the root of the workspace.
    pub(crate) files: &'static [&'static str],
}

/// What a module is in its package.
pub(crate) enum Kind {
    /// The library.
    Library,
    /// The example with the name of the module: a library of its own. A package can have several.
    Example,
}

pub(crate) const MODULES: &[Entry] = &[
    // A place at a private table, for each game.
    private("private-holdem", &["crates/browser/modules/holdem.rs"]),
    private("private-blackjack", &["crates/browser/modules/blackjack.rs"]),
    private("private-romme", &["crates/browser/modules/romme.rs"]),
    private("private-bigc", &["crates/browser/modules/bigc.rs"]),
    private("private-ongdu", &["crates/browser/modules/ongdu.rs"]),
    private("private-blackout", &["crates/browser/modules/blackout.rs"]),
    // A wallet and a seat at chain tables.
    Entry {
        name: "wallet",
        package: "wallet",
        kind: Kind::Library,
        crates: &["bots", "cards", "chain", "dealers", "dealing", "games", "light", "page", "table", "wallet"],
        files: &["crates/browser/src/call.rs", "crates/browser/src/exports.rs"],
    },
    // A table for one person and computers.
    Entry {
        name: "solo",
        package: "solo",
        kind: Kind::Library,
        crates: &["bots", "cards", "dealers", "dealing", "games", "page", "room", "solo", "table"],
        files: &["crates/browser/src/call.rs", "crates/browser/src/exports.rs"],
    },
];

const fn private(name: &'static str, files: &'static [&'static str]) -> Entry {
    let crates = &["bots", "browser", "cards", "dealers", "dealing", "games", "page", "peer", "results", "table"];
    Entry { name, package: "browser", kind: Kind::Example, crates, files }
}

/// Where built modules are, under the root of the workspace.
pub(crate) const BUILT: &str = "crates/server/built";

impl Entry {
    /// The name of the module's file.
    pub(crate) fn wasm(&self) -> String {
        format!("{}.wasm", self.name)
    }

    /// The same with gzip.
    pub(crate) fn gzip(&self) -> String {
        format!("{}.wasm.gz", self.name)
    }

    /// The same with brotli. Only there if the machine that built the module could make it.
    pub(crate) fn brotli(&self) -> String {
        format!("{}.wasm.br", self.name)
    }

    /// What it was made of and with: a fingerprint, and the compiler.
    pub(crate) fn about(&self) -> String {
        format!("{}.about", self.name)
    }

    /// The files and folders that it depends on, under the root of the workspace.
    pub(crate) fn parts(&self) -> impl Iterator<Item = String> {
        let single = ["Cargo.lock", "Cargo.toml"].into_iter().chain(self.files.iter().copied());
        let of = |name: &&str| [format!("crates/{name}/Cargo.toml"), format!("crates/{name}/src")];
        single.map(str::to_owned).chain(self.crates.iter().flat_map(of))
    }

    /// A number that changes with the sources. It notices changes and is no proof of anything.
    pub(crate) fn fingerprint(&self, root: &Path) -> io::Result<String> {
        let mut files = Vec::new();
        for part in self.parts() {
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
