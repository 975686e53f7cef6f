//! How long a station takes: `cargo bench -p results`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark may fail by a panic")]

use games::AnyGame;
use results::{
    Body, Callsign, Claim, Facts, Form, Hash, Leaderboard, NoLogs, Player, Secret, Signed, Timestamp, Uuid, check_all,
    tally, verify_all,
};
use table::Chips;

fn main() {
    divan::main();
}

fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

/// Files of as many matches of four of 200 players.
fn files(count: u32) -> Vec<String> {
    let keys: Vec<Secret> = (1..=200).map(secret).collect();
    let file = |n: u32| {
        let who: Vec<usize> = (0..4).map(|seat| usize::try_from((n * 7 + seat * 31) % 200).unwrap()).collect();
        let players = who.iter().zip(1..).map(|(who, place)| {
            let key = keys[*who].public();
            Player { callsign: Callsign::of_player(&key), key, place, amount: Chips(if place == 1 { 4000 } else { 0 }) }
        });
        let mut id = [0; 16];
        id[..4].copy_from_slice(&n.to_le_bytes());
        let facts = Facts {
            id: Uuid::random(id),
            game: AnyGame::Holdem,
            at: Timestamp::from_seconds(1_766_932_200).unwrap(),
            seed: Hash([1; 32]),
            log_hash: Some(Hash([2; 32])),
            players: players.collect(),
        };
        let body = Body::new(facts, Form::Result { deals: 30 }).unwrap();
        let mut text = body.text();
        for (index, who) in who.iter().enumerate() {
            let signature = body.sign(index, &keys[*who], &[0; 32]).unwrap();
            text += &format!("--> signature_{}: {signature}\n", index + 1);
        }
        text
    };
    (0..count).map(file).collect()
}

#[divan::bench(args = [100, 1_000, 10_000], sample_count = 3, sample_size = 1)]
fn read_check_and_rank_results(bencher: divan::Bencher, count: u32) {
    let files = files(count);
    let station = secret(250);
    bencher.bench_local(|| {
        let signed = files.iter().map(|text| Signed::parse(text.as_bytes()).unwrap()).collect();
        let players = tally(AnyGame::Holdem, &check_all(signed), &NoLogs);
        let board =
            Leaderboard::new(AnyGame::Holdem, &players, Timestamp::from_seconds(0).unwrap(), &station, &[0; 32]);
        assert_eq!(board.rows().iter().map(|row| row.wins).sum::<u32>(), count);
        board
    });
}

fn claims(count: u32) -> Vec<Claim> {
    (0..count)
        .map(|n| {
            let mut hash = [0; 32];
            hash[..4].copy_from_slice(&n.to_le_bytes());
            let signer = secret(u8::try_from(1 + n % 200).unwrap());
            Claim { by: signer.public(), hash, signature: signer.sign(&hash, &[0; 32]) }
        })
        .collect()
}

#[divan::bench(args = [8, 64, 1_000, 4_000])]
fn signatures_together(bencher: divan::Bencher, count: u32) {
    let claims = claims(count);
    bencher.counter(divan::counter::ItemsCount::new(count)).bench_local(|| verify_all(&claims));
}

#[divan::bench]
fn signature_alone(bencher: divan::Bencher) {
    let claim = claims(1)[0];
    bencher.bench_local(|| claim.by.verify(&claim.hash, &claim.signature));
}

#[divan::bench]
fn signing(bencher: divan::Bencher) {
    let secret = secret(1);
    bencher.bench_local(|| secret.sign(&[5; 32], &[6; 32]));
}
