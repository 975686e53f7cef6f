//! Operator commands that work next to a running server: look at tables, and create one with a match in progress.

use std::sync::Arc;

use games::AnyGame;
use table::{Eye, Game as _, Seat};

use crate::hub::{Hub, HubError, Log, Opening, random};
use crate::ids::{Code, Key, TableId};
use crate::metrics::Metrics;
use crate::room::{Awaited, Decided, Event, Face, Hints, Keep, Room, Sitter, Stage, Terms};
use crate::store::{Store, TableRow};
use page::Lang;

/// A table created by [`quickstart`].
#[derive(Debug)]
pub struct Started {
    /// The table.
    pub table: TableId,
    /// Its code.
    pub code: Code,
    /// The players, with their keys.
    pub players: Vec<(String, Key)>,
}

/// The tables that changed most recently.
///
/// # Errors
/// Fails if the database cannot be read.
pub async fn list(store: &Store, limit: i64) -> Result<Vec<TableRow>, HubError> {
    Ok(store.latest(limit).await?)
}

/// The public state of a table, in words.
///
/// # Errors
/// Fails if there is no such table, or the database cannot be read.
pub async fn show(store: &Store, id: TableId) -> Result<Vec<(&'static str, String)>, HubError> {
    let row = store.table(id).await?.ok_or(HubError::NoTable)?;
    // Replayed from its log, without a hub: reading must not trigger the events that are due.
    let log = Log::of(store, id).await?;
    let mut facts = vec![
        ("table", id.to_string()),
        ("log", id.tag()),
        ("code", row.code.to_string()),
        ("game", row.game),
        ("phase", row.phase.name().to_owned()),
        ("entries", log.len().to_string()),
    ];
    let room = match log.read().and_then(|(secret, entries)| Room::replay(secret, entries, Keep::default())) {
        Ok(room) => room,
        Err(why) => {
            facts.push(("stopped", why.to_string()));
            return Ok(facts);
        }
    };
    facts.push(("settings", room.terms().settings.to_string()));
    for (seat, chair) in room.chairs() {
        let who = match (chair.face(seat), chair.computer()) {
            (Some(face), Some(kind)) => format!("{} (computer, {})", face.name, page::level(kind, Lang::En)),
            (Some(face), None) => face.name,
            (None, _) => "empty".to_owned(),
        };
        facts.push(("seat", format!("{}: {who}", seat.number())));
    }
    if let Some(play) = room.play() {
        facts.push(("deal", play.deal().to_string()));
        facts.push(("height", play.height().to_string()));
        facts.push(("awaits", awaits(&room, play.awaited())));
        let standing = play.standing_now();
        let totals: Vec<String> = standing.total.iter().map(ToString::to_string).collect();
        facts.push(("standing", totals.join(", ")));
        facts.push(("view", play.view(Eye::Public)));
    }
    Ok(facts)
}

fn awaits(room: &Room, awaited: Awaited) -> String {
    let names = awaited.seats().iter().filter_map(|seat| room.chair(seat)?.face(seat)).map(|face| face.name);
    let names: Vec<String> = names.collect();
    match awaited {
        Awaited::Seeds(deck, ..) => format!("seeds for deck {deck} from {}", names.join(", ")),
        Awaited::Turn(_) => names.join(", "),
        Awaited::Choices(_) => format!("choices by {}", names.join(", ")),
        Awaited::House => "the house".to_owned(),
        Awaited::Looking => "the next deal".to_owned(),
        Awaited::Nothing => "nothing".to_owned(),
    }
}

/// Creates a table for Alice, Bob and Charlie whose match has begun. In Blackout the rounds go from one card to five
/// and back to one, and everybody has bid 1 in the first round.
///
/// # Errors
/// Fails if three cannot play the game, or the database cannot be written.
pub async fn quickstart(store: &Store, game: AnyGame) -> Result<Started, HubError> {
    let settings = match game {
        AnyGame::Blackout => serde_json::json!({ "start": 1, "max": 5, "end": 1, "action_timeout": 0 }),
        _ => serde_json::json!({ "action_timeout": 0 }),
    };
    let settings = games::with_game!(game, G => {
        let settings: Result<<G as table::Game>::Settings, _> = serde_json::from_value(settings);
        serde_json::to_value(settings.unwrap_or_default()).unwrap_or_default()
    });
    let names = ["Alice", "Bob", "Charlie"];
    let mut players = Vec::new();
    let mut events = Vec::new();
    for (seat, (name, avatar)) in (0..).map_while(Seat::new).zip(names.into_iter().zip(1..)) {
        let key = Key::new(random()?);
        let face = Face { name: name.to_owned(), avatar };
        events.push(Event::Sat { seat, who: Sitter::Player { player: key.player(), face, seeds: false } });
        players.push((name.to_owned(), key));
    }
    events.push(Event::Started);
    let terms = Terms {
        game: game.name().to_owned(),
        rules: games::with_game!(game, G => G::VERSION),
        players: 3,
        settings,
        owner: players.first().map(|(_, key)| key.player()),
        listed: false,
        reveal: "auto".to_owned(),
        pace: 700,
        hints: Hints::default(),
        session: String::new(),
    };
    let hub = Hub::new(store.clone(), Arc::new(Metrics::default()), 1);
    let (table, code) = hub.open(Opening { terms, events }).await?;
    if game == AnyGame::Blackout {
        first_bets(&hub, table, &players).await?;
    }
    Ok(Started { table, code, players })
}

/// Everybody bids 1 in the first round.
async fn first_bets(hub: &Hub, table: TableId, players: &[(String, Key)]) -> Result<(), HubError> {
    let live = hub.table(table);
    for _ in players {
        let (seat, height) = {
            let room = hub.read(&live).await?;
            let Some(play) = room.play().filter(|play| play.stage() == Stage::Deal) else { return Ok(()) };
            let Awaited::Turn(seat) = play.awaited() else { return Ok(()) };
            (seat, play.height())
        };
        let Some((_, key)) = players.get(usize::from(seat.index())) else { return Ok(()) };
        let action = Decided::new(games::blackout::Action::Bid(1))?;
        hub.event(&live, key.player(), Event::Acted { seat, height, action, timeout: false }).await?;
    }
    Ok(())
}
