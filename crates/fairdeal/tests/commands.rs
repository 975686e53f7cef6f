//! The program as people call it: help, games, rank, bench, completions.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use common::{program, run, run_with_input};
use serde_json::Value;

#[test]
fn without_a_command_it_serves_until_it_is_ended() {
    let data = tempfile::tempdir().unwrap();
    let mut child = program()
        .env("FAIRDEAL_LISTEN", "127.0.0.1:0")
        .env("FAIRDEAL_DATA", data.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.contains("http://127.0.0.1:"), "{first}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM).unwrap();
    assert_eq!(lines.last().unwrap().unwrap(), "Stopped. Everything is stored.");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_server_says_in_a_line_why_it_cannot_run() {
    run("serve --listen nonsense").refused(2, &["nonsense", "it needs a port", "localhost:7777"]);
    run("serve --listen example.org:7777").refused(2, &["example.org", "localhost or an IP address"]);
    run("serve --listen 127.0.0.1:0 --database mysql://x").refused(2, &["sqlite:PATH", "postgres://"]);
    run("serve --listen 127.0.0.1:0 --public-url cards.example.org").refused(2, &["http://"]);
    run("serve --config /nowhere/fairdeal.toml").refused(2, &["/nowhere/fairdeal.toml"]);
    run("table show xyz --database sqlite:/nowhere/x.sqlite").refused(2, &["no database found"]);
}

#[test]
fn every_command_has_help_with_examples() {
    assert!(run("--help").well().contains("completions"));
    for command in [
        "serve",
        "table",
        "database",
        "games",
        "play",
        "sim",
        "arena",
        "replay",
        "verify",
        "key",
        "results",
        "station",
        "chain",
        "chain sim",
        "chain wallet",
        "chain wallet new",
        "chain wallet show",
        "chain wallet faucet",
        "chain wallet send",
        "chain wallet export",
        "chain wallet import",
        "chain tables",
        "chain sit",
        "chain play",
        "chain watch",
        "chain leave",
        "chain verify",
        "convert",
        "rank",
        "bench",
        "completions",
    ] {
        let help = run(&format!("{command} --help")).well();
        assert!(help.contains("Example"), "{help}");
    }
    assert!(run("--version").well().starts_with("fairdeal "));
}

#[test]
fn the_games_are_listed_for_people_and_machines() {
    let games: Value = serde_json::from_str(&run("games --json").well()).unwrap();
    let games = games.as_array().unwrap();
    assert!(!games.is_empty());
    let list = run("games").well();
    for game in games {
        let name = game["name"].as_str().unwrap();
        assert!(list.contains(game["title"].as_str().unwrap()));
        assert!(game["players"]["least"].as_u64() <= game["players"]["most"].as_u64());
        let one: Value = serde_json::from_str(&run(&format!("games {name} --json")).well()).unwrap();
        assert_eq!(&one, game);
        let text = run(&format!("games {name}")).well();
        for setting in game["settings"].as_array().unwrap() {
            let (name, default) = (setting["name"].as_str().unwrap(), setting["default"].as_str().unwrap());
            assert!(text.contains(&format!("{name}={default}")), "{text}");
        }
    }
}

#[test]
fn an_unknown_name_gets_a_suggestion() {
    run("games blakout").refused(2, &["blakout", "a similar value exists: 'blackout'"]);
    run("simm").refused(2, &["simm", "sim"]);
    run("sim blackout --playrs 3").refused(2, &["--playrs", "--players"]);
}

#[test]
fn numbers_of_a_server_are_refused_with_their_range() {
    for option in ["keep-days", "max-tables", "requests-per-second"] {
        for number in ["-1", "4294967296", "many"] {
            run(&format!("serve --{option} {number}")).refused(2, &[option, number, "from 0 to 4294967295"]);
        }
    }
}

#[test]
fn hands_of_other_games_have_a_class_and_a_key() {
    let said = run("rank bigc 4D 5D 6D 9D TD --json").well();
    assert_eq!(said.trim(), r#"{"cards":"4D 5D 6D 9D TD","class":"flush","key":["TD"],"stratum":1}"#);
    assert!(run("rank bigc 4D 4S JK JK 3C").well().contains("four of a kind"));
    let said = run("rank ongdu JS QS JK --json").well();
    assert_eq!(said.trim(), r#"{"cards":"JS QS JK","class":2,"key":0,"name":"straight_flush"}"#);
    assert!(run("rank ongdu 2C 2D 2H JS QS KS 9C TC TD").well().contains("three twos"));
}

#[test]
fn hands_are_ranked_from_arguments_and_from_standard_input() {
    let one = r#"{"cards":"7s Kc Kd Ks 4s 9c 3c","category":"trips","rank":1715}"#;
    assert_eq!(run("rank holdem 7s Kc Kd Ks 4s 9c 3c --json").well().trim(), one);
    let said = run("rank holdem 7sKcKdKs4s9c3c").well();
    assert!(said.contains("three of a kind, kings") && said.contains("1715"), "{said}");
    let said = run_with_input("rank holdem --json", b"8c9sTs2cQd3c3s\n\nAhKhQhJhTh\n").well();
    let ranks: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(ranks[0]["rank"], 5854);
    assert_eq!(ranks[1]["rank"], 1);
    assert_eq!(ranks.len(), 2);
}

#[test]
fn what_is_no_hand_is_refused_with_the_reason() {
    run("rank holdem As Kc").refused(2, &["five to seven", "2"]);
    run("rank holdem As Ah Ad Ac Ks Kd Kc Kh").refused(2, &["five to seven", "8"]);
    run("rank holdem As Kc Kc Kd 4d").refused(2, &["KC twice"]);
    run("rank holdem As Kc Qx Kd 4d").refused(2, &["character 7", "Qx"]);
    run("rank holdem JK As Kc Qd Kd 4d").refused(2, &["JK"]);
    run("rank bigc 4D 4C 4S 9D KC").refused(2, &["fairdeal: "]);
    run("rank ongdu 4D 4C").refused(2, &["three cards", "2"]);
    run("rank chess As").refused(2, &["chess", "holdem"]);
    run_with_input("rank holdem", b"AhKhQhJhTh\nAhKh\n").refused(2, &["standard input:2:", "five to seven"]);
    run_with_input("rank holdem", b"\xff\xfe\n").refused(2, &["standard input:1:", "not text"]);
}

#[test]
fn a_bad_hand_of_a_batch_does_not_stop_the_others() {
    let ran = run_with_input("rank holdem", b"\xef\xbb\xbfAhKh\r\nAhKhQhJhTh\r\nnonsense\n\n9h8h7h6h5h\n");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
    assert!(ran.out.contains("royal flush") && ran.out.contains("straight flush, nine high"), "{}", ran.out);
    let complaints: Vec<&str> = ran.err.lines().collect();
    assert_eq!(complaints.len(), 2, "{}", ran.err);
    assert!(
        complaints[0].contains("standard input:1: ") && complaints[1].contains("standard input:3: "),
        "{}",
        ran.err
    );
}

#[test]
fn hands_that_the_pack_cannot_hold_are_refused() {
    run("rank ongdu JS JS JS").refused(2, &["the hand has JS 3 times, but the pack only once"]);
    run("rank ongdu JK JK JK JK 2C 3C 4C 5C 6C").refused(2, &["the hand has JK 4 times, but the pack only 3 times"]);
    run("rank bigc 4D 4D 4D").well();
}

#[test]
fn games_are_told_in_whole_words_at_any_width() {
    let at = |columns: &str, words: &[&str]| -> String {
        common::Ran::from(program().env("COLUMNS", columns).env("LC_ALL", "C.UTF-8").args(words).output().unwrap())
            .well()
    };
    for game in ["holdem", "romme", "blackjack"] {
        let wide = at("100", &["games", game]);
        for columns in [40, 60, 80] {
            let narrow = at(&columns.to_string(), &["games", game]);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&narrow), words(&wide), "{game} at {columns}");
            let long =
                narrow.lines().filter(|line| line.starts_with("      ")).find(|line| line.chars().count() > columns);
            assert_eq!(long, None, "{game} at {columns}");
        }
    }
}

#[test]
fn a_locale_without_unicode_gets_plain_letters_everywhere() {
    for words in [&["games"][..], &["games", "romme"], &["serve", "--help"], &["play", "--help"], &["verify", "--help"]]
    {
        let ran = program().env("LC_ALL", "C").args(words).output().unwrap();
        assert!(ran.stdout.is_ascii(), "{words:?}: {}", String::from_utf8_lossy(&ran.stdout));
    }
    let ran = program().env("LC_ALL", "C.UTF-8").arg("games").output().unwrap();
    assert!(String::from_utf8(ran.stdout).unwrap().contains("Rommé"));
}

#[test]
fn completions_come_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&format!("completions {shell}")).well();
        assert!(script.contains("fairdeal") && script.contains("replay"), "{shell}");
    }
}

#[test]
fn figures_have_a_name_a_value_and_a_unit() {
    let said = run("bench --seconds 0.05 --json rank7_random rank7_sequential pokers_random deals_blackout_4x7").well();
    let figures: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(figures.len(), 4);
    for figure in &figures {
        assert!(figure["value"].as_f64().unwrap() > 0.0, "{figure}");
        assert!(figure["unit"].as_str().unwrap().ends_with("/s"), "{figure}");
    }
    let said = run("bench --seconds 0.05 msm_208_us shuffle_prove_52_ms shuffle_proof_52_bytes").well();
    let units: Vec<&str> = said.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(units, ["µs", "ms", "bytes"]);
    assert!(said.contains("5,312 bytes"), "{said}");
    run("bench --seconds 0").refused(2, &["--seconds", "0.05 to 600"]);
}

#[test]
fn dealing_is_measured_piece_by_piece_and_as_a_whole() {
    let names = "shares_prove_52_us shares_verify_52_us sealed_prove_18_us sealed_verify_18_us sealed_18_bytes dkg_16_ms \
                 beacon_us deals_blackout_4x7_peers deals_blackjack_4_house deal_holdem_6_peers_ms \
                 deal_holdem_6_peers_bytes deal_holdem_6_peers_messages";
    let said = run(&format!("bench --seconds 0.05 --json {names}")).well();
    let figures: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let measured: Vec<&str> = figures.iter().map(|figure| figure["name"].as_str().unwrap()).collect();
    assert_eq!(measured, names.split_whitespace().collect::<Vec<_>>());
    for figure in &figures {
        assert!(figure["value"].as_f64().unwrap() > 0.0, "{figure}");
        let (name, unit) = (figure["name"].as_str().unwrap(), figure["unit"].as_str().unwrap());
        let suffix = name.rsplit('_').next().unwrap();
        let expected = match suffix {
            "us" => "µs",
            "house" | "peers" => "deals/s",
            _ => suffix,
        };
        assert_eq!(unit, expected, "{name}");
    }
}

#[test]
fn a_chain_is_measured() {
    let names = "chain_hand_4_verify_ms chain_hand_4_bytes chain_hands_4 chain_transfers_2000";
    let said = run(&format!("bench --seconds 0.05 --json {names}")).well();
    let figures: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let units: Vec<&str> = figures.iter().map(|figure| figure["unit"].as_str().unwrap()).collect();
    assert_eq!(units, ["ms", "bytes", "hands/s", "transfers/s"]);
    // Four shuffles of 52 cards alone have as many.
    assert!(figures[1]["value"].as_f64().unwrap() > 20_000.0, "{said}");
}

#[test]
fn an_unknown_figure_is_answered_with_all_that_there_are() {
    let mut names: Vec<String> =
        ["rank7_random", "shuffle_prove_52_ms", "shares_batch16_52_us", "sealed_batch16_18_us"]
            .iter()
            .chain(&["dkg_64_ms", "deals_holdem_6_committee", "chain_transfers_2000"])
            .map(|name| (*name).to_owned())
            .collect();
    for table in ["holdem_6", "blackout_4x7", "blackjack_4", "ongdu_4", "romme_4", "bigc_4"] {
        names.extend(["", "_house", "_peers"].map(|dealer| format!("deals_{table}{dealer}")));
    }
    for deal in ["holdem_6", "romme_4", "blackjack_4"] {
        names.extend(["ms", "bytes", "messages"].map(|unit| format!("deal_{deal}_peers_{unit}")));
    }
    for members in ["4", "16", "32", "64"] {
        let hand = ["hand_N_verify_ms", "hand_N_bytes", "hands_N"];
        names.extend(hand.map(|figure| format!("chain_{}", figure.replace('N', members))));
    }
    let said: Vec<&str> = names.iter().map(String::as_str).chain(["nothing"]).collect();
    run("bench nothing").refused(2, &said);
}

/// Reads a line and goes away while the program still writes.
fn closed_after_a_line(words: &str) {
    let mut child = program()
        .args(words.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!said.contains("panicked") && !said.contains("cannot write"), "{words}: {said}");
    assert!(ended.status.success(), "{words}: {said}");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    closed_after_a_line("games --json");
    closed_after_a_line("completions bash");
    closed_after_a_line("sim --help");
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("deals.jsonl");
    run(&format!("sim blackout --deals 300 --seed 1 --record {}", record.display())).well();
    closed_after_a_line(&format!("replay --trace {}", record.display()));
}
