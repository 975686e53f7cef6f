//! `fairdeal arena`, as people call it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::run;
use serde_json::Value;

/// What is said of every pair, without what no seed decides.
fn arena(words: &str) -> Vec<Value> {
    let text = run(&format!("arena {words} --json")).well();
    let mut all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    all.iter_mut().for_each(|said| drop(said.as_object_mut().unwrap().remove("time").unwrap()));
    all
}

#[test]
fn the_same_seed_gives_the_same_result_on_any_number_of_threads() {
    for words in ["blackout --bots easy,random --players 3", "blackjack --bots easy,random"] {
        let said = arena(&format!("{words} --matches 60 --seed 42 --threads 1"));
        assert_eq!(arena(&format!("{words} --matches 60 --seed 42 --threads 3")), said, "{words}");
        assert_ne!(
            arena(&format!("{words} --matches 60 --seed 43"))[0]["difference"],
            said[0]["difference"],
            "{words}"
        );
        let clear = arena(&format!("{words} --seed 42 --threads 1 --until-clear --matches 600"));
        assert_eq!(arena(&format!("{words} --seed 42 --threads 3 --until-clear --matches 600")), clear, "{words}");
    }
}

#[test]
fn equal_bots_are_exactly_even() {
    for game in ["holdem", "blackjack", "romme", "bigc", "ongdu", "blackout"] {
        let said = &arena(&format!("{game} --bots easy,simple --players 2 --matches 8 --max-deals 20 --seed 5"))[0];
        assert_eq!(said["a"]["wins"], 50.0, "{game}");
        assert_eq!(said["wins_ci95"], serde_json::json!([50.0, 50.0]), "{game}");
        assert_eq!(said["difference"]["mean"], 0.0, "{game}");
        assert_eq!(said["better"], Value::Null, "{game}");
    }
}

#[test]
fn ongdu_is_counted_in_cash() {
    let said = run("arena ongdu --bots easy,random --players 2 --matches 4 --max-deals 3 --seed 5").well();
    assert!(said.contains("cash per deal") && !said.contains("chips"), "{said}");
}

#[test]
fn every_pair_plays_whole_sets() {
    let said = arena("blackout --bots normal,easy,random --players 3 --matches 20 --option max=3 --seed 1");
    let pairs: Vec<_> = said.iter().map(|said| (said["a"]["bot"].as_str(), said["b"]["bot"].as_str())).collect();
    let [normal, easy, random] = ["normal", "easy", "random"].map(Some);
    assert_eq!(pairs, [(normal, easy), (normal, random), (easy, random)]);
    for said in &said {
        assert_eq!((&said["sets"], &said["matches"], &said["stopped"]), (&3.into(), &18.into(), &0.into()));
        let (a, b) = (said["a"]["wins"].as_f64().unwrap(), said["b"]["wins"].as_f64().unwrap());
        assert!((a + b - 100.0).abs() < 1e-9);
        assert!(said["a"]["decisions"].as_u64().unwrap() > 0);
    }
}

#[test]
fn what_players_of_a_game_count_is_counted() {
    let said =
        &arena("holdem --bots easy,random --players 2 --option ring=true --option hand_limit=30 --matches 8 --seed 3")
            [0];
    // A fixed blind of 20: 100 hands at so many chips each.
    let chips = said["a"]["result"]["mean"].as_f64().unwrap();
    let blinds = said["a"]["bb_per_100"]["mean"].as_f64().unwrap();
    assert!((blinds - 100.0 * chips / 20.0).abs() < 1e-6, "{said}");
    let said = &arena("blackjack --bots easy,random --matches 40 --seed 3")[0];
    let percent = |side: &str| said[side]["percent_of_bets"]["mean"].as_f64().unwrap();
    assert!(percent("b") < percent("a") && percent("a") < 20.0 && percent("b") > -100.0, "{said}");
}

#[test]
fn matches_without_end_are_stopped_and_count_for_the_leader() {
    let said = &arena("blackout --bots easy,random --matches 4 --max-deals 2 --seed 1")[0];
    assert_eq!((&said["stopped"], &said["deals"]), (&4.into(), &8.into()));
    let text = run("arena blackout --bots easy,random --matches 4 --max-deals 2 --seed 1").well();
    assert!(text.contains("4 matches stopped after 2 deals"), "{text}");
    assert!(text.contains("easy against random: ") && text.contains("not clear"), "{text}");
}

#[test]
fn one_of_anything_is_not_called_several() {
    let text = run("arena blackout --bots easy,random --players 2 --matches 2 --max-deals 1 --seed 1").well();
    assert!(
        text.contains("2 matches in 1 set, 2 deals") && text.contains("2 matches stopped after 1 deal\n"),
        "{text}"
    );
}

#[test]
fn wrong_options_are_named() {
    let refused = |words: &str, saying: &[&str]| run(&format!("arena {words}")).refused(2, saying);
    refused("blackout", &["--bots"]);
    refused("blackout --bots easy", &["--bots easy", "at least two"]);
    refused("blackout --bots easy,clever", &["--bots clever", "hard"]);
    refused("blackout --bots easy,hard --players 9", &["--players 9", "from 2 to 7"]);
    refused("blackout --bots easy,hard --players 3 --matches 5", &["--matches 5", "6 matches"]);
    refused("blackout --bots easy,hard --option max=99", &["max"]);
    refused("blackout --bots easy,hard --threads 0", &["--threads", "from 1 to 1024"]);
}

/// Better bots must be better, clearly. All levels are measured by `cargo xtask soak`; what takes no time
/// is measured always.
#[test]
fn every_level_beats_the_one_below() {
    let soak = std::env::var_os("FAIRDEAL_SOAK").is_some();
    let (levels, most): (&[&str], _) =
        if soak { (&["hard,normal", "normal,easy", "easy,random"], 2000) } else { (&["easy,random"], 400) };
    let mut unclear = Vec::new();
    for game in ["holdem", "blackjack", "romme", "bigc", "ongdu", "blackout"] {
        for players in [2, 4] {
            for pair in levels {
                // Until somebody is bankrupt, good players of Ongdu need thousands of rounds.
                let shorter = if game == "ongdu" { "--option max_rounds=100" } else { "" };
                let words = format!(
                    "{game} --bots {pair} --players {players} --until-clear --matches {most} --seed 2024 {shorter}"
                );
                let said = &arena(&words)[0];
                let (wins, ci) = (&said["a"]["wins"], &said["wins_ci95"]);
                println!("{game:10} {players} {pair:12} {wins:.2} % {ci} after {} matches", said["matches"]);
                if said["better"] != "a" {
                    unclear.push(format!("fairdeal arena {words}: {wins} % of wins, {ci}"));
                }
            }
        }
    }
    assert!(unclear.is_empty(), "not clearly better:\n{}", unclear.join("\n"));
}
