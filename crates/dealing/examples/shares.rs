//! Measures shares, sealed shares, key generation and beacon on this machine:
//! `cargo run --profile soak -p dealing --example shares`.
#![allow(clippy::disallowed_types, clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]
#![allow(clippy::float_arithmetic)]

use std::time::{Duration, Instant};

use dealing::dkg::{Ceremony, Dealing, Polynomial};
use dealing::{
    Claimed, ClaimedSealed, Context, Element, HandKey, Knowledge, Sealed, Secret, Shares, beacon, decode, encode, seal,
    share, verify_sealed, verify_shares,
};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

fn main() {
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    let context = Context::new([1; 32]);
    let secret = Secret::random(rng);
    let public = secret.public();
    let proof = Knowledge::prove(&context, &secret, rng);
    row("knowledge, prove", 1, || kept(Knowledge::prove(&context, &secret, rng)));
    row("knowledge, verify", 1, || proof.verify(&context, &public).unwrap());

    for cards in [1, 5, 52] {
        let c1s: Vec<Element> = (0..cards).map(|_| Secret::random(rng).public()).collect();
        let shares = share(&context, &secret, &c1s, rng);
        let bytes = encode(&shares);
        println!("{cards} cards: {} bytes", bytes.len());
        row("  share", cards, || kept(share(&context, &secret, &c1s, rng)));
        row("  decode", cards, || kept(decode::<Shares>(&bytes).unwrap()));
        row("  verify", cards, || shares.verify(&context, &public, &c1s).unwrap());
        let secrets: Vec<Secret> = (0..16).map(|_| Secret::random(rng)).collect();
        let publics: Vec<Element> = secrets.iter().map(Secret::public).collect();
        let all: Vec<Shares> = secrets.iter().map(|secret| share(&context, secret, &c1s, rng)).collect();
        let claimed: Vec<Claimed<'_>> =
            publics.iter().zip(&all).map(|(public, shares)| Claimed { context, public, c1s: &c1s, shares }).collect();
        row("  verify, 16 authors at once", 16 * cards, || verify_shares(&claimed).unwrap());
    }

    let to = Secret::random(rng).public();
    let c1s: Vec<Element> = (0..18).map(|_| Secret::random(rng).public()).collect();
    let secrets: Vec<Secret> = (0..16).map(|_| Secret::random(rng)).collect();
    let publics: Vec<Element> = secrets.iter().map(Secret::public).collect();
    let sealed = seal(&context, &secret, &c1s[0], &to, rng);
    let bytes = encode(&sealed);
    println!("sealed: {} bytes", bytes.len());
    row("  seal", 1, || kept(seal(&context, &secret, &c1s[0], &to, rng)));
    row("  decode", 1, || kept(decode::<Sealed>(&bytes).unwrap()));
    row("  verify", 1, || sealed.verify(&context, &public, &c1s[0], &to).unwrap());
    let pairs: Vec<(usize, usize)> = (0..16).flat_map(|author| (0..18).map(move |card| (author, card))).collect();
    let all: Vec<Sealed> = pairs.iter().map(|(i, card)| seal(&context, &secrets[*i], &c1s[*card], &to, rng)).collect();
    let claim = |((i, card), sealed)| ClaimedSealed { context, public: &publics[i], c1: &c1s[card], to: &to, sealed };
    let claimed: Vec<ClaimedSealed<'_>> = pairs.iter().copied().zip(&all).map(claim).collect();
    row("  verify, 16 authors x 18 cards at once", pairs.len(), || verify_sealed(&claimed).unwrap());

    for (members, threshold) in [(4, 3), (16, 11), (64, 43)] {
        let secrets: Vec<Secret> = (0..members).map(|_| Secret::random(rng)).collect();
        let keys = secrets.iter().map(Secret::public).collect();
        let ceremony = Ceremony::new(context, threshold, keys).unwrap();
        let dealings: Vec<Dealing> =
            (0..members).map(|i| ceremony.deal(i, Polynomial::random(threshold, rng), rng).unwrap()).collect();
        let qualified: Vec<(u16, &Dealing)> = (0..).zip(&dealings).collect();
        println!("key generation, {threshold} of {members}: a dealing of {} bytes", encode(&dealings[0]).len());
        row("  deal", 1, || kept(ceremony.deal(0, Polynomial::random(threshold, rng), rng).unwrap()));
        row("  check", 1, || ceremony.check(0, &dealings[0], &[]).unwrap());
        row("  receive", 1, || kept(ceremony.receive(1, &secrets[1], 0, &dealings[0], rng).unwrap()));
        row("  finish", 1, || kept(ceremony.finish(&qualified).unwrap()));
        let group = ceremony.finish(&qualified).unwrap();
        row("  hand key", 1, || kept(HandKey::new(&context, b"salt").group(&group)));
    }

    let contribution = beacon::contribute(&context, &secret, rng);
    row("beacon, contribute", 1, || kept(beacon::contribute(&context, &secret, rng)));
    row("beacon, verify", 1, || contribution.verify(&context, &public).unwrap());
}

/// Keeps the compiler from leaving out what nobody looks at.
fn kept<T>(value: T) {
    std::hint::black_box(value);
}

/// Runs something for a while and prints its best time, in all and for each of `each` parts: on a machine
/// that does other things, too, the best time is the one that says most.
fn row(name: &str, each: usize, mut run: impl FnMut()) {
    let start = Instant::now();
    let mut best = Duration::MAX;
    while start.elapsed() < Duration::from_millis(300) {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed());
    }
    let part = best / u32::try_from(each).unwrap();
    println!("{name:42} {:>9.1} µs {:>9.1} µs each", best.as_secs_f64() * 1e6, part.as_secs_f64() * 1e6);
}
