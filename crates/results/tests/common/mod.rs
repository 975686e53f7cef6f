//! Players, matches and files for all tests.

use games::AnyGame;
use results::*;
use table::Chips;

/// The key of somebody with this number.
pub(crate) fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

pub(crate) fn player(number: u8, place: u8, amount: i64) -> Player {
    let key = secret(number).public();
    Player { callsign: Callsign::of_player(&key), key, place, amount: Chips(amount) }
}

/// A match of this game that ended at a likely score.
pub(crate) fn facts(game: AnyGame) -> Facts {
    let amounts: &[i64] = match game {
        AnyGame::Holdem => &[2600, 1400, 0, 0],
        AnyGame::Blackjack => &[720, 580, 200, 0],
        AnyGame::Romme => &[45, 112, 187, 203],
        AnyGame::BigC => &[0, 5, 5, 26],
        AnyGame::Ongdu => &[1300, 1020, -10, 1690],
        AnyGame::Blackout => &[71, 64, 64, -12],
    };
    let places: &[u8] = match game {
        AnyGame::BigC | AnyGame::Blackout => &[1, 2, 2, 4],
        _ => &[1, 2, 3, 4],
    };
    let numbers = 1..=4;
    let id = Uuid::random([0x11; 16]);
    Facts {
        id,
        game,
        at: "2025-12-28 14:30:00".parse().unwrap(),
        seed: combined(&id, &[[1; 32], [2; 32], [3; 32], [4; 32]]),
        log_hash: Some(Hash([0xab; 32])),
        players: numbers
            .zip(places.iter().zip(amounts))
            .map(|(n, (place, amount))| player(n, *place, *amount))
            .collect(),
    }
}

pub(crate) fn body(game: AnyGame) -> Body {
    Body::new(facts(game), Form::Result { deals: 35 }).unwrap()
}

/// Signed by those players (by their index), whose keys are the first ones in the order of the players.
pub(crate) fn signed_by(body: &Body, indices: &[usize]) -> Signed {
    let mut signed = Signed::new(body.clone());
    for index in indices {
        let key = body.facts().players[*index].key;
        let secret = (1..=255).map(secret).find(|secret| secret.public() == key).unwrap();
        let signature = body.sign(*index, &secret, &[0; 32]).unwrap();
        assert_eq!(signed.add(*index, signature), Ok(true));
    }
    signed
}

/// Signed by everybody.
pub(crate) fn signed(body: &Body) -> Signed {
    signed_by(body, &(0..body.facts().players.len()).collect::<Vec<_>>())
}
