//! Helpers for the tests of all messages.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};

use crate::{Context, Element, Secret, Wire, decode, encode};

/// The same random numbers in every run.
pub(crate) fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Some context.
pub(crate) fn here() -> Context {
    Context::new([9; 32]).height(5).deck(2).step(1).author(3)
}

/// Contexts that differ from [`here`] in one field each.
pub(crate) fn elsewhere() -> [Context; 5] {
    let here = here();
    [Context { session: [8; 32], ..here }, here.height(6), here.deck(3), here.step(2), here.author(4)]
}

/// Elements without known relations.
pub(crate) fn elements<const N: usize>() -> [Element; N] {
    core::array::from_fn(|i| Element::hashed("test", &[&i.to_le_bytes()]))
}

/// Secrets.
pub(crate) fn secrets<const N: usize>(rng: &mut ChaCha8Rng) -> [Secret; N] {
    core::array::from_fn(|_| Secret::random(rng))
}

/// The first bytes of the hash of an encoding.
pub(crate) fn fingerprint(value: &impl Wire) -> String {
    Sha256::digest(encode(value)).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Changes an encoding in many ways, and requires that the decoder or `accepts` refuses each: every bit
/// flipped, cut short anywhere, something added, and every field (32 bytes at these places) replaced by the
/// neutral element or zero, by one, by something not canonical, by the base point, and by every other field.
pub(crate) fn refuses_all_changes<T: Wire>(value: &T, fields: &[usize], accepts: impl Fn(&T) -> bool) {
    let honest = encode(value);
    let back: T = decode(&honest).expect("an encoding can be decoded");
    assert_eq!(encode(&back), honest);
    assert!(accepts(value) && accepts(&back), "it is accepted unchanged");
    assert_eq!(honest.len(), 32 * fields.len() + honest.len() % 32, "every field is named");

    let refused = |changed: &[u8], how: &str| {
        if changed == honest {
            return;
        }
        if let Ok(value) = decode::<T>(changed) {
            assert_eq!(encode(&value), changed, "two encodings of one value: {how}");
            assert!(!accepts(&value), "accepted: {how}");
        }
    };
    for len in 0..honest.len() {
        assert!(decode::<T>(&honest[..len]).is_err(), "cut to {len} bytes");
    }
    for tail in [&[0; 1][..], &[0; 32], &honest] {
        assert!(decode::<T>(&[&honest, tail].concat()).is_err(), "with {} bytes more", tail.len());
    }
    for bit in 0..honest.len() * 8 {
        let mut changed = honest.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        refused(&changed, &format!("bit {bit} flipped"));
    }
    let mut put = vec![[0; 32], *Element::base(&crate::Scalar::ONE).bytes(), [0xff; 32]];
    put.push(*crate::Scalar::ONE.as_bytes());
    put.push(order());
    put.extend(fields.iter().map(|at| <[u8; 32]>::try_from(&honest[*at..at + 32]).unwrap()));
    for at in fields {
        for bytes in &put {
            let mut changed = honest.clone();
            changed[*at..at + 32].copy_from_slice(bytes);
            refused(&changed, &format!("{bytes:02x?} at {at}"));
        }
        for other in fields {
            let mut changed = honest.clone();
            for i in 0..32 {
                changed.swap(at + i, other + i);
            }
            refused(&changed, &format!("the fields at {at} and {other} exchanged"));
        }
        for add in [1, 2, 255] {
            let mut changed = honest.clone();
            changed[*at] = changed[*at].wrapping_add(add);
            refused(&changed, &format!("{add} added at {at}"));
        }
    }
}

/// The order of the group: the smallest number that is not a reduced scalar.
fn order() -> [u8; 32] {
    let mut order = (-crate::Scalar::ONE).to_bytes();
    order[0] += 1;
    order
}
