//! What each unit of a simulation draws its randomness from.

use sha2::{Digest, Sha256};

/// The seed of one unit for one purpose: SHA-256 of `fairdeal/sim/v1`, the seed, the unit's number (both
/// as eight bytes, highest first) and the purpose.
///
/// ```
/// use lab::sim::unit_seed;
/// assert_ne!(unit_seed(1, 0, "cards"), unit_seed(1, 1, "cards"));
/// assert_ne!(unit_seed(1, 0, "cards"), unit_seed(1, 0, "bots"));
/// ```
#[inline]
pub fn unit_seed(seed: u64, unit: u64, purpose: &str) -> [u8; 32] {
    let hash = Sha256::new().chain_update("fairdeal/sim/v1").chain_update(seed.to_be_bytes());
    hash.chain_update(unit.to_be_bytes()).chain_update(purpose).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_stay_what_they_are() {
        let hex = table::record::hex(&unit_seed(7, 3, "cards"));
        assert_eq!(hex, "4b1dc7b5ff98ccd2e2092ccb2aa156b7ae78777d6440087c60cd627b51cebd12");
    }
}
