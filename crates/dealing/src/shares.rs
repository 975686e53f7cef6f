//! Decryption shares: what every holder of a share of the key adds to open cards.

use rand::CryptoRng;

use crate::equality::{self, Equality};
use crate::{Context, Element, Invalid, Malformed, Reader, Secret, Transcript, Wire, equations, write_counted};

const PROTOCOL: &str = "fairdeal/shares/v1";

/// At most so many cards in one message.
pub const MOST_SHARES: usize = 512;

/// One author's shares `D_i = s·C1_i` of many cards, with one proof for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares {
    /// The shares, in the order of the cards.
    pub points: Vec<Element>,
    proof: Equality,
}

/// The shares of these cards (1 to [`MOST_SHARES`]), each given by the first half of its ciphertext.
pub fn share(context: &Context, secret: &Secret, c1s: &[Element], rng: &mut impl CryptoRng) -> Shares {
    let points = equality::images(secret, c1s);
    let proof = Equality::prove(Transcript::new(PROTOCOL, context), secret, c1s, &points, rng);
    Shares { points, proof }
}

impl Shares {
    /// Checks that these are the shares of exactly these cards, by whom this public share belongs to.
    pub fn verify(&self, context: &Context, public: &Element, c1s: &[Element]) -> Result<(), Invalid> {
        equations::holds(&self.check(context, public, c1s)?)
    }

    fn check<'a>(
        &'a self,
        context: &Context,
        public: &'a Element,
        c1s: &'a [Element],
    ) -> Result<equality::Check<'a>, Invalid> {
        self.proof.check(Transcript::new(PROTOCOL, context), public, c1s, &self.points)
    }
}

/// Shares, and whose they claim to be.
#[derive(Clone, Copy, Debug)]
pub struct Claimed<'a> {
    /// Where, and by whom.
    pub context: Context,
    /// The author's public share.
    pub public: &'a Element,
    /// The first halves of the cards' ciphertexts.
    pub c1s: &'a [Element],
    /// The shares.
    pub shares: &'a Shares,
}

/// Checks the shares of many authors at once. If some are wrong, names exactly those.
pub fn verify_shares(claimed: &[Claimed<'_>]) -> Result<(), Vec<usize>> {
    let checks: Vec<_> = claimed.iter().map(|one| one.shares.check(&one.context, one.public, one.c1s)).collect();
    equations::hold(&checks)
}

impl Wire for Shares {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.points, out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { points: from.counted(1, MOST_SHARES)?, proof: Equality::read(from)? })
    }
}

#[cfg(test)]
mod tests;
