//! Encodings and challenges as they were when first written: whoever changes them breaks every proof that
//! exists, and these tests.

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
fn generators_and_cards_are_what_they_were() {
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
fn a_shuffle_is_what_it_was() {
    let case = Case::new(52, 80);
    assert_eq!(digest(&encode(&case.before)), "d88406321fe64a7ccbc0db2deaeba6793ab17a8241f942ddd573bbdc45d8dcf1");
    assert_eq!(digest(&encode(&case.after)), "36917671c3e04c4c6e2633522ceb616429c12217e50d3194154a47d8f902cf9c");
    assert_eq!(digest(&case.proof.to_bytes()), "85828727588b54de833afd6d5c0c5e8234046cc334ea31eeaad723fdb81ae816");
    assert_eq!(case.verify(), Ok(()));
}

#[test]
fn challenges_are_what_they_were() {
    let Case { context, key, before, after, proof, .. } = &Case::new(3, 81);
    let (challenges, end) = Challenges::draw(key, before, &Step { context: *context, deck: after, proof });
    let Challenges { x, y, z, e } = challenges;
    assert_eq!(hex(x.as_bytes()), "d379bef2057590d48c585263d92d27990b7b2c3c4bc24b0213d1eb66ae070c00");
    assert_eq!(hex(y.as_bytes()), "774605b19d21e4cdd86bba3f22da36cd4e4c0e5bf9ed001a46b5836c5a4a1f0a");
    assert_eq!(hex(z.as_bytes()), "5bac13d4a6b7fbf3b9effdaa5baaf26f84212003fc30c524831b4e271404610f");
    assert_eq!(hex(e.as_bytes()), "48aaad0ee927fff159044d240031da827d234700f4277628928401ced5d46b07");
    assert_eq!(digest(&end), "b06096d3967aaa72de864e0ee1722f36be97b2c92f3d4ce2f880c1ab7e75af8b");
}
