//! Bots of somebody else: real processes, well-behaved and otherwise.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::path::Path;

use common::{Ran, run_words};
use serde_json::Value;
use tempfile::TempDir;

/// The bot that comes with the program.
fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bot.py");
    format!("cmd:python3 '{}'", path.display())
}

/// A folder with a bot in Python, which can call `legal(body)` for a legal answer to a question of Blackout.
fn python(body: &str) -> TempDir {
    const BEGIN: &str = "
import json, os, signal, sys, time
open('pid', 'w').write(str(os.getpid()))
def say(answer):
    print(json.dumps(answer), flush=True)
def legal(body):
    moves = body['moves']
    action = {'bid': 1 if moves['bid']['forbidden'] == 0 else 0} if 'bid' in moves else {'play': moves['play'][0]['slot']}
    return {'id': body['id'], 'action': action}
def messages():
    for line in sys.stdin:
        (kind, body), = json.loads(line).items()
        yield kind, body
def questions():
    return (body for kind, body in messages() if kind == 'ask')
";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot.py"), format!("{BEGIN}\n{body}\n")).unwrap();
    folder
}

/// One match of Blackout among three, with this bot in seat 2.
fn play(folder: &Path, bot: &str, more: &[&str]) -> Ran {
    let bot = format!("2=cmd:{bot}");
    let words = ["sim", "blackout", "--players", "3", "--matches", "1", "--option", "max=4", "--seed", "5", "--json"];
    run_words(folder, &[&words[..], &["--bot", &bot], more].concat())
}

/// The match must have been played to its end, with this said about the bot, and nothing else.
#[track_caller]
fn troubled(ran: Ran, saying: &[&str]) {
    troubled_in(ran, 1, saying);
}

/// The same of so many matches.
#[track_caller]
fn troubled_in(ran: Ran, matches: u64, saying: &[&str]) {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&said["matches"]["count"], &said["matches"]["stopped"]), (&matches.into(), &0.into()));
    assert_eq!(ran.err.lines().count(), saying.len(), "{}", ran.err);
    for (line, saying) in ran.err.lines().zip(saying) {
        assert!(line.starts_with("fairdeal: seat 2 (") && line.contains(saying), "{saying:?} in {line}");
    }
}

#[test]
fn the_example_plays_every_game_to_the_end_without_a_word_of_complaint() {
    let here = Path::new(".");
    let games: [&[&str]; 7] = [
        &["holdem"],
        &["blackjack"],
        &["romme", "--option", "mode=rounds", "--option", "rounds=3"],
        &["bigc"],
        &["ongdu", "--option", "max_rounds=5"],
        &["ongdu", "--players", "6", "--option", "max_rounds=3"],
        &["blackout"],
    ];
    for game in games {
        let words = ["--matches", "2", "--seed", "5", "--json", "--bot", &example(), "--bot", "1=easy"];
        let ran = run_words(here, &[&["sim"][..], game, &words[..]].concat());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{game:?}");
        let said: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&said["matches"]["count"], &said["matches"]["stopped"]), (&2.into(), &0.into()), "{game:?}");
    }
}

#[test]
fn the_arena_takes_bots_of_somebody_else_and_can_be_repeated() {
    let arena = |threads: &str| {
        let bots = format!("random,{}", example());
        let words =
            ["arena", "blackout", "--players", "3", "--matches", "24", "--seed", "5", "--json", "--bots", &bots];
        let ran = run_words(Path::new("."), &[&words[..], &["--threads", threads]].concat());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
        let mut said: Value = serde_json::from_str(&ran.out).unwrap();
        said.as_object_mut().unwrap().remove("time");
        said
    };
    let said = arena("1");
    assert_eq!((&said["matches"], &said["b"]["bot"]), (&24.into(), &example().into()));
    assert_eq!(arena("2"), said);
}

/// A contest of this bot against `random`, on three threads.
fn contest(folder: &Path, bot: &str, more: &[&str]) -> Ran {
    let bots = format!("random,cmd:{bot}");
    let words = ["arena", "blackout", "--players", "2", "--matches", "12", "--seed", "5", "--threads", "3", "--json"];
    run_words(folder, &[&words[..], &["--option", "max=3", "--bots", &bots], more].concat())
}

#[test]
fn a_contest_with_a_bot_that_ends_at_once_is_none_and_says_so_once() {
    let here = Path::new(".");
    contest(here, "exit 3", &[]).refused(2, &["cmd:exit 3: has ended (exit status: 3) before its first move"]);
    contest(here, "./no-such-bot", &[]).refused(2, &["cmd:./no-such-bot: has ended (exit status: 127: "]);
}

#[test]
fn a_contest_with_a_bot_that_gives_no_usable_answer_is_none() {
    let ran = contest(Path::new("."), "while read l; do echo hello; done", &[]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    let [first, last] = <[&str; 2]>::try_from(ran.err.lines().collect::<Vec<_>>()).unwrap();
    assert!(first.contains("cannot be understood"), "{first}");
    assert!(last.ends_with("done: none of its answers could be used"), "{last}");
}

#[test]
fn a_bot_that_ends_in_a_contest_spoils_its_figures_and_is_told_of_once() {
    let folder = python("q = questions()\nfor _ in range(5):\n    say(legal(next(q)))\nsys.exit(3)");
    let ran = contest(folder.path(), "python3 bot.py", &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let [first, last] = <[&str; 2]>::try_from(ran.err.lines().collect::<Vec<_>>()).unwrap();
    assert!(first.starts_with("fairdeal: python3 bot.py: has ended (exit status: 3)"), "{first}");
    assert!(last.starts_with("fairdeal: cmd:python3 bot.py did not play to the end"), "{last}");
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&said["a"]["gone"], &said["b"]["gone"]), (&false.into(), &true.into()));
}

/// Every thread runs a bot of its own in that seat.
#[test]
fn trouble_on_several_threads_is_told_once() {
    let words = ["sim", "blackout", "--players", "3", "--matches", "40", "--option", "max=2", "--seed", "5", "--json"];
    let ran = run_words(Path::new("."), &[&words[..], &["--threads", "4", "--bot", "2=cmd:exit 3"]].concat());
    troubled_in(ran, 40, &["has ended (exit status: 3)"]);
}

#[test]
fn a_bot_is_told_what_happens_in_order() {
    let folder = python(
        "log = open('log', 'a')
for kind, body in messages():
    log.write(json.dumps([kind, body]) + '\\n')
    log.flush()
    if kind == 'ask':
        say(legal(body))",
    );
    troubled(play(folder.path(), "python3 bot.py", &[]), &[]);
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    let log: Vec<(String, Value)> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (kind, hello) = &log[0];
    assert_eq!((&**kind, &hello["protocol"], &hello["game"]), ("hello", &1.into(), &"blackout".into()));
    assert_eq!((&hello["seat"], &hello["players"], &hello["settings"]["max"]), (&1.into(), &3.into(), &4.into()));
    assert_eq!((&hello["seconds"], &hello["longest_answer"]), (&5.0.into(), &65536.into()));
    assert!(hello["seed"].is_u64());
    let count = |wanted: &str| log.iter().filter(|(kind, _)| kind == wanted).count();
    // Rounds of 1, 2, 3, 4, 3, 2, 1 cards, each with a bid and a card per trick for each of three seats.
    assert_eq!((count("deal"), count("end"), count("over"), count("refused")), (7, 7, 1, 0));
    assert_eq!((count("ask"), count("did")), (7 + 16, 3 * (7 + 16)));
    assert_eq!(log.last().unwrap().0, "over");
    let mut ids = log.iter().filter(|(kind, _)| kind == "ask").map(|(_, body)| body["id"].as_u64().unwrap());
    assert!(ids.by_ref().eq(1..=23));
    let (_, end) = log.iter().find(|(kind, _)| kind == "end").unwrap();
    assert_eq!((&end["deal"], end["outcome"]["result"].as_array().unwrap().len()), (&1.into(), 3));
}

#[test]
fn one_that_cannot_be_started_is_played_for() {
    troubled(play(Path::new("."), "./no-such-bot", &[]), &["has ended (exit status: 127"]);
}

#[test]
fn one_that_crashes_is_played_for_and_its_last_words_are_told() {
    let folder = python("for body in questions():\n    1 / 0");
    let says = "has ended (exit status: 1: ZeroDivisionError: division by zero); default moves are played from now on";
    troubled(play(folder.path(), "python3 bot.py", &[]), &[says]);
    // Later is no better.
    let folder = python("q = questions()\nsay(legal(next(q)))\nsay(legal(next(q)))\nsys.exit(3)");
    troubled(play(folder.path(), "python3 bot.py", &[]), &["has ended (exit status: 3)"]);
}

#[test]
fn nonsense_is_not_taken_and_told_once() {
    troubled(play(Path::new("."), "while read l; do echo hello; done", &[]), &["cannot be understood"]);
    let bytes = r"while read l; do printf '\377\376\n'; done";
    troubled(play(Path::new("."), bytes, &[]), &["not text"]);
}

#[test]
fn an_illegal_move_is_not_taken_and_the_bot_is_told_why() {
    let folder = python(
        "for kind, body in messages():
    if kind == 'ask':
        say({'id': body['id'], 'action': {'bid': 99}})
    if kind == 'refused':
        open('refused', 'a').write(json.dumps(body) + '\\n')",
    );
    troubled(play(folder.path(), "python3 bot.py", &[]), &["not allowed"]);
    let refused = std::fs::read_to_string(folder.path().join("refused")).unwrap();
    let first: Value = serde_json::from_str(refused.lines().next().unwrap()).unwrap();
    assert_eq!(first["id"], 1);
    assert!(first["why"].as_str().unwrap().contains("not allowed"), "{first}");
}

#[test]
fn enormous_lines_and_endless_writing_do_no_harm() {
    let enormous = "while read l; do head -c 3000000 /dev/zero | tr '\\0' x; echo; done";
    troubled(play(Path::new("."), enormous, &[]), &["longer than 65536 bytes"]);
    troubled(play(Path::new("."), "yes", &[]), &["cannot be understood"]);
    troubled(play(Path::new("."), "yes '{\"id\":0}'", &[]), &["writes more than it is asked for"]);
    // Without an end of line, it never comes to an answer.
    let ran = play(Path::new("."), "cat /dev/zero", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("longer than 65536 bytes"), "{}", ran.err);
}

#[test]
fn a_flood_of_complaints_does_not_hold_anybody_up() {
    let folder = python(
        "for body in questions():
    sys.stderr.write('x' * 3000000 + '\\n')
    sys.stderr.flush()
    say(legal(body))",
    );
    troubled(play(folder.path(), "python3 bot.py", &[]), &[]);
}

#[test]
fn one_that_closes_a_pipe_is_played_for() {
    troubled(play(Path::new("."), "exec 1>&-; cat > /dev/null", &[]), &["has ended"]);
    // The next question may already be on its way when the input is closed, and a shell that waits for the bot
    // holds the pipe as well; then questions are not answered until the bot is given up.
    let folder = python("say(legal(next(questions())))\nos.close(0)\ntime.sleep(1000)");
    let ran = play(folder.path(), "python3 bot.py", &["--bot-time", "0.5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("default moves are played from now on"), "{}", ran.err);
    assert!(is_gone(&folder.path().join("pid")));
}

/// One that has fallen asleep, and will not be ended politely.
#[test]
fn a_bot_that_does_not_answer_is_played_for_given_up_and_leaves_nothing_behind() {
    let folder = python(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)
q = questions()
say(legal(next(q)))
while True:
    time.sleep(1000)",
    );
    let ran = play(folder.path(), "python3 bot.py; true", &["--bot-time", "0.05"]);
    troubled(ran, &["did not answer within 0.05 s", "failed to answer 5 times in a row"]);
    assert!(is_gone(&folder.path().join("pid")));
}

#[test]
fn an_answer_that_comes_late_is_not_taken_for_another() {
    let folder = python(
        "for body in questions():
    if body['id'] in (3, 5):
        time.sleep(0.5)
    say(legal(body))",
    );
    let ran = play(folder.path(), "python3 bot.py", &["--bot-time", "0.2"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("did not answer within 0.2 s"), "{}", ran.err);
    assert!(!ran.err.contains("not allowed") && !ran.err.contains("understood"), "{}", ran.err);
}

#[test]
fn one_that_stays_after_the_end_is_ended_with_all_it_has_started() {
    let folder = python(
        "import subprocess
child = subprocess.Popen(['sleep', '1000'])
open('child', 'w').write(str(child.pid))
for body in questions():
    say(legal(body))
while True:
    time.sleep(1000)",
    );
    troubled(play(folder.path(), "python3 bot.py; true", &[]), &[]);
    assert!(is_gone(&folder.path().join("pid")));
    assert!(is_gone(&folder.path().join("child")));
}

/// Is the process with the number in this file gone, or dead and only waiting to be taken notice of? On a busy machine
/// a process that was killed lives on until it gets a turn to die.
fn is_gone(file: &Path) -> bool {
    let pid = std::fs::read_to_string(file).unwrap();
    (0..300).any(|_| {
        let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
        let state = String::from_utf8(state.stdout).unwrap();
        let gone = state.trim().is_empty() || state.trim().starts_with('Z');
        if !gone {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        gone
    })
}
