//! What a joint dealing leaves in a record.

use sha2::{Digest, Sha256};
use table::record::{By, Evidence};

use super::ledger::Entry;
use super::terms::author;

/// The kind of evidence that says that somebody no longer takes part.
pub(super) const LEFT_OUT: &str = "left_out";

/// An entry of a ledger's log as a line of a record.
pub fn evidence(session: &[u8; 32], entry: &Entry) -> Evidence {
    match entry {
        Entry::Said(by, message) => Evidence::new(*by, message.place.kind(), &dealing::encode(&**message)),
        Entry::LeftOut(by) => Evidence::new(*by, LEFT_OUT, &left_out(session, *by)),
    }
}

/// Nothing can prove that somebody was silent; but the line cannot be turned against somebody else.
pub(super) fn left_out(session: &[u8; 32], by: By) -> [u8; 32] {
    let hash = Sha256::new_with_prefix(b"fairdeal/left_out/v1").chain_update(session);
    hash.chain_update(author(by).to_le_bytes()).finalize().into()
}
