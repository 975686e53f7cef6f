use super::*;
use crate::{Context, Deck, Permutation, Secret};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

#[test]
fn a_shuffle_proves_itself() {
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    for n in [2, 3, 5, 52] {
        let (context, key) = (Context::new([1; 32]), Secret::random(rng).public());
        let first = Deck::fresh(b"pack", n).unwrap();
        let (second, proof) = shuffle(&context, &key, &first, &Permutation::sample(n, rng), rng).unwrap();
        assert_eq!(verify_shuffle(&context, &key, &first, &second, &proof), Ok(()), "{n}");
        let (third, proof2) = shuffle(&context, &key, &second, &Permutation::sample(n, rng), rng).unwrap();
        let bytes = proof2.to_bytes();
        assert_eq!(bytes.len(), ShuffleProof::size(n));
        assert_eq!(ShuffleProof::from_bytes(&bytes).unwrap(), proof2);
        let steps = [Step { context, deck: &second, proof: &proof }, Step { context, deck: &third, proof: &proof2 }];
        assert_eq!(verify_chain(&key, &first, &steps), Ok(()), "{n}");
    }
}
