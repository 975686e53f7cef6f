use proptest::prelude::*;

use super::*;
use crate::{Malformed, Reader};

/// The order of the group, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Whether the case is accepted with this proof.
fn accepted(case: &Case, bytes: &[u8]) -> bool {
    let proof = ShuffleProof::from_bytes(bytes);
    proof.is_ok_and(|proof| Case { proof, ..case.clone() }.verify().is_ok())
}

/// The proof with one word of 32 bytes replaced.
fn replaced(bytes: &[u8], word: usize, with: &[u8; 32]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[32 * word..32 * (word + 1)].copy_from_slice(with);
    bytes
}

#[test]
fn a_proof_with_any_byte_changed_is_refused() {
    let case = Case::new(3, 40);
    let bytes = case.proof.to_bytes();
    assert!(accepted(&case, &bytes));
    for at in 0..bytes.len() {
        for bit in [0x01, 0x80] {
            let mut bytes = bytes.clone();
            bytes[at] ^= bit;
            assert!(!accepted(&case, &bytes), "byte {at}, bit {bit:#x}");
        }
    }
}

#[test]
fn a_proof_of_52_cards_with_a_byte_of_any_word_changed_is_refused() {
    let case = Case::new(52, 41);
    let bytes = case.proof.to_bytes();
    for word in 0..bytes.len() / 32 {
        let mut bytes = bytes.clone();
        bytes[32 * word + word % 31] ^= 4;
        assert!(!accepted(&case, &bytes), "word {word}");
    }
}

#[test]
fn a_proof_that_is_too_short_or_too_long_is_refused() {
    let case = Case::new(3, 42);
    let bytes = case.proof.to_bytes();
    for len in 0..bytes.len() {
        assert_eq!(ShuffleProof::read_for(3, &mut Reader::new(&bytes[..len])), Err(Malformed::Short), "{len}");
        assert!(!accepted(&case, &bytes[..len]), "{len}");
    }
    for more in [1, 31, 32, 64] {
        assert_eq!(ShuffleProof::from_bytes(&[&bytes[..], &vec![0; more]].concat()), Err(Malformed::Trailing));
    }
    // Three words more or less are a proof for another number of cards.
    assert!(ShuffleProof::from_bytes(&bytes[..bytes.len() - 96]).is_ok());
    assert!(!accepted(&case, &[&bytes[..], &[0; 96]].concat()));
    let length = Err(Malformed::Length { least: 2, most: 512 });
    for cards in [0, 1, 513, 600] {
        assert_eq!(ShuffleProof::from_bytes(&vec![0; ShuffleProof::size(cards)]), length, "{cards}");
        assert_eq!(ShuffleProof::read_for(cards, &mut Reader::new(&[0; 64])), length, "{cards}");
    }
    assert_eq!(ShuffleProof::read_for(u16::MAX, &mut Reader::new(&[])), length);
}

#[test]
fn a_proof_is_read_for_the_requested_number_of_cards() {
    let proof = Case::new(3, 43).proof;
    let bytes = [proof.to_bytes(), vec![7; 5]].concat();
    let mut reader = Reader::new(&bytes);
    assert_eq!(ShuffleProof::read_for(3, &mut reader), Ok(proof));
    assert_eq!(reader.take(5), Ok(&[7; 5][..]), "the bytes after it are left alone");
    assert!(ShuffleProof::read_for(4, &mut Reader::new(&bytes)).is_err());
}

#[test]
fn points_that_are_neutral_or_not_canonical_are_refused() {
    let bytes = Case::new(3, 44).proof.to_bytes();
    // Zero and one plus the field's prime, a negative element, and one that is not on the curve.
    let mut zero = [0xff; 32];
    (zero[0], zero[31]) = (0xed, 0x7f);
    let mut one = zero;
    one[0] = 0xee;
    let mut negative = [0; 32];
    negative[0] = 1;
    for word in 0..8 {
        assert_eq!(ShuffleProof::from_bytes(&replaced(&bytes, word, &[0; 32])), Err(Malformed::Identity), "{word}");
        for bad in [zero, one, negative, [0xff; 32]] {
            assert_eq!(ShuffleProof::from_bytes(&replaced(&bytes, word, &bad)), Err(Malformed::Point), "{word}");
        }
        let mut high: [u8; 32] = bytes[32 * word..32 * (word + 1)].try_into().unwrap();
        high[31] |= 0x80;
        assert_eq!(ShuffleProof::from_bytes(&replaced(&bytes, word, &high)), Err(Malformed::Point), "{word}");
    }
}

#[test]
fn scalars_that_are_not_reduced_are_refused() {
    let bytes = Case::new(3, 45).proof.to_bytes();
    for word in 8..bytes.len() / 32 {
        // The same scalar, plus the order of the group.
        let mut carry = 0;
        let mut sum = [0; 32];
        for (i, digit) in sum.iter_mut().enumerate() {
            let [low, high] = (u16::from(bytes[32 * word + i]) + u16::from(ORDER[i]) + carry).to_le_bytes();
            (*digit, carry) = (low, high.into());
        }
        for bad in [sum, ORDER, [0xff; 32]] {
            assert_eq!(ShuffleProof::from_bytes(&replaced(&bytes, word, &bad)), Err(Malformed::Scalar), "{word}");
        }
    }
}

#[test]
fn a_proof_with_two_words_exchanged_is_refused() {
    let case = Case::new(3, 46);
    let bytes = case.proof.to_bytes();
    for i in 0..bytes.len() / 32 {
        for j in 0..i {
            let mut words: Vec<&[u8]> = bytes.chunks(32).collect();
            words.swap(i, j);
            assert!(!accepted(&case, &words.concat()), "{i} and {j}");
        }
    }
}

#[test]
fn a_response_of_zero_proves_nothing() {
    let case = Case::new(3, 47);
    let bytes = case.proof.to_bytes();
    for word in 8..bytes.len() / 32 {
        assert!(!accepted(&case, &replaced(&bytes, word, &[0; 32])), "{word}");
    }
    let zeros = [&bytes[..256], &vec![0; bytes.len() - 256]].concat();
    assert!(!accepted(&case, &zeros));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_mutation_of_a_proof_is_accepted(changes in prop::collection::vec((0..704usize, 1..=255u8), 1..6)) {
        let case = Case::new(4, 48);
        let mut bytes = case.proof.to_bytes();
        changes.iter().for_each(|(at, by)| bytes[*at] ^= by);
        prop_assert!(bytes == case.proof.to_bytes() || !accepted(&case, &bytes));
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000), cards: u16) {
        let read = ShuffleProof::read_for(cards, &mut Reader::new(&bytes));
        prop_assert!(read.is_err(), "random bytes are not points");
        if let Ok(proof) = ShuffleProof::from_bytes(&bytes) {
            prop_assert_eq!(proof.to_bytes(), bytes);
        }
    }
}
