//! For any bytes, every decoder of a dealing message returns a value or an error. A value encodes to exactly
//! the bytes it came from, and checking it does no harm.
#![no_main]

use dealers::joint::Message;
use dealing::beacon::{self, Contribution};
use dealing::dkg::{Ceremony, Complaint, Dealing, Group, id};
use dealing::merkle::{Leaf, Path, Root};
use dealing::{
    Ciphertext, Commitment, Context, Dealt, Deck, Element, HandKey, Knowledge, Scalar, SealedShares, Secret, Shares,
    ShuffleProof, Wire, decode, encode, sealed_sum, verify_shuffle,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((which, bytes)) = input.split_first() else { return };
    let context = Context::new([3; 32]);
    let [public, base, to] = [1_u8, 2, 3].map(|i| Element::base(&Scalar::from(i)));
    let key = Secret::new(Scalar::from(3_u8));
    match which % 16 {
        0 => read::<Element, _>(bytes, |_| ()),
        1 => read::<Scalar, _>(bytes, |_| ()),
        2 => read::<Ciphertext, _>(bytes, |card| card.decrypt(&key)),
        3 => read::<Deck, _>(bytes, |deck| deck.hash()),
        4 => read::<Knowledge, _>(bytes, |proof| proof.verify(&context, &public)),
        5 => read::<Shares, _>(bytes, |shares| {
            let _ = shares.verify(&context, &public, &vec![base; shares.points.len()]);
            assert!(shares.verify(&context, &public, &vec![base; shares.points.len() + 1]).is_err());
        }),
        6 => read::<SealedShares, _>(bytes, |sealed| {
            // All cards for one player, or for two in turn.
            let cards = |others: Element| {
                let owners = [to, others].into_iter().cycle().take(sealed.cards.len());
                owners.map(|to| Dealt { c1: base, to }).collect::<Vec<_>>()
            };
            let _ = sealed.verify(&context, &public, &cards(to));
            let _ = sealed.verify(&context, &public, &cards(public));
            assert!(sealed.verify(&context, &public, cards(to).get(1..).unwrap_or_default()).is_err());
            for one in &sealed.cards {
                one.open(&key);
                assert!(sealed_sum(&[(1, one), (2, one)]).is_some());
            }
        }),
        7 => read::<Contribution, _>(bytes, |contribution| {
            let _ = contribution.verify(&context, &public);
            assert!(beacon::output(&context, 1, &[(id(0), contribution)]).is_some());
        }),
        8 => read::<Dealing, _>(bytes, |dealing| {
            let _ = ceremony([public, base, to]).check(0, dealing, &[]);
            let _ = ceremony([public, base, to]).finish(&[(0, dealing), (1, dealing)]);
        }),
        9 => read::<Complaint, _>(bytes, |_| ()),
        10 => read::<Group, _>(bytes, |group| HandKey::new(&context, b"salt").group(group)),
        11 => {
            // A dealing, and then a complaint about it.
            let Some((dealing, complaint)) = bytes.split_last_chunk::<128>() else { return };
            let (Ok(dealing), Ok(complaint)) = (decode::<Dealing>(dealing), decode::<Complaint>(complaint)) else {
                return;
            };
            let _ = ceremony([public, base, to]).judge(1, 0, &dealing, &complaint);
        }
        12 => {
            let Ok(proof) = ShuffleProof::from_bytes(bytes) else { return };
            assert_eq!(proof.to_bytes(), bytes);
            let cards = u16::try_from(proof.cards()).expect("no more cards than a deck has");
            let before = Deck::fresh(b"pack", cards).expect("as many cards as a deck has");
            let after = Deck::new(vec![Ciphertext { c1: base, c2: to }; proof.cards()]).expect("the same");
            let _ = verify_shuffle(&context, &public, &before, &after, &proof);
        }
        13 => read::<Path, _>(bytes, |path| {
            let leaf = Leaf { salt: &[1; 32], value: bytes };
            assert!((1..=bytes.len()).all(|count| !Root([2; 32]).holds(&[3; 32], count, count / 2, &leaf, path)));
        }),
        14 => read::<Commitment, _>(bytes, |_| ()),
        _ => read::<Message, _>(bytes, |message| message.place.kind()),
    }
});

fn ceremony(keys: [Element; 3]) -> Ceremony {
    Ceremony::new(Context::new([3; 32]), 2, keys.to_vec()).expect("a ceremony of three")
}

fn read<T: Wire, R>(bytes: &[u8], check: impl FnOnce(&T) -> R) {
    if let Ok(value) = decode::<T>(bytes) {
        assert_eq!(encode(&value), bytes, "two encodings of one value");
        check(&value);
    }
}
