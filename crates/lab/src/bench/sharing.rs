//! Shares, sealed shares, key generation and beacon.
//!
//! As with shuffles, checking begins with bytes: everything that others say has to be decoded first.

use std::hint::black_box;

use dealing::dkg::{Ceremony, Dealing, Polynomial};
use dealing::{
    Claimed, ClaimedSealed, Context, Dealt, Element, SealedShares, Secret, Shares, beacon, decode, encode, seal, share,
    verify_sealed, verify_shares,
};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{Batch, Bench, Unit};

pub(super) fn benches() -> Vec<Bench> {
    let bench = |name: &str, unit, ready: fn() -> Result<Batch, String>| Bench {
        name: name.to_owned(),
        unit,
        ready: Box::new(ready),
    };
    vec![
        bench("shares_prove_52_us", Unit::Microseconds, || Ok(prove_shares(52))),
        bench("shares_verify_52_us", Unit::Microseconds, || Ok(check_shares(1, 52))),
        bench("shares_batch16_52_us", Unit::Microseconds, || Ok(check_shares(16, 52))),
        bench("sealed_prove_18_us", Unit::Microseconds, || Ok(prove_sealed())),
        bench("sealed_verify_18_us", Unit::Microseconds, || Ok(check_sealed(1))),
        bench("sealed_batch16_18_us", Unit::Microseconds, || Ok(check_sealed(16))),
        bench("sealed_18_bytes", Unit::Size("bytes"), sealed_size),
        // All but a third, which is as many as are needed where up to a third may lie.
        bench("dkg_16_ms", Unit::Milliseconds, || generate_key(16, 11)),
        bench("dkg_64_ms", Unit::Milliseconds, || generate_key(64, 43)),
        bench("beacon_us", Unit::Microseconds, || draw_number(3)),
    ]
}

fn prove_shares(cards: usize) -> Batch {
    let mut rng = generator();
    let (secret, c1s) = (Secret::random(&mut rng), elements(cards, &mut rng));
    Box::new(move || {
        black_box(share(&context(0), &secret, &c1s, &mut rng));
        Ok(1)
    })
}

/// Several authors' shares of the same cards, checked at once.
fn check_shares(authors: u16, cards: usize) -> Batch {
    let rng = &mut generator();
    let c1s = elements(cards, rng);
    let said: Vec<(Context, Element, Vec<u8>)> = (0..authors)
        .map(|author| {
            let (context, secret) = (context(author), Secret::random(rng));
            (context, secret.public(), encode(&share(&context, &secret, &c1s, rng)))
        })
        .collect();
    Box::new(move || {
        let decoded: Result<Vec<Shares>, dealing::Malformed> = said.iter().map(|(_, _, bytes)| decode(bytes)).collect();
        let decoded = decoded.map_err(|e| e.to_string())?;
        let claimed: Vec<Claimed<'_>> = said
            .iter()
            .zip(&decoded)
            .map(|((context, public, _), shares)| Claimed { context: *context, public, c1s: &c1s, shares })
            .collect();
        verify_shares(&claimed).map_err(|wrong| format!("the shares of {wrong:?} are refused"))?;
        Ok(1)
    })
}

fn prove_sealed() -> Batch {
    let mut rng = generator();
    let (secret, cards) = (Secret::random(&mut rng), hole_cards(&mut rng));
    Box::new(move || {
        black_box(seal(&context(0), &secret, &cards, &mut rng));
        Ok(1)
    })
}

/// Several authors' sealed shares of the same hole cards, checked at once.
fn check_sealed(authors: u16) -> Batch {
    let rng = &mut generator();
    let cards = hole_cards(rng);
    let said: Vec<(Context, Element, Vec<u8>)> = (0..authors)
        .map(|author| {
            let (context, secret) = (context(author), Secret::random(rng));
            (context, secret.public(), encode(&seal(&context, &secret, &cards, rng)))
        })
        .collect();
    Box::new(move || {
        let decoded: Result<Vec<SealedShares>, dealing::Malformed> =
            said.iter().map(|(_, _, bytes)| decode(bytes)).collect();
        let decoded = decoded.map_err(|e| e.to_string())?;
        let claimed: Vec<ClaimedSealed<'_>> = said
            .iter()
            .zip(&decoded)
            .map(|((context, public, _), sealed)| ClaimedSealed { context: *context, public, cards: &cards, sealed })
            .collect();
        verify_sealed(&claimed).map_err(|wrong| format!("the sealed shares of {wrong:?} are refused"))?;
        Ok(1)
    })
}

fn sealed_size() -> Result<Batch, String> {
    let rng = &mut generator();
    let sealed = seal(&context(0), &Secret::random(rng), &hole_cards(rng), rng);
    let size = u64::try_from(encode(&sealed).len()).map_err(|e| e.to_string())?;
    Ok(Box::new(move || Ok(size)))
}

/// Two cards for each of nine players.
fn hole_cards(rng: &mut ChaCha20Rng) -> Vec<Dealt> {
    let players = elements(9, rng);
    players.iter().chain(&players).map(|to| Dealt { c1: element(rng), to: *to }).collect()
}

/// Everything that one member does in a key generation where nobody complains: it deals, checks what the
/// others dealt, opens its shares, and adds up.
fn generate_key(members: u16, threshold: u16) -> Result<Batch, String> {
    const ME: u16 = 0;
    let mut rng = generator();
    let secrets: Vec<Secret> = (0..members).map(|_| Secret::random(&mut rng)).collect();
    let keys = secrets.iter().map(Secret::public).collect();
    let ceremony = Ceremony::new(context(ME), threshold, keys).map_err(|e| e.to_string())?;
    let deal = move |ceremony: &Ceremony, author, rng: &mut ChaCha20Rng| {
        ceremony.deal(author, Polynomial::random(threshold, rng), rng).map_err(|e| e.to_string())
    };
    let others: Result<Vec<(u16, Vec<u8>)>, String> =
        (ME + 1..members).map(|author| Ok((author, encode(&deal(&ceremony, author, &mut rng)?)))).collect();
    let (others, mine) = (others?, secrets.into_iter().next().ok_or("there are no members")?);
    Ok(Box::new(move || {
        let mut dealings = vec![(ME, deal(&ceremony, ME, &mut rng)?)];
        for (author, bytes) in &others {
            let dealing: Dealing = decode(bytes).map_err(|e| e.to_string())?;
            let before: Vec<(u16, &Dealing)> = dealings.iter().map(|(author, dealing)| (*author, dealing)).collect();
            ceremony.check(*author, &dealing, &before).map_err(|e| e.to_string())?;
            dealings.push((*author, dealing));
        }
        let qualified: Vec<(u16, &Dealing)> = dealings.iter().map(|(author, dealing)| (*author, dealing)).collect();
        let received: Result<Vec<Secret>, String> = qualified
            .iter()
            .map(|(author, dealing)| {
                let share = ceremony.receive(ME, &mine, *author, dealing, &mut rng);
                share.map_err(|_| format!("the share that {author} dealt is unusable"))
            })
            .collect();
        let group = ceremony.finish(&qualified).map_err(|e| e.to_string())?;
        black_box(group.own(ME, received?).ok_or("the shares do not add up")?);
        Ok(1)
    }))
}

/// Everything that one member does for a random number that takes this many: it contributes, checks what the
/// others contributed, and combines.
fn draw_number(threshold: u16) -> Result<Batch, String> {
    let mut rng = generator();
    let mine = Secret::random(&mut rng);
    // Whether the secrets belong together makes no difference to the work.
    let others: Vec<(u16, Element, Vec<u8>)> = (1..threshold)
        .map(|author| {
            let secret = Secret::random(&mut rng);
            let contribution = beacon::contribute(&context(author), &secret, &mut rng);
            (author, secret.public(), encode(&contribution))
        })
        .collect();
    Ok(Box::new(move || {
        let mut all = vec![(1, beacon::contribute(&context(0), &mine, &mut rng))];
        for (author, public, bytes) in &others {
            let contribution: beacon::Contribution = decode(bytes).map_err(|e| e.to_string())?;
            contribution.verify(&context(*author), public).map_err(|e| e.to_string())?;
            all.push((author + 1, contribution));
        }
        let all: Vec<(u16, &beacon::Contribution)> = all.iter().map(|(id, one)| (*id, one)).collect();
        black_box(beacon::output(&context(0), threshold, &all).ok_or("they are too few")?);
        Ok(1)
    }))
}

fn elements(count: usize, rng: &mut ChaCha20Rng) -> Vec<Element> {
    (0..count).map(|_| element(rng)).collect()
}

fn element(rng: &mut ChaCha20Rng) -> Element {
    Secret::random(rng).public()
}

fn context(author: u16) -> Context {
    Context::new([7; 32]).author(author)
}

fn generator() -> ChaCha20Rng {
    ChaCha20Rng::from_seed([7; 32])
}
