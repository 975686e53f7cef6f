//! A group element together with its encoding.

use core::fmt;
use std::sync::LazyLock;

use curve25519_dalek::RistrettoPoint;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::RistrettoBasepointTable;
use curve25519_dalek::traits::Identity;
use sha2::{Digest, Sha512};

use crate::Scalar;

/// A group element that keeps its encoding: transcripts need the bytes, equations the point, and converting
/// costs more than either use.
#[derive(Clone, Copy)]
pub struct Element {
    point: RistrettoPoint,
    bytes: [u8; 32],
}

/// This multiple of the base point. Its table is made once: the one in the library is 30 kB that no compression makes
/// smaller, and browsers load this crate.
pub(crate) fn times_base(scalar: &Scalar) -> RistrettoPoint {
    static TABLE: LazyLock<Box<RistrettoBasepointTable>> =
        LazyLock::new(|| Box::new(RistrettoBasepointTable::create(&RISTRETTO_BASEPOINT_POINT)));
    scalar * &**TABLE
}

impl Element {
    /// The neutral element.
    pub fn identity() -> Self {
        Self::from_parts(RistrettoPoint::identity(), [0; 32])
    }

    /// This multiple of the base point.
    pub fn base(scalar: &Scalar) -> Self {
        times_base(scalar).into()
    }

    /// An element with no known relation to any other: hashed to the group from a domain and the parts that
    /// identify it there.
    pub fn hashed(domain: &str, parts: &[&[u8]]) -> Self {
        let mut hash = Sha512::new();
        let mut part = |bytes: &[u8]| {
            hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(bytes);
        };
        part(domain.as_bytes());
        parts.iter().for_each(|bytes| part(bytes));
        RistrettoPoint::from_uniform_bytes(&hash.finalize().into()).into()
    }

    /// As a point.
    pub const fn point(&self) -> &RistrettoPoint {
        &self.point
    }

    /// Its encoding.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Whether it is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.bytes == [0; 32]
    }

    /// Twice each of these points. Encoding points in a batch costs a fifth as much as one by one, but only
    /// works for their doubles.
    pub(crate) fn doubled(points: &[RistrettoPoint]) -> Vec<Self> {
        let encoded = RistrettoPoint::double_and_compress_batch(points);
        points.iter().zip(encoded).map(|(point, bytes)| Self::from_parts(point + point, bytes.to_bytes())).collect()
    }

    /// From a point whose encoding is known.
    pub(crate) const fn from_parts(point: RistrettoPoint, bytes: [u8; 32]) -> Self {
        Self { point, bytes }
    }
}

impl From<RistrettoPoint> for Element {
    fn from(point: RistrettoPoint) -> Self {
        Self::from_parts(point, point.compress().to_bytes())
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Element {}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Ordered by encoding, which means nothing but lets maps use it.
impl Ord for Element {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.bytes;
        write!(f, "Element({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}
