//! Programs that are killed in the middle of a match, and started again with the same command.

use super::process::agreed;
use super::{Homes, Player, host, hosting, join};

const GAME: [&str; 3] = ["ongdu", "--option", "max_rounds=12"];

#[test]
fn a_player_who_is_killed_comes_back_with_the_same_ticket_and_plays_on() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "3", &[]);
    let ticket = ada.until("ticket ");
    let bob = join(&homes.of("bob"), &ticket, &[]);
    let mut cleo = join(&homes.of("cleo"), &ticket, &[]);
    for deal in ["cards 2", "cards 4", "cards 7"] {
        cleo.until(deal);
        cleo.kill();
        cleo = join(&homes.of("cleo"), &ticket, &[]);
    }
    agreed(&[bob.result(), cleo.result(), ada.result()]);
}

#[test]
fn a_host_who_is_killed_comes_back_at_the_same_address_with_the_same_command() {
    let homes = Homes::new();
    let command = hosting(&GAME, "3", &[]);
    let mut ada = Player::start(&homes.of("ada"), &command);
    let ticket = ada.until("ticket ");
    let (bob, cleo) = (join(&homes.of("bob"), &ticket, &[]), join(&homes.of("cleo"), &ticket, &[]));
    for deal in ["cards 1", "cards 3", "cards 6"] {
        ada.until(deal);
        ada.kill();
        ada = Player::start(&homes.of("ada"), &command);
        assert_eq!(ada.until("ticket "), ticket);
    }
    agreed(&[bob.result(), cleo.result(), ada.result()]);
}

#[test]
fn a_host_who_comes_back_after_the_others_have_replaced_the_hub_plays_on_there() {
    let homes = Homes::new();
    let patience = ["--patience", "4"];
    let command = hosting(&["ongdu", "--option", "max_rounds=4"], "3", &patience);
    let mut ada = Player::start(&homes.of("ada"), &command);
    let ticket = ada.until("ticket ");
    let [mut bob, cleo] = ["bob", "cleo"].map(|name| join(&homes.of(name), &ticket, &patience));
    bob.until("cards 2");
    ada.kill();
    bob.until_replaced();
    let ada = Player::start(&homes.of("ada"), &command);
    let all = [bob.result(), cleo.result(), ada.result()];
    agreed(&all);
    for played in &all {
        assert_eq!(played.verified().changes.len(), 1, "the hub was replaced once");
    }
}

#[test]
fn everybody_at_a_table_is_killed_and_resumes() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &["blackout", "--option", "max=5"], "4", &["--bots", "easy"]);
    let ticket = ada.until("ticket ");
    let mut bob = join(&homes.of("bob"), &ticket, &["--bots", "easy"]);
    for deal in ["cards 1", "cards 3"] {
        bob.until(deal);
        bob.kill();
        ada.kill();
        bob = Player::start(&homes.of("bob"), &["join", "--resume", "--auto", "normal"]);
        ada = Player::start(&homes.of("ada"), &["host", "--resume", "--auto", "normal"]);
    }
    agreed(&[bob.result(), ada.result()]);
}

#[test]
fn a_player_who_is_killed_before_the_match_is_still_expected() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &["blackout", "--option", "max=1"], "3", &[]);
    let ticket = ada.until("ticket ");
    let mut bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    bob.until("joined Bob");
    bob.kill();
    ada.until("joined Bob");
    let cleo = join(&homes.of("cleo"), &ticket, &[]);
    // Everybody has joined, but one of them cannot accept before they are back.
    ada.until("offered");
    let bob = join(&homes.of("bob"), &ticket, &[]);
    agreed(&[bob.result(), cleo.result(), ada.result()]);
}
