//! Decryption shares: what each holder of a share of the key contributes to open cards.
//!
//! A card is a ciphertext `(C1, C2) = (r·B, M + r·Y)` under the joint key `Y = s·B`. Nobody has `s`, but each
//! member has a share `s_i` of it and can compute `D_i = s_i·C1` without revealing `s_i`. With enough of them
//! everybody gets `s·C1`, by adding if all are needed and with [`combine`](crate::combine) if some are enough,
//! and then `M = C2 − s·C1`.
//!
//! **Message.** [`Shares`], `98 + 32·n` bytes: one author's shares of 1 to 512 cards, and one proof that all
//! were made with the secret of the author's public share (Chaum–Pedersen 1993). The proof folds the cards into
//! one with random weights, so it has 96 bytes for any number of cards.
//!
//! **Flow.** Every member works out from its own table which cards to open and calls [`share`]. Everybody checks
//! the results with [`Shares::verify`], or many together with [`verify_shares`], which needs one multiplication
//! for all and still names every liar.
//!
//! **Caveats.**
//! - A share in the clear is for everybody. If a committee deals a card that only one player may see, use
//!   [`seal`](crate::seal()).
//! - Never make a share because somebody asks for it. Anyone who can choose `C1` can have any card opened. Only
//!   the member's own table says which cards are to be opened, and to whom.
//! - A wrong share passes with probability below 512 / 2^252, and in a batch, whose weights have 128 bits, with
//!   probability 2^-128.
//! - The share of an open card (`C1` neutral) is the neutral element, and the proof says so. A public share
//!   that is the neutral element is refused.
//!
//! ```
//! use dealing::{Claimed, Context, Element, Scalar, Secret, share, verify_shares};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let context = Context::new([0; 32]).height(12);
//! let members = [Secret::random(rng), Secret::random(rng)];
//! let publics = members.each_ref().map(Secret::public);
//! let joint = publics[0].point() + publics[1].point();
//!
//! // A card, encrypted under the joint key.
//! let card = Element::hashed("a card", &[b"ace"]);
//! let r = Scalar::random(rng);
//! let (c1s, c2) = ([Element::base(&r)], card.point() + joint * r);
//!
//! let shares = [0, 1].map(|i| share(&context.author(i), &members[usize::from(i)], &c1s, rng));
//! let claimed = [0, 1].map(|i| {
//!     let (context, i) = (context.author(i), usize::from(i));
//!     Claimed { context, public: &publics[i], c1s: &c1s, shares: &shares[i] }
//! });
//! assert_eq!(verify_shares(&claimed), Ok(()));
//! assert_eq!(c2 - shares[0].points[0].point() - shares[1].points[0].point(), *card.point());
//!
//! // An author who copies another's shares is named.
//! let mut copied = claimed;
//! copied[1].shares = &shares[0];
//! assert_eq!(verify_shares(&copied), Err(vec![1]));
//! ```

use rand::CryptoRng;

use crate::equality::{self, Equality};
use crate::{Context, Element, Invalid, Malformed, Reader, Secret, Transcript, Wire, equations, write_counted};

const PROTOCOL: &str = "fairdeal/shares/v1";

/// The most cards in one message.
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
    /// Checks that these are the shares of exactly these cards, by the owner of this public share.
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

/// Shares and their claimed author.
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
