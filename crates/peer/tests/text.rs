//! Logs as a person reads them: every line follows the grammar of the Geogram card games, or is a known addition.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::Place;
use games::{
    AnyGame, bigc::BigC, blackjack::Blackjack, blackout::Blackout, holdem::Holdem, ongdu::Ongdu, romme::Romme,
};
use peer::{Body, Kind, Line, Record, lines};
use table::Game;

const HOLDEM: &[(&str, &str)] = &[("starting_chips", "100"), ("blind_every", "1")];
const BLACKJACK: &[(&str, &str)] = &[("rounds", "3"), ("decks", "1"), ("reshuffle_below", "26")];
const ROMME: &[(&str, &str)] = &[("mode", "rounds"), ("rounds", "1")];
const BIGC: &[(&str, &str)] = &[("deals", "2"), ("hand_size", "5")];
const ONGDU: &[(&str, &str)] = &[("max_rounds", "2")];
const BLACKOUT: &[(&str, &str)] = &[("max", "2")];

fn record<G: Game>(place: &Place<G>) -> Record {
    Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() }
}

fn played<G: Game>(settings: &[(&str, &str)], players: u8, seed: u64) -> Vec<Line> {
    let mut place = Place::<G>::new(players, seed);
    place.start(AnyGame::from_name(G::NAME).unwrap(), settings);
    place.play(0);
    lines(&record(&place))
}

fn is_callsign(text: &str) -> bool {
    (3..=18).contains(&text.len()) && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c))
}

fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok_and(|number| number.to_string() == text)
}

/// A face, or deck and place; a joker may name the card it stands for.
fn is_card(text: &str) -> bool {
    let face = |text: &str| text.parse::<cards::Card>().is_ok_and(|card| card.to_string() == text);
    let place = |text: &str| text.split_once('.').is_some_and(|(deck, index)| is_number(deck) && is_number(index));
    match text.split_once('=') {
        Some((joker, to)) => (face(joker) || place(joker)) && face(to),
        None => face(text) || place(text),
    }
}

fn is_cards(text: &str) -> bool {
    !text.is_empty() && text.split(',').all(is_card)
}

fn is_melds(text: &str) -> bool {
    text.split(';').all(is_cards)
}

fn is_meld(text: &str) -> bool {
    text.strip_prefix('M').is_some_and(is_number)
}

/// The grammar: rules.md 8.1 with the additions that `peer::lines` lists.
fn is_message(text: &str) -> bool {
    let fields: Vec<&str> = text.split(':').collect();
    match fields.as_slice() {
        ["CARD_GAME_INVITE", game] => results::game_named(game).is_some(),
        ["CARD_GAME_JOIN" | "GAME_READY" | "START_GAME" | "ACK" | "VERIFY" | "LEAVE" | "PING"] => true,
        ["SEED_HASH" | "SEED_REVEAL", hash] => is_hex(hash, 64),
        ["DEAL" | "REVEAL", who, cards] => is_callsign(who) && is_cards(cards),
        ["TURN" | "OUT", who] => is_callsign(who),
        ["ACTION", who, "fold" | "check", "0"] => is_callsign(who),
        ["ACTION", who, "call" | "raise", amount] => is_callsign(who) && is_number(amount),
        ["ACTION", who, "hit" | "stand" | "double" | "split"] => is_callsign(who),
        ["BET", who, amount] => is_callsign(who) && is_number(amount),
        ["BET_COMMIT", who, hash] => is_callsign(who) && is_hex(hash, 64),
        ["DEALER", cards] => is_cards(cards),
        ["RESULT", who, "win" | "lose" | "push"] => is_callsign(who),
        ["RESULT", who, "win" | "lose" | "push", hand] => is_callsign(who) && is_number(hand),
        ["DRAW", who, "pile" | "discard"] => is_callsign(who),
        ["MELD", who, melds] => is_callsign(who) && is_melds(melds),
        ["LAYOFF", who, meld, cards] => is_callsign(who) && is_meld(meld) && is_cards(cards),
        ["SWAP", who, meld, card, then] => {
            is_callsign(who) && is_meld(meld) && is_card(card) && (is_meld(then) || is_cards(then))
        }
        ["DISCARD", who, card] => is_callsign(who) && is_card(card),
        ["JOIN_INFO", npub, who] => npub.starts_with("npub1") && npub.len() == 63 && is_callsign(who),
        ["RESULT_SIG", who, signature] => is_callsign(who) && is_hex(signature, 128),
        ["SHUFFLE_STEP" | "REVEAL_TOKEN", number] => is_number(number),
        // Additions.
        ["ACTION", who, "bust" | "surrender" | "pass" | "pass_role"] => is_callsign(who),
        ["ACTION", who, "play", cards] => is_callsign(who) && is_cards(cards),
        ["ACTION", who, "bid", number] => is_callsign(who) && is_number(number),
        ["CHOICE", who, choice] => is_callsign(who) && (is_melds(choice) || *choice == "nothing"),
        ["KEY", set, "key" | "player_key" | "dealing" | "ready" | "beacon"] => is_number(set),
        ["OPEN", cards] => is_cards(cards),
        ["PING" | "LATE", who] => is_callsign(who),
        ["BEGIN_DEAL", number] => is_number(number),
        ["END_DEAL", number, ending] => is_number(number) && !ending.is_empty(),
        ["END_GAME" | "ABANDON" | "UNREADABLE"] => true,
        ["HUB_STAND", key] => is_hex(key, 64),
        ["HUB_CHANGE", number, who] => is_number(number) && is_callsign(who),
        _ => false,
    }
}

fn verbs(lines: &[Line]) -> BTreeMap<String, usize> {
    let mut verbs = BTreeMap::new();
    for line in lines {
        assert!(is_message(&line.text), "{line:?}");
        *verbs.entry(line.text.split(':').next().unwrap().to_owned()).or_default() += 1;
    }
    verbs
}

#[test]
fn every_line_of_every_game_follows_the_grammar_and_every_verb_has_its_line() {
    let mut seen = BTreeSet::new();
    let mut read = |lines: Vec<Line>| seen.extend(verbs(&lines).into_keys());
    for seed in 0..3 {
        read(played::<Holdem>(HOLDEM, 3, seed));
        read(played::<Blackjack>(BLACKJACK, 2, seed));
        read(played::<Romme>(ROMME, 2, seed));
    }
    read(played::<BigC>(BIGC, 3, 1));
    read(played::<Ongdu>(ONGDU, 4, 1));
    read(played::<Blackout>(BLACKOUT, 3, 1));
    for verb in [
        "CARD_GAME_INVITE",
        "CARD_GAME_JOIN",
        "GAME_READY",
        "SEED_HASH",
        "SEED_REVEAL",
        "START_GAME",
        "DEAL",
        "TURN",
        "ACTION",
        "ACK",
        "REVEAL",
        "VERIFY",
        "BET",
        "DEALER",
        "RESULT",
        "DRAW",
        "DISCARD",
        "JOIN_INFO",
        "BET_COMMIT",
        "SHUFFLE_STEP",
        "REVEAL_TOKEN",
        "RESULT_SIG",
        "MELD",
        "LAYOFF",
        "OUT",
    ] {
        assert!(seen.contains(verb), "{verb}: {seen:?}");
    }
}

#[test]
fn a_match_begins_and_ends_in_order() {
    let lines = played::<Holdem>(HOLDEM, 3, 5);
    let at = |text: &str| {
        let found = lines.iter().position(|line| line.text.starts_with(text));
        found.unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!(lines[0].text, "CARD_GAME_INVITE:poker");
    let order = [
        "CARD_GAME_INVITE",
        "CARD_GAME_JOIN",
        "GAME_READY",
        "SEED_HASH",
        "SEED_REVEAL",
        "START_GAME",
        "BEGIN_DEAL:1",
        "KEY:0",
        "SHUFFLE_STEP",
        "DEAL:",
        "TURN:",
        "ACTION:",
        "END_DEAL:1:",
        "END_GAME",
        "VERIFY",
        "RESULT_SIG",
    ];
    assert!(order.map(at).is_sorted(), "{:?}", order.map(at));
    let count = verbs(&lines);
    assert_eq!(
        ["CARD_GAME_INVITE", "CARD_GAME_JOIN", "JOIN_INFO", "START_GAME", "RESULT_SIG", "VERIFY"]
            .map(|verb| count[verb]),
        [1, 2, 3, 1, 3, 3]
    );
    assert!(lines.is_sorted_by_key(|line| (line.entry, line.clock)));
    assert!(lines.iter().all(|line| line.kind != Kind::Said || is_callsign(&line.who)), "those who speak have names");
    // Every move comes on its author's turn, and the chips that a call costs are named.
    let mut turn = None;
    for line in &lines {
        let fields: Vec<&str> = line.text.split(':').collect();
        match fields.as_slice() {
            ["TURN", who] => turn = Some((*who).to_owned()),
            ["ACTION", who, ..] => assert_eq!(turn.as_deref(), Some(*who), "{line:?}"),
            _ => {}
        }
        if let ["ACTION", _, "call" | "raise", amount] = fields.as_slice() {
            assert_ne!(*amount, "0", "{line:?}");
        }
    }
}

#[test]
fn melds_swaps_and_going_out_have_their_lines() {
    // Played at random, some are rare: these are the actions themselves.
    let actions = [
        (r#"{"meld":[["0:1","0:2","0:3=KH"],["0:7","0:8","0:9"]]}"#, "MELD:X1ABCD:0.1,0.2,0.3=KH;0.7,0.8,0.9"),
        (r#"{"lay_off":{"meld":"M2","cards":["0:4"]}}"#, "LAYOFF:X1ABCD:M2:0.4"),
        (
            r#"{"swap":{"meld":"M1","card":"0:5","then":{"lay_off":{"meld":"M2","cards":["0:3"]}}}}"#,
            "SWAP:X1ABCD:M1:0.5:M2",
        ),
        (r#"{"swap":{"meld":"M1","card":"0:5","then":{"meld":["0:3","0:4"]}}}"#, "SWAP:X1ABCD:M1:0.5:0.3,0.4"),
        (r#""draw_stock""#, "DRAW:X1ABCD:pile"),
        (r#"{"discard":"0:5"}"#, "DISCARD:X1ABCD:0.5"),
        (r#"{"raise_to":40}"#, "ACTION:X1ABCD:raise:40"),
    ];
    for (action, text) in actions {
        assert_eq!(peer::action_text(action.as_bytes(), "X1ABCD"), text);
        assert!(is_message(text), "{text}");
    }
    // Nobody's words leave their line or their field.
    for action in [r#""a:b\nc""#, r#"{"x\u001b[2J":"y:z"}"#, "[[[1]]]", "null", "{}", "nonsense", r#"{"meld":{"a":1}}"#]
    {
        let text = peer::action_text(action.as_bytes(), "X1ABCD");
        assert!(text.chars().all(|c| c.is_ascii_graphic()) && text.split(':').count() <= 4, "{text}");
    }
}

#[test]
fn faces_are_shown_once_everybody_has_seen_them() {
    let lines = played::<Blackout>(BLACKOUT, 3, 3);
    let plays: Vec<&str> =
        lines.iter().filter_map(|line| line.text.split_once(":play:").map(|(_, card)| card)).collect();
    assert!(!plays.is_empty() && plays.iter().all(|card| !card.contains('.')), "{plays:?}");
    let dealt: Vec<&str> = lines.iter().filter_map(|line| line.text.strip_prefix("DEAL:")).collect();
    assert!(!dealt.is_empty() && dealt.iter().all(|deal| deal.contains('.')), "hands stay closed: {dealt:?}");
    let shown: Vec<&Line> = lines.iter().filter(|line| line.text.starts_with("REVEAL:")).collect();
    assert!(!shown.is_empty() && shown.iter().all(|line| !line.text.contains('.')), "{shown:?}");
}

#[test]
fn what_has_no_effect_and_what_is_wrong_say_so() {
    let mut place = Place::<Ongdu>::new(3, 12);
    place.peers[1].member.say(&Body::Abandon);
    place.settle();
    place.peers[1].lie = Some(common::instead(Body::Seed([9; 32])));
    place.start(AnyGame::Ongdu, ONGDU);
    place.play(0);
    let lines = lines(&record(&place));
    let noted = |begin: &str| lines.iter().find(|line| line.note.as_ref().is_some_and(|note| note.starts_with(begin)));
    assert_eq!(noted("no effect: ").unwrap().text, "ABANDON");
    let wrong = noted("WRONG").unwrap();
    assert_eq!(wrong.note.as_deref(), Some("WRONG: the opened seed is not the one committed to"));
    assert!(lines.iter().any(|line| line.note.as_deref() == Some("player 1")), "names are with the introductions");
    verbs(&lines);
    // A log that stops before its start still can be read.
    let mut short = record(&place);
    short.entries.truncate(2);
    let begin: Vec<String> = peer::lines(&short).into_iter().map(|line| line.text).collect();
    assert_eq!((begin.len(), begin[0].as_str()), (4, "CARD_GAME_JOIN"));
}
