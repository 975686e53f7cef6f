//! The module for private tables in browsers: WebAssembly, embedded if it was built before the server.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

/// The name of the module among the assets.
pub(super) const NAME: &str = "browser.wasm";

/// What to do without a module, in one line.
pub const MISSING: &str = "Private tables in browsers need a module that was not built: `cargo xtask run` gets what that takes, builds and starts.";

/// The module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// As a browser runs it.
    pub wasm: &'static [u8],
    /// The same with gzip, which browsers also understand without encryption.
    compressed: &'static [u8],
    /// The compiler that made it: another one may make other bytes of the same sources.
    pub compiler: &'static str,
}

/// The module, if it was built from the sources of this program.
pub const MODULE: Option<Module> = include!(concat!(env!("OUT_DIR"), "/module.rs"));

impl Module {
    /// Its SHA-256.
    pub fn hash(self) -> [u8; 32] {
        Sha256::digest(self.wasm).into()
    }
}

/// The module, compressed for whoever understands that.
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
        let module = Module { wasm: b"\0asm", compressed: b"small", compiler: "rustc" };
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
