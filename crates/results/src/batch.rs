//! Many signatures checked at once, several times as fast as one by one.
//!
//! Each signature says that `s·G = R + e·P`. A sum of all these equations, each multiplied with a number that nobody
//! could know while signing, holds if all of them hold, and otherwise with a probability of 2⁻¹²⁸ (BIP-340, "Batch
//! Verification"). The numbers follow from a hash of everything that is checked, so nothing random is needed. The
//! sum is computed with Pippenger's buckets, and the many signatures of one key share one term.
//!
//! If a batch fails, its halves are checked, and small ones one by one: every wrong signature is named.

use std::collections::BTreeMap;

use k256::elliptic_curve::PrimeField as _;
use k256::elliptic_curve::ops::Reduce as _;
use k256::schnorr::VerifyingKey;
use k256::{AffinePoint, FieldBytes, ProjectivePoint, Scalar};
use sha2::{Digest as _, Sha256};

use crate::{Public, Signature};

/// A claim that a key has signed a hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Who is said to have signed.
    pub by: Public,
    /// What.
    pub hash: [u8; 32],
    /// The signature.
    pub signature: Signature,
}

/// Below this, one by one is as fast.
const SMALL: usize = 48;
/// Above this, a batch gains little more, and one wrong signature costs more.
const LARGE: usize = 4096;

/// For each claim, whether it is true.
pub fn verify_all(claims: &[Claim]) -> Vec<bool> {
    let mut keys = BTreeMap::new();
    for claim in claims {
        keys.entry(claim.by).or_insert_with(|| lifted(claim.by.bytes()));
    }
    let mut verdicts = Vec::with_capacity(claims.len());
    for part in claims.chunks(LARGE) {
        judge(part, &keys, &mut verdicts);
    }
    verdicts
}

type Keys = BTreeMap<Public, Option<AffinePoint>>;

fn judge(claims: &[Claim], keys: &Keys, verdicts: &mut Vec<bool>) {
    if claims.len() < SMALL {
        verdicts.extend(claims.iter().map(|claim| claim.by.verify(&claim.hash, &claim.signature)));
    } else if all_hold(claims, keys) == Some(true) {
        verdicts.extend(claims.iter().map(|_| true));
    } else {
        let (first, second) = claims.split_at(claims.len() / 2);
        judge(first, keys, verdicts);
        judge(second, keys, verdicts);
    }
}

/// `None` where a part of a signature is not even a number or a point.
fn all_hold(claims: &[Claim], keys: &Keys) -> Option<bool> {
    let mut seed = Sha256::new_with_prefix("fairdeal/batch");
    for claim in claims {
        seed.update(claim.by.bytes());
        seed.update(claim.hash);
        seed.update(claim.signature.0);
    }
    let seed = seed.finalize();
    let challenge = tagged("BIP0340/challenge");
    let mut base = Scalar::ZERO;
    let mut terms = Vec::with_capacity(claims.len() + keys.len());
    let mut of_keys: BTreeMap<Public, Scalar> = BTreeMap::new();
    for (number, claim) in (0_u64..).zip(claims) {
        let (r, s) = claim.signature.0.split_first_chunk::<32>()?;
        let s = Option::<Scalar>::from(Scalar::from_repr(FieldBytes::try_from(s).ok()?))?;
        let e = challenge.clone().chain_update(r).chain_update(claim.by.bytes()).chain_update(claim.hash);
        let e = Scalar::reduce(&FieldBytes::from(<[u8; 32]>::from(e.finalize())));
        let weight = weight(seed.as_ref(), number);
        base += weight * s;
        *of_keys.entry(claim.by).or_insert(Scalar::ZERO) += weight * e;
        terms.push((lifted(r)?, weight.to_repr().into()));
    }
    for (key, factor) in of_keys {
        let point = keys.get(&key).copied().flatten()?;
        terms.push((point, factor.to_repr().into()));
    }
    Some(ProjectivePoint::GENERATOR * base == sum(&terms))
}

/// The point with this x and an even y.
fn lifted(x: &[u8; 32]) -> Option<AffinePoint> {
    VerifyingKey::from_slice(x).ok().map(|key| *key.as_affine())
}

/// 128 bits that the signers could not choose; 1 for the first, which nothing has to be weighed against.
fn weight(seed: &[u8], number: u64) -> Scalar {
    if number == 0 {
        return Scalar::ONE;
    }
    let hash = <[u8; 32]>::from(Sha256::new().chain_update(seed).chain_update(number.to_le_bytes()).finalize());
    let (half, _) = hash.split_first_chunk::<16>().unwrap_or((&[1; 16], &[]));
    Scalar::from(u128::from_le_bytes(*half))
}

fn tagged(tag: &str) -> Sha256 {
    let tag = Sha256::digest(tag);
    Sha256::new().chain_update(tag).chain_update(tag)
}

/// The sum of points times factors, whose bytes are the highest first (Pippenger's buckets). Nothing here is secret.
fn sum(terms: &[(AffinePoint, [u8; 32])]) -> ProjectivePoint {
    // Emptying the buckets costs twice their number for every window; with a sixteenth of the terms it stays small.
    let bits = terms.len().max(1).ilog2().saturating_sub(4).clamp(3, 12);
    let buckets_count = (1_usize << bits) - 1;
    let windows = 256_u32.div_ceil(bits);
    let mut total = ProjectivePoint::IDENTITY;
    let mut buckets = vec![ProjectivePoint::IDENTITY; buckets_count];
    for window in (0..windows).rev() {
        for _ in 0..bits {
            total = total.double();
        }
        buckets.fill(ProjectivePoint::IDENTITY);
        for (point, factor) in terms {
            let digit = digit(factor, window * bits, bits);
            if let Some(bucket) = digit.checked_sub(1).and_then(|index| buckets.get_mut(index)) {
                *bucket += point;
            }
        }
        // Bucket k counts k + 1 times: once in its own partial sum and in each of the k after it.
        let mut running = ProjectivePoint::IDENTITY;
        for bucket in buckets.iter().rev() {
            running += bucket;
            total += running;
        }
    }
    total
}

/// `bits` (at most 12) of a number from this bit on, counted from the lowest.
fn digit(number: &[u8; 32], from: u32, bits: u32) -> usize {
    let mut window = 0_usize;
    for offset in (0..3).rev() {
        let byte = usize::try_from(from / 8 + offset).ok().and_then(|index| 31_usize.checked_sub(index));
        let byte = byte.and_then(|index| number.get(index)).copied().unwrap_or_default();
        window = window << 8 | usize::from(byte);
    }
    (window >> (from % 8)) & ((1 << bits) - 1)
}
