//! The examples of the description of the formats, byte for byte as they stand there.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::secret;
use games::AnyGame;
use results::layout::Document;
use results::session::SessionLayout;
use results::{Leaderboard, Session, Signed, Why, combined};
use table::Chips;

const POKER: &str = include_str!("data/examples/poker.txt");
const BLACKJACK: &str = include_str!("data/examples/blackjack.txt");
const ROMME: &str = include_str!("data/examples/romme.txt");
const CARD_GAME: &str = include_str!("data/examples/card_game.txt");
const SESSION: &str = include_str!("data/examples/session.txt");
const LEADERBOARD: &str = include_str!("data/examples/leaderboard.txt");

#[test]
fn every_part_of_the_example_results_is_found() {
    for (text, game, deals) in [
        (POKER, AnyGame::Holdem, Some("35")),
        (BLACKJACK, AnyGame::Blackjack, Some("10")),
        (ROMME, AnyGame::Romme, Some("5")),
        (CARD_GAME, AnyGame::Holdem, None),
    ] {
        let parts = Document::read(text.as_bytes()).unwrap();
        assert_eq!((parts.game, parts.deals.map(|deals| deals.text)), (game, deals));
        assert_eq!((parts.id.text, parts.timestamp.text), ("<uuid>", "2025-12-28 14:30:00"));
        assert!(["<combined_seed>", "abc123..."].contains(&parts.seed.text));
        assert_eq!((parts.player_count.text, parts.log_hash), ("4", None));
        let callsigns: Vec<&str> = parts.players.iter().map(|line| line.callsign.text).collect();
        assert_eq!(callsigns, ["X1ALPHA", "X1BRAVO", "X1CHARLIE", "X1DELTA"]);
        let npubs: Vec<&str> = parts.players.iter().map(|line| line.npub.text).collect();
        assert_eq!(npubs, ["npub1alpha...", "npub1bravo...", "npub1charlie...", "npub1delta..."]);
        let places: Vec<&str> = parts.players.iter().map(|line| line.place.text).collect();
        assert!(places == ["1", "2", "3", "4"] || places == ["1st", "2nd", "3rd", "4th"]);
        let signatures: Vec<(&str, &str)> = parts.signatures.iter().map(|(n, s)| (n.text, s.text)).collect();
        assert_eq!(signatures, [("1", "<hex_sig>"), ("2", "<hex_sig>"), ("3", "<hex_sig>"), ("4", "<hex_sig>")]);
        assert_eq!(parts.body, text.split("--> ").next().unwrap());
    }
}

#[test]
fn a_placeholder_is_no_value() {
    for text in [POKER, BLACKJACK, ROMME, CARD_GAME] {
        let why = Signed::parse(text.as_bytes()).unwrap_err();
        assert!(matches!(&why.why, Why::Expected(what) if what.contains("npub1")), "{why}");
    }
    let why = Session::parse(SESSION.as_bytes()).unwrap_err();
    assert_eq!(why.line, 6, "{why}");
}

/// With real values in the place of placeholders.
fn filled(text: &str) -> String {
    let id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    let mut text = text.replace("<uuid>", id).replace("<combined_seed>", &"c".repeat(64));
    text = text.replace("abc123...", &"c".repeat(64)).replace("<hex_sig>", &"5".repeat(128));
    for (number, name) in [(1, "alpha"), (2, "bravo"), (3, "charlie"), (4, "delta")] {
        text = text.replace(&format!("npub1{name}..."), &secret(number).public().npub());
    }
    text
}

#[test]
fn the_example_results_are_read_and_written_again_with_the_same_bytes() {
    for (text, amounts) in [
        (POKER, [2100, 900, 0, 0]),
        (BLACKJACK, [720, 580, 200, 0]),
        (ROMME, [45, 112, 187, 203]),
        (CARD_GAME, [2100, 900, 0, 0]),
    ] {
        let text = filled(text);
        let signed = Signed::parse(text.as_bytes()).unwrap();
        assert_eq!(signed.text(), text);
        let found: Vec<Chips> = signed.body().facts().players.iter().map(|player| player.amount).collect();
        assert_eq!(found, amounts.map(Chips));
    }
}

#[test]
fn the_chips_of_the_example_are_not_those_of_four_players_with_a_thousand_each() {
    let signed = Signed::parse(filled(POKER).as_bytes()).unwrap();
    assert_eq!(signed.body().facts().sum(), Chips(3000));
    assert!(!signed.body().facts().began_with(Chips(1000)));
    assert!(signed.body().facts().began_with(Chips(750)));
}

#[test]
fn the_example_session_is_read_and_written_again_with_the_same_bytes() {
    let parts = SessionLayout::read(SESSION.as_bytes()).unwrap();
    assert_eq!((parts.id.text, parts.game.text), ("<uuid>", "poker|blackjack|romme"));
    assert_eq!((parts.seeds.len(), parts.seeds[2].0.text, parts.seeds[2].1.text), (4, "X1CHARLIE", "<hex>"));
    assert_eq!((parts.combined.text, parts.started.text), ("<hash>", "2025-12-28T14:00:00Z"));
    let mut text = SESSION.replace("poker|blackjack|romme", "romme");
    text = text.replace("<uuid>", "0f8fad5b-d9cb-469f-a165-70867728950e").replace("<hex>", &"ab".repeat(32));
    let id = "0f8fad5b-d9cb-469f-a165-70867728950e".parse().unwrap();
    text = text.replace("<hash>", &combined(&id, &[[0xab; 32]; 4]).to_string());
    let session = Session::parse(text.as_bytes()).unwrap();
    assert_eq!(session.text(), text);
    assert_eq!((session.game(), session.seeds().len()), (AnyGame::Romme, 4));
}

#[test]
fn the_example_leaderboard_is_right_as_it_is() {
    let board = Leaderboard::parse(LEADERBOARD.as_bytes()).unwrap();
    assert_eq!(board.text(), LEADERBOARD);
    assert_eq!((board.station().to_string(), board.game()), ("X3STATION01".to_owned(), AnyGame::Holdem));
    let rates: Vec<u32> = board.rows().iter().map(results::Row::rate).collect();
    assert_eq!(rates, [789, 717, 703]);
    assert_eq!(board.signer(), Ok(None));
}
