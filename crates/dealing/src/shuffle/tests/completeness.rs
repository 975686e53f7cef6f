use super::*;
use crate::{Point, card_point};

#[test]
fn a_shuffle_of_any_size_proves_itself() {
    for cards in [2, 3, 4, 5, 52, 110, 312] {
        let case = Case::new(cards, 1);
        assert_eq!(case.verify(), Ok(()), "{cards} cards");
        assert_eq!(case.proof.to_bytes().len(), ShuffleProof::size(cards));
        assert_eq!(ShuffleProof::from_bytes(&case.proof.to_bytes()).as_ref(), Ok(&case.proof));
    }
}

#[test]
fn the_longest_deck_can_be_shuffled() {
    assert_eq!(Case::new(512, 1).verify(), Ok(()));
}

#[test]
fn proofs_are_as_short_as_promised() {
    for (cards, bytes) in [(52, 5_312), (110, 10_880), (312, 30_272)] {
        assert_eq!(ShuffleProof::size(cards), bytes);
    }
}

#[test]
fn place_i_gets_the_card_from_place_pi_of_i() {
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let fresh = Deck::fresh(b"pack", 5).unwrap();
    let permutation = Permutation::new(vec![3, 0, 4, 1, 2]).unwrap();
    let case = Case::of(Secret::random(rng), fresh, &permutation, rng);
    let opened: Vec<Point> = case.after.iter().map(|card| card.decrypt(&case.secret)).collect();
    assert_eq!(opened, [3, 0, 4, 1, 2].map(|i| *card_point(b"pack", i).point()));
}

#[test]
fn a_fresh_pack_can_be_left_in_order() {
    let rng = &mut ChaCha20Rng::seed_from_u64(3);
    let case = Case::of(Secret::random(rng), Deck::fresh(b"pack", 7).unwrap(), &Permutation::identity(7), rng);
    assert_eq!(case.verify(), Ok(()));
}

#[test]
fn open_and_closed_cards_can_be_shuffled_together() {
    let rng = &mut ChaCha20Rng::seed_from_u64(4);
    let secret = Secret::random(rng);
    let recycled: Vec<Ciphertext> = (0..13)
        .map(|i| {
            let card = card_point(b"pack", i);
            if i % 3 == 0 {
                Ciphertext::open(card)
            } else {
                Ciphertext::encrypt(&secret.public(), card.point(), &Secret::random(rng))
            }
        })
        .collect();
    let case = Case::of(secret, Deck::new(recycled).unwrap(), &Permutation::sample(13, rng), rng);
    assert_eq!(case.verify(), Ok(()));
}

#[test]
fn cards_of_equal_faces_can_be_shuffled() {
    let rng = &mut ChaCha20Rng::seed_from_u64(5);
    let secret = Secret::random(rng);
    let twins: Vec<Ciphertext> = (0..10).map(|i| Ciphertext::open(card_point(b"pack", i / 2))).collect();
    let case = Case::of(secret, Deck::new(twins).unwrap(), &Permutation::sample(10, rng), rng);
    assert_eq!(case.verify(), Ok(()));
    let case = Case::of(case.secret, case.after, &Permutation::sample(10, rng), rng);
    assert_eq!(case.verify(), Ok(()));
}

#[test]
fn two_shuffles_that_differ_only_in_randomness_have_nothing_in_common() {
    let rng = &mut ChaCha20Rng::seed_from_u64(6);
    let (secret, fresh) = (Secret::random(rng), Deck::fresh(b"pack", 4).unwrap());
    let cases = [(); 2].map(|()| Case::of(secret.clone(), fresh.clone(), &Permutation::identity(4), rng));
    let [one, two] = cases.map(|case| [crate::encode(&case.after)[2..].to_vec(), case.proof.to_bytes()].concat());
    for (i, (a, b)) in one.chunks(32).zip(two.chunks(32)).enumerate() {
        assert_ne!(a, b, "word {i}");
    }
}

#[test]
fn a_generator_that_repeats_itself_does_not_repeat_its_masks() {
    let rng = || ChaCha20Rng::seed_from_u64(8);
    let secret = Secret::random(&mut rng());
    let fresh = Deck::fresh(b"pack", 4).unwrap();
    let prove = |context: &Context, deck: &Deck, permutation: Vec<u16>| {
        let permutation = Permutation::new(permutation).unwrap();
        let (after, proof) = shuffle(context, &secret.public(), deck, &permutation, &mut rng()).unwrap();
        [crate::encode(&after)[2..].to_vec(), proof.to_bytes()].concat()
    };
    let one = prove(&context(), &fresh, vec![0, 1, 2, 3]);
    assert_eq!(one, prove(&context(), &fresh, vec![0, 1, 2, 3]), "the same again");
    for other in [
        prove(&context().height(5), &fresh, vec![0, 1, 2, 3]),
        prove(&context(), &Deck::fresh(b"other", 4).unwrap(), vec![0, 1, 2, 3]),
        prove(&context(), &fresh, vec![0, 1, 3, 2]),
    ] {
        for (i, (a, b)) in one.chunks(32).zip(other.chunks(32)).enumerate() {
            assert_ne!(a, b, "word {i}");
        }
    }
}

#[test]
fn a_shuffle_that_makes_no_sense_is_not_begun() {
    let rng = &mut ChaCha20Rng::seed_from_u64(7);
    let fresh = Deck::fresh(b"pack", 4).unwrap();
    let key = Secret::random(rng).public();
    let none = Element::identity();
    assert_eq!(shuffle(&context(), &none, &fresh, &Permutation::identity(4), rng).err(), Some(ShuffleError::Key));
    for len in [0, 3, 5] {
        assert_eq!(
            shuffle(&context(), &key, &fresh, &Permutation::identity(len), rng).err(),
            Some(ShuffleError::Length { permutation: usize::from(len), deck: 4 })
        );
    }
}
