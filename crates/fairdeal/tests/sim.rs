//! Simulations: the same seed gives the same result, and wrong options are named.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::{run, run_in};
use games::AnyGame;
use serde_json::Value;

/// The JSON of a simulation without what depends on time.
fn simulate(words: &str) -> Value {
    let mut said: Value = serde_json::from_str(&run(&format!("sim {words} --json")).well()).unwrap();
    assert!(said.as_object_mut().unwrap().remove("speed").unwrap()["deals_per_second"].as_f64().unwrap() > 0.0);
    said
}

#[test]
fn the_same_seed_gives_the_same_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for units in ["--deals 700", "--matches 9 --max-deals 40 --bot simple --bot 1=random"] {
            let with = |threads: u8| {
                let record = format!("{game}-{threads}.jsonl");
                let path = folder.path().join(record);
                let words = format!("{game} {units} --seed 42 --threads {threads} --record {} --force", path.display());
                (simulate(&words), std::fs::read_to_string(path).unwrap())
            };
            let (said, record) = with(1);
            for threads in [2, 3] {
                let (again, recorded) = with(threads);
                assert_eq!(again, said, "{game} {units} on {threads} threads");
                assert!(recorded == record, "{game} {units} on {threads} threads: another record");
            }
            assert_eq!(simulate(&format!("{game} {units} --seed 42")), said, "{game} {units} without a record");
            assert_ne!(simulate(&format!("{game} {units} --seed 43"))["seats"], said["seats"], "{game} {units}");
        }
    }
}

#[test]
fn the_summary_adds_up() {
    let said = simulate("blackout --deals 500 --seed 3 --players 3");
    assert_eq!(said["deals"], 500);
    assert_eq!(said["matches"], Value::Null);
    assert_eq!(said["seats"].as_array().unwrap().len(), 3);
    let endings: u64 = said["endings"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(endings, 500);
    for seat in said["seats"].as_array().unwrap() {
        let (mean, ci) = (seat["mean"].as_f64().unwrap(), &seat["ci95"]);
        assert!(ci[0].as_f64().unwrap() < mean && mean < ci[1].as_f64().unwrap());
    }

    let said = simulate("blackout --matches 20 --seed 3 --players 3 --option max=4");
    assert_eq!(said["matches"]["count"], 20);
    assert_eq!(said["matches"]["stopped"], 0);
    // Rounds of 1, 2, 3, 4, 3, 2, 1 cards.
    assert_eq!(said["matches"]["deals"]["mean"], 7.0);
    assert_eq!(said["deals"], 140);
    let places = |seat: &Value| seat["places"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert!(said["seats"].as_array().unwrap().iter().all(|seat| places(seat) == 20));
    let wins: u64 = said["seats"].as_array().unwrap().iter().map(|seat| seat["wins"].as_u64().unwrap()).sum();
    assert!(wins >= 20);
}

/// Of the output that the README shows nothing is made up; `…` stands for the rest of it.
#[test]
fn the_example_in_the_readme_is_true() {
    let readme = include_str!("../../../README.md");
    let shown = readme.split("```text\n$ fairdeal ").nth(1).and_then(|rest| rest.split("…\n```").next()).unwrap();
    let (command, output) = shown.split_once('\n').unwrap();
    let said = run(command).well();
    assert!(said.starts_with(output), "{said}");
}

/// People count seats from 1, programs from 0.
#[test]
fn seats_are_counted_from_one_where_people_look() {
    let words = "blackout --players 3 --matches 2 --option max=2 --seed 3 --bot easy --bot 1=random";
    let text = run(&format!("sim {words}")).well();
    let seats: Vec<Vec<&str>> =
        text.lines().skip(3).take(3).map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(seats, [["1", "random"], ["2", "easy"], ["3", "easy"]], "{text}");
    let said = simulate(words);
    let seats: Vec<_> = said["seats"].as_array().unwrap().iter().map(|seat| (&seat["seat"], &seat["bot"])).collect();
    assert_eq!(seats, [(&0.into(), &"random".into()), (&1.into(), &"easy".into()), (&2.into(), &"easy".into())]);
}

#[test]
fn one_of_anything_is_not_called_several() {
    let text = run("sim blackout --deals 1 --seed 3 --threads 1").well();
    assert!(text.contains(", 1 deal, seed 3") && text.contains("\n1 deal in "), "{text}");
    assert!(!text.contains(" 1 deals") && !text.contains("\n1 deals") && !text.contains("NaN"), "{text}");
    let text = run("sim blackout --matches 1 --max-deals 1 --seed 3 --threads 1").well();
    assert!(text.contains(", 1 match, seed 3") && text.contains("1 match after 1 deal\n"), "{text}");
}

#[test]
fn matches_without_end_are_stopped() {
    let said = simulate("blackout --matches 3 --max-deals 2 --seed 1");
    assert_eq!(said["matches"]["stopped"], 3);
    assert_eq!(said["deals"], 6);
    let text = run("sim blackout --matches 3 --max-deals 2 --seed 1").well();
    assert!(text.contains("stopped") && text.contains("--max-deals 2"), "{text}");
}

#[test]
fn a_run_without_a_seed_says_how_to_repeat_it() {
    let first = run("sim blackout --deals 50 --players 2 --bot 2=simple --option max=3").well();
    let again = first.lines().find_map(|line| line.strip_prefix("repeat with  fairdeal ")).unwrap();
    let second = run(again).well();
    let without_time = |text: &str| text.lines().filter(|line| !line.contains(" s on ")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_time(&first), without_time(&second));
    assert_ne!(without_time(&first), without_time(&run("sim blackout --deals 50 --players 2").well()));
}

#[test]
fn wrong_options_are_named_with_their_range() {
    let refused = |words: &str, saying: &[&str]| run(&format!("sim {words}")).refused(2, saying);
    refused("blackout --players 8", &["--players 8", "from 2 to 7"]);
    refused("blackout --players 200", &["--players 200", "from 2 to 7"]);
    refused("holdem --players 99", &["--players 99", "from 2 to 9 in holdem"]);
    refused("holdem --players 1000", &["1000", "whole number", "fairdeal games"]);
    refused("holdem --players -1", &["-1", "whole number", "fairdeal games"]);
    refused("blackout --option start=27", &["start=27", "start must be from 1 to 26"]);
    refused("blackout --option hook=maybe", &["hook must be true or false"]);
    refused("blackout --option strat=3", &["strat=3", "no such setting", "start"]);
    refused("blackout --option start", &["start", "NAME=VALUE"]);
    refused("blackout --option max=14", &["max must be from 1 to 13 with 4 players"]);
    refused("blackout --bot clever", &["clever", "random, easy, normal, hard or cmd:"]);
    refused("blackout --bot 1=cmd:", &["--bot 1=cmd:", "a command"]);
    refused("blackout --bot-time 0", &["--bot-time", "from 0.001 to 3600"]);
    refused("blackout --bot 5=simple", &["5=simple", "from 1 to 4"]);
    refused("blackout --bot 0=simple", &["0=simple", "from 1 to 4"]);
    refused("blackout --deals 0", &["--deals", "from 1 to"]);
    refused("blackout --deals 1e6", &["1e6", "whole number"]);
    refused("blackout --seed -1", &["--seed", "-1", "from 0 to 18446744073709551615"]);
    refused("blackout --deals 1 --matches 1", &["--deals", "--matches"]);
    refused("blackout --deals 1 --max-deals 1", &["--deals", "--max-deals"]);
    refused("blackout --max-deals 1", &["--matches"]);
    refused("blackout --threads 0", &["--threads", "from 1 to 1024"]);
    refused("", &["GAME"]);
    refused("blackout --deals 5000000000 --record x", &["--deals", "from 1 to 4294967295"]);
}

#[test]
fn a_file_is_replaced_only_by_force_and_only_when_complete() {
    let folder = tempfile::tempdir().unwrap();
    let at = |words: &str| run_in(folder.path(), &format!("sim blackout --deals 3 {words}"));
    at("--seed 1 --record a.jsonl").well();
    let first = std::fs::read(folder.path().join("a.jsonl")).unwrap();
    at("--seed 2 --record a.jsonl").refused(2, &["a.jsonl", "--force"]);
    assert_eq!(std::fs::read(folder.path().join("a.jsonl")).unwrap(), first);
    at("--seed 2 --record a.jsonl --force").well();
    assert_ne!(std::fs::read(folder.path().join("a.jsonl")).unwrap(), first);
    at("--record nowhere/a.jsonl").refused(2, &["nowhere/a.jsonl", "no such file"]);
    at("--record . --force").refused(2, &["not a file"]);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["a.jsonl"]);
}

#[cfg(unix)]
#[test]
fn an_endless_match_that_is_interrupted_leaves_nothing_behind() {
    use std::process::{Command, Stdio};

    let endless = "sim ongdu --players 2 --matches 1 --max-deals 4000000000 --option max_rounds=0 \
                   --option starting_cash=1000000 --option point_value=1 --seed 1 --record a.jsonl";
    for signal in ["INT", "TERM", "HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let mut child = common::program()
            .current_dir(folder.path())
            .args(endless.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while files() == 0 {
            assert!(child.try_wait().unwrap().is_none(), "it has ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        // The file is there a moment before signals are caught.
        std::thread::sleep(std::time::Duration::from_millis(100));
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ran = common::Ran::from(child.wait_with_output().unwrap());
        assert!(ran.err.contains("a.jsonl: not written"), "{}", ran.err);
        assert_eq!((ran.code, ran.err.ends_with("fairdeal: interrupted\n")), (Some(130), true), "{}", ran.err);
        assert_eq!(files(), 0, "after {signal}");
    }
}
