//! Secret randomness of provers.

use rand::CryptoRng;
use zeroize::Zeroizing;

use crate::{Secret, Transcript};

/// A fresh secret for a proof: hashed from the transcript so far, the secret and the generator. Two proofs with
/// the same nonce would reveal the secret. A generator that repeats itself (say, after a restart from an old
/// state) is not enough for that: the transcripts would have to be the same, too.
pub(crate) fn nonce(transcript: &Transcript, secret: &Secret, rng: &mut impl CryptoRng) -> Secret {
    let mut random = Zeroizing::new([0; 32]);
    rng.fill_bytes(random.as_mut());
    let mut transcript = transcript.clone();
    transcript.scalar("secret", secret.scalar());
    transcript.bytes("random", random.as_ref());
    Secret::new(transcript.challenge("nonce"))
}
