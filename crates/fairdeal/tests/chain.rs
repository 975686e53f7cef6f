//! Simulated chains: the same seed gives the same chain, wrong options are named, and liars are reported.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::run;
use serde_json::{Value, json};

/// The JSON of a simulation without what depends on time.
fn simulate(words: &str) -> Value {
    let mut said: Value = serde_json::from_str(&run(&format!("chain sim {words} --json")).well()).unwrap();
    assert!(said.as_object_mut().unwrap().remove("speed").unwrap()["hands_per_second"].as_f64().unwrap() > 0.0);
    said
}

#[test]
fn the_same_seed_gives_the_same_chain() {
    let said = simulate("--validators 4 --players 2 --hands 2 --seed 1");
    assert_eq!(said["hands"]["completed"], 2, "{said}");
    assert_eq!((&said["members"], &said["threshold"], &said["bots"]), (&json!(4), &json!(3), &json!("easy")));
    assert_eq!(said["corrupt_seats"], json!({ "most": 0, "possible": 0, "cards_secret": true }));
    assert!(said["laws"].as_object().unwrap().values().all(|held| *held == true), "{said}");
    assert_eq!((&said["broken"], &said["interrupted"]), (&Value::Null, &json!(false)));
    assert!(said["decks"].as_u64().unwrap() >= 2 && said["bytes_per_hand"].as_u64().unwrap() > 10_000, "{said}");
    assert_eq!(simulate("--validators 4 --players 2 --hands 2 --seed 1"), said);
    let command = said["command"].as_str().unwrap().strip_prefix("fairdeal chain sim ").unwrap();
    assert_eq!(simulate(command), said, "the command repeats it");
    assert_ne!(simulate("--validators 4 --players 2 --hands 2 --seed 2")["tip"], said["tip"]);
}

#[test]
fn liars_are_named_with_what_they_lost() {
    let words = "--players 2 --hands 2 --seed 3 --liars 2=wrong-proof";
    let said = simulate(words);
    let liars = said["liars"].as_array().unwrap();
    assert_eq!(liars.len(), 1, "{said}");
    assert_eq!((&liars[0]["validator"], &liars[0]["lie"]), (&json!(1), &json!("wrong-proof")), "counted from 0");
    assert!(liars[0]["address"].as_str().unwrap().starts_with("deal1"), "{said}");
    assert!(liars[0]["offences"]["wrong proof"].as_u64().unwrap() > 0, "{said}");
    assert_eq!(said["corrupt_seats"]["cards_secret"], true);
    let text = run(&format!("chain sim {words}")).well();
    let row = text.lines().find(|line| line.contains(" wrong-proof ")).unwrap();
    assert_eq!(row.split_whitespace().next(), Some("2"), "people count from 1: {text}");
    assert!(text.contains("Cards were secret") && text.contains("nobody honest was punished   yes"), "{text}");
    assert!(text.contains("repeat with  fairdeal chain sim --validators 4"), "{text}");
}

#[test]
fn too_many_liars_can_see_cards_and_that_is_said() {
    let text = run("chain sim --players 2 --hands 1 --seed 4 --liars 1-4=censor").well();
    assert!(text.contains("Cards were not secret: liars had 4 of 4 seats"), "{text}");
}

#[test]
fn players_of_every_level_play() {
    for bots in ["random", "normal", "hard"] {
        let said = simulate(&format!("--players 3 --hands 1 --seed 5 --bots {bots}"));
        assert_eq!((&said["bots"], &said["hands"]["completed"]), (&json!(bots), &json!(1)), "{said}");
    }
}

#[test]
fn wrong_options_are_named_with_what_is_possible() {
    let sim = |words: &str| run(&format!("chain sim {words}"));
    sim("--validators 0").refused(2, &["--validators", "from 1 to 100"]);
    sim("--members 3").refused(2, &["--members", "from 4 to 64"]);
    sim("--players 10").refused(2, &["--players", "from 2 to 9"]);
    sim("--lost 1000").refused(2, &["--lost", "from 0 to 900"]);
    sim("--bots clever").refused(2, &["--bots", "random, easy, normal or hard"]);
    sim("--liars 2").refused(2, &["--liars", "NUMBER=WORD"]);
    sim("--liars 2=lazy").refused(2, &["--liars", "\"lazy\"", "silent, withhold, wrong-proof", "or censor"]);
    sim("--liars 5=silent").refused(2, &["--liars", "only 4 validators"]);
    sim("--liars 1-2=silent,2=copy").refused(2, &["--liars", "number 2", "twice"]);
    sim("--pranks 1=joke").refused(2, &["--pranks", "sleep, restless or spam"]);
    sim("--pranks 3=spam --players 2").refused(2, &["--pranks", "only 2 players"]);
}

#[test]
fn an_exported_hand_is_verified_and_every_change_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hand.json");
    let name = path.display();
    run(&format!("chain sim --players 2 --hands 1 --seed 6 --export {name}")).well();
    let said = run(&format!("verify {name}")).well();
    assert!(said.contains("at table 1 of a poker chain: valid") && said.contains("shuffled:  4 of 4 seats"), "{said}");
    let json: Value = serde_json::from_str(&run(&format!("verify --json {name}")).well()).unwrap();
    assert_eq!((&json["ok"], &json["table"], &json["members"]), (&json!(true), &json!(1), &json!(4)));
    run(&format!("chain sim --hands 1 --export {name}")).refused(2, &["the file exists", "--force"]);

    let text = std::fs::read_to_string(&path).unwrap();
    let middle = text.len() / 2;
    let digit = if text.as_bytes()[middle] == b'0' { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &text[..middle], &text[middle + 1..]);
    std::fs::write(&path, changed).unwrap();
    let refused = run(&format!("verify {name}"));
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("invalid: "), "{}", refused.err);
    std::fs::write(&path, &text[..1000]).unwrap();
    let refused = run(&format!("verify {name}"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("expected an exported hand"), "{}", refused.err);
}

#[test]
fn a_wallet_needs_no_node_and_everything_else_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().display();
    let chain = |words: &str| run(&format!("chain {words} --data {data} --node 127.0.0.1:1"));
    chain("wallet show").refused(2, &["fairdeal chain wallet new"]);
    chain("sit 1").refused(2, &["fairdeal chain wallet new"]);
    let made: Value = serde_json::from_str(&chain("wallet new --json").well()).unwrap();
    assert!(made["address"].as_str().unwrap().starts_with("deal1"), "{made}");
    chain("wallet new").refused(2, &["never overwritten"]);
    chain("wallet export").refused(2, &["--secret"]);
    let secret = chain("wallet export --secret").well();
    assert_eq!(secret.trim().len(), 64);
    // The same wallet in another folder.
    let other = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup.txt");
    chain(&format!("wallet export --secret --output {}", backup.display())).well();
    let words = format!("chain wallet import {} --json --data {}", backup.display(), other.path().display());
    let same: Value = serde_json::from_str(&run(&words).well()).unwrap();
    assert_eq!(same["address"], made["address"]);
    for words in
        ["wallet show --json", "wallet faucet", "tables", "sit 1", "leave", "verify 1 last", "play --auto easy"]
    {
        chain(words).refused(2, &["no node can be reached at 127.0.0.1:1", "fairdeal-node dev"]);
    }
    chain("play").refused(2, &["terminal", "--auto"]);
    chain("watch 1").refused(2, &["terminal"]);
    chain("sit nothing").refused(2, &["TABLE"]);
    chain("sit 1 --seat 10").refused(2, &["--seat", "from 1 to 9"]);
    chain("sit 1 --buy-in 0").refused(2, &["--buy-in", "above 0"]);
    chain("sit 1 --auto clever").refused(2, &["--auto", "random, easy, normal or hard"]);
    chain("wallet send nobody 5").refused(2, &["deal1"]);
    run("chain tables --node https://example.org").refused(2, &["--node", "HOST:PORT"]);
}
