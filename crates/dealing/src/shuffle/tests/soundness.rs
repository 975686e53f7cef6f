use super::masks::Masks;
use super::prove::{prove, reencrypt};
use super::*;
use crate::{Scalar, card_point};

/// The best proof a liar can make: the honest procedure with a false statement.
fn lie(case: &Case, permutation: &Permutation, rho: &[Scalar], after: Deck) -> Case {
    let rng = &mut ChaCha20Rng::seed_from_u64(20);
    let masks = &mut Masks::new(&case.context, &case.key, &case.before, permutation, rng);
    let proof = prove(&case.context, &case.key, &case.before, &after, permutation, rho, masks);
    Case { after, proof, ..case.clone() }
}

fn random(count: usize, rng: &mut ChaCha20Rng) -> Vec<Scalar> {
    (0..count).map(|_| Scalar::random(rng)).collect()
}

#[test]
fn a_card_twice_and_another_not_at_all_is_refused() {
    let case = Case::new(5, 10);
    let rng = &mut ChaCha20Rng::seed_from_u64(11);
    let rho = random(5, rng);
    for forged in [vec![0, 1, 2, 3, 3], vec![4, 4, 4, 4, 4], vec![1, 0, 2, 2, 4]] {
        let forged = Permutation::forged(forged);
        let after = reencrypt(&case.key, &case.before, &forged, &rho);
        assert_eq!(lie(&case, &forged, &rho, after).verify(), Err(BadShuffle::Proof));
    }
}

#[test]
fn a_card_twice_under_an_honest_permutation_is_refused() {
    let case = Case::new(5, 12);
    let rho = random(5, &mut ChaCha20Rng::seed_from_u64(13));
    let honest = Permutation::identity(5);
    let after = reencrypt(&case.key, &case.before, &Permutation::forged(vec![0, 1, 2, 3, 3]), &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Proof));
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Ok(()), "the liar's procedure is the honest one");
}

#[test]
fn a_card_from_elsewhere_is_refused() {
    let case = Case::new(5, 14);
    let rng = &mut ChaCha20Rng::seed_from_u64(15);
    let rho = random(5, rng);
    let honest = Permutation::sample(5, rng);
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    for place in 0..5 {
        let joker = Ciphertext::encrypt(&case.key, card_point(b"pack", 77).point(), &Secret::random(rng));
        let after = with(&after, |cards| cards[place] = joker);
        assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Proof), "place {place}");
    }
}

#[test]
fn a_card_with_one_wrong_half_is_refused() {
    let case = Case::new(5, 33);
    let rng = &mut ChaCha20Rng::seed_from_u64(34);
    let (rho, honest) = (random(5, rng), Permutation::sample(5, rng));
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    let wrong = Secret::random(rng).public();
    let first = with(&after, |cards| cards[2].c1 = wrong);
    assert_eq!(lie(&case, &honest, &rho, first).verify(), Err(BadShuffle::Proof));
    let second = with(&after, |cards| cards[2].c2 = wrong);
    assert_eq!(lie(&case, &honest, &rho, second).verify(), Err(BadShuffle::Proof));
}

#[test]
fn a_card_under_another_key_is_refused() {
    let case = Case::new(5, 16);
    let rng = &mut ChaCha20Rng::seed_from_u64(17);
    let (rho, honest, other) = (random(5, rng), Permutation::identity(5), Secret::random(rng).public());
    let after = reencrypt(&other, &case.before, &honest, &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Proof));
}

#[test]
fn outputs_exchanged_after_the_proof_are_refused() {
    let case = Case::new(4, 18);
    for (i, j) in [(0, 1), (0, 3), (2, 3)] {
        let case = Case { after: with(&case.after, |cards| cards.swap(i, j)), ..case.clone() };
        assert_eq!(case.verify(), Err(BadShuffle::Proof), "{i} and {j}");
    }
}

#[test]
fn a_proof_holds_only_in_its_own_context() {
    let case = Case::new(4, 19);
    let Context { session, height, deck, step, author } = case.context;
    let mut other = session;
    other[31] ^= 1;
    for context in [
        Context { session: other, ..case.context },
        case.context.height(height + 1),
        case.context.deck(deck + 1),
        case.context.step(step + 1),
        case.context.author(author + 1),
        Context { deck: step, step: deck, ..case.context },
    ] {
        assert_eq!(Case { context, ..case.clone() }.verify(), Err(BadShuffle::Proof), "{context:?}");
    }
}

#[test]
fn a_proof_holds_only_for_its_own_key_and_decks() {
    let case = Case::new(4, 21);
    let another = Case::new(4, 22);
    let refused = Err(BadShuffle::Proof);
    assert_eq!(Case { key: another.key, ..case.clone() }.verify(), refused);
    assert_eq!(Case { before: another.before.clone(), ..case.clone() }.verify(), refused);
    assert_eq!(Case { after: another.after.clone(), ..case.clone() }.verify(), refused);
    assert_eq!(Case { proof: another.proof.clone(), ..case.clone() }.verify(), refused);
    let turned = |deck: &Deck| with(deck, |cards| cards.reverse());
    assert_eq!(Case { before: turned(&case.before), ..case.clone() }.verify(), refused);
    assert_eq!(Case { before: turned(&case.before), after: turned(&case.after), ..case.clone() }.verify(), refused);
    // Back from the output to the input.
    assert_eq!(Case { before: case.after.clone(), after: case.before.clone(), ..case }.verify(), refused);
}

#[test]
fn every_half_of_every_card_is_bound() {
    let case = Case::new(3, 23);
    let nudged = |element: &mut Element| *element = (element.point() + card_point(b"x", 0).point()).into();
    for place in 0..3 {
        for first in [true, false] {
            let change = |cards: &mut Vec<Ciphertext>| {
                let Ciphertext { c1, c2 } = &mut cards[place];
                nudged(if first { c1 } else { c2 });
            };
            let before = with(&case.before, change);
            assert_eq!(Case { before, ..case.clone() }.verify(), Err(BadShuffle::Proof));
            let after = with(&case.after, change);
            assert_eq!(Case { after, ..case.clone() }.verify(), Err(BadShuffle::Proof));
        }
    }
}

#[test]
fn the_neutral_element_is_not_a_key() {
    let case = Case::new(4, 24);
    assert_eq!(Case { key: Element::identity(), ..case }.verify(), Err(BadShuffle::Key));
}

#[test]
fn decks_and_proofs_of_other_lengths_are_refused() {
    let (four, five) = (Case::new(4, 25), Case::new(5, 26));
    let refused = Err(BadShuffle::Length);
    assert_eq!(Case { before: five.before.clone(), ..four.clone() }.verify(), refused);
    assert_eq!(Case { after: five.after.clone(), ..four.clone() }.verify(), refused);
    assert_eq!(Case { proof: five.proof.clone(), ..four.clone() }.verify(), refused);
    assert_eq!(Case { before: five.before, after: five.after, ..four }.verify(), refused);
}

#[test]
fn a_card_that_was_not_re_encrypted_is_refused_though_its_proof_holds() {
    let case = Case::new(5, 27);
    let honest = Permutation::new(vec![4, 3, 2, 1, 0]).unwrap();
    let mut rho = random(5, &mut ChaCha20Rng::seed_from_u64(28));
    rho[1] = Scalar::ZERO;
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Stale { place: 1 }));
}

#[test]
fn a_card_that_stays_open_is_refused_though_its_proof_holds() {
    let fresh = Deck::fresh(b"pack", 5).unwrap();
    let case = Case { before: fresh, ..Case::new(5, 29) };
    let mut rho = random(5, &mut ChaCha20Rng::seed_from_u64(30));
    rho[3] = Scalar::ZERO;
    let honest = Permutation::identity(5);
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Open { place: 3 }));
}

#[test]
fn two_cards_with_the_same_randomness_are_refused_though_their_proof_holds() {
    let fresh = Deck::fresh(b"pack", 5).unwrap();
    let case = Case { before: fresh, ..Case::new(5, 31) };
    let mut rho = random(5, &mut ChaCha20Rng::seed_from_u64(32));
    rho[4] = rho[2];
    let honest = Permutation::identity(5);
    let after = reencrypt(&case.key, &case.before, &honest, &rho);
    assert_eq!(lie(&case, &honest, &rho, after).verify(), Err(BadShuffle::Stale { place: 4 }));
}
