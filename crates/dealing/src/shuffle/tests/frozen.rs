//! Frozen encodings and challenges: changing them breaks every existing proof, and these tests.

use sha2::{Digest, Sha256};

use super::chain::Challenges;
use super::*;
use crate::generators::Generators;
use crate::{card_point, encode};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[test]
fn generators_and_cards_are_frozen() {
    let all: Vec<u8> = Generators::get().g().iter().flat_map(|g| *Element::from(*g).bytes()).collect();
    assert_eq!(
        hex(Element::from(Generators::get().h).bytes()),
        "30a39132a2e967332d95c23d52294ed45ce7bdd90152c8ce7f1fe046b53a495f"
    );
    assert_eq!(digest(&all), "f9b0737076cb8e268fabd1f7cbc38f9486fb80bad4fa6d19c8ce37f6ece86bb9");
    assert_eq!(hex(card_point(b"pack", 7).bytes()), "fa357289d3567b9b95c48af51a1fd69287d970e4e4b7d4350ba7ee35f8794946");
    assert_eq!(
        hex(&Deck::fresh(b"pack", 52).unwrap().hash()),
        "1f1556d8e208852909d3dc762ab1527f47fffa92386614590da46d1c81a4d288"
    );
}

#[test]
fn a_shuffle_is_frozen() {
    let case = Case::new(52, 80);
    assert_eq!(digest(&encode(&case.before)), "2e22918f4e3f76103b29d05ec04eb2dddcae6c42ea5fcda84211d17964ed0f0b");
    assert_eq!(digest(&encode(&case.after)), "177a070363b5e658d0add3df74fb2ddb017a8d5089d5e14ae0094e06f8c12a33");
    assert_eq!(digest(&case.proof.to_bytes()), "3903efeb345bc32c1dd12e01fcd9790da015cc8a48e8545460775914659e8775");
    assert_eq!(case.verify(), Ok(()));
}

#[test]
fn challenges_are_frozen() {
    let Case { context, key, before, after, proof, .. } = &Case::new(3, 81);
    let (challenges, end) = Challenges::draw(key, before, &Step { context: *context, deck: after, proof });
    let Challenges { x, y, z, e } = challenges;
    assert_eq!(hex(x.as_bytes()), "002d2ba0da3d40c609752765e8a9ebcaa35683197b64fd5de3e1bca32ea69509");
    assert_eq!(hex(y.as_bytes()), "50c4df8434509cbc043da5f95fbd826d1412625842aee308a51a75df837bc00b");
    assert_eq!(hex(z.as_bytes()), "8776f8a2bf8863159fffecbc5b3da274ed67a18c4657f60440e0cb40144efa0f");
    assert_eq!(hex(e.as_bytes()), "0ff2c25be6283765833ce132c4648b2f53d7ccd8ff11864f2f75df6785c84306");
    assert_eq!(digest(&end), "da0da44fbfbb3519723a65aaa645bc7fc6c9ba0bc9edc123c5588c93429e6edf");
}
