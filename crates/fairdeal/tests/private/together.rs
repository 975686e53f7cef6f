//! Computers, spectators, people who knock, and tables at a server.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::process::agreed;
use super::{Homes, Player, host, join};

const GAME: [&str; 3] = ["blackout", "--option", "max=2"];

#[test]
fn people_and_their_computers_play_and_a_spectator_has_the_same_result() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "4", &["--name", "Ada", "--bots", "easy,normal"]);
    let ticket = ada.until("ticket ");
    let eve = join(&homes.of("eve"), &ticket, &["--watch"]);
    let bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    let all = [bob.result(), ada.result(), eve.result()];
    agreed(&all);
    for name in ["Ada", "Ada's bot", "Ada's bot 2", "Bob"] {
        assert!(all[2].lines.contains(&format!("joined {name}")), "{name}: {:?}", all[2].lines);
    }
    let match_ = all[0].verified().played.unwrap().begun;
    assert_eq!(match_.players.len(), 4);
    assert_eq!(match_.start.threshold, None, "somebody runs several seats, so everybody is needed");
}

#[test]
fn four_people_need_only_three_of_them_to_open_a_card() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "4", &[]);
    let ticket = ada.until("ticket ");
    let others = ["bob", "cleo", "dora"].map(|name| join(&homes.of(name), &ticket, &[]));
    let mut all: Vec<_> = others.into_iter().map(Player::result).collect();
    all.push(ada.result());
    agreed(&all);
    let match_ = all[0].verified().played.unwrap().begun;
    assert_eq!(match_.start.threshold, Some(3));
    assert_eq!(match_.start.hub_run_by, Some(0), "the host runs the hub");
}

#[test]
fn somebody_who_knocks_sees_the_same_words_and_is_let_in() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "2", &[]);
    let code = ada.until("code ");
    let mut bob = Player::start(&homes.of("bob"), &["join", &code, "--auto", "easy", "--name", "Bob"]);
    let words = bob.until("words ");
    let knock = loop {
        let knock = ada.until("knock ");
        if knock.ends_with(&words) {
            break knock;
        }
    };
    let (number, name) = knock.split_once(' ').unwrap();
    assert_eq!(name, format!("Bob {words}"));
    ada.say(&format!("admit {number}"));
    agreed(&[bob.result(), ada.result()]);
}

#[test]
fn somebody_who_knocks_is_turned_away() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "2", &[]);
    let code = ada.until("code ");
    let mut bob = Player::start(&homes.of("bob"), &["join", &code, "--auto", "easy"]);
    bob.until("words ");
    let knock = ada.until("knock ");
    ada.say(&format!("decline {}", knock.split(' ').next().unwrap()));
    let (exit, err) = bob.end();
    assert_eq!((exit, err.as_str()), (Some(2), "fairdeal: nobody at the table lets you in"));
}

#[test]
fn a_player_who_leaves_before_the_match_makes_room_for_another() {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &GAME, "3", &[]);
    let ticket = ada.until("ticket ");
    let mut bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    bob.until("joined Bob");
    bob.say("leave");
    assert_eq!(bob.end().0, Some(0));
    ada.until("left Bob");
    let (cleo, dora) = (join(&homes.of("cleo"), &ticket, &[]), join(&homes.of("dora"), &ticket, &[]));
    agreed(&[cleo.result(), dora.result(), ada.result()]);
}

/// A server that is stopped when dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start(homes: &Homes) -> (Self, String) {
        let mut server = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        server.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(homes.of("server"));
        let mut server = Self(server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().rsplit(' ').next().unwrap().to_owned();
        (server, url)
    }
}

#[test]
fn a_table_at_a_server_needs_no_hub_of_its_own() {
    let homes = Homes::new();
    let (_server, url) = Server::start(&homes);
    let via = ["host", "blackout", "--option", "max=2", "--via", &url, "--seats", "2", "--auto", "easy"];
    let mut ada = Player::start(&homes.of("ada"), &via);
    let ticket = ada.until("ticket ");
    assert!(ticket.starts_with(url.trim_end_matches('/')), "{ticket}");
    let bob = join(&homes.of("bob"), &ticket, &[]);
    let all = [bob.result(), ada.result()];
    agreed(&all);
    assert_eq!(all[0].verified().played.unwrap().begun.start.hub_run_by, None);
}

#[test]
fn when_the_hub_is_lost_for_good_the_players_continue_at_one_of_their_own() {
    let homes = Homes::new();
    let (server, url) = Server::start(&homes);
    let patience = ["--patience", "4"];
    let via = ["host", "ongdu", "--option", "max_rounds=8", "--via", &url, "--seats", "3", "--auto", "easy"];
    let mut ada = Player::start(&homes.of("ada"), &[&via[..], &patience].concat());
    let ticket = ada.until("ticket ");
    let [mut bob, cleo] = ["bob", "cleo"].map(|name| join(&homes.of(name), &ticket, &patience));
    bob.until("cards 2");
    drop(server);
    let all = [bob.result(), cleo.result(), ada.result()];
    agreed(&all);
    for played in &all {
        assert_eq!(played.verified().changes.len(), 1, "the hub was replaced once");
    }
}
