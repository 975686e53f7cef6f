//! Where files of matches lie, under a folder that the caller chooses.

use std::path::PathBuf;

use games::AnyGame;

use crate::names::game_name;
use crate::{Body, Callsign, Form, Uuid};

/// The folder of everything about card games in somebody's collections.
pub const COLLECTION: &str = "collections/card_games";

/// Canonical results of a game.
pub fn results(game: AnyGame) -> PathBuf {
    folder("results").join(game_name(game))
}

/// Results of a game in the form for exchange.
pub fn exports(game: AnyGame) -> PathBuf {
    folder("exports").join(game_name(game))
}

/// Results that came second: their id was taken by a file that says something else.
pub fn contradictions(game: AnyGame) -> PathBuf {
    folder("contradictions").join(game_name(game))
}

/// The sessions of matches that are over.
pub fn sessions() -> PathBuf {
    folder("sessions")
}

/// The session of a match.
pub fn session(id: Uuid) -> PathBuf {
    sessions().join(format!("{id}.txt"))
}

/// The logs of matches whose results not everybody has signed.
pub fn logs() -> PathBuf {
    folder("logs")
}

/// The log that a result names by this hash.
pub fn log(hash: &crate::Hash) -> PathBuf {
    logs().join(format!("{hash}.jsonl"))
}

/// A station's board of a game.
pub fn leaderboard(station: &Callsign, game: AnyGame) -> PathBuf {
    folder("leaderboards").join(station.to_string()).join(format!("{}.txt", game_name(game)))
}

/// Where a result belongs.
pub fn result(body: &Body) -> PathBuf {
    let facts = body.facts();
    let folder = match body.form() {
        Form::Result { .. } => results(facts.game),
        Form::CardGame => exports(facts.game),
    };
    folder.join(format!("{}.txt", facts.id))
}

/// Where it is kept if that place is taken by another; `hash` is of its body, so that signatures that come
/// later find it.
pub fn contradiction(body: &Body, hash: &crate::Hash) -> PathBuf {
    let facts = body.facts();
    let mark: String = hash.to_string().chars().take(16).collect();
    contradictions(facts.game).join(format!("{}-{mark}.txt", facts.id))
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(COLLECTION).join(name)
}
