//! Secret scalars.

use core::fmt;

use rand::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::{Element, Scalar};

/// A secret scalar: wiped when dropped, never printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Secret(Scalar);

impl Secret {
    /// A fresh secret.
    pub fn random(rng: &mut impl CryptoRng) -> Self {
        Self(Scalar::random(rng))
    }

    /// A secret that was stored.
    pub const fn new(scalar: Scalar) -> Self {
        Self(scalar)
    }

    /// The scalar itself.
    pub const fn scalar(&self) -> &Scalar {
        &self.0
    }

    /// The public key that belongs to it.
    pub fn public(&self) -> Element {
        Element::base(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
