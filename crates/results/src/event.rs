//! What is signed: the id of a NOSTR event (NIP-01).
//!
//! Players sign an event of kind 1 whose content is the hash of a file's body, so that a relay could carry it. The
//! id is SHA-256 of a JSON array without spaces. All texts in it are letters, digits, `_`, `-`: nothing is escaped.

use sha2::{Digest as _, Sha256};
use table::record::hex;

use crate::{Public, Timestamp};

/// The id of an event of kind 1 by this key, with these tags, whose content is the hash of a body.
pub(crate) fn id(by: &Public, at: Timestamp, tags: &[[&str; 2]], body: &str) -> [u8; 32] {
    let tags: Vec<String> = tags.iter().map(|[name, value]| format!("[\"{name}\",\"{value}\"]")).collect();
    let content = hex(&<[u8; 32]>::from(Sha256::digest(body)));
    let event = format!("[0,\"{}\",{},1,[{}],\"{content}\"]", by.hex(), at.seconds(), tags.join(","));
    Sha256::digest(event).into()
}
