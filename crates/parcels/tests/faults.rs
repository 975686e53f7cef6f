//! Whatever a line does, nothing is lost, doubled, changed or put in another order.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test may fail by a panic")]

mod air;

use std::time::Duration;

use air::{Air, Faults, message};
use parcels::{MOST_MESSAGE, State};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

const NONE: Faults = Faults { lost: 0, doubled: 0, damaged: 0, delayed: 0, cut: 0 };
const BAD: Faults = Faults { lost: 60, doubled: 80, damaged: 100, delayed: 50, cut: 4000 };

/// A new number each time, or the one in `PARCELS_SEED`.
fn seed() -> u64 {
    let seed = std::env::var_os("PARCELS_SEED").and_then(|seed| seed.to_str()?.parse().ok());
    let seed = seed.unwrap_or_else(|| std::process::id().into());
    println!("PARCELS_SEED={seed}");
    seed
}

/// Sends this many messages in both directions, and compares.
fn exchange(air: &mut Air, seed: u64, count: usize, most: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sent = [Vec::new(), Vec::new()];
    let mut steps = 0_u64;
    while air.received.iter().zip(&sent).any(|(received, sent)| received.len() < sent.len()) || sent[0].len() < count {
        for (end, sent) in sent.iter_mut().enumerate() {
            while sent.len() < count && air.ends[1 - end].unsent() < 3 * most {
                let message = message(&mut rng, most);
                air.ends[1 - end].send(message.clone()).unwrap();
                sent.push(message);
            }
        }
        assert!(air.step(), "nothing happens any more, with {:?} received", air.received.each_ref().map(Vec::len));
        steps += 1;
        assert!(steps < 50_000_000, "no end in sight");
    }
    // What is still on its way must not make anything come twice.
    let until = air.now + Duration::from_secs(60);
    while air.now < until || air.ends.iter().any(|end| !end.is_done()) {
        steps += 1;
        assert!(steps < 50_000_000, "not everything is receipted");
        if !air.step() {
            break;
        }
    }
    for (received, sent) in air.received.iter().zip(&sent) {
        assert!(received == sent, "other messages came out than went in");
    }
    assert!(air.ends.iter().all(|end| end.is_done() && end.unsent() == 0));
}

#[test]
fn ten_thousand_messages_over_a_bad_line_arrive_once_and_unchanged() {
    let seed = seed();
    let mut air = Air::new(seed, 20, BAD);
    exchange(&mut air, seed, 5000, 400);
    assert!(air.ends.iter().all(|end| end.state() != State::Slow));
}

#[test]
fn large_pieces_and_large_messages_over_a_bad_line_arrive_once_and_unchanged() {
    let seed = seed();
    let mut air = Air::new(seed, 512, BAD);
    exchange(&mut air, seed, 100, MOST_MESSAGE / 2);
}

#[test]
fn every_kind_of_fault_alone_is_overcome() {
    let seed = seed();
    for (place, faults) in [
        NONE,
        Faults { lost: 10, ..NONE },
        Faults { doubled: 3, ..NONE },
        Faults { damaged: 10, ..NONE },
        Faults { delayed: 4, ..NONE },
        Faults { cut: 200, ..NONE },
    ]
    .into_iter()
    .enumerate()
    {
        let mut air = Air::new(seed, 20, faults);
        exchange(&mut air, seed, 100, 300);
        assert_ne!(air.ends[0].state(), State::Slow, "fault {place}");
    }
}

#[test]
fn the_longest_message_arrives_however_many_pieces_are_lost() {
    let seed = seed();
    for (piece, lost, most) in [(20, 0, 2), (20, 17, 3), (20, 4, 6), (100, 10, 3), (512, 10, 3)] {
        let mut air = Air::new(seed, piece, Faults { lost, ..NONE });
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut longest = vec![0; MOST_MESSAGE];
        rng.fill(&mut longest[..]);
        air.ends[0].send(longest.clone()).unwrap();
        while air.received[1].is_empty() {
            assert!(air.step());
        }
        assert!(air.received[1] == [longest]);
        let ratio = air.written[0] / MOST_MESSAGE;
        println!("{piece}, one in {lost}: {} bytes in {:?}", air.written[0], air.now);
        assert!(ratio < most, "{} bytes were written on a line of {piece}, one in {lost} lost", air.written[0]);
    }
}

#[test]
fn messages_in_geograms_form_arrive_once_and_unchanged() {
    let seed = seed();
    let mild = Faults { lost: 200, doubled: 200, damaged: 300, delayed: 0, cut: 3000 };
    for faults in [NONE, mild] {
        let mut air = Air::new(seed, 20, faults);
        // Nobody hears anything until both have given up saying hello.
        air.faults.lost = 1;
        while air.step() {}
        assert_eq!(air.ends.each_ref().map(|end| end.state()), [State::Slow, State::Waiting]);
        // The host, who has heard nothing, learns it from the first message.
        air.faults = NONE;
        air.ends[0].send(b"first".to_vec()).unwrap();
        while air.received[1].is_empty() {
            assert!(air.step());
        }
        air.received[1].clear();
        air.faults = faults;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let most = rng.random_range(100..500);
        exchange(&mut air, seed, 60, most);
        assert_eq!(air.ends.each_ref().map(|end| end.state()), [State::Slow; 2]);
    }
}
