//! Requests to a hub, answered at once: a new private table, and the table with a code.

use ::peer::{TableId, TableKey, Ticket};
use results::Public;
use serde::Deserialize;
use serde_json::json;
use table::record::unhex;

use super::{At, Unreachable};

/// What a hub's lobby says about a private table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The game's name.
    pub game: String,
    /// The number of seats.
    pub seats: u8,
    /// The table's name.
    pub name: String,
    /// Whether the lobby lists it while somebody is connected.
    pub listed: bool,
    /// Whether people with the code, but without a ticket, may knock.
    pub knock: bool,
}

/// A new private table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Created {
    /// The way in. It is a secret.
    pub ticket: Ticket,
    /// The code for people who knock.
    pub code: Option<String>,
}

/// A table where one can knock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Door {
    /// The table.
    pub table: TableId,
    /// What its creator says about it.
    pub game: String,
    /// Its name.
    pub name: String,
}

/// Creates a private table with this key at a hub. The hub does not get the key.
///
/// # Errors
/// Fails if the hub cannot be reached, or refuses.
pub fn create(at: &At, key: TableKey, about: &About) -> Result<Created, Unreachable> {
    #[derive(Deserialize)]
    struct Made {
        hub: String,
        code: Option<String>,
    }
    let About { game, seats, name, listed, knock } = about;
    let body = json!({
        "table": key.table().to_string(), "access": key.access().public().hex(),
        "game": game, "seats": seats, "name": name, "listed": listed, "knock": knock,
    });
    let answer = asked(at, "POST", "/api/v1/private", &body.to_string())?;
    let made: Made = serde_json::from_str(&answer).map_err(|_| Unreachable::NotAHub)?;
    let hub: Public = made.hub.parse().map_err(|_| Unreachable::NotAHub)?;
    Ok(Created { ticket: Ticket { at: at.to_string(), key, hub }, code: made.code })
}

/// The private table with this code at a hub; `None` if the code leads elsewhere.
///
/// # Errors
/// Fails if the hub cannot be reached, or knows no such code.
pub fn door(at: &At, code: &str) -> Result<Option<Door>, Unreachable> {
    #[derive(Deserialize)]
    struct Found {
        private: Option<String>,
        game: String,
        #[serde(default)]
        name: String,
    }
    let digits: String = code.chars().filter(char::is_ascii_digit).collect();
    let answer = asked(at, "GET", &format!("/api/v1/codes/{digits}"), "")?;
    let Found { private, game, name } = serde_json::from_str(&answer).map_err(|_| Unreachable::NotAHub)?;
    let Some(id) = private else { return Ok(None) };
    let table = table_id(&id).ok_or(Unreachable::NotAHub)?;
    Ok(Some(Door { table, game, name }))
}

/// A table's id in hexadecimal digits.
pub(super) fn table_id(text: &str) -> Option<TableId> {
    unhex(text)?.try_into().ok().map(TableId)
}

fn asked(at: &At, method: &str, path: &str, body: &str) -> Result<String, Unreachable> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Unreachable::Nobody(why.to_string()))?;
    let answer = runtime.block_on(at.request(method, path, body));
    // Looking up a name may still hang; nobody waits for that.
    runtime.shutdown_background();
    answer
}
