//! Keys and signatures against published vectors.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::secret;
use results::protected::{self, Fresh, Locked};
use results::{BadKey, Callsign, Claim, KeyKind, Public, Secret, Signature, verify_all};
use table::record::unhex;

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    unhex(&text.to_lowercase()).unwrap().try_into().unwrap()
}

#[test]
fn signatures_are_those_of_bip_340() {
    let (mut made, mut checked) = (0, 0);
    for line in include_str!("data/bip340.csv").lines().skip(2) {
        let [index, secret, public, aux, message, signature, valid] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (message, signature) = (bytes(message), Signature(bytes(signature)));
        if !secret.is_empty() {
            let secret = Secret::from_bytes(&bytes(secret)).unwrap();
            assert_eq!(secret.public().hex(), public.to_lowercase(), "{index}");
            assert_eq!(secret.sign(&message, &bytes(aux)), signature, "{index}");
            made += 1;
        }
        let key = Public::from_bytes(bytes(public));
        let right = key.is_ok_and(|key| key.verify(&message, &signature));
        assert_eq!(right, valid == "TRUE", "{index}");
        checked += 1;
    }
    assert_eq!((made, checked), (4, 15));
}

#[test]
fn many_signatures_at_once_are_judged_as_one_by_one() {
    for count in [0, 1, 40, 47, 48, 97, 300] {
        let mut claims: Vec<Claim> = (0..count)
            .map(|n: u32| {
                let mut hash = [0; 32];
                hash[..4].copy_from_slice(&n.to_le_bytes());
                let signer = secret(1 + u8::try_from(n % 5).unwrap());
                Claim { by: signer.public(), hash, signature: signer.sign(&hash, &[3; 32]) }
            })
            .collect();
        assert!(verify_all(&claims).iter().all(|right| *right), "{count}");
        // Wrong ones of every kind: r, s, no number, no point, another hash, another key.
        let wrong: Vec<usize> = [3, 8, 17, 18, 39, 46].into_iter().filter(|n| *n < claims.len()).collect();
        for (kind, index) in wrong.iter().enumerate() {
            let claim = &mut claims[*index];
            match kind {
                0 => claim.signature.0[0] ^= 1,
                1 => claim.signature.0[63] ^= 1,
                2 => claim.signature.0[32..].fill(0xff),
                3 => claim.signature.0[..32].fill(0xff),
                4 => claim.hash[31] ^= 1,
                _ => claim.by = secret(9).public(),
            }
        }
        let expected: Vec<bool> = (0..claims.len()).map(|index| !wrong.contains(&index)).collect();
        assert_eq!(verify_all(&claims), expected, "{count}");
        let single: Vec<bool> = claims.iter().map(|claim| claim.by.verify(&claim.hash, &claim.signature)).collect();
        assert_eq!(single, expected, "{count}");
    }
}

#[test]
fn two_wrong_signatures_do_not_cancel_each_other() {
    // Without weights, what is added to one and taken from the other would not be noticed.
    let signer = secret(1);
    let mut claims: Vec<Claim> = (0..64)
        .map(|n| Claim { by: signer.public(), hash: [n; 32], signature: signer.sign(&[n; 32], &[0; 32]) })
        .collect();
    claims[2].signature.0[63] = claims[2].signature.0[63].wrapping_add(1);
    claims[5].signature.0[63] = claims[5].signature.0[63].wrapping_sub(1);
    let wrong: Vec<usize> = (0..64).filter(|index| !verify_all(&claims)[*index]).collect();
    assert_eq!(wrong, [2, 5]);
}

#[test]
fn keys_are_written_as_in_nip_19() {
    let public = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg";
    let hex = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e";
    assert_eq!(public.parse::<Public>().unwrap().hex(), hex);
    assert_eq!(hex.parse::<Public>().unwrap().npub(), public);
    let secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";
    let hex = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";
    assert_eq!(*secret.parse::<Secret>().unwrap().hex(), hex);
    assert_eq!(*hex.to_uppercase().parse::<Secret>().unwrap().nsec(), secret);
    assert_eq!(*secret.to_uppercase().parse::<Secret>().unwrap().nsec(), secret);
}

#[test]
fn an_imported_secret_is_exported_as_it_came() {
    // The signer may use the negative of a key; the owner must get back what they brought.
    for number in 1..=40 {
        let one = secret(number);
        assert_eq!(one.nsec().parse::<Secret>().unwrap().bytes(), one.bytes());
        assert_eq!(one.bytes(), &[number; 32]);
    }
}

#[test]
fn callsigns_come_from_keys() {
    let key: Public = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6".parse().unwrap();
    assert_eq!(Callsign::of_player(&key).to_string(), "X180CV");
    assert_eq!(Callsign::of_station(&key).to_string(), "X380CV");
    // A key whose npub begins with qcmh5.
    let mut bytes = [0; 32];
    bytes[..3].copy_from_slice(&[0x06, 0x37, 0x7a]);
    let qcmh = (0..=255).find_map(|last| {
        bytes[31] = last;
        Public::from_bytes(bytes).ok()
    });
    let qcmh = qcmh.unwrap();
    assert!(qcmh.npub().starts_with("npub1qcmh5"), "{qcmh}");
    assert_eq!([Callsign::of_player(&qcmh), Callsign::of_station(&qcmh)].map(|c| c.to_string()), ["X1QCMH", "X3QCMH"]);
    for good in ["X1A", "X1CHARLIE", "X3STATION01", "ABCDEFGHIJKLMNOPQR"] {
        assert_eq!(good.parse::<Callsign>().unwrap().to_string(), good);
    }
    for bad in ["", "X1", "ABCDEFGHIJKLMNOPQRS", "x1abcd", "X1 AB", "X1-AB", "X1ÄB", "X1A\n"] {
        assert!(bad.parse::<Callsign>().is_err(), "{bad:?}");
    }
}

#[test]
fn what_is_no_key_is_refused_with_the_reason() {
    let npub = secret(1).public().npub();
    let nsec = secret(1).nsec();
    let wrong = |text: &str| text.parse::<Secret>().unwrap_err();
    assert_eq!(wrong(""), BadKey::Form);
    assert_eq!(wrong("hello"), BadKey::Form);
    assert_eq!(wrong(&"1".repeat(63)), BadKey::Form);
    assert_eq!(wrong(&"x".repeat(10_000)), BadKey::TooLong);
    assert_eq!(wrong(&npub), BadKey::Kind { found: KeyKind::Npub, wanted: KeyKind::Nsec });
    assert_eq!(wrong(&nsec.replace('q', "p")), BadKey::Checksum);
    assert_eq!(wrong(&"0".repeat(64)), BadKey::Value);
    assert_eq!(wrong(&"f".repeat(64)), BadKey::Value);
    assert_eq!(
        wrong(&npub.replacen("npub", "ncryptsec", 1)),
        BadKey::Kind { found: KeyKind::Ncryptsec, wanted: KeyKind::Nsec }
    );
    let other = nsec.parse::<Public>().unwrap_err();
    assert_eq!(other, BadKey::Kind { found: KeyKind::Nsec, wanted: KeyKind::Npub });
    // No error repeats what was typed: it may be a secret with one wrong letter.
    for why in [wrong(&nsec.replace('q', "p")), other, wrong("hello")] {
        assert!(!format!("{why} {why:?}").contains(&nsec[5..15]));
    }
    // Bech32m is another format, and 31 or 33 bytes are no key.
    for bytes in [vec![7; 31], vec![7; 33]] {
        let text = bech32::encode::<bech32::Bech32>(bech32::Hrp::parse("nsec").unwrap(), &bytes).unwrap();
        assert_eq!(wrong(&text), BadKey::Value);
    }
    let text = bech32::encode::<bech32::Bech32m>(bech32::Hrp::parse("nsec").unwrap(), &[7; 32]).unwrap();
    assert_eq!(wrong(&text), BadKey::Checksum);
}

#[test]
fn a_secret_is_never_printed() {
    let one = secret(1);
    let shown = format!("{one:?} {:?}", Some(&one));
    assert_eq!(shown, "Secret(..) Some(Secret(..))");
}

const PUBLISHED: &str = "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p";

#[test]
fn the_published_protected_key_is_opened() {
    let secret = protected::open(PUBLISHED, "nostr").unwrap();
    assert_eq!(*secret.hex(), "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683");
    assert_eq!(protected::open(PUBLISHED, "Nostr").unwrap_err(), Locked::WrongPassphrase);
}

#[test]
fn a_passphrase_may_be_typed_in_any_form_of_unicode() {
    let fresh = Fresh { salt: [5; 16], nonce: [6; 24] };
    // The example of NIP-49: both look the same.
    let typed = "\u{212b}\u{2126}\u{1e9b}\u{323}";
    let normal = "\u{c5}\u{3a9}\u{1e69}";
    let locked = protected::protect(&secret(1), typed, 4, &fresh).unwrap();
    assert_eq!(locked, protected::protect(&secret(1), normal, 4, &fresh).unwrap());
    assert_eq!(protected::open(&locked, normal).unwrap().bytes(), secret(1).bytes());
    assert_eq!(KeyKind::of(&locked), Some(KeyKind::Ncryptsec));
}

#[test]
fn a_changed_or_costly_protected_key_is_refused() {
    let fresh = Fresh { salt: [5; 16], nonce: [6; 24] };
    let locked = protected::protect(&secret(1), "pass", 2, &fresh).unwrap();
    let (_, bytes) = bech32::decode(&locked).unwrap();
    let again = |bytes: &[u8]| {
        let text = bech32::encode::<bech32::Bech32>(bech32::Hrp::parse("ncryptsec").unwrap(), bytes).unwrap();
        protected::open(&text, "pass").map(|secret| *secret.bytes())
    };
    assert_eq!(again(&bytes), Ok([1; 32]));
    for index in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 1;
        let refused = again(&changed).unwrap_err();
        let expected = if index == 0 { Locked::Version(3) } else { Locked::WrongPassphrase };
        assert_eq!(refused, expected, "byte {index}");
    }
    for effort in [0, 21, 255] {
        let mut changed = bytes.clone();
        changed[1] = effort;
        assert_eq!(again(&changed), Err(Locked::TooExpensive(effort)));
    }
    for length in [0, 1, 2, 18, 42, 43, 90] {
        assert_eq!(again(&bytes[..length]), Err(Locked::BadKey(BadKey::Value)), "{length}");
    }
    assert_eq!(again(&[bytes.clone(), vec![0]].concat()), Err(Locked::BadKey(BadKey::Value)));
    let long = "x".repeat(1025);
    assert_eq!(protected::protect(&secret(1), &long, 2, &fresh).unwrap_err(), Locked::LongPassphrase);
    assert!(matches!(protected::open("nsec1x", "p"), Err(Locked::BadKey(BadKey::Kind { .. }))));
}
