//! The author's secret randomness.

use rand::CryptoRng;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use crate::{Context, Deck, Element, Permutation, Scalar, Transcript};

/// Scalars that are wiped when dropped.
pub(super) type Secrets = Zeroizing<Vec<Scalar>>;

/// Random scalars for one proof.
///
/// A mask used in two proofs reveals what it masks. So the generator is not trusted alone: the scalars are
/// hashed from the statement, the permutation and the generator's output. A generator that repeats itself, say
/// after a restart from an old state, at worst repeats a proof.
pub(super) struct Masks {
    seed: Zeroizing<[u8; 64]>,
    drawn: u64,
}

impl Masks {
    /// For a shuffle of this deck by this permutation.
    pub(super) fn new(
        context: &Context,
        key: &Element,
        deck: &Deck,
        permutation: &Permutation,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let mut random = Zeroizing::new([0; 32]);
        rng.fill_bytes(random.as_mut());
        let mut places = Zeroizing::new(Vec::with_capacity(2 * permutation.len()));
        permutation.iter().for_each(|place| places.extend(place.to_le_bytes()));
        let mut transcript = Transcript::new("fairdeal/shuffle/masks/v1", context);
        transcript.element("Y", key);
        transcript.bytes("C", &deck.hash());
        transcript.bytes("permutation", &places);
        transcript.bytes("random", random.as_ref());
        Self { seed: Zeroizing::new(transcript.output("seed")), drawn: 0 }
    }

    /// The next one.
    pub(super) fn scalar(&mut self) -> Scalar {
        let hash = Sha512::new().chain_update(self.seed.as_ref()).chain_update(self.drawn.to_le_bytes());
        self.drawn += 1;
        Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
    }

    /// The next ones.
    pub(super) fn scalars(&mut self, count: usize) -> Secrets {
        secrets((0..count).map(|_| self.scalar()))
    }
}

/// Collects into memory that is large enough from the start, because growing would leave copies behind.
pub(super) fn secrets(scalars: impl ExactSizeIterator<Item = Scalar>) -> Secrets {
    let mut secrets = Zeroizing::new(Vec::with_capacity(scalars.len()));
    secrets.extend(scalars);
    secrets
}
