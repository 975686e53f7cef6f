//! What cannot work is said in one line.

use std::path::Path;

use super::{Homes, Player, host, join};

/// The program refuses with one line that has these words in it.
#[track_caller]
fn refused(data: &Path, args: &[&str], code: i32, words: &[&str]) {
    let (exit, err) = Player::start(data, args).end();
    assert_eq!(exit, Some(code), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    for word in words {
        assert!(err.starts_with("fairdeal: ") && err.contains(word), "{word:?} in {err}");
    }
}

#[test]
fn a_wrong_ticket_is_refused() {
    let homes = Homes::new();
    let data = homes.of("bob");
    let mut ada = host(&homes.of("ada"), &["ongdu"], "2", &[]);
    let ticket = ada.until("ticket ");
    let join = |ticket: &str, words: &[&str]| refused(&data, &["join", ticket, "--auto", "easy"], 2, words);
    join("hello", &["the ticket cannot be read", "begins with http://"]);
    join(ticket.split('#').next().unwrap(), &["the part after # is missing"]);
    join(&ticket[..ticket.len() - 1], &["a letter of the ticket is wrong or missing"]);
    let (link, _) = ticket.split_once('#').unwrap();
    let made: peer::Ticket = ticket.parse().unwrap();
    // Somebody who invents a table at a real hub.
    let other = peer::Ticket { key: peer::TableKey::new([7; 32]), ..made.clone() };
    assert!(!other.to_string().starts_with(link));
    join(&other.to_string(), &["there is no such table"]);
    // A hub with another key than the one in the ticket.
    let hub = results::Secret::from_bytes(&[9; 32]).unwrap().public();
    join(&peer::Ticket { hub, ..made }.to_string(), &["not the one you were invited to"]);
}

#[test]
fn a_code_that_leads_nowhere_is_refused() {
    let homes = Homes::new();
    let data = homes.of("bob");
    let mut ada = host(&homes.of("ada"), &["ongdu"], "2", &[]);
    let code = ada.until("code ");
    let (digits, at) = code.split_once('@').unwrap();
    let wrong = if digits == "000000" { "000001" } else { "000000" };
    refused(&data, &["join", &format!("{wrong}@{at}"), "--auto", "easy"], 2, &[wrong]);
    refused(&data, &["join", &format!("abc@{at}"), "--auto", "easy"], 2, &["six digits"]);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    refused(&data, &["join", &format!("{digits}@{free}"), "--auto", "easy"], 2, &["nobody answers"]);
}

#[test]
fn two_programs_cannot_play_for_the_same_player() {
    let homes = Homes::new();
    let command = super::hosting(&["ongdu"], "2", &[]);
    let mut ada = Player::start(&homes.of("ada"), &command);
    let ticket = ada.until("ticket ");
    refused(&homes.of("ada"), &command, 2, &["another program plays at this table already"]);
    refused(&homes.of("ada"), &["join", &ticket, "--auto", "easy"], 2, &["your own table"]);
    let mut bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    bob.until("joined Bob");
    refused(
        &homes.of("bob"),
        &["join", &ticket, "--auto", "easy"],
        2,
        &["another program plays at this table already"],
    );
}

#[test]
fn the_same_person_cannot_sit_down_twice() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &["ongdu"], "3", &["--name", "Ada"]);
    let ticket = ada.until("ticket ");
    ada.until("joined Ada");
    // The same key on another computer.
    let other = homes.of("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::copy(homes.of("ada").join("key.nsec"), other.join("key.nsec")).unwrap();
    refused(&other, &["join", &ticket, "--auto", "easy"], 2, &["somebody with this identity is already at the table"]);
}

#[test]
fn nobody_joins_a_match_that_has_begun() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &["ongdu", "--option", "max_rounds=60"], "2", &[]);
    let ticket = ada.until("ticket ");
    let mut bob = join(&homes.of("bob"), &ticket, &[]);
    bob.until("cards 1");
    refused(&homes.of("cleo"), &["join", &ticket, "--auto", "easy"], 2, &["has begun without you", "--watch"]);
}

#[test]
fn without_a_terminal_a_computer_has_to_play() {
    let homes = Homes::new();
    refused(&homes.of("ada"), &["host", "holdem"], 2, &["needs a terminal", "--auto"]);
    refused(&homes.of("ada"), &["join", "nearby"], 2, &["needs a terminal", "--auto"]);
    assert!(!homes.of("ada").exists(), "nothing was left behind");
}

#[test]
fn a_table_that_cannot_be_hosted_is_refused() {
    let homes = Homes::new();
    let data = homes.of("ada");
    let host =
        |args: &[&str], words: &[&str]| refused(&data, &[&["host"], args, &["--auto", "easy"]].concat(), 2, words);
    host(&["romme", "--seats", "5"], &["--seats 5", "from 2 to 4"]);
    host(&["romme", "--seats", "2", "--bots", "easy,hard"], &["--bots", "2 seats"]);
    host(&["romme", "--option", "jokers=99"], &["--option jokers=99"]);
    host(&["romme", "--name", "\u{7}"], &["--name", "1 to 16 characters"]);
    host(&["romme", "--table", ""], &["--table", "1 to 24 characters"]);
    host(&["romme", "--via", "cards.example.org"], &["--via", "http://"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken_at = taken.local_addr().unwrap().to_string();
    host(&["romme", "--listen", &taken_at], &["cannot listen on", &taken_at]);
    host(&["--resume"], &["there is no unfinished table"]);
    host(&["--resume", "abc"], &["there is no unfinished table \"abc\""]);
}
