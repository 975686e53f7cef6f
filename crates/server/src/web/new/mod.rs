//! Creating a table: the game, its settings, the seats.
//!
//! - `form`: the contents of the form, and what is wrong with them
//! - `show`: the form itself
//! - `words`: the labels of settings

mod form;
mod show;
mod told;
mod words;

pub(super) use told::told;

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use bots::Kind;
use games::AnyGame;
use maud::html;
use table::{Game, Seat, Settings};

use super::address::Address;
use super::identity::Visitor;
use super::layout::{Sheet, go, send};
use super::words::{about, title};
use super::{Failure, Site};
use crate::hub::Opening;
use crate::room::{Event, Hints, Sitter, Terms};

use form::{Filled, Wrong};

/// The choice of a game.
pub(super) async fn choose(visitor: Visitor) -> Response {
    let lang = visitor.lang;
    let body = html! {
        main class="lobby" {
            h1 { (lang.pick("New table", "Neuer Tisch")) }
            ul class="games" {
                @for game in AnyGame::ALL {
                    li class={ "game " (game.name()) } {
                        h2 { a href={ "/new/" (game.name()) } { (title(*game)) } }
                        p { (about(*game, lang)) }
                    }
                }
            }
        }
    };
    let title = lang.pick("New table · fairdeal", "Neuer Tisch · fairdeal");
    send(&visitor, &Sheet { title, class: "plain", styles: &["lobby.css"], scripts: &[], body })
}

/// The form for one game.
pub(super) async fn page(Path(game): Path<String>, visitor: Visitor) -> Result<Response, Failure> {
    let game = AnyGame::from_name(&game).ok_or(Failure::NotFound)?;
    Ok(show(&visitor, &Filled::new(game), &Wrong::default()))
}

/// Creates the table, or shows the form again with its errors.
pub(super) async fn make(
    State(site): State<Site>,
    from: Address,
    visitor: Visitor,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Failure> {
    let filled = Filled::read(&fields).ok_or(Failure::NotFound)?;
    match filled.check(visitor.lang) {
        Ok(settings) => {
            site.may_open(from)?;
            let seated = filled.computers().map(|(seat, kind)| (seat, Sitter::Computer(kind)));
            let terms = Terms {
                listed: filled.listed,
                reveal: filled.reveal.clone(),
                pace: filled.pace,
                hints: filled.hints,
                ..terms(filled.game, filled.players, settings, &visitor)
            };
            let (id, _) = site.hub().open(opening(terms, &visitor, seated)).await?;
            Ok(go(&visitor, &format!("/tables/{id}")))
        }
        Err(wrong) => {
            let mut answer = show(&visitor, &filled, &wrong);
            *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(answer)
        }
    }
}

/// A table where the visitor can play at once: computers sit in all other seats. Nobody else could sit down, so it is
/// not listed.
pub(super) fn quick(game: AnyGame, visitor: &Visitor, pace: u32) -> Opening {
    let players = usual_players(game);
    let settings = games::with_game!(game, G => serde_json::to_value(<G as Game>::Settings::default()));
    let computers = (1..players).filter_map(Seat::new).map(|seat| (seat, Sitter::Computer(Kind::Normal)));
    let terms = terms(game, players, settings.unwrap_or_default(), visitor);
    opening(Terms { listed: false, pace, ..terms }, visitor, computers)
}

fn terms(game: AnyGame, players: u8, settings: serde_json::Value, visitor: &Visitor) -> Terms {
    Terms {
        game: game.name().to_owned(),
        rules: games::with_game!(game, G => G::VERSION),
        players,
        settings,
        owner: Some(visitor.player),
        listed: true,
        reveal: "auto".to_owned(),
        pace: 0,
        hints: Hints::default(),
        // Drawn when the table is created.
        session: String::new(),
    }
}

/// A visitor who creates a table sits in its first seat.
fn opening(terms: Terms, visitor: &Visitor, others: impl Iterator<Item = (Seat, Sitter)>) -> Opening {
    let me = Sitter::Player { player: visitor.player, face: visitor.face.clone(), seeds: true };
    let first = Seat::new(0).map(|seat| (seat, me));
    let events = first.into_iter().chain(others).map(|(seat, who)| Event::Sat { seat, who });
    Opening { terms, events: events.collect() }
}

/// The default number of players.
fn usual_players(game: AnyGame) -> u8 {
    let range = games::with_game!(game, G => G::PLAYERS);
    3.clamp(*range.start(), *range.end())
}

/// The settings of a game.
fn described(game: AnyGame) -> Vec<table::Described> {
    let mut all = games::with_game!(game, G => <<G as Game>::Settings as Settings>::described());
    all.retain(|setting| !words::idle(game).contains(&setting.name));
    all
}

fn show(visitor: &Visitor, filled: &Filled, wrong: &Wrong) -> Response {
    let body = show::page(filled, wrong, &visitor.face, visitor.lang);
    let title = format!("{} · fairdeal", title(filled.game));
    send(visitor, &Sheet { title: &title, class: "plain", styles: &["lobby.css"], scripts: &[], body })
}
