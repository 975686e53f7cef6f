//! Embeds the module for private tables in browsers, if somebody has built it from these sources (`cargo xtask module`).
//! Nothing is built or fetched here: without a module, the page says how to get one.

#![allow(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

#[path = "../browser/sources.rs"]
#[allow(dead_code, reason = "the other half is for those who build the module")]
mod sources;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use sources::{ABOUT, BUILT, COMPRESSED, MODULE};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.ancestors().nth(2).unwrap_or(&here);
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for part in sources::parts().chain([BUILT.to_owned()]) {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let embedded = embed(root, &out)?;
    let code = match embedded {
        Some(compiler) => format!(
            "Some(Module {{ wasm: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{MODULE}\")), \
             compressed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{COMPRESSED}\")), compiler: {compiler:?} }})"
        ),
        None => "None".to_owned(),
    };
    fs::write(out.join("module.rs"), code)
}

/// Copies the module, if it is there and made of these sources; returns the compiler that made it.
fn embed(root: &Path, out: &Path) -> io::Result<Option<String>> {
    let built = root.join(BUILT);
    let Ok(about) = fs::read_to_string(built.join(ABOUT)) else { return Ok(None) };
    let (made_of, compiler) = about.trim_end().split_once('\n').unwrap_or_default();
    if made_of != sources::fingerprint(root)? {
        println!(
            "cargo::warning=the module for private tables in browsers is older than its sources and left out; \
             `cargo xtask module` builds it again"
        );
        return Ok(None);
    }
    for file in [MODULE, COMPRESSED] {
        fs::copy(built.join(file), out.join(file))?;
    }
    Ok(Some(compiler.to_owned()))
}
