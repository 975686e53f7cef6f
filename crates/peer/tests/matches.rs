//! Whole matches of every game among peers, each with its own copy of the log.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

mod common;

use common::Place;
use games::{
    AnyGame, bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme,
};
use peer::{Effect, Why};
use results::Verdict;
use table::Game;

const HOLDEM: &[(&str, &str)] = &[("starting_chips", "100"), ("blind_every", "1")];
const BLACKJACK: &[(&str, &str)] = &[("rounds", "3"), ("decks", "1"), ("reshuffle_below", "26")];
const ROMME: &[(&str, &str)] = &[("mode", "rounds"), ("rounds", "1")];
const BIGC: &[(&str, &str)] = &[("deals", "2"), ("hand_size", "5")];
const ONGDU: &[(&str, &str)] = &[("max_rounds", "2")];
const BLACKOUT: &[(&str, &str)] = &[("max", "2")];

/// Plays a match to its end, and checks that everybody has the same complete result.
fn whole_match<G: Game>(settings: &[(&str, &str)], players: u8, seed: u64, restart: u32) -> Place<G> {
    let game = AnyGame::from_name(G::NAME).unwrap();
    let mut place = Place::<G>::new(players, seed);
    place.join("a spectator", false);
    place.start(game, settings);
    place.play(restart);
    let mut texts = Vec::new();
    for peer in &place.peers {
        let session = peer.session.as_ref().unwrap();
        let ended = session.ended().unwrap();
        assert_eq!(ended.why, Why::Over, "{}", peer.name);
        let faults: Vec<_> = session.faults().iter().collect();
        assert!(faults.is_empty(), "{}: {faults:?}", peer.name);
        let result = ended.result().unwrap();
        assert_eq!(*result.clone().check().verdict(), Verdict::Complete, "{}", peer.name);
        assert_eq!(*ended.export().unwrap().clone().check().verdict(), Verdict::Complete);
        texts.push(result.text());
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "everybody has the same result");
    place
}

fn every_size<G: Game>(settings: &[(&str, &str)], sizes: &[u8], restart: u32) {
    for (number, players) in (0..).zip(sizes) {
        let place = whole_match::<G>(settings, *players, number, restart);
        let void = place.peers[0].effects.iter().filter(|(_, effect)| matches!(effect, Effect::Void(_))).count();
        let deals = place.peers[0].session.as_ref().unwrap().deals();
        println!(
            "{} x {players}: {deals} deals, {} entries, {} kB, {void} void, {} restarts",
            G::NAME,
            place.log.len(),
            place.bytes / 1000,
            place.restarts
        );
    }
}

#[test]
fn holdem_ends_with_a_result_that_everybody_signed() {
    every_size::<Holdem>(HOLDEM, &[2, 4], 0);
}

#[test]
fn blackjack_ends_with_a_result_that_everybody_signed() {
    every_size::<Blackjack>(BLACKJACK, &[2, 4], 0);
}

#[test]
fn romme_ends_with_a_result_that_everybody_signed() {
    every_size::<Romme>(ROMME, &[2, 4], 0);
}

#[test]
fn bigc_ends_with_a_result_that_everybody_signed() {
    every_size::<BigC>(BIGC, &[2, 4], 0);
}

#[test]
fn ongdu_ends_with_a_result_that_everybody_signed() {
    every_size::<Ongdu>(ONGDU, &[2, 4], 0);
}

#[test]
fn blackout_ends_with_a_result_that_everybody_signed() {
    every_size::<Blackout>(BLACKOUT, &[2, 4], 0);
}

#[test]
fn peers_that_are_killed_and_come_back_play_on() {
    every_size::<Holdem>(HOLDEM, &[3, 4], 10);
    every_size::<Blackjack>(BLACKJACK, &[3, 4], 10);
    every_size::<Ongdu>(ONGDU, &[3, 4], 10);
    every_size::<Blackout>(BLACKOUT, &[3], 10);
}
