//! One way to hash everything: a domain, then parts, each after its length.

use sha2::{Digest, Sha256};

/// A hash of these parts under a domain that no other use shares.
pub(crate) fn hash(domain: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"fairdeal/peer/v1/");
    for part in core::iter::once(domain.as_bytes()).chain(parts.iter().copied()) {
        hash.update(u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
