//! Events byte for byte as they stand in the description of the formats, and results and leaderboards as events.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

use games::AnyGame;
use relays::board::BadBoard;
use relays::gift::{Fresh, wrap};
use relays::offer::{Invitation, Offer};
use relays::result::BadResult;
use relays::{Draft, Event, Filter, Kind, RelayUrl, board, result};
use results::{
    Body, Callsign, Facts, Form, Hash, Leaderboard, NoLogs, Player, Secret, Signed, Uuid, Verdict, combined, tally,
};
use table::Chips;

/// The examples in the documents, in the order of [`examples`].
const FROZEN: &str = include_str!("data/events.jsonl");

fn secret(byte: u8) -> Secret {
    Secret::from_bytes(&[byte; 32]).unwrap()
}

fn player(byte: u8, place: u8, amount: i64) -> Player {
    let key = secret(byte).public();
    Player { callsign: Callsign::of_player(&key), key, place, amount: Chips(amount) }
}

fn body() -> Body {
    let id = Uuid::random([0x11; 16]);
    let facts = Facts {
        id,
        game: AnyGame::Holdem,
        at: "2025-12-28 14:30:00".parse().unwrap(),
        seed: combined(&id, &[[1; 32], [2; 32]]),
        log_hash: Some(Hash([0xab; 32])),
        players: vec![player(1, 1, 2000), player(2, 2, 0)],
    };
    Body::new(facts, Form::Result { deals: 35 }).unwrap()
}

/// Signed by these players.
fn signed(by: &[usize]) -> Signed {
    let mut signed = Signed::new(body());
    for index in by {
        let number = u8::try_from(*index + 1).unwrap();
        let signature = signed.body().sign(*index, &secret(number), &[0; 32]).unwrap();
        signed.add(*index, signature).unwrap();
    }
    signed
}

fn leaderboard(station: &Secret) -> Leaderboard {
    let players = tally(AnyGame::Holdem, &[signed(&[0, 1]).check()], &NoLogs);
    Leaderboard::new(AnyGame::Holdem, &players, "2025-12-28 15:00:00".parse().unwrap(), station, &[0; 32])
}

/// A result with one signature by its player, a leaderboard, an offer, an invitation, frames.
fn examples() -> Vec<Event> {
    let (host, table) = (secret(5), [7; 32]);
    let offer = Offer { table, game: AnyGame::Blackout, name: "Eva's table".to_owned(), seats: 3 };
    let ticket = "wss://npub1…@relay.example.org/private/07…#fdt1…".to_owned();
    let invitation = Invitation { game: AnyGame::Blackout, name: "Eva's table".to_owned(), ticket };
    let fresh =
        Fresh { once: secret(9), nonces: [[1; 32], [2; 32]], aux: [[0; 32]; 2], at: [1_766_930_000, 1_766_931_000] };
    let (at, until) = (1_766_932_200, 1_766_935_800);
    let frames = Draft {
        at,
        kind: Kind::FRAMES,
        tags: vec![vec!["p".to_owned(), host.public().hex()]],
        content: "AQgHBgUEAwIBAwAAAAEAAAAJAAAAAQIAaGk=".to_owned(),
    };
    vec![
        result::write(&signed(&[0]), at).sign(&secret(1), &[0; 32]),
        board::write(&leaderboard(&secret(3))).sign(&secret(3), &[0; 32]),
        offer.write(at, until).sign(&host, &[0; 32]),
        wrap(&invitation.write(at, until), &secret(1), &secret(2).public(), Some(until), &fresh).unwrap(),
        frames.sign(&secret(6), &[0; 32]),
    ]
}

#[test]
fn the_events_of_the_description_are_these_bytes() {
    let written: Vec<String> = examples().iter().map(Event::text).collect();
    let frozen: Vec<&str> = FROZEN.lines().collect();
    assert_eq!(written, frozen);
    for (text, event) in frozen.iter().zip(examples()) {
        assert_eq!(Event::parse(text), Ok(event));
    }
}

#[test]
fn the_documents_show_these_very_events() {
    let documents = [include_str!("../../../docs/results.md"), include_str!("../../../docs/peer.md")].concat();
    for line in FROZEN.lines() {
        assert!(documents.contains(line), "{line}");
    }
}

#[test]
fn what_a_player_signs_in_a_file_is_the_id_of_an_event_that_a_relay_would_take() {
    let signed = signed(&[0, 1]);
    let facts = signed.body().facts();
    for (index, player) in facts.players.iter().enumerate() {
        let tag = |name: &str, value: String| vec![name.to_owned(), value];
        let draft = Draft {
            at: facts.at.seconds(),
            kind: Kind(1),
            tags: vec![
                tag("t", "card_game".to_owned()),
                tag("game_id", facts.id.to_string()),
                tag("callsign", player.callsign.to_string()),
            ],
            content: result::mark(&signed).to_string(),
        };
        assert_eq!(Some(draft.id(&player.key).0), signed.body().signing_hash(index));
    }
}

#[test]
fn events_of_single_players_make_a_complete_result() {
    let events = [0, 1].map(|index| {
        let event = result::write(&signed(&[index]), 1).sign(&secret(u8::try_from(index).unwrap() + 1), &[0; 32]);
        Event::parse(&event.text()).unwrap()
    });
    let mut first = result::read(&events[0]).unwrap();
    assert_eq!(first.merge(&result::read(&events[1]).unwrap()), Ok(1));
    assert_eq!(first.check().verdict(), &Verdict::Complete);
    for event in &events {
        let mark = result::mark(&signed(&[])).to_string();
        assert!(Filter::of(Kind::RESULT).with('d', vec![mark]).with('p', vec![secret(2).public().hex()]).fits(event));
    }
}

#[test]
fn a_result_that_is_not_what_its_event_says_is_refused() {
    let draft = result::write(&signed(&[0]), 1);
    let sign = |draft: Draft| draft.sign(&secret(1), &[0; 32]);
    let other = draft.content.replace("CHIPS:2000", "CHIPS:1000").replace("CHIPS:0", "CHIPS:1000");
    let changed = sign(Draft { content: other, ..draft.clone() });
    assert_eq!(result::read(&changed), Err(BadResult::OtherBody));
    let nothing = sign(Draft { content: String::new(), ..draft.clone() });
    assert!(matches!(result::read(&nothing), Err(BadResult::File(_))));
    let note = sign(Draft { kind: Kind(1), ..draft });
    assert_eq!(result::read(&note), Err(BadResult::Kind(Kind(1))));
}

#[test]
fn a_board_is_believed_of_the_station_that_signed_it_only() {
    let (station, stranger) = (secret(3), secret(4));
    let draft = board::write(&leaderboard(&station));
    let event = draft.clone().sign(&station, &[0; 32]);
    assert_eq!(board::read(&event), Ok(leaderboard(&station)));
    assert!(board::of_station(station.public()).fits(&event));
    let copied = draft.clone().sign(&stranger, &[0; 32]);
    assert_eq!(board::read(&copied), Err(BadBoard::OtherStation));
    let newer = Draft { at: draft.at + 1, ..draft.clone() }.sign(&station, &[0; 32]);
    assert_eq!(board::read(&newer), Err(BadBoard::OtherBoard));
    let improved = draft.content.replace("WINS:1 LOSSES:0 WINRATE:100.0", "WINS:2 LOSSES:0 WINRATE:100.0");
    let improved = Draft { content: improved, ..draft }.sign(&station, &[0; 32]);
    assert!(matches!(board::read(&improved), Err(BadBoard::Signature(_))));
}

#[test]
fn a_long_board_is_cut_so_that_relays_take_it() {
    let station = secret(3);
    let mut results = Vec::new();
    for number in 0..600_u32 {
        let key = |salt: u32| {
            let mut bytes = [1; 32];
            bytes[..4].copy_from_slice(&(number * 2 + salt + 1).to_be_bytes());
            Secret::from_bytes(&bytes).unwrap()
        };
        let keys = [key(0), key(1)];
        let mut facts = body().facts().clone();
        facts.id = Uuid::random(u128::from(number).to_be_bytes());
        for (player, key) in facts.players.iter_mut().zip(&keys) {
            player.key = key.public();
            player.callsign = Callsign::of_player(&player.key);
        }
        let mut signed = Signed::new(Body::new(facts, Form::Result { deals: 1 }).unwrap());
        for (index, key) in keys.iter().enumerate() {
            let signature = signed.body().sign(index, key, &[0; 32]).unwrap();
            signed.add(index, signature).unwrap();
        }
        results.push(signed);
    }
    let players = tally(AnyGame::Holdem, &results::check_all(results), &NoLogs);
    let whole = Leaderboard::new(AnyGame::Holdem, &players, "2025-12-28 15:00:00".parse().unwrap(), &station, &[0; 32]);
    assert_eq!(whole.rows().len(), 1200);
    let cut = whole.first(board::MOST_ROWS, &station, &[0; 32]);
    let event = board::write(&cut).sign(&station, &[0; 32]);
    assert!(event.text().len() < 60_000, "{}", event.text().len());
    assert_eq!(board::read(&event).unwrap().rows(), &whole.rows()[..board::MOST_ROWS]);
}

#[test]
fn the_address_in_an_offer_is_that_of_the_relay_it_was_found_on() {
    let relay: RelayUrl = "wss://relay.example.org".parse().unwrap();
    let (_, through) = Offer::read(&examples()[2], &relay, 1_766_932_300).unwrap();
    assert_eq!(through.to_string(), format!("wss://{}@relay.example.org", secret(5).public().npub()));
}
