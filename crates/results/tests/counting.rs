//! Which results count, and who leads.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::{body, facts, player, secret, signed, signed_by};
use games::AnyGame;
use results::{
    Body, Checked, Form, Leaderboard, Logs, NoLogs, Row, Settled, Timestamp, Uuid, Verdict, by_match, check_all,
    settle, tally,
};
use table::Chips;

/// A log that replays to whatever is asked.
struct Replays;

impl Logs for Replays {
    fn replays(&self, _: &Body, missing: &[usize]) -> bool {
        !missing.is_empty()
    }
}

/// The same match with another ending: the first two in exchanged places.
fn other(game: AnyGame) -> Body {
    let mut facts = facts(game);
    let (place, amount) = (facts.players[0].place, facts.players[0].amount);
    facts.players[0].place = facts.players[1].place;
    facts.players[0].amount = facts.players[1].amount;
    facts.players[1].place = place;
    facts.players[1].amount = amount;
    Body::new(facts, Form::Result { deals: 35 }).unwrap()
}

fn wins(results: &[Checked], logs: &impl Logs) -> Vec<(u32, u32)> {
    let players = tally(AnyGame::Holdem, results, logs);
    let of = |number| players.get(&secret(number).public()).map(|tally| (tally.wins, tally.losses));
    (1..=4).filter_map(of).collect()
}

#[test]
fn a_sole_first_place_is_a_win_and_a_lower_one_a_loss() {
    let results = [signed(&body(AnyGame::Holdem)).check()];
    assert_eq!(wins(&results, &NoLogs), [(1, 0), (0, 1), (0, 1), (0, 1)]);
    assert!(tally(AnyGame::Romme, &results, &NoLogs).is_empty());
}

#[test]
fn a_shared_first_place_is_neither() {
    let mut facts = facts(AnyGame::Holdem);
    facts.players = vec![player(1, 1, 1500), player(2, 1, 1500), player(3, 3, 0)];
    let result = signed(&Body::new(facts, Form::Result { deals: 3 }).unwrap()).check();
    let players = tally(AnyGame::Holdem, std::slice::from_ref(&result), &NoLogs);
    let first = &players[&secret(1).public()];
    assert_eq!((first.wins, first.losses, first.shared), (0, 0, 1));
    assert_eq!(wins(&[result], &NoLogs), [(0, 0), (0, 0), (0, 1)]);
    // Somebody without a win or a loss is on no board.
    let board = Leaderboard::new(AnyGame::Holdem, &players, Timestamp::from_seconds(0).unwrap(), &secret(9), &[0; 32]);
    assert_eq!(board.rows().len(), 1);
}

#[test]
fn a_match_counts_once_however_often_and_in_whichever_form_it_is_there() {
    let result = signed(&body(AnyGame::Holdem)).check();
    let export = signed(&body(AnyGame::Holdem).card_game()).check();
    let mut turned = facts(AnyGame::Holdem);
    turned.players.reverse();
    let turned = signed(&Body::new(turned, Form::CardGame).unwrap()).check();
    for results in
        [vec![result.clone(), result.clone()], vec![export.clone(), result.clone()], vec![result, export, turned]]
    {
        assert_eq!(wins(&results, &NoLogs), [(1, 0), (0, 1), (0, 1), (0, 1)]);
    }
}

#[test]
fn two_complete_results_that_differ_count_for_nobody() {
    let results = [signed(&body(AnyGame::Holdem)).check(), signed(&other(AnyGame::Holdem)).check()];
    assert!(wins(&results, &NoLogs).is_empty());
    let both: Vec<&Checked> = results.iter().collect();
    assert_eq!(settle(&both, &NoLogs), Settled::Disputed(&results[0], &results[1]));
    // The number of hands is part of a result, too.
    let fewer = Body::new(facts(AnyGame::Holdem), Form::Result { deals: 34 }).unwrap();
    let results = [signed(&body(AnyGame::Holdem)).check(), signed(&fewer).check()];
    assert!(wins(&results, &Replays).is_empty());
}

#[test]
fn a_partial_result_counts_only_if_the_log_replays_to_it() {
    let results = [signed_by(&body(AnyGame::Holdem), &[0, 1, 2]).check()];
    assert_eq!(results[0].verdict(), &Verdict::Partial { missing: vec![3] });
    assert_eq!(results[0].signers(), [0, 1, 2]);
    assert!(wins(&results, &NoLogs).is_empty());
    assert_eq!(wins(&results, &Replays), [(1, 0), (0, 1), (0, 1), (0, 1)]);
    // Without the hash of a log there is none that could belong to it.
    let mut facts = facts(AnyGame::Holdem);
    facts.log_hash = None;
    let loose = signed_by(&Body::new(facts, Form::Result { deals: 35 }).unwrap(), &[0, 1, 2]).check();
    assert!(wins(&[loose], &Replays).is_empty());
}

#[test]
fn two_partial_results_that_differ_count_for_nobody() {
    let results =
        [signed_by(&body(AnyGame::Holdem), &[0, 2, 3]).check(), signed_by(&other(AnyGame::Holdem), &[1, 2, 3]).check()];
    assert!(wins(&results, &Replays).is_empty());
    let both: Vec<&Checked> = results.iter().collect();
    assert!(matches!(settle(&both, &Replays), Settled::Disputed(..)));
    assert_eq!(settle(&both, &NoLogs), Settled::Open);
}

#[test]
fn a_complete_result_is_final_beside_partial_ones() {
    let complete = signed(&body(AnyGame::Holdem)).check();
    let partial = signed_by(&other(AnyGame::Holdem), &[1, 2, 3]).check();
    for results in [[complete.clone(), partial.clone()], [partial, complete]] {
        assert_eq!(wins(&results, &Replays), [(1, 0), (0, 1), (0, 1), (0, 1)]);
    }
}

#[test]
fn a_forged_or_unsigned_result_counts_for_nothing_and_disturbs_nothing() {
    let good = signed(&body(AnyGame::Holdem)).check();
    // Somebody writes their own ending under the others' signatures.
    let text =
        signed(&body(AnyGame::Holdem)).text().replace("CHIPS:2600", "CHIPS:2599").replace("CHIPS:1400", "CHIPS:1401");
    let forged = results::Signed::parse(text.as_bytes()).unwrap().check();
    assert_eq!(forged.verdict(), &Verdict::Forged { wrong: vec![0, 1, 2, 3] });
    assert!(forged.signers().is_empty());
    let unsigned = results::Signed::new(other(AnyGame::Holdem)).check();
    assert!(wins(&[forged.clone(), unsigned.clone()], &Replays).is_empty());
    assert_eq!(wins(&[forged, unsigned, good], &Replays), [(1, 0), (0, 1), (0, 1), (0, 1)]);
}

#[test]
fn nobody_can_void_a_match_by_signing_its_id_with_others() {
    let good = signed(&body(AnyGame::Holdem)).check();
    // The loser signs another match under the same id, with a key of their own as the opponent.
    let mut facts = facts(AnyGame::Holdem);
    facts.players = vec![player(4, 1, 2000), player(77, 2, 0)];
    let copied = signed(&Body::new(facts, Form::Result { deals: 1 }).unwrap()).check();
    assert_eq!(copied.verdict(), &Verdict::Complete);
    for results in [[good.clone(), copied.clone()], [copied, good]] {
        assert_eq!(by_match(&results).len(), 2);
        assert_eq!(wins(&results, &NoLogs)[0], (1, 0));
    }
}

#[test]
fn the_order_is_by_rate_then_wins_then_callsign() {
    let rates: Vec<u32> = [(45, 12), (38, 15), (52, 22), (1, 1), (2, 1), (1, 2), (0, 3), (3, 0), (1, 7)]
        .map(|(wins, losses)| Row { callsign: "X1ABCD".parse().unwrap(), wins, losses }.rate())
        .to_vec();
    // 66.66…, 33.33… and 12.5 are rounded half up to tenths.
    assert_eq!(rates, [789, 717, 703, 500, 667, 333, 0, 1000, 125]);
    let mut results = Vec::new();
    let mut add = |id: u8, winner: u8, loser: u8| {
        let mut facts = facts(AnyGame::Holdem);
        facts.id = Uuid::random([id; 16]);
        facts.players = vec![player(winner, 1, 2000), player(loser, 2, 0)];
        results.push(signed(&Body::new(facts, Form::Result { deals: 1 }).unwrap()));
    };
    for (id, (winner, loser)) in (1..).zip([(1, 2), (1, 3), (2, 3), (4, 3), (5, 6), (6, 5), (2, 1)]) {
        add(id, winner, loser);
    }
    let players = tally(AnyGame::Holdem, &check_all(results), &NoLogs);
    let board = Leaderboard::new(AnyGame::Holdem, &players, Timestamp::from_seconds(0).unwrap(), &secret(9), &[0; 32]);
    let order: Vec<(u32, u32, u32)> = board.rows().iter().map(|row| (row.rate(), row.wins, row.losses)).collect();
    assert_eq!(order, [(1000, 1, 0), (667, 2, 1), (667, 2, 1), (500, 1, 1), (500, 1, 1), (0, 0, 3)]);
    for pair in board.rows().windows(2).filter(|pair| pair[0].rate() == pair[1].rate()) {
        assert!(pair[0].callsign < pair[1].callsign);
    }
    assert_eq!(Leaderboard::parse(board.text().as_bytes()).as_ref(), Ok(&board));
    assert_eq!(board.signer(), Ok(Some(secret(9).public())));
}

#[test]
fn players_are_told_apart_by_their_keys_and_called_by_their_latest_name() {
    let mut results = Vec::new();
    for (id, name, at) in [(1, "X1NEW", "2025-12-28 14:30:00"), (2, "X1OLD", "2025-12-27 14:30:00")] {
        let mut facts = facts(AnyGame::Holdem);
        facts.id = Uuid::random([id; 16]);
        facts.at = at.parse().unwrap();
        facts.players[0].callsign = name.parse().unwrap();
        facts.players[1].callsign = name.parse().unwrap();
        results.push(signed(&Body::new(facts, Form::Result { deals: 1 }).unwrap()).check());
    }
    let players = tally(AnyGame::Holdem, &results, &NoLogs);
    assert_eq!(players.len(), 4);
    let [one, two] = [1, 2].map(|number| &players[&secret(number).public()]);
    assert_eq!((one.callsign.to_string(), one.wins), ("X1NEW".to_owned(), 2));
    assert_eq!((two.callsign.to_string(), two.losses), ("X1NEW".to_owned(), 2));
}

#[test]
fn an_empty_board_is_a_board() {
    let players = tally(AnyGame::Ongdu, &[], &NoLogs);
    let board = Leaderboard::new(AnyGame::Ongdu, &players, Timestamp::from_seconds(0).unwrap(), &secret(9), &[0; 32]);
    let read = Leaderboard::parse(board.text().as_bytes()).unwrap();
    assert_eq!((read.signer(), read.rows().len()), (Ok(Some(secret(9).public())), 0));
}

/// As many matches of four of 200 players, all signed.
fn many(count: u32) -> Vec<results::Signed> {
    let keys: Vec<_> = (1..=200u8).map(secret).collect();
    (0..count)
        .map(|n| {
            let mut facts = facts(AnyGame::Holdem);
            let mut id = [0; 16];
            id[..4].copy_from_slice(&n.to_le_bytes());
            facts.id = Uuid::random(id);
            let first = n * 7 % 200;
            let who: Vec<usize> = (0..4).map(|seat| usize::try_from((first + seat * 31) % 200).unwrap()).collect();
            for (player, who) in facts.players.iter_mut().zip(&who) {
                player.key = keys[*who].public();
            }
            let mut signed = results::Signed::new(Body::new(facts, Form::Result { deals: n }).unwrap());
            let mut text = signed.body().text();
            for (index, who) in who.iter().enumerate() {
                let signature = signed.body().sign(index, &keys[*who], &[0; 32]).unwrap();
                text += &format!("--> signature_{}: {signature}\n", index + 1);
            }
            signed = results::Signed::parse(text.as_bytes()).unwrap();
            signed
        })
        .collect()
}

#[test]
#[allow(clippy::disallowed_types, reason = "the time is shown, not judged")]
fn many_results_are_checked_and_ranked_together() {
    let soak = std::env::var_os("FAIRDEAL_SOAK").is_some();
    let count = if soak { 10_000 } else { 500 };
    let files: Vec<String> = many(count).iter().map(results::Signed::text).collect();
    let begin = std::time::Instant::now();
    let mut signed: Vec<results::Signed> =
        files.iter().map(|text| results::Signed::parse(text.as_bytes()).unwrap()).collect();
    // One forged file among them is found, and all others count.
    let last = signed.pop().unwrap().text().replace("CHIPS:2600", "CHIPS:2604").replace("CHIPS:1400", "CHIPS:1396");
    signed.push(results::Signed::parse(last.as_bytes()).unwrap());
    let checked = check_all(signed);
    let forged = checked.iter().filter(|result| matches!(result.verdict(), Verdict::Forged { .. })).count();
    let players = tally(AnyGame::Holdem, &checked, &NoLogs);
    let board = Leaderboard::new(AnyGame::Holdem, &players, Timestamp::from_seconds(0).unwrap(), &secret(9), &[0; 32]);
    println!("{count} results of four players, one of them forged: ranked in {:?}", begin.elapsed());
    assert_eq!(forged, 1);
    let wins: u32 = board.rows().iter().map(|row| row.wins).sum();
    let losses: u32 = board.rows().iter().map(|row| row.losses).sum();
    assert_eq!((wins, losses), (count - 1, 3 * (count - 1)));
    assert_eq!(checked[0].body().facts().sum(), Chips(4000));
}
