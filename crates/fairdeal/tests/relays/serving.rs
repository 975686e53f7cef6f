//! `fairdeal serve --station`: boards as pages, and results from anybody.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::http::{Answer, raw, request};
use super::served::{Server, free_address};
use super::{Home, body, complete, signed};

fn serving(home: &Home) -> Server {
    Server::start(free_address(), &home.data(), None, &["--station"])
}

fn post(server: &Server, text: &str) -> Answer {
    raw(server.address, "POST", "/api/v1/results", "", text).unwrap()
}

fn get(server: &Server, path: &str, language: &str) -> String {
    let answer = raw(server.address, "GET", path, &format!("Accept-Language: {language}\r\n"), "").unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.body
}

/// The board for programs, as soon as it has so many players.
fn board(server: &Server, players: usize) -> Value {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let board = request(server.address, "GET", "/api/v1/leaderboards/poker", None, None).unwrap().json();
        if board["rows"].as_array().unwrap().len() == players {
            return board;
        }
        assert!(Instant::now() < end, "{board}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn results_are_taken_checked_and_shown() {
    let home = Home::station();
    let server = serving(&home);
    assert!(get(&server, "/station", "en").contains("No results yet"));
    let players = [1, 2, 3];
    let first = post(&server, &signed(&body(1, &players), &players, &[0, 1]).text());
    assert_eq!((first.status, &first.json()["kept"], &first.json()["complete"]), (201, &"new".into(), &false.into()));
    board(&server, 0);
    let rest = post(&server, &signed(&body(1, &players), &players, &[2]).text());
    assert_eq!((rest.status, &rest.json()["kept"], &rest.json()["complete"]), (200, &"completed".into(), &true.into()));
    let again = post(&server, &complete(1, &players).text());
    assert_eq!((again.status, &again.json()["kept"]), (200, &"known".into()));
    let board = board(&server, 3);
    let file = board["file"].as_str().unwrap();
    let read = results::Leaderboard::parse(file.as_bytes()).unwrap();
    assert_eq!(read.signer().unwrap().unwrap().npub(), board["npub"].as_str().unwrap());
    assert_eq!(get(&server, "/station/poker.txt", "en"), file);
    let (english, german) = (get(&server, "/station/poker", "en"), get(&server, "/station/holdem", "de"));
    assert!(
        english.contains("<th scope=\"col\" class=\"number\">Lost</th>") && english.contains("100.0%"),
        "{english}"
    );
    assert!(german.contains("Verloren") && german.contains("100,0") && german.contains("lang=\"de\""), "{german}");
    assert!(get(&server, "/", "en").contains("href=\"/station\""));
    // What another program puts into the folder is shown, too.
    home.import(&[&complete(2, &[4, 5])]);
    super::serving::board(&server, 5);
}

#[test]
fn an_address_that_has_brought_enough_may_still_send_what_is_known() {
    let home = Home::station();
    let server = serving(&home);
    let half = |by: usize| signed(&body(0, &[1, 2]), &[1, 2], &[by]).text();
    assert_eq!(post(&server, &half(0)).status, 201);
    for number in 1..200 {
        assert_eq!(post(&server, &complete(number, &[1, 2]).text()).status, 201, "{number}");
    }
    let new = post(&server, &complete(200, &[1, 2]).text());
    assert_eq!((new.status, new.json()["error"].as_str()), (429, Some("too_many")), "{new:?}");
    let known = post(&server, &complete(7, &[1, 2]).text());
    assert_eq!((known.status, &known.json()["kept"]), (200, &"known".into()), "{known:?}");
    let rest = post(&server, &half(1));
    assert_eq!((rest.status, &rest.json()["complete"]), (200, &true.into()), "{rest:?}");
}

#[test]
fn whatever_is_wrong_is_refused_with_a_reason() {
    let home = Home::station();
    let server = serving(&home);
    let partial = signed(&body(1, &[1, 2]), &[1, 2], &[0]);
    let line = partial.text().lines().last().unwrap().to_owned();
    let forged = format!("{}{}\n", partial.text(), line.replace("signature_1", "signature_2"));
    let early = complete(1, &[1, 2]).text().replace("TIMESTAMP: 2026", "TIMESTAMP: 2016");
    for (text, status, error) in [
        ("nonsense", 400, "unreadable"),
        ("", 400, "unreadable"),
        (&partial.text()[..200], 400, "unreadable"),
        (forged.as_str(), 422, "forged"),
        (early.as_str(), 422, "forged"),
        (signed(&body(1, &[1, 2]), &[1, 2], &[]).text().as_str(), 422, "unsigned"),
        ("x".repeat(40_000).as_str(), 413, "too_long"),
    ] {
        let answer = post(&server, text);
        assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(error)), "{answer:?}");
        assert!(!answer.json()["message"].as_str().unwrap().is_empty());
    }
    let foreign = raw(server.address, "POST", "/api/v1/results", "Origin: http://elsewhere.example\r\n", "x").unwrap();
    assert_eq!(foreign.status, 403);
    assert_eq!(request(server.address, "GET", "/api/v1/leaderboards/chess", None, None).unwrap().status, 404);
    assert!(home.states().is_empty());
}

#[test]
fn players_send_their_results_to_a_station_and_only_a_station_takes_them() {
    let home = Home::station();
    let server = serving(&home);
    let player = Home::player(1);
    player.import(&[&complete(1, &[1, 2])]);
    let url = format!("http://{}", server.address);
    assert_eq!(player.run(&["results", "publish", &url]).well(), format!("{url}: 1 result sent\n"));
    board(&server, 2);
    drop(server);
    let plain = Server::start(free_address(), &home.data(), None, &[]);
    let url = format!("http://{}", plain.address);
    let refused = player.run(&["results", "publish", &url]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("nothing at this address"), "{}", refused.err);
    assert_eq!(request(plain.address, "GET", "/station", None, None).unwrap().status, 404);
    Home::new().run(&["serve", "--station", "--listen", "0"]).refused(2, &["fairdeal station init"]);
}

#[test]
fn a_station_with_a_list_counts_only_matches_of_those_on_it() {
    let home = Home::station();
    home.import(&[&complete(1, &[1, 2]), &complete(2, &[1, 7])]);
    let server = serving(&home);
    board(&server, 3);
    assert!(get(&server, "/station", "en").contains("nobody checks who is behind a name"));
    let keys = [1, 2, 3].map(|byte| super::secret(byte).public().npub());
    std::fs::write(
        home.data().join("station-players.txt"),
        format!("# Friday\n{} Eva\n{}\n{}\n", keys[0], keys[1], keys[2]),
    )
    .unwrap();
    board(&server, 2);
    assert!(get(&server, "/station", "en").contains("Only players whom this station knows"));
    let stranger = post(&server, &complete(3, &[1, 9]).text());
    assert_eq!((stranger.status, stranger.json()["error"].as_str()), (403, Some("stranger")), "{stranger:?}");
    assert_eq!(post(&server, &complete(4, &[2, 3]).text()).status, 201);
    board(&server, 3);
    assert_eq!(home.board().len(), 3, "the command counts as the page does");
    std::fs::write(home.data().join("station-players.txt"), "Eva\n").unwrap();
    home.run(&["station", "leaderboard"]).refused(2, &["line 1", "npub1"]);
}
