//! The one transcript from which every challenge is drawn.
//!
//! SHA-512 over all entries so far. Each entry is a label and a value, each after its length, so different
//! transcripts never hash alike. A challenge is the hash of everything before it, reduced from 64 bytes, and
//! becomes an entry itself.

use sha2::{Digest, Sha512};

use crate::{Context, Element, Scalar};

/// The entries of a proof so far.
#[derive(Clone)]
pub struct Transcript {
    hash: Sha512,
}

impl Transcript {
    /// Begins with the name and version of the protocol, and the context.
    pub fn new(protocol: &str, context: &Context) -> Self {
        let mut transcript = Self { hash: Sha512::new() };
        transcript.bytes("protocol", protocol.as_bytes());
        context.bind(&mut transcript);
        transcript
    }

    /// Binds bytes.
    pub fn bytes(&mut self, label: &str, bytes: &[u8]) {
        self.part(label.as_bytes());
        self.part(bytes);
    }

    /// Binds a number.
    pub fn number(&mut self, label: &str, number: u64) {
        self.bytes(label, &number.to_le_bytes());
    }

    /// Binds an element.
    pub fn element(&mut self, label: &str, element: &Element) {
        self.bytes(label, element.bytes());
    }

    /// Binds elements and their number.
    pub fn elements<'a>(&mut self, label: &str, elements: impl ExactSizeIterator<Item = &'a Element>) {
        self.number(label, u64::try_from(elements.len()).unwrap_or(u64::MAX));
        elements.for_each(|element| self.hash.update(element.bytes()));
    }

    /// Binds a scalar.
    pub fn scalar(&mut self, label: &str, scalar: &Scalar) {
        self.bytes(label, scalar.as_bytes());
    }

    /// Binds scalars and their number.
    pub fn scalars<'a>(&mut self, label: &str, scalars: impl ExactSizeIterator<Item = &'a Scalar>) {
        self.number(label, u64::try_from(scalars.len()).unwrap_or(u64::MAX));
        scalars.for_each(|scalar| self.hash.update(scalar.as_bytes()));
    }

    /// A challenge that depends on all entries before it.
    pub fn challenge(&mut self, label: &str) -> Scalar {
        Scalar::from_bytes_mod_order_wide(&self.output(label))
    }

    /// 64 bytes that depend on all entries before them.
    pub fn output(&mut self, label: &str) -> [u8; 64] {
        self.part(label.as_bytes());
        let output: [u8; 64] = self.hash.clone().finalize().into();
        self.part(&output);
        output
    }

    fn part(&mut self, bytes: &[u8]) {
        self.hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.hash.update(bytes);
    }
}

impl core::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Transcript(..)")
    }
}
