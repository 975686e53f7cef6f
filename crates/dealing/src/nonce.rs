//! Secret randomness of provers.

use rand::CryptoRng;
use zeroize::Zeroizing;

use crate::{Secret, Transcript};

/// A fresh secret for a proof: hashed from everything said so far, what is to be kept secret, and the
/// generator. Two proofs with one nonce give the secret away, so a generator that repeats itself (say,
/// after a restart from an old state) must not be enough for that: here the two would have to say the same.
pub(crate) fn nonce(transcript: &Transcript, secret: &Secret, rng: &mut impl CryptoRng) -> Secret {
    let mut random = Zeroizing::new([0; 32]);
    rng.fill_bytes(random.as_mut());
    let mut transcript = transcript.clone();
    transcript.scalar("secret", secret.scalar());
    transcript.bytes("random", random.as_ref());
    Secret::new(transcript.challenge("nonce"))
}
