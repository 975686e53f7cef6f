//! The modules for browsers: WebAssembly, embedded if they were built before the server.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use games::AnyGame;
use sha2::{Digest as _, Sha256};

/// What to do without a module for private tables, in one line.
pub(super) const MISSING: &str = "Private tables in browsers need a module that was not built: `cargo xtask run` gets what that takes, builds and starts.";

/// A module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its name among the assets.
    pub name: &'static str,
    /// As a browser runs it.
    pub wasm: &'static [u8],
    /// The same with gzip, which browsers also understand without encryption.
    compressed: &'static [u8],
    /// The compiler that made it: another one may make other bytes of the same sources.
    pub compiler: &'static str,
}

/// The modules that were built from the sources of this program.
static EMBEDDED: &[Module] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The names of the others: not built, or built from other sources.
pub static LEFT_OUT: &[&str] = include!(concat!(env!("OUT_DIR"), "/missing.rs"));

/// The modules that were built from the sources of this program.
pub fn all() -> impl Iterator<Item = Module> {
    EMBEDDED.iter().copied()
}

/// The module with this name, if it was built from the sources of this program.
pub fn find(name: &str) -> Option<Module> {
    all().find(|module| module.name == name)
}

/// The module for private tables of a game.
pub(super) fn private(game: AnyGame) -> Option<Module> {
    find(&format!("private-{}.wasm", game.name()))
}

/// Whether there is one for any game.
pub(super) fn has_private() -> bool {
    AnyGame::ALL.iter().any(|game| private(*game).is_some())
}

/// Which modules are left out and how to get them, in one line, if there are any.
pub fn left_out() -> Option<String> {
    let names = LEFT_OUT.join(", ");
    (!names.is_empty()).then(|| {
        format!("Left out, because not built from these sources: {names}. `cargo xtask run` gets what that takes, builds and starts.")
    })
}

impl Module {
    /// Its SHA-256.
    pub fn hash(self) -> [u8; 32] {
        Sha256::digest(self.wasm).into()
    }
}

/// A module, compressed for whoever understands that.
pub(super) fn serve(module: Module, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let gzip = accepted.split(',').any(takes_gzip);
    let kind = [(CONTENT_TYPE, "application/wasm"), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    let vary = [(VARY, "accept-encoding")];
    match gzip {
        true => (kind, vary, [(CONTENT_ENCODING, "gzip")], module.compressed).into_response(),
        false => (kind, vary, module.wasm).into_response(),
    }
}

/// Whether one part of an `accept-encoding` allows gzip.
fn takes_gzip(coding: &str) -> bool {
    let (name, weight) = coding.split_once(';').map_or((coding, ""), |(name, weight)| (name, weight));
    let refused = matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
    matches!(name.trim(), "gzip" | "*") && !refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_bytes_go_to_those_who_take_them() {
        for (accepted, gzip) in [
            ("gzip, deflate", true),
            ("deflate, gzip;q=0.5", true),
            ("br;q=1.0, *;q=0.1", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(accepted.split(',').any(takes_gzip), gzip, "{accepted}");
        }
        let module = Module { name: "small.wasm", wasm: b"\0asm", compressed: b"small", compiler: "rustc" };
        let mut headers = HeaderMap::new();
        let plain = serve(module, &headers);
        assert_eq!(plain.headers().get(CONTENT_ENCODING), None);
        assert_eq!(plain.headers()[CONTENT_TYPE], "application/wasm");
        headers.insert(ACCEPT_ENCODING, "gzip".parse().unwrap());
        let small = serve(module, &headers);
        assert_eq!(
            (&small.headers()[CONTENT_ENCODING], &small.headers()[VARY]),
            (&"gzip".parse().unwrap(), &"accept-encoding".parse().unwrap())
        );
    }
}
