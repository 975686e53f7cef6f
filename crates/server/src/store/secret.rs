//! The house's secret for a table, which must never be shown.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Thirty-two secret bytes. They are wiped when dropped, and no output shows them.
///
/// ```
/// use server::store::Secret;
/// assert_eq!(format!("{:?}", Secret::new([7; 32])), "Secret(..)");
/// ```
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A secret with these bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Secret(bytes)
    }

    /// The bytes themselves, for deriving cards from them.
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }

    /// The form in the database.
    pub(super) fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn from_hex(text: &str) -> Option<Self> {
        let mut secret = Secret([0; 32]);
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (place, byte) in secret.0.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
        }
        Some(secret)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
