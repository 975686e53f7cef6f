//! Style sheets and scripts: hand-written, embedded as they are, and cached by browsers until they change.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use table::record::hex;

use super::guard::policy_of;
use super::{Failure, module};

macro_rules! assets {
    ($($name:literal: $kind:literal),+ $(,)?) => {
        const ASSETS: &[(&str, &str, &str)] = &[$(($name, $kind, include_str!(concat!("../../assets/", $name)))),+];
    };
}

assets! {
    "style.css": "text/css; charset=utf-8",
    "cards.css": "text/css; charset=utf-8",
    "table.css": "text/css; charset=utf-8",
    "avatars.css": "text/css; charset=utf-8",
    "lobby.css": "text/css; charset=utf-8",
    "station.css": "text/css; charset=utf-8",
    "private.css": "text/css; charset=utf-8",
    "lobby.js": "text/javascript; charset=utf-8",
    "chain.js": "text/javascript; charset=utf-8",
    "replay.js": "text/javascript; charset=utf-8",
    "table.js": "text/javascript; charset=utf-8",
    "morph.js": "text/javascript; charset=utf-8",
    "motion.js": "text/javascript; charset=utf-8",
    "runout.js": "text/javascript; charset=utf-8",
    "sounds.js": "text/javascript; charset=utf-8",
    "say.js": "text/javascript; charset=utf-8",
    "line.js": "text/javascript; charset=utf-8",
    "solo.js": "text/javascript; charset=utf-8",
    "solotable.js": "text/javascript; charset=utf-8",
    "install.js": "text/javascript; charset=utf-8",
    "offline.js": "text/javascript; charset=utf-8",
    "drafts.js": "text/javascript; charset=utf-8",
    "confirm.js": "text/javascript; charset=utf-8",
    "alerts.js": "text/javascript; charset=utf-8",
    "fair.js": "text/javascript; charset=utf-8",
    "fairness.js": "text/javascript; charset=utf-8",
    "kept.js": "text/javascript; charset=utf-8",
    "storage.js": "text/javascript; charset=utf-8",
    "answers.js": "text/javascript; charset=utf-8",
    "verdicts.js": "text/javascript; charset=utf-8",
    "words.js": "text/javascript; charset=utf-8",
    "verify.js": "text/javascript; charset=utf-8",
    "evidence.js": "text/javascript; charset=utf-8",
    "findings.js": "text/javascript; charset=utf-8",
    "house.js": "text/javascript; charset=utf-8",
    "sha256.js": "text/javascript; charset=utf-8",
    "sources.js": "text/javascript; charset=utf-8",
    "seat.js": "text/javascript; charset=utf-8",
    "vault.js": "text/javascript; charset=utf-8",
    "worker.js": "text/javascript; charset=utf-8",
    "private.js": "text/javascript; charset=utf-8",
    "gather.js": "text/javascript; charset=utf-8",
    "after.js": "text/javascript; charset=utf-8",
    "checked.js": "text/javascript; charset=utf-8",
    "ownkey.js": "text/javascript; charset=utf-8",
    "trouble.js": "text/javascript; charset=utf-8",
    "copying.js": "text/javascript; charset=utf-8",
    "purse.css": "text/css; charset=utf-8",
    "purse.js": "text/javascript; charset=utf-8",
    "wallet.js": "text/javascript; charset=utf-8",
    "nodes.js": "text/javascript; charset=utf-8",
    "node.js": "text/javascript; charset=utf-8",
    "ownwallet.js": "text/javascript; charset=utf-8",
    "seating.js": "text/javascript; charset=utf-8",
    "holdem.css": "text/css; charset=utf-8",
    "blackjack.css": "text/css; charset=utf-8",
    "romme.css": "text/css; charset=utf-8",
    "bigc.css": "text/css; charset=utf-8",
    "ongdu.css": "text/css; charset=utf-8",
    "blackout.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}

/// Part of every asset's address, so that a new version is never mistaken for an old one.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut all = Sha256::new();
    for (name, _, text) in ASSETS {
        all.update(name.as_bytes());
        all.update(text.as_bytes());
    }
    for module in module::all() {
        all.update(module.name.as_bytes());
        all.update(module.wasm);
    }
    let hash: [u8; 32] = all.finalize().into();
    hex(hash.first_chunk::<6>().unwrap_or(&[0; 6]))
});

/// Everything that a page loads, as this program has it: names and bytes.
pub fn assets() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let modules = module::all().map(|module| (module.name, module.wasm));
    ASSETS.iter().map(|(name, _, text)| (*name, text.as_bytes())).chain(modules)
}

/// Part of the address of all assets.
pub(super) fn version() -> &'static str {
    &VERSION
}

/// The text of an asset that is no module.
pub(super) fn text(name: &str) -> &'static str {
    ASSETS.iter().find(|(asset, _, _)| *asset == name).map_or("", |(_, _, text)| *text)
}

/// The address of an asset.
pub(crate) fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// An asset of this version. One of another version is not here: its address would be remembered with other bytes for a year.
pub(super) async fn asset(
    Path((version, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if version != *VERSION {
        return Err(Failure::NotFound);
    }
    if let Some(module) = module::find(&name) {
        return Ok(module::serve(module, &headers));
    }
    let (_, kind, text) = ASSETS.iter().find(|(asset, _, _)| *asset == name).ok_or(Failure::NotFound)?;
    let cached = (CACHE_CONTROL, "public, max-age=31536000, immutable");
    Ok(([(CONTENT_TYPE, *kind), cached, (CONTENT_SECURITY_POLICY, policy_of(&name))], *text).into_response())
}

/// Files that browsers ask for on their own.
pub(super) async fn icon() -> Response {
    axum::response::Redirect::permanent(&address("icon.svg")).into_response()
}
