//! The API for programs: JSON over HTTP, the same commands as the page's, and a socket for bots.
//!
//! A program identifies itself with `Authorization: Bearer KEY`. A refusal has a code that never changes and a
//! sentence that may.

mod beside;
mod description;
mod me;
mod private;
mod program;
mod schemas;

use axum::Json;
use axum::Router;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, OptionalFromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use bots::Kind;
use games::AnyGame;
use maud::html;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use table::{Eye, Game as _, Rules as _, Seat, Settings as _};

use super::address::Address;
use super::here::Here;
use super::identity::Visitor;
use super::seeds;
use super::whole::whole;
use super::{Failure, Found, Site};
use crate::clock::now;
use crate::hub::{HubError, Opening, Summary, random};
use crate::ids::{Code, Key, TableId};
use crate::room::{
    AVATARS, Awaited, Command, Event, Face, Hints, Kept, LONGEST_NAME, Play as _, Room, Sitter, Terms, check_settings,
    check_text, reveal_seed,
};
use crate::store::{Player, TableRow};
use page::Lang;

/// The longest body of a request.
pub(super) const LONGEST: usize = 64 << 10;

pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/api", get(describe))
        .route("/api/v1/players", post(new_player))
        .route("/api/v1/me", get(me::show).put(me::change))
        .route("/api/v1/me/tables", get(me::tables))
        .route("/api/v1/me/history", get(me::past))
        .route("/api/v1/me/statistics", get(me::statistics))
        .route("/api/v1/games", get(all_games))
        .route("/api/v1/tables", get(tables).post(new_table))
        .route("/api/v1/tables/{id}", get(table))
        .route("/api/v1/tables/{id}/commands", post(command))
        .route("/api/v1/tables/{id}/hint", get(beside::hint))
        .route("/api/v1/tables/{id}/again", post(beside::again))
        .route("/api/v1/tables/{id}/record", get(beside::record))
        .route("/api/v1/tables/{id}/play", get(program::open))
        .route("/api/v1/codes/{code}", get(by_code))
        .route("/api/v1/quick", post(beside::quick))
        .route("/api/v1/private", post(private::make))
        .route("/api/{*nowhere}", any(async || Trouble::from(Failure::NotFound)))
        .layer(DefaultBodyLimit::max(LONGEST))
}

/// What somebody needs who knocks at a private table on a player's own computer.
pub(super) fn private_routes() -> Router<Site> {
    Router::new().route("/api/v1/codes/{code}", get(by_code)).layer(DefaultBodyLimit::max(LONGEST))
}

/// A failure, in the form for programs.
pub(super) struct Trouble(Failure);

impl<E: Into<Failure>> From<E> for Trouble {
    fn from(why: E) -> Self {
        Self(why.into())
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let Self(why) = self;
        why.note();
        let code = match &why {
            Failure::NotFound => "not_found",
            Failure::Bad(_) => "bad_request",
            Failure::Foreign => "forbidden",
            Failure::NoPlayer => "unauthorized",
            Failure::TooMany | Failure::TooManyCodes => "too_many",
            Failure::TooLong(_) => "too_long",
            Failure::Hub(why) => why.code(),
        };
        let body = json!({ "error": code, "message": why.text(Lang::En) });
        let mut answer = (why.status(), Json(body)).into_response();
        if let Failure::NoPlayer = why {
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        answer
    }
}

/// A body that must be JSON of a certain form; the error says what is wrong.
struct Body<T>(T);

impl<T: serde::de::DeserializeOwned> FromRequest<Site> for Body<T> {
    type Rejection = Trouble;
    async fn from_request(request: axum::extract::Request, site: &Site) -> Result<Self, Trouble> {
        match Json::<Box<RawValue>>::from_request(request, site).await {
            Ok(Json(body)) => Ok(Self(read(body.get())?)),
            Err(JsonRejection::BytesRejection(why)) if why.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(Failure::TooLong(LONGEST).into())
            }
            Err(why) => Err(Failure::Bad(why.body_text()).into()),
        }
    }
}

/// A body, if it has the expected form.
fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(&whole(text)).map_err(|why| Failure::Bad(format!("the body: {why}")))
}

/// The player who makes a request, if any.
struct Asker(Option<Visitor>);

impl FromRequestParts<Site> for Asker {
    type Rejection = Trouble;
    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Trouble> {
        Ok(Self(<Visitor as OptionalFromRequestParts<Site>>::from_request_parts(parts, site).await?))
    }
}

impl Asker {
    /// A player, for requests that need one.
    fn player(self) -> Result<Visitor, Trouble> {
        Ok(self.0.ok_or(Failure::NoPlayer)?)
    }

    /// A player who may send something now.
    fn message(self, site: &Site) -> Result<Visitor, Trouble> {
        let visitor = self.player()?;
        site.may_send(&visitor)?;
        Ok(visitor)
    }
}

/// The table in an address; anything that is not an id names no table.
struct Id(TableId);

impl FromRequestParts<Site> for Id {
    type Rejection = Trouble;
    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Trouble> {
        let path = <Path<String> as FromRequestParts<Site>>::from_request_parts(parts, site).await;
        Ok(Self(path.ok().and_then(|Path(id)| id.parse().ok()).ok_or(Failure::NotFound)?))
    }
}

/// The description: for programs as OpenAPI, for people as a page.
async fn describe(here: Here, headers: HeaderMap) -> Response {
    let description = description::openapi(here.as_str());
    let wants_page = headers
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")));
    if !wants_page {
        return Json(description).into_response();
    }
    let body = html! {
        main class="narrow" {
            h1 { "API for programs" }
            p { "The same as OpenAPI, for programs that ask for JSON: " code { "curl " (here.as_str()) "/api" } }
            @if let Some(paths) = description.get("paths").and_then(Value::as_object) {
                @for (path, methods) in paths {
                    @if let Some(methods) = methods.as_object() {
                        @for (method, about) in methods {
                            h2 { code { (method.to_uppercase()) " " (path) } }
                            p { (about.get("summary").and_then(Value::as_str).unwrap_or_default()) }
                            @if let Some(more) = about.get("description").and_then(Value::as_str) { p class="dim" { (more) } }
                        }
                    }
                }
            }
        }
    };
    super::layout::plain("fairdeal: API", body).into_response()
}

/// A new player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPlayer {
    name: String,
    #[serde(default)]
    avatar: Option<u8>,
}

async fn new_player(State(site): State<Site>, from: Address, Body(new): Body<NewPlayer>) -> Result<Response, Trouble> {
    site.may_open(from)?;
    let Face { name, avatar } = face(new, 1)?;
    let key = Key::new(random()?);
    let player = key.player();
    let at = now().0;
    let stored = Player { id: player, name, avatar: avatar.to_string(), created_at: at, seen_at: at };
    site.hub().store().save_player(stored).await.map_err(|why| HubError::Unavailable(why.to_string()))?;
    Ok((StatusCode::CREATED, Json(json!({ "player": player, "key": key.text() }))).into_response())
}

/// A player's name and picture; the first picture is the computers'.
fn face(new: NewPlayer, avatar: u8) -> Result<Face, Failure> {
    check_text(&new.name, LONGEST_NAME).map_err(|why| Failure::Bad(format!("name: {why}")))?;
    // The first picture is the computers'.
    let avatar = new.avatar.unwrap_or(avatar);
    if !(1..AVATARS).contains(&avatar) {
        return Err(Failure::Bad(format!("avatar: expected a number from 1 to {}", AVATARS - 1)));
    }
    Ok(Face { name: new.name.trim().to_owned(), avatar })
}

async fn all_games() -> Json<Value> {
    let games = AnyGame::ALL.iter().map(|game| {
        games::with_game!(*game, G => json!({
            "name": G::NAME,
            "title": G::TITLE,
            "about": G::ABOUT,
            "least_players": G::PLAYERS.start(),
            "most_players": G::PLAYERS.end(),
            "rules": G::VERSION,
            "settings": <G as table::Game>::Settings::described(),
        }))
    });
    Json(Value::from(games.collect::<Vec<_>>()))
}

async fn tables(State(site): State<Site>) -> Result<Json<Value>, Trouble> {
    Ok(Json(listed(&site, site.hub().store().listed(200).await?.into_iter())))
}

/// Tables in a list; without those that cannot continue because they have other rules.
fn listed(site: &Site, rows: impl Iterator<Item = TableRow>) -> Value {
    let rows = rows.filter_map(|row| {
        let summary = Summary::listed(site.hub().store(), &row)?;
        Some(json!({
            "table": row.id, "code": row.code, "game": row.game, "phase": row.phase.name(),
            "seats": summary.seats, "seconds": summary.seconds, "created_at": row.created_at,
        }))
    });
    rows.collect()
}

/// A table to be created.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTable {
    game: String,
    players: u8,
    #[serde(default)]
    settings: Value,
    #[serde(default)]
    listed: bool,
    #[serde(default)]
    reveal: Option<String>,
    #[serde(default)]
    pace: Option<u32>,
    #[serde(default)]
    hints: Option<Hints>,
    /// Computers, from the last seat on.
    #[serde(default)]
    computers: Vec<Kind>,
    /// Whether the creator sits down, and sends seeds.
    #[serde(default)]
    sit: bool,
    #[serde(default)]
    seeds: bool,
}

async fn new_table(
    State(site): State<Site>,
    from: Address,
    asker: Asker,
    Body(new): Body<NewTable>,
) -> Result<Response, Trouble> {
    let visitor = asker.player()?;
    site.may_open(from)?;
    let game = game(&new.game)?;
    let given = if new.settings.is_null() { json!({}) } else { new.settings };
    // Completed with defaults, so that a table never changes when those do.
    let settings = games::with_game!(game, G => {
        serde_json::from_value::<<G as table::Game>::Settings>(given).and_then(|settings| serde_json::to_value(&settings))
    });
    let settings = settings.map_err(|why| Failure::Bad(format!("settings: {why}")))?;
    check_settings(game, &settings, new.players).map_err(|bad| Failure::Bad(bad.to_string()))?;
    let reveal = new.reveal.unwrap_or_else(|| "auto".to_owned());
    if reveal_seed(&reveal).is_none() {
        return Err(Failure::Bad("reveal must be auto, after_deal or after_match".to_owned()).into());
    }
    if new.computers.len() + usize::from(new.sit) > usize::from(new.players) {
        return Err(Failure::Bad("computers: more than there are seats".to_owned()).into());
    }
    let mut events = Vec::new();
    if let (true, Some(seat)) = (new.sit, Seat::new(0)) {
        let who = Sitter::Player { player: visitor.player, face: visitor.face.clone(), seeds: new.seeds };
        events.push(Event::Sat { seat, who });
    }
    for (seat, kind) in (0..new.players).rev().filter_map(Seat::new).zip(new.computers) {
        events.push(Event::Sat { seat, who: Sitter::Computer(kind) });
    }
    let terms = Terms {
        game: game.name().to_owned(),
        rules: games::with_game!(game, G => G::VERSION),
        players: new.players,
        settings,
        owner: Some(visitor.player),
        listed: new.listed,
        reveal,
        pace: new.pace.unwrap_or(700).min(10_000),
        hints: new.hints.unwrap_or_default(),
        session: String::new(),
    };
    let (id, code) = site.hub().open(Opening { terms, events }).await?;
    let link = visitor.here.table(id);
    Ok((StatusCode::CREATED, Json(json!({ "table": id, "code": code, "link": link }))).into_response())
}

async fn by_code(
    State(site): State<Site>,
    Path(code): Path<String>,
    from: Address,
    Asker(visitor): Asker,
) -> Result<Json<Value>, Trouble> {
    let code: Code = code.parse().map_err(|_| Failure::Bad("a code has six digits".to_owned()))?;
    Ok(Json(match site.by_code(code, from, visitor.as_ref()).await?.ok_or(Failure::NotFound)? {
        Found::Table(row) => json!({ "table": row.id, "game": row.game, "phase": row.phase.name() }),
        Found::Private(row) => json!({ "private": row.id, "game": row.game, "name": row.name, "seats": row.seats }),
    }))
}

/// A table as the player sees it.
async fn table(State(site): State<Site>, Id(id): Id, Asker(visitor): Asker) -> Result<Json<Value>, Trouble> {
    let live = site.hub().table(id);
    let room = site.hub().read(&live).await?;
    let seat = visitor.and_then(|visitor| room.seat_of(visitor.player).inspect(|_| live.see(visitor.player)));
    Ok(Json(state(id, &room, room.height(), seat)))
}

fn state(id: TableId, room: &Room, log: i64, seat: Option<Seat>) -> Value {
    let seats = room.chairs().map(|(seat, chair)| {
        let face = chair.face(seat)?;
        Some(json!({ "name": face.name, "player": chair.player(), "computer": chair.computer(), "left": chair.left.is_some(), "hints": room.hints(seat) }))
    });
    let mut state = json!({
        "table": id, "log": log, "game": room.terms().game, "rules": room.terms().rules, "settings": room.terms().settings,
        "seats": seats.collect::<Vec<_>>(), "seat": seat, "session": room.terms().session, "next_table": room.again(),
        "hints": room.allows_hints(),
    });
    let Some(play) = room.play() else {
        merge(&mut state, json!({ "phase": "gathering" }));
        return state;
    };
    let awaited = play.awaited();
    let phase = match play.stage() {
        crate::room::Stage::Deal => "playing",
        crate::room::Stage::Between => "between",
        crate::room::Stage::Over => "over",
    };
    let eye = seat.map_or(Eye::Public, Eye::Seat);
    let seeds = match awaited {
        Awaited::Seeds(deck, asked, _) => {
            json!({ "deck": deck, "asked": seeds::name(asked), "commitments": seeds::commitments(room) })
        }
        _ => Value::Null,
    };
    merge(
        &mut state,
        json!({
            "phase": phase, "deal": play.deal(), "height": play.height(), "awaited": awaited.seats(), "seeds": seeds,
            "silent": seat.is_some_and(|seat| seeds::may_wake(room, seat)),
            "due_at": room.due().map(|due| due.at), "standing": play.standing_now(),
            "last_outcome": play.last_outcome(),
            "view": serde_json::from_str::<Value>(&play.view(eye)).unwrap_or_default(),
            "moves": seat.and_then(|seat| games::with_game!(room.game(), G => moves::<G>(room, seat))),
        }),
    );
    state
}

/// The legal moves of a seat whose turn it is.
fn moves<G: Kept>(room: &Room, seat: Seat) -> Option<Value> {
    let playing = room.playing::<G>().filter(|playing| playing.asks(seat))?;
    let known = playing.known_to(Eye::Seat(seat));
    serde_json::to_value(playing.table().rules().moves(known, seat)).ok()
}

fn merge(state: &mut Value, more: Value) {
    if let (Some(state), Value::Object(more)) = (state.as_object_mut(), more) {
        state.extend(more);
    }
}

/// A player's command.
async fn command(
    State(site): State<Site>,
    Id(id): Id,
    asker: Asker,
    Body(command): Body<Command>,
) -> Result<StatusCode, Trouble> {
    let visitor = asker.message(&site)?;
    carry_out(&site, id, &visitor, command).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Carries out a command, and counts it if it is refused.
async fn carry_out(site: &Site, id: TableId, visitor: &Visitor, command: Command) -> Result<(), HubError> {
    let done = async {
        site.may_command(visitor, id, &command).await?;
        site.hub().command(id, visitor.player, &visitor.face, command).await
    };
    done.await.inspect_err(|why| site.refused(id, why))
}

/// The game with this name.
fn game(name: &str) -> Result<AnyGame, Failure> {
    let unknown = || Failure::Bad("game: expected one of those at /api/v1/games".to_owned());
    AnyGame::from_name(name).ok_or_else(unknown)
}

/// Reads a text as every kind of body, and as messages over sockets.
#[cfg(any(test, feature = "laws"))]
pub(super) fn decode(text: &str) {
    let _ = read::<NewPlayer>(text).and_then(|new| face(new, 1));
    let _ =
        read::<NewTable>(text).map(|new| game(&new.game).map(|game| check_settings(game, &new.settings, new.players)));
    let _ = (read::<beside::Quick>(text).is_ok(), read::<Command>(text).is_ok());
    private::decode(text);
    program::decode(text);
}
