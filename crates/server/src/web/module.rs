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
    /// The same with gzip, which browsers also accept without encryption.
    gzip: &'static [u8],
    /// The same with brotli, a fifth smaller: browsers accept it over https and from their own machine.
    brotli: Option<&'static [u8]>,
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

/// A module, as small as the browser accepts it.
pub(super) fn serve(module: Module, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let kind = [(CONTENT_TYPE, "application/wasm"), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    let vary = [(VARY, "accept-encoding")];
    let (encoding, bytes) = match module.brotli {
        Some(brotli) if accepts(accepted, "br") => ("br", brotli),
        _ if accepts(accepted, "gzip") => ("gzip", module.gzip),
        _ => return (kind, vary, module.wasm).into_response(),
    };
    (kind, vary, [(CONTENT_ENCODING, encoding)], bytes).into_response()
}

/// Whether an `accept-encoding` allows an encoding, by its name or by `*`.
fn accepts(accepted: &str, encoding: &str) -> bool {
    let parts = || accepted.split(',').map(|part| part.split_once(';').unwrap_or((part, "")));
    let weight = |wanted: &str| parts().find(|(name, _)| name.trim() == wanted).map(|(_, weight)| weight.trim());
    weight(encoding)
        .or_else(|| weight("*"))
        .is_some_and(|weight| !matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_the_smallest_that_they_accept() {
        let both = Module { name: "small.wasm", wasm: b"\0asm", gzip: b"gzip", brotli: Some(b"br"), compiler: "rustc" };
        let one = Module { brotli: None, ..both };
        for (accepted, best, without_brotli) in [
            ("gzip, deflate, br, zstd", Some("br"), Some("gzip")),
            ("gzip, deflate", Some("gzip"), Some("gzip")),
            ("deflate, gzip;q=0.5", Some("gzip"), Some("gzip")),
            ("br;q=1.0, *;q=0.1", Some("br"), Some("gzip")),
            ("br;q=0, *;q=0.1", Some("gzip"), Some("gzip")),
            ("*, gzip;q=0", Some("br"), None),
            ("gzip;q=0", None, None),
            ("identity", None, None),
            ("", None, None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, accepted.parse().unwrap());
            for (module, expected) in [(both, best), (one, without_brotli)] {
                let sent = serve(module, &headers);
                let encoding = sent.headers().get(CONTENT_ENCODING).map(|name| name.to_str().unwrap());
                assert_eq!(encoding, expected, "{accepted}");
                assert_eq!(sent.headers()[CONTENT_TYPE], "application/wasm");
                assert_eq!(sent.headers()[VARY], "accept-encoding");
            }
        }
        assert_eq!(serve(both, &HeaderMap::new()).headers().get(CONTENT_ENCODING), None);
    }
}
