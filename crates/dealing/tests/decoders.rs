//! For any bytes, every decoder returns a value or an error. A value encodes to exactly the bytes it came from,
//! and checking it does no harm.

use dealing::beacon::Contribution;
use dealing::dkg::{Ceremony, Complaint, Dealing, Group, Judgement};
use dealing::merkle::{Path, Root};
use dealing::{
    Ciphertext, Commitment, Context, Dealt, Deck, Element, Knowledge, Scalar, Sealed, SealedShares, Shares,
    ShuffleProof, Wire, decode, encode, verify_shuffle,
};
use proptest::prelude::*;

fn context() -> Context {
    Context::new([3; 32])
}

fn element(i: u8) -> Element {
    Element::hashed("test", &[&[i]])
}

/// The value of these bytes, if there is one.
fn read<T: Wire>(bytes: &[u8]) -> Option<T> {
    let value = decode::<T>(bytes).ok()?;
    assert_eq!(encode(&value), bytes);
    Some(value)
}

/// Passes the bytes to every decoder. Nothing that decodes may pass verification.
fn read_all(bytes: &[u8]) {
    let [public, base, to] = [element(1), element(2), element(3)];
    if let Some(proof) = read::<Knowledge>(bytes) {
        assert!(proof.verify(&context(), &public).is_err());
    }
    if let Some(shares) = read::<Shares>(bytes) {
        assert!(shares.verify(&context(), &public, &vec![base; shares.points.len()]).is_err());
    }
    if let Some(sealed) = read::<SealedShares>(bytes) {
        let cards = vec![Dealt { c1: base, to }; sealed.cards.len()];
        assert!(sealed.verify(&context(), &public, &cards).is_err());
    }
    if let Some(contribution) = read::<Contribution>(bytes) {
        assert!(contribution.verify(&context(), &public).is_err());
    }
    let ceremony = Ceremony::new(context(), 2, vec![public, base, to]).expect("a ceremony of three");
    if let Some(dealing) = read::<Dealing>(bytes) {
        assert!(ceremony.check(0, &dealing, &[]).is_err());
        assert!(ceremony.finish(&[(0, &dealing), (1, &dealing), (0, &dealing)]).is_err());
        let complaint = bytes.last_chunk::<128>().and_then(|bytes| read::<Complaint>(bytes));
        let judged = complaint.map(|complaint| ceremony.judge(1, 0, &dealing, &complaint));
        assert_ne!(judged, Some(Judgement::DealerGuilty));
    }
    if let Ok(proof) = ShuffleProof::from_bytes(bytes) {
        assert_eq!(proof.to_bytes(), bytes);
        let before = Deck::fresh(b"pack", 2).expect("a deck of two");
        let after = Deck::new(vec![Ciphertext { c1: base, c2: to }; 2]).expect("a deck of two");
        assert!(verify_shuffle(&context(), &public, &before, &after, &proof).is_err());
    }
    read::<Sealed>(bytes);
    read::<Commitment>(bytes);
    read::<Root>(bytes);
    read::<Path>(bytes);
    read::<Complaint>(bytes);
    read::<Group>(bytes);
    read::<Ciphertext>(bytes);
    read::<Deck>(bytes);
    read::<Element>(bytes);
    read::<Scalar>(bytes);
}

/// The building blocks of messages.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => (0..8_u8).prop_map(|i| element(i).bytes().to_vec()),
        8 => any::<u64>().prop_map(|number| Scalar::from(number).as_bytes().to_vec()),
        2 => (0..6_u16).prop_map(|count| count.to_le_bytes().to_vec()),
        1 => Just(vec![0; 32]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ]
}

fn points(count: usize) -> Vec<u8> {
    (0..).map(element).take(count).flat_map(|element| *element.bytes()).collect()
}

fn scalars(count: usize) -> Vec<u8> {
    (7_u8..).map(Scalar::from).take(count).flat_map(|scalar| *scalar.as_bytes()).collect()
}

fn count(count: u16) -> Vec<u8> {
    count.to_le_bytes().to_vec()
}

#[test]
fn every_decoder_accepts_well_formed_input() {
    fn takes<T: Wire>(bytes: &[u8]) {
        assert!(read::<T>(bytes).is_some(), "{}", core::any::type_name::<T>());
        read_all(bytes);
    }
    takes::<Knowledge>(&[points(1), scalars(1)].concat());
    takes::<Shares>(&[count(2), points(4), scalars(1)].concat());
    takes::<Sealed>(&points(2));
    takes::<SealedShares>(&[count(2), points(6), scalars(1), count(1), points(1), scalars(1)].concat());
    takes::<Contribution>(&[points(3), scalars(1)].concat());
    takes::<Complaint>(&[points(3), scalars(1)].concat());
    takes::<Group>(&[count(2), points(1), count(2), points(2)].concat());
    takes::<Ciphertext>(&points(2));
    takes::<Commitment>(&points(1));
    takes::<Root>(&points(1));
    takes::<Path>(&[count(3), points(3)].concat());
    takes::<Deck>(&[count(2), points(4)].concat());
    takes::<Element>(&points(1));
    takes::<Scalar>(&scalars(1));
    let proof = [points(1), scalars(1)].concat();
    takes::<Dealing>(&[count(2), points(3), count(3), scalars(3), proof.clone(), proof].concat());
    let shuffle = [points(8), scalars(3 * 2 + 2)].concat();
    assert!(ShuffleProof::from_bytes(&shuffle).is_ok());
    read_all(&shuffle);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..700)) {
        read_all(&bytes);
    }

    #[test]
    fn random_pieces_of_messages_do_no_harm(pieces in prop::collection::vec(piece(), 0..24)) {
        read_all(&pieces.concat());
    }
}
