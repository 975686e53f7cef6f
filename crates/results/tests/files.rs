//! Files: what is written is read, what is changed is noticed, and what is wrong is refused with its line.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::{body, facts, player, secret, signed, signed_by};
use games::AnyGame;
use proptest::prelude::*;
use proptest::test_runner::Config;
use results::{
    BadFacts, Body, Callsign, Facts, Form, Hash, Implausible, Leaderboard, NotAdded, NotTheirs, Player, Session,
    Signature, Signed, Timestamp, Unreadable, Uuid, Verdict, Why, combined, game_name, game_named, seed_hash, tally,
};
use table::{Chips, PerSeat, Standing};

/// Every format as it was when it was fixed: other programs have such files.
const FROZEN: [(AnyGame, &str); 6] = [
    (AnyGame::Holdem, include_str!("data/frozen/poker.txt")),
    (AnyGame::Blackjack, include_str!("data/frozen/blackjack.txt")),
    (AnyGame::Romme, include_str!("data/frozen/romme.txt")),
    (AnyGame::BigC, include_str!("data/frozen/bigc.txt")),
    (AnyGame::Ongdu, include_str!("data/frozen/ongdu.txt")),
    (AnyGame::Blackout, include_str!("data/frozen/blackout.txt")),
];
const FROZEN_CARD_GAME: &str = include_str!("data/frozen/card_game.txt");
const FROZEN_SESSION: &str = include_str!("data/frozen/session.txt");
const FROZEN_BOARD: &str = include_str!("data/frozen/leaderboard.txt");

fn session() -> Session {
    let seeds = (1..=4).map(|n| (Callsign::of_player(&secret(n).public()), Hash([n; 32]))).collect();
    let started = "2025-12-28 14:00:00".parse().unwrap();
    Session::new(Uuid::random([0x11; 16]), AnyGame::Holdem, seeds, started).unwrap()
}

fn board() -> Leaderboard {
    let results = [signed(&body(AnyGame::Holdem)).check()];
    let players = tally(AnyGame::Holdem, &results, &results::NoLogs);
    Leaderboard::new(AnyGame::Holdem, &players, "2025-12-28 15:00:00".parse().unwrap(), &secret(99), &[0; 32])
}

#[test]
fn every_format_is_written_as_it_always_was() {
    // To make them anew after a change that is meant: FAIRDEAL_FREEZE=1 cargo test -p results every_format
    let card_game = signed(&body(AnyGame::Holdem).card_game()).text();
    let mut all = vec![
        ("card_game", card_game, FROZEN_CARD_GAME),
        ("session", session().text(), FROZEN_SESSION),
        ("leaderboard", board().text(), FROZEN_BOARD),
    ];
    all.extend(FROZEN.map(|(game, frozen)| (game_name(game), signed(&body(game)).text(), frozen)));
    for (name, text, frozen) in all {
        if std::env::var_os("FAIRDEAL_FREEZE").is_some() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/frozen");
            std::fs::write(format!("{folder}/{name}.txt"), &text).unwrap();
            continue;
        }
        assert_eq!(text, frozen, "{name}");
    }
}

#[test]
fn frozen_files_are_read_checked_and_written_again() {
    for text in FROZEN.map(|(_, text)| text).into_iter().chain([FROZEN_CARD_GAME]) {
        let signed = Signed::parse(text.as_bytes()).unwrap();
        assert_eq!(signed.text(), text);
        assert_eq!(signed.check().verdict(), &Verdict::Complete);
    }
    assert_eq!(Session::parse(FROZEN_SESSION.as_bytes()).unwrap(), session());
    let board = Leaderboard::parse(FROZEN_BOARD.as_bytes()).unwrap();
    assert_eq!(board.text(), FROZEN_BOARD);
    assert_eq!(board.signer(), Ok(Some(secret(99).public())));
}

#[test]
fn the_document_shows_every_format_as_it_is() {
    let document = include_str!("../../../docs/results.md");
    for text in [FROZEN[0].1, FROZEN[1].1, FROZEN[2].1, FROZEN_CARD_GAME, FROZEN_SESSION, FROZEN_BOARD] {
        assert!(document.contains(text), "{text}");
    }
}

#[test]
fn every_changed_byte_of_a_result_is_noticed() {
    for body in [body(AnyGame::Holdem), body(AnyGame::Romme), body(AnyGame::BigC).card_game()] {
        let text = signed(&body).text();
        let (mut unreadable, mut forged) = (0, 0);
        for index in 0..text.len() {
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[index] ^= 1 << bit;
                match Signed::parse(&changed) {
                    Err(_) => unreadable += 1,
                    Ok(signed) => {
                        let checked = signed.check();
                        assert!(
                            matches!(checked.verdict(), Verdict::Forged { wrong } if !wrong.is_empty()),
                            "byte {index}, bit {bit}: {:?}",
                            checked.verdict()
                        );
                        forged += 1;
                    }
                }
            }
        }
        assert!(unreadable > 100 && forged > 100, "both kinds occur: {unreadable}, {forged}");
    }
}

#[test]
fn every_removed_or_added_byte_of_a_result_is_noticed() {
    let text = signed(&body(AnyGame::Blackout)).text();
    for index in 0..=text.len() {
        let mut shorter = text.clone().into_bytes();
        if index < shorter.len() {
            shorter.remove(index);
            let noticed = Signed::parse(&shorter).map_or(true, |signed| *signed.check().verdict() != Verdict::Complete);
            assert!(noticed || shorter == text.as_bytes(), "without byte {index}");
        }
        for added in [b'0', b'1', b'\n', b' ', b'\r'] {
            let mut longer = text.clone().into_bytes();
            longer.insert(index, added);
            let noticed = Signed::parse(&longer).map_or(true, |signed| *signed.check().verdict() != Verdict::Complete);
            assert!(noticed, "{added} before byte {index}");
        }
    }
}

#[test]
fn every_changed_byte_of_a_leaderboard_is_noticed() {
    let text = board().text();
    for index in 0..text.len() {
        for bit in 0..8 {
            let mut changed = text.clone().into_bytes();
            changed[index] ^= 1 << bit;
            let noticed = Leaderboard::parse(&changed).map_or(true, |board| board.signer().is_err());
            assert!(noticed, "byte {index}, bit {bit}");
        }
    }
    // Without its signature it is readable, and nobody has signed it.
    let cut = text.split("\n--> ").next().unwrap();
    assert_eq!(Leaderboard::parse(cut.as_bytes()).unwrap().signer(), Ok(None));
}

#[test]
fn every_changed_byte_of_a_session_is_noticed_or_changes_what_it_says() {
    let text = session().text();
    for index in 0..text.len() {
        for bit in 0..8 {
            let mut changed = text.clone().into_bytes();
            changed[index] ^= 1 << bit;
            if let Ok(read) = Session::parse(&changed) {
                assert_ne!(read, session());
                assert_eq!(read.text().as_bytes(), changed);
            }
        }
    }
}

#[test]
fn any_result_is_read_as_it_was_written() {
    let amount = -1_000_000_000_000_000i64..=1_000_000_000_000_000;
    let players = proptest::collection::btree_map(1u8..=200, (amount, 1u8..4, "[A-Z0-9]{3,18}"), 2..=12);
    let head = (0..6usize, any::<[u8; 16]>(), any::<[u8; 32]>(), any::<Option<[u8; 32]>>());
    let input = (head, players, 0u64..253_402_300_800, any::<Option<u32>>(), any::<u16>());
    let config = Config { failure_persistence: None, ..Config::with_cases(300) };
    proptest!(config, |(((game, id, seed, log), players, at, deals, signers) in input)| {
        let mut players: Vec<Player> = players
            .into_iter()
            .map(|(number, (amount, place, callsign))| Player {
                callsign: callsign.parse().unwrap(),
                key: secret(number).public(),
                place,
                amount: Chips(amount),
            })
            .collect();
        // Whatever was drawn, ranked as it must be.
        let drawn: Vec<u8> = players.iter().map(|player| player.place).collect();
        for player in &mut players {
            player.place = 1 + u8::try_from(drawn.iter().filter(|other| **other < player.place).count()).unwrap();
        }
        let facts = Facts {
            id: Uuid::random(id),
            game: AnyGame::ALL[game],
            at: Timestamp::from_seconds(at).unwrap(),
            seed: Hash(seed),
            log_hash: log.map(Hash),
            players,
        };
        let form = deals.map_or(Form::CardGame, |deals| Form::Result { deals });
        let Ok(body) = Body::new(facts, form) else { return Ok(()) };
        let mut text = body.text();
        for n in (1..=body.facts().players.len()).filter(|n| signers >> n & 1 == 1) {
            text += &format!("--> signature_{n}: {}\n", Signature([7; 64]));
        }
        let read = Signed::parse(text.as_bytes()).unwrap();
        prop_assert_eq!(read.body(), &body);
        prop_assert_eq!(read.text(), text);
    });
}

#[test]
fn any_text_is_refused_or_read_as_it_is() {
    let line = prop_oneof![
        Just(String::new()),
        "# (POKER|ROMME|BIGC)_RESULT: 0f8fad5b-d9cb-469f-a165-70867728950e",
        "(TIMESTAMP: 2025-12-28 14:30:00|SEED: [0-9a-f]{64}|PLAYER_COUNT: [0-3]|RESULTS:|ROUNDS: [0-9]|HANDS_PLAYED: 3)",
        "--> signature_[1-3]: [0-9a-f]{128}",
        "[ -~]{0,40}",
    ];
    let config = Config { failure_persistence: None, ..Config::with_cases(2000) };
    proptest!(config, |(lines in proptest::collection::vec(line, 0..14))| {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        if let Ok(read) = Signed::parse(text.as_bytes()) {
            prop_assert_eq!(read.text(), text);
        }
    });
}

/// With each thing changed, a file is refused at this line and for this reason.
fn refuses<T: std::fmt::Debug>(
    text: &str,
    parse: fn(&[u8]) -> Result<T, Unreadable>,
    cases: &[(&str, &str, u32, &str)],
) {
    for (from, to, line, expected) in cases {
        assert!(text.contains(from), "{from}");
        let why = parse(text.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert_eq!(why.line, *line, "{why}");
        assert!(why.to_string().contains(expected), "{why}");
    }
}

fn refused(text: &str) -> Unreadable {
    Signed::parse(text.as_bytes()).unwrap_err()
}

/// The frozen poker result with one thing changed.
fn with(from: &str, to: &str) -> String {
    assert!(FROZEN[0].1.contains(from), "{from}");
    FROZEN[0].1.replacen(from, to, 1)
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let cases = [
        ("", 1, "# POKER_RESULT"),
        ("hello\n", 1, "# POKER_RESULT"),
        ("# SKAT_RESULT: x\n", 1, "# POKER_RESULT"),
        (&with("# POKER_RESULT: 1", "# POKER_RESULT: X"), 1, "UUID"),
        (&with("14:30:00", "14:30:60"), 3, "a time"),
        (&with("TIMESTAMP: ", "TIMESTAMP:"), 3, "TIMESTAMP: …"),
        (&with("SEED: ", "SEED: A"), 4, "64 hexadecimal digits"),
        (&with("PLAYER_COUNT: 4", "PLAYER_COUNT: 04"), 5, "number of players"),
        (&with("PLAYER_COUNT: 4", "PLAYER_COUNT: 3"), 5, "4, the number of players"),
        (&with("LOG_HASH: a", "LOG_HASH: A"), 6, "64 hexadecimal digits"),
        (&with("LOG_HASH: ", "LOG_HASH:"), 6, "LOG_HASH: …"),
        (&with("RESULTS:", "ROUNDS: 3\nRESULTS:"), 8, "RESULTS:"),
        (&with("PLACE:1 ", "PLACE:+1 "), 9, "a place"),
        (&with("PLACE:1 ", "PLACE:2 "), 9, "player 1 should be in place 1"),
        (&with("CHIPS:2600", "CHIPS:2601"), 9, "4001 chips"),
        (&with("CHIPS:2600", "CHIPS:-2600"), 9, "player 1 cannot have"),
        (&with("CHIPS:2600", "CHIPS:99999999999999999999"), 9, "whole number"),
        (&with("CHIPS:2600", "SCORE:2600"), 9, "PLAYER:… NPUB:…"),
        (&with("CHIPS:2600", "CHIPS:2600 MORE:1"), 9, "PLAYER:… NPUB:…"),
        (&with("  - PLAYER:X1", "  - PLAYER:x1"), 9, "a callsign"),
        (&with("NPUB:npub1", "NPUB:NPUB1"), 9, "npub1"),
        (&with("HANDS_PLAYED: 35", "HANDS_PLAYED: -1"), 14, "how many"),
        (&with("HANDS_PLAYED: 35\n", ""), 14, "HANDS_PLAYED: …"),
        (&with("--> signature_1", "--> signature_0"), 16, "from 1 to 4"),
        (&with("--> signature_1", "--> signature_2"), 17, "from 3 to 4"),
        (&with("--> signature_1", "--> signature_5"), 16, "from 1 to 4"),
        (&with("--> signature_1: ", "--> signature_1: f"), 16, "128 hexadecimal digits"),
        (&with("--> signature_1", "signature_1"), 16, "--> signature_…"),
        (&with("TIMESTAMP", "\u{feff}TIMESTAMP"), 3, "0xef"),
        (&with("SEED", "\tSEED"), 4, "0x09"),
        (&format!("\u{feff}{}", FROZEN[0].1), 1, "byte-order mark"),
        (&FROZEN[0].1.replace('\n', "\r\n"), 1, "CR LF"),
        (FROZEN[0].1.trim_end(), 19, "does not end"),
        (&format!("{}\n", FROZEN[0].1), 20, "--> signature_…"),
        (&"x".repeat(16_385), 1, "16384 bytes"),
    ];
    for (text, line, expected) in cases {
        let why = refused(text);
        assert_eq!(why.line, line, "{why}\n{text}");
        assert!(why.to_string().contains(expected), "{why}: {expected}");
    }
    assert_eq!(refused("a\u{0}").why, Why::NotPlain(0));
}

#[test]
fn a_session_is_refused_if_its_parts_do_not_fit() {
    let text = session().text();
    let cases = [
        ("session:", "Session:", 1, "session:"),
        ("  id: 1", "  id: G", 2, "UUID"),
        ("game: poker", "game: holdem", 3, "name of a game"),
        ("player_count: 4", "player_count: 5", 4, "4, the number of seeds"),
        ("seed: 01", "seed: 02", 10, "the mixture of the seeds"),
        (", seed: 01", " seed: 01", 6, "- player: …, seed: …"),
        ("14:00:00Z", "14:00:00", 11, "2025-12-28T14:00:00Z"),
        ("started", "ended", 11, "started"),
    ];
    refuses(&text, Session::parse, &cases);
    assert_eq!(Session::parse(format!("{text}\n").as_bytes()).unwrap_err().why, Why::ExpectedEnd);
    let many = session().seeds().iter().cycle().take(10).cloned().collect();
    let refused = Session::new(session().id(), AnyGame::Holdem, many, session().started());
    assert_eq!(refused, Err(BadFacts::Players { least: 2, most: 9, found: 10 }));
}

#[test]
fn a_leaderboard_is_refused_if_its_numbers_do_not_fit() {
    let text = include_str!("data/examples/leaderboard.txt");
    let cases = [
        ("# LEADERBOARD: X3", "# LEADERBOARD: x3", 1, "a callsign"),
        ("# GAME: poker", "# GAME: chess", 2, "name of a game"),
        ("UPDATED: 2025", "UPDATED: 25", 4, "a time"),
        ("RANK:1", "RANK:2", 6, "RANK:1"),
        ("WINRATE:78.9", "WINRATE:79.0", 6, "WINRATE:78.9"),
        ("WINS:45", "WINS:045", 6, "wins"),
        ("X1ACE WINS:38 LOSSES:15 WINRATE:71.7", "X1ACE WINS:0 LOSSES:0 WINRATE:0.0", 7, "a win or a loss"),
        ("X1ACE WINS:38 LOSSES:15 WINRATE:71.7", "X1ACE WINS:9 LOSSES:1 WINRATE:90.0", 7, "the better player first"),
        (" LOSSES:12", "", 6, "RANK:1"),
    ];
    refuses(text, Leaderboard::parse, &cases);
    assert!(Leaderboard::parse(format!("{text}\n").as_bytes()).is_err());
    assert!(Leaderboard::parse(format!("{text}x\n").as_bytes()).is_err());
}

#[test]
fn facts_that_cannot_be_true_are_no_body() {
    let refused = |change: fn(&mut Facts)| {
        let mut facts = facts(AnyGame::Holdem);
        change(&mut facts);
        Body::new(facts, Form::Result { deals: 1 }).unwrap_err()
    };
    assert_eq!(refused(|facts| facts.players.truncate(1)), BadFacts::Players { least: 2, most: 9, found: 1 });
    assert_eq!(refused(|facts| facts.players[2].key = facts.players[0].key), BadFacts::Twice(3));
    assert_eq!(refused(|facts| facts.players[1].place = 3), BadFacts::Place { player: 2, expected: 2 });
    assert_eq!(refused(|facts| facts.players[0].place = 0), BadFacts::Place { player: 1, expected: 1 });
    assert_eq!(refused(|facts| facts.players[3].place = 5), BadFacts::Place { player: 4, expected: 4 });
    assert_eq!(refused(|facts| facts.players[3].amount = Chips(-1)), BadFacts::Amount(4));
    assert_eq!(refused(|facts| facts.players[3].amount = Chips(i64::MAX)), BadFacts::Amount(4));
}

#[test]
fn chips_are_conserved_where_they_come_from_other_players() {
    let mut poker = facts(AnyGame::Holdem);
    poker.players[0].amount = Chips(2601);
    let sum = BadFacts::ChipSum { found: Chips(4001), least: Chips(100), most: Chips(1_000_000) };
    assert_eq!(Body::new(poker.clone(), Form::CardGame), Err(sum));
    for amount in [-1401, 4_100_000] {
        poker.players[0].amount = Chips(amount);
        assert!(Body::new(poker.clone(), Form::CardGame).is_err());
    }
    let mut ongdu = facts(AnyGame::Ongdu);
    ongdu.players[2].amount = Chips(-11);
    assert!(matches!(Body::new(ongdu, Form::CardGame), Err(BadFacts::ChipSum { .. })));
    let mut blackjack = facts(AnyGame::Blackjack);
    blackjack.players[0].amount = Chips(721);
    assert!(Body::new(blackjack, Form::CardGame).is_ok());
}

#[test]
fn everybody_can_begin_with_what_the_settings_allow_and_no_other_number() {
    fn range<G: table::Game>(name: &str) -> (i64, i64) {
        let described = <G::Settings as table::Settings>::described();
        match described.iter().find(|setting| setting.name == name).map(|setting| &setting.range) {
            Some(table::Range::Whole { least, most, .. }) => (*least, *most),
            other => panic!("{other:?}"),
        }
    }
    for (game, (least, most)) in [
        (AnyGame::Holdem, range::<games::types::Holdem>("starting_chips")),
        (AnyGame::Ongdu, range::<games::types::Ongdu>("starting_cash")),
    ] {
        for (each, possible) in [(least - 1, false), (least, true), (most, true), (most + 1, false)] {
            let mut facts = facts(game);
            facts.players = vec![player(1, 1, 2 * each), player(2, 2, 0)];
            assert_eq!(Body::new(facts, Form::CardGame).is_ok(), possible, "{game:?} {each}");
        }
    }
}

#[test]
fn a_place_that_the_amounts_do_not_explain_is_pointed_out() {
    assert_eq!(body(AnyGame::Holdem).oddity(), None);
    assert_eq!(body(AnyGame::Romme).oddity(), None);
    // The fourth has the most cash: they must have left.
    assert_eq!(body(AnyGame::Ongdu).oddity(), Some((1, 4)));
}

#[test]
fn a_result_from_the_future_or_from_before_is_not_plausible() {
    let mut facts = facts(AnyGame::Romme);
    let now: Timestamp = "2025-12-28 14:00:00".parse().unwrap();
    assert_eq!(facts.plausible(now), Ok(()));
    facts.at = "2025-12-28 15:00:01".parse().unwrap();
    assert_eq!(facts.plausible(now), Err(Implausible::InFuture));
    facts.at = "2019-12-31 23:59:59".parse().unwrap();
    assert_eq!(facts.plausible(now), Err(Implausible::TooEarly));
}

#[test]
fn players_are_listed_by_place_and_then_by_seat() {
    let standing = Standing {
        total: PerSeat::from_slice(&[0, 1, 2].map(Chips)).unwrap(),
        place: PerSeat::from_slice(&[2, 1, 2]).unwrap(),
        over: true,
    };
    let people = [1, 2, 3].map(|number| {
        let key = secret(number).public();
        (Callsign::of_player(&key), key)
    });
    let expected = [player(2, 1, 1), player(1, 2, 0), player(3, 2, 2)];
    assert_eq!(Facts::players_of(&standing, &people), expected);
}

#[test]
fn signatures_come_in_any_order_and_wrong_ones_do_not_get_in() {
    let body = body(AnyGame::Blackjack);
    let sign = |index: usize, number: u8| body.sign(index, &secret(number), &[number; 32]);
    assert_eq!(sign(0, 2), Err(NotTheirs));
    assert_eq!(sign(4, 1), Err(NotTheirs));
    let mut collected = Signed::new(body.clone());
    assert_eq!(collected.add(3, sign(3, 4).unwrap()), Ok(true));
    assert_eq!(collected.add(0, sign(0, 1).unwrap()), Ok(true));
    assert_eq!(collected.add(0, sign(0, 1).unwrap()), Ok(false));
    assert_eq!(collected.add(1, sign(0, 1).unwrap()), Err(NotAdded::Wrong));
    assert_eq!(collected.add(4, sign(0, 1).unwrap()), Err(NotAdded::NoPlayer));
    assert_eq!(collected.clone().check().verdict(), &Verdict::Partial { missing: vec![1, 2] });
    assert_eq!(collected.merge(&signed_by(&body, &[1, 2, 3])), Ok(2));
    assert_eq!(collected.merge(&signed(&body.card_game())), Err(NotAdded::OtherBody));
    assert_eq!(collected.clone().check().verdict(), &Verdict::Complete);
    assert_eq!(Signed::new(body).check().verdict(), &Verdict::Unsigned);
}

#[test]
fn a_signature_is_of_one_form_one_player_and_one_match_only() {
    let body = body(AnyGame::Holdem);
    let hash = |body: &Body, index| body.signing_hash(index).unwrap();
    let mut later = body.facts().clone();
    later.id = Uuid::random([0x12; 16]);
    let later = Body::new(later, body.form()).unwrap();
    let hashes = [hash(&body, 0), hash(&body, 1), hash(&body.card_game(), 0), hash(&later, 0)];
    for (index, one) in hashes.iter().enumerate() {
        assert!(!hashes[..index].contains(one));
    }
    assert_eq!(body.signing_hash(4), None);
}

#[test]
fn what_is_signed_is_the_event_that_nostr_programs_make_of_it() {
    // Computed with Python's json and hashlib from the rule in the format's description.
    let body = body(AnyGame::Holdem);
    assert_eq!(Hash(body.signing_hash(0).unwrap()).to_string(), include_str!("data/frozen/event_id.txt").trim());
}

#[test]
fn seeds_are_bound_to_their_player_and_session() {
    let (id, other) = (Uuid::random([1; 16]), Uuid::random([2; 16]));
    let (anna, bert) = (secret(1).public(), secret(2).public());
    let all = [
        seed_hash(&id, &anna, &[7; 32]),
        seed_hash(&id, &bert, &[7; 32]),
        seed_hash(&other, &anna, &[7; 32]),
        seed_hash(&id, &anna, &[8; 32]),
        combined(&id, &[[7; 32], [8; 32]]),
        combined(&id, &[[8; 32], [7; 32]]),
        combined(&other, &[[7; 32], [8; 32]]),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{index}");
    }
    let frozen: Vec<&str> = include_str!("data/frozen/seeds.txt").lines().collect();
    assert_eq!([all[0].to_string(), all[4].to_string()], frozen[..]);
}

#[test]
fn a_session_fits_its_result_and_no_other() {
    let session = session();
    let right = facts(AnyGame::Holdem);
    assert!(session.fits(&right));
    let wrong: [fn(&mut Facts); 5] = [
        |facts| facts.id = Uuid::random([9; 16]),
        |facts| facts.game = AnyGame::Romme,
        |facts| facts.seed = Hash([0; 32]),
        |facts| facts.players[1].callsign = "X1OTHER".parse().unwrap(),
        |facts| facts.at = "2025-12-28 13:59:59".parse().unwrap(),
    ];
    for change in wrong {
        let mut facts = right.clone();
        change(&mut facts);
        assert!(!session.fits(&facts));
    }
}

#[test]
fn games_have_the_names_of_the_format() {
    let names: Vec<&str> = AnyGame::ALL.iter().map(|game| game_name(*game)).collect();
    assert_eq!(names, ["poker", "blackjack", "romme", "bigc", "ongdu", "blackout"]);
    for game in AnyGame::ALL {
        assert_eq!(game_named(game_name(*game)), Some(*game));
    }
    assert_eq!(game_named("holdem"), None);
}

#[test]
fn an_id_has_one_spelling() {
    let id = Uuid::random([0xff; 16]);
    assert_eq!(id.to_string(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    assert_eq!(Uuid::from_hash(&[0xff; 32]).to_string(), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    assert_eq!(id.to_string().parse(), Ok(id));
    for text in [
        "",
        "FFFFFFFF-ffff-4fff-bfff-ffffffffffff",
        "ffffffffffff4fffbfffffffffffffffffff",
        "../../../../../../etc/passwd-and-so-on",
    ] {
        assert!(text.parse::<Uuid>().is_err(), "{text}");
    }
}
