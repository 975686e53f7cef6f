//! Embeds the modules for browsers that somebody has built from these sources (`cargo xtask module`). Nothing is built or
//! fetched here: without a module, the page that needs it says how to get it.

#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

#[allow(dead_code, reason = "the other half is for those who build modules")]
mod modules;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use modules::{BUILT, Entry, MODULES};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.ancestors().nth(2).unwrap_or(&here);
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let parts: BTreeSet<String> = MODULES.iter().flat_map(Entry::parts).chain([BUILT.to_owned()]).collect();
    for part in parts {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let (mut embedded, mut missing) = (String::new(), String::new());
    for entry in MODULES {
        let wasm = entry.wasm();
        let include = |file: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))");
        match embed(entry, root, &out)? {
            Some(compiler) => {
                let brotli = match out.join(entry.brotli()).exists() {
                    true => format!("Some({})", include(&entry.brotli())),
                    false => "None".to_owned(),
                };
                write!(
                    embedded,
                    "Module {{ name: {wasm:?}, wasm: {}, gzip: {}, brotli: {brotli}, compiler: {compiler:?} }},",
                    include(&wasm),
                    include(&entry.gzip())
                )
            }
            None => write!(missing, "{wasm:?},"),
        }
        .map_err(io::Error::other)?;
    }
    fs::write(out.join("embedded.rs"), format!("&[{embedded}]"))?;
    fs::write(out.join("missing.rs"), format!("&[{missing}]"))
}

/// Copies a module, if it is there and made of these sources; returns the compiler that made it.
fn embed(entry: &Entry, root: &Path, out: &Path) -> io::Result<Option<String>> {
    let built = root.join(BUILT);
    let Ok(about) = fs::read_to_string(built.join(entry.about())) else { return Ok(None) };
    let (made_of, compiler) = about.trim_end().split_once('\n').unwrap_or_default();
    if made_of != entry.fingerprint(root)? {
        println!(
            "cargo::warning={} is older than its sources and left out; `cargo xtask module` builds it again",
            entry.wasm()
        );
        return Ok(None);
    }
    for file in [entry.wasm(), entry.gzip()] {
        fs::copy(built.join(&file), out.join(&file))?;
    }
    let (brotli, copy) = (built.join(entry.brotli()), out.join(entry.brotli()));
    if brotli.exists() {
        fs::copy(brotli, copy)?;
    } else if copy.exists() {
        // One of an earlier build.
        fs::remove_file(copy)?;
    }
    Ok(Some(compiler.to_owned()))
}
