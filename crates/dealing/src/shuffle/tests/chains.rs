use super::chain::{Challenges, equations_hold, weights};
use super::*;
use crate::Scalar;

/// A chain of shuffles as a checker receives it.
#[derive(Clone)]
struct Chain {
    key: Element,
    first: Deck,
    steps: Vec<(Context, Deck, ShuffleProof)>,
}

impl Chain {
    fn new(cards: u16, len: u16, seed: u64) -> Self {
        let rng = &mut ChaCha20Rng::seed_from_u64(seed);
        let key = Secret::random(rng).public();
        let first = Deck::fresh(b"pack", cards).unwrap();
        let mut steps: Vec<(Context, Deck, ShuffleProof)> = Vec::new();
        for author in 0..len {
            let context = context().step(author.into()).author(author);
            let before = steps.last().map_or(&first, |(_, deck, _)| deck);
            let (after, proof) = shuffle(&context, &key, before, &Permutation::sample(cards, rng), rng).unwrap();
            steps.push((context, after, proof));
        }
        Self { key, first, steps }
    }

    fn steps(&self) -> Vec<Step<'_>> {
        self.steps.iter().map(|(context, deck, proof)| Step { context: *context, deck, proof }).collect()
    }

    fn verify(&self) -> Result<(), (usize, BadShuffle)> {
        verify_chain(&self.key, &self.first, &self.steps())
    }

    /// The challenges and hashes of its steps.
    fn draw(&self) -> (Vec<Challenges>, Vec<[u8; 64]>) {
        let befores = std::iter::once(&self.first).chain(self.steps.iter().map(|(_, deck, _)| deck));
        befores.zip(&self.steps()).map(|(before, step)| Challenges::draw(&self.key, before, step)).unzip()
    }

    /// Whether it would pass with these weights.
    fn passes_with(&self, weights: impl FnMut() -> [Scalar; 5]) -> bool {
        equations_hold(&self.key, &self.first, &self.steps(), &self.draw().0, weights)
    }

    fn passes_unweighted(&self) -> bool {
        self.passes_with(|| [Scalar::ONE; 5])
    }
}

#[test]
fn chains_of_any_length_hold() {
    for len in [0, 1, 2, 3, 7, 16] {
        assert_eq!(Chain::new(5, len, 60).verify(), Ok(()), "{len} steps");
    }
    assert_eq!(Chain::new(52, 6, 61).verify(), Ok(()));
}

#[test]
fn the_bad_step_is_named_wherever_it_is() {
    let chain = Chain::new(4, 5, 62);
    for bad in 0..5 {
        let mut chain = chain.clone();
        chain.steps[bad].2.tau += Scalar::ONE;
        assert_eq!(chain.verify(), Err((bad, BadShuffle::Proof)));
    }
}

#[test]
fn the_first_of_several_bad_steps_is_named() {
    let mut chain = Chain::new(4, 5, 63);
    chain.steps[4].2.r += Scalar::ONE;
    chain.steps[1].2.s += Scalar::ONE;
    assert_eq!(chain.verify(), Err((1, BadShuffle::Proof)));
    // Also if a later step fails before its equations are checked.
    chain.steps[3].1 = Deck::fresh(b"pack", 4).unwrap();
    assert_eq!(chain.verify(), Err((1, BadShuffle::Proof)));
}

#[test]
fn a_step_with_an_unrelated_deck_is_named() {
    let chain = Chain::new(4, 4, 64);
    for bad in 0..4 {
        let mut chain = chain.clone();
        chain.steps[bad].1 = Chain::new(4, 1, 65).steps.remove(0).1;
        assert_eq!(chain.verify(), Err((bad, BadShuffle::Proof)));
        chain.steps[bad].1 = Deck::fresh(b"pack", 4).unwrap();
        assert_eq!(chain.verify(), Err((bad, BadShuffle::Open { place: 0 })));
        chain.steps[bad].1 = Deck::fresh(b"pack", 5).unwrap();
        assert_eq!(chain.verify(), Err((bad, BadShuffle::Length)));
    }
}

#[test]
fn steps_cannot_be_left_out_repeated_or_exchanged() {
    let chain = Chain::new(4, 4, 66);
    let mut without = chain.clone();
    without.steps.remove(1);
    assert_eq!(without.verify(), Err((1, BadShuffle::Proof)));
    let mut twice = chain.clone();
    twice.steps.insert(2, chain.steps[1].clone());
    assert_eq!(twice.verify(), Err((2, BadShuffle::Stale { place: 0 })));
    let mut exchanged = chain.clone();
    exchanged.steps.swap(1, 2);
    assert_eq!(exchanged.verify(), Err((1, BadShuffle::Proof)));
    let mut proofs = chain;
    let proof = proofs.steps[0].2.clone();
    proofs.steps[0].2 = std::mem::replace(&mut proofs.steps[3].2, proof);
    assert_eq!(proofs.verify(), Err((0, BadShuffle::Proof)));
}

#[test]
fn a_chain_without_a_key_names_its_first_step() {
    let chain = Chain { key: Element::identity(), ..Chain::new(4, 3, 67) };
    assert_eq!(chain.verify(), Err((0, BadShuffle::Key)));
}

#[test]
fn errors_that_cancel_each_other_out_are_seen_in_one_proof() {
    let mut chain = Chain::new(4, 1, 68);
    let (_, _, proof) = &mut chain.steps[0];
    proof.r += Scalar::from(5u8);
    proof.s -= Scalar::from(5u8);
    assert!(chain.passes_unweighted(), "without weights the lie would pass");
    assert_eq!(chain.verify(), Err((0, BadShuffle::Proof)));
}

#[test]
fn errors_that_cancel_each_other_out_are_seen_across_steps() {
    let mut chain = Chain::new(4, 3, 69);
    chain.steps[0].2.tau += Scalar::from(5u8);
    chain.steps[2].2.tau -= Scalar::from(5u8);
    assert!(chain.passes_unweighted(), "without weights the lie would pass");
    assert_eq!(chain.verify(), Err((0, BadShuffle::Proof)));
}

#[test]
fn a_lie_made_for_known_weights_is_checked_under_others() {
    for lying in [0, 1] {
        let mut chain = Chain::new(4, 2, 71);
        let known = chain.draw().1;
        let mut drawn = weights(&known);
        let [w1, w2, ..] = [drawn(), drawn()][lying];
        chain.steps[lying].2.r += w2;
        chain.steps[lying].2.s -= w1;
        assert!(chain.passes_with(weights(&known)), "with the weights of the honest chain the lie would pass");
        assert_eq!(chain.verify(), Err((lying, BadShuffle::Proof)));
    }
}

#[test]
fn weights_depend_on_every_response() {
    let chain = Chain::new(3, 1, 70);
    let end = |chain: &Chain| chain.draw().1;
    let bytes = chain.steps[0].2.to_bytes();
    for word in 8..bytes.len() / 32 {
        let mut bytes = bytes.clone();
        bytes[32 * word] ^= 1;
        let mut other = chain.clone();
        other.steps[0].2 = ShuffleProof::from_bytes(&bytes).unwrap();
        assert_ne!(end(&chain), end(&other), "word {word}");
    }
}
