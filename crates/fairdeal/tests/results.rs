//! Keys, results and stations, as people call them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, run_in, run_with_input, run_words};
use games::AnyGame;
use results::{Body, Callsign, Facts, Form, Hash, Player, Secret, Session, Signed, Uuid, combined};
use serde_json::Value;
use table::Chips;

const NSEC: &str = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";

fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

/// A match of some players, the first of whom won everything.
fn body(id: u8, players: &[u8]) -> Body {
    let id = Uuid::random([id; 16]);
    let seeds: Vec<[u8; 32]> = players.iter().map(|number| [*number; 32]).collect();
    let all = 1000 * i64::try_from(players.len()).unwrap();
    let lines = players.iter().zip(1..).map(|(number, place)| {
        let key = secret(*number).public();
        let amount = Chips(if place == 1 { all } else { 0 });
        Player { callsign: Callsign::of_player(&key), key, place, amount }
    });
    let facts = Facts {
        id,
        game: AnyGame::Holdem,
        at: "2026-01-02 20:00:00".parse().unwrap(),
        seed: combined(&id, &seeds),
        log_hash: Some(Hash([7; 32])),
        players: lines.collect(),
    };
    Body::new(facts, Form::Result { deals: 12 }).unwrap()
}

/// Signed by the first so many of these players.
fn signed(body: &Body, players: &[u8], count: usize) -> Signed {
    let mut signed = Signed::new(body.clone());
    for (index, number) in players.iter().enumerate().take(count) {
        let signature = body.sign(index, &secret(*number), &[0; 32]).unwrap();
        signed.add(index, signature).unwrap();
    }
    signed
}

/// A folder for data and files, and the program in it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, words: &str) -> Ran {
        run_in(self.path(), &format!("{words} --data data"))
    }

    fn run_with(&self, words: &str, input: &str) -> Ran {
        run_with_input(&format!("{words} --data {}", self.path().join("data").display()), input.as_bytes())
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn stored(&self, name: &str) -> PathBuf {
        self.path().join("data/collections/card_games").join(name)
    }
}

fn id(number: u8) -> String {
    Uuid::random([number; 16]).to_string()
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_new_key_is_kept_for_its_owner_only_and_never_overwritten() {
    let home = Home::new();
    home.run("key show").refused(2, &["there is no key yet", "fairdeal key new"]);
    let told = home.run("key new").well();
    assert!(told.contains("npub1") && told.contains("X1") && !told.contains("nsec1"), "{told}");
    let file = home.path().join("data/key.nsec");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.starts_with("nsec1"));
    #[cfg(unix)]
    assert_eq!(mode(&file), 0o600);
    for words in ["key new", "key import"] {
        home.run_with(words, NSEC).refused(2, &["there is a key already", "never overwritten"]);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);
    let shown = home.run("key show").well();
    assert_eq!(shown, told);
    assert!(!shown.contains(kept.trim()));
    let shown: Value = serde_json::from_str(&home.run("key show --json").well()).unwrap();
    let secret: Secret = kept.trim().parse().unwrap();
    assert_eq!(shown["npub"], secret.public().npub());
    assert!(!shown.to_string().contains(&*secret.hex()) && !shown.to_string().contains("nsec1"));
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    home.run("key new").well();
    let file = home.path().join("data/key.nsec");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    home.run("key show").refused(2, &["others can read this key", "chmod 600"]);
}

#[test]
fn a_key_is_imported_and_exported_in_every_form() {
    let home = Home::new();
    home.run_with("key import", &format!("{NSEC}\n")).well();
    home.run("key export").refused(2, &["--secret"]);
    assert_eq!(home.run("key export --secret --format nsec").well().trim(), NSEC);
    let hex = home.run("key export --secret --format hex").well();
    assert_eq!(hex.trim(), "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa");
    // Protected: the passphrase comes from standard input, or from a file.
    let locked = home.run_with("key export --secret", "a Passphrase\n").well();
    assert!(locked.starts_with("ncryptsec1"));
    home.write("pass", "a Passphrase\r\n");
    home.run("key export --secret --passphrase-file pass --output locked.txt").well();
    home.run("key export --secret --passphrase-file pass --output locked.txt").refused(2, &["the file exists"]);
    #[cfg(unix)]
    assert_eq!(mode(&home.path().join("locked.txt")), 0o600);
    home.run_with("key export --secret", "\n").refused(2, &["the passphrase is empty"]);
    for (input, words) in [
        (format!("{locked}a Passphrase\n"), "key import"),
        (hex, "key import -"),
        (String::new(), "key import locked.txt --passphrase-file pass"),
    ] {
        let other = tempfile::tempdir().unwrap();
        let mut child = common::program()
            .current_dir(home.path())
            .args(words.split(' '))
            .arg("--data")
            .arg(other.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        Ran::from(child.wait_with_output().unwrap()).well();
        assert_eq!(fs::read_to_string(other.path().join("key.nsec")).unwrap().trim(), NSEC);
    }
}

#[test]
fn nonsense_is_no_key_and_is_not_repeated() {
    let locked = "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p";
    for (input, expected) in [
        ("", "the first line is empty"),
        ("hello\n", "64 hexadecimal digits"),
        ("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg\n", "this is a public key"),
        ("nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe4\n", "checksum"),
        ("0000000000000000000000000000000000000000000000000000000000000000\n", "its value is none"),
        (&format!("{locked}\nwrong\n"), "the passphrase is wrong"),
        (&format!("{locked}\n"), "the passphrase is empty"),
    ] {
        let home = Home::new();
        let ran = home.run_with("key import", input);
        assert!(!ran.err.contains("vl029"), "{}", ran.err);
        ran.refused(2, &[expected]);
        assert!(!home.path().join("data/key.nsec").exists());
    }
    let home = Home::new();
    home.run("key import nowhere.txt").refused(2, &["nowhere.txt", "cannot read"]);
}

#[test]
fn a_complete_result_is_kept_listed_shown_and_verified() {
    let home = Home::new();
    assert_eq!(home.run("results list").well(), "No results are kept here.\n");
    let text = signed(&body(1, &[1, 2]), &[1, 2], 2).text();
    home.write("result.txt", &text);
    assert!(home.run("results import result.txt").well().contains("kept"));
    assert!(home.run("results import result.txt").well().contains("was here already"));
    let kept = home.stored(&format!("results/poker/{}.txt", id(1)));
    assert_eq!(fs::read_to_string(&kept).unwrap(), text);
    let list = home.run("results list").well();
    assert!(list.contains(&id(1)) && list.contains("complete") && list.contains("won by X1RWZV"), "{list}");
    let list = home.run("results list --game romme").well();
    assert_eq!(list, "No results are kept here.\n");
    let shown = home.run(&format!("results show {}", &id(1)[..8])).well();
    assert!(shown.contains("signed by all 2 players") && shown.contains("1st"), "{shown}");
    home.run("results show 0000").refused(2, &["no result with the id"]);
    assert!(home.run("results verify").well().contains("complete"));
    assert!(home.run(&format!("results verify {}", id(1))).well().contains("complete"));
    let json: Value = serde_json::from_str(&home.run("results verify result.txt --json").well()).unwrap();
    assert_eq!((&json["state"], &json["counts"], &json["deals"]), (&"complete".into(), &true.into(), &12.into()));
    assert_eq!(json["players"][0]["signature"], "signed");
    assert_eq!(home.run(&format!("results export {}", id(1))).well(), text);
}

#[test]
fn signatures_that_come_later_are_added() {
    let home = Home::new();
    let body = body(1, &[1, 2, 3]);
    home.write("one.txt", &signed(&body, &[1, 2, 3], 1).text());
    home.write("all.txt", &signed(&body, &[1, 2, 3], 3).text());
    home.run("results import one.txt").well();
    let ran = home.run("results verify");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("partial, not signed by X1F49K, X12V07"), "{}", ran.out);
    assert!(home.run("results import all.txt").well().contains("brought 2 missing signatures"));
    assert!(home.run("results import one.txt").well().contains("was here already"));
    assert!(home.run("results verify").well().contains("complete"));
}

#[test]
fn a_file_from_windows_is_what_was_signed() {
    let home = Home::new();
    let text = signed(&body(1, &[1, 2]), &[1, 2], 2).text();
    home.write("result.txt", &format!("\u{feff}{}", text.replace('\n', "\r\n")));
    home.run("results verify result.txt").well();
    home.run("results import result.txt").well();
    let kept = home.stored(&format!("results/poker/{}.txt", id(1)));
    assert_eq!(fs::read_to_string(kept).unwrap(), text);
}

#[test]
fn forged_unsigned_and_unreadable_files_are_refused() {
    let home = Home::new();
    let good = body(1, &[1, 2]);
    let text = signed(&good, &[1, 2], 2).text();
    let later = {
        let mut facts = good.facts().clone();
        facts.at = "2199-01-01 00:00:00".parse().unwrap();
        signed(&Body::new(facts, good.form()).unwrap(), &[1, 2], 2).text()
    };
    for (name, text, code, expected) in [
        (
            "forged.txt",
            text.replace("HANDS_PLAYED: 12", "HANDS_PLAYED: 13"),
            1,
            "the signature of X1RWZV, X1F49K is wrong",
        ),
        ("unsigned.txt", good.text(), 1, "signed by nobody"),
        ("later.txt", later, 1, "in the future"),
        ("cut.txt", text[..200].to_owned(), 2, "line 6"),
        ("chips.txt", text.replace("CHIPS:2000", "CHIPS:2001"), 2, "2001 chips"),
        ("other.txt", "hello\n".to_owned(), 2, "expected # POKER_RESULT"),
        ("empty.txt", String::new(), 2, "line 1"),
        ("huge.txt", "x".repeat(5 << 20), 2, "larger than 16384 bytes"),
    ] {
        home.write(name, &text);
        home.run(&format!("results import {name}")).refused(code, &[name, expected]);
        let verified = home.run(&format!("results verify {name}"));
        assert_eq!(verified.code, Some(code), "{name}: {}", verified.err);
    }
    home.run("results import nowhere.txt").refused(2, &["nowhere.txt", "cannot open"]);
    home.run("results import .").refused(2, &["is a directory"]);
    assert_eq!(home.run("results list").well(), "No results are kept here.\n");
}

#[test]
fn a_contradiction_is_kept_aside_and_counts_for_nobody() {
    let home = Home::new();
    home.run("station init").well();
    let (one, other) = (body(1, &[1, 2]), body(1, &[2, 1]));
    home.write("one.txt", &signed(&one, &[1, 2], 2).text());
    home.write("other.txt", &signed(&other, &[2, 1], 2).text());
    home.run("results import one.txt").well();
    assert!(home.run("station leaderboard holdem").well().contains("1 won"));
    let ran = home.run("results import other.txt");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("both are kept"), "{}", ran.out);
    let kept = home.stored(&format!("results/poker/{}.txt", id(1)));
    assert_eq!(fs::read_to_string(kept).unwrap(), signed(&one, &[1, 2], 2).text());
    assert_eq!(fs::read_dir(home.stored("contradictions/poker")).unwrap().count(), 1);
    let ran = home.run("results verify");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out.matches("disputed").count(), 2, "{}", ran.out);
    assert!(home.run("station leaderboard holdem").well().contains("no results yet"));
    // The same again changes nothing.
    home.run("results import other.txt").well();
}

#[test]
fn sessions_are_compared_with_their_results() {
    let home = Home::new();
    let body = body(1, &[1, 2]);
    home.write("result.txt", &signed(&body, &[1, 2], 2).text());
    home.run("results import result.txt").well();
    let seeds = |first: u8| {
        [(1, first), (2, 2)].map(|(n, seed)| (Callsign::of_player(&secret(n).public()), Hash([seed; 32]))).to_vec()
    };
    let session = |first| {
        Session::new(Uuid::random([1; 16]), AnyGame::Holdem, seeds(first), "2026-01-02 19:00:00".parse().unwrap())
            .unwrap()
    };
    home.write("right.txt", &session(1).text());
    home.write("wrong.txt", &session(3).text());
    assert_eq!(home.run("results verify wrong.txt").code, Some(1));
    assert!(home.run("results verify right.txt").well().contains("the result kept here fits it"));
    assert!(home.run("results import right.txt").well().contains("kept"));
    home.run("results import wrong.txt").refused(1, &["another session with this id"]);
    assert!(home.run("results verify").well().contains("mixture of the players' seeds"));
    assert!(home.stored(&format!("sessions/{}.txt", id(1))).exists());
}

#[test]
fn an_export_is_signed_and_collects_the_signatures_of_the_others() {
    let (anna, bert) = (Home::new(), Home::new());
    let text = signed(&body(1, &[1, 2]), &[1, 2], 2).text();
    for (home, number) in [(&anna, 1), (&bert, 2)] {
        home.run_with("key import", &secret(number).nsec()).well();
        home.write("result.txt", &text);
        home.run("results import result.txt").well();
    }
    let ran = anna.run(&format!("results export {} --card-game --output game.txt", id(1)));
    assert!(ran.err.contains("1 of the players have not signed"), "{}", ran.err);
    let game = fs::read_to_string(anna.path().join("game.txt")).unwrap();
    assert!(game.starts_with("# CARD_GAME: ") && game.contains("--> signature_1: ") && !game.contains("signature_2"));
    anna.run(&format!("results export {} --output game.txt", id(1))).refused(2, &["the file exists", "--force"]);
    bert.write("game.txt", &game);
    bert.run("results import game.txt").well();
    let ran = bert.run(&format!("results export {} --card-game", id(1)));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    anna.write("back.txt", &ran.out);
    anna.run("results import back.txt").well();
    assert!(anna.run("results verify back.txt").well().contains("(card game): complete"));
    // One match, two forms: it counts once.
    anna.run("station init").well();
    let board: Value = serde_json::from_str(&anna.run("station leaderboard holdem --json").well()).unwrap();
    assert_eq!(board["rows"][0]["wins"], 1);
    // Somebody who has only the export gets it back as it was.
    let carl = Home::new();
    carl.write("back.txt", &ran.out);
    carl.run("results import back.txt").well();
    carl.run(&format!("results export {}", id(1))).refused(2, &["add --card-game"]);
    assert_eq!(carl.run(&format!("results export {} --card-game", id(1))).well(), ran.out);
}

#[test]
fn a_station_counts_complete_results_and_signs_its_boards() {
    let home = Home::new();
    home.run("station leaderboard").refused(2, &["fairdeal station init"]);
    let told: Value = serde_json::from_str(&home.run("station init --json").well()).unwrap();
    let station = told["callsign"].as_str().unwrap();
    assert!(station.starts_with("X3"));
    #[cfg(unix)]
    assert_eq!(mode(&home.path().join("data/station.nsec")), 0o600);
    home.run("station init").refused(2, &["there is a key already"]);
    let matches: [(&[u8], usize); 4] = [(&[1, 2], 2), (&[1, 3], 2), (&[2, 1, 3], 3), (&[3, 1, 2], 2)];
    for (number, (players, signers)) in (1..).zip(matches) {
        let name = format!("{number}.txt");
        home.write(&name, &signed(&body(number, players), players, signers).text());
        home.run(&format!("results import {name}")).well();
    }
    let told = home.run("station leaderboard holdem").well();
    let lines: Vec<&str> = told.lines().skip(1).collect();
    assert!(lines[0].contains("X1RWZV") && lines[0].contains("2 won") && lines[0].contains("66.7 %"), "{told}");
    assert!(lines[1].contains("X1F49K") && lines[1].contains("50.0 %") && lines.len() == 3, "{told}");
    let path = home.stored(&format!("leaderboards/{station}/poker.txt"));
    let board = fs::read_to_string(&path).unwrap();
    assert!(board.contains("> RANK:1 CALLSIGN:X1RWZV WINS:2 LOSSES:1 WINRATE:66.7\n"), "{board}");
    let words = ["results", "verify", path.to_str().unwrap(), "--data", "data"];
    assert!(run_words(home.path(), &words).well().contains(told_npub(&home).as_str()));
    home.write("changed.txt", &board.replace("X1RWZV", "X1RWZW"));
    let ran = home.run("results verify changed.txt");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("the signature is wrong"), "{}", ran.out);
    home.write("loose.txt", board.split("\n-->").next().unwrap());
    assert!(home.run("results verify loose.txt").out.contains("anybody may have written it"));
    home.run("results import loose.txt").refused(2, &["made from results"]);
    // All games have boards, also without results.
    home.run("station leaderboard").well();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 6);
}

fn told_npub(home: &Home) -> String {
    let text = fs::read_to_string(home.path().join("data/station.nsec")).unwrap();
    text.trim().parse::<Secret>().unwrap().public().npub()
}

#[test]
fn a_damaged_file_in_the_store_is_named_and_harms_no_other() {
    let home = Home::new();
    home.run("station init").well();
    home.write("result.txt", &signed(&body(1, &[1, 2]), &[1, 2], 2).text());
    home.run("results import result.txt").well();
    fs::write(home.stored(&format!("results/poker/{}.txt", id(2))), "# POKER_RESULT: nonsense\n").unwrap();
    for words in ["results list", "results verify", "station leaderboard holdem"] {
        let ran = home.run(words);
        assert_eq!(ran.code, Some(2), "{words}");
        assert!(ran.err.contains(&id(2)) && ran.err.contains("line 2"), "{}", ran.err);
        assert!(ran.out.contains("X1RWZV") || ran.out.contains("complete"), "{}", ran.out);
    }
}

#[test]
fn a_passphrase_that_is_typed_is_not_shown() {
    let home = Home::new();
    home.run_with("key import", NSEC).well();
    let mut screen = common::terminal::Terminal::command(home.path(), "key export --secret --data data");
    for (prompt, typed) in [("Passphrase:", "open Sesame\r"), ("Again:", "open Sesamx\u{7f}e\r")] {
        screen.wait_for_shell(prompt, |shown| shown.contains(prompt));
        screen.send(typed.as_bytes());
    }
    screen.wait_for_shell("the key", |shown| shown.contains("ncryptsec1"));
    assert!(!String::from_utf8_lossy(&screen.bytes()).contains("Sesam"));
}
