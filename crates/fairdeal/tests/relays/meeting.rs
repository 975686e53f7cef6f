//! Private tables through a relay: invited, offered, and played to a result that all have signed.

use std::path::Path;

use relays::Kind;
use relays::offer::Offer;

use super::process::{Player, agreed};
use super::relay::{Manner, Relay};
use super::{Home, secret};

const GAME: [&str; 5] = ["host", "blackout", "--option", "max=2", "--auto"];

fn host(data: &Path, relay: &Relay, more: &[&str]) -> Player {
    Player::start(data, &[&GAME, &["easy", "--seats", "2", "--relay", relay.url()], more].concat())
}

fn join(data: &Path, to: &str, more: &[&str]) -> Player {
    Player::start(data, &[&["join", to, "--auto", "easy"], more].concat())
}

#[test]
fn an_invited_guest_plays_a_whole_match_and_the_result_is_published() {
    let relay = Relay::start();
    let (ada, bob) = (Home::player(1), Home::player(2));
    let invited = secret(2).public().npub();
    let mut host = host(&ada.data(), &relay, &["--unlisted", "--invite", &invited, "--publish", relay.url()]);
    let ticket = host.until("ticket ");
    assert!(ticket.starts_with("ws://npub1"), "{ticket}");
    let mut guest = join(&bob.data(), relay.url(), &[]);
    let note = guest.until("note ");
    assert!(note.contains("invites you"), "{note}");
    agreed(&[guest.result(), host.result()]);
    // Only the host was asked to publish.
    let station = Home::station();
    station.sync(relay.url());
    assert_eq!(station.states().first().map(String::as_str), Some("complete"));
    // The relay has seen no ticket and no identity, and nothing of the table but what is sealed.
    for event in relay.events() {
        assert!(!event.text().contains("#fdt1"), "{event:?}");
        assert!(event.kind() != Kind::GIFT || event.by() != secret(1).public(), "{event:?}");
    }
}

#[test]
fn a_relay_that_loses_repeats_and_mixes_up_spoils_nothing() {
    let manner = Manner { loses_every: Some(9), repeats_every: Some(5), ..Manner::default() };
    let relay = Relay::with(manner);
    let (ada, bob) = (Home::player(1), Home::player(2));
    let mut host = host(&ada.data(), &relay, &["--unlisted"]);
    let ticket = host.until("ticket ");
    let guest = join(&bob.data(), &ticket, &[]);
    agreed(&[guest.result(), host.result()]);
    println!("{} events for a match of three deals through a bad relay", relay.passed());
}

#[test]
fn a_host_that_is_killed_comes_back_behind_the_same_relay() {
    let relay = Relay::start();
    let (ada, bob) = (Home::player(1), Home::player(2));
    let mut first = host(&ada.data(), &relay, &["--unlisted"]);
    let ticket = first.until("ticket ");
    let guest = join(&bob.data(), &ticket, &[]);
    first.until("cards 1");
    first.kill();
    let second = Player::start(&ada.data(), &["host", "--resume", "--auto", "easy"]);
    agreed(&[guest.result(), second.result()]);
}

#[test]
fn a_hub_behind_a_relay_is_replaced_by_that_of_another_player_behind_it() {
    let relay = Relay::start();
    let homes = [1, 2, 3].map(Home::player);
    let patience = ["--patience", "4"];
    let game = ["host", "ongdu", "--option", "max_rounds=4", "--auto", "easy", "--seats", "3", "--unlisted"];
    let command = [&game[..], &["--relay", relay.url()], &patience].concat();
    let mut ada = Player::start(&homes[0].data(), &command);
    let ticket = ada.until("ticket ");
    let [mut bob, cleo] = [1, 2].map(|place| join(&homes[place].data(), &ticket, &patience));
    bob.until("cards 2");
    ada.kill();
    bob.until_replaced();
    cleo.until_replaced();
}

#[test]
fn a_stranger_finds_an_offered_table_knocks_and_is_let_in() {
    let relay = Relay::with(Manner::default());
    let (ada, bob) = (Home::player(1), Home::player(2));
    let mut host = host(&ada.data(), &relay, &["--table", "Far away"]);
    host.until("ticket ");
    let mut guest = join(&bob.data(), relay.url(), &["--name", "Bob"]);
    assert_eq!(guest.until("door "), "blackout Far away");
    // Only who has compared the words is let in.
    let words = guest.until("words ");
    let mut knock = host.until("knock ");
    while !knock.ends_with(&words) {
        knock = host.until("knock ");
    }
    let number = knock.split_whitespace().next().unwrap();
    host.say(&format!("admit {number}"));
    agreed(&[guest.result(), host.result()]);
    println!("{} events for a match of three deals", relay.passed());
    // Nobody finds the table afterwards.
    let offers = relay.events().into_iter().filter(|event| event.kind() == Kind::OFFER);
    let url = relay.url().parse().unwrap();
    let open = offers.filter(|event| Offer::read(event, &url, event.at() + 1).is_ok()).count();
    assert_eq!(open, 0);
    let late = Home::player(3).run(&["join", relay.url(), "--auto", "easy"]);
    late.refused(2, &["nobody has invited you, and no table is offered"]);
}

#[test]
fn an_offer_is_not_hidden_by_a_copy_with_the_same_table() {
    let relay = Relay::with(Manner::default());
    let (ada, bob) = (Home::player(1), Home::player(2));
    let mut host = host(&ada.data(), &relay, &["--table", "Far away"]);
    let ticket = host.until("ticket ");
    let key = ticket.strip_prefix("ws://").and_then(|rest| rest.split_once('@')).unwrap().0;
    let offer = relay.events().into_iter().find(|event| event.kind() == Kind::OFFER).unwrap();
    let copy = relays::Draft { at: offer.at() + 1, ..offer.draft().clone() };
    relay.put(copy.sign(&secret(9), &[0; 32]));
    let both = bob.run(&["join", relay.url(), "--auto", "easy", "--table", "Far away"]);
    both.refused(2, &["several tables", key, &secret(9).public().npub()]);
    let mut guest = join(&bob.data(), relay.url(), &["--name", "Bob", "--table", key]);
    assert_eq!(guest.until("door "), "blackout Far away");
    host.until("knock ");
}

#[test]
fn what_cannot_be_hosted_or_found_is_said_in_one_line() {
    let home = Home::player(1);
    let nobody = { Relay::with(Manner::default()).url().to_owned() };
    let host = ["host", "blackout", "--auto", "easy", "--relay", &nobody];
    home.run(&host).refused(2, &[&nobody, "nobody answers"]);
    home.run(&["join", &nobody, "--auto", "easy"]).refused(2, &[&nobody, "nobody answers"]);
    for (words, saying) in [
        (vec!["host", "blackout", "--auto", "easy", "--relay", "https://x"], "wss://relay.example.org"),
        (vec!["host", "blackout", "--auto", "easy", "--invite", "npub1x"], "--invite"),
        (vec!["host", "blackout", "--auto", "easy", "--relay", "wss://x", "--via", "http://x"], "cannot be used with"),
        (vec!["join", "wss://x y", "--auto", "easy"], "wss://relay.example.org"),
        (vec!["join", "wss://x/private/00#fdt1", "--auto", "easy"], "ticket"),
    ] {
        home.run(&words).refused(2, &[saying]);
    }
}
