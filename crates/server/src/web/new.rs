//! Creating a table: the choice of a game, and the [form](crate::room::form) on its way in and out.

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use bots::Kind;
use games::AnyGame;
use maud::{Markup, html};
use page::Lang;
use serde::Serialize;
use table::{Game, Seat};

use super::address::Address;
use super::identity::Visitor;
use super::layout::{Sheet, go, send};
use super::words::{about, title};
use super::{Failure, Site};
use crate::hub::Opening;
use crate::room::form::{self, Filled, Wrong, usual_players};
use crate::room::{Event, Hints, Sitter, Terms};

pub(super) use crate::room::form::{labels, told};

/// The choice of a game.
pub(super) async fn choose(visitor: Visitor) -> Response {
    let lang = visitor.lang;
    let body = html! {
        main class="lobby" {
            h1 { (lang.pick("New table", "Neuer Tisch")) }
            (games_under("/new/", lang))
        }
    };
    let title = lang.pick("New table · fairdeal", "Neuer Tisch · fairdeal");
    send(&visitor, &Sheet { title, class: "plain", styles: &["lobby.css"], scripts: &[], body })
}

/// All games, with links to their forms.
pub(super) fn games_under(path: &str, lang: Lang) -> Markup {
    html! {
        ul class="games" {
            @for game in AnyGame::ALL {
                li class={ "game " (game.name()) } {
                    h2 { a href={ (path) (game.name()) } { (title(*game)) } }
                    p { (about(*game, lang)) }
                }
            }
        }
    }
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

/// What a form for a private table says.
pub(super) enum Wished {
    /// Something that can be played.
    Fine(Wish),
    /// Something is wrong: the form again, with what it is.
    Wrong(Markup),
}

/// A private table that somebody wants to create.
#[derive(Serialize)]
pub(super) struct Wish {
    game: &'static str,
    seats: u8,
    settings: Vec<(&'static str, String)>,
    listed: bool,
}

/// The form for a private table.
pub(super) fn private_form(game: AnyGame, visitor: &Visitor) -> Markup {
    form::private(&Filled::new(game), &Wrong::default(), visitor.chosen_name(), visitor.lang)
}

/// Reads it; `None` if it names no game.
pub(super) fn read_private(fields: &[(String, String)], lang: Lang) -> Option<Wished> {
    let filled = Filled::read(fields)?;
    let name = fields.iter().find(|(field, _)| field == "name").map(|(_, name)| name.as_str());
    Some(match filled.check(lang) {
        Err(wrong) => Wished::Wrong(form::private(&filled, &wrong, name, lang)),
        Ok(_) => Wished::Fine(Wish {
            game: filled.game.name(),
            seats: filled.players,
            settings: filled.changed().into_iter().map(|(name, typed)| (name, typed.to_owned())).collect(),
            listed: filled.listed,
        }),
    })
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

fn show(visitor: &Visitor, filled: &Filled, wrong: &Wrong) -> Response {
    let body = form::page(filled, wrong, &visitor.face, visitor.lang);
    let title = format!("{} · fairdeal", title(filled.game));
    send(visitor, &Sheet { title: &title, class: "plain", styles: &["lobby.css"], scripts: &[], body })
}
